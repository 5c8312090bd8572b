"""The graph of dice on the table, built by rolling one die at a time; and checks of dice.

A *point* represents some dice: a profile or a multiset, as the `Notation` defines it. Rolling
one more die leads from a point of k dice to points of k + 1 dice. The points of all dice are the
states of a turn. The points of up to all dice are the options: the dice that stay on the table
while the others are rolled. A state can keep an option exactly if rolling on from the option can
lead to the state, so the reversed arrows give the options of a state.
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
"""The maximum number of arrows in a graph; more would take minutes and gigabytes."""


class Notation(Protocol):
    """A way to represent dice as points, and to write points as text."""

    @property
    def faces(self) -> int:
        """The number of faces of each die, all equally likely."""

    def empty(self) -> Point:
        """Return the point of no dice."""

    def roll_one(self, point: Point) -> Iterable[tuple[Point, int]]:
        """Yield each point after rolling one more die, with the number of faces that lead to it."""

    def of_dice(self, dice: Sequence[int]) -> Point:
        """Return the point of dice with these faces."""

    def parse(self, text: str) -> Point:
        """Return the point in a text."""

    def format(self, point: Point) -> str:
        """Return the text of a point."""


@dataclass(frozen=True)
class DiceGraph:
    """All points of up to n dice, in layers, and the arrows between neighboring layers.

    Attributes
    ----------
    layers
        The points of k dice, for k = 0 … n; all arrays are in this order.
    up
        Arrows from layer k to layer k + 1, for k = 0 … n − 1; the weights are numbers of faces.
    """

    layers: tuple[tuple[Point, ...], ...]
    up: tuple[Arrows, ...]

    @cached_property
    def index(self) -> dict[Point, tuple[int, int]]:
        """The layer of each point, and its index there."""
        return {p: (k, i) for k, layer in enumerate(self.layers) for i, p in enumerate(layer)}

    @cached_property
    def down(self) -> tuple[Arrows, ...]:
        """Arrows from layer k + 1 to layer k, for k = 0 … n − 1: the upward ones, reversed."""
        return tuple(_reversed(arrows) for arrows in self.up)


def grow(notation: Notation, dice: int) -> DiceGraph:
    """Return the graph of all points of up to ``dice`` dice.

    Raises
    ------
    ValueError
        If it has more than `MAX_ARROWS` arrows.
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
            # Later layers have at least as many arrows, as they have at least as many points.
            if arrows + in_layer * layers_left > MAX_ARROWS:
                raise TooLargeError(
                    f"{dice} dice with {notation.faces} faces can show too many different things; "
                    "expected fewer dice or faces, or a simulation (simulate_turn, --simulate N)"
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
    """Check that a number is an int from 1 to ``most``.

    Raises
    ------
    ValueError
        If it is not.
    """
    if not isinstance(number, int) or not 1 <= number <= most:
        raise InputError(f"{what}: got {number!r}, expected a whole number from 1 to {most:,}")


def check_dice(dice: Sequence[int], faces: int) -> None:
    """Check that all dice show faces from 1 to ``faces``.

    Raises
    ------
    ValueError
        If one does not.
    """
    for face in dice:
        if not 1 <= face <= faces:
            raise InputError(f"a die shows {face}; expected a face from 1 to {faces}")
