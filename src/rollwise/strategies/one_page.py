"""A heuristic strategy whose rules fit on one printed page.

A :class:`PageLine` is a rule that chooses dice to keep. Before a reroll, the strategy follows the
first line that applies to the roll and the open categories. It scores the final roll in the
category with the highest value. A :class:`Page` consists of the lines and the values of the
categories. The page in ``one_page.toml`` is the best known page; the search in
``benchmarks/one_page.py`` found it.
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
from rollwise.model.dice_lattice import Lattice
from rollwise.model.outcomes import FORBIDDEN
from rollwise.model.turn import options_of_all
from rollwise.rules import Rules
from rollwise.solving.turn_policy import Cards, Turns
from rollwise.strategies.strategy import Strategy

BOXES = (
    *("ones", "twos", "threes", "fours", "fives", "sixes"),
    *("three-of-a-kind", "four-of-a-kind", "full-house", "small-straight", "large-straight"),
    *("yahtzee", "chance"),
)
"""The categories of the page; the first six are the upper categories for faces 1 to 6."""

FACES = 6
NO_KEEP = -1

Pattern = Callable[[Dice, Sequence[int]], Dice | None]
"""A function that returns the dice to keep, given a roll and the faces of a line.

It returns None if the line does not apply to the roll.
"""


def _same_face(number: int) -> Pattern:
    """Return a pattern that keeps all dice of the highest face with ``number`` or more dice."""

    def keep(roll: Dice, faces: Sequence[int]) -> Dice | None:
        shown = [face for face in faces if roll.count(face) >= number]
        return (max(shown),) * roll.count(max(shown)) if shown else None

    return keep


def _run(length: int, *lowest: int, of: int | None = None) -> Pattern:
    """Return a pattern that keeps a part of a straight.

    It keeps exactly ``length`` faces within a run of ``of`` faces (default: ``length``). The run
    starts at the first face of ``lowest`` for which this is possible.
    """

    def keep(roll: Dice, faces: Sequence[int]) -> Dice | None:
        rows = ([face for face in range(low, low + (of or length)) if face in roll]
                for low in lowest)  # fmt: skip
        return next((tuple(row) for row in rows if len(row) == length), None)

    return keep


def _repeated(*counts: int) -> Pattern:
    """Return a pattern that keeps all dice of each face that appears more than once.

    It applies to rolls in which the numbers of equal dice are ``counts``, in any order.
    """

    def keep(roll: Dice, faces: Sequence[int]) -> Dice | None:
        if sorted(roll.count(face) for face in set(roll)) != sorted(counts):
            return None
        return tuple(die for die in roll if roll.count(die) > 1)

    return keep


PATTERNS: dict[str, Pattern] = {
    "four of a kind": _same_face(4),
    "three of a kind": _same_face(3),
    "pair": _same_face(2),
    "highest face": _same_face(1),
    "full house": _repeated(2, 3),
    "two pairs": _repeated(1, 2, 2),
    "five in a row": _run(5, 2, 1),
    "four in a row": _run(4, 3, 2, 1),
    "234 or 345": _run(3, 3, 2),
    "four of five in a row": _run(4, 2, 1, of=5),
    "three of four in a row": _run(3, 2, 3, 1, of=4),
    "5s and 6s": lambda roll, faces: tuple(die for die in roll if die >= 5) or None,
    "nothing": lambda roll, faces: (),
}


@dataclass(frozen=True)
class PageLine:
    """A line of the page: a pattern of dice to keep, and the conditions under which it applies.

    Attributes
    ----------
    keep : str
        A key of ``PATTERNS``.
    faces : (int, int)
        The lowest and the highest face of the pattern.
    own : bool
        Whether the line applies only to faces whose upper category is open.
    open : tuple of tuples of str
        Groups of categories. At least one category of each group must be open.
    filled : tuple of str
        The categories that must be filled.
    roll : {"any", "first", "last"}
        The rerolls to which the line applies: any, all but the last, or the last.
    """

    keep: str
    faces: tuple[int, int] = (1, FACES)
    own: bool = False
    open: tuple[tuple[str, ...], ...] = ()
    filled: tuple[str, ...] = ()
    roll: str = "any"

    def holds(self, open_K: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return whether the line applies to scorecards with the open categories ``open_K``.

        ``open_K`` has shape (..., 13), with the categories of the page in the last axis. The result
        has shape (...).
        """
        at = {key: number for number, key in enumerate(BOXES)}
        applies = np.ones(open_K.shape[:-1], dtype=np.bool_)
        for group in self.open:
            applies &= open_K[..., [at[key] for key in group]].any(axis=-1)
        return np.asarray(applies & ~open_K[..., [at[key] for key in self.filled]].any(axis=-1))

    def before(self, left: int) -> bool:
        """Return whether the line applies with ``left`` rerolls left."""
        return self.roll == "any" or (self.roll == "last") == (left == 1)

    def words(self) -> tuple[str, str]:
        """Return the dice to keep and the conditions, in the words of the page."""
        low, high = self.faces
        named = [f"{face}s" for face in range(low, high + 1)]
        which = {1: named[0], 2: " or ".join(named)}.get(len(named), f"{low}s to {high}s")
        limits = ([which] if len(named) < FACES else []) + (["if open"] if self.own else [])
        keep = f"{self.keep} ({', '.join(limits)})" if limits else self.keep
        when = [f"{' or '.join(map(spoken, group))} open" for group in self.open]
        if self.filled:
            when.append(f"{' and '.join(map(spoken, self.filled))} filled")
        if self.roll != "any":
            when.append(f"{'first' if self.roll == 'first' else 'second'} roll")
        return keep, "; ".join(when)


def spoken(key: str) -> str:
    """Return the name of a category on the page."""
    short = {"three-of-a-kind": "3 of a kind", "four-of-a-kind": "4 of a kind"}
    return short.get(key, key.replace("-", " ").capitalize())


@lru_cache(maxsize=1024)
def kept_points(lattice: Lattice, line: PageLine) -> NDArray[np.int16]:
    """Return the lattice index of the dice that a line keeps, int16 of shape (64, R).

    The first axis is the bit mask of the open upper categories, with ``ones`` in the lowest bit.
    The second axis is the roll. An entry is ``NO_KEEP`` if the line does not apply to the roll.
    """
    low, high = line.faces
    keep = PATTERNS[line.keep]
    points = np.full((1 << FACES, len(lattice.rolls)), NO_KEEP, dtype=np.int16)
    for upper in range(1 << FACES if line.own else 1):
        faces = [f for f in range(low, high + 1) if not line.own or upper >> (f - 1) & 1]
        for r, roll in enumerate(lattice.rolls):
            dice = keep(roll, faces)
            if dice is not None:
                points[upper, r] = lattice.point(dice)
    return points if line.own else np.broadcast_to(points[0], points.shape)


PAGE = Path(__file__).with_name("one_page.toml")
PACES = ("behind", "even", "ahead")


@dataclass(frozen=True, eq=False)
class Page:
    """The content of the page.

    Attributes
    ----------
    lines : tuple of PageLine
        The rules for the dice to keep. The strategy follows the first line that applies. If no line
        applies, it rerolls all dice.
    pace : int
        The tolerance of the pace. Par is the score of three dice in each filled upper category.
        The pace is even if the upper-section total differs from par by at most this many points.
    upper_W_F_N : int64 array of shape (paces, faces, dice + 1)
        The value of scoring a number of dice of a face, by pace (behind, even, or ahead), face,
        and number.
    price : dict of str to int
        The price of each lower category. The value of a score is the score minus the price.
    zero : dict of str to int
        The value of a zero in each lower category.
    """

    lines: tuple[PageLine, ...]
    pace: int
    upper_W_F_N: NDArray[np.int64]
    price: dict[str, int]
    zero: dict[str, int]

    def outcome_values(self, model: Model) -> NDArray[np.float64]:
        """Return the value of scoring each outcome, float64 of shape (paces, O)."""
        value_W_O = np.zeros((len(PACES), len(model.points_O)))
        keys = model.rules.keys
        for o, (k, points) in enumerate(zip(model.category_O, model.points_O, strict=True)):
            index = BOXES.index(keys[k])
            if index < FACES:
                value_W_O[:, o] = self.upper_W_F_N[:, index, points // (index + 1)]
            else:
                value_W_O[:, o] = points - self.price[keys[k]] if points else self.zero[keys[k]]
        return value_W_O

    def paces(self, cards: Cards) -> NDArray[Any]:
        """Return the pace of each scorecard in the upper section, int64 of shape (G,).

        0 is behind, 1 is even, and 2 is ahead.
        """
        model = cards.model
        par_K = np.array([3 * (BOXES.index(key) + 1) for key in model.rules.keys])
        upper_K = np.array([BOXES.index(key) < FACES for key in model.rules.keys])
        filled_G_K = model.mask_C[cards.class_G][:, None] >> np.arange(len(par_K)) & 1
        ahead_G = model.total_L[cards.lane_G] - filled_G_K @ (par_K * upper_K)
        return np.asarray(np.digitize(ahead_G, [-self.pace, self.pace + 1]))


def parse_page(text: str) -> Page:
    """Parse a page in TOML format."""
    content = tomllib.loads(text)
    lines = [
        PageLine(
            line["keep"],
            (line["faces"][0], line["faces"][-1]) if "faces" in line else (1, FACES),
            line.get("own", False),
            tuple(map(tuple, line.get("open", []))),
            tuple(line.get("filled", [])),
            line.get("roll", "any"),
        )
        for line in content["lines"]
    ]
    upper = [[content["upper"][key][pace] for key in BOXES[:FACES]] for pace in PACES]
    lower = content["lower"]
    return Page(
        lines=tuple(lines),
        pace=content["pace"],
        upper_W_F_N=np.array(upper),
        price={key: lower[key]["price"] for key in lower},
        zero={key: lower[key]["zero"] for key in lower},
    )


@cache
def load_page() -> Page:
    """Load the page that comes with this package."""
    return parse_page(PAGE.read_text(encoding="utf-8"))


class OnePage(Strategy):
    """The strategy that follows the lines and values of a page.

    If two categories have the same value, it scores in the category that comes first on the
    scorecard.

    Parameters
    ----------
    page : Page, optional
        The page (default: the page that comes with this package).
    """

    name = "one-page"

    def __init__(self, page: Page | None = None) -> None:
        self._page = page

    @property
    def page(self) -> Page:
        """The page that the strategy follows."""
        return self._page or load_page()

    def turns(self, cards: Cards) -> Turns:
        """Return the policies that the page describes."""
        model = cards.model
        _check(model.rules)
        pace_G = self.page.paces(cards)
        # Compute each combination of class and pace once, because lanes affect only the pace.
        alike, alike_G = np.unique(cards.class_G * len(PACES) + pace_G, return_inverse=True)
        classes, paces = np.divmod(alike, len(PACES))
        option_G_E_K = options_of_all(model, classes)
        value_G_E_K = self.page.outcome_values(model)[paces[:, None, None], option_G_E_K]
        categories = np.where(option_G_E_K == FORBIDDEN, -np.inf, value_G_E_K).argmax(axis=-1)
        open_G_K = np.zeros((len(classes), len(BOXES)), dtype=np.bool_)
        open_G_K[:, [BOXES.index(key) for key in model.rules.keys]] = model.open_categories(classes)
        shape = (len(classes), cards.rerolls, len(model.lattice.rolls))
        keeps_G_J_R = np.zeros(shape, dtype=np.uint16)
        for left in range(cards.rerolls, 0, -1):
            keeps_G_J_R[:, -left] = self.keeps(model.lattice, open_G_K, left)
        return Turns(cards, keeps_G_J_R[alike_G], categories.astype(np.uint8)[alike_G])

    def keeps(self, lattice: Lattice, open_G_K: NDArray[np.bool_], left: int) -> NDArray[np.int16]:
        """Return the dice to keep from each roll on each scorecard, int16 of shape (G, R).

        The dice to keep are given as lattice indices. ``open_G_K`` marks the open categories of
        each scorecard, and ``left`` is the number of rerolls left.
        """
        upper_G = open_G_K[:, :FACES] @ (1 << np.arange(FACES))
        keep_G_R = np.full((len(open_G_K), len(lattice.rolls)), NO_KEEP, dtype=np.int16)
        for line in self.page.lines:
            if line.before(left):
                here = np.flatnonzero(line.holds(open_G_K))
                point_G_R = kept_points(lattice, line)[upper_G[here]]
                keep_G_R[here] = np.where(keep_G_R[here] == NO_KEEP, point_G_R, keep_G_R[here])
        return np.where(keep_G_R == NO_KEEP, lattice.point(()), keep_G_R)


def _check(rules: Rules) -> None:
    """Raise IllegalError unless the page covers the dice and categories of a game."""
    unknown = next((key for key in rules.keys if key not in BOXES), None)
    if unknown is not None:
        raise IllegalError(
            f"the strategy one-page plays only the categories of Yahtzee, and {rules.name} has "
            f"{unknown}; choose another strategy"
        )
    if rules.kinds != ((5, FACES),):
        raise IllegalError(
            f"the strategy one-page needs five six-sided dice, which {rules.name} does not have; "
            "choose another strategy"
        )
