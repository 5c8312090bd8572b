"""Decisions under uncertainty: any finite prospect, one step at a time or many in a row.

The problem, as mathematics. A *state* ω offers *options* D(ω). An option d leads to the outcome ω'
with probability F(d)(ω'), and an outcome pays X(ω'). Then

* the value of an option is its expected payoff, v(d) = Σ F(d)(ω') X(ω');
* the best options of a state are all those d in D(ω) with the largest v(d);
* the payoff of being able to choose is X'(ω) = max v(d) over d in D(ω).

For n decisions in a row, the payoff of the outcomes of decision i is X' of decision i + 1, and only
the last decision has a payoff of its own: induction from the end. A utility U replaces X by U(X).

The numbers choose the arithmetic. Where probabilities and payoffs are ints and Fractions, every
value is a Fraction and every tie is exact. One float among them makes all of it float64, and ties
are then values within `arrows.TIE` of the best.

Source: W. Huber's answer on stats.stackexchange.com (2015) on the chance of a yahtzee.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isclose, isfinite
from typing import Self

from rollwise.errors import InputError
from rollwise.prospects.arrows import Array, Arrows, Number, as_array, is_exact, is_tie


@dataclass(frozen=True)
class Prospect:
    """A single decision: what can be chosen where, what it leads to, and what that pays.

    Attributes
    ----------
    available
        The options of each state. Its keys are the states, in order.
    options
        The outcomes of each option with their probabilities, which sum to one.
    payoff
        What each outcome pays. A decision that others follow needs none: see `analyse`.

    Raises
    ------
    ValueError
        When there is no state, a state without option, an option that is not described or has no
        outcome, a negative probability, or an option whose probabilities do not sum to one.

    Examples
    --------
    >>> from fractions import Fraction
    >>> half = Fraction(1, 2)
    >>> bet = Prospect(
    ...     available={"at the table": ["play", "leave"]},
    ...     options={"play": {"win": half, "lose": half}, "leave": {"even": 1}},
    ...     payoff={"win": 5, "lose": -4, "even": 0},
    ... )
    >>> decide(bet).best
    {'at the table': ('play',)}
    >>> decide(bet, utility=lambda x: min(x, 3)).best
    {'at the table': ('leave',)}
    """

    available: Mapping[str, Sequence[str]]
    options: Mapping[str, Mapping[str, Number]]
    payoff: Mapping[str, Number] | None = None

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
        return type(self)(
            self.available,
            {d: {end: float(p) for end, p in row.items()} for d, row in self.options.items()},
            self.payoff and {end: float(x) for end, x in self.payoff.items()},
        )

    @cached_property
    def _exact(self) -> bool:
        return is_exact(p for row in self.options.values() for p in row.values())

    @cached_property
    def _chances(self) -> Arrows:
        """The arrows from options to outcomes, with probabilities."""
        index = {outcome: i for i, outcome in enumerate(self.outcomes)}
        return Arrows.leaving(
            ([(index[end], p) for end, p in row.items()] for row in self.options.values()),
            dtype=object if self._exact else float,
        )

    @cached_property
    def _choices(self) -> Arrows:
        """The arrows from states to options."""
        index = {option: i for i, option in enumerate(self.options)}
        return Arrows.leaving(
            ([(index[option], 1) for option in offered] for offered in self.available.values()),
            dtype=int,
        )


@dataclass(frozen=True)
class Decision:
    """The answer to one decision.

    Attributes
    ----------
    option_values
        The expected payoff v(d) of each option.
    values
        The payoff X'(ω) of each state under a best option.
    best
        All best options of each state, in the order in which the state offers them.
    """

    option_values: Mapping[str, Number]
    values: Mapping[str, Number]
    best: Mapping[str, tuple[str, ...]]


def decide(prospect: Prospect, utility: Callable[[Number], Number] | None = None) -> Decision:
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
    prospects: Sequence[Prospect], utility: Callable[[Number], Number] | None = None
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
        When there is no decision, or an outcome has neither a finite payoff nor a decision that
        follows in that state.
    """
    if not prospects:
        raise InputError("no decisions to analyse; expected at least one")
    payoff = prospects[-1].payoff or {}
    if utility is not None:
        payoff = {outcome: utility(x) for outcome, x in payoff.items()}
    decisions: list[Decision] = []
    for prospect in reversed(prospects):
        decisions.append(_step(prospect, payoff))
        payoff = decisions[-1].values
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


def _step(prospect: Prospect, payoff: Mapping[str, Number]) -> Decision:
    """Take X to X': expectations along the chance arrows, maxima along the choice arrows."""
    check_payoff(prospect.outcomes, payoff)
    numbers = [payoff[outcome] for outcome in prospect.outcomes]
    x = as_array(numbers, exact=prospect._exact and is_exact(numbers))
    option_values: Array = prospect._chances.total(x)
    values = dict(zip(prospect.options, option_values.tolist(), strict=True))
    best_values = prospect._choices.best(option_values).tolist()
    best = {
        state: tuple(option for option in offered if is_tie(values[option], value))
        for (state, offered), value in zip(prospect.available.items(), best_values, strict=True)
    }
    return Decision(values, dict(zip(prospect.states, best_values, strict=True)), best)


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
