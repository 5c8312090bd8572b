"""Turns played by fixed policies, for those that are too large to solve.

A turn that is played by a policy is sampled, not solved: its mean estimates the value of the
policy, and best play is worth that or more.
"""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from rollwise.errors import InputError
from rollwise.prospects.arrows import Array
from rollwise.prospects.estimates import Estimate, check_samples
from rollwise.prospects.policies import Policy, parse_policy, policy_names
from rollwise.prospects.turn_problem import TurnProblem

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
