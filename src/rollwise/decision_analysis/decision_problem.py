"""Decision problems: one decision under uncertainty, or several consecutive decisions.

A *state* ω offers *options* D(ω). An option d leads to the outcome ω' with probability F(d)(ω').
The outcome ω' pays X(ω'). Then

* the value of an option is its expected payoff minus its cost c(d), which is
  v(d) = Σ F(d)(ω') X(ω') − c(d);
* the best options of a state are all d in D(ω) with the largest v(d);
* the value of a state is X'(ω) = max v(d) over d in D(ω).

Backward induction solves n consecutive decisions. The payoff of the outcomes of decision i is X' of
decision i + 1; only the last decision needs a given payoff. A utility U replaces X with U(X). It
applies to the total payoff, so intermediate amounts must be part of the payoff, not costs.

If all probabilities, payoffs, and costs are ints or Fractions, every value is a Fraction and ties
are exact. If any number is a float, all values are float64 and ties allow for rounding: see
`arrows.TIE`.

Source: W. Huber's answer on stats.stackexchange.com (2015) on the probability of a yahtzee.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import isclose, isfinite
from typing import Self

from rollwise.decision_analysis.arrows import Arrows, Number, as_array, is_exact, is_tie
from rollwise.errors import InputError


@dataclass(frozen=True)
class DecisionProblem:
    """A single decision: the options of each state, their outcomes, and the payoffs.

    Attributes
    ----------
    available
        The options of each state. The keys are the states.
    options
        The probabilities of the outcomes of each option, which sum to one.
    payoff
        The payoff of each outcome. If decisions follow one another, only the last decision needs
        payoffs: see `analyze`.
    cost
        The cost of choosing an option, in the units of the payoff (default: 0).

    Raises
    ------
    ValueError
        If there are no states, a state has no options, or an option has no outcomes. If the
        probabilities of an option are not a distribution. If a cost is not finite or belongs to no
        option.

    Examples
    --------
    >>> from fractions import Fraction
    >>> half = Fraction(1, 2)
    >>> bet = DecisionProblem(
    ...     available={"at the table": ["play", "leave"]},
    ...     options={"play": {"win": half, "lose": half}, "leave": {"even": 1}},
    ...     payoff={"win": 5, "lose": -4, "even": 0},
    ... )
    >>> decide(bet).best
    {'at the table': ('play',)}
    >>> decide(bet, utility=lambda x: min(x, 3)).best
    {'at the table': ('leave',)}
    >>> decide(replace(bet, cost={"play": half})).option_values
    {'play': Fraction(0, 1), 'leave': Fraction(0, 1)}
    """

    available: Mapping[str, Sequence[str]]
    options: Mapping[str, Mapping[str, Number]]
    payoff: Mapping[str, Number] | None = None
    cost: Mapping[str, Number] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.available:
            raise InputError("a decision problem needs at least one state")
        for state, offered in self.available.items():
            if not offered:
                raise InputError(f"state {state!r} has no options; give it at least one")
            for option in offered:
                if option not in self.options:
                    raise InputError(
                        f"state {state!r} offers option {option!r}, which has no outcomes; add its "
                        "distribution to options"
                    )
        for option, outcomes in self.options.items():
            check_distribution(f"option {option!r}", outcomes)
        for option, amount in self.cost.items():
            if option not in self.options:
                raise InputError(f"there is a cost for {option!r}, which is not an option")
            if not isfinite(amount):
                raise InputError(
                    f"the cost of option {option!r} must be a finite number, not {amount}"
                )

    @property
    def states(self) -> tuple[str, ...]:
        """The states in which the decision is made."""
        return tuple(self.available)

    @cached_property
    def outcomes(self) -> tuple[str, ...]:
        """All outcomes of all options."""
        return tuple(dict.fromkeys(outcome for row in self.options.values() for outcome in row))

    def in_floats(self) -> Self:
        """Return this problem with float64 numbers, which are faster but not exact."""
        return replace(
            self,
            options={d: _floats(outcomes) for d, outcomes in self.options.items()},
            payoff=self.payoff and _floats(self.payoff),
            cost=_floats(self.cost),
        )

    @cached_property
    def _costs(self) -> list[Number]:
        return [self.cost.get(option, 0) for option in self.options]

    @cached_property
    def _exact(self) -> bool:
        probabilities = (p for outcomes in self.options.values() for p in outcomes.values())
        return is_exact(probabilities) and is_exact(self._costs)

    @cached_property
    def _chance_arrows(self) -> Arrows:
        """The arrows from options to outcomes, weighted by probability."""
        index = {outcome: i for i, outcome in enumerate(self.outcomes)}
        return Arrows.leaving(
            ([(index[outcome], p) for outcome, p in row.items()] for row in self.options.values()),
            dtype=object if self._exact else float,
        )


@dataclass(frozen=True)
class Decision:
    """The solution of one decision.

    Attributes
    ----------
    option_values
        The value v(d) of each option: its expected payoff minus its cost.
    values
        The value X'(ω) of each state.
    best
        All best options of each state, in the order of ``available``.
    """

    option_values: Mapping[str, Number]
    values: Mapping[str, Number]
    best: Mapping[str, tuple[str, ...]]


def decide(problem: DecisionProblem, utility: Callable[[Number], Number] | None = None) -> Decision:
    """Return the values and the best options of a single decision.

    If ``utility`` is given, payoffs are replaced with their utilities, and values are expected
    utilities.

    Raises
    ------
    ValueError
        If an outcome has no finite payoff, or there are both costs and a utility.
    """
    return analyze([problem], utility)[0]


def analyze(
    problems: Sequence[DecisionProblem], utility: Callable[[Number], Number] | None = None
) -> tuple[Decision, ...]:
    """Solve several consecutive decisions by backward induction.

    Parameters
    ----------
    problems
        The decisions in chronological order. The outcomes of each decision must be states of the
        next decision. ``[problem] * n`` repeats a decision. Only the last decision uses its payoff.
    utility
        The decision maker's utility of the final payoff. If it is given, values are expected
        utilities.

    Returns
    -------
    tuple of Decision
        The solution of each problem, in the same order.

    Raises
    ------
    ValueError
        If there are no decisions, or there are both costs and a utility. If an outcome of the last
        decision has no finite payoff, or an outcome of another decision is not a state of the next
        decision.
    """
    if not problems:
        raise InputError("there are no decisions to analyze; give at least one")
    payoff = problems[-1].payoff or {}
    if utility is not None:
        if any(problem.cost for problem in problems):
            raise InputError(
                "costs cannot be combined with a utility, because a utility applies to the final "
                "payoff; subtract the costs from the payoffs instead"
            )
        payoff = {outcome: utility(x) for outcome, x in payoff.items()}
    sizes: Mapping[str, Number] = _sizes(payoff)
    decisions: list[Decision] = []
    for problem in reversed(problems):
        decision, sizes = _step(problem, payoff, sizes)
        decisions.append(decision)
        payoff = decision.values
    return tuple(reversed(decisions))


def expected(distribution: Mapping[str, Number], payoff: Mapping[str, Number]) -> Number:
    """Return the mean payoff under a distribution of outcomes, such as the initial distribution.

    Raises
    ------
    ValueError
        If the probabilities are not a distribution, or an outcome has no finite payoff.
    """
    check_distribution("the distribution", distribution)
    check_payoff(distribution, payoff)
    return sum(p * payoff[outcome] for outcome, p in distribution.items())


def _step(
    problem: DecisionProblem, payoff: Mapping[str, Number], size: Mapping[str, Number]
) -> tuple[Decision, Mapping[str, Number]]:
    """Return the solution of a decision, and the magnitude of the value of each state.

    This is one Bellman step. ``size`` contains the magnitudes of ``payoff``, which `arrows.TIE`
    defines.
    """
    check_payoff(problem.outcomes, payoff)
    numbers = [payoff[outcome] for outcome in problem.outcomes]
    exact = problem._exact and is_exact(numbers)
    costs = as_array(problem._costs, exact)
    means = problem._chance_arrows.total(as_array(numbers, exact)) - costs
    values: dict[str, Number] = dict(zip(problem.options, means.tolist(), strict=True))
    if exact:
        sizes = _sizes(values)
    else:
        of_outcomes = as_array([size[outcome] for outcome in problem.outcomes], exact)
        of_options = problem._chance_arrows.total(of_outcomes) + abs(costs)
        sizes = dict(zip(problem.options, of_options.tolist(), strict=True))
    top = {
        state: max(options, key=lambda d: values[d]) for state, options in problem.available.items()
    }
    best = {
        state: tuple(d for d in options if is_tie(values[d], values[b], sizes[d], sizes[b]))
        for (state, options), b in zip(problem.available.items(), top.values(), strict=True)
    }
    decision = Decision(values, {state: values[d] for state, d in top.items()}, best)
    return decision, {state: sizes[d] for state, d in top.items()}


def _sizes(numbers: Mapping[str, Number]) -> dict[str, Number]:
    return {name: -number if number < 0 else number for name, number in numbers.items()}


def _floats(numbers: Mapping[str, Number]) -> dict[str, Number]:
    return {name: float(number) for name, number in numbers.items()}


def check_distribution(what: str, outcomes: Mapping[str, Number]) -> None:
    """Raise InputError unless the probabilities of outcomes are non-negative and sum to one."""
    if not outcomes:
        raise InputError(f"{what} has no outcomes; give it at least one")
    for outcome, p in outcomes.items():
        if not p >= 0:
            raise InputError(
                f"{what} leads to {outcome!r} with probability {p}, which is not 0 or more"
            )
    total = sum(outcomes.values())
    exact = is_exact(outcomes.values())
    if not (total == 1 if exact else isclose(total, 1, rel_tol=0, abs_tol=1e-9)):
        raise InputError(f"the probabilities of {what} must sum to 1, not {total}")


def check_payoff(outcomes: Iterable[str], payoff: Mapping[str, Number]) -> None:
    """Raise InputError unless every outcome has a finite payoff."""
    for outcome in outcomes:
        if outcome not in payoff:
            raise InputError(
                f"outcome {outcome!r} has no payoff; give it one, or make it a state of the next "
                "decision"
            )
        if not isfinite(payoff[outcome]):
            raise InputError(
                f"the payoff of outcome {outcome!r} must be a finite number, not {payoff[outcome]}"
            )
