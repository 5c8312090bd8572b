"""Test discrete distributions: moments, quantiles, and comparisons despite rounding errors."""

from math import comb

import numpy as np
import pytest

from rollwise.distribution import Distribution
from rollwise.game.position import Position
from rollwise.game.scorecard import Scorecard
from rollwise.rules import Rules
from rollwise.solving.solver import solve


def test_a_constant_has_an_sd_of_zero() -> None:
    # The probability is 1 minus a rounding error.
    distribution = Distribution(np.array([0, 7, 250]), np.array([0.0, 0.0, 1 - 2**-52]))
    assert (distribution.mean, distribution.sd, distribution.skewness) == (250, 0, 0)


def test_moments() -> None:
    distribution = Distribution(np.array([1, 2, 4]), np.array([0.25, 0.5, 0.25]))
    assert distribution.mean == 2.25
    variance = 0.25 * 1.5625 + 0.5 * 0.0625 + 0.25 * 3.0625
    assert distribution.sd == pytest.approx(variance**0.5)
    distribution = Distribution(np.array([0, 1]), np.array([0.75, 0.25]))
    assert distribution.skewness == pytest.approx((1 - 2 * 0.25) / np.sqrt(0.25 * 0.75))


def test_probabilities_and_quantiles() -> None:
    distribution = Distribution(np.array([1, 2, 4]), np.array([0.25, 0.5, 0.25]))
    assert [distribution.probability(score) for score in (2, 3)] == [0.5, 0]
    assert (distribution.at_least(2), distribution.tie) == (0.75, 0.375)
    assert (distribution.mode, distribution.median) == (2, 2)
    shares = {0: 1, 0.25: 1, 0.26: 2, 0.75: 2, 0.76: 4, 1: 4}
    assert {share: distribution.quantile(share) for share in shares} == shares


def test_quantiles_do_not_depend_on_rounding() -> None:
    # Sums of 1/300 differ from k/300 by 1e-15 or more, but each quantile is still exact.
    distribution = Distribution(np.arange(300), np.full(300, 1 / 300))
    assert [distribution.quantile((score + 1) / 300) for score in range(300)] == list(range(300))


def test_one_distribution_against_another() -> None:
    die, high = (
        Distribution(np.arange(1, 7), np.full(6, 1 / 6)),
        Distribution(np.array([0, 5]), np.array([0.5, 0.5])),
    )
    assert die.below([0, 1, 4, 9]) == pytest.approx([0, 0, 3 / 6, 1])
    assert die.above([0, 1, 4, 9]) == pytest.approx([1, 5 / 6, 2 / 6, 0])
    assert die.up_to([0, 1, 4, 9]) == pytest.approx([0, 1 / 6, 4 / 6, 1])
    assert die.against(die) == pytest.approx((15 / 36, 6 / 36, 15 / 36))
    assert die.against(high) == pytest.approx((7 / 12, 1 / 12, 4 / 12))
    assert high.against(die) == pytest.approx((4 / 12, 1 / 12, 7 / 12))
    best = Distribution.certain(50)
    for faces in range(1, 50):  # some sums of probabilities are 1 + 2e-16
        worse = Distribution(np.arange(faces), np.full(faces, 1 / faces))
        assert min(best.against(worse)) >= 0


def test_normal_approximation_of_a_binomial_distribution() -> None:
    coins = Distribution(
        np.arange(101), np.array([comb(100, heads) / 2**100 for heads in range(101)])
    )
    # 60 heads or more in 100 tosses have probability 0.028444; normal tables give 0.028717.
    assert coins.at_least(60) == pytest.approx(0.028444, abs=5e-7)
    assert coins.normal_at_least(60) == pytest.approx(0.028717, abs=5e-7)
    assert [Distribution.certain(7).normal_at_least(score) for score in (7, 8)] == [1, 0]


@pytest.mark.parametrize("faces", [3, 6, 7])
def test_a_certain_score_has_an_sd_of_zero(faces: int) -> None:
    pattern = {"kind": "groups", "sizes": [1]}
    categories = [
        {"key": f"b{k}", "title": "B", "pattern": pattern, "points": 33} for k in range(8)
    ]
    game = {"name": "sure", "title": "Sure", "dice": 5, "faces": faces, "rolls": 3}
    rules = Rules.model_validate({**game, "categories": categories})
    solution = solve(rules, moments=True, cache=False)
    options = solution.options(Position.of(Scorecard.empty(rules), (1, 1, 2, 2, 3), 2))
    assert {option.sd for option in options} == {0}
