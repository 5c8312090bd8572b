"""Compare near-optimal win probabilities with direct computations, and test measured errors."""

import re
from functools import cache
from itertools import product
from statistics import NormalDist

import pytest

from repository import DOCS, ROOT
from rollwise import Keep, Score, Scorecard, load_rules
from rollwise.errors import TooLargeError
from rollwise.evaluation.evaluate import final_distribution
from rollwise.game.position import Position
from rollwise.game.scorecard import legal_moves
from rollwise.two_player import near_optimal as near
from rollwise.two_player.solution import Chances

MICRO, CRAG = load_rules("micro-yahtzee"), load_rules("crag")
FILLED = "ones=1,twos=2,threes=3,fours=4,fives=5,even-straight=0,odd-straight=20,low-straight=0"
MINE = Scorecard(CRAG, f"{FILLED},high-straight=0,three-of-a-kind=0,sixes=12")
OTHER = Scorecard(CRAG, f"{FILLED},high-straight=20,thirteen=0,crag=0")
DICE = 2, 3, 4


@cache
def by_distributions(moved: Scorecard, mover: Scorecard) -> Chances[float]:
    """Return the last mover's probabilities if both players maximize points.

    The function adds up the probabilities of all pairs of final scores.
    """
    mine, other = (final_distribution("optimal", card) for card in (moved, mover))
    ends = [
        (score - against, p * q)
        for score, p in zip(mine.scores.tolist(), mine.probabilities.tolist(), strict=True)
        for against, q in zip(other.scores.tolist(), other.probabilities.tolist(), strict=True)
    ]
    win = sum(p for difference, p in ends if difference > 0)
    tie = sum(p for difference, p in ends if difference == 0)
    return Chances(win, tie, 1 - win - tie)


def by_the_normal_distribution(moved: Scorecard, mover: Scorecard) -> Chances[float]:
    """Return the last mover's probabilities if the score difference is normally distributed.

    A difference of less than half a point is a tie.
    """
    mine, other = (final_distribution("optimal", card) for card in (moved, mover))
    normal = NormalDist(mine.mean - other.mean, (mine.sd**2 + other.sd**2) ** 0.5)
    tie = normal.cdf(0.5) - normal.cdf(-0.5)
    win = 1 - normal.cdf(0) - tie / 2
    return Chances(win, tie, 1 - win - tie)


def scored(dice: tuple[int, ...]) -> dict[str, Chances[float]]:
    """Return the probabilities after scoring the dice in each open category of ``MINE``."""
    moves = legal_moves(CRAG, MINE.state, tuple(sorted(dice)))
    return {CRAG.keys[move.category]: by_distributions(MINE.after(move), OTHER) for move in moves}


def value(chances: Chances[float]) -> float:
    return chances.win + chances.tie / 2


def after_keeping(dice: tuple[int, ...]) -> Chances[float]:
    """Return the mean of the best probabilities over all rerolls after keeping these dice."""
    rolls = list(product(range(1, 7), repeat=CRAG.dice - len(dice)))
    best = [max(scored((*dice, *roll)).values(), key=value) for roll in rolls]
    return Chances(*(sum(share) / len(rolls) for share in zip(*best, strict=True)))


def test_options_equal_a_direct_computation() -> None:
    """Check that values and tie probabilities come from the turn with the highest value."""
    position = Position.of(MINE, DICE, 1)
    options = near.near_optimal(position, OTHER).options(position)
    assert len(options) == 2 + 7
    for option in options:
        action = option.action
        assert isinstance(action, Score | Keep)
        by_hand = (
            after_keeping(action.dice)
            if isinstance(action, Keep)
            else scored(DICE)[action.category]
        )
        assert option.chances == pytest.approx(by_hand, abs=1e-6)  # distributions are float32
        assert option.value == pytest.approx(value(by_hand), abs=1e-6)
    assert [option.value for option in options] == sorted((o.value for o in options), reverse=True)
    assert len({option.chances for option in options}) > 5


@pytest.mark.parametrize("few", [8, 0])
def test_both_estimates_of_two_scorecards(few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(near, "MAX_OPEN", few)
    other = Scorecard(MICRO, "square=9")
    position = Position.of(Scorecard.empty(MICRO), (4,), 0)
    options = near.near_optimal(position, other).options(position)
    for option in options:
        assert isinstance(option.action, Score)
        moved = Scorecard(
            MICRO, {"double": "double=8", "square": "square=16"}[option.action.category]
        )
        chances = (by_distributions if few else by_the_normal_distribution)(moved, other)
        assert option.chances == pytest.approx(chances, abs=2e-6)
        assert option.value == pytest.approx(value(chances), abs=2e-6)


def test_too_large() -> None:
    balut = load_rules("balut")
    with pytest.raises(TooLargeError, match="too large to estimate win probabilities"):
        near.near_optimal(Scorecard.empty(balut), Scorecard.empty(balut))


@pytest.mark.slow
def test_the_error_equals_the_benchmark_output(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check the errors with four open categories in docs/two-player-theory.md."""
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    from duel import print_ends

    print_ends(4, 20, ties=False)
    printed = capsys.readouterr().out
    errors = re.findall(r"off by: mean ([\d.]+) %, worst ([\d.]+) %", printed)
    cells = " | ".join(f"{float(error):.2f}" for pair in errors for error in pair)
    assert f"| 4 | {cells} |\n" in (DOCS / "two-player-theory.md").read_text(encoding="utf-8")


def test_the_errors_in_the_description() -> None:
    page = (DOCS / "two-player-theory.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \d \| (\d\.\d\d) \| [\d.]+ \| (\d\.\d\d) \|", page, re.MULTILINE)
    highest = [max(map(float, column)) for column in zip(*rows, strict=True)]
    assert [f"{error:.2f}" for error in highest] == re.findall(r"\d\.\d\d", near.NEAR_OPTIMAL)
