"""Compare simulated turns with exact values and with enumerations, and test dice to keep."""

from fractions import Fraction
from itertools import product
from math import sqrt

import pytest

from rollwise.decision_analysis import Profiles, Turn, odds
from rollwise.decision_analysis.odds import Estimate, _rules, keeps_within
from rollwise.errors import InputError


def simulated(
    target: str, faces: int = 6, dice: int = 5, rolls: int = 3, seed: int = 0
) -> Estimate:
    estimate = odds(target, faces, dice, rolls, simulate=10_000, seed=seed).estimate
    assert estimate is not None
    return estimate


def agree(estimate: Estimate, value: Fraction) -> bool:
    """Return whether an estimate is within five standard errors."""
    return abs(estimate.mean - float(value)) <= 5 * estimate.standard_error


@pytest.mark.parametrize("target", ["00001", "large-straight", "23456", "sum", "sum<=12"])
def test_a_small_turn_is_played_best(target: str) -> None:
    estimate = simulated(target)
    assert estimate.policy == "the best dice"
    assert agree(estimate, odds(target).turn.value)


def test_the_standard_error() -> None:
    estimate = simulated("5x6", dice=5, rolls=200)
    assert (estimate.mean, estimate.standard_error) == (1, 0)
    estimate = simulated("full-house")
    p = estimate.mean
    assert estimate.standard_error == pytest.approx(sqrt(p * (1 - p) / 9_999))


@pytest.mark.parametrize(
    "target", ["yahtzee", "2-of-a-kind", "02", "straight-3", "3x3", "sum>=11", "sum<=6", "sum"]
)
def test_a_large_turn_follows_one_rule(target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compare with an enumeration of ordered rolls, which shares only the rule itself."""
    monkeypatch.setitem(odds.__globals__, "MAX_SOLVED", 0)
    turn, estimate = odds(target, faces=3, dice=4).turn, simulated(target, faces=3, dice=4)
    rule = _rules(3)[estimate.policy]

    def mean(keep: tuple[int, ...], left: int) -> Fraction:
        rolls = [(*keep, *end) for end in product((1, 2, 3), repeat=4 - len(keep))]
        return sum((after(roll, left) for roll in rolls), Fraction(0)) / len(rolls)

    def after(roll: tuple[int, ...], left: int) -> Fraction:
        x = turn.pays(turn.notation.of_dice(roll))
        if left == 0 or (target != "sum" and x):
            return Fraction(x)
        return mean(rule(tuple(sorted(roll)), left), left - 1)

    value = mean((), 2)
    assert agree(estimate, value)
    assert value <= turn.value


def test_a_turn_too_large_to_solve() -> None:
    # As multisets, there are too many rolls. As profiles, they are few.
    estimate = simulated("4-of-a-kind", faces=20, dice=10)
    assert estimate.policy == "the most frequent face"
    best = Turn(Profiles(20), lambda counts: len(counts) >= 4, dice=10).value
    assert estimate.mean - 5 * estimate.standard_error < best


def test_seeds() -> None:
    first, again = simulated("sum", seed=1), simulated("sum", seed=1)
    assert first == again != simulated("sum", seed=2)


def test_bad_simulations() -> None:
    for turns in (1, 10**9):
        with pytest.raises(InputError, match="simulate from 2 to 1,000,000 turns, not"):
            odds("sum", simulate=turns)
    with pytest.raises(InputError, match="estimates a whole turn; leave out hand and compare"):
        odds("sum", simulate=9, hand=12345)


def test_keeps_within_dice() -> None:
    assert keeps_within((1, 1, 6)) == [(), (1,), (6,), (1, 1), (1, 6), (1, 1, 6)]
    with pytest.raises(InputError, match="the roll has 59,049 different sets of dice to keep"):
        keeps_within(tuple(sorted([*range(1, 11)] * 2)))
