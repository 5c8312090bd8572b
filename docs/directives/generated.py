"""Insert generated parts into pages, and resolve links that leave this folder.

A page says ``<!-- generated: commands -->`` where a part belongs, or ``<!-- file: PATH -->`` where
a file of the repository does. In the repository, a sentence in italics below the mark says where to
find the part. A ``<picture>`` with a light and a dark source becomes two, of which the theme shows
one. Whole pages that the program determines are written when the build starts; git ignores them.
"""

import os
import re
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from directives.commands import commands
from directives.decision_keys import decision_keys
from directives.frontier import frontier
from directives.game_pages import game_index, game_pages, zeros
from directives.names import name_pages, names
from directives.openings import openings
from directives.published import published
from directives.rule_keys import rule_keys
from directives.schemas import schemas, write_schemas

ROOT = Path(__file__).parents[2]
PARTS = {
    part.__name__.replace("_", "-"): part
    for part in (
        commands,
        decision_keys,
        frontier,
        game_index,
        names,
        openings,
        published,
        rule_keys,
        schemas,
        zeros,
    )
}
PAGES = {
    "CONTRIBUTING.md": "docs/project/contributing.md",
    "CHANGELOG.md": "docs/project/changes.md",
    "benchmarks/README.md": "docs/project/benchmarks.md",
}
"""Files outside this folder that are pages of the site."""

GROUPS = 4
"""The number of groups of pages; neighbors in alphabetical order are in different groups."""

GENERATED = re.compile(r"<!-- generated: (\S+) -->(\n\*.*\*)?")
"""The mark of a generated part, and a sentence in italics for readers of the repository."""

FILE = re.compile(r"<!-- file: (\S+) -->")
LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!\w+:|#)([^)#]+)(#[^)]*)?\)")
SCREENS = re.compile(
    r'<picture>\s*<source media="\(prefers-color-scheme: dark\)" srcset="(?P<dark>[^"]+)">\s*'
    r'<img src="(?P<light>[^"]+)" width="(?P<width>\d+)" alt="(?P<alt>[^"]+)">\s*</picture>'
)


def write_pages(app: Sphinx) -> None:
    """Write every page whose text has changed, so that Sphinx reads no other page again."""
    for path, text in (*game_pages(), *name_pages()):
        path.parent.mkdir(exist_ok=True)
        if not path.exists() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")


def spread(app: Sphinx, env: BuildEnvironment, pages: list[str]) -> None:
    """Reorder pages, so that the processes of a build share the lessons, which take longest."""
    pages[:] = [page for first in range(GROUPS) for page in pages[first::GROUPS]]


def fill(app: Sphinx, page: str, source: list[str]) -> None:
    """Put generated parts and whole files in; lead links to the pages of the site."""
    here = f"docs/{page}.md"
    text = GENERATED.sub(lambda mark: PARTS[mark[1]](), source[0])
    text = relinked(SCREENS.sub(by_theme, text), here, here)
    source[0] = FILE.sub(
        lambda mark: relinked((ROOT / mark[1]).read_text("utf-8"), mark[1], here), text
    )


def relinked(text: str, written: str, page: str) -> str:
    """Return the text of a file as a page; links to files that are not pages become names."""

    def link(found: re.Match[str]) -> str:
        picture, words, target, part = found.groups(default="")
        path = os.path.normpath(Path(written).parent / target)
        path = PAGES.get(path, path)
        if not picture and not (path.startswith("docs/") and path.endswith(".md")):
            return words
        return f"{picture}[{words}]({os.path.relpath(path, Path(page).parent)}{part})"

    return LINK.sub(link, text)


def by_theme(screen: re.Match[str]) -> str:
    """Return the two pictures of a screen, for a light page and for a dark one."""
    return "\n\n".join(
        f"```{{image}} {screen[scheme]}\n:alt: {screen['alt']}\n:width: {screen['width']}px\n"
        f":class: screen only-{scheme}\n```"
        for scheme in ("light", "dark")
    )


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.setup_extension("directives.navigation")
    app.connect("builder-inited", write_pages)
    app.connect("env-before-read-docs", spread)
    app.connect("source-read", fill)
    app.connect("build-finished", write_schemas)
    return {"parallel_read_safe": True}
