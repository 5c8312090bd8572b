"""Decisions under uncertainty: any finite prospect, one step at a time or many in a row.

The problem, as mathematics. A *state* ω offers *options* D(ω). An option d leads to the outcome ω'
with probability F(d)(ω'), and an outcome pays X(ω'). Then

* the value of an option is its expected payoff less its cost, v(d) = Σ F(d)(ω') X(ω') − c(d);
* the best options of a state are all those d in D(ω) with the largest v(d);
* the payoff of being able to choose is X'(ω) = max v(d) over d in D(ω).

For n decisions in a row, the payoff of the outcomes of decision i is X' of decision i + 1, and only
the last decision has a payoff of its own: induction from the end. A utility U replaces X by U(X);
it is of all that was gained, so amounts due on the way are then parts of the payoff, not costs.

The numbers choose the arithmetic. Where probabilities and payoffs are ints and Fractions, every
value is a Fraction and every tie is exact. One float among them makes all of it float64, and ties
are then told by the mean size of the payoffs: see `arrows.TIE`.

Source: W. Huber's answer on stats.stackexchange.com (2015) on the chance of a yahtzee.
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
    """A single decision: what can be chosen where, what it leads to, and what that pays.

    Attributes
    ----------
    available
        The options of each state. Its keys are the states, in order.
    options
        The outcomes of each option with their probabilities, which sum to one.
    payoff
        What each outcome pays. A decision that others follow needs none: see `analyse`.
    cost
        What an option costs when it is chosen, in the units of the payoff; 0 unless named.

    Raises
    ------
    ValueError
        When there is no state, a state without option, an option that is not described or has no
        outcome, a negative probability, an option whose probabilities do not sum to one, or a cost
        that is infinite or of no option.

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
            raise InputError("a prospect without states; expected at least one")
        for state, offered in self.available.items():
            if not offered:
                raise InputError(f"state {state!r} has no option; expected at least one")
            for option in offered:
                if option not in self.options:
                    raise InputError(
                        f"state {state!r} offers the option {option!r}, whose outcomes are missing"
                    )
        for option, outcomes in self.options.items():
            check_distribution(f"option {option!r}", outcomes)
        for option, amount in self.cost.items():
            if option not in self.options:
                raise InputError(f"a cost of {option!r}; expected costs of options that there are")
            if not isfinite(amount):
                raise InputError(f"option {option!r} costs {amount}; expected a finite number")

    @property
    def states(self) -> tuple[str, ...]:
        """The states in which the decision is made."""
        return tuple(self.available)

    @cached_property
    def outcomes(self) -> tuple[str, ...]:
        """The outcomes that some option can have."""
        return tuple(dict.fromkeys(end for row in self.options.values() for end in row))

    def in_floats(self) -> Self:
        """Return the same prospect in float64: faster, and rounded."""
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
        chances = (p for outcomes in self.options.values() for p in outcomes.values())
        return is_exact(chances) and is_exact(self._costs)

    @cached_property
    def _chances(self) -> Arrows:
        """The arrows from options to outcomes, with probabilities."""
        index = {outcome: i for i, outcome in enumerate(self.outcomes)}
        return Arrows.leaving(
            ([(index[end], p) for end, p in row.items()] for row in self.options.values()),
            dtype=object if self._exact else float,
        )


@dataclass(frozen=True)
class Decision:
    """The answer to one decision.

    Attributes
    ----------
    option_values
        The expected payoff v(d) of each option, less its cost.
    values
        The payoff X'(ω) of each state under a best option.
    best
        All best options of each state, in the order in which the state offers them.
    """

    option_values: Mapping[str, Number]
    values: Mapping[str, Number]
    best: Mapping[str, tuple[str, ...]]


def decide(
    prospect: DecisionProblem, utility: Callable[[Number], Number] | None = None
) -> Decision:
    """Solve a single decision.

    Parameters
    ----------
    prospect
        The decision, with its payoff.
    utility
        What a payoff is worth to whoever decides; values are then expected utilities.

    Raises
    ------
    ValueError
        When an outcome has no payoff, or no finite one.
    """
    return analyse([prospect], utility)[0]


def analyse(
    prospects: Sequence[DecisionProblem], utility: Callable[[Number], Number] | None = None
) -> tuple[Decision, ...]:
    """Solve decisions in a row, by induction from the last to the first.

    Parameters
    ----------
    prospects
        The decisions in the order of time; they may differ in everything, as long as the outcomes
        of each are states of the next. ``[prospect] * n`` repeats one. Only the payoff of the last
        one counts.
    utility
        What a final payoff is worth to whoever decides; values are then expected utilities.

    Returns
    -------
    tuple of Decision
        One for each prospect, in the same order.

    Raises
    ------
    ValueError
        When there is no decision, an outcome has neither a finite payoff nor a decision that
        follows in that state, or there are costs and a utility.
    """
    if not prospects:
        raise InputError("no decisions to analyse; expected at least one")
    payoff = prospects[-1].payoff or {}
    if utility is not None:
        if any(prospect.cost for prospect in prospects):
            raise InputError(
                "costs and a utility; expected no costs, but payoffs from which they are taken: "
                "a utility is of all that was gained"
            )
        payoff = {outcome: utility(x) for outcome, x in payoff.items()}
    sizes: Mapping[str, Number] = _sizes(payoff)
    decisions: list[Decision] = []
    for prospect in reversed(prospects):
        decision, sizes = _step(prospect, payoff, sizes)
        decisions.append(decision)
        payoff = decision.values
    return tuple(reversed(decisions))


def expected(distribution: Mapping[str, Number], payoff: Mapping[str, Number]) -> Number:
    """Return the mean payoff over a distribution, such as that of the state one starts in.

    Raises
    ------
    ValueError
        When it is no distribution, or an outcome has no payoff.
    """
    check_distribution("the distribution", distribution)
    check_payoff(distribution, payoff)
    return sum(p * payoff[outcome] for outcome, p in distribution.items())


def _step(
    prospect: DecisionProblem, payoff: Mapping[str, Number], size: Mapping[str, Number]
) -> tuple[Decision, Mapping[str, Number]]:
    """Take X to X': means along the chance arrows, then the best of each state; sizes likewise."""
    check_payoff(prospect.outcomes, payoff)
    numbers = [payoff[outcome] for outcome in prospect.outcomes]
    exact = prospect._exact and is_exact(numbers)
    costs = as_array(prospect._costs, exact)
    means = prospect._chances.total(as_array(numbers, exact)) - costs
    values: dict[str, Number] = dict(zip(prospect.options, means.tolist(), strict=True))
    if exact:
        sizes = _sizes(values)
    else:
        of_outcomes = as_array([size[outcome] for outcome in prospect.outcomes], exact)
        of_options = prospect._chances.total(of_outcomes) + abs(costs)
        sizes = dict(zip(prospect.options, of_options.tolist(), strict=True))
    top = {state: max(ds, key=lambda d: values[d]) for state, ds in prospect.available.items()}
    best = {
        state: tuple(d for d in offered if is_tie(values[d], values[b], sizes[d], sizes[b]))
        for (state, offered), b in zip(prospect.available.items(), top.values(), strict=True)
    }
    decision = Decision(values, {state: values[d] for state, d in top.items()}, best)
    return decision, {state: sizes[d] for state, d in top.items()}


def _sizes(numbers: Mapping[str, Number]) -> dict[str, Number]:
    return {name: -number if number < 0 else number for name, number in numbers.items()}


def _floats(numbers: Mapping[str, Number]) -> dict[str, Number]:
    return {name: float(number) for name, number in numbers.items()}


def check_distribution(what: str, outcomes: Mapping[str, Number]) -> None:
    """Raise ValueError unless the probabilities are none below 0 and sum to one."""
    if not outcomes:
        raise InputError(f"{what} has no outcome; expected at least one")
    for outcome, p in outcomes.items():
        if not p >= 0:
            raise InputError(
                f"{what} leads to {outcome!r} with probability {p}; expected 0 or more"
            )
    total = sum(outcomes.values())
    exact = is_exact(outcomes.values())
    if not (total == 1 if exact else isclose(total, 1, rel_tol=0, abs_tol=1e-9)):
        raise InputError(f"{what}: its probabilities sum to {total}; expected 1")


def check_payoff(outcomes: Iterable[str], payoff: Mapping[str, Number]) -> None:
    """Raise ValueError unless every outcome has a payoff, and a finite one."""
    for outcome in outcomes:
        if outcome not in payoff:
            raise InputError(
                f"outcome {outcome!r} has no payoff; expected one, "
                "or that it is a state of the decision that follows"
            )
        if not isfinite(payoff[outcome]):
            raise InputError(
                f"outcome {outcome!r} pays {payoff[outcome]}; expected a finite number"
            )
