"""Test the pages of practice, puzzles and the rating test: by tap, mouse, keys, and no scripts."""

import datetime
import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from fastapi import Request, Response
from playwright.sync_api import Browser, Page, expect

from browser_pages import FAULTS, INLINE, SIZES, expect_accessible, resize, watched
from games import at_random, play, with_one_mistake
from rollwise import load_rules
from rollwise.game.game import Game
from rollwise.history import History, due_mistakes, mistakes
from rollwise.reviews.review import review
from rollwise.solving.solver import solve
from rollwise.web.pages.puzzle import STREAK, _extend_streak
from rollwise.web.rendering import shared_address
from servers import Server, serving

YACHT = load_rules("yacht-dice")
PUZZLE = "/puzzle/2026-11-22?rules=yahtzee"

SMALL = """() => [...document.querySelectorAll("main button, main a[href], main label")]
    .filter((one) => one.checkVisibility() && !one.closest("[popover], .scroll"))
    .map((one) => [one.getBoundingClientRect(), one.outerHTML])
    .filter(([{width, height}]) => Math.min(width, height) < 43.9).map(([_, html]) => html)"""
"""A script that returns the controls that are too small for a finger."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Yield a server with one mistake of Ada, one of Cleo, and many mistakes of Bea."""
    folder = tmp_path_factory.mktemp("practice")
    database = f"sqlite:///{folder}/games.sqlite"
    with History(database) as history:
        events = play(YACHT, ["Bea"], 7, at_random(1)).events
        bea = Game(YACHT, ("Bea",), events, seed=7)
        for record in (with_one_mistake(YACHT), bea, with_one_mistake(YACHT, "Cleo")):
            (name,) = record.players
            saved_at = history.save(name, record)
            history.keep_reviews(name, review(record, solve(YACHT)), saved_at)
    with serving(database, folder) as running:
        yield running


@pytest.fixture
def open_page(browser: Browser, server: Server) -> Iterator[Any]:
    """Yield a function that opens a page; fail if a page had an error or broke its policy."""
    with ExitStack() as contexts:

        def opened(size: str = "phone", **more: Any) -> Page:
            return contexts.enter_context(watched(browser, server.address, size, **more)).new_page()

        yield opened


SESSIONS = {
    "puzzle": ("/puzzle/2026-11-22?rules=micro-yahtzee", 1),
    "test": ("/test?rules=micro-yahtzee", 6),
    "practice": ("/practice?rules=yacht-dice&name=Ada", 1),
}


@pytest.mark.parametrize(
    ("kind", "scripts"),
    [("puzzle", True), ("test", True), ("practice", True), ("practice", False)],
)
def test_a_session_by_taps_ends_with_its_result(open_page: Any, kind: str, scripts: bool) -> None:
    path, questions = SESSIONS[kind]
    if not scripts:
        path = path.replace("Ada", "Cleo")  # whose mistake is still due
    page = open_page(has_touch=True, java_script_enabled=scripts)
    page.goto(path)
    result, following = page.locator(".result"), page.get_by_role("link", name="Next")
    following = following.or_(page.get_by_role("link", name="Show the result"))
    for tries in range(30):  # a mistake is asked again until its answer is good
        expect(page.locator(".said").filter(has_text="What would you do?")).to_be_visible()
        expect(page.locator(".progress i")).to_have_count(questions)
        categories = page.locator("button.entry")
        categories.nth(tries % categories.count()).tap()
        following.tap()
        expect(page.locator(".said").or_(result)).to_be_visible()
        if result.is_visible():
            break
    page.reload()  # nothing is lost
    expected = "^(Correct|Excellent|Inaccuracy|Mistake|Blunder)$"
    expect(result).to_have_text(
        re.compile(expected if kind == "puzzle" else rf"^\d of {questions} correct$")
    )
    expect(page.get_by_role("region", name="Answers").locator("tbody tr")).to_have_count(questions)


def test_a_puzzle_by_keys(open_page: Any) -> None:
    page = open_page()
    page.goto(PUZZLE)
    said = page.locator(".said")
    expect(said).to_be_focused()
    expect(said).to_have_text("Turn 8 of 13, 1 roll left. What would you do?")
    for number, key in enumerate("12345", 1):
        page.keyboard.press(key)
        expect(page.locator("[name=keep]:checked")).to_have_count(number)
    expect(page.get_by_role("button", name="Choose a category")).to_be_disabled()
    page.keyboard.press(" ")  # there are no dice to roll
    page.keyboard.press("5")
    expect(page.get_by_role("button", name="Roll 1 die")).to_be_enabled()
    page.keyboard.press("4")
    page.keyboard.press(" ")
    expect(said).to_have_text("Correct: Keep 1 1 1.")
    expect(page.get_by_role("link", name="Show the result")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".result")).to_have_text("Correct")
    expect(page.locator(".mark").filter(has_text="best")).to_have_count(3)
    page.get_by_role("link", name="Previous puzzle").click()
    page.wait_for_url("**/puzzle/2026-11-21?*")


def test_codes_choose_categories(open_page: Any) -> None:
    page = open_page("desktop")
    page.goto(PUZZLE)
    said = page.locator(".said")
    expect(said).to_be_focused()
    page.keyboard.press("s")
    expect(said).to_have_text(re.compile("^Score in: s_"))
    page.keyboard.press("Escape")
    expect(said).to_have_text(re.compile("What would you do"))
    page.keyboard.type("ch")  # is filled
    expect(said).to_have_text("No open category has the code “ch”.")
    page.keyboard.type("s1")
    expect(said).to_have_text(re.compile("^(Correct|Good)?.*Aces"))
    assert page.url.endswith("&answers=score+ones&shown=1")
    page.keyboard.press(" ")
    expect(page.locator(".result")).to_be_visible()


def test_practice_by_mouse_keeps_its_state_in_the_address(open_page: Any, server: Server) -> None:
    page = open_page("desktop")
    page.goto("/practice?rules=yacht-dice&name=Bea")
    expect(page.locator(".progress i")).to_have_count(10)
    start = page.url
    page.locator("button.entry").last.click()
    expect(page.locator(".more")).to_contain_text("In the game you chose")
    expect(page.locator(".so-far")).to_contain_text("of 1 correct")
    page.get_by_role("button", name="All options").click()
    expect(page.get_by_role("region", name="All options")).to_be_visible()
    page.get_by_role("button", name="Close").click()
    with History(server.database) as history:
        saved = {row.id: row.due for row in mistakes(history, "yacht-dice", "Bea")}
    assert sum(due is not None for due in saved.values()) == 1

    page.reload()
    expect(page.locator(".more")).to_contain_text("In the game you chose")
    page.goto(start)  # the first answer of a session counts
    page.locator("button.entry").first.click()
    expect(page.locator(".more")).to_contain_text("In the game you chose")
    with History(server.database) as history:
        assert {row.id: row.due for row in mistakes(history, "yacht-dice", "Bea")} == saved
        due, _ = due_mistakes(history, "yacht-dice", "Bea", datetime.datetime.now(datetime.UTC))
        assert len(due) == len(saved) - 1

    page.get_by_role("link", name="Next").click()
    rolls = page.get_by_role("button", name="Roll")
    for _ in range(10):
        if rolls.is_visible():
            break
        page.locator("button.entry").first.click()
        page.get_by_role("link", name="Next").click()
        expect(page.locator(".said")).to_contain_text("What would you do?")
    page.get_by_role("checkbox", name=re.compile("Keep die 1")).check()
    expect(page.get_by_role("button", name="Roll 4 dice")).to_be_visible()
    page.get_by_role("button", name="Roll 4 dice").click()
    expect(page.get_by_role("link", name=re.compile("Next|result"))).to_be_visible()
    assert "answers=" in page.url


def test_without_scripts_an_impossible_answer_is_refused(open_page: Any) -> None:
    page = open_page(java_script_enabled=False)
    page.goto(PUZZLE)
    for die in page.locator("[name=keep]").all():
        die.check()
    page.get_by_role("button", name="Roll the other dice").click()
    expect(page.locator(".said")).to_have_text(
        "No dice to roll: release a die, or choose a category."
    )
    expect(page.locator("[name=keep]:checked")).to_have_count(5)
    page.locator("[name=keep]").nth(4).uncheck()
    page.get_by_role("button", name="Roll the other dice").click()
    expect(page.locator(".said")).to_contain_text("Best: Keep 1 1 1.")
    for answers in ("score+nothing", "score+chance", "keep+777"):
        page.goto(f"{PUZZLE}&answers={answers}&shown=1")
        expect(page.locator(".said")).to_contain_text("Not possible here")
    response = page.goto(f"{PUZZLE}&roll=1&keep=9")
    assert response is not None
    assert response.status == 400


@pytest.mark.parametrize(
    ("cookie", "streak"),
    [
        (None, "2026-11-22.1"),
        ("2026-11-21.5", "2026-11-22.6"),
        ("2026-11-22.5", None),
        ("2026-11-19.5", "2026-11-22.1"),
        ("x.y", "2026-11-22.1"),
    ],
    ids=["new", "yesterday", "today", "interrupted", "damaged"],
)
def test_the_streak_counts_consecutive_days(cookie: str | None, streak: str | None) -> None:
    headers = [(b"cookie", f"{STREAK}={cookie}".encode())] if cookie else []
    scope = {"type": "http", "path": "/puzzle", "headers": headers}
    request, response = Request(scope), Response()
    _extend_streak(request, response, datetime.date(2026, 11, 22))
    answered = response.headers.get("set-cookie", "")
    assert answered.startswith(f"{STREAK}={streak};" if streak else "")
    assert bool(answered) == bool(streak)


@pytest.mark.parametrize(
    ("host", "shared"),
    [
        ("127.0.0.1:8642", ""),
        ("localhost", ""),
        ("[::1]:8642", ""),
        ("games.example.org", "http://games.example.org/test?rules=crag"),
    ],
)
def test_an_address_for_other_people(host: str, shared: str) -> None:
    scope = {"type": "http", "scheme": "http", "headers": [(b"host", host.encode())]}
    request = Request(scope | {"path": "/", "root_path": "", "query_string": b""})
    assert shared_address(request, "/test", rules="crag") == shared


def test_the_puzzle_of_today_has_a_streak_and_can_be_shared(open_page: Any) -> None:
    page = open_page(permissions=["clipboard-read", "clipboard-write"])
    day = None
    while day != datetime.date.today():  # once more if the day ends while the page is open
        day = datetime.date.today()
        page.goto("/puzzle?rules=micro-yahtzee")
        page.locator("button.entry").first.click()
        page.get_by_role("link", name="Show the result").click()
        expect(page.locator(".result")).to_be_visible()
    expect(page.get_by_text("Micro Yahtzee · Streak")).to_have_text(
        re.compile(r"^Micro Yahtzee · Streak: \d days?$")
    )
    page.evaluate("navigator.share = undefined")
    page.get_by_role("button", name="Share the result").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    shared = page.evaluate("navigator.clipboard.readText()")
    assert re.fullmatch(r"rollwise – Puzzle of .*, Micro Yahtzee: .* [🟩🟨🟧🟥]", shared)


def test_the_rating_test(open_page: Any) -> None:
    page = open_page()
    page.goto("/practice?rules=micro-yahtzee")
    page.get_by_role("link", name="Take the rating test").click()
    for answered in range(1, 7):
        expect(page.locator(".said")).to_contain_text("What would you do?")
        page.keyboard.press("d")
        expect(page.locator(".so-far")).to_contain_text(f"of {answered} correct")
        page.keyboard.press("Enter")
    expect(page.locator(".result")).to_have_text("4 of 6 correct")
    expect(page.get_by_text("Your rating: ")).to_be_visible()
    expect(page.get_by_role("button", name="Share the result")).to_be_visible()
    page.get_by_role("link", name=re.compile("^[1-6]$")).first.click()  # the review of an answer
    expect(page.get_by_role("link", name="Next")).to_be_visible()
    response = page.goto("/puzzle/yesterday")
    assert response is not None
    assert response.status == 404


def test_without_the_token_answers_are_possible_but_not_saved(
    browser: Browser, tmp_path: Path
) -> None:
    database = f"sqlite:///{tmp_path}/games.sqlite"
    with History(database) as history:
        record = with_one_mistake(YACHT)
        saved_at = history.save("mistaken", record)
        history.keep_reviews("mistaken", review(record, solve(YACHT)), saved_at)
    with (
        serving(database, tmp_path, "--token") as server,
        watched(browser, server.address) as context,
    ):
        page = context.new_page()
        page.goto("/practice?rules=yacht-dice&name=Ada")
        page.locator("button.entry").first.click()
        expect(page.locator(".so-far")).to_contain_text("of 1 correct")
    with History(database) as history:
        (mistake,) = mistakes(history, "yacht-dice", "Ada")
        assert mistake.due is None


STATES = {
    "question": PUZZLE,
    "review": f"{PUZZLE}&answers=keep+11&shown=1",
    "category": f"{PUZZLE}&answers=score+ones&shown=1",
    "last roll": "/puzzle/2026-11-22?rules=micro-yahtzee",
}


@pytest.mark.parametrize("state", STATES)
def test_a_question_fits_on_one_screen(open_page: Any, state: str) -> None:
    page = open_page()
    page.goto(STATES[state])
    expect(page.locator("main.practice")).to_be_visible()
    expect(page.locator("[data-waits]")).to_have_count(0)
    for name in SIZES.keys() - {"zoomed"}:
        resize(page, name)
        assert page.evaluate(FAULTS) + page.evaluate(SMALL) == [], name


PAGES = (
    *STATES.values(),
    f"{PUZZLE}&answers=keep+11",
    "/practice",
    "/practice?rules=micro-yahtzee",
    "/test?rules=micro-yahtzee",
)


@pytest.mark.parametrize("path", PAGES)
def test_accessibility(open_page: Any, path: str) -> None:
    page = open_page()
    page.goto(path)
    expect(page.locator("h1")).to_be_visible()
    expect(page.locator(".job, [data-waits]")).to_have_count(0)
    expect_accessible(page, "minor", "moderate", "serious", "critical")
    assert page.locator(INLINE).count() == 0
