"""Models of decisions with a utility: consecutive decisions, or an influence diagram.

A model is solved by backward induction. A forward pass under the optimal policy then gives the
*risk profile*, which is the distribution of the payoff. If several options are best, the policy
takes the first one.

The *value of information* is the increase of the certainty equivalent if something is known
before a decision. Without a utility, this is the expected value of (perfect) information. With an
exponential utility, it is the highest price to pay; with another utility, it is close to that
price.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from rollwise.decision_analysis.arrows import Number
from rollwise.decision_analysis.decision_problem import DecisionProblem, analyze
from rollwise.decision_analysis.drawing import Picture, decision_picture, passes
from rollwise.decision_analysis.influence_diagram import (
    ChanceNode,
    Choice,
    DecisionNode,
    InfluenceDiagram,
    solve_diagram,
)
from rollwise.decision_analysis.utility import LinearUtility, Utility
from rollwise.errors import InputError

STATE = "state"
"""The name of the known quantity in the choices of a `StagedDecision`."""


class PlannedChoice(NamedTuple):
    """A choice, and the probability that the optimal policy reaches it."""

    choice: Choice
    probability: Number

    @property
    def key(self) -> tuple[str, tuple[tuple[str, str], ...]]:
        """The decision and the known states, as a dictionary key."""
        return self.choice.decision, tuple(self.choice.known.items())


class Information(NamedTuple):
    """The value of knowing ``names`` before the decision ``before``."""

    names: tuple[str, ...]
    before: str
    value: Number


@dataclass(frozen=True)
class ModelSolution:
    """The solution of a model.

    Attributes
    ----------
    expected_utility
        The expected utility of the optimal policy: the expected payoff if the utility is linear.
    choices
        All choices, in the order of the decisions. Their values are expected utilities.
    risk_profile
        The probability of each possible payoff under the optimal policy, in ascending order.
    utility
        The utility of the model.
    """

    expected_utility: Number
    choices: Sequence[PlannedChoice]
    risk_profile: Mapping[Number, Number]
    utility: Utility

    @property
    def certainty_equivalent(self) -> Number:
        """The certain payoff that is as good as the optimal policy."""
        return self.utility.inverse(self.expected_utility)

    @property
    def expected_payoff(self) -> Number:
        """The mean payoff under the optimal policy."""
        return sum(p * payoff for payoff, p in self.risk_profile.items())

    def certainty_equivalents(self, choice: Choice) -> dict[str, Number]:
        """Return the certainty equivalent of each option of a choice."""
        return {option: self.utility.inverse(value) for option, value in choice.values.items()}

    @property
    def first_choices(self) -> Sequence[PlannedChoice]:
        """The choices of the first decision."""
        first = self.choices[0].choice.decision
        return [planned for planned in self.choices if planned.choice.decision == first]


@dataclass(frozen=True, kw_only=True)
class DecisionModel(ABC):
    """A model of decisions.

    Attributes
    ----------
    title
        The title, or an empty string.
    unit
        The unit of the payoffs, or an empty string.
    utility
        The utility of the total payoff.
    """

    title: str = ""
    unit: str = ""
    utility: Utility = field(default_factory=LinearUtility)

    @abstractmethod
    def solve(self) -> ModelSolution:
        """Solve the model.

        Raises
        ------
        ValueError
            If a number is invalid, or the model is too large.
        """

    @abstractmethod
    def information(self, *names: str) -> Iterator[Information]:
        """Yield the value of each possible piece of perfect information.

        ``names`` are chance nodes of a diagram, which become known together, or an option of the
        first stage, whose outcome becomes known. By default, the method yields a value for each of
        them separately.

        Raises
        ------
        ValueError
            If a name is unknown, or nothing can be known before a decision.
        """

    @abstractmethod
    def picture(self) -> Picture:
        """Draw the model."""

    @property
    def _utility_function(self) -> Callable[[Number], Number] | None:
        return None if isinstance(self.utility, LinearUtility) else self.utility


@dataclass(frozen=True, kw_only=True)
class StagedDecision(DecisionModel):
    """Consecutive decisions, in which the outcomes of one stage are the states of the next.

    Attributes
    ----------
    names
        The name of each stage.
    problems
        The decision problem of each stage; the last has the payoff.
    start
        The probability of each state of the first stage.
    """

    names: Sequence[str]
    problems: Sequence[DecisionProblem]
    start: Mapping[str, Number]

    def solve(self) -> ModelSolution:
        """Solve all stages, starting with the last stage."""
        decisions = analyze(self.problems, self._utility_function)
        value = sum(p * decisions[0].values[state] for state, p in self.start.items())
        choices: list[PlannedChoice] = []
        reached: dict[tuple[str, Number], Number] = {
            (state, 0): p for state, p in self.start.items() if p
        }  # by state and total cost
        for i, (problem, decision) in enumerate(zip(self.problems, decisions, strict=True)):
            for state, options in problem.available.items():
                if i and passes(problem, state):
                    continue
                values = {option: decision.option_values[option] for option in options}
                probability = sum(p for (other, _), p in reached.items() if other == state)
                choice = Choice(self.names[i], {STATE: state}, 1, values, decision.best[state])
                choices.append(PlannedChoice(choice, probability))
            following: dict[tuple[str, Number], Number] = {}
            for (state, paid), p in reached.items():
                option = decision.best[state][0]
                paid += problem.cost.get(option, 0)
                for outcome, q in problem.options[option].items():
                    key = outcome, paid
                    following[key] = following.get(key, 0) + p * q
            reached = following
        payoff = self.problems[-1].payoff or {}
        profile = _profile((payoff[outcome] - paid, p) for (outcome, paid), p in reached.items())
        return ModelSolution(value, choices, profile, self.utility)

    def information(self, *names: str) -> Iterator[Information]:
        """Yield the value of knowing the outcome of an option of the first stage."""
        first, decisions = self.problems[0], analyze(self.problems, self._utility_function)
        value = sum(p * decisions[0].values[state] for state, p in self.start.items())
        after = self._payoff_after_first()
        uncertain = [option for option, outcomes in first.options.items() if len(outcomes) > 1]
        if len(names) > 1 or not set(names) <= set(uncertain):
            raise InputError(
                f"{', '.join(names)} cannot be known before {self.names[0]!r}; name one option of "
                f"this stage with several outcomes: {', '.join(uncertain) or 'there is none'}"
            )
        for option in names or uncertain:
            informed: Number = 0
            for state, p in self.start.items():
                others = [
                    decisions[0].option_values[other]
                    for other in first.available[state]
                    if other != option
                ]
                if len(others) == len(first.available[state]):
                    informed += p * decisions[0].values[state]
                    continue
                for outcome, q in first.options[option].items():
                    known = after[outcome] - first.cost.get(option, 0)
                    informed += p * q * max([known, *others])
            gain = self.utility.inverse(informed) - self.utility.inverse(value)
            yield Information((option,), self.names[0], gain)

    def picture(self) -> Picture:
        """Draw all stages from left to right."""
        names = self.names if len(self.names) > 1 else ()
        return decision_picture(self.problems, self._utility_function, self.title, names)

    def _payoff_after_first(self) -> Mapping[str, Number]:
        """Return the expected utility of each outcome of the first stage."""
        if len(self.problems) > 1:
            return analyze(self.problems[1:], self._utility_function)[0].values
        payoff = self.problems[0].payoff or {}
        return {outcome: self.utility(x) for outcome, x in payoff.items()}


@dataclass(frozen=True, kw_only=True)
class DiagramDecision(DecisionModel):
    """An influence diagram with a utility of its payoff.

    Attributes
    ----------
    diagram
        The influence diagram.
    """

    diagram: InfluenceDiagram

    def solve(self) -> ModelSolution:
        """Solve the diagram, and follow the optimal policy through all worlds."""
        solution = solve_diagram(self.diagram, self._utility_function)
        planned = {PlannedChoice(choice, 0).key: choice for choice in solution.choices}
        reached: dict[Any, Number] = dict.fromkeys(planned, 0)
        worlds: list[tuple[dict[str, str], dict[str, str], Number]] = [({}, {}, 1)]
        for node in self.diagram.nodes:
            following = []
            for states, known, p in worlds:
                if isinstance(node, ChanceNode):
                    row = node.distribution_given([states[parent] for parent in node.parents])
                    following += [
                        (states | {node.name: state}, known, p * q) for state, q in row.items() if q
                    ]
                elif isinstance(node, DecisionNode):
                    known = known | {parent: states[parent] for parent in node.parents}
                    key = node.name, tuple(known.items())
                    reached[key] += p
                    taken = {node.name: planned[key].best[0]}
                    following.append((states | taken, known | taken, p))
                else:
                    following.append((states, known, p))
            worlds = following
        profile = _profile((self.diagram.payoff(states), p) for states, _, p in worlds)
        choices = [PlannedChoice(choice, reached[key]) for key, choice in planned.items()]
        return ModelSolution(solution.value, choices, profile, self.utility)

    def information(self, *names: str) -> Iterator[Information]:
        """Yield the value of knowing chance nodes before each decision at which it is possible."""
        value = self.solve().certainty_equivalent
        chance = [n.name for n in self.diagram.nodes if isinstance(n, ChanceNode)]
        decisions = [n for n in self.diagram.nodes if isinstance(n, DecisionNode)]
        reason = InputError(f"{', '.join(names)} is already known before every decision")
        possible = False
        for wanted in [names] if names else [(name,) for name in chance]:
            known = set[str]()
            for decision in decisions:
                known.update(decision.parents)
                if set(wanted) <= known:
                    continue
                try:
                    diagram = self.diagram.with_information(*wanted, before=decision.name)
                except InputError as error:
                    reason = error
                    continue
                informed = replace(self, diagram=diagram).solve().certainty_equivalent
                possible = True
                yield Information(wanted, decision.name, informed - value)
        if names and not possible:
            raise reason

    def picture(self) -> Picture:
        """Draw the nodes and arcs."""
        return self.diagram.picture(self.title)


def _profile(payoffs: Iterator[tuple[Number, Number]]) -> Mapping[Number, Number]:
    """Return the total probability of each payoff, in ascending order of the payoffs."""
    profile: dict[Number, Number] = {}
    for payoff, p in payoffs:
        profile[payoff] = profile.get(payoff, 0) + p
    return dict(sorted(item for item in profile.items() if item[1]))
