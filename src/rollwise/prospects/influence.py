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
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from rollwise.errors import InputError
from rollwise.prospects.arrows import Number
from rollwise.prospects.picture import Picture, check_size, dot_string

Law = Mapping[str, Number]


@dataclass(frozen=True)
class ChanceNode:
    """Something uncertain.

    Attributes
    ----------
    name
        Its name.
    law
        The probability of each state; where there are parents, a function of their states, in the
        order of ``parents``, that returns it. It is asked only about states that can be.
    parents
        Nodes on which the law depends.
    """

    name: str
    law: Law | Callable[..., Law]
    parents: Sequence[str] = ()

    def law_given(self, parents: Sequence[str]) -> Law:
        """Return the law, given the states of the parents."""
        return self.law(*parents) if callable(self.law) else self.law


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
            if isinstance(node, ChanceNode) and callable(node.law) != bool(node.parents):
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
