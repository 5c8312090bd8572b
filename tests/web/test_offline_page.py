"""Test what only the offline page has: its file, and scorecards that were begun elsewhere."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from browser_pages import SIZES, open_offline, press, roll, watched
from commands import run
from rollwise.game.game import Game
from rollwise.offline_page.page import offline_html
from rollwise.rules import load_rules
from rollwise.solving.solver import Solver, solve

MOST_BYTES = 715_000


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """Yield a browser context of a phone without a network."""
    with watched(browser, None, has_touch=True) as context:
        yield context


def opened(context: BrowserContext, folder: Path, name: str, *players: str) -> Page:
    """Open the offline page of a game with real dice."""
    page = context.new_page()
    open_offline(page, Game(name, players), folder)
    return page


def enter_players(page: Page, *players: str) -> None:
    """Enter the names of some players, and enter their scorecards."""
    for number, player in enumerate(players, start=1):
        page.get_by_label(f"Player {number}").fill(player)
    press(page, "Enter a game in progress")


def score(page: Page, category: str, points: str) -> None:
    """Enter the points of a category by hand."""
    page.locator(".box").filter(has_text=re.compile(f"^{category}")).tap()
    page.locator("#points-choices").get_by_role("button", name=points, exact=True).tap()


def test_a_game_in_progress_by_two_players(context: BrowserContext, offline_files: Path) -> None:
    page = opened(context, offline_files, "yahtzee", "Eve")
    page.locator("#menu-button").tap()
    press(page, "New game")
    expect(page.locator("#real")).to_be_checked()  # since the sheet is open
    page.locator("#real").uncheck()
    enter_players(page, "Ada", "Ben")
    score(page, "Sixes", "30")
    score(page, "Yahtzee", "50")
    page.locator(".sum").filter(has_text="Yahtzee bonus").tap()
    page.get_by_role("button", name="100", exact=True).tap()
    score(page, "Chance", "22")
    score(page, "Chance", "Clear")
    press(page, "Next: Ben")
    score(page, "Aces", "3")
    press(page, "Done")
    expect(page.locator("#turn")).to_have_text("Turn 2/13")
    expect(page.locator(".plate.mine .name")).to_have_text("Ben")
    expect(page.locator(".total")).to_have_text(["180", "3"])
    roll(page, 2)
    page.locator('.box[data-state="possible"]').last.tap()
    expect(page.locator("#turn")).to_have_text("Turn 3/13")
    press(page, "Undo")
    value = solve("yahtzee").value("sixes=30,yahtzee=50,extra-bonus=100")
    expect(page.locator(".expected").first).to_have_text(f"→ {value:.0f}")


def test_the_welcome_offers_real_dice(browser: Browser, offline_files: Path) -> None:
    with watched(browser, None, has_touch=True, is_welcomed=False) as context:
        page = opened(context, offline_files, "yahtzee", "You")
        press(page, "I play with real dice")
        enter_players(page, "Ada", "Ben")
        press(page, "Ben: 0 points")
        score(page, "Sixes", "30")
        press(page, "Ada: 0 points")
        score(page, "Chance", "22")
        score(page, "Aces", "2")
        press(page, "Done")  # both have been asked
        expect(page.locator(".total")).to_have_text(["24", "30"])
        expect(page.locator(".plate.mine .name")).to_have_text("Ben")
        expect(page.locator("#faces")).to_be_visible()
        expect(page.locator("dialog[open]")).to_have_count(0)


def test_a_finished_game_is_reviewed(context: BrowserContext, offline_files: Path) -> None:
    page, possible = context.new_page(), '.box[data-state="possible"]'
    events = "roll 1; score square; roll 6; score square; roll 2; score double; roll 3"
    open_offline(page, Game("micro-yahtzee", "Ada, Ben", events, seed=5), offline_files)
    page.locator(possible).tap()
    press(page, "Review this game")
    turn, totals = page.locator("#turn"), page.locator(".total")
    for step in range(1, 5):
        expect(turn).to_have_text(f"Turn {(step + 1) // 2}, roll 1 · {step}/4")
        expect(page.locator(".plate.mine .name")).to_have_text("Ada" if step % 2 else "Ben")
        if step < 3:
            expect(totals).to_have_text(["0" if step == 1 else "1", "0"])
            press(page, "Try again")
            page.locator(possible).first.tap()
            expect(page.locator("#say")).to_contain_text("Played: score ")
        page.get_by_role("button", name="Done" if step == 4 else "Next", exact=True).tap()
    press(page, "Show the scorecard")
    press(page, "Result")
    press(page, "Review this game")
    page.locator("#menu-button").tap()
    press(page, "Back to the result")
    press(page, "Play again")
    expect(turn).to_have_text("Turn 1/2")


@pytest.mark.slow
def test_the_colors_of_kismet(context: BrowserContext, offline_files: Path) -> None:
    page = opened(context, offline_files, "kismet", "You")
    page.keyboard.type("12345")
    expect(page.locator("#faces")).to_be_hidden()
    black, red, green, *others = [
        die.locator(".face i").first.evaluate("(pip) => getComputedStyle(pip).backgroundColor")
        for die in page.locator(".die").all()
    ]
    assert others == [green, red]
    assert len({black, red, green}) == 3


@pytest.mark.slow
def test_the_slots_of_balut_share_a_row(context: BrowserContext, offline_files: Path) -> None:
    page = opened(context, offline_files, "balut", "You")
    choice = page.locator(".box").filter(has_text="Choice")
    expect(page.locator(".box")).to_have_count(7)
    page.locator("#menu-button").tap()
    press(page, "New game")
    enter_players(page, "Ada")
    score(page, "Choice", "30")
    score(page, "Choice", "5")
    expect(choice.locator(".points")).to_have_text(["30", "5", "", ""])
    press(page, "Done")
    value = solve("balut").value("choice=30,choice-2=5")
    expect(page.locator(".expected")).to_have_text(f"→ {value:.1f}")
    page.keyboard.type("66666")
    choice.tap()
    expect(choice.locator('.points[data-state="filled"]')).to_have_text(["30", "5", "30"])


def test_a_reader_without_script(browser: Browser, tmp_path: Path) -> None:
    file, (width, height) = tmp_path / "yahtzee.html", SIZES["phone"]
    assert run("pocket", "-o", str(file))[0] == 0
    assert file.stat().st_size <= MOST_BYTES
    with watched(browser, None, java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(file.as_uri())
        words = page.locator("#no-script")
        expect(words).to_contain_text("On an iPhone or iPad")
        assert words.bounding_box() == {"x": 0, "y": 0, "width": width, "height": height}
        expect(words).to_have_css("opacity", "1")


def test_the_text_of_rules_is_never_markup(context: BrowserContext, tmp_path: Path) -> None:
    evil = "</script><img src=x onerror=alert(1)>"
    rules = load_rules("micro-yahtzee").model_copy(update={"title": evil, "about": evil})
    (path := tmp_path / "evil.html").write_text(
        offline_html(Solver(rules).solve_by_card()), encoding="utf-8"
    )
    page = context.new_page()
    page.goto(path.as_uri())
    expect(page.locator("h1")).to_have_text(evil)
    assert page.locator("img").count() == 0
