"""Test ``rollwise duel``, and ``rollwise advise`` against an opponent who responds."""

import re
from pathlib import Path
from typing import Any

import pytest

from commands import data_of, error_of, printed
from rollwise.two_player import size, win_probability
from rollwise.two_player.win_probability import Limit

MICRO = ("--rules", "micro-yahtzee")
LATE = "ones=3,twos=6,threes=9,fours=12,fives=15,sixes=18,three-of-a-kind=20,full-house=25"
CARD = f"{LATE},four-of-a-kind=0,small-straight=30,large-straight=40"
AHEAD = f"{LATE},four-of-a-kind=22,small-straight=30,large-straight=40"
EARLY = "ones=3,twos=6,threes=9"
FIRST, WIN = 613 / 1296 + 17 / 864, 613 / 1296
"""The value of Micro Yahtzee to the first player, and the probability that the player wins."""

DUEL = ("--objective", "beat", "--opponent-strategy", "duel", "--opponent")


class TestDuel:
    def test_json(self) -> None:
        data = data_of("duel", *MICRO)
        assert data["exact"] is True
        assert data["ties_lose"] is False
        assert data["value"] == pytest.approx(FIRST, abs=1e-15)
        assert data["win"] == pytest.approx(WIN, abs=1e-15)
        assert data["tie"] == pytest.approx(17 / 432, abs=1e-15)
        assert data["lose"] == pytest.approx(79 / 162, abs=1e-15)

    def test_text(self) -> None:
        out = printed("duel", *MICRO)
        assert "value 49.26697531%: win 47.29938272%, tie 3.93518519%, lose 48.76543210%" in out
        assert "counts as a loss" not in out

    def test_the_value_alone(self) -> None:
        data = data_of("duel", *MICRO, "--value-only")
        assert data["value"] == pytest.approx(FIRST, abs=1e-15)
        assert data["win"] is None

    def test_a_tie_counts_as_a_loss(self) -> None:
        data = data_of("duel", *MICRO, "--ties-lose")
        assert data["ties_lose"] is True
        assert data["value"] == data["win"] == pytest.approx(WIN, abs=1e-15)
        out = printed("duel", *MICRO, "--ties-lose")
        assert "A tie counts as a loss for the player to move.\n" in out

    def test_a_grid(self) -> None:
        cards = ("duel", "--card", CARD, "--opponent", CARD, "--grid")
        near, exact = data_of(*cards, "light"), data_of(*cards, "exact")
        assert (near["exact"], exact["exact"]) == (False, True)
        assert near["grid"]["name"] == "light"
        assert near["win"] is None
        assert 0 < near["errors"]["value_typical"] <= near["errors"]["value_largest"] < 1e-2
        assert near["value"] == pytest.approx(exact["value"], abs=near["errors"]["value_largest"])
        out = " ".join(printed(*cards, "light").split())
        assert "Near-exact, on the grid light: at most 7 upper-section totals" in out
        assert "largest seen; options" in out

    def test_size(self) -> None:
        data = data_of("duel", *MICRO, "--estimate")
        assert (data["exact"], data["pairs"], data["lanes"]) == (True, 10, 237)
        assert "pairs of scorecards" in printed("duel", "--estimate")
        assert "Saved on disk: 0.0 GiB" in printed("duel", *MICRO, "--estimate", "--save")

    def test_size_on_a_grid(self) -> None:
        card = "ones=3,twos=6,three-of-a-kind=20,four-of-a-kind=0,small-straight=30,chance=20"
        cards = ("duel", "--card", card, "--opponent", card, "--estimate")
        exact = printed(*cards).removeprefix("Yahtzee, free-choice jokers: ")
        near, exact_too = printed(*cards, "--grid", "light").splitlines()
        assert near.startswith("Yahtzee, free-choice jokers, on a grid: ")
        assert exact_too == f"Exact: {exact}".rstrip()

    def test_large_numbers_have_commas(self) -> None:
        takes = str(size.DuelSize(10**9, 10**9, 59_174 << 30, 3_000 * 86_400, 0))
        assert takes == (
            "1,000,000,000 pairs of scorecards, 1e+09 two-player states, 59,174.0 GiB, "
            "about 3,000 days"
        )

    def test_a_position_of_yahtzee(self) -> None:
        data = data_of("duel", "--card", CARD, "--opponent", AHEAD)
        assert 0 < data["value"] < 0.5
        assert 0.5 < data_of("duel", "--card", AHEAD, "--opponent", CARD)["value"] < 1
        check_probabilities(data)


def check_probabilities(data: dict[str, Any]) -> None:
    """Check that the probabilities of a win, a tie, and a loss are consistent."""
    assert data["win"] + data["tie"] + data["lose"] == pytest.approx(1, abs=1e-12)
    assert data["value"] == pytest.approx(data["win"] + data["tie"] / 2, abs=1e-12)


def check_options(options: list[dict[str, Any]]) -> None:
    """Check the order of options and the probabilities of each option."""
    values = [option["value"] for option in options]
    assert values == sorted(values, reverse=True)
    for option in options:
        check_probabilities(option)


class TestAdvise:
    def test_json(self) -> None:
        data = data_of("advise", "11366", "--card", CARD, *DUEL, AHEAD)
        assert data["opponents"][0]["plays"] == "duel"
        check_options(data["options"])

    def test_text(self) -> None:
        out = printed("advise", "11366", "--card", CARD, *DUEL, AHEAD, "--top", "2")
        assert "responds to your play" in out
        assert "more" in out

    def test_the_turn_is_the_mean_of_its_rolls(self) -> None:
        best = [
            data_of("advise", str(die), *MICRO, *DUEL, "-")["options"][0] for die in range(1, 7)
        ]
        assert sum(option["value"] for option in best) / 6 == pytest.approx(FIRST, abs=1e-14)


class TestNearOptimal:
    @pytest.mark.parametrize(("card", "other"), [("-", "-"), (EARLY, "ones=1,fours=12,chance=20")])
    def test_advice_in_json(self, card: str, other: str) -> None:
        """Check the estimates for Yahtzee, which is too large for an exact two-player solution."""
        data = data_of("advise", "11366", "--card", card, *DUEL, other)
        assert data["exact"] is False
        check_options(data["options"])
        assert [option["best"] for option in data["options"][:2]] == [True, False]
        for option in data["options"]:
            assert set(option) == {"action", "kind", "value", "win", "tie", "lose", "best"}
            assert min(option["win"], option["tie"], option["lose"]) > 0

    def test_advice_in_words(self) -> None:
        out = printed("advise", "11366", *DUEL, "-", "--top", "1")
        assert "Near-optimal, not exact" in out
        assert "percentage points on average" in out
        assert "rollwise duel" not in out  # the exact solution does not fit into memory
        assert re.search(r"\d\d\.\d\d%", out)

    def test_advice_that_could_be_exact(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(win_probability, "ADVICE", Limit(236, 0))  # Micro Yahtzee has 237
        out = printed("advise", "4", *MICRO, *DUEL, "-")
        command = "rollwise duel --rules micro-yahtzee --card - --opponent -"
        assert f"For the exact answer, first run: {command} (10 pairs of scorecards" in out
        monkeypatch.setattr(win_probability, "ADVICE", Limit(237, 0))
        assert "exact answer" not in printed("advise", "4", *MICRO, *DUEL, "-")

    def test_advice_on_a_grid(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(win_probability, "ADVICE", Limit(1.2e6, 1.2e6))
        card = "ones=3,fours=12,three-of-a-kind=20,four-of-a-kind=0,full-house=25"
        card += ",small-straight=30,large-straight=40,yahtzee=0"
        sides = ("--rules", "yahtzee-plain", "--card", card, *DUEL, card)
        data = data_of("advise", "11366", *sides)
        assert data["grid"]["name"] == "light"
        assert data["options"][0]["win"] is None
        headings = printed("advise", "11366", *sides, "--top", "1").splitlines()[4].split()
        assert headings == ["option", "value"]

    def test_before_the_roll(self) -> None:
        data = data_of("duel")
        assert data["exact"] is False
        check_probabilities(data)
        assert min(data["win"], data["tie"], data["lose"]) > 0
        assert 0.48 < data["value"] < 0.51
        ahead = data_of("duel", "--card", "chance=25", "--opponent", "chance=8")
        assert ahead["value"] > data["value"]
        out = printed("duel")
        assert "Near-optimal, not exact" in out
        assert "the limit is 20 GiB" in out

    def test_the_value_alone(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(size, "MAX_BYTES", 0)  # pretend that the game is too large
        data = data_of("duel", *MICRO, "--value-only")
        assert data["value"] == pytest.approx(0.5, abs=2e-7)  # distributions are float32
        assert (data["win"], data["exact"]) == (None, False)
        assert "value 50.00%\n" in printed("duel", *MICRO, "--value-only")


def test_simulations_of_duel_have_opponents() -> None:
    games = ("--games", "2000", *MICRO)
    played, data = (
        data_of("simulate", "duel", *games),
        data_of("compare", "duel", "optimal", *games),
    )
    assert played["strategy"] == "duel"
    assert [strategy["exact"] for strategy in data["strategies"]] == [False, False]
    assert data["strategies"][0]["mean"] == pytest.approx(played["mean"], abs=4 * played["error"])
    (mutual, first), (last, points) = data["matrix"]
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
    assert sentence in error_of("play", "--database", database, "--against", *against)
