"""What every page of the table contains: the rules of its game, texts, and data for its script."""

import json
from collections.abc import Iterable
from importlib import resources
from typing import Any

from rollwise.client.languages import LANGUAGES, catalogs
from rollwise.rules import Rules
from rollwise.rules.describe import describe, how_to_play


def page_data(data: Any) -> str:
    """Return data as JSON for an element of a page, which no text in it can end."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c")


def html_of(package: str) -> str:
    """Return the text of all templates in a package."""
    paths = resources.files(package).iterdir()
    return "".join(path.read_text("utf-8") for path in paths if path.name.endswith(".html"))


def table_content(
    rules: Rules, data: Any, sources: str, languages: Iterable[str]
) -> dict[str, Any]:
    """Return the content of a page for the template ``table.html``.

    Parameters
    ----------
    data : Any
        Data for the script.
    sources : str
        The text of the script, and of the templates that extend ``table.html``.
    languages : iterable of str
        The languages in which the page is needed.
    """
    goal, sentences, text = how_to_play(rules), list(describe(rules)), page_data(data)
    page = "".join([sources, html_of("rollwise.client"), rules.title, goal, *sentences, text])
    return {
        "rules": rules,
        "goal": goal,
        "sentences": sentences,
        "languages": LANGUAGES,
        "texts": page_data(catalogs(page, languages)),
        "data": text,
    }
