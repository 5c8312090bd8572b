"""Influence diagrams: what is uncertain, what is decided, what that pays, and what is known when.

A *chance node* is something uncertain, a *decision node* something to choose, a *value node* a part
of the payoff, which is the sum of them. What an arc says depends on the node that it leads to:

* a *relevance* arc leads to a chance node: its law depends on the parent;
* an *information* arc leads to a decision node: the parent is known when the decision is made;
* a *functional* arc leads to a value node: the payoff depends on the parent.

Decisions are made in the order of the nodes, and nothing is forgotten: whoever decides knows all
earlier decisions, and what was known then.

Source: R. A. Howard and J. E. Matheson, Influence Diagrams (1984); the names of the arcs follow
R. D. Shachter, Evaluating Influence Diagrams (Operations Research 34, 1986).

Influence diagrams solved: all best options of every decision, and what knowing more is worth.

Whoever is to decide knows some nodes, and holds possible the *worlds* that agree with them: states
of all nodes that come before the decision, hidden ones too, each with its probability. Taking an
option and learning more split the worlds; after the last decision each world pays the sum of its
value nodes. The value of a decision is the largest mean over its options: induction from the end.

Information about a chance node before a decision is worth what it adds to the value of the diagram.
Knowing the uncertain thing itself is *perfect* information (EVPI is its value); knowing a node that
only depends on it, such as a test, is *imperfect* or *sample* information (EVSI).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from math import isfinite

from rollwise.decision_analysis.arrows import Number, is_tie
from rollwise.decision_analysis.decision_problem import check_distribution
from rollwise.decision_analysis.drawing import Picture, check_size, dot_string
from rollwise.errors import InputError, TooLargeError

Law = Mapping[str, Number]


@dataclass(frozen=True)
class ChanceNode:
    """Something uncertain.

    Attributes
    ----------
    name
        Its name.
    distribution
        The probability of each state; where there are parents, a function of their states, in the
        order of ``parents``, that returns it. It is asked only about states that can be.
    parents
        Nodes on which the law depends.
    """

    name: str
    distribution: Law | Callable[..., Law]
    parents: Sequence[str] = ()

    def distribution_given(self, parents: Sequence[str]) -> Law:
        """Return the law, given the states of the parents."""
        return self.distribution(*parents) if callable(self.distribution) else self.distribution


@dataclass(frozen=True)
class DecisionNode:
    """Something to choose.

    Attributes
    ----------
    name
        Its name.
    options
        What can be chosen, always.
    parents
        Nodes that are known by then, besides all that was known and chosen at earlier decisions.
    """

    name: str
    options: Sequence[str]
    parents: Sequence[str] = ()


@dataclass(frozen=True)
class ValueNode:
    """A part of the payoff.

    Attributes
    ----------
    name
        Its name.
    payoff
        A function of the states of the parents, in their order.
    parents
        Nodes on which it depends.
    """

    name: str
    payoff: Callable[..., Number]
    parents: Sequence[str]


Node = ChanceNode | DecisionNode | ValueNode


@dataclass(frozen=True)
class InfluenceDiagram:
    """An influence diagram; `solve_diagram` finds its value and all best options.

    Attributes
    ----------
    nodes
        The nodes, each after its parents; decisions in the order in which they are made.

    Raises
    ------
    ValueError
        When two nodes have one name, a node does not come after its parents or has a value node
        among them, a decision has no option, there is no value node, or a chance node has parents
        but no function of them.

    Examples
    --------
    >>> from fractions import Fraction
    >>> coin = InfluenceDiagram([
    ...     ChanceNode("coin", {"heads": Fraction(1, 2), "tails": Fraction(1, 2)}),
    ...     DecisionNode("guess", ["heads", "tails"]),
    ...     ValueNode("prize", lambda coin, guess: int(coin == guess), ["coin", "guess"]),
    ... ])
    >>> list(coin.arcs())
    [('coin', 'prize', 'functional'), ('guess', 'prize', 'functional')]
    >>> list(coin.with_information("coin", before="guess").arcs())[0]
    ('coin', 'guess', 'information')
    """

    nodes: Sequence[Node]

    def __post_init__(self) -> None:
        before: dict[str, Node] = {}
        for node in self.nodes:
            if node.name in before:
                raise InputError(f"two nodes {node.name!r}; expected a name for each")
            for parent in node.parents:
                if parent not in before or isinstance(before[parent], ValueNode):
                    raise InputError(
                        f"the node {node.name!r} has the parent {parent!r}; "
                        "expected a chance or decision node that comes before it"
                    )
            if isinstance(node, DecisionNode) and not node.options:
                raise InputError(f"the decision {node.name!r} has no option; expected at least one")
            if isinstance(node, ChanceNode) and callable(node.distribution) != bool(node.parents):
                raise InputError(
                    f"the chance node {node.name!r}: expected a law if it has no parents, "
                    "a function of their states that returns one if it has"
                )
            before[node.name] = node
        if not any(isinstance(node, ValueNode) for node in self.nodes):
            raise InputError("a diagram without a value node; expected at least one")

    @cached_property
    def named(self) -> Mapping[str, Node]:
        """The nodes by their names."""
        return {node.name: node for node in self.nodes}

    def arcs(self) -> Iterator[tuple[str, str, str]]:
        """Yield each arc: from where, to where, and its kind."""
        for node in self.nodes:
            for parent in node.parents:
                yield parent, node.name, _KINDS[type(node)]

    def with_information(self, *names: str, before: str) -> "InfluenceDiagram":
        """Return the diagram in which some chance nodes are known before a decision is made.

        Raises
        ------
        ValueError
            When there is no such decision or chance node, or one depends on that decision or on a
            later one.
        """
        decision = self.named.get(before)
        if not isinstance(decision, DecisionNode):
            raise InputError(
                f"{before!r} is no decision; expected one of {_listed(self._decisions)}"
            )
        early = self._with_ancestors(names)
        for name in names:
            if not isinstance(self.named.get(name), ChanceNode):
                raise InputError(f"{name!r} is no chance node, so nobody can learn it")
        here = self._decisions.index(before)
        for late in self._decisions[here:]:
            if late in early:
                raise InputError(
                    f"{_listed(names)} depends on the decision {late!r}; "
                    f"expected something that can be known before {before!r}"
                )
        informed = replace(decision, parents=tuple(dict.fromkeys((*decision.parents, *names))))
        earlier = self.nodes[: self.nodes.index(decision)]
        moved = [n for n in self.nodes if n.name in early and n not in earlier]
        later = [n for n in self.nodes[len(earlier) + 1 :] if n not in moved]
        return InfluenceDiagram([*earlier, *moved, informed, *later])

    def picture(self, title: str = "") -> Picture:
        """Draw the diagram: chance nodes round, decisions boxes, values hexagons.

        Information arcs are dashed; those that follow from not forgetting are left out.

        Raises
        ------
        ValueError
            When there are too many nodes for a picture.
        """
        check_size(len(self.nodes))
        lines = [_HEADER, f"  label={dot_string(title)};"] if title else [_HEADER]
        for node in self.nodes:
            below = [" | ".join(node.options)] if isinstance(node, DecisionNode) else []
            look = _LOOKS[type(node)]
            lines.append(
                f"  {dot_string(node.name)} [label={dot_string(node.name, *below)}, {look}];"
            )
        for tail, head, kind in self.arcs():
            look = " [style=dashed]" if kind == "information" else ""
            lines.append(f"  {dot_string(tail)} -> {dot_string(head)}{look};")
        return Picture("\n".join([*lines, "}", ""]))

    @cached_property
    def _decisions(self) -> list[str]:
        return [node.name for node in self.nodes if isinstance(node, DecisionNode)]

    def _with_ancestors(self, names: Iterable[str]) -> set[str]:
        found = set(names)
        for node in reversed(self.nodes):  # parents come before their children
            if node.name in found:
                found.update(node.parents)
        return found


_KINDS: Mapping[type[Node], str] = {
    ChanceNode: "relevance",
    DecisionNode: "information",
    ValueNode: "functional",
}

_HEADER = """\
digraph influence {
  rankdir=LR; nodesep=0.4; ranksep=0.7;
  graph [fontname="Helvetica", labelloc=t];
  node [fontname="Helvetica", fontsize=13, style=filled, margin="0.12,0.06"];
  edge [fontname="Helvetica", fontsize=10, arrowsize=0.7];"""

_LOOKS: Mapping[type[Node], str] = {
    ChanceNode: 'shape=ellipse, fillcolor="#dce9f5"',
    DecisionNode: 'shape=box, fillcolor="#f8d9a8"',
    ValueNode: 'shape=hexagon, fillcolor="#d9ead3"',
}


def _listed(names: Iterable[str]) -> str:
    return ", ".join(map(repr, names))


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
    distributions: dict[tuple[str, ...], Law] = field(default_factory=dict)
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
            distribution = self._distribution(node, [states[parent] for parent in node.parents])
            split += [
                (states | {node.name: state}, p * q) for state, q in distribution.items() if q
            ]
        self.worlds += len(split)
        if self.worlds > MAX_WORLDS:
            raise TooLargeError(
                f"a diagram of more than {MAX_WORLDS:,} worlds; expected fewer nodes or states"
            )
        return split

    def _distribution(self, node: ChanceNode, parents: Sequence[str]) -> Law:
        distribution = self.distributions.get((node.name, *parents))
        if distribution is None:
            distribution = self.distributions[node.name, *parents] = node.distribution_given(
                parents
            )
            check_distribution(f"the chance node {node.name!r}", distribution)
        return distribution

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
