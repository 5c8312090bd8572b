"""Test puzzles, the rating test, and practice: questions at the table."""

import datetime
import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from fastapi import Request
from playwright.sync_api import Browser, Page, expect

from browser_pages import expect_accessible, expect_table_fits, watched
from games import at_random, play, with_one_mistake
from rollwise import load_rules
from rollwise.game.game import Game
from rollwise.history import History, due_mistakes, mistakes
from rollwise.reviews.review import review
from rollwise.solving.solver import solve
from rollwise.web.rendering import shared_address
from servers import Server, serving

YACHT = load_rules("yacht-dice")
PUZZLE = "/puzzle/2026-11-22?rules=yahtzee"
ASKED = re.compile("What would you do\\?$")
SESSIONS = {
    "puzzle": ("/puzzle/2026-11-22?rules=micro-yahtzee", 1),
    "test": ("/test?rules=micro-yahtzee", 6),
    "practice": ("/practice?name=Ada", 1),
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Yield a server with one mistake of Ada and many mistakes of Bea."""
    folder = tmp_path_factory.mktemp("practice")
    database = f"sqlite:///{folder}/games.sqlite"
    events = play(YACHT, ["Bea"], 7, at_random(1)).events
    save(database, with_one_mistake(YACHT), Game(YACHT, ("Bea",), events, seed=7))
    with serving(database, folder) as running:
        yield running


def save(database: str, *games: Game) -> None:
    """Save reviewed games of one player."""
    with History(database) as history:
        for game in games:
            (name,) = game.players
            saved_at = history.save(name, game)
            history.keep_reviews(name, review(game, solve(YACHT)), saved_at)


@pytest.fixture
def open_page(browser: Browser, server: Server) -> Iterator[Any]:
    """Yield a function that opens a page; fail if a page had an error or broke its policy."""
    with ExitStack() as contexts:

        def opened(path: str, size: str = "phone", **more: Any) -> Page:
            context = contexts.enter_context(watched(browser, server.address, size, **more))
            page = context.new_page()
            page.goto(path)
            expect(page.locator("html.ready")).to_be_attached()
            return page

        yield opened


@pytest.mark.parametrize("kind", SESSIONS)
def test_a_session_by_taps_ends_with_its_result(open_page: Any, kind: str) -> None:
    path, questions = SESSIONS[kind]
    page = open_page(path, has_touch=True)
    said, following = page.locator("#say b"), page.locator("#roll")
    for tries in range(30):  # a mistake is asked again until its answer is good
        expect(said).to_have_text(ASKED)
        expect(page.locator(".marks i")).to_have_count(questions if questions > 1 else 0)
        boxes = page.locator(".box[data-state=possible]")
        boxes.nth(tries % boxes.count()).tap()
        expect(following).to_have_text(re.compile("^(Next|Show the result)$"))
        is_last = following.inner_text() == "Show the result"
        following.tap()
        if is_last:
            break
    title = page.locator("#end-title")
    expected = "Correct|Excellent|An? .*" if kind != "test" else r"\d of 6 correct"
    expect(title).to_have_text(re.compile(f"^({expected})$"))
    result = title.inner_text()
    page.reload()  # nothing is lost
    expect(title).to_have_text(result)
    expect(page.locator("#end-text td button")).to_have_count(questions if questions > 1 else 0)


def test_a_puzzle_by_keys(open_page: Any) -> None:
    page = open_page(PUZZLE)
    said, roll = page.locator("#say b"), page.locator("#roll")
    expect(said).to_have_text("Turn 8 of 13, 1 roll left. What would you do?")
    page.keyboard.press("h")  # there is no hint
    page.keyboard.press("o")
    for number, key in enumerate("12345", 1):
        page.keyboard.press(key)
        expect(page.locator(".die[aria-pressed=true]")).to_have_count(number)
    expect(roll).to_have_text("Choose a category")
    page.keyboard.press(" ")  # there are no dice to roll
    page.keyboard.press("5")
    expect(roll).to_have_text(re.compile("^Roll 1 die"))
    page.keyboard.press("4")
    page.keyboard.press(" ")
    expect(said).to_have_text("Correct: keep 1 1 1.")
    expect(page.locator("#say small")).to_have_text(re.compile(r"^Gains \d"))
    expect(page.locator(".die.best")).to_have_count(3)
    page.keyboard.press("o")
    expect(page.locator("#options tr.chosen")).to_have_text(re.compile(r"keep\s1\s1\s1 \(yours\)"))
    page.keyboard.press("Escape")
    expect(page.locator("#options")).to_be_hidden()
    page.keyboard.press(" ")
    expect(page.locator("#end-title")).to_have_text("Correct")
    page.get_by_role("link", name="Previous puzzle").click()
    page.wait_for_url("**/puzzle/2026-11-21?*")


def test_the_dice_of_an_answer_are_not_held_in_the_next_question(open_page: Any) -> None:
    page = open_page("/test?rules=yahtzee")
    roll, held = page.locator("#roll"), page.locator(".die[aria-pressed=true]")
    for _ in range(3):
        expect(page.locator("#say b")).to_have_text(re.compile("2 rolls left|1 roll left"))
        expect(held).to_have_count(0)
        page.keyboard.press("1")
        page.keyboard.press("r")
        expect(held).to_have_count(1)
        expect(roll).to_have_text("Next")
        roll.click()


def test_a_code_chooses_a_category(open_page: Any) -> None:
    page = open_page(PUZZLE, "desktop")
    said = page.locator("#say b")
    page.keyboard.type("c")  # Chance is filled
    expect(said).to_have_text("No open category has the code “c”.")
    page.keyboard.type("s1")
    expect(said).to_have_text(re.compile(r"^An? \w+, −\d\.\d\d\. Best: keep\s1\s1\s1\.$"))
    expect(page.locator(".box.chosen")).to_contain_text("Aces")


def test_the_first_answer_of_a_session_is_saved(open_page: Any, server: Server) -> None:
    page = open_page("/practice?rules=yacht-dice&name=Bea", "desktop")
    session, marks = page.url, page.locator(".marks i:not([data-grade=''])")
    expect(page.locator(".marks i")).to_have_count(10)
    with page.expect_response("**/practice/answer") as reply:
        page.locator(".box[data-state=possible]").last.click()
    assert reply.value.status == 204
    expect(page.locator("#say small")).to_contain_text("In the game: ")
    with History(server.database) as history:
        saved = {row.id: row.due for row in mistakes(history, "yacht-dice", "Bea")}
    assert sum(due is not None for due in saved.values()) == 1

    page.reload()
    expect(page.locator("#say small")).to_contain_text("In the game: ")
    expect(marks).to_have_count(1)
    again = open_page(session)  # in another tab, where the question is asked once more
    with again.expect_response("**/practice/answer") as reply:
        again.locator(".box[data-state=possible]").first.click()
    assert reply.value.status == 204
    with History(server.database) as history:
        assert {row.id: row.due for row in mistakes(history, "yacht-dice", "Bea")} == saved
        due, _ = due_mistakes(history, "yacht-dice", "Bea", datetime.datetime.now(datetime.UTC))
        assert len(due) == len(saved) - 1


def test_answers_that_cannot_be_saved(open_page: Any) -> None:
    page = open_page("/practice?rules=yacht-dice&name=Bea")
    line = page.evaluate("JSON.parse(document.querySelector('#data').text).questions[0].line")
    good = {"rules": "yacht-dice", "begun": "1", "position": line, "action": "keep -"}
    for name, value in {
        "rules": "nothing", "begun": "9" * 20, "position": "dice 9", "action": "score nothing"
    }.items():  # fmt: skip
        reply = page.request.post("/practice/answer", form=good | {name: value})
        assert reply.status == 400, name
    page.set_viewport_size({"width": 1440, "height": 900})
    page.route("**/practice/answer", lambda route: route.fulfill(status=503))
    page.locator(".box[data-state=possible]").last.click()
    expect(page.locator("#say.verdict")).to_contain_text("Your answer is not saved yet.")
    page.unroute("**/practice/answer")
    page.reload()  # tries it again
    expect(page.locator("#say.verdict")).to_contain_text("In the game: ")
    page.locator("#roll").click()
    expect(page.locator("#say b")).to_have_text(ASKED)


def test_without_the_token_answers_are_possible_but_not_saved(
    browser: Browser, tmp_path: Path
) -> None:
    database = f"sqlite:///{tmp_path}/games.sqlite"
    save(database, with_one_mistake(YACHT))
    with (
        serving(database, tmp_path, "--token") as server,
        watched(browser, server.address) as context,
    ):
        page = context.new_page()
        page.goto("/practice?rules=yacht-dice&name=Ada")
        page.locator(".box[data-state=possible]").first.click()
        expect(page.locator("#say.verdict")).to_be_visible()
        assert page.request.post("/practice/answer", form={}).status == 403
    with History(database) as history:
        (mistake,) = mistakes(history, "yacht-dice", "Ada")
        assert mistake.due is None


@pytest.mark.parametrize(("last", "days"), [(None, "1 day"), (1, "6 days in a row"), (3, "1 day")])
def test_the_puzzle_of_today_counts_days_and_can_be_shared(
    open_page: Any, last: int | None, days: str
) -> None:
    day = None
    while day != datetime.date.today():  # once more if the day ends while the page is open
        day = datetime.date.today()
        page = open_page(
            "/puzzle?rules=micro-yahtzee", permissions=["clipboard-read", "clipboard-write"]
        )
        if last is not None:
            before = day - datetime.timedelta(days=last)
            stored = f'{{"last": "{before}", "days": 5}}'
            page.evaluate(f"localStorage.setItem('rollwise puzzles', '{stored}')")
        page.locator(".box[data-state=possible]").first.click()
        page.locator("#roll").click()
        expect(page.locator("#end-text")).to_contain_text(re.compile(r"Puzzles solved: \d"))
        counted = page.get_by_text("Puzzles solved").inner_text()
    assert counted == f"Puzzles solved: {days}."
    page.evaluate("navigator.share = undefined")
    page.get_by_role("button", name="Share the result").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    shared = page.evaluate("navigator.clipboard.readText()")
    assert re.fullmatch(r"rollwise – Puzzle of .*, Micro Yahtzee: .* [🟩🟨🟧🟥]", shared)


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


def test_the_rating_test(open_page: Any) -> None:
    page = open_page("/test?rules=micro-yahtzee")
    for answered in range(1, 7):
        expect(page.locator("#say b")).to_have_text(ASKED)
        expect(page.locator(".die[aria-pressed=true]")).to_have_count(0)
        page.keyboard.press("d")
        expect(page.locator(".marks i:not([data-grade=''])")).to_have_count(answered)
        page.keyboard.press("r")
    expect(page.locator("#end-title")).to_have_text("4 of 6 correct")
    expect(page.get_by_text(re.compile(r"^Rating: \w+\.$"))).to_be_visible()
    page.locator("#end-text td button").nth(1).click()  # the answer once more
    expect(page.locator("#turn")).to_have_text("Question 2/6")
    expect(page.locator("#say.verdict")).to_be_visible()
    page.locator("#roll").click()
    expect(page.locator("#end-title")).to_have_text("4 of 6 correct")
    for day in ("yesterday", "0001-01-01"):
        response = page.goto(f"/puzzle/{day}")
        assert response is not None
        assert response.status == 404


STATES = {
    "question": (PUZZLE, ""),
    "dice": (PUZZLE, "#roll"),
    "category": (PUZZLE, ".box[data-state=possible] >> nth=1"),
    "last roll": ("/test?rules=micro-yahtzee", ".box[data-state=possible] >> nth=0"),
    "mistake": ("/practice?rules=yacht-dice&name=Bea", ".box[data-state=possible] >> nth=1"),
}


@pytest.mark.parametrize("state", STATES)
def test_a_question_fits_on_one_screen(open_page: Any, state: str) -> None:
    path, answer = STATES[state]
    page = open_page(path)
    if answer:
        with page.expect_response("**/reason?*"):
            page.locator(answer).click()
    expect_table_fits(page)
    expect_accessible(page, "minor", "moderate", "serious", "critical")
