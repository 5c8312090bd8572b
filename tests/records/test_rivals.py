"""Test results against each opponent, and streaks of days."""

import datetime

import pytest

from rollwise import load_rules
from rollwise.game.game import Game
from rollwise.history import SavedGame
from rollwise.history.rating import rivals, streaks

MICRO = load_rules("micro-yahtzee")


def game(players: str, *lines: str) -> SavedGame:
    text = "\n".join(("rules: micro-yahtzee", f"players: {players}", *lines))
    return SavedGame("a", Game.parse(text), datetime.datetime(2026, 11, 22))


GAMES = [
    game("Ada, Ben", "6 square", "1 square", "1 double", "1 double"),  # 38 : 3
    game("Ben, Ada", "1 square", "1 square", "1 double", "1 double"),  # 3 : 3
    game("Ada, Ben, Cyd", *(3 * ["1 square"]), "1 double", "2 double", "1 double"),  # 3 : 5 : 3
    game("Ada, Ben", "6 square", "1 square"),  # not finished
    game("Cyd, Ben", "6 square", "1 square", "1 double", "1 double"),  # without Ada
]


def test_results_against_each_opponent() -> None:
    ben, cyd = rivals(GAMES, "micro-yahtzee", "Ada")
    assert ben.words()[:4] == ("Ben", "1", "1", "1")
    assert ben.difference.mean == pytest.approx((35 + 0 - 2) / 3)
    assert ben.games_needed == 14  # (1.96 × 20.8 / 11)² = 13.8
    assert cyd.words() == ("Cyd", "0", "1", "0", "0.00", "–")
    assert rivals(GAMES, "micro-yahtzee", "Dan") == []
    assert rivals(GAMES, "yahtzee", "Ada") == []


def test_both_players_have_the_same_results() -> None:
    (ada, *_) = (rival for rival in rivals(GAMES, "micro-yahtzee", "Ben") if rival.name == "Ada")
    (ben, *_) = (rival for rival in rivals(GAMES, "micro-yahtzee", "Ada") if rival.name == "Ben")
    assert (ada.won, ada.tied, ada.lost) == (ben.lost, ben.tied, ben.won)
    assert ada.difference.mean == -ben.difference.mean
    assert ada.games_needed == ben.games_needed


@pytest.mark.parametrize(
    ("days", "current", "longest"),
    [
        ([], 0, 0),
        ([22], 1, 1),
        ([21], 1, 1),
        ([20], 0, 1),
        ([22, 21, 20, 20, 17, 16, 15, 14], 3, 4),
        ([18, 17], 0, 2),
    ],
)
def test_streaks(days: list[int], current: int, longest: int) -> None:
    played = [datetime.date(2026, 11, day) for day in days]
    assert streaks(played, datetime.date(2026, 11, 22)) == (current, longest)
