"""Compare Monte Carlo estimates with exact values and published intervals, and test errors."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from rollwise.decision_analysis import (
    Estimate,
    Multisets,
    Profiles,
    Turn,
    approximately_best,
    compare_policies,
    parse_policy,
    policy_names,
    sample_options,
    simulate_turn,
    target_turn,
)
from rollwise.decision_analysis.turn import Point

CONFIDENCE = 0.999_999
"""The confidence level at which a correct program fails once in a million."""


def estimate_of(hits: int, samples: int) -> Estimate:
    return Estimate.of({1.0: hits, 0.0: samples - hits}, is_probability=True)


class TestEstimate:
    def test_mean_and_error(self) -> None:
        estimate = Estimate.of({1.0: 2, 4.0: 1, 10.0: 1})
        assert (estimate.samples, estimate.mean) == (4, 4)
        assert estimate.sd == pytest.approx(np.std([1, 1, 4, 10], ddof=1))
        assert estimate.standard_error == pytest.approx(estimate.sd / 2)
        low, high = estimate.interval()
        assert (high + low) / 2 == pytest.approx(4)
        assert (high - low) / 2 == pytest.approx(1.959964 * estimate.standard_error)

    @pytest.mark.parametrize(
        ("hits", "samples", "low", "high"),
        [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0000, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ],
    )
    def test_intervals_of_probabilities_as_published(
        self, hits: int, samples: int, low: float, high: float
    ) -> None:
        # R. G. Newcombe, Two-sided confidence intervals for the single proportion (Statistics in
        # Medicine 17, 1998), table I, method 3.
        interval = estimate_of(hits, samples).interval()
        assert [round(bound, 4) for bound in interval] == [low, high]

    def test_intervals_without_and_with_only_hits(self) -> None:
        assert estimate_of(0, 1000).interval()[1] == pytest.approx(0.0038, abs=5e-5)
        assert estimate_of(1000, 1000).interval()[0] == pytest.approx(0.9962, abs=5e-5)


def dice_kept(policy: str, roll: list[int], faces: int = 6) -> list[int]:
    mask = parse_policy(policy, faces)(np.array([roll]))[0]
    return [face for face, stays in zip(roll, mask.tolist(), strict=True) if stays]


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        ("all", [1, 2, 2, 5, 5, 6]),
        ("none", []),
        ("commonest", [5, 5]),
        ("pairs", [2, 2, 5, 5]),
        ("different", [1, 2, 5, 6]),
        ("2", [2, 2]),
        ("3", []),
        ("5+", [5, 5, 6]),
        ("2-", [1, 2, 2]),
    ],
)
def test_policies(policy: str, expected: list[int]) -> None:
    assert dice_kept(policy, [1, 2, 2, 5, 5, 6]) == expected


def test_commonest_face() -> None:
    assert dice_kept("commonest", [1, 1, 1, 6, 6]) == [1, 1, 1]
    assert dice_kept("commonest", [1, 2, 3]) == [3]
    rolls = np.array([[1, 1, 2], [3, 3, 3], [1, 2, 2]])
    assert parse_policy("commonest")(rolls).tolist() == [
        [True, True, False],
        [True, True, True],
        [False, True, True],
    ]


def test_policy_names_differ() -> None:
    rolls = np.array(sorted(sorted(roll) for roll in product(range(1, 5), repeat=4)))
    kept_by = {name: parse_policy(name, 4)(rolls).tobytes() for name in policy_names(4)}
    assert len(set(kept_by.values())) == len(kept_by) == 5 + 4 + 2 * 2
    assert policy_names(21) == policy_names(1)[:5], "too many faces to try each"


def exact_value(turn: Turn, policy: str, is_probability: bool) -> Fraction:
    """Compute the value of a policy by enumerating ordered rolls.

    The computation shares only the policy itself with the simulation.
    """
    sides = range(1, turn.notation.faces + 1)

    def after(roll: tuple[int, ...], left: int) -> Fraction:
        roll = tuple(sorted(roll))
        if left == 0 or (is_probability and turn.pays(roll) == 1):
            return Fraction(turn.pays(roll))
        stays = dice_kept(policy, list(roll), turn.notation.faces)
        ends = list(product(sides, repeat=turn.dice - len(stays)))
        return sum((after((*stays, *end), left - 1) for end in ends), Fraction(0)) / len(ends)

    rolls = list(product(sides, repeat=turn.dice))
    return sum((after(roll, turn.rolls - 1) for roll in rolls), Fraction(0)) / len(rolls)


@pytest.mark.parametrize("policy", policy_names(3))
@pytest.mark.parametrize("is_probability", [False, True])
def test_every_policy_against_enumeration(policy: str, is_probability: bool) -> None:
    def payoff(dice: Point) -> int:
        return sum(dice) == 6 if is_probability else dice[0] * dice[-1] - sum(dice)

    turn = Turn(Multisets(3), payoff, 3)
    estimate = simulate_turn(
        turn, parse_policy(policy, 3), 40_000, seed=3, is_probability=is_probability
    )
    low, high = estimate.interval(CONFIDENCE)
    assert low < exact_value(turn, policy, is_probability) < high


@pytest.mark.parametrize(("target", "policy"), [("00001", "commonest"), ("4x6+", "6")])
def test_policies_that_are_optimal(target: str, policy: str) -> None:
    turn = target_turn(target)
    estimate = simulate_turn(turn, parse_policy(policy), 200_000, seed=1, is_probability=True)
    low, high = estimate.interval(CONFIDENCE)
    assert low < turn.value < high


def test_intervals_have_their_stated_coverage() -> None:
    turn, policy = Turn(Profiles(), {"00001": 1}), parse_policy("commonest")
    value = turn.value
    covered = 0
    for seed in range(200):
        low, high = simulate_turn(turn, policy, 1_000, seed, is_probability=True).interval()
        covered += low < value < high
    assert 180 <= covered <= 199, "95 % of 200 are 190, give or take three standard deviations"


def test_given_dice_and_rolls_left() -> None:
    turn = target_turn("large-straight")
    for keep, left in (((2, 5), 1), ((2, 5, 6), 1), ((), 3)):
        policy = parse_policy("none" if left == 1 else "different")
        estimate = simulate_turn(
            turn, policy, 100_000, seed=2, keep=keep, rolls_left=left, is_probability=True
        )
        low, high = estimate.interval(CONFIDENCE)
        value = turn.keep_value(turn.text_of(keep), left)
        assert low < value
        assert left > 1 or value < high


def test_a_turn_too_large_to_solve() -> None:
    # There are too many rolls to enumerate. As profiles, they are few, which gives the exact value.
    def four_of_a_kind(dice: Point) -> bool:
        return any(dice[i] == dice[i + 3] for i in range(len(dice) - 3))

    turn = Turn(Multisets(20), four_of_a_kind, 10)
    estimates = compare_policies(turn, 2_000, seed=5, is_probability=True)
    assert len(estimates) == 10
    assert list(estimates)[:2] == ["commonest", "pairs"]
    means = [estimate.mean for estimate in estimates.values()]
    assert means == sorted(means, reverse=True)
    best = Turn(Profiles(20), lambda counts: len(counts) >= 4, 10)
    assert estimates["commonest"].interval(CONFIDENCE)[0] < best.value


def test_trial_and_final_use_different_dice() -> None:
    turn = Turn(Multisets(), sum)
    estimates = compare_policies(turn, 1_000, seed=9)
    name = next(iter(estimates))
    assert estimates[name] == simulate_turn(turn, parse_policy(name), 1_000, seed=9)
    assert estimates[name] != simulate_turn(turn, parse_policy(name), 1_000, seed=10)


class TestOptions:
    def test_approximately_best_options(self) -> None:
        estimates = sample_options(
            {
                "fair": lambda rng: int(rng.integers(1, 7)),
                "sure": lambda rng: 3,
                "same": lambda rng: 7 - int(rng.integers(1, 7)),
            },
            5_000,
            seed=4,
        )
        assert approximately_best(estimates) == ("fair", "same")
        assert estimates["sure"] == Estimate(5_000, 3, 0)

    def test_options_share_random_numbers(self) -> None:
        options = {name: lambda rng: float(rng.random()) for name in ("a", "b")}
        estimates = sample_options(options, 10, seed=1)
        assert estimates["a"] == estimates["b"] == sample_options(options, 10, seed=1)["a"]
        assert estimates["a"] != sample_options(options, 10, seed=2)["a"]

    def test_sampler_makes_later_decisions(self) -> None:
        # Roll a die up to three times and stop at a five or a six: 14/3 by hand.
        def stop_at(least: int, rng: np.random.Generator) -> int:
            for _ in range(2):
                roll = int(rng.integers(1, 7))
                if roll >= least:
                    return roll
            return int(rng.integers(1, 7))

        estimates = sample_options({"5+": lambda rng: stop_at(5, rng)}, 20_000, seed=8)
        value = Fraction(1, 3) * Fraction(11, 2) * (1 + Fraction(2, 3)) + Fraction(4, 9) * Fraction(
            7, 2
        )
        low, high = estimates["5+"].interval(CONFIDENCE)
        assert low < value < high


def test_bad_input() -> None:
    turn = Turn(Multisets(), sum)
    for samples in (1, -3, 10**9):
        with pytest.raises(
            ValueError, match="the number of samples must be from 2 to 100,000,000, not"
        ):
            simulate_turn(turn, parse_policy("all"), samples)
        with pytest.raises(ValueError, match="the number of samples must be from 2 to"):
            sample_options({"a": lambda _: 1}, samples)
    for name in ("7", "0", "6*", "", "most"):
        with pytest.raises(ValueError, match=f"unknown policy '{name[:1]}.*; use all, none"):
            parse_policy(name)
    with pytest.raises(ValueError, match="the number of rolls left must be from 1 to 3, not 4"):
        simulate_turn(turn, parse_policy("all"), 10, rolls_left=4)
    with pytest.raises(ValueError, match="a die cannot show 7; its faces are 1 to 6"):
        simulate_turn(turn, parse_policy("all"), 10, keep=[7])
    with pytest.raises(ValueError, match="cannot keep 6 dice; the turn has 5"):
        simulate_turn(turn, parse_policy("all"), 10, keep=[1] * 6)
    with pytest.raises(ValueError, match="option 'a' must be a finite number in each sample"):
        sample_options({"a": lambda _: float("nan")}, 10)
