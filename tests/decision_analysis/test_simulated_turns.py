"""Compare simulated turns with exact values and with enumerations, and test dice to keep."""

from fractions import Fraction
from itertools import product
from math import sqrt

import pytest

from rollwise.decision_analysis import Profiles, Turn
from rollwise.decision_analysis import odds as simulations
from rollwise.decision_analysis.odds import _rules, keeps_within
from rollwise.errors import InputError
from rollwise.questions.odds import Odds, odds


def simulated(target: str, faces: int = 6, dice: int = 5, rolls: int = 3, seed: int = 0) -> Odds:
    return odds(target, faces=faces, dice=dice, rolls=rolls, simulate=10_000, seed=seed)


def agree(estimate: Odds, value: Fraction) -> bool:
    """Return whether an estimate is within five standard errors."""
    return abs(float(estimate) - float(value)) <= 5 * (estimate.standard_error or 0.0)


@pytest.mark.parametrize("target", ["00001", "large-straight", "23456", "sum", "sum<=12"])
def test_a_small_turn_is_played_best(target: str) -> None:
    estimate = simulated(target)
    assert estimate.policy == "the best dice"
    assert agree(estimate, odds(target).turn.value)


def test_the_standard_error() -> None:
    estimate = simulated("2x6", dice=2, rolls=200)
    assert (float(estimate), estimate.standard_error) == (1, 0)
    estimate = simulated("2x6", dice=2, rolls=1)
    p = float(estimate)
    assert estimate.standard_error == pytest.approx(sqrt(p * (1 - p) / 9_999))


@pytest.mark.parametrize(
    "target", ["yahtzee", "2-of-a-kind", "02", "straight-3", "3x3", "sum>=11", "sum<=6", "sum"]
)
def test_a_large_turn_follows_one_rule(target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compare with an enumeration of ordered rolls, which shares only the rule itself."""
    monkeypatch.setattr(simulations, "MAX_SOLVED", 0)
    turn, estimate = odds(target, faces=3, dice=4).turn, simulated(target, faces=3, dice=4)
    rule = _rules(3)[str(estimate.policy)]

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
    assert float(estimate) - 5 * (estimate.standard_error or 0.0) < best


def test_seeds() -> None:
    first, again = simulated("sum", seed=1), simulated("sum", seed=1)
    assert float(first) == float(again) != float(simulated("sum", seed=2))


def test_bad_simulations() -> None:
    with pytest.raises(InputError, match="simulate must be a whole number of at least 2, not 1"):
        odds("sum", simulate=1)
    with pytest.raises(InputError, match="simulate from 2 to 1,000,000 turns, not 1,000,000,000"):
        odds("sum", simulate=10**9)


def test_keeps_within_dice() -> None:
    assert keeps_within((1, 1, 6)) == [(), (1,), (6,), (1, 1), (1, 6), (1, 1, 6)]
    with pytest.raises(InputError, match="the roll has 59,049 different sets of dice to keep"):
        keeps_within(tuple(sorted([*range(1, 11)] * 2)))
