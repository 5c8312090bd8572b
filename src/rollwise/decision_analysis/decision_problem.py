"""Decision problems: one decision under uncertainty, or several consecutive decisions.

A *state* ω offers *options* D(ω). An option d leads to the outcome ω' with probability F(d)(ω').
The outcome ω' pays X(ω'). Then

* the value of an option is its expected payoff minus its cost c(d), which is
  v(d) = Σ F(d)(ω') X(ω') − c(d);
* the best options of a state are all d in D(ω) with the largest v(d);
* the value of a state is X'(ω) = max v(d) over d in D(ω).

Backward induction solves n consecutive decisions. The payoff of the outcomes of decision i is X' of
decision i + 1. An outcome that is not a state of decision i + 1 carries over to a later decision of
which it is a state, or to its payoff at the end. A utility U replaces X with U(X). It applies to
the total payoff, so intermediate amounts must be part of the payoff, not costs.

All numbers are ints or Fractions, so values and ties are exact.

Source: W. Huber's answer on stats.stackexchange.com (2015) on the probability of a yahtzee.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from rollwise.errors import InputError, quoted

Number = int | Fraction


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
        probabilities of an option are not a distribution. If a number is neither an int nor a
        Fraction, or a cost belongs to no option.

    Examples
    --------
    >>> from dataclasses import replace
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
            _check_number(f"the cost of option {option!r}", amount)
        for outcome, amount in (self.payoff or {}).items():
            _check_number(f"the payoff of outcome {outcome!r}", amount)


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

    option_values: Mapping[str, Fraction]
    values: Mapping[str, Fraction]
    best: Mapping[str, tuple[str, ...]]


def decide(problem: DecisionProblem, utility: Callable[[Number], Number] | None = None) -> Decision:
    """Return the values and the best options of a single decision; see `analyze`."""
    return analyze([problem], utility)[0]


def analyze(
    problems: Sequence[DecisionProblem], utility: Callable[[Number], Number] | None = None
) -> tuple[Decision, ...]:
    """Solve several consecutive decisions by backward induction.

    Parameters
    ----------
    problems
        The decisions in chronological order. Each outcome must be a state of a later decision, or
        have a payoff in the last decision. ``[problem] * n`` repeats a decision.
    utility
        The decision maker's utility of the final payoff, an int or a Fraction. If it is given,
        values are expected utilities.

    Returns
    -------
    tuple of Decision
        The solution of each problem, in the same order.

    Raises
    ------
    ValueError
        If there are no decisions, an outcome has no payoff, there are both costs and a utility, or
        a utility is neither an int nor a Fraction.
    """
    if not problems:
        raise InputError("there are no decisions to analyze; give at least one")
    worth = dict(problems[-1].payoff or {})
    if utility is not None:
        if any(problem.cost for problem in problems):
            raise InputError(
                "costs cannot be combined with a utility, because a utility applies to the final "
                "payoff; subtract the costs from the payoffs instead"
            )
        worth = {outcome: utility(x) for outcome, x in worth.items()}
        for outcome, x in worth.items():
            _check_number(f"the utility of outcome {outcome!r}", x)
    decisions: list[Decision] = []
    for problem in reversed(problems):
        values = {
            option: _mean(outcomes, worth) - problem.cost.get(option, 0)
            for option, outcomes in problem.options.items()
        }
        top = {state: max(values[d] for d in row) for state, row in problem.available.items()}
        best = {
            state: tuple(d for d in row if values[d] == top[state])
            for state, row in problem.available.items()
        }
        decisions.append(Decision(values, top, best))
        worth |= top
    return tuple(reversed(decisions))


def expected(distribution: Mapping[str, Number], payoff: Mapping[str, Number]) -> Fraction:
    """Return the mean payoff under a distribution of outcomes, such as the initial distribution.

    Raises
    ------
    ValueError
        If the probabilities are not a distribution, or an outcome has no payoff.
    """
    check_distribution("the distribution", distribution)
    return _mean(distribution, payoff)


def check_distribution(what: str, outcomes: Mapping[str, Number]) -> None:
    """Raise InputError unless the probabilities of outcomes are non-negative and sum to one."""
    if not outcomes:
        raise InputError(f"{what} has no outcomes; give it at least one")
    for outcome, p in outcomes.items():
        _check_number(f"the probability of {outcome!r} in {what}", p)
        if p < 0:
            raise InputError(
                f"{what} leads to {outcome!r} with probability {p}, which is not 0 or more"
            )
    if (total := sum(outcomes.values())) != 1:
        raise InputError(f"the probabilities of {what} must sum to 1, not {total}")


def _mean(distribution: Mapping[str, Number], payoff: Mapping[str, Number]) -> Fraction:
    for outcome in distribution:
        if outcome not in payoff:
            raise InputError(
                f"outcome {outcome!r} has no payoff; give it one, or make it a state of a later "
                "decision"
            )
    return sum((Fraction(p) * payoff[outcome] for outcome, p in distribution.items()), Fraction(0))


def _check_number(what: str, number: object) -> None:
    if not isinstance(number, Number):
        raise InputError(
            f'{what} is {quoted(number)}; use an int or a Fraction, such as Fraction("0.5")'
        )
