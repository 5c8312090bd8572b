"""Monte Carlo estimates for problems that are too large to enumerate.

An estimate is the mean of independent samples, with its standard error. It estimates the value of
an option under the sampled policy. Sampling does not find the optimal policy, and the value of
every sampled policy is a lower bound on the optimal value. A difference that is small compared with
its standard error is not significant.

Source of the confidence interval for a probability: E. B. Wilson (Journal of the American
Statistical Association 22, 1927). The interval is valid even if the estimate is 0 or 1.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, sqrt
from statistics import NormalDist
from typing import Self

import numpy as np

from rollwise.decision_analysis.policies import Array, Policy, parse_policy, policy_names
from rollwise.decision_analysis.turn import Number, Turn
from rollwise.errors import InputError

MAX_SAMPLES = 100_000_000

BATCH = 10_000
"""The number of games to simulate in one batch. The results for a seed depend on it."""

FINALISTS = 10
"""The number of policies that `compare_policies` simulates again after its trial."""

Sampler = Callable[[np.random.Generator], Number | float]
"""A function that draws one independent outcome and returns its payoff."""


@dataclass(frozen=True)
class Estimate:
    """The mean of a payoff, estimated from independent samples.

    Attributes
    ----------
    samples
        The number of samples, 2 or more.
    mean
        The mean of the samples, in the units of the payoff.
    sd
        The standard deviation of the samples, with n − 1 in the denominator for n samples.
    is_probability
        Whether every payoff is 1 or 0, so that the mean is a probability.
    """

    samples: int
    mean: float
    sd: float
    is_probability: bool = False

    @classmethod
    def of(cls, counts: Mapping[float, int], is_probability: bool = False) -> Self:
        """Return the estimate from the number of samples with each payoff."""
        samples = sum(counts.values())
        mean = fsum(x * n for x, n in counts.items()) / samples
        variance = fsum((x - mean) ** 2 * n for x, n in counts.items()) / (samples - 1)
        return cls(samples, mean, sqrt(variance), is_probability)

    @property
    def standard_error(self) -> float:
        """The standard error of the mean."""
        return self.sd / sqrt(self.samples)

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Return a confidence interval for the mean.

        The interval is Wilson's interval for a probability, and a normal approximation for any
        other mean.
        """
        z = NormalDist().inv_cdf((1 + confidence) / 2)
        if not self.is_probability:
            return self.mean - z * self.standard_error, self.mean + z * self.standard_error
        n, p = self.samples, self.mean
        middle = (p + z * z / (2 * n)) / (1 + z * z / n)
        half_width = z * sqrt(p * (1 - p) / n + (z / (2 * n)) ** 2) / (1 + z * z / n)
        return max(0.0, middle - half_width), min(1.0, middle + half_width)


def sample_options(
    options: Mapping[str, Sampler], samples: int, seed: int = 0
) -> dict[str, Estimate]:
    """Estimate the value of each option by sampling its outcomes.

    Parameters
    ----------
    options
        For each option, a function that draws one final outcome and returns its payoff. If
        decisions follow the option, the function makes them.
    samples
        The number of samples of each option, 2 to 100,000,000.
    seed
        The seed of the random numbers, which are the same for all options.

    Raises
    ------
    ValueError
        If the number of samples is out of range, or a payoff is not finite.

    Examples
    --------
    >>> options = {"roll": lambda rng: int(rng.integers(1, 7)), "pass": lambda rng: 3}
    >>> estimates = sample_options(options, 10_000)
    >>> low, high = estimates["roll"].interval()
    >>> low < 3.5 < high
    True
    >>> approximately_best(estimates)
    ('roll',)
    """
    check_samples(samples)
    estimates: dict[str, Estimate] = {}
    for option, draw in options.items():
        rng = np.random.default_rng(seed)
        counts = Counter(float(draw(rng)) for _ in range(samples))
        if not np.isfinite(list(counts)).all():
            raise InputError(
                f"the payoff of option {option!r} must be a finite number in each sample"
            )
        estimates[option] = Estimate.of(counts)
    return estimates


def approximately_best(
    estimates: Mapping[str, Estimate], confidence: float = 0.95
) -> tuple[str, ...]:
    """Return the option with the highest mean and all options that are not significantly worse.

    A difference is significant if options with equal values would have a smaller difference with
    probability ``confidence``. There is no correction for multiple comparisons.
    """
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    top = max(estimates.values(), key=lambda estimate: estimate.mean)
    return tuple(
        option
        for option, estimate in estimates.items()
        if top.mean - estimate.mean <= z * np.hypot(top.standard_error, estimate.standard_error)
    )


def check_samples(samples: int) -> None:
    """Raise InputError unless the number of samples is in range."""
    if not 2 <= samples <= MAX_SAMPLES:
        raise InputError(
            f"the number of samples must be from 2 to {MAX_SAMPLES:,}, not {samples:,}"
        )


def simulate_turn(
    turn: Turn,
    policy: Policy,
    games: int,
    seed: int = 0,
    *,
    keep: Sequence[int] = (),
    rolls_left: int | None = None,
    is_probability: bool = False,
) -> Estimate:
    """Estimate the value of a policy by simulating a turn many times.

    The simulation does not list all rolls, so the turn can be too large to solve.

    Parameters
    ----------
    turn
        The turn.
    policy
        A function from rolls to the dice to keep: see `rollwise.decision_analysis.policies`.
    games
        The number of turns to simulate, 2 to 100,000,000.
    seed
        The seed of the dice, which are the same for all policies.
    keep
        The faces of the dice that are already kept before the first roll.
    rolls_left
        The number of rolls to simulate, including the first (default: all rolls of the turn).
    is_probability
        Whether every payoff is 1 or 0. If so, every policy keeps a roll that pays 1.

    Raises
    ------
    ValueError
        If a number is out of range, there are too many dice to keep, or a payoff is not finite.
    """
    check_samples(games)
    rolls = turn.rolls if rolls_left is None else rolls_left
    if not 1 <= rolls <= turn.rolls:
        raise InputError(f"the number of rolls left must be from 1 to {turn.rolls}, not {rolls}")
    turn.notation.of_dice(keep)
    if len(keep) > turn.dice:
        raise InputError(f"cannot keep {len(keep)} dice; the turn has {turn.dice}")
    rng = np.random.default_rng(seed)
    payoffs: Counter[float] = Counter()
    for start in range(0, games, BATCH):
        dice = rng.integers(1, turn.notation.faces + 1, (min(BATCH, games - start), turn.dice))
        dice[:, : len(keep)] = keep
        for _ in range(rolls - 1):
            dice.sort(axis=1)
            is_kept = policy(dice)
            if is_probability:
                is_kept |= _payoffs(turn, dice)[:, np.newaxis] == 1
            dice = np.where(is_kept, dice, rng.integers(1, turn.notation.faces + 1, dice.shape))
        dice.sort(axis=1)
        payoffs.update(_payoffs(turn, dice).tolist())
    return Estimate.of(payoffs, is_probability)


def _payoffs(turn: Turn, dice: Array) -> Array:
    """Return the payoff of each roll, shape [games].

    ``dice`` has shape [games, dice]. The payoff of each distinct roll is computed only once.
    """
    distinct, index = np.unique(dice, axis=0, return_inverse=True)
    payoffs = np.array([float(turn.pays(turn.notation.of_dice(end))) for end in distinct.tolist()])
    if not np.isfinite(payoffs).all():
        raise InputError("the payoff of every roll must be a finite number")
    payoffs_of_games: Array = payoffs[index.ravel()]
    return payoffs_of_games


def compare_policies(
    turn: Turn, games: int, seed: int = 0, *, is_probability: bool = False
) -> dict[str, Estimate]:
    """Return the estimated values of the best fixed policies, best first.

    A trial simulates all policies in `policies.policy_names`, each in a tenth of the games. The ten
    best policies are then simulated in all games with different dice, so that the selection does
    not bias their estimates.

    Raises
    ------
    ValueError
        If the number of games is out of range, or a payoff is not finite.
    """
    faces = turn.notation.faces

    def play(names: Sequence[str], games: int, seed: int) -> dict[str, Estimate]:
        estimates = {
            name: simulate_turn(
                turn, parse_policy(name, faces), games, seed, is_probability=is_probability
            )
            for name in names
        }
        return dict(sorted(estimates.items(), key=lambda item: -item[1].mean))

    trial = play(policy_names(faces), max(2, games // 10), seed + 1)
    return play(list(trial)[:FINALISTS], games, seed)
