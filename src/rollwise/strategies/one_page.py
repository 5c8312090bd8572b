"""The best strategy known that fits on one printed page.

Before a reroll the first line that fits the roll and the open boxes says what is kept; after the
last roll it is scored where the page says that it is worth most. The page stands in
``one_page.toml``; ``benchmarks/one_page.py`` has searched for it.
"""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import IllegalError
from rollwise.model.arrays import Model
from rollwise.model.lattice import Lattice
from rollwise.model.outcomes import FORBIDDEN
from rollwise.model.turn import options_of_all
from rollwise.rules import Rules
from rollwise.strategies.page_lines import BOXES, FACES, NO_KEEP, Line, kept_points
from rollwise.strategies.strategy import ByCards, Choices

PAGE = Path(__file__).with_name("one_page.toml")
PACES = ("behind", "even", "ahead")


@dataclass(frozen=True, eq=False)
class Page:
    """What the page says.

    Attributes
    ----------
    lines : tuple of Line
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

    lines: tuple[Line, ...]
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
        Line(
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
