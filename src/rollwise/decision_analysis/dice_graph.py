"""The graph of rolls and dice to keep, built by rolling one die at a time.

Each node of the graph represents some dice. A `Point` identifies the node; it is a profile or a
multiset, as the `Notation` defines. Rolling one more die leads from a node with k dice to nodes
with k + 1 dice. The nodes with all dice are the states of a turn. All nodes are options: sets of
dice to keep while the other dice are rolled. An option is available in a state if rolling the other
dice can lead to the state. The reversed arrows therefore give the options of a state.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from rollwise.decision_analysis.arrows import Arrows, Number
from rollwise.errors import InputError, TooLargeError

Point = tuple[int, ...]

MAX_FACES = 1_000

MAX_ARROWS = 3_000_000
"""The maximum number of arrows in a graph, because a larger one takes minutes and gigabytes."""


class Notation(Protocol):
    """A way to represent dice as tuples (`Point`) and as strings.

    `of_dice` and `parse` raise ValueError if the dice do not exist or the string is invalid.
    """

    @property
    def faces(self) -> int:
        """The number of faces of each die, all equally likely."""

    def empty(self) -> Point:
        """Return the representation of no dice."""

    def roll_one(self, point: Point) -> Iterable[tuple[Point, int]]:
        """Yield each result of rolling one more die, and the number of faces that lead to it."""

    def of_dice(self, dice: Sequence[int]) -> Point:
        """Return the representation of dice with these faces."""

    def parse(self, text: str) -> Point:
        """Parse a string that represents dice."""

    def format(self, point: Point) -> str:
        """Format dice as a string."""


@dataclass(frozen=True)
class DieFaces:
    """The base class of notations for dice that all have the same number of faces.

    Attributes
    ----------
    faces
        The number of faces of each die, 1 to 1,000.
    """

    faces: int = 6

    def __post_init__(self) -> None:
        check_whole("the number of faces", self.faces, MAX_FACES)

    def empty(self) -> Point:
        """Return the representation of no dice."""
        return ()


@dataclass(frozen=True)
class DiceGraph:
    """All nodes with up to n dice, in layers, and the arrows between neighboring layers.

    Attributes
    ----------
    layers
        The nodes with k dice, for k = 0 … n. All arrays are in this order.
    up
        Arrows from layer k to layer k + 1, for k = 0 … n − 1. The weight of an arrow is the number
        of faces that lead to its head.
    """

    layers: tuple[tuple[Point, ...], ...]
    up: tuple[Arrows, ...]

    @cached_property
    def index(self) -> dict[Point, tuple[int, int]]:
        """The layer of each node, and the index of the node in the layer."""
        return {p: (k, i) for k, layer in enumerate(self.layers) for i, p in enumerate(layer)}

    @cached_property
    def down(self) -> tuple[Arrows, ...]:
        """The reversed arrows: from layer k + 1 to layer k, for k = 0 … n − 1."""
        return tuple(_reversed(arrows) for arrows in self.up)


def grow(notation: Notation, dice: int) -> DiceGraph:
    """Return the graph of all nodes with up to ``dice`` dice.

    Raises
    ------
    ValueError
        If the graph has more than `MAX_ARROWS` arrows.
    """
    layers: list[tuple[Point, ...]] = [(notation.empty(),)]
    up: list[Arrows] = []
    arrows = 0
    for layers_left in range(dice, 0, -1):
        in_layer = 0
        index: dict[Point, int] = {}
        rolls: list[list[tuple[int, Number]]] = []
        for point in layers[-1]:
            rolls.append(
                [(index.setdefault(p, len(index)), ways) for p, ways in notation.roll_one(point)]
            )
            in_layer += len(rolls[-1])
            # This is a lower bound, because a later layer never has fewer nodes or arrows.
            if arrows + in_layer * layers_left > MAX_ARROWS:
                raise TooLargeError(
                    f"{dice} dice with {notation.faces} faces have too many different rolls; "
                    "use fewer "
                    "dice or faces, or simulate (simulate_turn, --simulate N)"
                )
        arrows += in_layer
        layers.append(tuple(index))
        up.append(Arrows.leaving(rolls, dtype=np.int64))
    return DiceGraph(tuple(layers), tuple(up))


def _reversed(arrows: Arrows) -> Arrows:
    ends = np.append(arrows.firsts[1:], len(arrows.heads))
    tails = np.repeat(np.arange(len(arrows.firsts)), ends - arrows.firsts)
    order = np.argsort(arrows.heads, kind="stable")
    _, firsts = np.unique(arrows.heads[order], return_index=True)
    return Arrows(tails[order], arrows.weights[order], firsts)


def check_whole(what: str, number: int, most: int) -> None:
    """Raise InputError unless ``number`` is an int from 1 to ``most``.

    ``what`` describes the number in the error message.
    """
    if not isinstance(number, int) or not 1 <= number <= most:
        raise InputError(f"{what} must be a whole number from 1 to {most:,}, not {number!r}")


def check_dice(dice: Sequence[int], faces: int) -> None:
    """Raise InputError unless all dice show faces from 1 to ``faces``."""
    for face in dice:
        if not 1 <= face <= faces:
            raise InputError(f"a die cannot show {face}; its faces are 1 to {faces}")
