"""Draw the navigation of each page from titles alone: copies of all sections take seconds."""

from functools import partial
from typing import Any
from unittest.mock import patch

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx


def prepare(app: Sphinx, builder: object) -> None:
    """Find the titles of all pages once, before the pages are written."""
    tocs = {page: titles(toc) for page, toc in app.env.tocs.items()}
    app.connect("html-page-context", partial(shorten, tocs), priority=400)  # before the theme


def titles(toc: nodes.Element) -> nodes.Element:
    """Return a table of contents without sections: the titles of a page and the pages below it."""
    toc = toc.deepcopy()
    for item in toc.children:
        assert isinstance(item, nodes.Element)
        if len(item) > 1 and (below := list(item.findall(addnodes.toctree))):
            item[1][:] = below
        else:
            del item[1:]
    return toc


def shorten(
    tocs: dict[str, nodes.Element],
    app: Sphinx,
    page: str,
    template: str,
    context: dict[str, Any],
    doctree: nodes.document | None,
) -> None:
    """Let the navigation of a page read these tables of contents."""
    toctree = context["toctree"]

    def of_titles(**options: Any) -> str:
        with patch.object(app.env, "tocs", tocs):
            return str(toctree(**options))

    context["toctree"] = of_titles


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.connect("write-started", prepare)
    return {"parallel_read_safe": True}
