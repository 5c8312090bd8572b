"""The tree of a tiny game and its graph, where equivalent situations are one, as DOT text.

Three kinds of nodes follow each other: a *card* between turns, a *roll* to decide on, a *keep*
whose other dice are thrown. In the tree dice are told apart and each history is a node of its own;
values are expected final scores, and there are as many leaves as games. In the graph only what
matters for the rest of the game is kept; values are expected points still to come.

A turn has all its rolls, and stopping is keeping all dice; but where it matters on which roll a
turn ends, each roll may be scored instead.

Source: T. Verhoeff, Optimal Solitaire Yahtzee Strategies (1999), "Game Tree", "Game Graph",
"Optimal Expectation".
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
"""More nodes make no picture."""

THROWN = 0
"""In a keep: the place of a die that is rolled again."""


@dataclass(frozen=True)
class Edge:
    """What may follow a node.

    Attributes
    ----------
    target : int
        The number of the node that follows.
    label : str
        The choice that is made, or empty.
    probability : Fraction or None
        That chance leads here; None if the player does.
    best : bool
        Whether the player should go here.
    """

    target: int
    label: str = ""
    probability: Fraction | None = None
    best: bool = False


@dataclass(frozen=True)
class Node:
    """A situation: its value under best play from there, and what may follow."""

    kind: Literal["card", "roll", "keep"]
    label: str
    value: Fraction
    edges: tuple[Edge, ...] = ()


@dataclass(frozen=True)
class GameTree:
    """All nodes, each after those that follow it: the last one is the start of the game."""

    rules: Rules
    nodes: tuple[Node, ...]
    merged: bool

    @property
    def value(self) -> Fraction:
        """The expected final score."""
        return self.nodes[-1].value

    @property
    def leaves(self) -> int:
        """The number of nodes that nothing follows."""
        return sum(not node.edges for node in self.nodes)


def game_tree(rules: Rules, *, limit: int = MAX_NODES) -> GameTree:
    """Return the tree of a game: one leaf a game.

    Raises
    ------
    TooLargeError
        When it has more than ``limit`` nodes.
    """
    return _Growth(rules, merged=False, limit=limit).tree()


def game_graph(rules: Rules, *, limit: int = MAX_NODES) -> GameTree:
    """Return the tree of a game with equivalent situations merged.

    Raises
    ------
    TooLargeError
        When it has more than ``limit`` nodes.
    """
    return _Growth(rules, merged=True, limit=limit).tree()


class _Growth:
    """A tree while it grows, from the start in depth."""

    def __init__(self, rules: Rules, *, merged: bool, limit: int) -> None:
        rules.check_unannounced("trees")
        self.rules, self.merged, self.limit = rules, merged, limit
        self.nodes: list[Node] = []
        self.known: dict[tuple[object, ...], int] = {}

    def tree(self) -> GameTree:
        self._card(State.start(self.rules), 0)
        return GameTree(self.rules, tuple(self.nodes), self.merged)

    def _name(self, die: int) -> str:
        return "·" if die == THROWN else die_text(self.rules, die)

    def _seen(self, dice: Dice) -> Dice:
        """Return dice as the tree tells them apart."""
        return tuple(sorted(dice)) if self.merged else dice

    def _once(self, joker_state: tuple[object, ...], grow: Callable[[], Node]) -> int:
        """Return the number of the node of a situation, after those that follow it."""
        if self.merged and joker_state in self.known:
            return self.known[joker_state]
        node = grow()
        if len(self.nodes) == self.limit:
            what = "graph" if self.merged else "tree"
            raise TooLargeError(
                f"cannot draw the {what} of {self.rules.name}: expected a game with at most "
                f"{self.limit} nodes"
            )
        self.nodes.append(node)
        self.known[joker_state] = len(self.nodes) - 1
        return self.known[joker_state]

    def _card(self, state: State, points: int) -> int:
        if state.filled == (1 << len(self.rules.categories)) - 1:
            label = "end" if self.merged else f"total {points}"
            return self._once(("end",), lambda: Node("card", label, Fraction(points)))

        def grow() -> Node:
            nothing = (THROWN,) * self.rules.dice
            left = self.rules.rolls_with(state.saved) - 1
            edges = self._throws(state.in_turn(self.rules), points, nothing, left)
            return Node("card", self._describe(state, points), self._mean(edges), edges)

        return self._once((state,), grow)

    def _describe(self, state: State, points: int) -> str:
        keys = self.rules.keys
        still_open = [key for k, key in enumerate(keys) if not state.filled >> k & 1]
        lines = [f"open: {', '.join(still_open)}"]
        if self.merged and state.upper:
            lines.append(f"upper {state.upper}")
        if self.merged and state.eligible:
            lines.append("bonus armed")
        if state.saved:
            lines.append(f"{self.rules.saved_words} {state.saved}")
        if not self.merged and state.filled:
            lines.append(f"{points} so far")
        return "\\n".join(lines)

    def _throws(self, state: State, points: int, kept: Dice, left: int) -> tuple[Edge, ...]:
        """Return the edges of chance when the thrown dice of a keep fall."""
        missing = self.rules.missing([die for die in kept if die != THROWN])
        thrown = (
            symbols
            for symbols, number in zip(self.rules.symbols, missing, strict=True)
            for _ in range(number)
        )
        places = [(die,) if die != THROWN else next(thrown) for die in kept]
        ways = Counter(self._seen(dice) for dice in product(*places))
        return tuple(
            Edge(self._roll(state, points, dice, left), probability=Fraction(n, ways.total()))
            for dice, n in ways.items()
        )

    def _mean(self, edges: tuple[Edge, ...]) -> Fraction:
        weighed = ((edge.probability or 0) * self.nodes[edge.target].value for edge in edges)
        return sum(weighed, Fraction(0))

    def _roll(self, state: State, points: int, dice: Dice, left: int) -> int:
        def grow() -> Node:
            options = self._keeps(state, points, dice, left) if left else []
            if self.rules.stops or not left:
                options += self._scores(state, points, dice, left)
            value = max(worth for _, worth, _ in options)
            edges = tuple(Edge(to, name, best=worth == value) for to, worth, name in options)
            return Node("roll", " ".join(map(self._name, dice)), value, edges)

        return self._once((state, dice, left), grow)

    def _keeps(
        self, state: State, points: int, dice: Dice, left: int
    ) -> list[tuple[int, Fraction, str]]:
        """Return (node, value, name) of each keep of a roll, most dice first."""
        keeps = dict.fromkeys(self._seen(kept) for kept in product(*((d, THROWN) for d in dice)))
        if self.rules.stops:
            del keeps[dice]
        numbers = [self._keep(state, points, kept, left) for kept in keeps]
        return [(number, self.nodes[number].value, "") for number in numbers]

    def _keep(self, state: State, points: int, kept: Dice, left: int) -> int:
        def grow() -> Node:
            edges = self._throws(state, points, kept, left - 1)
            label = " ".join(map(self._name, kept))
            return Node("keep", label, self._mean(edges), edges)

        return self._once((state, kept, left, "keep"), grow)

    def _scores(
        self, state: State, points: int, dice: Dice, left: int
    ) -> list[tuple[int, Fraction, str]]:
        """Return (node, value, name) of each category for a roll, in card order."""
        options = []
        for move in legal_moves(self.rules, state, dice, left):
            follower = after(self.rules, state, move, left)
            gain = self._gain(state, move, follower)
            number = self._card(follower, 0 if self.merged else points + gain)
            value = self.nodes[number].value + (gain if self.merged else 0)
            options.append((number, value, f"{self.rules.keys[move.category]} {gain}"))
        return options

    def _gain(self, state: State, move: Move, follower: State) -> int:
        """Return the points of a move, with the steps of the upper bonus that it earns."""
        earned = self.rules.bonus_at(follower.upper) - self.rules.bonus_at(state.upper)
        return move.points + move.extra + earned


_SHAPES = {
    "card": 'shape=box, style="rounded,filled", fillcolor="#e8eef7"',
    "roll": "shape=circle, width=0.65",
    "keep": "shape=box, style=dashed",
}


def to_dot(tree: GameTree) -> str:
    """Return a tree as DOT text, for Graphviz: best choices green, values below the names."""
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
