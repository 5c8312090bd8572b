"""What a line of the one page can say: which dice of a roll are kept, and when the line holds."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from rollwise.game.scorecard import Dice
from rollwise.model.lattice import Lattice

BOXES = (
    *("ones", "twos", "threes", "fours", "fives", "sixes"),
    *("three-of-a-kind", "four-of-a-kind", "full-house", "small-straight", "large-straight"),
    *("yahtzee", "chance"),
)
"""The boxes that the page speaks of; the first six are those of the faces 1 to 6."""

FACES = 6
NO_KEEP = -1

Pattern = Callable[[Dice, Sequence[int]], Dice | None]
"""From a roll and the faces that a line speaks of to the dice kept, None if the roll lacks them."""


def _alike(number: int) -> Pattern:
    """Keep all dice of the highest face that shows so often at least."""

    def keep(roll: Dice, faces: Sequence[int]) -> Dice | None:
        shown = [face for face in faces if roll.count(face) >= number]
        return (max(shown),) * roll.count(max(shown)) if shown else None

    return keep


def _row(length: int, *lowest: int, of: int | None = None) -> Pattern:
    """Keep so many faces within a row of ``of``, the first such row of those that start here."""

    def keep(roll: Dice, faces: Sequence[int]) -> Dice | None:
        rows = ([face for face in range(low, low + (of or length)) if face in roll]
                for low in lowest)  # fmt: skip
        return next((tuple(row) for row in rows if len(row) == length), None)

    return keep


def _pairs(*counts: int) -> Pattern:
    """Keep all dice that are not alone, if the faces show just so often."""

    def keep(roll: Dice, faces: Sequence[int]) -> Dice | None:
        if sorted(roll.count(face) for face in set(roll)) != sorted(counts):
            return None
        return tuple(die for die in roll if roll.count(die) > 1)

    return keep


PATTERNS: dict[str, Pattern] = {
    "four alike": _alike(4),
    "three alike": _alike(3),
    "pair": _alike(2),
    "highest face": _alike(1),
    "full house": _pairs(2, 3),
    "two pairs": _pairs(1, 2, 2),
    "five in a row": _row(5, 2, 1),
    "four in a row": _row(4, 3, 2, 1),
    "234 or 345": _row(3, 3, 2),
    "four of five in a row": _row(4, 2, 1, of=5),
    "three of four in a row": _row(3, 2, 3, 1, of=4),
    "5s and 6s": lambda roll, faces: tuple(die for die in roll if die >= 5) or None,
    "nothing": lambda roll, faces: (),
}
OF_FACES = ("four alike", "three alike", "pair", "highest face")
"""The patterns that a line may ask of some faces only."""


@dataclass(frozen=True)
class Line:
    """A line of the page.

    Attributes
    ----------
    keep : str
        A name of ``PATTERNS``.
    faces : (int, int)
        The lowest and the highest face that it speaks of.
    own : bool
        Whether it speaks only of faces whose upper box is open.
    open : tuple of tuples of str
        Of each of these groups of boxes one has to be open.
    filled : tuple of str
        These boxes have to be filled.
    roll : {"any", "first", "last"}
        Before which reroll it holds: any, all but the last, the last.
    """

    keep: str
    faces: tuple[int, int] = (1, FACES)
    own: bool = False
    open: tuple[tuple[str, ...], ...] = ()
    filled: tuple[str, ...] = ()
    roll: str = "any"

    def holds(self, open_K: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return whether it holds on cards, by their open boxes, bool of shape (..., BOXES)."""
        at = {key: number for number, key in enumerate(BOXES)}
        found = np.ones(open_K.shape[:-1], dtype=np.bool_)
        for group in self.open:
            found &= open_K[..., [at[key] for key in group]].any(axis=-1)
        return np.asarray(found & ~open_K[..., [at[key] for key in self.filled]].any(axis=-1))

    def before(self, left: int) -> bool:
        """Return whether it holds with so many rerolls left."""
        return self.roll == "any" or (self.roll == "last") == (left == 1)

    def words(self) -> tuple[str, str]:
        """Return what is kept, and when, as the page says it."""
        low, high = self.faces
        named = [f"{face}s" for face in range(low, high + 1)]
        which = {1: named[0], 2: " or ".join(named)}.get(len(named), f"{low}s to {high}s")
        kept = self.keep
        if len(named) < FACES:
            kept += f" of {which}"
        if self.own:
            kept += " whose box is open"
        when = [f"{' or '.join(map(spoken, group))} open" for group in self.open]
        if self.filled:
            when.append(f"{' and '.join(map(spoken, self.filled))} filled")
        if self.roll != "any":
            when.append(f"{'first' if self.roll == 'first' else 'second'} roll")
        return kept, "; ".join(when)


def spoken(key: str) -> str:
    """Return a box as the page names it."""
    short = {"three-of-a-kind": "3 of a kind", "four-of-a-kind": "4 of a kind"}
    return short.get(key, key.replace("-", " ").capitalize())


@lru_cache(maxsize=1024)
def kept_points(lattice: Lattice, line: Line) -> NDArray[np.int16]:
    """Return what a line keeps, by the open upper boxes and the roll, int16 of shape (64, R).

    Points of the lattice, ``NO_KEEP`` where a roll lacks the dice; of the open upper boxes there is
    a bit for each face, that of ones first.
    """
    low, high = line.faces
    keep = PATTERNS[line.keep]
    found = np.full((1 << FACES, len(lattice.rolls)), NO_KEEP, dtype=np.int16)
    for upper in range(1 << FACES if line.own else 1):
        faces = [f for f in range(low, high + 1) if not line.own or upper >> (f - 1) & 1]
        for r, roll in enumerate(lattice.rolls):
            kept = keep(roll, faces)
            if kept is not None:
                found[upper, r] = lattice.point(kept)
    return found if line.own else np.broadcast_to(found[0], found.shape)
