"""Collect every text that the client shows, for the catalogs of translations."""

import json
import re
from collections.abc import Iterator
from functools import cache
from importlib import resources
from itertools import chain
from tempfile import TemporaryDirectory

from bs4 import BeautifulSoup
from fastapi.testclient import TestClient

from rollwise.client.bundle import client_file
from rollwise.client.rules_data import rules_data
from rollwise.game.game import Game
from rollwise.history import History
from rollwise.offline_page.page import fitting, offline_html
from rollwise.offline_page.site import HOME, front_html
from rollwise.reviews.review import review
from rollwise.rules import load_rules, preset_names
from rollwise.rules.describe import describe, how_to_play
from rollwise.solving.objective_parser import parse_objective
from rollwise.solving.solver import Solver, solve
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
TRANSLATED = re.findall(r'TRANSLATED = "(.*?)"', LANGUAGES_JS)[0]
ATTRIBUTES = re.findall(r'"(.*?)"', re.findall(r"= \[(.*?)\].flatMap\(\(name\)", LANGUAGES_JS)[0])

NAMES = ", ".join(f'option[value="{name}"]' for name in STRATEGIES)
SILENT = f"#no-script, [translate], option[lang], {NAMES}"
"""What stays as it is: names of languages and strategies, and a page without a script."""

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


def page_texts(page: str) -> list[str]:
    """Return the texts of a page that its script translates: content of elements, and attributes.

    A name of one letter is no text.
    """
    soup = BeautifulSoup(page, "html.parser")
    values = [str(one[name]) for name in ATTRIBUTES for one in soup.select(f"[{name}]")]
    texts = [text for text in values if WORD.search(text) and not CODE.search(text)]
    for element in soup.select(SILENT):
        element.decompose()
    for element in soup.select(TRANSLATED):
        own = [] if element.decomposed else element.find_all(string=True, recursive=False)
        if any(map(WORD.search, own)):
            texts.append(element.decode_contents().strip().replace("\u00a0", "&nbsp;"))
            element.clear(decompose=True)  # its parts are no texts
    return texts


def script_texts() -> Iterator[tuple[str, str]]:
    """Yield the texts in scripts and their files; a text with plural forms has a suffix."""
    for path in sorted(resources.files("rollwise.client").iterdir(), key=str):
        if path.name.endswith(".js"):
            for text, _, other in CALLS.findall(path.read_text(encoding="utf-8")):
                yield json.loads(f'"{text or f"{other}_other"}"'), f"client/{path.name}"


def server_pages(games: SolvedGames) -> dict[str, str]:
    """Return the pages of the table on a server, for a German browser."""
    app, german = make_app(games, (LOCAL, SHARED), None), {"Accept-Language": "de"}
    with TestClient(app, f"http://{SHARED}", headers=german) as client:

        def shown(path: str, host: str = SHARED) -> str:
            while 'class="job"' in (page := client.get(f"http://{host}{path}").text):
                pass
            return page

        saved = client.post("/games", data={"record": str(MISTAKEN)}).url.path
        begun = client.post("/", data={"rules": RULES.name, "players": "A, B"}).url.path
        client.post(f"{begun}/seat", data={"player": "0"})
        record = games.history.load(saved.removeprefix("/review/"))
        reviews = review(record.game, solve(RULES))
        games.history.keep_reviews(record.id, reviews, record.saved_at)
        return {
            "/play on a shared server": shown(begun),
            "/play": shown(begun, LOCAL),
            "/review/ID/steps": shown(f"{saved}/steps"),
            **{path.partition("?")[0]: shown(path) for path in PATHS},
        }


@cache
def pages() -> dict[str, str]:
    """Return all pages of the table, of a small game, by their addresses."""
    with TemporaryDirectory() as folder, History(f"sqlite:///{folder}/games.sqlite") as history:
        found = server_pages(SolvedGames(history))
    for name in OBJECTIVES:
        solution = Solver(RULES).solve_by_card(fitting(RULES, parse_objective(name)))
        found[f"offline page, {name}"] = offline_html(solution, HOME)
    found["front page"] = front_html([RULES], Solver(RULES).solve_by_card(), has_docs=True)
    return found


def texts_of_pages() -> Iterator[tuple[str, str]]:
    """Yield the texts in pages and their addresses; the script makes the title of a page."""
    for where, page in pages().items():
        title = re.findall(r"<title>(.*?)(?: – rollwise)?</title>", page)[0]
        yield from ((text, where) for text in page_texts(page) if text != title)


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
    for text, where in chain(script_texts(), rules_texts(), python_texts(), texts_of_pages()):
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
