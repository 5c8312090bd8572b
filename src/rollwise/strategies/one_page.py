"""The best strategy known that fits on one printed page.

Before a reroll the first line that fits the roll and the open boxes says what is kept; after the
last roll it is scored where the page says that it is worth most. The page stands in
``one_page.toml``; ``benchmarks/one_page.py`` has searched for it.

What a line of the one page can say: which dice of a roll are kept, and when the line holds.
"""

import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import IllegalError
from rollwise.game.scorecard import Dice
from rollwise.model.arrays import Model
from rollwise.model.lattice import Lattice
from rollwise.model.outcomes import FORBIDDEN
from rollwise.model.turn import options_of_all
from rollwise.rules import Rules
from rollwise.solving.turn_policy import Choices
from rollwise.strategies.strategy import ByCards

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
class PageLine:
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
def kept_points(lattice: Lattice, line: PageLine) -> NDArray[np.int16]:
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


PAGE = Path(__file__).with_name("one_page.toml")
PACES = ("behind", "even", "ahead")


@dataclass(frozen=True, eq=False)
class Page:
    """What the page says.

    Attributes
    ----------
    lines : tuple of PageLine
        What to keep: the first one that fits. If none does, all dice are rolled again.
    pace : int
        The upper section is even if its total is no more than this above or below three of each
        face whose box is filled.
    upper_W_F_N : int64 array of shape (paces, faces, dice + 1)
        What scoring so many dice of a face is worth.
    price : dict of str to int
        What a lower box costs: scoring points there is worth the points less the price.
    zero : dict of str to int
        What scoring nothing in a lower box is worth.
    """

    lines: tuple[PageLine, ...]
    pace: int
    upper_W_F_N: NDArray[np.int64]
    price: dict[str, int]
    zero: dict[str, int]

    def worths(self, model: Model) -> NDArray[np.float64]:
        """Return what scoring each outcome is worth, float64 of shape (paces, O)."""
        worth_W_O = np.zeros((len(PACES), len(model.points_O)))
        keys = model.rules.keys
        for o, (k, points) in enumerate(zip(model.category_O, model.points_O, strict=True)):
            box = BOXES.index(keys[k])
            if box < FACES:
                worth_W_O[:, o] = self.upper_W_F_N[:, box, points // (box + 1)]
            else:
                worth_W_O[:, o] = points - self.price[keys[k]] if points else self.zero[keys[k]]
        return worth_W_O

    def paces(self, model: Model, classes_G: NDArray[Any], lanes_G: NDArray[Any]) -> NDArray[Any]:
        """Return the pace of the upper section on each card, int64 of shape (G,)."""
        par_K = np.array([3 * (BOXES.index(key) + 1) for key in model.rules.keys])
        upper_K = np.array([BOXES.index(key) < FACES for key in model.rules.keys])
        filled_G_K = model.mask_C[classes_G][:, None] >> np.arange(len(par_K)) & 1
        ahead_G = model.total_L[lanes_G] - filled_G_K @ (par_K * upper_K)
        return np.asarray(np.digitize(ahead_G, [-self.pace, self.pace + 1]))


def parse_page(text: str) -> Page:
    """Return the page that a file says."""
    told = tomllib.loads(text)
    lines = [
        PageLine(
            line["keep"],
            (line["faces"][0], line["faces"][-1]) if "faces" in line else (1, FACES),
            line.get("own", False),
            tuple(map(tuple, line.get("open", []))),
            tuple(line.get("filled", [])),
            line.get("roll", "any"),
        )
        for line in told["lines"]
    ]
    upper = [[told["upper"][key][pace] for key in BOXES[:FACES]] for pace in PACES]
    lower = told["lower"]
    return Page(
        lines=tuple(lines),
        pace=told["pace"],
        upper_W_F_N=np.array(upper),
        price={key: lower[key]["price"] for key in lower},
        zero={key: lower[key]["zero"] for key in lower},
    )


@cache
def the_page() -> Page:
    """Return the page that comes with the package."""
    return parse_page(PAGE.read_text(encoding="utf-8"))


class OnePage(ByCards):
    """Keep what the first line that fits says; score where the page finds most worth.

    Ties: the first box in card order.

    Parameters
    ----------
    page : Page, optional
        Another one than that of the package.

    Raises
    ------
    IllegalError
        When it plays rules with other dice or boxes than those of Yahtzee.
    """

    name = "one-page"

    def __init__(self, page: Page | None = None) -> None:
        self._page = page

    @property
    def page(self) -> Page:
        """What it goes by."""
        return self._page or the_page()

    def _choices(
        self,
        model: Model,
        classes_G: NDArray[np.int64],
        lanes_G: NDArray[np.int64],
        scores_G: NDArray[np.int64],
    ) -> Choices:
        _check(model.rules)
        pace_G = self.page.paces(model, classes_G, lanes_G)
        # What cards have in common is worked out once: their lanes matter for the pace alone.
        alike, alike_G = np.unique(classes_G * len(PACES) + pace_G, return_inverse=True)
        classes, paces = np.divmod(alike, len(PACES))
        option_G_E_K = options_of_all(model, classes)
        worth_G_E_K = self.page.worths(model)[paces[:, None, None], option_G_E_K]
        categories = np.where(option_G_E_K == FORBIDDEN, -np.inf, worth_G_E_K).argmax(axis=-1)
        open_G_K = np.zeros((len(classes), len(BOXES)), dtype=np.bool_)
        open_G_K[:, [BOXES.index(key) for key in model.rules.keys]] = model.open_boxes(classes)
        rerolls = int(model.rerolls_C[classes_G[0]])
        keeps_G_J_R = np.zeros((len(classes), rerolls, len(model.lattice.rolls)), dtype=np.uint16)
        for left in range(rerolls, 0, -1):
            keeps_G_J_R[:, rerolls - left] = self.keeps(model.lattice, open_G_K, left)
        return keeps_G_J_R[alike_G], categories.astype(np.uint8)[alike_G]

    def keeps(self, lattice: Lattice, open_G_K: NDArray[np.bool_], left: int) -> NDArray[np.int16]:
        """Return the point kept of each roll, by the open boxes, int16 of shape (G, R)."""
        upper_G = open_G_K[:, :FACES] @ (1 << np.arange(FACES))
        keep_G_R = np.full((len(open_G_K), len(lattice.rolls)), NO_KEEP, dtype=np.int16)
        for line in self.page.lines:
            if line.before(left):
                here = np.flatnonzero(line.holds(open_G_K))
                said = kept_points(lattice, line)[upper_G[here]]
                keep_G_R[here] = np.where(keep_G_R[here] == NO_KEEP, said, keep_G_R[here])
        return np.where(keep_G_R == NO_KEEP, lattice.point(()), keep_G_R)


def _check(rules: Rules) -> None:
    strange = next((key for key in rules.keys if key not in BOXES), None)
    if strange is not None:
        raise IllegalError(
            f"one-page has no line for the box {strange} of {rules.name}: "
            "expected boxes of Yahtzee alone"
        )
    if rules.kinds != ((5, FACES),):
        raise IllegalError(
            f"one-page is not for the dice of {rules.name}: expected five with six faces"
        )
