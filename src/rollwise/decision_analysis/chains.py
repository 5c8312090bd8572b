"""Finite Markov chains, such as the rolls of a turn under a fixed policy.

Under a fixed policy, the dice to keep depend on the roll but not on the number of rolls left. The
rolls of a turn then form a Markov chain. Row s of its transition matrix is the distribution F(d)
of the next roll after the option d that the policy chooses in state s. (Many textbooks use the
transposed matrix.) Rolling n more times corresponds to n steps of the chain.

States can be lumped into groups if all states of a group lead to each group with the same total
probability. The groups then form a Markov chain themselves.

Source of the method: M. Mince, Using Markov Chains and Probabilistic Modeling to Play Yahtzee
(Pomona College), sections 4 and 5.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from graphlib import CycleError, TopologicalSorter
from math import inf

from rollwise.decision_analysis.decision_problem import check_distribution
from rollwise.decision_analysis.turn import Turn
from rollwise.errors import InputError

Distribution = dict[str, Fraction]


@dataclass(frozen=True)
class MarkovChain:
    """A finite Markov chain: the probabilities of the states one step after each state.

    Examples
    --------
    >>> weather = MarkovChain(
    ...     {"dry": {"dry": Fraction(3, 4), "wet": Fraction(1, 4)}, "wet": {"dry": Fraction(1)}}
    ... )
    >>> weather.after("dry", 2)
    {'dry': Fraction(13, 16), 'wet': Fraction(3, 16)}
    >>> weather.expected_steps("wet")
    {'dry': Fraction(4, 1), 'wet': Fraction(0, 1)}
    >>> print(weather)
         dry  wet
    dry  3/4  1/4
    wet    1    0
    """

    rows: Mapping[str, Mapping[str, Fraction]]

    def __post_init__(self) -> None:
        # Many states of a turn share a row.
        for state, row in {id(row): (state, row) for state, row in self.rows.items()}.values():
            check_distribution(f"state {state!r}", row)
            self._check_states(row)

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
        """Return the distribution of states after a number of steps.

        ``start`` is a state or a distribution.
        """
        if steps < 0:
            raise InputError(f"the number of steps must be 0 or more, not {steps}")
        distribution = {start: Fraction(1)} if isinstance(start, str) else start
        check_distribution("the initial distribution", distribution)
        self._check_states(distribution)
        for _ in range(steps):
            distribution = _mix(distribution, self.rows)
        return {state: distribution[state] for state in self.states if distribution.get(state)}

    def power(self, steps: int) -> "MarkovChain":
        """Return the chain in which one step is ``steps`` steps of this chain."""
        return MarkovChain({state: self.after(state, steps) for state in self.states})

    def expected_steps(self, target: str | Collection[str]) -> dict[str, Fraction | float]:
        """Return the expected number of steps from each state until a target is first reached.

        ``target`` is a state or a collection of states. The number is infinite if the chain can
        stay away from the target forever. The matrix must be triangular outside of the target: a
        chain that leaves a state must not return to it before it reaches the target.
        """
        wanted = {target} if isinstance(target, str) else set(target)
        self._check_states(sorted(wanted))
        moves = {
            state: {} if state in wanted else {t: p for t, p in row.items() if p}
            for state, row in self.rows.items()
        }
        steps: dict[str, Fraction | float] = {}
        try:
            # Back-substitution: each state comes after all states to which it leads.
            for state in TopologicalSorter(
                {state: row.keys() - {state} for state, row in moves.items()}
            ).static_order():
                later = dict(moves[state])
                leaving = 1 - later.pop(state, Fraction(0))
                rest = sum(p * steps[t] for t, p in later.items()) + (state not in wanted)
                steps[state] = rest / leaving if leaving else inf
        except CycleError as error:
            cycle = " → ".join(reversed(error.args[1]))
            raise InputError(
                f"the chain can return to a state before it reaches the target: {cycle}; use a "
                "chain with a triangular matrix"
            ) from error
        return {state: steps[state] for state in self.states}

    def lump(self, group_of: Callable[[str], str]) -> "MarkovChain":
        """Return the chain of groups of states; ``group_of`` returns the group of a state."""
        groups = {state: {group_of(state): Fraction(1)} for state in self.states}
        distinct = {id(row): row for row in self.rows.values()}
        lumped = {key: _mix(row, groups) for key, row in distinct.items()}
        rows: dict[str, Distribution] = {}
        for state, row in self.rows.items():
            group = group_of(state)
            if rows.setdefault(group, lumped[id(row)]) != lumped[id(row)]:
                raise InputError(
                    f"the states of the group {group!r} cannot be lumped: {state!r} moves to "
                    "groups with other probabilities than the states before it"
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

    def _check_states(self, states: Collection[str]) -> None:
        for state in states:
            if state not in self.rows:
                raise InputError(f"{state!r} is not a state of the chain; add a row for it")


def turn_chain(turn: Turn, keep: Mapping[str, str] | Callable[[str], str]) -> MarkovChain:
    """Return the chain of a turn under a policy, which gives the option chosen in each state.

    The payoff of the turn has no effect on the chain.
    """
    outcomes = cache(turn.outcomes)  # many states choose the same option and share its row
    rows: dict[str, Distribution] = {}
    for state in turn.states:
        option = keep(state) if callable(keep) else keep[state]
        rows[state] = outcomes(option)
        if state not in rows[state]:
            raise InputError(
                f"{option!r} cannot be kept from {state!r}; keep only dice of the roll"
            )
    return MarkovChain(rows)


def _mix(
    weights: Mapping[str, Fraction], rows: Mapping[str, Mapping[str, Fraction]]
) -> Distribution:
    """Return the mean of the distributions in ``rows``, weighted by ``weights``."""
    mixed: Distribution = {}
    for state, weight in weights.items():
        for target, p in rows[state].items():
            mixed[target] = mixed.get(target, Fraction(0)) + weight * p
    return mixed
