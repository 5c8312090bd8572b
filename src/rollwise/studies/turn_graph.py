"""Pictures of one turn as a tree and as a graph of its states, in the DOT language.

A whole turn is too large for a picture. Each level therefore shows a few nodes and the total number
of nodes. The tree distinguishes the dice and has a node for each history. Five dice with six faces
have 6⁵ first rolls and 7⁵ outcomes of a reroll, because each die is kept or shows a new face. The
graph ignores the order of the dice: it has 252 rolls and 462 sets of dice to keep.

Source: T. Verhoeff, Optimal Solitaire Yahtzee Strategies (2003 or later), "Yahtzee Turn Tree" and
"Reduced Yahtzee Turn Graph".
"""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import factorial, prod

from rollwise.game.notation import die_text, format_dice, format_keep
from rollwise.game.scorecard import Dice
from rollwise.model.dice_lattice import Lattice, lattice
from rollwise.rules import Rules

MORE = "⋯"

HEAD = """digraph {
  rankdir=LR; ranksep=1.1; nodesep=0.12;
  node [fontname="Helvetica", fontsize=11, shape=box, style=rounded, margin="0.08,0.04"];
  edge [fontname="Helvetica", fontsize=9, color="#999999", arrowsize=0.5];"""


class _Drawing:
    """A builder of a DOT graph with levels from left to right, each below its heading."""

    def __init__(self) -> None:
        self.lines = [HEAD]
        self.headings: list[str] = []

    def level(self, name: str, heading: str, labels: Sequence[str]) -> list[str]:
        """Draw a level with its heading and return the names of its nodes."""
        title, nodes = f"{name}_heading", [f"{name}_{i}" for i in range(len(labels))]
        self.lines.append(f'  {title} [label="{heading}", shape=plaintext, fontsize=12];')
        for node, label in zip(nodes, labels, strict=True):
            shape = ", shape=plaintext" if label == MORE else ""
            self.lines.append(f'  {node} [label="{label}"{shape}];')
        self.lines.append(f"  {{ rank=same; {'; '.join([title, *nodes])} }}")
        down = " -> ".join([title, *nodes])
        self.lines.append(f"  {down} [style=invis, weight=9];")
        if self.headings:
            self.lines.append(f"  {self.headings[-1]} -> {title} [style=invis];")
        self.headings.append(title)
        return nodes

    def edge(self, tail: str, head: str, label: str = "", style: str = "solid") -> None:
        """Draw an edge between two nodes."""
        self.lines.append(f'  {tail} -> {head} [label="{label}", style={style}];')

    def caption(self, words: str) -> None:
        """Write a caption below the picture."""
        self.lines.append(f'  label="{words}"; fontname="Helvetica"; fontsize=13;')

    def text(self) -> str:
        """Return the graph in the DOT language."""
        return "\n".join([*self.lines, "}", ""])


def turn_graph(rules: Rules) -> str:
    """Return the graph of a turn in the DOT language, with unordered dice in the nodes."""
    points = lattice(rules.kinds)
    likeliest = points.rolls[int(points.weight_R.argmax())]
    rolls = _distinct([points.rolls[0], likeliest, points.rolls[-1]])
    keeps = _distinct([(), likeliest[len(likeliest) // 2 :], points.rolls[-1]])
    by_size = " + ".join(map(str, _by_size(points)))
    drawing = _Drawing()
    nodes = drawing.level("start", "turn", ["begin"])
    sources: list[Dice] = [()]
    for roll in range(1, rules.rolls + 1):
        heading = f"roll {roll}\\n{len(points.rolls):,} rolls"
        after = drawing.level(f"roll{roll}", heading, [*_texts(rules, rolls), MORE])
        for node, kept_dice in zip(nodes, sources, strict=False):
            for other, dice in zip(after, rolls, strict=False):
                probability = _probability(rules, kept_dice, dice)
                if probability:
                    drawing.edge(node, other, str(probability))
            if kept_dice != rolls[-1]:
                drawing.edge(node, after[-1], style="dashed")
        nodes = after
        if roll < rules.rolls:
            heading = f"keep {roll}\\n{len(points.points):,} sets of dice\\n{by_size}"
            labels = [format_keep(rules, dice) for dice in keeps]
            after = drawing.level(f"keep{roll}", heading, [*labels, MORE])
            for node, dice in zip(nodes, rolls, strict=False):
                for other, kept_dice in zip(after, keeps, strict=False):
                    if not Counter(kept_dice) - Counter(dice):
                        drawing.edge(node, other)
                drawing.edge(node, after[-1], style="dashed")
            nodes, sources = after, keeps
    _score(drawing, rules, nodes)
    rerolls, keeps_in_all, rolls_in_all = rules.rolls - 1, len(points.points), len(points.rolls)
    states = 1 + rerolls * keeps_in_all + rules.rolls * rolls_in_all
    drawing.caption(
        f"1 + {rerolls} · {keeps_in_all:,} + {rules.rolls} · {rolls_in_all:,} = {states:,} states"
    )
    return drawing.text()


def turn_tree(rules: Rules) -> str:
    """Return the tree of a turn in the DOT language, with one complete path."""
    drawing = _Drawing()
    (node,) = drawing.level("start", "turn", ["begin"])
    kinds = zip(rules.symbols, rules.kinds, strict=True)
    faces = [symbols for symbols, (dice, _) in kinds for _ in range(dice)]
    ways = prod(len(symbols) for symbols in faces)
    rerolls = prod(len(symbols) + 1 for symbols in faces)
    kept_dice: tuple[int | None, ...] = (None,) * rules.dice
    count = 1
    for roll in range(1, rules.rolls + 1):
        count *= ways if roll == 1 else rerolls
        possible: list[Sequence[int]] = [
            face if die is None else (die,) for die, face in zip(kept_dice, faces, strict=True)
        ]
        shown = list(zip(*(_sample(i, die) for i, die in enumerate(possible, 1)), strict=True))
        labels = [" ".join(die_text(rules, die) for die in dice) for dice in shown]
        heading = f"roll {roll}\\n{count:,} nodes"
        children = prod(map(len, possible))
        node = _fan(drawing, f"roll{roll}", heading, labels, node, f"1/{children:,}")
        if roll < rules.rolls:
            heading = f"keep {roll}\\n{count * 2**rules.dice:,} nodes"
            middle = shown[1]
            kept_dice = tuple(die if i < rules.dice // 2 else None for i, die in enumerate(middle))
            keeps: list[tuple[int | None, ...]] = [(None,) * rules.dice, kept_dice, middle]
            labels = [
                " ".join("·" if die is None else die_text(rules, die) for die in dice)
                for dice in keeps
            ]
            node = _fan(drawing, f"keep{roll}", heading, labels, node, "")
    _score(drawing, rules, [node])
    return drawing.text()


def _sample(i: int, options: Sequence[int]) -> tuple[int, int, int]:
    """Return three sample faces of die ``i``: the first face, a middle face, and the last face.

    The middle face depends on ``i``, so that the sample dice can show different faces.
    """
    return options[0], options[i % len(options)], options[-1]


def _fan(
    drawing: _Drawing, name: str, heading: str, labels: Sequence[str], tail: str, edge: str
) -> str:
    """Draw sample children of the node ``tail``, and return the child that the tree expands.

    ``edge`` is the label of the edges to the children.
    """
    first, middle, last = labels
    nodes = drawing.level(name, heading, [first, MORE, middle, MORE, last])
    for node, shown in zip(nodes, (True, False, True, False, True), strict=True):
        drawing.edge(tail, node, edge if shown else "", "solid" if shown else "dashed")
    return nodes[2]


def _score(drawing: _Drawing, rules: Rules, nodes: Sequence[str]) -> None:
    number = len(rules.categories)
    (category,) = drawing.level(
        "score", f"score\\n{number} categories at most", ["an open category"]
    )
    for node in nodes:
        drawing.edge(node, category)


def _distinct(dice: Sequence[Dice]) -> list[Dice]:
    return list(dict.fromkeys(dice))


def _texts(rules: Rules, rolls: Sequence[Dice]) -> list[str]:
    return [format_dice(rules, dice) for dice in rolls]


def _by_size(points: Lattice) -> list[int]:
    return [int(end - start) for start, end in pairwise(points.size_starts)]


def _probability(rules: Rules, kept: Dice, roll: Dice) -> Fraction:
    """Return the probability of a roll if all dice except the kept dice are rolled."""
    rolled = Counter(roll)
    rolled.subtract(kept)
    if min(rolled.values()) < 0:
        return Fraction(0)
    probability = Fraction(1)
    for symbols in rules.symbols:
        numbers = [rolled[symbol] for symbol in symbols]
        ways = factorial(sum(numbers)) // prod(map(factorial, numbers))
        probability *= Fraction(ways, len(symbols) ** sum(numbers))
    return probability
