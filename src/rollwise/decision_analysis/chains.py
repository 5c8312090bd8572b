"""Finite Markov chains, such as the rolls of a turn under a fixed policy.

Under a fixed policy, the dice to keep depend on the roll but not on the number of rolls left. The
rolls of a turn then form a Markov chain. Row s of its transition matrix is the distribution F(d)
of the next roll after the option d that the policy chooses in state s. (Many textbooks use the
transposed matrix.) Rolling n more times corresponds to n steps of the chain.

States can be lumped into groups if all states of a group lead to each group with the same total
probability. The groups then form a Markov chain themselves.

A state is absorbing if the chain never leaves it, such as five of a kind. The probability of ever
reaching a set of states, and the expected number of steps, solve linear equations (first-step
analysis: J. Kemeny and J. Snell, Finite Markov Chains, 1960, chapter 3). They are solved exactly.

Source of the method: M. Mince, Using Markov Chains and Probabilistic Modeling to Play Yahtzee
(Pomona College), sections 4 and 5.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import inf

from rollwise.decision_analysis.decision_problem import check_distribution
from rollwise.decision_analysis.turn import Turn
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
            If ``start`` is not a state or a distribution, or the number of steps is negative.
        """
        if steps < 0:
            raise InputError(f"the number of steps must be 0 or more, not {steps}")
        distribution = {start: Fraction(1)} if isinstance(start, str) else start
        check_distribution("the initial distribution", distribution)
        for state in distribution:
            self._check_state(state)
        for _ in range(steps):
            distribution = mix(distribution, self.rows)
        return {state: distribution[state] for state in self.states if distribution.get(state)}

    @property
    def absorbing(self) -> tuple[str, ...]:
        """The states that the chain never leaves."""
        return tuple(state for state, row in self.rows.items() if row.get(state) == 1)

    def absorption(self) -> dict[str, Distribution]:
        """Return the probability of ending in each absorbing state, from each state.

        The probabilities of a state sum to less than one if the chain might never be absorbed.
        """
        reached = {target: self.reaching(target) for target in self.absorbing}
        return {
            state: {target: p[state] for target, p in reached.items() if p[state]}
            for state in self.states
        }

    def reaching(self, target: str | Collection[str]) -> Distribution:
        """Return the probability of ever reaching a target, from each state.

        ``target`` is a state or a collection of states. A chain that starts in one of these states
        has already reached the target.

        Raises
        ------
        ValueError
            If the target is not a state of the chain.
        """
        wanted = self._target(target)
        others = self._leading_to(wanted) - wanted
        rows = {state: self._within(state, others) for state in self.states if state in others}
        right = {state: sum(self.rows[state].get(t, Fraction(0)) for t in wanted) for state in rows}
        solved = _solve(rows, {state: Fraction(p) for state, p in right.items()})
        return {
            state: Fraction(state in wanted) + solved.get(state, Fraction(0))
            for state in self.states
        }

    def expected_steps(self, target: str | Collection[str]) -> dict[str, Fraction | float]:
        """Return the expected number of steps until a target is first reached, from each state.

        It is infinite from a state that might never lead to the target. See `reaching`.

        Examples
        --------
        >>> weather = MarkovChain(
        ...     {"dry": {"dry": Fraction(3, 4), "wet": Fraction(1, 4)}, "wet": {"dry": Fraction(1)}}
        ... )
        >>> weather.expected_steps("wet")
        {'dry': Fraction(4, 1), 'wet': Fraction(0, 1)}
        """
        wanted, reached = self._target(target), self.reaching(target)
        others = {state for state in self.states if reached[state] == 1} - wanted
        rows = {state: self._within(state, others) for state in self.states if state in others}
        solved = _solve(rows, dict.fromkeys(rows, Fraction(1)))
        return {
            state: Fraction(0) if state in wanted else solved.get(state, inf)
            for state in self.states
        }

    def power(self, steps: int) -> "MarkovChain":
        """Return the chain in which one step is ``steps`` steps of this chain."""
        return MarkovChain({state: self.after(state, steps) for state in self.states})

    def lump(self, group_of: Callable[[str], str]) -> "MarkovChain":
        """Return the chain of groups of states.

        ``group_of`` returns the name of the group of a state.

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
                    f"the states of the group {group!r} cannot be lumped: {state!r} moves to "
                    "groups "
                    "with other probabilities than the states before it"
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

    def _target(self, target: str | Collection[str]) -> set[str]:
        wanted = {target} if isinstance(target, str) else set(target)
        for state in sorted(wanted):
            self._check_state(state)
        return wanted

    def _leading_to(self, wanted: set[str]) -> set[str]:
        """Return the states from which a set of states can be reached."""
        leading, size = set(wanted), -1
        while len(leading) > size:
            size = len(leading)
            leading |= {
                state
                for state, row in self.rows.items()
                if any(p and target in leading for target, p in row.items())
            }
        return leading

    def _within(self, state: str, others: set[str]) -> Distribution:
        """Return the transitions from a state to a set of states."""
        return {target: p for target, p in self.rows[state].items() if p and target in others}

    def _check_state(self, state: str) -> None:
        if state not in self.rows:
            raise InputError(f"{state!r} is not a state of the chain; add a row for it")


def turn_chain(turn: Turn, keep: Mapping[str, str] | Callable[[str], str]) -> MarkovChain:
    """Return the Markov chain of a turn under a fixed policy.

    ``keep`` gives the option that the policy chooses in each state. The payoff of the turn has no
    effect on the chain.

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
            raise InputError(
                f"{option!r} cannot be kept from {state!r}; keep only dice of the roll"
            )
    return MarkovChain(rows)


def _solve(rows: Mapping[str, Distribution], right: Mapping[str, Fraction]) -> Distribution:
    """Return the solution of x = rows · x + right, by elimination of one state after another.

    From each of these states, the chain leaves the states of ``rows`` with a positive probability,
    so no divisor is zero.
    """
    reduced = {state: dict(row) for state, row in rows.items()}
    constant = dict(right)
    order = list(rows)
    for n, state in enumerate(order):
        row = reduced[state]
        leaving = 1 - row.pop(state, Fraction(0))
        constant[state] /= leaving
        for target in row:
            row[target] /= leaving
        for later in order[n + 1 :]:
            p = reduced[later].pop(state, None)
            if p:
                constant[later] += p * constant[state]
                for target, q in row.items():
                    reduced[later][target] = reduced[later].get(target, Fraction(0)) + p * q
    solution: Distribution = {}
    for state in reversed(order):
        solution[state] = constant[state] + sum(
            p * solution[target] for target, p in reduced[state].items()
        )
    return solution


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
