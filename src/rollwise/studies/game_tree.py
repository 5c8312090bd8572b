"""The game tree: its size, and for a small game the tree itself and the graph of merged nodes.

A *game* is a full sequence of events in every turn: the face of each die in the first roll, the
kept dice and the new faces in each reroll, and the category. Dice are distinguishable, and a turn
always uses all its rolls: a player who stops early keeps all dice. A *strategy* defines an action
for every state that it can reach.

The tree has a node for each history and a leaf for each game. The value of a node in the tree is
the expected final score. The graph merges nodes with the same state. The value of a node in the
graph is the expected points to come. If points depend on the number of rolls, a player in the tree
or in the graph can score any roll instead of keeping all dice.

Source: T. Verhoeff, Optimal Solitaire Yahtzee Strategies (2003 or later), "Micro Yahtzee:
Analysis", "Game Tree", "Game Graph", "Optimal Expectation", "Yahtzee Game Tree", and "Reduced
Yahtzee Turn Graph".
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from fractions import Fraction
from functools import cache, partial
from itertools import product
from math import comb, factorial, prod
from typing import Literal

from rollwise.errors import InconsistentError, TooLargeError
from rollwise.game.consistency import open_categories
from rollwise.game.dice_notation import die_text
from rollwise.game.scorecard import Dice, State, after, legal_moves
from rollwise.game.scoring import forces_jokers
from rollwise.rules import Rules

MAX_DIGITS = 1000
"""The maximum number of digits of an exact number of strategies."""

HUGE = Context(prec=40, Emax=MAX_EMAX, Emin=MIN_EMIN)
"""The context for decimal numbers of any size, because some numbers exceed the range of float64."""

MAX_NODES = 1000
"""The maximum number of nodes in a readable picture."""

THROWN = 0
"""The placeholder for a rerolled die in the dice of a ``keep`` node."""

Kind = Literal["card", "roll", "keep"]


@dataclass(frozen=True)
class GameSize:
    """The size of a game's tree.

    ``turn_states`` counts the states of a turn without the order of the dice: the start, the dice
    to keep before each reroll, and the dice after each roll. ``rarest`` and ``likeliest`` are the
    lowest and the highest probability that the dice produce a given game: the player rerolls all
    dice every time, or never rerolls. The number of deterministic strategies is None if it has more
    than ``MAX_DIGITS`` digits. It and its logarithm are None if the number of legal categories
    depends on more than the turn, for example because of forced jokers.
    """

    games: int
    turn_states: int
    rarest: Fraction
    likeliest: Fraction
    log10_strategies: Decimal | None
    strategies: int | None


def game_size(rules: Rules) -> GameSize:
    """Count the games, the states of a turn, and the strategies of a game without saved rolls."""
    if rules.carries_rolls:
        raise InconsistentError(
            f"the games of {rules.name} cannot be counted, because saved or extra rolls change the "
            "length of a turn; choose a game without saved or extra rolls"
        )
    rolls = prod(comb(dice + faces - 1, dice) for dice, faces in rules.kinds)
    keeps = prod(comb(dice + faces, dice) for dice, faces in rules.kinds)
    probability, turns = Fraction(1, _ordered_rolls(rules)), len(rules.categories)
    fixed_or_free = len(rules.chains) == 1 or all(len(chain) == 1 for chain in rules.chains)
    digits = log10_strategies(rules) if fixed_or_free and not forces_jokers(rules) else None
    return GameSize(
        games=games(rules),
        turn_states=1 + (rules.rolls - 1) * keeps + rules.rolls * rolls,
        rarest=probability ** (rules.rolls * turns),
        likeliest=probability**turns,
        log10_strategies=digits,
        strategies=None if digits is None or digits >= MAX_DIGITS else strategies(rules),
    )


def games(rules: Rules) -> int:
    """Return the number of games.

    A turn with n dice of f faces has fⁿ first rolls and (f + 1)ⁿ outcomes of each reroll. By
    symmetry, each of the fⁿ final rolls ends the same number of turns. If the filling order is
    free, K categories can be filled in K! orders.
    """
    turns = len(rules.categories)
    one_reroll = prod((faces + 1) ** dice for dice, faces in rules.kinds)
    ways = one_reroll ** (rules.rolls - 1)  # the number of ways to reach a given final roll
    if forces_jokers(rules):
        fillings = _forced_fillings(rules)
    else:
        orders = factorial(turns) // prod(factorial(len(chain)) for chain in rules.chains)
        fillings = _ordered_rolls(rules) ** turns * orders
    return int(ways**turns * fillings)


def _ordered_rolls(rules: Rules) -> int:
    """Return the number of rolls of all dice if the dice are distinguishable."""
    return prod(faces**dice for dice, faces in rules.kinds)


def _forced_fillings(rules: Rules) -> int:
    """Return the number of ways to fill the scorecard with final rolls under forced jokers."""
    full = (1 << len(rules.categories)) - 1

    @cache
    def fillings(filled: int) -> int:
        if filled == full:
            return 1
        after = {k: fillings(filled | 1 << k) for k in open_categories(rules, filled)}
        free: int = (_ordered_rolls(rules) - len(rules.alike)) * sum(after.values())
        moves = [move for dice in rules.alike for move in legal_moves(rules, State(filled), dice)]
        return free + sum(after[move.category] for move in moves)

    return fillings(0)


def strategies(rules: Rules) -> int:
    """Return the exact number of deterministic strategies.

    Let s(m) be the number of strategies with m open categories, and a_j the number of strategies
    after a roll with j rerolls left. Let there be n dice with f faces. Then a_0 = m s(m - 1), or
    a_0 = s(m - 1) if the categories have a fixed order, and a_j is the sum of
    C(n, i) a_{j-1}^(f^(n-i)) over the number i of kept dice. In a turn of R rolls,
    s(m) = a_{R-1}^(fⁿ), because a strategy needs a plan for each roll. If there are several kinds
    of dice, the factors of the kinds multiply.
    """
    plans: int = 1
    for choices in _choices(rules):
        of_roll = choices * plans
        for _ in range(rules.rolls - 1):
            of_roll = sum(keeps * of_roll**rolls for keeps, rolls in _keeps_and_rolls(rules))
        plans = of_roll ** _ordered_rolls(rules)
    return plans


def log10_strategies(rules: Rules) -> Decimal:
    """Return the decimal logarithm of :func:`strategies`, without computing the number."""
    plans = Decimal(0)
    with localcontext(HUGE):
        for choices in _choices(rules):
            of_roll = Decimal(choices).log10() + plans
            for _ in range(rules.rolls - 1):
                terms = [
                    Decimal(keeps).log10() + of_roll * rolls
                    for keeps, rolls in _keeps_and_rolls(rules)
                ]
                most = max(terms)
                of_roll = most + sum((10 ** (term - most) for term in terms), Decimal(0)).log10()
            plans = of_roll * _ordered_rolls(rules)
    return plans


def _choices(rules: Rules) -> Iterator[int]:
    """Yield the number of legal categories in each turn, last turn first."""
    for open_number in range(1, len(rules.categories) + 1):
        yield 1 if len(rules.chains) == 1 else open_number


def _keeps_and_rolls(rules: Rules) -> Iterator[tuple[int, int]]:
    """Yield the number of ways to keep dice, and the number of ways to roll the other dice.

    There is one pair of numbers for each choice of how many dice of each kind to keep.
    """
    for numbers in product(*(range(dice + 1) for dice, _ in rules.kinds)):
        kinds = list(zip(rules.kinds, numbers, strict=True))
        keeps = prod(comb(dice, number) for (dice, _), number in kinds)
        yield keeps, prod(faces ** (dice - number) for (dice, faces), number in kinds)


@dataclass(frozen=True)
class Edge:
    """An edge to the node ``target``.

    At a chance node, it has a ``probability``. At a decision, it is ``best`` if it is an optimal
    action, and its ``label`` is the category and its points if the player scores.
    """

    target: int
    label: str = ""
    probability: Fraction | None = None
    best: bool = False


@dataclass(frozen=True)
class Node:
    """A node with its value under optimal play and its edges.

    A ``card`` node is a state between turns, and a ``roll`` node is a decision. A ``keep`` node is
    a chance node, at which the other dice are rerolled.
    """

    kind: Kind
    label: str
    value: Fraction
    edges: tuple[Edge, ...] = ()


@dataclass(frozen=True)
class GameTree:
    """All nodes of a tree or graph; a node comes after its successors, so the root is last."""

    nodes: tuple[Node, ...]

    @property
    def value(self) -> Fraction:
        """The expected final score."""
        return self.nodes[-1].value


def game_tree(rules: Rules, *, limit: int = MAX_NODES) -> GameTree:
    """Return the tree of a game, with one leaf per game and at most ``limit`` nodes."""
    return _Builder(rules, merged=False, limit=limit).tree()


def game_graph(rules: Rules, *, limit: int = MAX_NODES) -> GameTree:
    """Return the graph of a game, which is its tree with equivalent nodes merged."""
    return _Builder(rules, merged=True, limit=limit).tree()


class _Builder:
    """A builder that creates the nodes of a tree or graph depth first.

    Its methods take a state, the points so far, the dice, and the number of rerolls left.
    """

    def __init__(self, rules: Rules, *, merged: bool, limit: int) -> None:
        self.rules, self.merged, self.limit = rules, merged, limit
        self.nodes: list[Node] = []
        self.numbers: dict[tuple[object, ...], int] = {}

    def tree(self) -> GameTree:
        self._card(State.start(self.rules), 0)
        return GameTree(tuple(self.nodes))

    def _number_of(self, key: tuple[object, ...], build: Callable[[], Node]) -> int:
        """Return the number of a node. If the node is new, build it and its successors first."""
        if self.merged and key in self.numbers:
            return self.numbers[key]
        node = build()
        if len(self.nodes) == self.limit:
            raise TooLargeError(
                f"the {'graph' if self.merged else 'tree'} of {self.rules.name} has more than "
                f"{self.limit:,} nodes, too many to draw; choose a smaller game"
            )
        self.nodes.append(node)
        self.numbers[key] = len(self.nodes) - 1
        return self.numbers[key]

    def _card(self, state: State, points: int) -> int:
        if state.filled == (1 << len(self.rules.categories)) - 1:
            label = "end" if self.merged else f"total {points}"
            return self._number_of(("end",), lambda: Node("card", label, Fraction(points)))
        nothing, left = (THROWN,) * self.rules.dice, self.rules.rolls_with(state.saved) - 1
        turn = state.in_turn(self.rules), points, nothing, left
        label = self._describe(state, points)
        return self._number_of((state,), partial(self._chance, "card", label, *turn))

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

    def _chance(
        self, kind: Kind, label: str, state: State, points: int, kept: Dice, left: int
    ) -> Node:
        """Return the node at which all dice except ``kept`` are rolled."""
        missing = self.rules.missing([die for die in kept if die != THROWN])
        kinds = zip(self.rules.symbols, missing, strict=True)
        rolled = (symbols for symbols, number in kinds for _ in range(number))
        faces = [(die,) if die != THROWN else next(rolled) for die in kept]
        ways = Counter(map(self._in_order, product(*faces)))
        edges = tuple(
            Edge(self._roll(state, points, dice, left), probability=Fraction(n, ways.total()))
            for dice, n in ways.items()
        )
        terms = ((edge.probability or 0) * self.nodes[edge.target].value for edge in edges)
        return Node(kind, label, sum(terms, Fraction(0)), edges)

    def _in_order(self, dice: Dice) -> Dice:
        """Return the dice; sort them if nodes are merged, because order does not matter then."""
        return tuple(sorted(dice)) if self.merged else dice

    def _roll(self, state: State, points: int, dice: Dice, left: int) -> int:
        decision = partial(self._decision, state, points, dice, left)
        return self._number_of((state, dice, left), decision)

    def _decision(self, state: State, points: int, dice: Dice, left: int) -> Node:
        """Return the node at which the player keeps dice or scores."""
        options: list[tuple[int, Fraction, str]] = []
        choices = product(*((die, THROWN) for die in dice)) if left else ()
        for kept in dict.fromkeys(map(self._in_order, choices)):
            if not (self.rules.stops and kept == dice):
                turn = state, points, kept, left - 1
                keep = partial(self._chance, "keep", self._names(kept), *turn)
                number = self._number_of((state, kept, left, "keep"), keep)
                options.append((number, self.nodes[number].value, ""))
        moves = legal_moves(self.rules, state, dice, left) if self.rules.stops or not left else ()
        for move in moves:
            successor = after(self.rules, state, move, left)
            bonus = self.rules.bonus_at(successor.upper) - self.rules.bonus_at(state.upper)
            gain = move.points + move.extra + bonus
            number = self._card(successor, 0 if self.merged else points + gain)
            value = self.nodes[number].value + (gain if self.merged else 0)
            options.append((number, value, f"{self.rules.keys[move.category]} {gain}"))
        best = max(value for _, value, _ in options)
        edges = tuple(Edge(to, label, best=value == best) for to, value, label in options)
        return Node("roll", self._names(dice), best, edges)

    def _names(self, dice: Dice) -> str:
        return " ".join("·" if die == THROWN else die_text(self.rules, die) for die in dice)


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
