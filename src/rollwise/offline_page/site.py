"""A site of offline pages: its front page, and what a phone needs to add it to the home screen."""

import datetime
import json
from collections.abc import Sequence
from html import unescape
from importlib import resources

from rollwise.client.bundle import bundle
from rollwise.client.languages import LANGUAGES, catalogs, texts_in
from rollwise.client.page_content import page_data, with_texts
from rollwise.game.position import format_position
from rollwise.offline_page.page import deflated, rendered
from rollwise.playing.practice import puzzles_of
from rollwise.rules import Rules
from rollwise.rules.families import by_family, title_of
from rollwise.solving.card_solution import CardSolution
from rollwise.style import PAGE, sheet, style, token

ENTRY = "front_page.js"

HOME, WORKER, MANIFEST, ICONS = "./", "worker.js", "manifest.webmanifest", ("icon.svg", "icon.png")

DAYS = 400
"""The number of days for which the front page has puzzles."""


def file_of(name: str) -> str:
    """Return the file of a game."""
    return f"{name}.html"


def site_files(games: Sequence[Rules], first: CardSolution, *, has_docs: bool) -> dict[str, bytes]:
    """Return the files of a site, by name, besides the pages of its games.

    Parameters
    ----------
    games : sequence of Rules
    first : CardSolution
        The game of the puzzles, and of the button to play.
    has_docs : bool
        Whether the site has the documentation in its folder ``docs``.
    """
    package, client = resources.files("rollwise.offline_page"), resources.files("rollwise.client")
    return {
        "index.html": front_html(games, first, has_docs=has_docs).encode(),
        WORKER: (package / WORKER).read_bytes(),
        MANIFEST: _manifest(),
        **{icon: (client / icon).read_bytes() for icon in ICONS},
    }


def front_html(games: Sequence[Rules], first: CardSolution, *, has_docs: bool) -> str:
    """Return the front page of a site."""
    by_name = {rules.name: rules for rules in games}
    yesterday = datetime.date.today() - datetime.timedelta(days=1)  # still today in the far west
    days = [yesterday + datetime.timedelta(days=n) for n in range(DAYS)]
    puzzles = {
        "file": file_of(first.rules.name),
        "first": str(yesterday),
        "positions": [format_position(position) for position in puzzles_of(first, days)],
    }
    page = rendered(
        "front.html",
        sheet(*map(style, PAGE)),
        families={
            title_of(family): [by_name[name] for name in names]
            for family, names in by_family(by_name, first.rules.name).items()
        },
        first=first.rules,
        file_of=file_of,
        docs="docs/" if has_docs else "",
        manifest=MANIFEST,
        languages=LANGUAGES,
        data=page_data(
            {"files": [MANIFEST, *ICONS], "puzzles": deflated(json.dumps(puzzles).encode())}
        ),
        script=bundle(ENTRY),
    )
    return with_texts(page, deflated(json.dumps(catalogs(texts_in(unescape(page)))).encode()))


def _manifest() -> bytes:
    """Return the description of the site for home screens."""
    color = token("felt")[0]
    icons = [
        {"src": "icon.png", "type": "image/png", "sizes": "192x192"},
        {"src": "icon.svg", "type": "image/svg+xml", "sizes": "any"},
        {"src": "icon.svg", "type": "image/svg+xml", "sizes": "any", "purpose": "maskable"},
    ]
    manifest = {
        "name": "rollwise: play dice games perfectly",
        "short_name": "rollwise",
        "description": "Dice games with a tutor that knows the best move.",
        "id": HOME,
        "start_url": HOME,
        "scope": HOME,
        "display": "standalone",
        "theme_color": color,
        "background_color": color,
        "icons": icons,
    }
    return json.dumps(manifest, indent=1).encode()
