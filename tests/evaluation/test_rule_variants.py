"""Test rule variants: clauses, grids, and statistics of games that are solved as a batch."""

from io import BytesIO
from itertools import product
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rollwise.errors import InputError, MalformedError, TooLargeError
from rollwise.experiments.rule_grid import (
    digest_of,
    grid,
    parse_clause,
    parse_grid,
    parse_range,
    vary,
)
from rollwise.experiments.sensitivity import as_parquet, evaluate_grid
from rollwise.experiments.variant_solver import VariantSolver
from rollwise.rules import UpperBonus, load_rules, parse_rules
from rollwise.solving.solver import solve

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
CLAUSES: dict[str, list[Any]] = {
    "rolls": [2, 1, 3],
    "upper_bonus.points": [10, 0, 3],
    "upper_bonus.threshold": [6, 5],
    "joker.policy": ["free", "off", "lower"],
    "extra_bonus.points": [20, 0, 5],
    "ones.points": ["matched", "total"],
    "trio.points": [15, 40],
    "run.points": [[9, 7], 8, "total"],
    "run.pattern.length": [3, 2],
    "pair": [True, False],
    "chance": [True, False],
    "pair.section": ["lower", "upper"],
}
"""The values of clauses of each kind: for the whole game, for a category, or for leaving out a
category."""


@settings(max_examples=4)
@given(st.data())
def test_batch_results_are_bit_identical_to_single_results(data: st.DataObject) -> None:
    names = data.draw(st.lists(st.sampled_from(sorted(CLAUSES)), max_size=2, unique=True))
    names += ["trio.points", "chance"]
    clauses = {
        clause: data.draw(st.permutations(CLAUSES[clause]), clause)[:2]
        for clause in sorted(set(names))
    }
    games = data.draw(st.permutations([vary(HOUSE, values) for values in grid(HOUSE, clauses)]))
    together, means = VariantSolver(games), VariantSolver(games, means_only=True)
    for rules in games[:3]:
        alone = solve(rules, moments=True, cache=False, threads=1)
        result = together.solve(rules)
        assert (result.mean, result.sd) == (alone.value(), alone.sd())
        assert means.solve(rules).mean == result.mean


def test_shared_states_are_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    clauses: dict[str, list[Any]] = {
        "trio.points": [15, 40],
        "run.points": [8, 9],
        "chance": [True, False],
    }
    games = [vary(HOUSE, values) for values in grid(HOUSE, clauses)]
    computed = list[int]()
    fill = VariantSolver._fill

    def counting(self: VariantSolver, sweep: Any, order: Any, new_C: Any, rows: Any) -> None:
        computed.append(int(new_C.sum()))
        fill(self, sweep, order, new_C, rows)

    monkeypatch.setattr(VariantSolver, "_fill", counting)
    solver = VariantSolver(games)
    for rules in games:
        solver.solve(rules)
    # The 64 sets of filled categories have 96 states: the 32 sets with the trio can be eligible
    # for the bonus or not.
    assert computed == [96, 48, 32, 16]


def test_dropped_states_are_computed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    games = [vary(HOUSE, values) for values in grid(HOUSE, {"run.points": [8, 9, 7]})]
    solver = VariantSolver(games)
    expected = [solver.solve(rules) for rules in games]
    monkeypatch.setattr("rollwise.experiments.variant_solver.MAX_BYTES", 0)
    forgetting = VariantSolver(games)
    assert [forgetting.solve(rules) for rules in [*games, *games]] == [*expected, *expected]


def test_saved_rolls_are_not_shared() -> None:
    saving = HOUSE.model_copy(update={"saves_rolls": True})
    with pytest.raises(TooLargeError, match="has saved or extra rolls"):
        VariantSolver([saving]).solve(saving)


class TestClauses:
    def test_lists(self) -> None:
        assert parse_range("1-3,35", "rolls") == [1, 2, 3, 35]
        assert parse_range("0-100:50", "bonus") == [0, 50, 100]
        for text in ("", "a", "3-1", "1-", "-1", "1-9:0"):
            with pytest.raises(InputError, match="rolls"):
                parse_range(text, "rolls")
        assert parse_clause("full-house.points=25,total") == ("full-house.points", [25, "total"])
        assert parse_clause("rolls=1-3") == ("rolls", [1, 2, 3])
        assert parse_clause("chance=on,off") == ("chance", [True, False])
        for text in ("", "rolls", "rolls=", "=3", "chance=on,,off"):
            with pytest.raises(MalformedError, match="write a "):
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
            ({"nosuch": True}, "yahtzee has no rule 'nosuch'; use a key"),
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
        games = grid(YAHTZEE, {"jokers": [True, False]})
        assert [
            cell.mean for cell in evaluate_grid(YAHTZEE, games, wanted="mean")
        ] == pytest.approx([254.5896094820, 253.9702412], abs=1e-6)

    def test_more_rolls_and_bonus_give_higher_means(self) -> None:
        plain = load_rules("yahtzee-plain")
        bonus = UpperBonus(threshold=3, points=35)
        few = plain.model_copy(update={"categories": plain.categories[:3], "upper_bonus": bonus})
        cells = evaluate_grid(few, grid(few, {"rolls": [1, 2], "bonus": [0, 35]}), "greedy")
        means = {(cell.rolls, cell.bonus): cell.mean for cell in cells}
        assert list(means) == list(product((1, 2), (0, 35)))
        assert means[1, 0] < means[2, 0]
        assert means[1, 0] < means[1, 35] < means[2, 35]

    def test_distributions_agree_with_games_solved_together(self) -> None:
        games = grid(HOUSE, {"trio.points": [15, 40], "upper_bonus.points": [10, 0]})
        distributions, together = (
            evaluate_grid(HOUSE, games),
            evaluate_grid(HOUSE, games, wanted="sd"),
        )
        for alone, shared in zip(distributions, together, strict=True):
            assert (alone.values, alone.game, alone.ties) == (
                shared.values,
                shared.game,
                shared.ties,
            )
            assert (shared.mean, shared.sd) == pytest.approx((alone.mean, alone.sd), abs=1e-9)
            assert shared.bonus_reached == pytest.approx(alone.bonus_reached, abs=1e-12)
        with pytest.raises(ValueError, match="needs the optimal strategy for the expected score"):
            evaluate_grid(HOUSE, games, "greedy", wanted="mean")


def test_the_file_has_one_row_per_game() -> None:
    clauses: dict[str, list[Any]] = {
        "trio.points": [15, 40], "pair.points": [3, "total"], "chance": [True, False],
        "joker.policy": ["free", "off"], "run.points": [[9, 7], 8],
    }  # fmt: skip
    games = grid(HOUSE, clauses)[::5]
    cells = evaluate_grid(HOUSE, games, wanted="sd")
    frame = pl.read_parquet(BytesIO(as_parquet(cells)))
    assert frame.height == len(games)
    assert frame.select(*clauses).dtypes == [pl.Int64, pl.String, pl.Boolean, pl.String, pl.String]
    assert frame["pair.points"].unique().sort().to_list() == ["3", "total"]
    assert frame["run.points"].unique().sort().to_list() == ["8", "[9, 7]"]
    assert frame["mean"].to_list() == [cell.mean for cell in cells]
    assert frame["bonus_reached"].dtype == pl.Float64
    assert frame["game"].n_unique() == frame.height
    distributions = pl.read_parquet(BytesIO(as_parquet(evaluate_grid(HOUSE, games[:1]))))
    point_columns = [name for name in distributions.columns if name.startswith("points_")]
    assert len(point_columns) == 6
    assert "quantile_0.5" in distributions.columns
