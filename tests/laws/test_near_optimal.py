"""Near-optimal chances of two players: against laws looked through by hand, and what is told."""

from functools import cache
from itertools import product
from statistics import NormalDist

import pytest

from repository import DOCS, ROOT
from rollwise import Keep, Score, Scorecard, load_rules
from rollwise.errors import TooLargeError
from rollwise.evaluation.forward_by_score import final_distribution
from rollwise.game.position import Position
from rollwise.game.scorecard import legal_moves
from rollwise.two_player import near_optimal as near
from rollwise.two_player.solution import Chances

MICRO, CRAG = load_rules("micro-yahtzee"), load_rules("crag")
ALIKE = "ones=1,twos=2,threes=3,fours=4,fives=5,even-straight=0,odd-straight=20,low-straight=0"
MINE = Scorecard(CRAG, f"{ALIKE},high-straight=0,three-of-a-kind=0,sixes=12")
OTHER = Scorecard(CRAG, f"{ALIKE},high-straight=20,thirteen=0,crag=0")
DICE = 2, 3, 4


@cache
def by_distributions(moved: Scorecard, mover: Scorecard) -> Chances[float]:
    """Return the chances of who has just moved if both go on for points: all pairs of ends."""
    mine, other = (final_distribution("optimal", card) for card in (moved, mover))
    ends = [
        (score - against, p * q)
        for score, p in zip(mine.scores.tolist(), mine.probabilities.tolist(), strict=True)
        for against, q in zip(other.scores.tolist(), other.probabilities.tolist(), strict=True)
    ]
    win = sum(p for lead, p in ends if lead > 0)
    tie = sum(p for lead, p in ends if lead == 0)
    return Chances(win, tie, 1 - win - tie)


def by_the_normal_distribution(moved: Scorecard, mover: Scorecard) -> Chances[float]:
    """Return the same with a normal difference, in which half a point either way is a tie."""
    mine, other = (final_distribution("optimal", card) for card in (moved, mover))
    normal = NormalDist(mine.mean - other.mean, (mine.sd**2 + other.sd**2) ** 0.5)
    tie = normal.cdf(0.5) - normal.cdf(-0.5)
    win = 1 - normal.cdf(0) - tie / 2
    return Chances(win, tie, 1 - win - tie)


def scored(dice: tuple[int, ...]) -> dict[int, Chances[float]]:
    """Return the chances after each score of some dice on one card of Crag."""
    moves = legal_moves(CRAG, MINE.state, tuple(sorted(dice)))
    return {move.category: by_distributions(MINE.fill(move), OTHER) for move in moves}


def worth(chances: Chances[float]) -> float:
    return chances.win + chances.tie / 2


def kept(dice: tuple[int, ...]) -> Chances[float]:
    """Return the chances of keeping some dice before the last roll, by all that can come."""
    rolls = list(product(range(1, 7), repeat=CRAG.dice - len(dice)))
    best = [max(scored((*dice, *roll)).values(), key=worth) for roll in rolls]
    return Chances(*(sum(share) / len(rolls) for share in zip(*best, strict=True)))


def test_a_turn_looked_through_by_hand() -> None:
    """The chances of each option, of which the ties are carried along the best play of the turn."""
    position = Position.of(MINE, DICE, 1)
    options = near.near_optimal(position, OTHER).options(position)
    assert len(options) == 2 + 7
    for option in options:
        action = option.action
        assert isinstance(action, Score | Keep)
        by_hand = kept(action.dice) if isinstance(action, Keep) else scored(DICE)[action.category]
        assert option.chances == pytest.approx(by_hand, abs=1e-6)  # laws are float32
        assert option.value == pytest.approx(worth(by_hand), abs=1e-6)
    assert [one.value for one in options] == sorted((one.value for one in options), reverse=True)
    assert len({one.chances for one in options}) > 5


@pytest.mark.parametrize("few", [8, 0])
def test_of_two_cards(few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(near, "LAWS", few)
    other = Scorecard(MICRO, "square=9")
    position = Position.of(Scorecard.empty(MICRO), (4,), 0)
    options = near.near_optimal(position, other).options(position)
    for option in options:
        assert isinstance(option.action, Score)
        moved = Scorecard(MICRO, ("double=8", "square=16")[option.action.category])
        chances = (by_distributions if few else by_the_normal_distribution)(moved, other)
        assert option.chances == pytest.approx(chances, abs=2e-6)
        assert option.value == pytest.approx(worth(chances), abs=2e-6)


def test_too_large() -> None:
    balut = load_rules("balut")
    with pytest.raises(TooLargeError, match="too many for chances of two players"):
        near.near_optimal(Scorecard.empty(balut), Scorecard.empty(balut))


def test_what_is_known_of_the_error() -> None:
    for measured in (near.BY_DISTRIBUTIONS, near.BY_NORMAL_DIFFERENCE):
        assert [one.boxes for one in measured] == [3, 4, 5, 6, 7]
    assert near.near_optimal(MINE, OTHER).error == near.BY_DISTRIBUTIONS[0]
    start, micro = Scorecard.empty(CRAG), Scorecard.empty(MICRO)
    assert near.near_optimal(start, start).error == near.BY_NORMAL_DIFFERENCE[-1]
    assert near.near_optimal(micro, micro).error == near.BY_DISTRIBUTIONS[0]


@pytest.mark.slow
def test_the_error_is_what_the_benchmark_prints(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    from duel import print_ends

    print_ends(4, 20, ties=False)
    printed = capsys.readouterr().out
    for one in (near.BY_DISTRIBUTIONS[1], near.BY_NORMAL_DIFFERENCE[1]):
        told = f"by {one.by}, off by: mean {100 * one.mean:.3f} %, worst {100 * one.worst:.3f} %"
        assert told in printed


def test_the_page_has_it() -> None:
    page = (DOCS / "duel.md").read_text(encoding="utf-8")
    for distributions, normal in zip(near.BY_DISTRIBUTIONS, near.BY_NORMAL_DIFFERENCE, strict=True):
        cells = (
            f"{100 * share:.2f}"
            for one in (distributions, normal)
            for share in (one.mean, one.worst)
        )
        assert f"| {distributions.boxes} | {' | '.join(cells)} |\n" in page
