"""Lessons: run their Python code while the site is built, check its output, and draw pictures.

A lesson is a page in ``lessons`` with Python examples. A comment ``<!-- picture: KIND(…) -->`` is
replaced by a picture, which :mod:`directives.pictures` draws from the names that the lesson has
defined so far. In the repository, the comment is invisible.
"""

import doctest
import re
from typing import Any

from sphinx.application import Sphinx

from directives.pictures import KINDS

PICTURE = re.compile(r"<!-- picture: (.*?) -->", re.DOTALL)


def run(text: str, page: str) -> str:
    """Return a lesson with its pictures.

    Raises
    ------
    ValueError
        When the lesson prints something else than it shows.
    """
    names: dict[str, Any] = {}
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner()
    told: list[str] = []
    pieces = PICTURE.split(text)
    for number, piece in enumerate(pieces):
        if number % 2:
            drawn = eval(piece, {**names, **KINDS})
            pieces[number] = f"```{{raw}} html\n{drawn}\n```"
            continue
        lesson = parser.get_doctest(piece, {}, page, page, 0)
        lesson.globs = names  # one for all pieces
        runner.run(lesson, out=told.append, clear_globs=False)
        if told:
            raise ValueError(f"{page} does not print what it shows: {''.join(told)}")
    return "".join(pieces)


def teach(app: Sphinx, page: str, source: list[str]) -> None:
    """Run a lesson, if the site is what is made."""
    if page.startswith("lessons/") and app.builder.format == "html":
        source[0] = run(source[0], page)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.connect("source-read", teach)
    return {"parallel_read_safe": True}
