"""Test ``rollwise duel``, and ``rollwise advise`` against an opponent who responds."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from commands import run
from rollwise.two_player import size
from rollwise.two_player.win_probability import Limit

MICRO = ("--rules", "micro-yahtzee")
LATE = "ones=3,twos=6,threes=9,fours=12,fives=15,sixes=18,three-of-a-kind=20,full-house=25"
CARD = f"{LATE},four-of-a-kind=0,small-straight=30,large-straight=40"
AHEAD = f"{LATE},four-of-a-kind=22,small-straight=30,large-straight=40"
EARLY = "ones=3,twos=6,threes=9"
DUEL = ("--objective", "beat", "--opponent-strategy", "duel", "--opponent")


class TestDuel:
    def test_json(self) -> None:
        code, out, _ = run("duel", *MICRO, "--json")
        printed = json.loads(out)
        assert code == 0
        assert printed["exact"] is True
        assert printed["ties_lose"] is False
        assert printed["value"] == pytest.approx(613 / 1296 + 17 / 864, abs=1e-15)
        assert printed["win"] == pytest.approx(613 / 1296, abs=1e-15)
        assert printed["tie"] == pytest.approx(17 / 432, abs=1e-15)
        assert printed["lose"] == pytest.approx(79 / 162, abs=1e-15)

    def test_text(self) -> None:
        code, out, _ = run("duel", *MICRO)
        assert code == 0
        assert "value 49.26697531%: win 47.29938272%, tie 3.93518519%, lose 48.76543210%" in out
        assert "counts as a loss" not in out

    def test_the_value_alone(self) -> None:
        printed = json.loads(run("duel", *MICRO, "--value-only", "--json")[1])
        assert printed["value"] == pytest.approx(613 / 1296 + 17 / 864, abs=1e-15)
        assert printed["win"] is None

    def test_a_tie_counts_as_a_loss(self) -> None:
        printed = json.loads(run("duel", *MICRO, "--ties-lose", "--json")[1])
        assert printed["ties_lose"] is True
        assert (
            "A tie counts as a loss for the player to move.\n"
            in run("duel", *MICRO, "--ties-lose")[1]
        )
        assert printed["value"] == printed["win"] == pytest.approx(613 / 1296, abs=1e-15)

    def test_a_grid(self) -> None:
        cards = ("--card", CARD, "--opponent", CARD)
        grid = ("--grid", "difference=2,upper=8")
        printed = json.loads(run("duel", *cards, *grid, "--json")[1])
        assert printed["exact"] is False
        assert printed["grid"]["difference"] == 2
        assert isinstance(printed["error"], float)
        exact = json.loads(run("duel", *cards, "--grid", "exact", "--json")[1])
        assert exact["exact"] is True
        assert printed["value"] == pytest.approx(exact["value"], abs=1e-4)
        out = run("duel", *cards, *grid)[1]
        assert "Near-exact: cubic interpolation on the grid difference=2,upper=8." in out
        assert "win, tie, and lose can have larger errors" in " ".join(out.split())

    @pytest.mark.parametrize(
        ("args", "expected"),
        [
            (("--grid", "fine"), "Unknown grid 'fine'. Use auto, exact, or steps"),
            (("--grid", "exact"), "for two players needs about"),
        ],
    )
    def test_wrong_grids(self, args: tuple[str, ...], expected: str) -> None:
        code, _, err = run("duel", *args)
        assert code == 2
        assert expected in " ".join(err.split())

    def test_size(self) -> None:
        printed = json.loads(run("duel", *MICRO, "--estimate", "--json")[1])
        assert (printed["exact"], printed["pairs"], printed["lanes"]) == (True, 10, 237)
        code, out, _ = run("duel", "--estimate")
        assert code == 0
        assert "pairs of scorecards" in out

    def test_size_on_a_grid(self) -> None:
        card = "ones=3,twos=6,three-of-a-kind=20,four-of-a-kind=0,small-straight=30,chance=20"
        cards = ("--card", card, "--opponent", card, "--estimate")
        exact = run("duel", *cards)[1].removeprefix("Yahtzee, free-choice jokers: ")
        near, exact_too = run("duel", *cards, "--grid", "difference=2")[1].splitlines()
        assert near.startswith("Yahtzee, free-choice jokers, on a grid: ")
        assert exact_too == f"Exact: {exact}".rstrip()

    def test_large_numbers_have_commas(self) -> None:
        takes = str(size.DuelSize(10**9, 10**9, 59_174 << 30, 3_000 * 86_400))
        assert takes == (
            "1,000,000,000 pairs of scorecards, 1e+09 two-player states, 59,174.0 GiB, "
            "about 3,000 days"
        )

    def test_a_position_of_yahtzee(self) -> None:
        printed = json.loads(run("duel", "--card", CARD, "--opponent", AHEAD, "--json")[1])
        back = json.loads(run("duel", "--card", AHEAD, "--opponent", CARD, "--json")[1])
        assert 0 < printed["value"] < 0.5 < back["value"] < 1
        assert printed["win"] + printed["tie"] + printed["lose"] == pytest.approx(1, abs=1e-12)
        assert printed["value"] == pytest.approx(printed["win"] + printed["tie"] / 2, abs=1e-12)


class TestAdvise:
    def test_json(self) -> None:
        printed = json.loads(run("advise", "11366", "--card", CARD, *DUEL, AHEAD, "--json")[1])
        assert printed["opponents"][0]["plays"] == "duel"
        values = [option["value"] for option in printed["options"]]
        assert values == sorted(values, reverse=True)
        for option in printed["options"]:
            assert option["win"] + option["tie"] + option["lose"] == pytest.approx(1, abs=1e-12)
            assert option["value"] == pytest.approx(option["win"] + option["tie"] / 2, abs=1e-12)

    def test_text(self) -> None:
        code, out, _ = run("advise", "11366", "--card", CARD, *DUEL, AHEAD, "--top", "2")
        assert code == 0
        assert "responds to your play" in out
        assert "more" in out

    def test_the_turn_is_the_mean_of_its_rolls(self) -> None:
        before = json.loads(run("duel", *MICRO, "--json")[1])["value"]
        best = [
            json.loads(run("advise", str(die), *MICRO, *DUEL, "-", "--json")[1])["options"][0]
            for die in range(1, 7)
        ]
        assert sum(option["value"] for option in best) / 6 == pytest.approx(before, abs=1e-14)


def check_probabilities(printed: dict[str, Any]) -> None:
    """Check that the probabilities of a win, a tie, and a loss are consistent."""
    assert printed["win"] + printed["tie"] + printed["lose"] == pytest.approx(1, abs=1e-12)
    assert printed["value"] == pytest.approx(printed["win"] + printed["tie"] / 2, abs=1e-12)
    assert min(printed["win"], printed["tie"], printed["lose"]) > 0


class TestNearOptimal:
    @pytest.mark.parametrize(("card", "other"), [("-", "-"), (EARLY, "ones=1,fours=12,chance=20")])
    def test_advice_in_json(self, card: str, other: str) -> None:
        """Check the estimates for Yahtzee, which is too large for an exact two-player solution."""
        code, out, _ = run("advise", "11366", "--card", card, *DUEL, other, "--json")
        printed = json.loads(out)
        assert code == 0
        assert printed["exact"] is False
        values = [option["value"] for option in printed["options"]]
        assert values == sorted(values, reverse=True)
        assert [option["best"] for option in printed["options"][:2]] == [True, False]
        for option in printed["options"]:
            assert set(option) == {"action", "kind", "value", "win", "tie", "lose", "best"}
            check_probabilities(option)

    def test_advice_in_words(self) -> None:
        code, out, _ = run("advise", "11366", *DUEL, "-", "--top", "1")
        assert code == 0
        assert "Near-optimal, not exact" in out
        assert "percentage points on average" in out
        assert "rollwise duel" not in out  # the exact solution does not fit into memory
        assert re.search(r"\d\d\.\d\d%", out)

    def test_advice_that_could_be_exact(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("rollwise.questions.duel.ADVICE", Limit(236))  # Micro Yahtzee has 237
        code, out, _ = run("advise", "4", *MICRO, *DUEL, "-")
        assert code == 0
        command = "rollwise duel --rules micro-yahtzee --card - --opponent -"
        assert f"For the exact answer, first run: {command} (10 pairs of scorecards" in out
        monkeypatch.setattr("rollwise.questions.duel.ADVICE", Limit(237))
        assert "exact answer" not in run("advise", "4", *MICRO, *DUEL, "-")[1]

    def test_before_the_roll(self) -> None:
        printed = json.loads(run("duel", "--json")[1])
        assert printed["exact"] is False
        check_probabilities(printed)
        assert 0.48 < printed["value"] < 0.51
        ahead = json.loads(
            run("duel", "--card", EARLY, "--opponent", "ones=1,twos=2,threes=3", "--json")[1]
        )
        assert ahead["value"] > printed["value"]

    def test_before_the_roll_in_words(self) -> None:
        code, out, _ = run("duel")
        assert code == 0
        assert "Near-optimal, not exact" in out
        assert "the limit is 20 GiB" in out

    def test_the_value_alone(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(size, "MAX_BYTES", 0)  # pretend that the game is too large
        printed = json.loads(run("duel", *MICRO, "--value-only", "--json")[1])
        assert printed["value"] == pytest.approx(0.5, abs=2e-7)  # distributions are float32
        assert (printed["win"], printed["exact"]) == (None, False)
        assert "value 50.00%\n" in run("duel", *MICRO, "--value-only")[1]


def test_simulations_of_duel_have_opponents() -> None:
    games = ["--games", "2000", *MICRO, "--json"]
    played = json.loads(run("simulate", "duel", *games)[1])
    assert played["strategy"] == "duel"
    printed = json.loads(run("compare", "duel", "optimal", *games)[1])
    assert [strategy["exact"] for strategy in printed["strategies"]] == [False, False]
    assert printed["strategies"][0]["mean"] == pytest.approx(
        played["mean"], abs=4 * played["error"]
    )
    (mutual, first), (last, points) = printed["matrix"]
    assert points["win"] == pytest.approx(points["lose"])  # from exact distributions
    for frequencies in (mutual, first, last):
        assert sum(frequencies.values()) == pytest.approx(1)
        assert all(
            2000 * share == pytest.approx(round(2000 * share)) for share in frequencies.values()
        )


@pytest.mark.parametrize(
    ("against", "sentence"),
    [
        (["duel", "--against", "greedy", *MICRO], "needs two players, not 3"),
        (["duel", "--name", "Ada", "--name", "Ben", *MICRO], "needs two players, not 3"),
        (["duel", "--rules", "balut"], "Balut is too large for the strategy duel"),
    ],
)
def test_games_that_duel_cannot_play(
    against: list[str], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rollwise.cli.streams.is_interactive", lambda: True)
    database = f"sqlite:///{tmp_path}/history.sqlite"
    code, out, err = run("play", "--database", database, "--against", *against)
    assert (code, out) == (2, "")
    assert sentence in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["duel", "--card", CARD], "the opponent's scorecard must have 2 open categories, or 1"),
        (["duel", "--opponent", CARD], "the opponent's scorecard must have 13 open"),
        (["duel", "--card", CARD, "--opponent", "ones=7"], "ones cannot score 7"),
        (["duel", "--card", CARD, "--opponent", "double=2"], "double"),
        (["duel", "--card", f"{CARD},yahtzee=0,chance=9"], "the game is over"),
        (["duel", "--ties-lose"], "leave out --ties-lose"),
        (["duel", "--rules", "balut"], "the limit is 20 GiB"),
        (
            ["simulate", "duel", "--versus", "optimal", "--rules", "balut"],
            "Balut is too large for the strategy duel",
        ),
        (["advise", "11366", "--rules", "balut", *DUEL, "-"], "the limit is 20 GiB"),
        (["advise", "1136", *DUEL, "-"], "expected 5 dice"),
        (["advise", "11366", *DUEL, EARLY], "the opponent's scorecard must have 13 open"),
        (["report", "--strategy", "duel", *MICRO], "so its score depends on the opponent"),
        (
            ["sweep", "--rolls", "1", "--strategy", "duel", *MICRO],
            "Use simulate or compare",
        ),
        (["advise", "11366", *DUEL, "-", "--opponent", "-"], "duel is for one opponent, not 2"),
        (["advise", "11366", "--opponent-strategy", "duel"], "needs an opponent"),
        (
            ["advise", "11366", "--card", CARD, *DUEL, "-"],
            "the opponent's scorecard must have 2 open",
        ),
    ],
)
def test_bad_input_is_one_sentence(arguments: list[str], sentence: str) -> None:
    code, out, err = run(*arguments)
    assert code == 2
    assert out == ""
    assert sentence in err
    assert err.count("\n") == 1
