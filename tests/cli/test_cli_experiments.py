"""Test the output and errors of commands that simulate and compare strategies and vary rules."""

import json
import re
from pathlib import Path

import polars as pl
import pytest

from commands import data_of, error_of, printed, run
from repository import DOCS
from rollwise.game.game import Game

YAMS, SMALL = ("--rules", "yams"), ("--rules", "micro-yahtzee")


@pytest.fixture
def mine(tmp_path: Path) -> str:
    path = tmp_path / "my.py"
    path.write_text(
        "class Mine:\n    def keep(self, card, dice, rolls_left):\n        return dice[:2]\n"
        "class Cheat:\n    def keep(self, card, dice, rolls_left):\n        return [6, 6, 6]\n"
    )
    return str(path)


class TestSimulate:
    def test_json(self, tmp_path: Path) -> None:
        log = tmp_path / "games.csv"
        given = (
            "simulate",
            "commonest-face",
            "--games",
            "40",
            *YAMS,
            "--seed",
            "3",
            "-o",
            str(log),
        )
        data = data_of(*given)
        assert list(data) == [
            "rules", "strategy", "games", "seed", "mean", "error", "sd", "quantiles", "minimum",
            "maximum", "categories", "upper_bonus", "extra_bonus",
        ]  # fmt: skip
        points = sum(data["categories"].values()) + data["upper_bonus"] + data["extra_bonus"]
        assert points == pytest.approx(data["mean"])
        assert len(log.read_text().splitlines()) == 1 + 40 * 13

    def test_custom_strategy(self, mine: str) -> None:
        out = printed("simulate", f"{mine}:Mine", "--games", "10", *YAMS)
        assert "10 games, seed 0" in out

    @pytest.mark.parametrize("command", ["simulate", "report --strategy", "compare --games 2"])
    def test_cheat(self, mine: str, command: str) -> None:
        error = error_of(*command.split(), f"{mine}:Cheat", *YAMS)
        assert "returned [6, 6, 6] from keep at 'dice 11111 | rolls-left 2" in error


class TestCompare:
    def test_table_and_picture(self, tmp_path: Path) -> None:
        picture = tmp_path / "compare.svg"
        arguments = ("compare", "optimal", "commonest-face", *YAMS, "--games", "50")
        code, out, error = run(*arguments, "--plot", str(picture))
        assert code == 0
        assert "optimal play 219.4491" in out
        assert "219.4491  0.00" in out
        assert "win / tie / lose" in out
        assert str(picture) in error
        assert "<svg" in picture.read_text()

    def test_json(self) -> None:
        data = data_of("compare", "optimal", *YAMS, "--games", "50")
        assert list(data) == [
            "rules", "optimum", "games", "seed", "strategies", "matrix", "paired_differences",
        ]  # fmt: skip
        (entry,) = data["strategies"]
        assert entry["mean"] == pytest.approx(data["optimum"])
        assert entry["lost"]["total"] == pytest.approx(0, abs=1e-9)
        assert sum(data["matrix"][0][0].values()) == pytest.approx(1)

    def test_exact_scores_without_games(self) -> None:
        out = printed("compare", "greedy", *SMALL)
        assert "exact" in out
        assert "10,000 games" in out
        assert "Row against column" not in out

    def test_scores_from_few_games(self) -> None:
        (exact,) = data_of("compare", "greedy", *SMALL)["strategies"]
        data = data_of("compare", "greedy", *SMALL, "--games", "200")
        (few,) = data["strategies"]
        assert (exact["exact"], exact["error"], few["exact"]) == (True, 0, False)
        assert few["mean"] == pytest.approx(data["optimum"] - few["lost"]["total"])
        assert abs(few["mean"] - exact["mean"]) < 4 * few["error"] < few["sd"] / 5


class TestVersus:
    def test_transcript_and_board(self) -> None:
        given = ("simulate", "payoff-line", "--versus", "commonest-face", *YAMS, "--seed", "2")
        out = printed(*given, "--transcript")
        assert out.startswith("rollwise game 1\nrules: yams\nplayers: payoff-line, commonest")
        assert "  # going for " in out
        record = Game.parse(out)
        assert record.is_over
        *rows, total = [line.split() for line in out.splitlines()[-14:]]
        assert [card.points for card in record.cards] == [int(total[-2]), int(total[-1])]
        for side in (-2, -1):
            assert sum(int(row[side]) for row in rows) == int(total[side])

    @pytest.mark.parametrize("name", ["crag", "generala"])
    def test_the_review_of_a_transcript_has_the_losses(self, name: str) -> None:
        options = ("--versus", "greedy", "--rules", name, "--transcript")
        out = printed("simulate", "optimal", *options)
        best, greedy = data_of("review", "-", typed=out)
        assert best["loss"] == pytest.approx(0, abs=1e-9)
        assert greedy["loss"] > 0

    def test_tally(self) -> None:
        data = data_of("simulate", "random", "--versus", "random", *YAMS, "--games", "30")
        assert data["players"] == ["random 1", "random 2"]
        assert data["win"] + data["tie"] + data["lose"] == 30
        a, b = data["scores"]
        assert data["win"] == sum(x > y for x, y in zip(a, b, strict=True))


class TestSweep:
    def test_grid(self) -> None:
        data = data_of("sweep", "--rolls", "1,2", *YAMS)
        assert [cell["rolls"] for cell in data["cells"]] == [1, 2]
        assert data["cells"][0]["mean"] < data["cells"][1]["mean"]

    def test_the_objective_applies_to_optimal(self) -> None:
        game = ("sweep", "--rolls", "1,2", *SMALL)
        by_option = data_of(*game, "--objective", "beat:greedy")
        by_name = data_of(*game, "--strategy", "optimal:beat:greedy")
        assert by_option["objective"] == "beat:greedy"
        assert by_option["cells"] == by_name["cells"]
        assert by_option["cells"] != data_of(*game)["cells"]

    def test_any_clause_from_options_or_a_file(self, tmp_path: Path) -> None:
        game = ("sweep", *SMALL, "--rolls", "2,3")
        listed = data_of(*game, "--vary", "square=on,off", "--vary", "double.times=1-2")["cells"]
        (file := tmp_path / "grid.toml").write_text("square = [true, false]\ndouble.times = [1, 2]")
        read = data_of(*game, "--grid", str(file))["cells"]
        assert len(listed) == 8
        by_game = [
            {json.dumps(cell["varied"], sort_keys=True): cell["mean"] for cell in cells}
            for cells in (listed, read)
        ]
        assert by_game[0] == by_game[1]
        assert error_of(*game, "--vary", "rolls=2").startswith("rolls is varied")

    def test_a_file_of_all_games(self, tmp_path: Path) -> None:
        game = ("sweep", *SMALL, "--vary", "double.times=1-3")
        (file := tmp_path / "found.parquet").write_text("an older one")
        code, out, error = run(*game, "--find", "mean", "-o", str(file))
        assert (code, error) == (0, f"wrote {file}\n")
        frame = pl.read_parquet(file)
        assert frame["double.times"].to_list() == [1, 2, 3]
        lowest, highest = (line.split()[-1] for line in out.splitlines()[2:4])
        assert [lowest, highest] == [f"{frame['mean'][row]:.6f}" for row in (0, 2)]

    @pytest.mark.slow
    def test_the_same_solution_from_workers(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        here = data_of("solve", "--rules", "crag", "--no-cache")
        monkeypatch.setenv("ROLLWISE_CACHE", str(tmp_path))
        there = data_of("solve", "--rules", "crag", "--cluster", "local:2")
        assert {**here, "seconds": None} == {**there, "seconds": None}

    @pytest.mark.slow
    def test_the_same_file_from_workers(self, tmp_path: Path) -> None:
        game = ("sweep", *SMALL, "--rolls", "1-3", "--vary", "square=on,off")
        here, there = tmp_path / "here.parquet", tmp_path / "there.parquet"
        run(*game, "-q", "-o", str(here))
        run(*game, "-q", "-o", str(there), "--cluster", "local:2")
        frames = [pl.read_parquet(path).drop("seconds") for path in (here, there)]
        assert frames[0].equals(frames[1])
        assert frames[0].height == 6


class TestGreedy:
    def test_dialogue(self) -> None:
        best = data_of("greedy", "11366", "--strategy", "greedy-step")["options"][0]
        assert best["action"] == "keep 66"
        assert best["reroll"] == "113"

    def test_scoring_after_any_roll(self) -> None:
        out = printed("greedy", "23456", "--rolls-left", "1")
        assert "score large-straight, expected 40.0000" in out

    def test_saved_rolls_are_rolls_left(self, tmp_path: Path) -> None:
        rules = tmp_path / "saving.toml"
        rules.write_text(
            'base = "micro-yahtzee"\nname = "saving"\ntitle = "Saving"\nrolls = 3\n'
            "saves_rolls = true\n"
        )
        where = ("--rolls-left", "4", "--card", "square=4", "--rules", str(rules))
        data = data_of("greedy", "6", *where, "--strategy", "greedy")
        assert data["position"] == "dice 6 | rolls-left 4 | card square=4"
        options = {option["action"]: option["expected"] for option in data["options"]}
        assert options["score double"] == 12
        best = 0.0
        for _ in range(4):  # roll again if the die is worth less than the next roll
            best = sum(max(2 * face, best) for face in range(1, 7)) / 6
        assert options["keep -"] == pytest.approx(best)


class TestPayoffLine:
    def test_model(self) -> None:
        out = printed("payoff-line", "--variant", "published")
        assert "probability = −1.4163 × payoff + 0.3332" in out
        assert "Large Straight   0.1066667    0.1968300  0.2610950" in out

    def test_turn_explained(self, tmp_path: Path) -> None:
        picture = tmp_path / "turn.svg"
        turn = ("payoff-line", "16226", "--variant", "published")
        assert "Go for sixes, keep 66" in printed(*turn, "--plot", str(picture))
        assert "<svg" in picture.read_text()
        data = data_of(*turn)
        assert data["points"][0]["category"] == "sixes"
        assert data["points"][0]["exact"] == pytest.approx(1 - (25 / 36) ** 3)
        assert data["action"] == "keep 66"

    def test_errors_in_the_paper_are_shown(self) -> None:
        out = printed("payoff-line", "--variant", "published")
        for words in ("1/16 (108/1296)", "0.0007938 (0.0009174)", "0.4482046 (0.4488291)"):
            assert words in out
        # The paper prints 120/1296, but its T²s follows from 129/1296.
        assert "5/54 (129/1296*)" in out
        assert "* inferred from the printed T²s; the paper prints the correct 120/1296." in out
        data = data_of("payoff-line", "--variant", "published")
        kinds, _, small, _ = data["chains"]
        assert (kinds["paper"]["is_inferred"], small["paper"]["is_inferred"]) == (True, False)
        # The transition from state 1 to state 1; states are counted from 0.
        assert (small["matrix"][1][1], small["paper"]["matrix"][1][1]) == (1 / 16, 108 / 1296)
        assert small["after_all_rolls"][4] == pytest.approx(0.4482046, abs=1e-7)
        assert small["paper"]["after_all_rolls"][4] == pytest.approx(0.4488291, abs=1e-7)
        sixes = data["points"][5]
        assert (sixes["raw_value"], sixes["raw_payoff"]) == (18, 0.048)
        assert sixes["weight"] == pytest.approx(10 / 375)
        assert {chain["paper"] for chain in data_of("payoff-line")["chains"]} == {None}

    def test_probabilities_from_any_state(self) -> None:
        arguments = ("payoff-line", "--state", "4", "--rolls-left", "2")
        assert "from 4 after 2" in printed(*arguments)
        from_state = data_of(*arguments)["chains"][0]["from_state"]
        assert (from_state["state"], from_state["rolls"]) == (4, 2)
        assert from_state["probabilities"] == pytest.approx([0, 0, 0, 25 / 36, 11 / 36])

    def test_the_category_of_the_last_roll(self) -> None:
        arguments = ("payoff-line", "34564", "--rolls-left", "0")
        assert "Score small-straight" in printed(*arguments)
        assert data_of(*arguments)["action"] == "score small-straight"


@pytest.mark.slow
def test_the_example_of_the_documentation(tmp_path: Path) -> None:
    page = (DOCS / "strategies.md").read_text()
    (source,) = re.findall(r"```python\n(.*?)```", page, flags=re.DOTALL)
    assert len(source.splitlines()) == 10
    (path := tmp_path / "my.py").write_text(source)
    out = printed("report", "--strategy", f"{path}:Mine", "--rules", "yahtzee")
    (mean,) = re.findall(r"^mean (\S+), SD ", out, flags=re.MULTILINE)
    assert f"its mean is {float(mean):.2f}" in page
