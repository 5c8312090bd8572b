"""Finite Markov chains, such as the rolls of a turn under a fixed policy.

Under a fixed policy, the dice to keep depend on the roll but not on the number of rolls left. The
rolls of a turn then form a Markov chain. Row s of its transition matrix is the distribution F(d)
of the next roll after the option d that the policy chooses in state s. (Many textbooks use the
transposed matrix.) Rolling n more times is n steps of the chain.

States can be lumped into groups if all states of a group lead to each group with the same total
probability. The groups then form a Markov chain themselves.

Source of the method: M. Mince, Using Markov Chains and Probabilistic Modeling to Play Yahtzee
(Pomona College), sections 4 and 5.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from rollwise.decision_analysis.decision_problem import check_distribution
from rollwise.decision_analysis.turn_problem import TurnProblem
from rollwise.errors import InputError

Distribution = dict[str, Fraction]


@dataclass(frozen=True)
class MarkovChain:
    """A finite Markov chain with exact transition probabilities.

    Attributes
    ----------
    rows
        For each state, the probabilities of the states after one step.

    Raises
    ------
    ValueError
        If a row is not a probability distribution, or leads to a state without a row.

    Examples
    --------
    >>> weather = MarkovChain(
    ...     {"dry": {"dry": Fraction(3, 4), "wet": Fraction(1, 4)}, "wet": {"dry": Fraction(1)}}
    ... )
    >>> weather.after("dry", 2)
    {'dry': Fraction(13, 16), 'wet': Fraction(3, 16)}
    >>> print(weather)
         dry  wet
    dry  3/4  1/4
    wet    1    0
    """

    rows: Mapping[str, Mapping[str, Fraction]]

    def __post_init__(self) -> None:
        for state, row in _distinct_rows(self.rows).values():
            check_distribution(f"state {state!r}", row)
            for target in row:
                self._check_state(target)

    @property
    def states(self) -> tuple[str, ...]:
        """All states, in the order of the matrix."""
        return tuple(self.rows)

    def matrix(self) -> list[list[Fraction]]:
        """Return the transition matrix, indexed [from][to]; each row sums to one."""
        return [
            [row.get(target, Fraction(0)) for target in self.states] for row in self.rows.values()
        ]

    def after(self, start: str | Mapping[str, Fraction], steps: int) -> Distribution:
        """Return the distribution of states ``steps`` steps after ``start``.

        ``start`` is a state or a distribution.

        Raises
        ------
        ValueError
            If the start is not a state or distribution, or the number of steps is negative.
        """
        if steps < 0:
            raise InputError(f"steps: got {steps}, expected 0 or more")
        distribution = {start: Fraction(1)} if isinstance(start, str) else start
        check_distribution("the start", distribution)
        for state in distribution:
            self._check_state(state)
        for _ in range(steps):
            distribution = mix(distribution, self.rows)
        return {state: distribution[state] for state in self.states if distribution.get(state)}

    def power(self, steps: int) -> "MarkovChain":
        """Return the chain in which one step is ``steps`` steps of this chain."""
        return MarkovChain({state: self.after(state, steps) for state in self.states})

    def lump(self, group_of: Callable[[str], str]) -> "MarkovChain":
        """Return the chain of groups of states, where ``group_of`` gives the group of a state.

        Raises
        ------
        ValueError
            If two states in a group have different probabilities of moving to the same group.
        """
        groups = {state: {group_of(state): Fraction(1)} for state in self.states}
        lumped = {key: mix(row, groups) for key, (_, row) in _distinct_rows(self.rows).items()}
        rows: dict[str, Distribution] = {}
        for state, row in self.rows.items():
            group = group_of(state)
            if rows.setdefault(group, lumped[id(row)]) != lumped[id(row)]:
                raise InputError(
                    f"the group {group!r} is no state of a chain: {state!r} leads to other groups, "
                    "or with other probabilities, than the states before it"
                )
        return MarkovChain(rows)

    def __str__(self) -> str:
        cells = [["", *self.states]]
        for state, row in zip(self.states, self.matrix(), strict=True):
            cells.append([state, *map(str, row)])
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        lines = (
            "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])])
            for row in cells
        )
        return "\n".join(lines)

    def _check_state(self, state: str) -> None:
        if state not in self.rows:
            raise InputError(f"{state!r} is no state of the chain; expected one that has a row")


def turn_chain(turn: TurnProblem, keep: Mapping[str, str] | Callable[[str], str]) -> MarkovChain:
    """Return the Markov chain of a turn under a fixed policy.

    ``keep`` gives the option that the policy chooses in each state. The payoff of the turn does
    not matter.

    Raises
    ------
    ValueError
        If an option is not available in its state.
    """
    outcomes = cache(turn.outcomes)  # many states choose the same option and share its row
    rows: dict[str, Distribution] = {}
    for state in turn.states:
        option = keep(state) if callable(keep) else keep[state]
        rows[state] = outcomes(option)
        if state not in rows[state]:
            raise InputError(f"{state!r} cannot keep {option!r}; expected some of its own dice")
    return MarkovChain(rows)


def _distinct_rows(
    rows: Mapping[str, Mapping[str, Fraction]],
) -> dict[int, tuple[str, Mapping[str, Fraction]]]:
    """Return a mapping from the ``id`` of each distinct row to its first state and the row."""
    distinct: dict[int, tuple[str, Mapping[str, Fraction]]] = {}
    for state, row in rows.items():
        distinct.setdefault(id(row), (state, row))
    return distinct


def mix(
    weights: Mapping[str, Fraction], rows: Mapping[str, Mapping[str, Fraction]]
) -> Distribution:
    """Return the mean of the distributions in ``rows``, weighted by ``weights``."""
    mixed: Distribution = {}
    for state, weight in weights.items():
        for target, p in rows[state].items():
            mixed[target] = mixed.get(target, Fraction(0)) + weight * p
    return mixed
