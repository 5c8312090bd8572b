"""Test the page of advice for real dice and for typed positions, in a browser."""

import re

from playwright.sync_api import Page, expect

from browser_pages import choose
from rollwise.solving.solver import solve


def click(page: Page, name: str) -> None:
    """Click a button with exactly this name."""
    page.get_by_role("button", name=name, exact=True).click()


def open_form(page: Page) -> None:
    """Open the form with the position and the objective."""
    click(page, "Menu")
    click(page, "Position and objective")


def test_turns_with_real_dice(page: Page) -> None:
    page.goto("/advise")
    words, roll, left = (page.locator(f"#{id}") for id in ("say", "roll", "left"))
    points = page.locator("#players")
    expect(words).to_contain_text("Tap or type your dice.")
    page.keyboard.type("11366")
    expect(words).to_contain_text("Keep 6 6. Gains mainly 0.6 towards the bonus")
    expect(roll).to_have_text("Keep them")
    roll.click()
    expect(roll).to_have_text("Roll 3 dice")
    roll.click()
    page.keyboard.type("666")
    expect(words).to_contain_text("Score Yahtzee.")
    expect(page).to_have_url(re.compile(r"dice\+66666\+%7C\+rolls-left\+1\+%7C\+card\+-$"))
    left.click()
    expect(left).to_have_text("0 left")
    expect(roll).to_have_text("Score it")
    page.get_by_role("button", name="Yahtzee, score 50").dblclick()
    expect(points).to_contain_text("50 points")
    expect(page.locator("dialog[open]")).to_have_count(0)
    while page.locator("#points").is_hidden():  # the click belongs to the double click for a moment
        choose(page, "Chance")
    click(page, "30")
    page.locator("#card .sum", has_text="Yahtzee bonus").click()
    click(page, "100")
    expect(points).to_contain_text("180 points")
    choose(page, "Chance")
    click(page, "Clear")
    expect(words).to_contain_text("xtra-bonus=100 is impossible on this scorecard")
    page.reload()
    expect(points).to_contain_text("180 points")
    page.keyboard.type("12345")
    expect(words).to_contain_text("Score Large Straight.")
    click(page, "Undo")
    page.keyboard.type("34566")
    expect(page).to_have_url(
        re.compile("dice.34566.*card.yahtzee%3D50%2Cchance%3D30%2Cextra-bonus%3D100$")
    )


def test_several_players(page: Page) -> None:
    page.goto("/advise?rules=crag")
    say, totals, mover = (page.locator(what) for what in ("#say", ".total", ".plate.mine .name"))
    click(page, "Menu")
    click(page, "New game")
    for number, name in enumerate(("Ada", "Ben", "Cleo"), 1):
        page.get_by_label(f"Player {number}").fill(name)
    click(page, "Start")
    expect(say).to_contain_text("Ada: tap or type your dice.")
    choose(page, "Cleo: 0 points")
    choose(page, "Crag")
    click(page, "50")
    choose(page, "Ben: 0 points")
    expect(mover).to_have_text("Ben")
    page.keyboard.type("666")
    expect(say).to_contain_text("Score Three of a Kind.")
    page.keyboard.press("r")
    expect(mover).to_have_text("Cleo")
    expect(page).to_have_url(
        re.compile(r"mover=Cleo&opponents=-%3B\w+-\w+-\w+-\w+%3D25&.*crag%3D50$")
    )
    page.reload()
    expect(totals).to_have_text(["0", "25", "50"])
    values = [solve("crag").value(card) for card in ("", "three-of-a-kind=25", "crag=50")]
    expect(page.locator(".expected")).to_have_text([f"→ {value:.0f}" for value in values])
    expect(mover).to_have_text("Cleo")


def test_the_end_of_a_game_of_two_players(page: Page) -> None:
    path = "/advise?rules=micro-yahtzee&players=Ada,Ben&opponents=square=9,double=2&position="
    page.goto(f"{path}dice - | card square=9")
    choose(page, "Ben: 11 points")
    expect(page.locator("#say")).to_contain_text(
        "The scorecard of Ben is full. Tap a name to change the turn."
    )
    page.goto(f"{path}dice 3 | card square=9")
    choose(page, "Double, score 6")
    expect(page.get_by_role("heading", name="Ada wins, 15 – 11")).to_be_visible()
    expect(page.locator("#end h3")).to_have_text(["Ada: 15", "Ben: 11"])


def test_typed_positions(page: Page) -> None:
    page.goto("/advise?players=Ada,Ben;&position=dice+66")
    problem, words = page.locator("#problem"), page.locator("#say")
    names, line = page.get_by_label("Players, separated"), page.get_by_label("Position as text")
    expect(problem).to_contain_text("Cannot use the player name 'Ben;'")
    names.fill("Ada, Ben")
    names.press("Enter")
    expect(page.locator(".plate .name")).to_have_text(["Ada", "Ben"])
    expect(problem).to_contain_text("Expected 5 dice")
    expect(words).to_contain_text("Ada: tap or type your dice.")
    expect(line).to_have_value("dice 66")
    line.fill("66666 | rolls-left 0")
    page.get_by_label("Objective", exact=True).select_option("worst-case")
    line.press("Enter")
    expect(words).to_contain_text("Score Yahtzee.")
    expect(page).to_have_url(re.compile("objective=worst-case"))
    click(page, "All options")
    expect(page.locator("#options-reason")).to_contain_text("Guaranteed score: 68.00.")
    page.keyboard.press("Escape")
    open_form(page)
    page.get_by_label("Rules", exact=True).select_option("kismet")
    expect(line).to_have_value("")
    click(page, "Show advice")
    expect(page.locator("h1")).to_have_text("Advice: Kismet")
    expect(problem).to_be_hidden()


def test_known_scorecards_of_opponents(page: Page) -> None:
    page.goto("/advise?rules=micro-yahtzee&position=dice+3")
    problem, best = page.locator("#problem"), page.locator("#options tbody tr").first
    cards, reason = page.get_by_label("Opponents' scorecards"), page.locator("#options-reason")
    open_form(page)
    expect(cards).to_be_hidden()
    page.get_by_label("Objective", exact=True).select_option("beat")
    cards.fill("-;-;-;-;-;-")
    click(page, "Show advice")
    expect(problem).to_contain_text("1 to 6 players, not 7")
    cards.fill("square=9;double=2")
    cards.press("Enter")
    click(page, "All options")
    expect(best).to_have_text("score Double45.1389–21.17")
    expect(reason).to_contain_text(
        "Opponent: scorecard double=2, strategy optimal, expected score 17.17"
    )
    page.keyboard.press("Escape")
    expect(page.locator(".expected")).to_have_text("→ 45%")
    open_form(page)
    page.get_by_label("How they play").select_option("duel")
    click(page, "Show advice")
    expect(problem).to_contain_text("responds to one opponent, not to 2")
    cards.fill("square=9")
    cards.press("Enter")
    click(page, "All options")
    expect(best).to_have_text("score Double56.9455.562.7841.67")
    page.goto("/advise?position=dice+11366&objective=beat&opponents=-&plays=duel")
    click(page, "All options")
    expect(best).to_have_text("keep 6 649.4949.250.4850.27")
    expect(reason).to_contain_text("Near-optimal, not exact")
