"""Collect every text that the client shows, and compare the catalogs of translations with them.

    PYTHONPATH=src:tests python tests/client_texts.py [--missing FILE]

The command prints the missing and the stale keys of each catalog. ``--missing`` writes those that
the German catalog lacks as JSON, with the place where each text occurs.
"""

import argparse
import asyncio
import json
import re
from collections.abc import Iterator
from functools import cache
from html import escape
from html.parser import HTMLParser
from importlib import resources
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx

from rollwise.client.bundle import client_file
from rollwise.client.languages import LANGUAGES, catalog
from rollwise.client.rules_data import rules_data
from rollwise.game.game import Game
from rollwise.history import History
from rollwise.offline_page.page import fitting, offline_html
from rollwise.reviews.review import review
from rollwise.rules import load_rules, preset_names
from rollwise.rules.describe import describe, how_to_play
from rollwise.solving.objective_parser import parse_objective
from rollwise.solving.solver import solve
from rollwise.strategies import STRATEGIES
from rollwise.web.opponent_advice import WAYS
from rollwise.web.pages.advise import OBJECTIVE_LABELS
from rollwise.web.sent_texts import SENT
from rollwise.web.server import make_app
from rollwise.web.solved_games import SolvedGames

STRING = r'"((?:[^"\\\n]|\\.)*)"'
CALLS = re.compile(rf"\bt\(\s*{STRING}|\btn\([^\"`]*?,\s*{STRING},\s*{STRING}")
WORD, CODE = re.compile(r"[^\W\d_]{2}"), re.compile(r"\w=\w|://")

LANGUAGES_JS = client_file("languages.js")
TAGS = re.findall(r"\w+", re.findall(r'":is\((.*?)\):not', LANGUAGES_JS)[0])
ATTRIBUTES = re.findall(r'"(.*?)"', re.findall(r"= \[(.*?)\].flatMap\(\(name\)", LANGUAGES_JS)[0])
VOID = ("br", "input", "link", "meta")

RULES = load_rules("micro-yahtzee")
MISTAKEN = Game(RULES, "A", ["roll 6", "score double", "roll 1", "score square"])
OBJECTIVES = ("expected", "worst-case", "best-case", "exponential:0.01")
"""The objectives of the offline page."""

LOCAL, SHARED = "127.0.0.1", "table.example"
PATHS = (
    "/advise", "/puzzle/2026-11-22?rules=micro-yahtzee", "/test?rules=micro-yahtzee",
    "/practice?rules=micro-yahtzee&name=A",
)  # fmt: skip

FORMS = {"sr-Latn": ("one", "few", "other")}
"""The plural forms of the languages that need others than ``one`` and ``other``."""


class Element:
    """An element of a page while it is read: its content, and the texts in it."""

    def __init__(self, tag: str, is_silent: bool) -> None:
        self.tag, self.is_silent = tag, is_silent
        self.content, self.has_words, self.texts = "", False, list[str]()


class PageTexts(HTMLParser):
    """The texts of a page that the script translates: content of elements, and attributes.

    The names of languages stay as they are, and so does what a page without a script shows. A name
    of one letter is no text.
    """

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open, self.attributes = [Element("", False)], list[str]()
        self.feed(page)
        self.texts = [*self.open[0].texts, *self.attributes]

    def _add(self, content: str) -> None:
        for element in self.open:
            element.content += content

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        texts = [values[name] for name in ATTRIBUTES if name in values]
        self.attributes += [one for one in texts if WORD.search(one) and not CODE.search(one)]
        self._add(self.get_starttag_text() or "")
        if tag not in VOID:
            is_name = tag == "option" and ("lang" in values or values["value"] in STRATEGIES)
            is_silent = is_name or values.get("id") == "no-script" or "translate" in values
            self.open.append(Element(tag, is_silent))

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        element = self.open.pop()
        if element.tag in TAGS and element.has_words:
            element.texts = [element.content.strip()]
        if not element.is_silent:
            self.open[-1].texts += element.texts
        self._add(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        self._add(escape(data, quote=False).replace("\u00a0", "&nbsp;"))
        self.open[-1].has_words |= WORD.search(data) is not None


def script_texts() -> Iterator[tuple[str, str]]:
    """Yield the texts in scripts and their files; a text with plural forms has a suffix."""
    for path in sorted(resources.files("rollwise.client").iterdir(), key=str):
        if path.name.endswith(".js"):
            for text, _, other in CALLS.findall(path.read_text(encoding="utf-8")):
                yield json.loads(f'"{text or f"{other}_other"}"'), f"client/{path.name}"


async def server_pages(games: SolvedGames) -> dict[str, str]:
    """Return the pages of the table on a server."""
    app = make_app(games, (LOCAL, SHARED), None)

    def browser(host: str) -> httpx.AsyncClient:
        transport = httpx.ASGITransport(app)
        client = httpx.AsyncClient(transport=transport, base_url=f"http://{host}")
        client.headers["Accept-Language"], client.follow_redirects = "de", True
        return client

    async def shown(client: httpx.AsyncClient, path: str) -> str:
        while 'class="job"' in (page := (await client.get(path)).raise_for_status().text):
            pass
        return page

    async with app.router.lifespan_context(app), browser(SHARED) as own, browser(LOCAL) as other:
        saved = await own.post("/games", data={"record": str(MISTAKEN)})
        begun = await own.post("/", data={"rules": RULES.name, "players": "A, B"})
        await own.post(f"{begun.url.path}/seat", data={"player": "0"})
        record = games.history.load(saved.url.path.removeprefix("/review/"))
        reviews = review(record.game, solve(RULES))
        games.history.keep_reviews(record.id, reviews, record.saved_at)
        return {
            "/play on a shared server": await shown(own, begun.url.path),
            "/play": await shown(other, begun.url.path),
            "/review/ID/steps": await shown(own, f"{saved.url.path}/steps"),
            **{path.partition("?")[0]: await shown(own, path) for path in PATHS},
        }


@cache
def pages() -> dict[str, str]:
    """Return all pages of the table, of a small game, for a German browser, by their addresses."""
    with TemporaryDirectory() as folder, History(f"sqlite:///{folder}/games.sqlite") as history:
        found = asyncio.run(server_pages(SolvedGames(history)))
    for name in OBJECTIVES:
        solution = solve(RULES, fitting(RULES, parse_objective(name)))
        found[f"offline page, {name}"] = offline_html(solution)
    return found


def page_texts() -> Iterator[tuple[str, str]]:
    """Yield the texts in pages and their addresses; the script makes the title of a page."""
    for where, page in pages().items():
        title = re.findall(r"<title>(.*?)(?: – rollwise)?</title>", page)[0]
        yield from ((text, where) for text in PageTexts(page).texts if text != title)


def rules_texts() -> Iterator[tuple[str, str]]:
    """Yield the texts of all presets and their names."""
    for rules in map(load_rules, preset_names()):
        data = rules_data(rules)
        texts = [data["title"], data["saved"], *data["columns"], how_to_play(rules)]
        texts += [*describe(rules), data["extra"]["title"] if data["extra"] else ""]
        for row in data["categories"]:
            first = data["categories"][row["first"]]
            title = row["name"] if data["columns"] else first["title"]
            texts += [title, row["needs"], row["pays"]]
        yield from ((text, f"preset {rules.name}") for text in texts)


def python_texts() -> Iterator[tuple[str, str]]:
    """Yield the other texts that Python sends to the client."""
    meanings = [parse_objective(name).meaning for name in OBJECTIVES]
    meanings += [*OBJECTIVE_LABELS.values(), *map(str.lower, OBJECTIVE_LABELS.values())]
    yield from ((text, "objective") for text in meanings)
    yield from ((text, "strategy of opponents") for name, text in WAYS.items() if text != name)
    yield from ((text, "web/sent_texts.py") for text in SENT)


def texts() -> dict[str, str]:
    """Return all texts, and where each occurs first.

    A text with plural forms has the key of its translation for most numbers.
    """
    found = dict[str, str]()
    for text, where in chain(script_texts(), rules_texts(), python_texts(), page_texts()):
        if WORD.search(text):
            found.setdefault(text, where)
    return found


def keys(language: str, texts: dict[str, str]) -> dict[str, str]:
    """Return the keys of the catalog of a language, and where their texts occur."""
    forms = FORMS.get(language, ("one", "other"))
    return {
        key: where
        for text, where in texts.items()
        for one in [text.removesuffix("_other")]
        for key in ([text] if one == text else [f"{one}_{form}" for form in forms])
    }


def main() -> None:
    """Print the differences, or write the missing texts."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--missing", type=Path)
    output, found = parser.parse_args().missing, texts()
    if output:
        missing = {k: at for k, at in keys("de", found).items() if k not in catalog("de")}
        output.write_text(json.dumps(missing, ensure_ascii=False, indent=1), encoding="utf-8")
        return
    for language in LANGUAGES.keys() - {"en"}:
        wanted, known = keys(language, found).keys(), catalog(language).keys()
        for what, some in (("missing", wanted - known), ("stale", known - wanted)):
            for key in sorted(some):
                print(f"{language} {what}: {key}")


if __name__ == "__main__":
    main()
