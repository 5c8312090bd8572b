"""Test the site of offline pages: its front page, the puzzle of the day, and its home screen."""

import datetime
import re
import threading
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from browser_pages import FAULTS, SIZES, expect_advice, press, resize, watched
from commands import run
from rollwise.errors import InputError
from rollwise.game.position import format_position
from rollwise.offline_page import page as pages
from rollwise.offline_page import site
from rollwise.playing.practice import puzzles_of
from rollwise.rules import Rules, load_rules, preset_names
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.objectives import EXPECTED
from rollwise.solving.solver import Solver
from table_pictures import audit

FIRST, OTHER = "crag", "micro-yahtzee"
MOST_BYTES = 50_000
"""The size of the front page, which loads nothing else before it is seen: at 1.6 Mbit/s, a phone
receives it in a quarter of a second."""

POSSIBLE = '.box[data-state="possible"]'


def fitting() -> Iterator[Rules]:
    """Yield the presets that fit into an offline page."""
    for rules in map(load_rules, preset_names()):
        with suppress(InputError):
            pages.fitting(rules, EXPECTED)
            yield rules


@pytest.fixture(scope="module")
def first() -> CardSolution:
    return Solver(load_rules(FIRST)).solve_by_card()


@pytest.fixture(scope="module")
def folder(first: CardSolution, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a site; only its first game can be played."""
    folder = tmp_path_factory.mktemp("site")
    games = [*fitting()]
    files = {site.file_of(rules.name): b"<!doctype html>" for rules in games}
    files[site.file_of(FIRST)] = pages.offline_html(first, site.HOME).encode()
    for name, content in (files | site.site_files(games, first, has_docs=True)).items():
        (folder / name).write_bytes(content)
    return folder


@pytest.fixture
def server(folder: Path) -> Iterator[ThreadingHTTPServer]:
    """Yield a static server of the site."""
    handler = partial(SimpleHTTPRequestHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture
def context(browser: Browser, server: ThreadingHTTPServer) -> Iterator[BrowserContext]:
    """Yield a browser context of a phone."""
    address = f"http://127.0.0.1:{server.server_port}"
    with watched(browser, address, has_touch=True) as context:
        yield context


@pytest.fixture
def page(context: BrowserContext) -> Page:
    """Return the front page, after it has kept what it needs."""
    page = context.new_page()
    page.goto("/")
    expect(page.locator("html.ready")).to_be_attached()
    return page


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_first_page_fits_on_all_screens_and_is_accessible(
    browser: Browser, folder: Path, language: str
) -> None:
    with watched(browser, None, locale=language) as context:
        page = context.new_page()
        page.goto((folder / "index.html").as_uri())
        expect(page.locator("html.ready")).to_have_attribute("lang", language)
        for size in SIZES:
            resize(page, size)
            assert page.evaluate(FAULTS) == [], size
        assert [*audit(page, "light"), *audit(page, "dark")] == []


def test_the_first_page_is_seen_at_once(folder: Path) -> None:
    html = (folder / "index.html").read_text("utf-8")
    assert len(html.encode()) < MOST_BYTES
    assert not re.search(r'rel="stylesheet"|<script[^>]* src=', html)


def test_every_game_can_be_reached(page: Page) -> None:
    titles = [rules.title for rules in fitting()]
    for title in titles:
        expect(page.locator("#real").get_by_text(title, exact=True)).to_have_count(1)
    assert len(page.locator(".families .family > a").all()) > 9
    page.get_by_role("button", name="Yatzy: +5").tap()
    sheet = page.get_by_role("dialog", name="Yatzy")
    expect(sheet.get_by_role("link")).to_have_count(6)
    sheet.get_by_role("button", name="Back").tap()
    page.get_by_role("link", name="Crag").tap()
    expect(page.locator("#turn")).to_have_text("Turn 1/13")


def test_a_browser_can_install_the_site(context: BrowserContext, page: Page) -> None:
    session = context.new_cdp_session(page)
    errors = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert [error["errorId"] for error in errors] == ["in-incognito"]  # as every context of a test
    assert session.send("Page.getAppManifest")["errors"] == []


def test_an_installed_site_works_without_a_network(
    context: BrowserContext, page: Page, server: ThreadingHTTPServer, first: CardSolution
) -> None:
    context.set_offline(True)
    expect(page.locator("#away")).to_be_visible()
    other = page.get_by_role("link", name="Generala")
    expect(other).to_have_count(0)  # until the site is installed, only what was opened is kept
    context.set_offline(False)
    expect(other).to_have_count(1)
    page.evaluate("dispatchEvent(new Event('appinstalled'))")
    number = 1 + len([*fitting()]) + len([site.MANIFEST, *site.ICONS])
    page.wait_for_function(f"""async () => {{
        const pages = await caches.open("rollwise");
        return (await pages.keys()).length >= {number};
    }}""")
    server.shutdown()
    server.server_close()
    context.set_offline(True)
    page.goto("/")
    expect(page.locator("#away")).to_be_visible()
    expect(other).to_have_count(1)
    page.get_by_role("link", name="Crag").tap()
    turns = len(first.rules.categories)
    for turn in range(1, turns + 1):
        heading = f"Turn {turn}/{turns}"
        expect(page.locator("#turn")).to_have_text(heading)
        page.keyboard.press("r")
        for _ in range(first.rules.rolls):
            if page.locator("#turn").text_content() == heading:
                expect_advice(page)
                for key in "hhr":  # show the best option, take it, and roll or score
                    page.keyboard.press(key)
    expect(page.locator("#end")).to_be_visible()


def test_the_puzzle_of_the_day(page: Page, first: CardSolution) -> None:
    today = datetime.date.today()
    (puzzle,) = puzzles_of(first, [today])
    page.get_by_role("link", name="Puzzle of the day").tap()
    expect(page.locator("#title")).to_contain_text(
        f"Puzzle of {today:%b} {today.day}, {today.year}"
    )
    assert format_position(puzzle).split(" ")[1] == "".join(
        die.get_attribute("data-face") or "" for die in page.locator(".die").all()
    )
    page.locator(POSSIBLE).first.tap()
    press(page, "Show the result")
    expect(page.locator("#end")).to_contain_text("Puzzles solved: 1 day.")
    press(page, "Show the scorecard")
    page.locator("#menu-button").tap()
    expect(page.get_by_role("button", name="New game")).to_have_count(0)
    page.get_by_role("link", name="All games").tap()
    page.wait_for_url("**/")


def test_real_dice_from_the_first_page(page: Page) -> None:
    press(page, "I play with real dice")
    page.locator("#real").get_by_text("Crag", exact=True).tap()
    expect(page.get_by_label("Use real dice")).to_be_checked()
    press(page, "Start")
    expect(page.locator("#faces")).to_be_visible()
    page.keyboard.type("112")
    expect(page.locator("#faces")).to_be_hidden()
    page.reload()
    expect(page.locator("#new")).to_be_hidden()  # it has asked already
    expect(page.locator('.die[data-face="1"]')).to_have_count(2)


def test_a_new_game_can_be_taken_back(page: Page) -> None:
    page.goto(f"/{FIRST}.html")
    page.locator("#roll").tap()
    page.locator(POSSIBLE).first.tap()
    expect(page.locator("#turn")).to_have_text("Turn 2/13")
    page.locator("#menu-button").tap()
    press(page, "New game")
    page.get_by_label("Player 2").fill("Ben")
    press(page, "Start")
    expect(page.locator(".plate")).to_have_count(2)
    page.reload()
    expect(page.locator("#turn")).to_have_text("Turn 1/13")
    page.locator("#undo").tap()
    expect(page.locator(".plate")).to_have_count(1)
    expect(page.locator("#turn")).to_have_text("Turn 2/13")
    page.locator("#undo").tap()
    expect(page.locator("#turn")).to_have_text("Turn 1/13")


def test_the_welcome_is_shown_once(browser: Browser, server: ThreadingHTTPServer) -> None:
    """Load a page again, which is tested here because a browser can forget what a file stores."""
    address = f"http://127.0.0.1:{server.server_port}"
    with watched(browser, address, has_touch=True, is_welcomed=False) as context:
        page = context.new_page()
        page.goto(f"/{FIRST}.html")
        page.locator("#welcome .primary").tap()
        page.locator("#roll").tap()
        page.reload()
        expect(page.locator("html.ready")).to_be_attached()
        expect(page.locator("dialog[open]")).to_have_count(0)
        expect(page.locator("#undo")).to_have_attribute("aria-disabled", "false")


def test_an_address_opens_a_position(page: Page) -> None:
    page.goto(f"/{FIRST}.html")
    page.locator("#roll").tap()
    expect(page.locator("#undo")).to_have_attribute("aria-disabled", "false")
    position = "#position=dice 146 | rolls-left 1 | card ones=2,crag=50"
    page.goto(f"/{FIRST}.html{position}")
    expect(page.locator("#turn")).to_have_text("Turn 3/13")
    expect(page.locator(".total")).to_have_text("52 points")
    page.locator(POSSIBLE).first.tap()
    expect(page.locator("#turn")).to_have_text("Turn 4/13")
    page.reload()
    expect(page.locator("#turn")).to_have_text("Turn 4/13")  # the game from the position
    page.goto("about:blank")
    page.goto(f"/{FIRST}.html")
    expect(page.locator("#turn")).to_have_text("Turn 1/13")  # the game before
    expect(page.locator("#undo")).to_have_attribute("aria-disabled", "false")
    page.goto("about:blank")
    page.goto(f"/{FIRST}.html#position=dice 777")
    expect(page.locator("#say")).to_contain_text("“dice 777” is not a position of this game.")


def test_a_new_game_after_a_position(page: Page) -> None:
    page.goto(f"/{FIRST}.html#position=card ones=2,crag=50")
    page.locator("#menu-button").tap()
    press(page, "New game")
    press(page, "Start")
    expect(page).to_have_url(re.compile(rf"/{FIRST}\.html$"))
    page.locator("#roll").tap()
    page.reload()
    expect(page.locator("#turn")).to_have_text("Turn 1/13")
    expect(page.locator("#undo")).to_have_attribute("aria-disabled", "false")


def test_the_command_writes_all_games_that_fit(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = (FIRST, "maxi-yatzy-no-saving", OTHER)
    monkeypatch.setattr("rollwise.cli.pocket.preset_names", lambda: names)
    folder = tmp_path / "site"
    code, _, err = run("pocket", "--all", str(folder))
    assert code == 0
    assert "skipped: maxi-yatzy-no-saving is too large for an offline page: it has 37,584," in err
    files = {site.file_of(name) for name in (FIRST, OTHER)}
    assert {path.name for path in folder.iterdir()} == {
        "index.html", site.WORKER, site.MANIFEST, *site.ICONS, *files,
    }  # fmt: skip
    with watched(browser, None, has_touch=True) as context:  # without a server, too
        page = context.new_page()
        page.goto((folder / "index.html").as_uri())
        expect(page.get_by_role("link", name="Install rollwise")).to_have_count(0)
        page.get_by_role("link", name="Micro Yahtzee").tap()
        expect(page.locator("#turn")).to_have_text("Turn 1/2")
