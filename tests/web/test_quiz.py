"""Test puzzles, the rating test, and practice: questions at the table."""

import datetime
import json
import re
from pathlib import Path
from typing import Any

import pytest
from fastapi import Request
from playwright.sync_api import Browser, Page, expect

from browser_pages import choose, hold, watched
from games import at_random, play, with_one_mistake
from rollwise import load_rules
from rollwise.game.game import Game
from rollwise.history import History, due_mistakes, mistakes
from rollwise.reviews.review import review
from rollwise.solving.solver import solve
from rollwise.web.rendering import shared_address
from servers import Server, serving

YACHT = load_rules("yacht-dice")
POSSIBLE = ".box[data-state=possible]"
ASKED = re.compile("What would you do\\?$")


def save(database: str, *games: Game) -> None:
    """Save reviewed games of one player."""
    with History(database) as history:
        for game in games:
            (name,) = game.players
            saved_at = history.save(name, game)
            history.keep_reviews(name, review(game, solve(YACHT)), saved_at)


@pytest.fixture(scope="module", autouse=True)
def mistaken_games(server: Server) -> None:
    """Save games with one mistake of Ada and many mistakes of Bea."""
    events = play(YACHT, ["Bea"], 7, at_random(1)).events
    save(server.database, with_one_mistake(YACHT), Game(YACHT, "Bea", events, seed=7))


def question(page: Page) -> Any:
    """Return the first question of a page."""
    expect(page.locator("html.ready")).to_be_attached()
    return page.evaluate("JSON.parse(document.querySelector('#data').text).questions[0]")


def test_a_puzzle_by_keys(page: Page) -> None:
    page.goto("/puzzle/2026-11-22?rules=yahtzee")
    said, roll, end = page.locator("#say b"), page.locator("#roll"), page.locator("#end-title")
    expect(said).to_have_text("Turn 8 of 13, 1 roll left. What would you do?")
    expect(page.locator(".marks i")).to_have_count(0)
    page.keyboard.press("h")  # there is no hint
    page.keyboard.press("o")
    page.keyboard.type("c")  # Chance is filled
    expect(said).to_have_text("No open category has the code “c”.")
    for place in range(1, 6):
        hold(page, place, "key")
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
    page.keyboard.press("r")
    expect(end).to_have_text("Correct")
    page.reload()  # nothing is lost
    expect(end).to_have_text("Correct")
    page.get_by_role("link", name="Previous puzzle").click()
    page.wait_for_url("**/puzzle/2026-11-21?*")
    for day in ("yesterday", "0001-01-01"):
        assert page.request.get(f"/puzzle/{day}").status == 404


def test_the_puzzle_of_today_counts_days_and_can_be_shared(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("/puzzle?rules=micro-yahtzee")
    for ago, days in {None: "1 day", 1: "6 days in a row", 3: "1 day"}.items():
        day = None
        while day != datetime.date.today():  # once more if the day ends while the page is open
            day = datetime.date.today()
            last = str(day - datetime.timedelta(ago)) if ago else ""
            stored = json.dumps({"last": last, "days": 5})
            page.evaluate(f"sessionStorage.clear(); localStorage['rollwise puzzles'] = {stored!r}")
            page.reload()
            page.locator(POSSIBLE).first.tap()
            page.locator("#roll").tap()
            counted = page.get_by_text(re.compile(r"Puzzles solved: \d")).inner_text()
        assert counted == f"Puzzles solved: {days}."
    page.evaluate("navigator.share = undefined")
    page.get_by_role("button", name="Share the result").tap()
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


def test_the_rating_test(page: Page) -> None:
    page.goto("/test?rules=micro-yahtzee")
    verdict, end = page.locator("#say.verdict"), page.locator("#end-title")
    expect(page.locator(".marks i")).to_have_count(6)
    for answered in range(1, 7):
        expect(page.locator("#say b")).to_have_text(ASKED)
        page.keyboard.press("d")
        expect(page.locator(".marks i:not([data-grade=''])")).to_have_count(answered)
        expect(page.locator(".box.chosen")).to_contain_text("Double")
        page.keyboard.press("r")
    expect(end).to_have_text("4 of 6 correct")
    page.reload()  # nothing is lost
    expect(end).to_have_text("4 of 6 correct")
    expect(page.get_by_text(re.compile(r"^Rating: \w+\.$"))).to_be_visible()
    expect(page.locator("#end-text td button")).to_have_count(6)
    page.locator("#end-text td button").nth(1).click()  # the answer once more
    expect(page.locator("#turn")).to_have_text("Question 2/6")
    expect(verdict).to_be_visible()
    page.locator("#roll").click()
    expect(end).to_have_text("4 of 6 correct")


def test_the_dice_of_an_answer_are_not_held_in_the_next_question(page: Page) -> None:
    page.goto("/test?rules=yahtzee")
    roll, held = page.locator("#roll"), page.locator(".die[aria-pressed=true]")
    for _ in range(3):
        expect(page.locator("#say b")).to_have_text(re.compile("2 rolls left|1 roll left"))
        expect(held).to_have_count(0)
        hold(page, 1)
        page.keyboard.press("r")
        expect(held).to_have_count(1)
        expect(roll).to_have_text("Next")
        roll.tap()


def test_a_mistake_is_asked_again_until_its_answer_is_good(page: Page) -> None:
    page.goto("/practice?name=Ada")  # the rules of her last game
    options = question(page)["options"]
    said, following = page.locator("#say b"), page.locator("#roll")
    for option, then in ((options[-1], "Next"), (options[0], "Show the result")):
        expect(said).to_have_text(ASKED)
        choose(page, YACHT.categories[option["category"]].title)
        expect(following).to_have_text(then)
        following.tap()
    expect(page.locator("#end-title")).to_have_text(re.compile("^An? "))  # not “Correct”


def test_the_first_answer_of_a_session_is_saved(page: Page, server: Server) -> None:
    page.goto("/practice?rules=yacht-dice&name=Bea")
    said, marks = page.locator("#say.verdict"), page.locator(".marks i")
    expect(marks).to_have_count(10)
    page.route("**/practice/answer", lambda route: route.fulfill(status=503))
    page.locator(POSSIBLE).last.tap()
    expect(said).to_contain_text("Your answer is not saved yet.")
    page.unroute("**/practice/answer")
    with page.expect_response("**/practice/answer") as reply:
        page.reload()  # tries it again
    assert reply.value.status == 204
    expect(said).to_contain_text("In the game: ")
    expect(page.locator(".marks i:not([data-grade=''])")).to_have_count(1)
    with History(server.database) as history:
        saved = {row.id: row.due for row in mistakes(history, "yacht-dice", "Bea")}
        due, _ = due_mistakes(history, "yacht-dice", "Bea", datetime.datetime.now(datetime.UTC))
    assert sum(due is not None for due in saved.values()) == 1
    assert len(due) == len(saved) - 1

    again = page.context.new_page()  # another tab, where the question is asked once more
    again.goto(page.url)
    with again.expect_response("**/practice/answer") as reply:
        again.locator(POSSIBLE).first.tap()
    assert reply.value.status == 204
    with History(server.database) as history:
        assert {row.id: row.due for row in mistakes(history, "yacht-dice", "Bea")} == saved


def test_answers_that_cannot_be_saved(page: Page) -> None:
    page.goto("/practice?rules=yacht-dice&name=Bea")
    line = question(page)["line"]
    good = {"rules": "yacht-dice", "begun": "1", "position": line, "action": "keep -"}
    for name, value in {
        "rules": "nothing", "begun": "9" * 20, "position": "dice 9", "action": "score nothing"
    }.items():  # fmt: skip
        reply = page.request.post("/practice/answer", form=good | {name: value})
        assert reply.status == 400, name


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
        page.locator(POSSIBLE).first.click()
        expect(page.locator("#say.verdict")).to_be_visible()
        assert page.request.post("/practice/answer", form={}).status == 403
    with History(database) as history:
        (mistake,) = mistakes(history, "yacht-dice", "Ada")
        assert mistake.due is None
