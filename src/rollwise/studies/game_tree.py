"""The game tree of a small game, and the graph that merges equivalent nodes, in DOT.

There are three kinds of nodes. A ``card`` node is a state between turns, and a ``roll`` node is a
decision. A ``keep`` node is a chance node, at which the other dice are rerolled. The tree
distinguishes the dice. It has a node for each history and a leaf for each game. The value of a node
in the tree is the expected final score. The graph merges nodes with the same state. The value of a
node in the graph is the expected points to come.

A turn always uses all its rolls: a player who stops early keeps all dice. If points depend on the
number of rolls, the player can instead score any roll.

Source: T. Verhoeff, Optimal Solitaire Yahtzee Strategies (2003 or later), "Game Tree", "Game
Graph", and "Optimal Expectation".
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Literal

from rollwise.errors import TooLargeError
from rollwise.game.notation import die_text
from rollwise.game.scorecard import Dice, Move, State, after, legal_moves
from rollwise.rules import Rules

MAX_NODES = 1000
"""The maximum number of nodes in a readable picture."""

THROWN = 0
"""The placeholder for a rerolled die in the dice of a ``keep`` node."""


@dataclass(frozen=True)
class Edge:
    """An edge of the tree.

    Attributes
    ----------
    target : int
        The number of the node to which the edge leads.
    label : str
        The category and its points if the player scores; otherwise empty.
    probability : Fraction or None
        The probability of the edge at a chance node; None at a decision node.
    best : bool
        Whether the edge is an optimal action.
    """

    target: int
    label: str = ""
    probability: Fraction | None = None
    best: bool = False


@dataclass(frozen=True)
class Node:
    """A node of the tree, with its value under optimal play and its edges."""

    kind: Literal["card", "roll", "keep"]
    label: str
    value: Fraction
    edges: tuple[Edge, ...] = ()


@dataclass(frozen=True)
class GameTree:
    """All nodes of a tree or graph; a node comes after its successors, so the root is last.

    ``merged`` is true for a graph, in which equivalent nodes are merged.
    """

    rules: Rules
    nodes: tuple[Node, ...]
    merged: bool

    @property
    def value(self) -> Fraction:
        """The expected final score."""
        return self.nodes[-1].value

    @property
    def leaves(self) -> int:
        """The number of leaves."""
        return sum(not node.edges for node in self.nodes)


def game_tree(rules: Rules, *, limit: int = MAX_NODES) -> GameTree:
    """Return the tree of a game, with one leaf per game.

    Raises
    ------
    TooLargeError
        If the tree has more than ``limit`` nodes.
    """
    return _Builder(rules, merged=False, limit=limit).tree()


def game_graph(rules: Rules, *, limit: int = MAX_NODES) -> GameTree:
    """Return the graph of a game, which is its tree with equivalent nodes merged.

    Raises
    ------
    TooLargeError
        If the graph has more than ``limit`` nodes.
    """
    return _Builder(rules, merged=True, limit=limit).tree()


class _Builder:
    """A builder that creates the nodes of a tree or graph depth first."""

    def __init__(self, rules: Rules, *, merged: bool, limit: int) -> None:
        self.rules, self.merged, self.limit = rules, merged, limit
        self.nodes: list[Node] = []
        self.numbers: dict[tuple[object, ...], int] = {}

    def tree(self) -> GameTree:
        self._card(State.start(self.rules), 0)
        return GameTree(self.rules, tuple(self.nodes), self.merged)

    def _name(self, die: int) -> str:
        return "·" if die == THROWN else die_text(self.rules, die)

    def _normalized(self, dice: Dice) -> Dice:
        """Return the dice; sort them if nodes are merged, because order does not matter then."""
        return tuple(sorted(dice)) if self.merged else dice

    def _number_of(self, key: tuple[object, ...], build: Callable[[], Node]) -> int:
        """Return the number of a node. If the node is new, build it and its successors first."""
        if self.merged and key in self.numbers:
            return self.numbers[key]
        node = build()
        if len(self.nodes) == self.limit:
            drawing = "graph" if self.merged else "tree"
            raise TooLargeError(
                f"the {drawing} of {self.rules.name} has more than {self.limit:,} nodes, too "
                "many to "
                "draw; choose a smaller game"
            )
        self.nodes.append(node)
        self.numbers[key] = len(self.nodes) - 1
        return self.numbers[key]

    def _card(self, state: State, points: int) -> int:
        if state.filled == (1 << len(self.rules.categories)) - 1:
            label = "end" if self.merged else f"total {points}"
            return self._number_of(("end",), lambda: Node("card", label, Fraction(points)))

        def build() -> Node:
            nothing = (THROWN,) * self.rules.dice
            left = self.rules.rolls_with(state.saved) - 1
            edges = self._rolls(state.in_turn(self.rules), points, nothing, left)
            return Node("card", self._describe(state, points), self._mean(edges), edges)

        return self._number_of((state,), build)

    def _describe(self, state: State, points: int) -> str:
        keys = self.rules.keys
        still_open = [key for k, key in enumerate(keys) if not state.filled >> k & 1]
        lines = [f"open: {', '.join(still_open)}"]
        if self.merged and state.upper:
            lines.append(f"upper {state.upper}")
        if self.merged and state.eligible:
            lines.append("bonus eligible")
        if state.saved:
            lines.append(f"{self.rules.saved_name} {state.saved}")
        if not self.merged and state.filled:
            lines.append(f"{points} so far")
        return "\\n".join(lines)

    def _rolls(self, state: State, points: int, kept: Dice, left: int) -> tuple[Edge, ...]:
        """Return the edges of a chance node, at which all dice except ``kept`` are rolled."""
        missing = self.rules.missing([die for die in kept if die != THROWN])
        rolled = (
            symbols
            for symbols, number in zip(self.rules.symbols, missing, strict=True)
            for _ in range(number)
        )
        faces = [(die,) if die != THROWN else next(rolled) for die in kept]
        ways = Counter(self._normalized(dice) for dice in product(*faces))
        return tuple(
            Edge(self._roll(state, points, dice, left), probability=Fraction(n, ways.total()))
            for dice, n in ways.items()
        )

    def _mean(self, edges: tuple[Edge, ...]) -> Fraction:
        terms = ((edge.probability or 0) * self.nodes[edge.target].value for edge in edges)
        return sum(terms, Fraction(0))

    def _roll(self, state: State, points: int, dice: Dice, left: int) -> int:
        def build() -> Node:
            options = self._keeps(state, points, dice, left) if left else []
            if self.rules.stops or not left:
                options += self._scores(state, points, dice, left)
            best = max(value for _, value, _ in options)
            edges = tuple(Edge(to, name, best=value == best) for to, value, name in options)
            return Node("roll", " ".join(map(self._name, dice)), best, edges)

        return self._number_of((state, dice, left), build)

    def _keeps(
        self, state: State, points: int, dice: Dice, left: int
    ) -> list[tuple[int, Fraction, str]]:
        """Return the node, the value, and an empty label for each set of dice to keep."""
        keeps = dict.fromkeys(
            self._normalized(choice) for choice in product(*((die, THROWN) for die in dice))
        )
        if self.rules.stops:
            del keeps[dice]
        numbers = [self._keep(state, points, choice, left) for choice in keeps]
        return [(number, self.nodes[number].value, "") for number in numbers]

    def _keep(self, state: State, points: int, kept: Dice, left: int) -> int:
        def build() -> Node:
            edges = self._rolls(state, points, kept, left - 1)
            label = " ".join(map(self._name, kept))
            return Node("keep", label, self._mean(edges), edges)

        return self._number_of((state, kept, left, "keep"), build)

    def _scores(
        self, state: State, points: int, dice: Dice, left: int
    ) -> list[tuple[int, Fraction, str]]:
        """Return the node, the value, and the label for each legal category, in scorecard order."""
        options = []
        for move in legal_moves(self.rules, state, dice, left):
            successor = after(self.rules, state, move, left)
            gain = self._gain(state, move, successor)
            number = self._card(successor, 0 if self.merged else points + gain)
            value = self.nodes[number].value + (gain if self.merged else 0)
            options.append((number, value, f"{self.rules.keys[move.category]} {gain}"))
        return options

    def _gain(self, state: State, move: Move, successor: State) -> int:
        """Return the points of a move, including the upper bonus that it earns."""
        earned = self.rules.bonus_at(successor.upper) - self.rules.bonus_at(state.upper)
        return move.points + move.extra + earned


_SHAPES = {
    "card": 'shape=box, style="rounded,filled", fillcolor="#e8eef7"',
    "roll": "shape=circle, width=0.65",
    "keep": "shape=box, style=dashed",
}


def to_dot(tree: GameTree) -> str:
    """Return a tree in the DOT language of Graphviz, with optimal actions in green."""
    lines = [
        "digraph {",
        "  rankdir=LR; ordering=out; ranksep=1.2; nodesep=0.08;",
        '  node [fontname="Helvetica", fontsize=11, margin="0.08,0.04"];',
        '  edge [fontname="Helvetica", fontsize=9, color="#999999", arrowsize=0.5];',
    ]
    for number in range(len(tree.nodes) - 1, -1, -1):
        node = tree.nodes[number]
        value = f"\\n{_number(node.value)}" if node.edges else ""
        lines.append(f'  {number} [label="{node.label}{value}", {_SHAPES[node.kind]}];')
        lines += [f"  {number} -> {edge.target} [{_style(edge)}];" for edge in node.edges]
    return "\n".join([*lines, "}", ""])


def _style(edge: Edge) -> str:
    if edge.probability is not None:
        return f'label="{edge.probability}"'
    return f'label="{edge.label}"' + (', color="#1a7f37", penwidth=2' if edge.best else "")


def _number(value: Fraction) -> str:
    return str(value) if value.denominator == 1 else f"{float(value):.2f}"
