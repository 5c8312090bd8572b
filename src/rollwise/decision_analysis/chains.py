"""Markov chains: where a turn goes, roll by roll, under a fixed way of playing.

If the option kept in each state does not depend on the roll number, the states of a turn form a
Markov chain. Row s of its transition matrix is the distribution F(d) of the option d kept in s, and
n more rolls are n steps. (Many texts write the transpose, one column for each state left.)

States can be grouped where the chain allows it: every state of a group must lead to each group with
the same total probability, and then the groups form a chain themselves.

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
        For each state, the states it can lead to in one step, with their probabilities.

    Raises
    ------
    ValueError
        When a row is no distribution, or leads to a state without a row.

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
        for state, row in _once(self.rows).values():
            check_distribution(f"state {state!r}", row)
            for end in row:
                self._check_state(end)

    @property
    def states(self) -> tuple[str, ...]:
        """All states, in the order of the matrix."""
        return tuple(self.rows)

    def matrix(self) -> list[list[Fraction]]:
        """Return the transition matrix, shape [state left][state reached]; rows sum to one."""
        return [[row.get(end, Fraction(0)) for end in self.states] for row in self.rows.values()]

    def after(self, start: str | Mapping[str, Fraction], steps: int) -> Distribution:
        """Return the distribution after some steps from a state, or from a distribution of states.

        Raises
        ------
        ValueError
            When the start is no state or distribution, or the number of steps is negative.
        """
        if steps < 0:
            raise InputError(f"steps: got {steps}, expected 0 or more")
        here = {start: Fraction(1)} if isinstance(start, str) else start
        check_distribution("the start", here)
        for state in here:
            self._check_state(state)
        for _ in range(steps):
            here = mix(here, self.rows)
        return {state: here[state] for state in self.states if here.get(state)}

    def power(self, steps: int) -> "MarkovChain":
        """Return the chain whose every step is that many steps of this one."""
        return MarkovChain({state: self.after(state, steps) for state in self.states})

    def lump(self, group_of: Callable[[str], str]) -> "MarkovChain":
        """Return the chain of groups of states.

        Raises
        ------
        ValueError
            When the groups form no chain: two states of one differ in where they lead.
        """
        groups = {state: {group_of(state): Fraction(1)} for state in self.states}
        lumped = {key: mix(row, groups) for key, (_, row) in _once(self.rows).items()}
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
    """Return the chain of a turn in which each state keeps a fixed option.

    Parameters
    ----------
    turn
        The turn; its payoff does not matter here.
    keep
        The option that each state keeps.

    Raises
    ------
    ValueError
        When a state cannot keep what it should.
    """
    outcomes = cache(turn.outcomes)  # many states keep the same option, and share its row
    rows: dict[str, Distribution] = {}
    for state in turn.states:
        option = keep(state) if callable(keep) else keep[state]
        rows[state] = outcomes(option)
        if state not in rows[state]:
            raise InputError(f"{state!r} cannot keep {option!r}; expected some of its own dice")
    return MarkovChain(rows)


def _once(
    rows: Mapping[str, Mapping[str, Fraction]],
) -> dict[int, tuple[str, Mapping[str, Fraction]]]:
    """Return each row by its identity, with the first state that has it: states may share one."""
    found: dict[int, tuple[str, Mapping[str, Fraction]]] = {}
    for state, row in rows.items():
        found.setdefault(id(row), (state, row))
    return found


def mix(
    weights: Mapping[str, Fraction], rows: Mapping[str, Mapping[str, Fraction]]
) -> Distribution:
    """Return the mean of distributions, weighted by a distribution over them."""
    mixed: Distribution = {}
    for state, weight in weights.items():
        for end, p in rows[state].items():
            mixed[end] = mixed.get(end, Fraction(0)) + weight * p
    return mixed
