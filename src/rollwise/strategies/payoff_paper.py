"""The Markov chains of the payoff-line paper as printed, including the errors.

T, P, and L are the paper's transition matrices for n of a kind, the small straight, and the large
straight. The vector s is the state distribution after the first roll, so T²s is the distribution
after two more rolls.

Source: M. Mince, Using Markov Chains and Probabilistic Modeling to Play Yahtzee (Pomona College),
sections 4 to 6. The correct chains are in :mod:`rollwise.strategies.payoff_chains`.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import IllegalError
from rollwise.rules import AnyRoll, FaceDice, Groups, Rules, Run
from rollwise.strategies import payoff_chains

SIZES = 5, 6
"""The numbers of dice and faces in the paper."""

SMALL_STRAIGHT_ERROR = 108 / 1296
"""The printed entry (1, 1) of P. With this entry, its column sums to more than 1."""

OF_A_KIND_ERROR = 129 / 1296
"""The entry (1, 1) of T that the printed T²s implies; the correct entry is 120 / 1296."""

SMALL_STRAIGHT_START = (844, 3420, 3022, 480)
"""The printed numbers of rolls in states 1 to 4. The third should be 3000; 32 rolls are missing."""

LARGE_STRAIGHT_START = (156, 1800, 3900, 1800, 120)
"""The printed numbers of rolls in states 1 to 5. The first should be 155; one roll is missing."""


@dataclass(frozen=True)
class PaperChain:
    """A transition matrix and an initial distribution, whose probabilities might not add up to 1.

    Attributes
    ----------
    matrix : float64 array of shape (states, states)
        One row for each previous state, starting with state 0.
    start : float64 array of shape (states,)
        The state probabilities after the first roll.
    """

    matrix: NDArray[np.float64]
    start: NDArray[np.float64]

    def after(self, steps: int) -> NDArray[np.float64]:
        """Return the state probabilities after ``steps`` more rolls, shape (states,)."""
        return np.asarray(self.start @ np.linalg.matrix_power(self.matrix, steps))


def of_a_kind() -> PaperChain:
    """Return the matrix T and the distribution s that give the printed T²s."""
    matrix = payoff_chains.matrix_of(payoff_chains.of_a_kind())
    matrix[1, 1] = OF_A_KIND_ERROR
    start = [0.0, *map(float, payoff_chains.of_a_kind_start().values())]
    return PaperChain(matrix, np.array(start))


def straight(length: int) -> PaperChain:
    """Return the matrix P (small straight) or L (large straight) and its initial distribution."""
    matrix = payoff_chains.matrix_of(payoff_chains.straight(length))
    if length == 4:
        matrix[1, 1] = SMALL_STRAIGHT_ERROR
    rolls: Iterable[int] = SMALL_STRAIGHT_START if length == 4 else LARGE_STRAIGHT_START
    dice, faces = SIZES
    return PaperChain(matrix, np.array([0, *rolls]) / faces**dice)


def paper_chain(key: str) -> PaperChain | None:
    """Return the printed chain for n of a kind or a straight, or None for other keys.

    The keys are defined by :class:`payoff_chains.StartedChain`.
    """
    lengths = {"small-straight": 4, "large-straight": 5}
    if key == "of-a-kind":
        return of_a_kind()
    return straight(lengths[key]) if key in lengths else None


def check(rules: Rules) -> None:
    """Raise IllegalError unless the paper has a probability for each category."""
    sizes = rules.dice, rules.faces
    for category in rules.categories:
        match category.pattern:
            case FaceDice() | AnyRoll():
                continue
            case Groups(sizes=(_,) | (2, 3) | (3, 2)) | Run(length=4 | 5) if sizes == SIZES:
                continue
        raise IllegalError(
            f"the paper has no probability for the category {category.key} of {rules.name}; use "
            "the strategy payoff-line or payoff-line-exact, which play more games"
        )
