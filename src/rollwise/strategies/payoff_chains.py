"""The Markov chains of the payoff-line strategy, computed from the dice.

Each chain has a target and a fixed policy. For n of a kind, the policy keeps the most frequent
face. For an upper category, it keeps the face of the category. For a straight, it keeps one die of
each face of the straight. The state is the number of dice to keep.

Source: M. Mince, Using Markov Chains and Probabilistic Modeling to Play Yahtzee (Pomona College),
sections 4 to 6. The paper prints the transposed matrices, with one column per previous state.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from rollwise.decision_analysis import MarkovChain, Multisets, Profiles, Turn, turn_chain

Start = dict[str, Fraction]


@lru_cache(maxsize=8)
def of_a_kind(dice: int = 5, faces: int = 6) -> MarkovChain:
    """Return the chain of the number of dice that show the most frequent face.

    The states are 1 to ``dice``.
    """
    turn = Turn(Profiles(faces), {}, dice)
    chain = turn_chain(turn, lambda profile: "0" * (_longest(profile) - 1) + "1")
    return chain.lump(lambda profile: str(_longest(profile)))


@lru_cache(maxsize=8)
def of_a_kind_start(dice: int = 5, faces: int = 6) -> Start:
    """Return the state distribution of the n-of-a-kind chain after the first roll."""
    turn = Turn(Profiles(faces), {}, dice)
    start: Start = {}
    for profile, p in turn.outcomes(turn.start).items():
        state = str(_longest(profile))
        start[state] = start.get(state, Fraction(0)) + p
    return dict(sorted(start.items()))


@lru_cache(maxsize=32)
def of_faces(wanted: frozenset[int], each: int, dice: int = 5, faces: int = 6) -> MarkovChain:
    """Return the chain of the number of dice that show ``wanted`` faces.

    At most ``each`` dice of a face count: 1 for a straight, and ``dice`` for a single face.
    """
    turn = Turn(Multisets(faces), {}, dice)

    def kept_faces(roll: str) -> tuple[int, ...]:
        shown = turn.notation.parse(roll)
        return tuple(f for f in sorted(wanted) for _ in range(min(shown.count(f), each)))

    return turn_chain(turn, lambda roll: turn.text_of(kept_faces(roll))).lump(
        lambda roll: str(len(kept_faces(roll)))
    )


def first_roll(chain: MarkovChain) -> Start:
    """Return the state distribution after the first roll, which is one step from state 0."""
    return dict(chain.rows["0"])


def straight(length: int, dice: int = 5, faces: int = 6) -> MarkovChain:
    """Return the chain of a straight of ``length`` faces; its lowest face does not matter."""
    return of_faces(frozenset(range(1, length + 1)), 1, dice, faces)


def one_face(dice: int = 5, faces: int = 6) -> MarkovChain:
    """Return the chain of the number of dice that show a given face.

    The chain is the same for each face.
    """
    return of_faces(frozenset({1}), dice, dice, faces)


@dataclass(frozen=True)
class StartedChain:
    """A chain and its state distribution after the first roll.

    Attributes
    ----------
    key, title : str
        The key (``of-a-kind``, ``one-face``, ``small-straight``, or ``large-straight``), and the
        title.
    chain : MarkovChain
    start : dict of str to Fraction
        The probability of each state after the first roll.
    """

    key: str
    title: str
    chain: MarkovChain
    start: Start

    @property
    def states(self) -> list[str]:
        """The states, in increasing order."""
        return sorted(self.chain.states, key=int)

    def matrix(self) -> list[list[Fraction]]:
        """Return the transition matrix as in the paper, indexed [next state][previous state]."""
        return [
            [self.chain.rows[left].get(reached, Fraction(0)) for left in self.states]
            for reached in self.states
        ]

    def after(self, start: str | Start, rolls: int) -> list[Fraction]:
        """Return the probability of each state ``rolls`` rolls after ``start``.

        ``start`` is a state or a distribution.
        """
        distribution = self.chain.after(start, rolls)
        return [distribution.get(state, Fraction(0)) for state in self.states]

    def expected_rolls(self, target: str) -> dict[str, Fraction]:
        """Return the expected number of further rolls until a state of at least ``target`` dice.

        The key ``start`` has the number of rolls from the beginning of a turn, including the first.
        A turn of this chain can have any number of rolls.
        """
        at_least = [state for state in self.states if int(state) >= int(target)]
        steps = self.chain.expected_steps(at_least)
        # Every state of these chains leads to the target, so no expected number is infinite.
        rolls = {state: Fraction(steps[state]) for state in self.states}
        first = sum((p * rolls[state] for state, p in self.start.items()), Fraction(1))
        return rolls | {"start": first}


def all_chains(dice: int = 5, faces: int = 6) -> list[StartedChain]:
    """Return all four chains of the paper."""
    kinds = of_a_kind(dice, faces)
    others = {
        ("one-face", "One face"): one_face(dice, faces),
        ("small-straight", "Small straight"): straight(4, dice, faces),
        ("large-straight", "Large straight"): straight(5, dice, faces),
    }
    return [
        StartedChain("of-a-kind", "N of a kind", kinds, of_a_kind_start(dice, faces)),
        *(StartedChain(*names, chain, first_roll(chain)) for names, chain in others.items()),
    ]


def _longest(profile: str) -> int:
    """Return the largest number of equal dice in a profile."""
    numbers = profile.rstrip(",").split(",") if "," in profile else list(profile)
    return len(numbers)


def matrix_of(chain: MarkovChain) -> NDArray[np.float64]:
    """Return the transition matrix of a chain, including a row for state 0, which can be unused."""
    matrix = np.eye(max(map(int, chain.states)) + 1)
    for state, row in chain.rows.items():
        for end in chain.states:
            matrix[int(state), int(end)] = float(row.get(end, 0))
    return matrix
