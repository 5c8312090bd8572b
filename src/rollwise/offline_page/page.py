"""The HTML file of a solved game, and an index of several, without external resources."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any

from rollwise.offline_page.data import SCALE, pocket_data
from rollwise.rules.describe import describe, describe_size
from rollwise.solving.card_solution import CardSolution

SCRIPTS = ("turn.js", "table.js")


@dataclass(frozen=True)
class IndexEntry:
    """An entry of the index: a file and the game in it."""

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


def pocket_html(solution: CardSolution) -> str:
    """Return the HTML file of a solved game; texts of the rules are escaped.

    Raises
    ------
    TooLargeError
        When the solution does not hold the whole table.
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
