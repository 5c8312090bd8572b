"""Test rule variants: clauses, grids, and the statistics of a sweep."""

from itertools import product
from pathlib import Path
from typing import Any, get_args

import polars as pl
import pytest

from rollwise import sweep
from rollwise.errors import InputError, MalformedError, TooLargeError
from rollwise.experiments.rule_grid import (
    digest_of,
    grid,
    parse_clause,
    parse_grid,
    parse_values,
    vary,
)
from rollwise.experiments.sweep import Find
from rollwise.rules import UpperBonus, load_rules, parse_rules

YAHTZEE = load_rules("yahtzee")
HOUSE = parse_rules("""
name = "house"
title = "A house of five boxes"
dice = 3
faces = 4
rolls = 2
upper_bonus = { threshold = 6, points = 10, higher = [{ threshold = 9, points = 15 }] }
extra_bonus = { box = "trio", points = 20 }
joker = { box = "trio", policy = "free" }
[[categories]]
key = "ones"
title = "Ones"
section = "upper"
points = "matched"
pattern = { kind = "face", face = 1 }
[[categories]]
key = "fours"
title = "Fours"
section = "upper"
points = "matched"
pattern = { kind = "face", face = 4 }
[[categories]]
key = "trio"
title = "Trio"
points = 15
pattern = { kind = "groups", sizes = [3] }
[[categories]]
key = "run"
title = "Run"
points = [9, 7]
pattern = { kind = "run", length = 3 }
[[categories]]
key = "pair"
title = "Pair"
points = "matched"
pattern = { kind = "groups", sizes = [2] }
[[categories]]
key = "chance"
title = "Chance"
points = "total"
pattern = { kind = "any" }
""")


class TestClauses:
    def test_lists(self) -> None:
        for text, values in (
            ("1-3,35", [1, 2, 3, 35]),
            ("0-100:50", [0, 50, 100]),
            ("25,total", [25, "total"]),
            ("on,off", [True, False]),
        ):
            assert parse_values("rolls", text) == values
        assert parse_clause("rolls = 1-3") == ("rolls", "1-3")
        for text in ("", "3-1", "1-", "-1", "1-9:0", "on,,off"):
            with pytest.raises(MalformedError, match=r"rolls: |write a number or a word"):
                parse_values("rolls", text)
        for text in ("", "rolls", "rolls=", "=3"):
            with pytest.raises(MalformedError, match="write a rule and its values"):
                parse_clause(text)

    def test_a_grid_file(self) -> None:
        text = """
            rolls = [1, 2]
            full-house.points = [25, "total"]
            small-straight.pattern.length = [4]
            chance = [true, false]"""
        assert parse_grid(text) == {
            "rolls": [1, 2], "full-house.points": [25, "total"],
            "small-straight.pattern.length": [4], "chance": [True, False],
        }  # fmt: skip
        for wrong in ("rolls", "rolls = 3", "rolls = []"):
            with pytest.raises(MalformedError, match=r"not TOML|needs a list of values"):
                parse_grid(wrong)

    @pytest.mark.parametrize(
        ("name", "values"),
        [
            ("yahtzee-no-joker", {"jokers": False}),
            ("yahtzee-plain", {"joker.policy": "off", "extra_bonus.points": 0}),
            ("yahtzee-plain-no-bonus", {"joker": False, "extra_bonus": False, "bonus": 0}),
            ("yahtzee-forced-joker", {"joker.policy": "forced"}),
            ("yahtzee", {"rolls": 3, "chance": True, "small-straight.pattern.length": 4}),
        ],
    )
    def test_presets_are_variants(self, name: str, values: dict[str, Any]) -> None:
        assert digest_of(vary(YAHTZEE, values)) == digest_of(load_rules(name))

    def test_one_value_for_several_clauses(self) -> None:
        varied = vary(YAHTZEE, {"three-of-a-kind.points+four-of-a-kind.points": "matched"})
        changed = [
            category.key for category in varied.categories if category not in YAHTZEE.categories
        ]
        assert changed == ["three-of-a-kind", "four-of-a-kind"]

    def test_dependent_values_change_too(self) -> None:
        yamb = load_rules("yamb-free")
        varied = vary(load_rules("kismet"), {"bonus": 10}).upper_bonus
        assert varied is not None
        assert [step.points for step in varied.steps] == [10, 30, 50]
        assert [step.threshold for step in varied.steps] == [63, 71, 78]
        for rolls, points in ((1, (66,)), (2, (66, 56)), (5, (66, 56, 46, 46, 46))):
            straight = vary(yamb, {"rolls": rolls}).categories[yamb.category_index("straight")]
            assert straight.points == points
        left_out = vary(YAHTZEE, {"upper_bonus.points": 0, "upper_bonus.threshold": 50})
        assert left_out.upper_bonus is None

    @pytest.mark.parametrize(
        ("values", "said"),
        [
            ({"nosuch": True}, "yahtzee has no rule 'nosuch'. Use a key"),
            ({"full-house.cards": 3}, "no such key"),
            ({"full-house.pattern.kinds.one": 3}, "unknown rule 'full-house"),
            ({"rolls": 30}, "20 or less"),
            ({"rolls.points": 3}, "yahtzee has no rule"),
            ({"chance": 3}, "write on or off"),
            ({"yahtzee": False}, "yahtzee"),
            ({"full-house.points": "much"}, "expected"),
            ({"name": "x"}, "yahtzee has no rule"),
        ],
    )
    def test_invalid_values(self, values: dict[str, Any], said: str) -> None:
        with pytest.raises(InputError, match=said):
            vary(YAHTZEE, values)

    def test_missing_parts_of_the_rules_are_refused(self) -> None:
        yams = load_rules("yams")
        with pytest.raises(InputError, match="no jokers"):
            grid(yams, {"jokers": [True]})
        with pytest.raises(InputError, match="no upper bonus"):
            grid(yams, {"rolls": [3], "bonus": [35]})
        with pytest.raises(TooLargeError, match="100,000"):
            grid(yams, {"rolls": range(1, 20), "chance.plus": range(10_000)})


class TestSweep:
    def test_cells_belong_to_the_right_games(self) -> None:
        cells = sweep(jokers="on,off", find="mean", rules=YAHTZEE).cells
        means = [cell.mean for cell in cells]
        assert means == pytest.approx([254.5896094820, 253.9702412], abs=1e-6)
        assert [cell.jokers for cell in cells] == [True, False]

    def test_more_rolls_and_bonus_give_higher_means(self) -> None:
        plain = load_rules("yahtzee-plain")
        bonus = UpperBonus(threshold=3, points=35)
        few = plain.model_copy(update={"categories": plain.categories[:3], "upper_bonus": bonus})
        cells = sweep(rolls="1,2", bonus="0,35", strategy="greedy", rules=few).cells
        means = {(cell.rolls, cell.bonus): cell.mean for cell in cells}
        assert list(means) == list(product((1, 2), (0, 35)))
        assert means[1, 0] < means[2, 0]
        assert means[1, 0] < means[1, 35] < means[2, 35]

    def test_the_default_is_one_to_six_rolls(self) -> None:
        assert [cell.varied for cell in sweep(find="mean", rules="micro-yahtzee").cells] == [
            {"rolls": rolls} for rolls in range(1, 7)
        ]

    @pytest.mark.parametrize("saves_rolls", [False, True])
    def test_statistics_agree(self, saves_rolls: bool) -> None:
        clauses = {"trio.points": [15, 40], "upper_bonus.points": [10, 0]}
        if saves_rolls:
            clauses |= {"saves_rolls": [True], "run.points": [8]}
        finds: tuple[Find, ...] = get_args(Find)
        by_find = (sweep(vary=clauses, find=find, rules=HOUSE).cells for find in finds)
        for mean, sd, full in zip(*by_find, strict=True):
            assert (full.varied, full.game, full.ties) == (sd.varied, sd.game, sd.ties)
            assert (sd.mean, sd.sd) == pytest.approx((full.mean, full.sd), abs=1e-9)
            assert sd.bonus_reached == pytest.approx(full.bonus_reached, abs=1e-12)
            assert (mean.mean, mean.sd) == (sd.mean, None)

    def test_the_file_has_one_row_per_game(self, tmp_path: Path) -> None:
        clauses: dict[str, list[Any]] = {
            "trio.points": [15, 40], "pair.points": [3, "total"], "chance": [True, False],
            "run.points": [[9, 7], 8],
        }  # fmt: skip
        path = tmp_path / "games.parquet"
        cells = sweep(vary=clauses, output=path, rules=HOUSE).cells
        frame = pl.read_parquet(path)
        assert frame.height == len(cells) == 16
        types = [pl.Int64, pl.String, pl.Boolean, pl.String]
        assert frame.select(*clauses).dtypes == types
        assert frame["pair.points"].unique().sort().to_list() == ["3", "total"]
        assert frame["run.points"].unique().sort().to_list() == ["8", "[9, 7]"]
        assert frame["mean"].to_list() == [cell.mean for cell in cells]
        assert frame["bonus_reached"].dtype == pl.Float64
        assert frame["game"].n_unique() == frame.height
        columns = sweep(rolls="1", find="distribution", rules=HOUSE).frame("polars").columns
        assert len([name for name in columns if name.startswith("points_")]) == 6
        assert "quantile_0.5" in columns
