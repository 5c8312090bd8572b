"""Test the languages of the client: whole catalogs, and tables in the language of a browser."""

import base64
import json
import re
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from browser_pages import PLAYERS, expect_table_fits, faces, watched
from client_texts import PageTexts, keys, pages, script_texts, texts
from games import at_random, play
from rollwise.client.bundle import modules
from rollwise.client.languages import LANGUAGES, PLURAL, catalog, language_of
from rollwise.game.game import Game
from rollwise.history import History
from rollwise.offline_page.page import ENTRY, offline_html
from rollwise.rules import load_rules
from rollwise.solving.solver import solve
from rollwise.web.sent_texts import SENT
from servers import Server, serving

TRANSLATED = [language for language in LANGUAGES if language != "en"]
VALUE_OR_TAG = re.compile(r"\{\{\w+\}\}|<[^>]+>")
MICRO, YAHTZEE = load_rules("micro-yahtzee"), load_rules("yahtzee")
FINISHED = Game(MICRO, "Ada", ["roll 6", "score double", "roll 1", "score square"])
SHOWN = {
    "#roll": "Roll",
    "#menu [value=rules]": "Rules of this game",
    "#card .title": "Double",
}
"""Texts of a script, of a page, and of rules, by where they are."""

Open = Callable[[str], Page]


@pytest.fixture(scope="module")
def found() -> dict[str, str]:
    return texts()


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_catalog_has_all_texts_and_no_others(language: str, found: dict[str, str]) -> None:
    known, wanted = catalog(language), keys(language, found)
    assert {key: where for key, where in wanted.items() if key not in known} == {}
    assert [key for key in known if key not in wanted] == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_translations_have_the_values_and_tags_of_their_texts(language: str) -> None:
    for text, words in catalog(language).items():
        key = PLURAL.sub("", text)
        wanted, found = set(VALUE_OR_TAG.findall(key)), set(VALUE_OR_TAG.findall(words))
        # A text about one thing can do without the number.
        assert found == wanted or (key != text and found | {"{{count}}"} == wanted), text


def texts_in(page: str) -> dict[str, dict[str, str]]:
    """Return the catalogs in a page, which an offline page has compressed."""
    (element,) = re.findall(r'id="texts">(.*?)</script>', page)
    data = json.loads(element)
    if isinstance(data, str):
        data = json.loads(zlib.decompress(base64.b85decode(data.replace(",", "<"))))
    catalogs: dict[str, dict[str, str]] = data
    return catalogs


def test_a_page_contains_the_translations_of_its_texts() -> None:
    missing = {}
    for where, page in pages().items():
        files = modules((re.findall(r"/static/(\w+\.js)", page) or [ENTRY])[0])
        needed = [text for text, at in script_texts() if Path(at).name in files]
        needed += [*PageTexts(page).texts, *SENT * ("/static/" in page)]
        known = texts_in(page)["de"]
        missing[where] = [one for one in needed if one in catalog("de") and one not in known]
    assert not any(missing.values()), missing


@pytest.mark.parametrize(
    ("accepted", "chosen", "language"),
    [
        ("", "", "en"),
        ("de-DE,de;q=0.9,en;q=0.8", "", "de"),
        ("pl,en;q=0.9", "", "en"),
        ("pl, sv;q=0.5", "", "sv"),
        ("sr-RS", "", "sr-Latn"),
        ("de", "fr", "fr"),
        ("de", "en", "en"),
        ("de", "pl", "de"),
        ("en;q=0.1, de", "", "de"),
        ("de;q=0, sv;q=0.2", "", "sv"),
        ("DE-at", "", "de"),
        ("\N{SNOWMAN};q=x," * 9_999, "\0", "en"),
    ],
)
def test_language_of(accepted: str, chosen: str, language: str) -> None:
    assert language_of(accepted, chosen) == language


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("languages")
    database = f"sqlite:///{folder}/games.sqlite"
    with History(database) as history:
        history.save("micro", Game(MICRO, "Ada", seed=5))
        history.save("finished", FINISHED)
    with serving(database, folder) as server:
        yield server


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an offline page."""
    path = tmp_path_factory.mktemp("offline") / "micro.html"
    path.write_text(offline_html(solve(MICRO)), encoding="utf-8")
    return path


@pytest.fixture(params=["offline", "web"])
def open_table(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Open]:
    """Yield a function that opens a table in a browser of a language."""
    if request.param == "web":
        server, path = request.getfixturevalue("server").address, "/play/micro"
    else:
        server, path = None, request.getfixturevalue("file").as_uri()
    with ExitStack() as contexts:

        def opened(locale: str) -> Page:
            page = contexts.enter_context(watched(browser, server, locale=locale)).new_page()
            page.goto(path)
            return page

        yield opened


def expect_language(page: Page, language: str) -> None:
    """Check the language of the page, of its script, and of the rules."""
    words = catalog(language)
    expect(page.locator("html.ready")).to_have_attribute("lang", language)
    for selector, text in SHOWN.items():
        expected = text if language == "en" else words[text]
        expect(page.locator(selector).first).to_have_text(expected)


def choose_language(page: Page, language: str) -> None:
    page.locator("#menu-button").click()
    page.locator("#language").select_option(language)
    expect_language(page, language)


@pytest.mark.parametrize(
    ("locale", "language"), [("de-DE", "de"), ("sr-RS", "sr-Latn"), ("pl", "en")]
)
def test_a_table_has_the_language_of_the_browser(
    open_table: Open, locale: str, language: str
) -> None:
    expect_language(open_table(locale), language)


def test_a_table_keeps_the_language_that_was_chosen(open_table: Open) -> None:
    page = open_table("de-DE")
    for language in ("sv", "en"):
        choose_language(page, language)
        page.reload()
        expect_language(page, language)


def test_a_server_sends_the_language_that_was_chosen(browser: Browser, server: Server) -> None:
    with watched(browser, server.address, locale="de-DE") as context:
        page = context.new_page()
        page.goto("/play/micro")
        assert list(texts_in(page.content())) == ["de"]
        choose_language(page, "fr")
        assert list(texts_in(page.content())) == ["fr"]
        expect(page).to_have_url(re.compile(r"/play/micro$"))
        page.goto("/advise?position=dice 11366")
        expect(page.locator("html.ready")).to_have_attribute("lang", "fr")
        page.goto("/play/micro?language=sv")
        expect_language(page, "sv")


def test_an_offline_game_goes_on_in_another_language(browser: Browser, file: Path) -> None:
    with watched(browser, None, locale="de-DE") as context:
        page = context.new_page()
        page.goto(file.as_uri())
        expect_language(page, "de")
        page.keyboard.press("r")
        expect(page.locator('.die[data-face=""]')).to_have_count(0)
        shown = faces(page)
        page.locator("#menu-button").click()
        page.locator("#language").select_option("sv")
        expect(page.locator("#roll")).to_have_text(catalog("sv")["Choose a category"])
        assert faces(page) == shown


def test_texts_that_come_later_are_translated(browser: Browser, server: Server) -> None:
    words = catalog("de")
    with watched(browser, server.address, locale="de-DE") as context:
        page = context.new_page()
        page.goto("/play/finished")
        page.locator("#roll").click()
        scale = page.locator("#end .scale span")
        expect(scale.first).to_have_text(words["perfect"])
        expect(scale.last).to_have_text(words["random"])


def test_numbers_have_the_decimal_point_of_the_language(open_table: Open) -> None:
    page = open_table("de-DE")
    expect(page.locator(".expected")).to_have_text(re.compile(r"^→ \d+,\d$"))
    choose_language(page, "en")
    expect(page.locator(".expected")).to_have_text(re.compile(r"^→ \d+\.\d$"))


@pytest.fixture(scope="module")
def whole_game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the offline page of a game with all its texts."""
    path = tmp_path_factory.mktemp("offline") / "yahtzee.html"
    path.write_text(offline_html(solve(YAHTZEE)), encoding="utf-8")
    return path


@pytest.mark.parametrize("language", TRANSLATED)
def test_texts_fit_on_every_screen(browser: Browser, whole_game: Path, language: str) -> None:
    players = list(PLAYERS[:2])
    saved = {
        "players": players, "events": play(YAHTZEE, players, 5, at_random(5)).lines[:-1],
        "throws": [], "helds": [], "realDice": False,
        "cards": [[None] * len(YAHTZEE.categories)] * len(players),
    }  # fmt: skip
    with watched(browser, None, locale=language) as context:
        page = context.new_page()
        page.add_init_script(f"localStorage['rollwise yahtzee expected'] = {json.dumps(saved)!r}")
        page.goto(whole_game.as_uri())
        expect(page.locator("html.ready")).to_have_attribute("lang", language)
        for key in ("", "h", "o", "Escape", "?", "Escape"):
            if key:
                page.keyboard.press(key)
            expect_table_fits(page)
        page.locator('.box[data-state="possible"]').click()
        expect(page.locator("#end")).to_be_visible()
        expect_table_fits(page)
