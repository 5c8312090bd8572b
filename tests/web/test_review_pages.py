"""Test the review of a game, its steps, and the rating of a player, in a browser."""

import re

import pytest
from playwright.sync_api import Page, expect

from browser_pages import choose
from games import at_random, play, with_one_mistake
from rollwise import load_rules
from rollwise.game.game import Game
from rollwise.history import History
from rollwise.reviews.review import review
from rollwise.solving.solver import solve
from servers import Server

CRAG, YACHT = load_rules("crag"), load_rules("yacht-dice")
FINISHED = Game(CRAG, "Ada, Ben", play(CRAG, ["Ada", "Ben"], 7, at_random(1)).events, seed=7)
RECORD = "11366 66 25666 666 46666 6"


@pytest.fixture(scope="module", autouse=True)
def games(server: Server) -> None:
    """Save a game of Crag, and later a game of Yacht Dice, with their reviews."""
    with History(server.database) as history:
        for id, game in (("finished", FINISHED), ("mistaken", with_one_mistake(YACHT))):
            saved_at = history.save(id, game)
            history.keep_reviews(id, review(game, solve(game.rules)), saved_at)


def test_the_rating_for_the_rules_that_were_played_last(page: Page) -> None:
    page.goto("/games")
    rules, player = page.get_by_label("Rules", exact=True), page.get_by_label("Player")
    expect(rules).to_have_value("yacht-dice")
    expect(rules.locator("option")).to_have_text([YACHT.title, CRAG.title])
    expect(player).to_be_hidden()
    rules.select_option("crag")
    player.select_option("Ada")
    expect(page).to_have_url(re.compile(r"rules=crag&name=Ada$"))
    page.get_by_text("Review another game").click()
    page.get_by_label("Game record").fill(RECORD)
    expect(page.locator("#rating .outcome")).to_have_text(re.compile("Random|Beginner"))
    expect(page.get_by_text("Luck-adjusted score", exact=True)).to_be_visible()
    expect(page.get_by_label("Game record")).to_have_value(RECORD)
    expect(page.get_by_role("link", name="Rating test")).to_be_visible()
    page.get_by_role("link", name="Practice these mistakes").click()
    expect(page.locator("#say b")).to_have_text(re.compile("What would you do"))


def test_a_pasted_record(page: Page) -> None:
    page.goto("/games")
    page.get_by_text("Review another game").click()
    for turn in ("11367 y", "11123 ch"):
        page.get_by_label("Game record").fill(f"{RECORD}\n{turn}")
        page.get_by_role("button", name="Review").click()
        if turn == "11367 y":
            expect(page.get_by_role("alert")).to_contain_text("Line 2: expected 5 dice")
    page.wait_for_url("**/review/*")
    expect(page.get_by_role("button", name="Delete this game")).to_be_visible()
    expect(page.locator(".worst li")).to_contain_text("Best was Keep 1 1 1 (Chance")
    page.locator(".worst a").click()
    expect(page.locator("#say")).to_contain_text("Best: keep 1 1 1. Gains ")
    choose(page, "All options")
    expect(page.locator("#options .chosen")).to_contain_text("score Chance (yours)")


def test_steps_through_a_game(page: Page, server: Server) -> None:
    page.goto("/review/finished")
    page.get_by_role("link", name="Step through the game").click()
    turn, say, address = page.locator("#turn"), page.locator(".say"), f"{page.url}?step="
    page.goto(f"{address}x")
    expect(turn).to_have_text(re.compile(r"^Turn 1, roll 1 · 1/\d+$"))
    expect(page.locator(".expected").first).to_have_text(re.compile(r"^→ \d+$"))
    expect(page.get_by_role("button", name="Previous")).to_be_disabled()
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(f"{address}2")
    choose(page, "Next mistake")
    expect(say).to_have_attribute("data-grade", re.compile("[23]"))
    expect(say).to_contain_text(re.compile(r"^A .+, −.+\. Best: .+ Gains \d"))
    shown = say.inner_text()
    page.reload()
    expect(say).to_have_text(shown, use_inner_text=True)
    page.keyboard.press("End")
    expect(page.locator(".total")).to_have_text(
        [str(card.points) for card in FINISHED.steps[-1].before.cards]
    )
    choose(page, "Previous")
    page.get_by_role("button", name="Next", exact=True).tap()
    page.keyboard.press("Enter")  # done
    expect(page.get_by_role("heading", name="Ada: most costly choices")).to_be_visible()
    for link in (page.locator("a.dot.is-blunder").last, page.locator(".worst a").first):
        target = link.get_attribute("href")
        link.dispatch_event("click")
        expect(page).to_have_url(f"{server.address}{target}")
        expect(say).to_have_attribute("data-grade", "3")
        page.go_back()
    page.get_by_role("heading", name="Ben: every choice").click()
    page.locator("tr.turn a").last.click()
    expect(turn).to_contain_text("roll 1")


def test_the_course_of_a_game_leads_to_its_mistakes(page: Page) -> None:
    page.goto("/review/finished/steps")
    course = page.locator(".course")
    size = course.bounding_box()
    assert size is not None
    course.click(position={"x": size["width"] - 2, "y": size["height"] / 2})
    expect(page.locator("#turn")).to_have_text(re.compile("^Turn 1[123], "))
    mark = course.locator("[data-grade='3']").first.bounding_box()
    assert mark is not None
    page.mouse.click(mark["x"] + mark["width"] / 2 + 3, mark["y"] + mark["height"] / 2)
    expect(page.locator(".say")).to_have_attribute("data-grade", "3")


def test_another_try_at_a_mistake(page: Page) -> None:
    page.goto("/review/mistaken/steps")
    expect(page.locator("html.ready")).to_be_attached()  # the game is solved
    page.keyboard.press("m")
    turn, say, boxes = page.locator("#turn"), page.locator("#say"), page.locator(".box.chosen")
    expect(boxes).to_have_count(1)
    played, step = say.inner_text(), turn.inner_text()
    choose(page, "Try again")
    expect(say).to_have_text("Try again: choose a category. ")
    expect(page.locator(".box:is(.best, .chosen)")).to_have_count(0)
    expect(page.locator("#hint")).to_be_disabled()
    expect(page.locator(":is(#all, #further):visible")).to_have_count(0)
    page.locator(".box[data-state=possible]:not(.chosen)").first.tap()
    expect(boxes).to_have_count(1)
    expect(say).to_contain_text("Played: score ")
    choose(page, "Previous")
    expect(say).to_have_text(played, use_inner_text=True)
    expect(turn).to_have_text(step)
    page.keyboard.press("h")
    page.keyboard.press("Space")  # nothing to roll
    page.keyboard.press("ArrowRight")
    expect(turn).not_to_have_text(step)
    expect(page.locator("#say.verdict")).to_be_visible()
