"""Influence diagrams solved: all best options of every decision, and what knowing more is worth.

Whoever is to decide knows some nodes, and holds possible the *worlds* that agree with them: states
of all nodes that come before the decision, hidden ones too, each with its probability. Taking an
option and learning more split the worlds; after the last decision each world pays the sum of its
value nodes. The value of a decision is the largest mean over its options: induction from the end.

Information about a chance node before a decision is worth what it adds to the value of the diagram.
Knowing the uncertain thing itself is *perfect* information (EVPI is its value); knowing a node that
only depends on it, such as a test, is *imperfect* or *sample* information (EVSI).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import isfinite

from rollwise.errors import InputError, TooLargeError
from rollwise.prospects.arrows import Number, is_tie
from rollwise.prospects.influence import ChanceNode, DecisionNode, InfluenceDiagram, Law, ValueNode
from rollwise.prospects.prospect import check_distribution

MAX_WORLDS = 200_000
"""Diagrams with more are refused: they would take a minute and more."""

Known = Mapping[str, str]
Utility = Callable[[Number], Number]


@dataclass(frozen=True)
class Choice:
    """A decision, once something is known.

    Attributes
    ----------
    decision
        The name of the decision node.
    known
        The states of all nodes that are known, earlier decisions among them.
    probability
        The chance to know this, if the earlier decisions are those.
    values
        The expected payoff of each option, or its expected utility.
    best
        All best options.
    """

    decision: str
    known: Known
    probability: Number
    values: Mapping[str, Number]
    best: tuple[str, ...]


@dataclass(frozen=True)
class DiagramSolution:
    """The solution of a diagram.

    Attributes
    ----------
    value
        The expected payoff under best decisions, or the expected utility.
    choices
        What is best in each situation that some decisions lead to; ``str`` shows them as lines.
    """

    value: Number
    choices: Sequence[Choice]

    def best(self, decision: str, **known: str) -> tuple[str, ...]:
        """Return the best options of a decision where some nodes are known to be in some states.

        Raises
        ------
        ValueError
            When no situation is like that, or several that differ in what is best.
        """
        found = {
            choice.best
            for choice in self.choices
            if choice.decision == decision and known.items() <= choice.known.items()
        }
        if len(found) != 1:
            raise InputError(
                f"the decision {decision!r} knowing {known} has {len(found)} answers; "
                "expected as much as tells what is best, and not what cannot be"
            )
        return found.pop()

    def __str__(self) -> str:
        return "\n".join(
            f"{choice.decision}"
            + "".join(f", {name} {state}" for name, state in choice.known.items())
            + f": {' or '.join(choice.best)} ({choice.values[choice.best[0]]})"
            for choice in self.choices
        )


def solve_diagram(diagram: InfluenceDiagram, utility: Utility | None = None) -> DiagramSolution:
    """Find the value of a diagram and all best options of every decision.

    Numbers choose the arithmetic, as in `decide`: exact unless a float is among them.

    Parameters
    ----------
    diagram
        The diagram.
    utility
        What a payoff, the sum of all value nodes, is worth to whoever decides.

    Raises
    ------
    ValueError
        When a law is none, or the diagram has more than `MAX_WORLDS` worlds.
    """
    solver = _Solver(diagram, utility)
    value, _ = solver.solve(0, [({}, Fraction(1))], {})
    order = [node.name for node in diagram.nodes]
    return DiagramSolution(value, sorted(solver.choices, key=lambda c: order.index(c.decision)))


def value_of_information(
    diagram: InfluenceDiagram, *names: str, before: str, utility: Utility | None = None
) -> Number:
    """Return what it adds to the value of a diagram to know some chance nodes before a decision.

    With a utility the answer is in its units; it is not what one should pay.

    Raises
    ------
    ValueError
        As `InfluenceDiagram.with_information` and `solve_diagram` do.
    """
    informed = diagram.with_information(*names, before=before)
    return solve_diagram(informed, utility).value - solve_diagram(diagram, utility).value


World = tuple[dict[str, str], Number]
"""The states of all nodes so far, and the probability of that if the decisions are those."""


@dataclass
class _Solver:
    diagram: InfluenceDiagram
    utility: Utility | None
    choices: list[Choice] = field(default_factory=list)
    laws: dict[tuple[str, ...], Law] = field(default_factory=dict)
    worlds: int = 0

    def solve(
        self, start: int, worlds: list[World], known: dict[str, str]
    ) -> tuple[Number, Number]:
        """Return Σ p U and its size Σ p |U| over the worlds, with best decisions from a node on."""
        for i, node in enumerate(self.diagram.nodes[start:], start):
            if isinstance(node, ChanceNode):
                worlds = self._split(node, worlds)
            elif isinstance(node, DecisionNode):
                return self._decide(i, node, worlds, known)
        paid = [(p, self._payoff(states)) for states, p in worlds]
        return sum(p * x for p, x in paid), sum(p * max(x, -x) for p, x in paid)

    def _decide(
        self, i: int, node: DecisionNode, worlds: list[World], known: dict[str, str]
    ) -> tuple[Number, Number]:
        groups: dict[tuple[str, ...], list[World]] = {}
        for states, p in worlds:
            seen = tuple(states[parent] for parent in node.parents)
            groups.setdefault(seen, []).append((states, p))
        total: Number = 0
        total_size: Number = 0
        for seen, group in groups.items():
            knowing = known | dict(zip(node.parents, seen, strict=True))
            found = {
                option: self.solve(
                    i + 1,
                    [(states | {node.name: option}, p) for states, p in group],
                    knowing | {node.name: option},
                )
                for option in node.options
            }
            value, size = max(found.values(), key=lambda pair: pair[0])
            best = tuple(d for d, (v, s) in found.items() if is_tie(v, value, s, size))
            chance = sum(p for _, p in group)
            values = {option: v / chance for option, (v, _) in found.items()}
            self.choices.append(Choice(node.name, knowing, chance, values, best))
            total, total_size = total + value, total_size + size
        return total, total_size

    def _split(self, node: ChanceNode, worlds: list[World]) -> list[World]:
        """Return the worlds in which the node is in some state, for each state that can be."""
        split: list[World] = []
        for states, p in worlds:
            law = self._law(node, [states[parent] for parent in node.parents])
            split += [(states | {node.name: state}, p * q) for state, q in law.items() if q]
        self.worlds += len(split)
        if self.worlds > MAX_WORLDS:
            raise TooLargeError(
                f"a diagram of more than {MAX_WORLDS:,} worlds; expected fewer nodes or states"
            )
        return split

    def _law(self, node: ChanceNode, parents: Sequence[str]) -> Law:
        law = self.laws.get((node.name, *parents))
        if law is None:
            law = self.laws[node.name, *parents] = node.law_given(parents)
            check_distribution(f"the chance node {node.name!r}", law)
        return law

    def _payoff(self, states: Mapping[str, str]) -> Number:
        payoff: Number = 0
        for node in self.diagram.nodes:
            if isinstance(node, ValueNode):
                part = node.payoff(*(states[parent] for parent in node.parents))
                if not isfinite(part):
                    raise InputError(
                        f"the value node {node.name!r} pays {part}; expected a finite number"
                    )
                payoff += part
        return payoff if self.utility is None else self.utility(payoff)
