"""Influence diagrams: solution, value of information, and pictures.

A *chance node* is an uncertain quantity, and a *decision node* is a decision among options. A
*value node* is a part of the payoff, which is the sum of all value nodes. There are three kinds of
arcs:

* a *relevance* arc leads to a chance node whose distribution depends on the parent;
* an *information* arc leads to a decision node at which the parent is known;
* a *functional* arc leads to a value node whose payoff depends on the parent.

Decisions are made in the order of the nodes. The decision maker forgets nothing: they know all
earlier decisions and everything that they knew at those decisions.

The solver is a backward induction over *worlds*. A world has a probability, and a state for every
earlier node, including hidden nodes. Chance nodes and options split the worlds, and observations
group them. After the last decision, each world pays the sum of its value nodes. The value of a
decision is the largest mean payoff among its options.

The value of information about a chance node is the increase in the value of the diagram if the
node is known before a decision. Information about the uncertain quantity itself is *perfect*, and
its value is the EVPI. Information about a node that depends on the quantity, such as a test, is
*imperfect* or *sample* information (EVSI).

Sources: R. A. Howard and J. E. Matheson, Influence Diagrams (1984); the names of the arcs follow
R. D. Shachter, Evaluating Influence Diagrams (Operations Research 34, 1986).
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

MAX_WORLDS = 200_000
"""The maximum number of worlds of a diagram. A larger diagram would take minutes to solve."""

Distribution = Mapping[str, Number]
Known = Mapping[str, str]
Utility = Callable[[Number], Number]

World = tuple[dict[str, str], Number]
"""The states of all earlier nodes, and the probability of these states given the decisions."""


@dataclass(frozen=True)
class ChanceNode:
    """An uncertain quantity.

    Attributes
    ----------
    name
        The name of the node.
    distribution
        The probability of each state. If the node has parents, this is a function that takes the
        states of ``parents``, in their order, and returns the probabilities. It is called only with
        states that can occur.
    parents
        The nodes on which the distribution depends.
    """

    name: str
    distribution: Distribution | Callable[..., Distribution]
    parents: Sequence[str] = ()

    def distribution_given(self, parents: Sequence[str]) -> Distribution:
        """Return the distribution, given the states of the parents."""
        return self.distribution(*parents) if callable(self.distribution) else self.distribution


@dataclass(frozen=True)
class DecisionNode:
    """A decision among options, all of which are always available.

    Attributes
    ----------
    name
        The name of the node.
    options
        The names of the options.
    parents
        The nodes that become known before this decision, in addition to earlier information.
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
        The name of the node.
    payoff
        A function of the states of ``parents``, in their order.
    parents
        The nodes on which the payoff depends.
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
        The nodes, each after its parents. Decisions are in chronological order.

    Raises
    ------
    ValueError
        If two nodes have the same name, a node comes before one of its parents, or a parent is a
        value node. If a decision has no options, or the diagram has no value node. If a chance node
        has parents and its distribution is not a function, or it has no parents and its
        distribution is not a mapping.

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
                raise InputError(f"two nodes are called {node.name!r}; give each node its own name")
            for parent in node.parents:
                if parent not in before or isinstance(before[parent], ValueNode):
                    raise InputError(
                        f"{parent!r} cannot be a parent of the node {node.name!r}; "
                        "a parent is a chance or decision node that comes before it"
                    )
            if isinstance(node, DecisionNode) and not node.options:
                raise InputError(f"the decision {node.name!r} has no options; give it at least one")
            if isinstance(node, ChanceNode) and callable(node.distribution) != bool(node.parents):
                raise InputError(
                    f"the chance node {node.name!r} needs a distribution if it has no parents, "
                    "and a "
                    "function from their states to a distribution if it has parents"
                )
            before[node.name] = node
        if not any(isinstance(node, ValueNode) for node in self.nodes):
            raise InputError("an influence diagram needs at least one value node")

    @cached_property
    def named(self) -> Mapping[str, Node]:
        """The mapping from names to nodes."""
        return {node.name: node for node in self.nodes}

    def arcs(self) -> Iterator[tuple[str, str, str]]:
        """Yield the tail, the head, and the kind of each arc."""
        for node in self.nodes:
            for parent in node.parents:
                yield parent, node.name, _KINDS[type(node)]

    def payoff(self, states: Known) -> Number:
        """Return the sum of all value nodes, given the states of all other nodes.

        Raises
        ------
        ValueError
            If a payoff is not a finite number.
        """
        payoff: Number = 0
        for node in self.nodes:
            if isinstance(node, ValueNode):
                part = node.payoff(*(states[parent] for parent in node.parents))
                if not isfinite(part):
                    raise InputError(
                        f"the payoff of the value node {node.name!r} must be a finite number, "
                        f"not {part}"
                    )
                payoff += part
        return payoff

    def with_information(self, *names: str, before: str) -> "InfluenceDiagram":
        """Return the diagram in which chance nodes are known before a decision.

        ``names`` are the names of the chance nodes, and ``before`` is the name of the decision.

        Raises
        ------
        ValueError
            If ``before`` is not a decision, or a name does not belong to a chance node. If a chance
            node depends on the decision ``before`` or on a later decision.
        """
        decision = self.named.get(before)
        if not isinstance(decision, DecisionNode):
            raise InputError(
                f"{before!r} is not a decision; the decisions are {_listed(self._decisions)}"
            )
        early = self._with_ancestors(names)
        for name in names:
            if not isinstance(self.named.get(name), ChanceNode):
                raise InputError(
                    f"{name!r} is not a chance node; only the state of a chance node can be "
                    "observed"
                )
        position = self._decisions.index(before)
        for late in self._decisions[position:]:
            if late in early:
                raise InputError(
                    f"{_listed(names)} depends on the decision {late!r}, so it cannot be known "
                    f"before {before!r}"
                )
        informed = replace(decision, parents=tuple(dict.fromkeys((*decision.parents, *names))))
        earlier = self.nodes[: self.nodes.index(decision)]
        moved = [n for n in self.nodes if n.name in early and n not in earlier]
        later = [n for n in self.nodes[len(earlier) + 1 :] if n not in moved]
        return InfluenceDiagram([*earlier, *moved, informed, *later])

    def picture(self, title: str = "") -> Picture:
        """Draw the diagram: chance nodes as ellipses, decisions as boxes, values as hexagons.

        Information arcs are dashed. The picture does not show what the decision maker remembers
        from earlier decisions.

        Raises
        ------
        ValueError
            If there are too many nodes for a picture.
        """
        check_size(len(self.nodes))
        lines = [_HEADER, f"  label={dot_string(title)};"] if title else [_HEADER]
        for node in self.nodes:
            below = [" | ".join(node.options)] if isinstance(node, DecisionNode) else []
            style = _LOOKS[type(node)]
            lines.append(
                f"  {dot_string(node.name)} [label={dot_string(node.name, *below)}, {style}];"
            )
        for tail, head, kind in self.arcs():
            style = " [style=dashed]" if kind == "information" else ""
            lines.append(f"  {dot_string(tail)} -> {dot_string(head)}{style};")
        return Picture("\n".join([*lines, "}", ""]))

    @cached_property
    def _decisions(self) -> list[str]:
        return [node.name for node in self.nodes if isinstance(node, DecisionNode)]

    def _with_ancestors(self, names: Iterable[str]) -> set[str]:
        ancestors = set(names)
        for node in reversed(self.nodes):  # parents come before their children
            if node.name in ancestors:
                ancestors.update(node.parents)
        return ancestors


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


def _undetermined(decision: str, known: Mapping[str, str], is_ambiguous: bool) -> str:
    states = ", ".join(f"{name} {state}" for name, state in known.items()) or "nothing known"
    if is_ambiguous:
        return (
            f"the best option of {decision!r} depends on more than {states}; give the states of "
            "more nodes"
        )
    return f"the decision {decision!r} never occurs with {states}; give states that can occur"


@dataclass(frozen=True)
class Choice:
    """The solution of a decision, given the states of the known nodes.

    Attributes
    ----------
    decision
        The name of the decision node.
    known
        The states of all known nodes, including earlier decisions.
    probability
        The probability of these states, given the earlier decisions.
    values
        The expected payoff or expected utility of each option.
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
        The expected payoff or expected utility of optimal decisions.
    choices
        The solutions of each decision, one for each combination of known states that can occur.
        ``str`` lists them.
    """

    value: Number
    choices: Sequence[Choice]

    def best(self, decision: str, **known: str) -> tuple[str, ...]:
        """Return the best options of a decision, given the states ``known`` of some nodes.

        Raises
        ------
        ValueError
            If these states cannot occur, or do not determine the best options.
        """
        candidates = {
            choice.best
            for choice in self.choices
            if choice.decision == decision and known.items() <= choice.known.items()
        }
        if len(candidates) != 1:
            raise InputError(_undetermined(decision, known, bool(candidates)))
        return candidates.pop()

    def __str__(self) -> str:
        return "\n".join(
            f"{choice.decision}"
            + "".join(f", {name} {state}" for name, state in choice.known.items())
            + f": {' or '.join(choice.best)} ({choice.values[choice.best[0]]})"
            for choice in self.choices
        )


def solve_diagram(diagram: InfluenceDiagram, utility: Utility | None = None) -> DiagramSolution:
    """Return the value of a diagram and all best options of every decision.

    The arithmetic is exact unless a number is a float, as in `decide`. The utility applies to the
    payoff, which is the sum of all value nodes.

    Raises
    ------
    ValueError
        If a distribution is invalid, or the diagram has more than `MAX_WORLDS` worlds.
    """
    solver = _Solver(diagram, utility)
    value, _ = solver.solve(0, [({}, Fraction(1))], {})
    order = [node.name for node in diagram.nodes]
    return DiagramSolution(value, sorted(solver.choices, key=lambda c: order.index(c.decision)))


def value_of_information(
    diagram: InfluenceDiagram, *names: str, before: str, utility: Utility | None = None
) -> Number:
    """Return the increase in a diagram's value if chance nodes are known before a decision.

    ``names`` are the names of the chance nodes, and ``before`` is the name of the decision. With a
    utility, the result is a difference in expected utility, not a price for the information.

    Raises
    ------
    ValueError
        If the diagram cannot be solved, or the nodes cannot be known before the decision.
    """
    informed = diagram.with_information(*names, before=before)
    return solve_diagram(informed, utility).value - solve_diagram(diagram, utility).value


@dataclass
class _Solver:
    diagram: InfluenceDiagram
    utility: Utility | None
    choices: list[Choice] = field(default_factory=list)
    distributions: dict[tuple[str, ...], Distribution] = field(default_factory=dict)
    worlds: int = 0

    def solve(
        self, start: int, worlds: list[World], known: dict[str, str]
    ) -> tuple[Number, Number]:
        """Return the sums Σ p U and Σ p |U| over the worlds, if all later decisions are optimal.

        p is the probability of a world, and U is its payoff or the utility of its payoff.
        ``start`` is the index of the next node. ``known`` contains the states of the known nodes.
        """
        for i, node in enumerate(self.diagram.nodes[start:], start):
            if isinstance(node, ChanceNode):
                worlds = self._split(node, worlds)
            elif isinstance(node, DecisionNode):
                return self._decide(i, node, worlds, known)
        payoffs = [(p, self._utility_of(states)) for states, p in worlds]
        return sum(p * x for p, x in payoffs), sum(p * max(x, -x) for p, x in payoffs)

    def _decide(
        self, i: int, node: DecisionNode, worlds: list[World], known: dict[str, str]
    ) -> tuple[Number, Number]:
        groups: dict[tuple[str, ...], list[World]] = {}
        for states, p in worlds:
            observed = tuple(states[parent] for parent in node.parents)
            groups.setdefault(observed, []).append((states, p))
        total: Number = 0
        total_size: Number = 0
        for observed, group in groups.items():
            known_now = known | dict(zip(node.parents, observed, strict=True))
            values_and_sizes = {
                option: self.solve(
                    i + 1,
                    [(states | {node.name: option}, p) for states, p in group],
                    known_now | {node.name: option},
                )
                for option in node.options
            }
            value, size = max(values_and_sizes.values(), key=lambda pair: pair[0])
            best = tuple(d for d, (v, s) in values_and_sizes.items() if is_tie(v, value, s, size))
            probability = sum(p for _, p in group)
            values = {option: v / probability for option, (v, _) in values_and_sizes.items()}
            self.choices.append(Choice(node.name, known_now, probability, values, best))
            total, total_size = total + value, total_size + size
        return total, total_size

    def _split(self, node: ChanceNode, worlds: list[World]) -> list[World]:
        """Return the worlds after each is split into one world per possible state of a node."""
        split: list[World] = []
        for states, p in worlds:
            distribution = self._distribution(node, [states[parent] for parent in node.parents])
            split += [
                (states | {node.name: state}, p * q) for state, q in distribution.items() if q
            ]
        self.worlds += len(split)
        if self.worlds > MAX_WORLDS:
            raise TooLargeError(
                f"the diagram has more than {MAX_WORLDS:,} combinations of states; use fewer nodes "
                "or states"
            )
        return split

    def _distribution(self, node: ChanceNode, parents: Sequence[str]) -> Distribution:
        distribution = self.distributions.get((node.name, *parents))
        if distribution is None:
            distribution = self.distributions[node.name, *parents] = node.distribution_given(
                parents
            )
            check_distribution(f"the chance node {node.name!r}", distribution)
        return distribution

    def _utility_of(self, states: Known) -> Number:
        payoff = self.diagram.payoff(states)
        return payoff if self.utility is None else self.utility(payoff)
