"""Offline pages: the HTML file of a solved game.

A file needs no external resources. It contains, compressed, the arrays of one turn and the values
of all states.
"""

import base64
import hashlib
import json
import zlib
from functools import lru_cache
from html import unescape
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rollwise.client.bundle import bundle, table_style
from rollwise.client.languages import catalogs, texts_in
from rollwise.client.page_content import table_content, with_texts
from rollwise.client.rules_data import rules_data
from rollwise.errors import InputError, TooLargeError
from rollwise.evaluation.breakdown import breakdown_of
from rollwise.rules import Rules
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.objectives import CardObjective, Objective
from rollwise.solving.values import count_values
from rollwise.style import token

ENTRY = "offline_page.js"


@lru_cache(maxsize=1)
def _templates() -> Any:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("rollwise", ""),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    environment.globals["hash"] = _hash
    return environment


def _hash(text: str) -> str:
    """Return the hash of an inline script or style, as a content security policy names it."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def rendered(template: str, style: str, **values: Any) -> str:
    """Return a page with its style sheet."""
    page = _templates().get_template(f"offline_page/{template}")
    return str(page.render(style=style, felt=token("felt"), **values))


def offline_html(solution: CardSolution, home: str = "") -> str:
    """Return the HTML file of a solved game; text from the rules is escaped.

    ``home`` is the address of a page with all games, if there is one. Raise TooLargeError if the
    solution does not hold the whole value table.
    """
    rules = solution.rules
    parts = breakdown_of(solution)
    averages = None if parts is None else parts.averages()
    data = {"rules": rules_data(rules, averages), "solved": pocket_data(solution)}
    about = (
        f"rollwise solved the game exactly; the values here are rounded by at most "
        f"{0.5 / SCALE:.3f}. This file contains everything: it loads nothing and sends nothing."
    )
    icons = resources.files("rollwise.client")
    page = rendered(
        "page.html",
        table_style(),
        **table_content(rules, data),
        objective=solution.objective,
        about=about,
        home=home,
        icon=base64.b64encode((icons / "icon.svg").read_bytes()).decode(),
        touch_icon=base64.b64encode((icons / "icon.png").read_bytes()).decode(),
        script=bundle(ENTRY),
    )
    return with_texts(page, deflated(json.dumps(catalogs(texts_in(unescape(page)))).encode()))


SCALE = 256
"""Values are rounded to 1 / ``SCALE`` points; a power of two keeps whole points exact."""

MAX_VALUES = 2_000_000
"""The maximum number of values in a file; more values would make it larger than about 3 MB."""

PACKED = ("option_T_V_K", "class_S", "first_lane_C", "last_lane_C", "special_row_C_J")


class UnsupportedGameError(InputError):
    """The offline page does not support the game or the objective."""


def fitting(rules: Rules, objective: Objective) -> CardObjective:
    """Check that the page supports an unsolved game and an objective, and return the objective.

    Raise TooLargeError if the value table is too large. Raise UnsupportedGameError if the game has
    several kinds of dice, several columns, or saved or extra rolls, or if the objective has more
    than one value per state.
    """
    if not isinstance(objective, CardObjective):
        raise UnsupportedGameError(
            f"the offline page does not support the objective {objective.name}; use expected, "
            "worst-case, best-case, or exponential:RISK"
        )
    number = count_values(rules)
    if number > MAX_VALUES:
        raise TooLargeError(
            f"{rules.name} is too large for an offline page: it has {number:,} "
            f"values{' or more' * rules.carries_rolls}, and the limit is {MAX_VALUES:,}"
        )
    unfit = {
        rules.saved_name: rules.carries_rolls,
        "dice of several kinds": rules.other_dice,
        "several columns": rules.columns,
    }
    feature = next((feature for feature, present in unfit.items() if present), None)
    if feature is not None:
        raise UnsupportedGameError(
            f"the offline page does not support {feature}, which {rules.name} has; choose a game "
            f"without {feature}"
        )
    return objective


def pocket_data(solution: CardSolution) -> dict[str, Any]:
    """Return a solved game as data for JSON; the axes are listed in :mod:`rollwise.model.arrays`.

    ``values`` are the certainty equivalents of the points to come, in units of ``1 / SCALE``. They
    are ordered by class, and within a class from its first lane to its last lane.
    """
    rules, model, objective = solution.rules, solution.model, solution.objective
    lane_L = np.arange(model.lanes)
    reached_C_L = (lane_L >= np.asarray(model.first_lane_C)[:, None]) & (
        lane_L <= np.asarray(model.last_lane_C)[:, None]
    )
    values = objective.certain(solution.table_C_L[reached_C_L])
    lattice = model.lattice
    return {
        "objective": objective.name,
        "meaning": objective.meaning,
        "chance": objective.chance,
        "risk": objective.risk,
        "scale": SCALE,
        "faces": rules.faces,
        "rerolls": rules.rolls - 1,
        "stops": rules.stops,
        "bonus_L": model.bonus_L.tolist(),
        "categories": [
            {
                "stride": int(model.stride_K[k]),
                "before": int(model.before_K[k]).bit_length() - 1,
            }
            for k in range(len(rules.categories))
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
    """Compress integers to text.

    The function takes the differences between neighbors, splits them by byte plane, and deflates
    the planes. Neighbors differ by little, so the upper bytes of the differences compress to almost
    nothing.
    """
    flat = np.ravel(numbers).astype(np.int64)
    steps = np.diff(flat, prepend=0).astype("<i4")
    bytes_apart = np.ascontiguousarray(steps.view(np.uint8).reshape(-1, 4).T)
    return deflated(bytes_apart.tobytes())


def deflated(data: bytes) -> str:
    """Compress bytes to text in base 85, with a comma instead of ``<``, which HTML would escape."""
    return base64.b85encode(zlib.compress(data, 9)).decode().replace("<", ",")
