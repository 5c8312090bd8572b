"""Test the languages of the client: whole catalogs, and tables in the language of a browser."""

import base64
import json
import re
import zlib
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from browser_pages import faces, roll, watched
from client_texts import keys, page_texts, pages, script_texts, texts
from rollwise.client.bundle import modules
from rollwise.client.languages import LANGUAGES, PLURAL, catalog, language_of
from rollwise.game.game import Game
from rollwise.offline_page import site
from rollwise.offline_page.page import ENTRY
from rollwise.web.sent_texts import SENT
from servers import Server
from web_fixtures import OpenTable

TRANSLATED = [language for language in LANGUAGES if language != "en"]
VALUE_OR_TAG = re.compile(r"\{\{\w+\}\}|<[^>]+>")


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
        own = site.ENTRY if where == "front page" else ENTRY
        files = modules((re.findall(r"/static/(\w+\.js)", page) or [own])[0])
        needed = [text for text, at in script_texts() if Path(at).name in files]
        needed += [*page_texts(page), *SENT * ("/static/" in page)]
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


def expect_language(page: Page, language: str, roll: str = "Roll") -> None:
    """Check the language of the page, of its script, and of the rules."""
    expect(page.locator("html.ready")).to_have_attribute("lang", language)
    texts = {"#roll": roll, "#menu [value=rules]": "Rules of this game", "#card .title": "Double"}
    for selector, text in texts.items():
        translation = catalog(language).get(text, text)
        expect(page.locator(selector).first).to_have_text(translation)


def choose_language(page: Page, language: str) -> None:
    page.locator("#menu-button").click()
    page.locator("#language").select_option(language)
    expect(page.locator("html.ready")).to_have_attribute("lang", language)


@pytest.mark.parametrize(("locale", "language"), [("sr-RS", "sr-Latn"), ("pl", "en")])
def test_a_table_has_the_language_of_the_browser(
    open_table: OpenTable, locale: str, language: str
) -> None:
    expect_language(open_table("micro-yahtzee", locale=locale), language)


def test_a_game_goes_on_in_the_language_that_was_chosen(open_table: OpenTable) -> None:
    page = open_table("micro-yahtzee", locale="de-DE")
    expect_language(page, "de")
    expect(page.locator(".expected")).to_have_text(re.compile(r"^→ \d+,\d$"))
    roll(page, 0)
    shown = faces(page)
    for language in ("sv", "en"):
        choose_language(page, language)
        page.reload()
        expect_language(page, language, "Choose a category")
        assert faces(page) == shown
    expect(page.locator(".expected")).to_have_text(re.compile(r"^→ \d+\.\d$"))


def test_a_server_sends_the_language_that_was_chosen(browser: Browser, server: Server) -> None:
    events = ["roll 6", "score double", "roll 1", "score square"]
    server.save("begun", Game("micro-yahtzee", "Ada", seed=5))
    server.save("finished", Game("micro-yahtzee", "Ada", events))
    with watched(browser, server.address, locale="de-DE") as context:
        page = context.new_page()
        page.goto("/play/begun")
        assert list(texts_in(page.content())) == ["de"]
        choose_language(page, "fr")
        assert list(texts_in(page.content())) == ["fr"]
        expect(page).to_have_url(re.compile(r"/play/begun$"))
        page.goto("/advise?position=dice 11366")
        expect(page.locator("html.ready")).to_have_attribute("lang", "fr")
        page.goto("/play/begun?language=sv")
        expect_language(page, "sv")
        page.goto("/play/finished")
        page.locator("#roll").click()  # the texts of the scale come later than the page
        scale = page.locator("#end .scale span")
        expect(scale.first).to_have_text(catalog("sv")["perfect"])
        expect(scale.last).to_have_text(catalog("sv")["random"])
