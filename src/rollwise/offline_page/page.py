"""Offline pages: the HTML file of a solved game, and an index page of several files.

A file needs no external resources. It contains the arrays of one turn and the values of all states
in compressed form.
"""

import base64
import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rollwise.errors import InputError, TooLargeError
from rollwise.rules import Rules
from rollwise.rules.describe import describe, describe_size
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.objectives import CardObjective, Objective
from rollwise.solving.values import count_values

SCRIPTS = ("turn.js", "app.js")


@dataclass(frozen=True)
class IndexEntry:
    """An entry of the index page: a file and its game."""

    file: str
    title: str
    size: str
    value: float


def entry_of(solution: CardSolution, file: str) -> IndexEntry:
    """Return the index entry of a solved game."""
    return IndexEntry(file, solution.rules.title, describe_size(solution.rules), solution.value())


@lru_cache(maxsize=1)
def _templates() -> Any:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader("rollwise.offline_page", ""),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )


def _beside(name: str) -> str:
    return resources.files("rollwise.offline_page").joinpath(name).read_text(encoding="utf-8")


def offline_html(solution: CardSolution) -> str:
    """Return the HTML file of a solved game; strings from the rules are escaped.

    Raises
    ------
    TooLargeError
        If the solution does not contain the whole value table.
    """
    rules = solution.rules
    data = json.dumps(pocket_data(solution), separators=(",", ":"), allow_nan=False)
    page = (
        _templates()
        .get_template("pocket.html")
        .render(
            rules=rules,
            objective=solution.objective,
            sentences=list(describe(rules)),
            error=0.5 / SCALE,
            style=_beside("pocket.css"),
            scripts="\n".join(map(_beside, SCRIPTS)),
            data=data.replace("<", "\\u003c"),  # so that no text can end the script element
        )
    )
    return str(page)


def index_html(entries: Sequence[IndexEntry]) -> str:
    """Return the index page with links to the files of several games."""
    page = (
        _templates().get_template("index.html").render(entries=entries, style=_beside("pocket.css"))
    )
    return str(page)


SCALE = 256
"""Values are rounded to 1 / ``SCALE`` points; a power of two keeps whole points exact."""

MAX_VALUES = 2_000_000
"""The maximum number of values in a file; more values would make it larger than about 3 MB."""

PACKED = ("option_T_V_K", "class_S", "first_lane_C", "last_lane_C", "special_row_C_J")


class UnsupportedGameError(InputError):
    """The offline page does not support the game or the objective."""


def fitting(rules: Rules, objective: Objective) -> CardObjective:
    """Check that the page supports a game and its objective, and return the objective.

    Raises
    ------
    TooLargeError
        If the value table is too large.
    UnsupportedGameError
        If the game has several kinds of dice, several columns, announced categories, saved rolls,
        or extra rolls. Objectives with more than one value per state are not supported either.
    """
    if not isinstance(objective, CardObjective):
        raise UnsupportedGameError(
            f"{objective.name}: expected an objective with one value a card, such as expected, "
            "worst-case, best-case or exponential:RISK"
        )
    number = count_values(rules)
    if number > MAX_VALUES:
        raise TooLargeError(
            f"{rules.name}: its cards have {number:,} values{' or more' * rules.carries_rolls}: "
            f"expected at most {MAX_VALUES:,} for a file"
        )
    unfit = {
        rules.saved_name: rules.carries_rolls,
        "dice of several kinds": rules.other_dice,
        "several columns": rules.columns,
        "announced boxes": rules.announced,
    }
    feature = next((feature for feature, present in unfit.items() if present), None)
    if feature is not None:
        raise UnsupportedGameError(f"{rules.name}: expected a game without {feature} for a file")
    return objective


def pocket_data(solution: CardSolution) -> dict[str, Any]:
    """Return a solved game as JSON-serializable data.

    :mod:`rollwise.model.arrays` lists the axes of arrays. ``values`` are the certainty equivalents
    of the points to come, in units of ``1 / SCALE``. They are ordered by class, and
    within a class from its first lane to its last lane.
    """
    rules, model, objective = solution.rules, solution.model, solution.objective
    lane_L = np.arange(model.lanes)
    reached_C_L = (lane_L >= np.asarray(model.first_lane_C)[:, None]) & (
        lane_L <= np.asarray(model.last_lane_C)[:, None]
    )
    values = objective.certain(solution.table_C_L[reached_C_L])
    lattice = model.lattice
    return {
        "rules": rules.name,
        "title": rules.title,
        "objective": objective.name,
        "meaning": objective.meaning,
        "chance": objective.chance,
        "risk": objective.risk,
        "scale": SCALE,
        "dice": rules.dice,
        "faces": rules.faces,
        "rerolls": rules.rolls - 1,
        "stops": rules.stops,
        "thresholds": [s.threshold for s in rules.upper_bonus.steps] if rules.upper_bonus else [],
        "bonus_L": model.bonus_L.tolist(),
        "categories": [
            {
                "title": category.title,
                "section": category.section,
                "stride": int(model.stride_K[k]),
                "before": int(model.before_K[k]).bit_length() - 1,
            }
            for k, category in enumerate(rules.categories)
        ],
        "outcomes": {
            "category": model.category_O.tolist(),
            "points": model.points_O.tolist(),
            "extra": model.extra_O.tolist(),
            "shift": model.shift_O.tolist(),
            "arms": model.makes_eligible_O.tolist(),
        },
        "first_roll": lattice.first_roll,
        "special_J": model.special_J.tolist(),
        "arrays": {
            **{name: packed(vars(model)[name]) for name in PACKED},
            "parent_K_F": packed(lattice.parent_K_F),
            "child_P_F": packed(lattice.child_P_F),
            "values": packed(np.rint(SCALE * values)),
        },
    }


def packed(numbers: ArrayLike) -> str:
    """Compress integers to a Base64 string.

    The differences of neighboring integers are split into byte planes and deflated. Neighbors
    differ little, so the upper bytes of the differences compress to almost nothing.
    """
    flat = np.ravel(numbers).astype(np.int64)
    steps = np.diff(flat, prepend=0).astype("<i4")
    bytes_apart = np.ascontiguousarray(steps.view(np.uint8).reshape(-1, 4).T)
    return base64.b64encode(zlib.compress(bytes_apart.tobytes(), 9)).decode()
