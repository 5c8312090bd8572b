"""Estimates from samples, for what is too large to enumerate.

An estimate is the mean of independent samples with its error. What it estimates is what was
sampled: the value of *that* option, under *that* way to go on. The best way to go on is not known
where nothing is enumerated, so the best option found is worth no more than best play, and a
difference that is small beside the errors says nothing.

Source of the interval of a share: E. B. Wilson (Journal of the American Statistical Association 22,
1927), which holds where all or none of the samples are hits, too.

Turns played by fixed policies, for those that are too large to solve.

A turn that is played by a policy is sampled, not solved: its mean estimates the value of the
policy, and best play is worth that or more.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, sqrt
from statistics import NormalDist
from typing import Self

import numpy as np

from rollwise.decision_analysis.arrows import Array, Number
from rollwise.decision_analysis.policies import Policy, parse_policy, policy_names
from rollwise.decision_analysis.turn_problem import TurnProblem
from rollwise.errors import InputError

MAX_SAMPLES = 100_000_000

Sampler = Callable[[np.random.Generator], Number]
"""Draws one outcome, by itself, and returns what it pays."""


@dataclass(frozen=True)
class Estimate:
    """The mean of a payoff, estimated from independent samples.

    Attributes
    ----------
    samples
        How many there are, 2 or more.
    mean
        Their mean, in the units of the payoff.
    sd
        Their standard deviation (with n − 1).
    is_share
        Whether the payoff is 1 or 0 by its nature, so that the mean is a chance.
    """

    samples: int
    mean: float
    sd: float
    is_share: bool = False

    @classmethod
    def of(cls, counts: Mapping[float, int], is_share: bool = False) -> Self:
        """Return the estimate from how often each payoff came."""
        samples = sum(counts.values())
        mean = fsum(x * n for x, n in counts.items()) / samples
        variance = fsum((x - mean) ** 2 * n for x, n in counts.items()) / (samples - 1)
        return cls(samples, mean, sqrt(variance), is_share)

    @property
    def standard_error(self) -> float:
        """The standard error of the mean."""
        return self.sd / sqrt(self.samples)

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Return bounds that hold the true mean with such confidence: Wilson's, or normal ones."""
        z = NormalDist().inv_cdf((1 + confidence) / 2)
        if not self.is_share:
            return self.mean - z * self.standard_error, self.mean + z * self.standard_error
        n, p = self.samples, self.mean
        middle = (p + z * z / (2 * n)) / (1 + z * z / n)
        reach = z * sqrt(p * (1 - p) / n + (z / (2 * n)) ** 2) / (1 + z * z / n)
        return max(0.0, middle - reach), min(1.0, middle + reach)


def sample_options(
    options: Mapping[str, Sampler], samples: int, seed: int = 0
) -> dict[str, Estimate]:
    """Estimate the value of each option, by drawing what it leads to.

    Parameters
    ----------
    options
        For each option a function that draws one outcome, to the end, and returns what that pays.
        Where decisions follow, the function makes them, and the value is that of making them so.
    samples
        How many outcomes to draw of each, 2 to 100,000,000.
    seed
        One seed, the same estimates; all options see the same random numbers.

    Raises
    ------
    ValueError
        When the number of samples is out of range, or a payoff is not finite.

    Examples
    --------
    >>> options = {"roll": lambda rng: int(rng.integers(1, 7)), "pass": lambda rng: 3}
    >>> found = sample_options(options, 10_000)
    >>> low, high = found["roll"].interval()
    >>> low < 3.5 < high
    True
    >>> approximately_best(found)
    ('roll',)
    """
    check_samples(samples)
    estimates: dict[str, Estimate] = {}
    for option, draw in options.items():
        rng = np.random.default_rng(seed)
        counts = Counter(float(draw(rng)) for _ in range(samples))
        if not np.isfinite(list(counts)).all():
            raise InputError(
                f"option {option!r} pays no finite number; expected one in each sample"
            )
        estimates[option] = Estimate.of(counts)
    return estimates


def approximately_best(
    estimates: Mapping[str, Estimate], confidence: float = 0.95
) -> tuple[str, ...]:
    """Return the option with the highest mean and all that the errors do not tell from it.

    Those are options whose difference from it is no more than chance makes with such confidence, if
    both are worth the same. That takes no account of how many options are compared.
    """
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    top = max(estimates.values(), key=lambda estimate: estimate.mean)
    return tuple(
        option
        for option, estimate in estimates.items()
        if top.mean - estimate.mean <= z * np.hypot(top.standard_error, estimate.standard_error)
    )


def check_samples(samples: int) -> None:
    """Raise ValueError unless a number of samples is in its range."""
    if not 2 <= samples <= MAX_SAMPLES:
        raise InputError(f"samples: got {samples:,}, expected 2 to {MAX_SAMPLES:,}")


BATCH = 10_000
"""Games played at a time; part of what a seed means."""

MOST = 10
"""So many policies are compared in earnest."""


def simulate_turn(
    turn: TurnProblem,
    policy: Policy,
    games: int,
    seed: int = 0,
    *,
    keep: Sequence[int] = (),
    rolls_left: int | None = None,
    is_share: bool = False,
) -> Estimate:
    """Play a turn many times by a policy and estimate what that is worth.

    Nothing is enumerated, so a turn may be too large for `analyse_turn`.

    Parameters
    ----------
    turn
        The turn.
    policy
        What to keep of each roll that others follow.
    games
        How many times to play, 2 to 100,000,000.
    seed
        One seed, the same dice for all policies.
    keep
        Dice that lie on the table at first, shown by their faces; the rest is rolled.
    rolls_left
        How many rolls there are with that one; all of the turn unless told.
    is_share
        Whether the turn pays 1 or 0; a roll that pays 1 is then kept by any policy.

    Raises
    ------
    ValueError
        When a number is out of range, more dice are kept than there are, or a payoff is not finite.
    """
    check_samples(games)
    rolls = turn.rolls if rolls_left is None else rolls_left
    if not 1 <= rolls <= turn.rolls:
        raise InputError(f"rolls left: got {rolls}, expected a whole number from 1 to {turn.rolls}")
    turn.notation.of_dice(keep)
    if len(keep) > turn.dice:
        raise InputError(f"{len(keep)} dice kept; expected at most {turn.dice}")
    rng = np.random.default_rng(seed)
    payoffs: Counter[float] = Counter()
    for start in range(0, games, BATCH):
        dice = rng.integers(1, turn.notation.faces + 1, (min(BATCH, games - start), turn.dice))
        dice[:, : len(keep)] = keep
        for _ in range(rolls - 1):
            dice.sort(axis=1)
            kept = policy(dice)
            if is_share:
                kept |= _payoffs(turn, dice)[:, np.newaxis] == 1
            dice = np.where(kept, dice, rng.integers(1, turn.notation.faces + 1, dice.shape))
        dice.sort(axis=1)
        payoffs.update(_payoffs(turn, dice).tolist())
    return Estimate.of(payoffs, is_share)


def _payoffs(turn: TurnProblem, dice: Array) -> Array:
    """Return what rolls pay, shape [games]; each different one is asked about once."""
    ends, which = np.unique(dice, axis=0, return_inverse=True)
    payoffs = np.array([float(turn.payoff(turn.notation.of_dice(end))) for end in ends.tolist()])
    if not np.isfinite(payoffs).all():
        raise InputError("a roll pays no finite number; expected one for each")
    paid: Array = payoffs[which.ravel()]
    return paid


def compare_policies(
    turn: TurnProblem, games: int, seed: int = 0, *, is_share: bool = False
) -> dict[str, Estimate]:
    """Estimate the policies that do best among `policies.policy_names`, the best first.

    In a trial, all of them play a tenth of the games. The ten best then play all games with other
    dice, so that no estimate is high because it was chosen for that.

    Raises
    ------
    ValueError
        As `simulate_turn` does.
    """
    faces = turn.notation.faces

    def play(names: Sequence[str], games: int, seed: int) -> dict[str, Estimate]:
        found = {
            name: simulate_turn(turn, parse_policy(name, faces), games, seed, is_share=is_share)
            for name in names
        }
        return dict(sorted(found.items(), key=lambda item: -item[1].mean))

    trial = play(policy_names(faces), max(2, games // 10), seed + 1)
    return play(list(trial)[:MOST], games, seed)
