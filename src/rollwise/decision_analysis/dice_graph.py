"""The graph of dice on the table, found by rolling one die at a time.

A *point* is what is known about some dice: a profile or a multiset, as the `Notation` has it.
Rolling one more die leads from a point of k dice to points of k + 1 dice. The points of all dice
are the states of a turn; the points of up to all dice are the options, what is left on the table
while the rest is rolled again. A state can be kept down to an option exactly if rolling on from
the option can lead to the state, so the same arrows, read backwards, say which options it has.

Checks of input that several notations share.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from rollwise.decision_analysis.arrows import Arrows, Number
from rollwise.errors import InputError, TooLargeError

Point = tuple[int, ...]

MAX_ARROWS = 3_000_000
"""Graphs with more arrows are refused: they would take minutes and gigabytes."""


class Notation(Protocol):
    """What a turn distinguishes about its dice, and how that is written."""

    @property
    def faces(self) -> int:
        """The number of faces of each die, all equally likely."""

    def empty(self) -> Point:
        """Return the point of no dice."""

    def roll_one(self, point: Point) -> Iterable[tuple[Point, int]]:
        """Yield each point that one more die can lead to, with the number of faces that do."""

    def of_dice(self, dice: Sequence[int]) -> Point:
        """Return the point of dice that show these faces."""

    def parse(self, text: str) -> Point:
        """Return the point that a text shows."""

    def format(self, point: Point) -> str:
        """Return the text of a point."""


@dataclass(frozen=True)
class DiceGraph:
    """All points of up to n dice, layer by layer, and the arrows between neighbouring layers.

    Attributes
    ----------
    layers
        The points of k dice, for k = 0 … n; their order numbers the values in all arrays.
    up
        Arrows from layer k to layer k + 1, for k = 0 … n − 1; weights are numbers of faces.
    """

    layers: tuple[tuple[Point, ...], ...]
    up: tuple[Arrows, ...]

    @cached_property
    def index(self) -> dict[Point, tuple[int, int]]:
        """The layer of each point, and its place there."""
        return {p: (k, i) for k, layer in enumerate(self.layers) for i, p in enumerate(layer)}

    @cached_property
    def down(self) -> tuple[Arrows, ...]:
        """Arrows from layer k + 1 to layer k, for k = 0 … n − 1: the upward ones, reversed."""
        return tuple(_reversed(arrows) for arrows in self.up)


def grow(notation: Notation, dice: int) -> DiceGraph:
    """Roll dice one after another and note all that can happen.

    Raises
    ------
    ValueError
        When there are more than `MAX_ARROWS` arrows.
    """
    layers: list[tuple[Point, ...]] = [(notation.empty(),)]
    up: list[Arrows] = []
    arrows = 0
    for layers_left in range(dice, 0, -1):
        in_layer = 0
        found: dict[Point, int] = {}
        rolls: list[list[tuple[int, Number]]] = []
        for point in layers[-1]:
            rolls.append(
                [(found.setdefault(p, len(found)), ways) for p, ways in notation.roll_one(point)]
            )
            in_layer += len(rolls[-1])
            # No later layer has fewer arrows: to each point belongs another with one die more.
            if arrows + in_layer * layers_left > MAX_ARROWS:
                raise TooLargeError(
                    f"{dice} dice with {notation.faces} faces can show too many different things; "
                    "expected fewer dice or faces, or a simulation (simulate_turn, --simulate N)"
                )
        arrows += in_layer
        layers.append(tuple(found))
        up.append(Arrows.leaving(rolls, dtype=np.int64))
    return DiceGraph(tuple(layers), tuple(up))


def _reversed(arrows: Arrows) -> Arrows:
    ends = np.append(arrows.firsts[1:], len(arrows.heads))
    tails = np.repeat(np.arange(len(arrows.firsts)), ends - arrows.firsts)
    order = np.argsort(arrows.heads, kind="stable")
    _, firsts = np.unique(arrows.heads[order], return_index=True)
    return Arrows(tails[order], arrows.weights[order], firsts)


MAX_FACES = 1_000


def check_whole(what: str, number: int, most: int) -> None:
    """Raise ValueError unless a number is whole and from 1 to the most that is allowed."""
    if not isinstance(number, int) or not 1 <= number <= most:
        raise InputError(f"{what}: got {number!r}, expected a whole number from 1 to {most:,}")


def check_dice(dice: Sequence[int], faces: int) -> None:
    """Raise ValueError unless all dice show faces from 1 to the number of faces."""
    for face in dice:
        if not 1 <= face <= faces:
            raise InputError(f"a die shows {face}; expected a face from 1 to {faces}")
