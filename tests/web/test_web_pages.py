"""Test the web pages in a browser, except games and practice: content, layout, and safety."""

import json
import re
import socket
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from browser_pages import (
    FAULTS,
    INLINE,
    expect_accessible,
    expect_accessible_everywhere,
    resize,
    watched,
)
from games import at_random, play, with_one_mistake
from rollwise import load_rules
from rollwise.game.game import Game
from rollwise.history import History
from rollwise.reviews.review import review
from rollwise.solving.solver import solve
from servers import Server, serving

YAHTZEE, YACHT = load_rules("yahtzee"), load_rules("yacht-dice")
EVIL = "<img src=x onerror=alert(1)>"
TABLES = ("/play/finished", "/review/finished/steps")
OWN_STRATEGY = "open(__file__ + '.ran', 'w').close()"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Yield a server with saved games, including a player whose name looks like markup."""
    folder = tmp_path_factory.mktemp("pages")
    database = f"sqlite:///{folder}/games.sqlite"
    with History(database) as history:
        names = ("Ada", EVIL)
        events = play(YAHTZEE, list(names), 7, at_random(1)).events
        record = Game(YAHTZEE, names, events, seed=7)
        saved_at = history.save("finished", record)
        history.keep_reviews("finished", review(record, solve(YAHTZEE)), saved_at)
        first_roll = play(YAHTZEE, ["Ada"], 7, at_random(1), events=1).events
        for name in ("options", "warned"):
            history.save(name, Game(YAHTZEE, ("Ada",), first_roll, seed=7))
        (folder / "own.py").write_text(OWN_STRATEGY)
        bots = {"B": f"{folder / 'own.py'}:Own"}
        history.save("strange", Game(YAHTZEE, "Ada, B", seed=7, bots=bots))
        history.save("crowded", Game(YAHTZEE, "Ada, Ben, B", seed=7, bots={"B": "duel"}))
        mistaken = with_one_mistake(YACHT)
        saved_at = history.save("mistaken", mistaken)
        history.keep_reviews("mistaken", review(mistaken, solve(YACHT)), saved_at)
        large = load_rules("maxi-yatzy-no-saving")
        history.save("large", Game(large, ("Ada",), seed=7))
        history.save("played-large", play(large, ["Ada"], 7, at_random(1), events=3))
    with serving(database, folder) as running:
        yield running


@pytest.fixture
def context(browser: Browser, server: Server) -> Iterator[BrowserContext]:
    """Yield a browser context of a large screen."""
    with watched(browser, server.address, "desktop") as context:
        yield context


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()


def test_home_starts_the_last_game_again(page: Page, server: Server) -> None:
    record = play(YAHTZEE, ["Eve", "Strong"], 7, at_random(1), events=20)
    with History(server.database) as history:
        bots = {"Strong": "greedy-average"}
        unfinished = Game(YAHTZEE, "Eve, Strong", record.events, seed=7, bots=bots)
        history.save("unfinished", unfinished)
    page.goto("/")
    scores = ", ".join(
        f"{name} {card.points}"
        for name, card in zip(unfinished.players, unfinished.cards, strict=True)
    )
    turn = 14 - max(card.boxes.count(None) for card in unfinished.cards)
    offer = page.get_by_role("link", name="Continue")
    expect(offer).to_contain_text(scores)
    expect(offer).to_contain_text(f"turn {turn} of 13")
    expect(page.locator(".setup")).to_have_text("Yahtzee, free-choice jokers · Eve against Strong")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_url("**/play/*")
    expect(page.locator("#say b")).to_have_text("Eve: good luck. Roll the dice.")
    expect(page.get_by_text("Strong").first).to_be_visible()
    page.goto("/")
    page.get_by_role("link", name="Puzzle of the day").click()
    page.wait_for_url("**/puzzle/20*")


def test_a_tile_starts_its_game(page: Page) -> None:
    page.goto("/")
    page.get_by_label("Players").last.fill("Ada, Ben")
    page.get_by_label("Medium").check()
    page.get_by_role("button", name="Yatzy: ").click()
    page.get_by_role("button", name="Yatzy in scorecard order").click()
    page.wait_for_url("**/play/*")
    expect(page.locator("h1")).to_have_text("Yatzy in scorecard order")
    expect(page.locator("#players")).to_contain_text("Ben")
    expect(page.locator("#players")).to_contain_text("Medium")
    expect(page.locator("html.ready")).to_be_attached()
    expect(page.locator("#seat")).to_be_hidden()  # all of them play here


def test_a_new_game_that_is_refused_keeps_its_players(page: Page) -> None:
    page.goto("/")
    for names, game, sentence in (
        ("Ada, Ben", "Crag", "The strategy duel responds to one opponent, so it needs two"),
        ("Ada", "Balut", "Balut is too large for the strategy duel"),
    ):
        players = page.get_by_label("Players").last
        players.fill(names)
        page.get_by_label("Rival").check()
        page.get_by_role("button", name=game).click()
        expect(page.get_by_role("alert")).to_contain_text(sentence)
        expect(players).to_have_value(names)
        expect(page.get_by_label("Rival")).to_be_checked()


def test_real_dice_from_the_first_roll_or_in_a_game(page: Page) -> None:
    for button, address in (("New game", "/play/"), ("Enter a game in progress", "/advise")):
        page.goto("/")
        page.get_by_role("button", name="I play with real dice").click()
        page.get_by_label("Game").select_option("crag")
        page.get_by_label("Players").first.fill("Ada, Ben")
        page.get_by_role("button", name=button).click()
        expect(page).to_have_url(re.compile(address))
        expect(page.locator("h1")).to_contain_text("Crag")
        expect(page.locator(".plate .name")).to_have_text(["Ada", "Ben"])
        expect(page.locator("#faces button").first).to_be_visible()
    page.goto("/")
    page.get_by_role("button", name="I play with real dice").click()
    page.get_by_label("Players").first.fill("Ada; Ben")
    page.get_by_role("button", name="New game").click()
    expect(page.get_by_role("alert")).to_contain_text("without , : ; #")
    expect(page.get_by_label("Real dice")).to_be_checked()


def test_advice_for_turns_with_real_dice(page: Page) -> None:
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
        page.get_by_role("button", name="Chance").click()
    page.get_by_role("button", name="30", exact=True).click()
    page.locator("#card .sum", has_text="Yahtzee bonus").click()
    page.get_by_role("button", name="100", exact=True).click()
    expect(points).to_contain_text("180 points")
    page.get_by_role("button", name="Chance").click()
    page.get_by_role("button", name="Clear").click()
    expect(words).to_contain_text("xtra-bonus=100 is impossible on this scorecard")
    page.reload()
    expect(points).to_contain_text("180 points")
    page.keyboard.type("12345")
    expect(words).to_contain_text("Score Large Straight.")
    page.get_by_role("button", name="Undo").click()
    page.keyboard.type("34566")
    expect(page).to_have_url(
        re.compile("dice.34566.*card.yahtzee%3D50%2Cchance%3D30%2Cextra-bonus%3D100$")
    )


def test_advice_for_several_players(page: Page) -> None:
    page.goto("/advise?rules=crag")
    say, totals, mover = (page.locator(what) for what in ("#say", ".total", ".plate.mine .name"))
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="New game").click()
    for number, name in enumerate(("Ada", "Ben", "Cleo"), 1):
        page.get_by_label(f"Player {number}").fill(name)
    page.get_by_role("button", name="Start").click()
    expect(say).to_contain_text("Ada: tap or type your dice.")
    page.get_by_role("button", name="Cleo: 0 points").click()
    page.get_by_role("button", name="Crag").click()
    page.get_by_role("button", name="50", exact=True).click()
    page.get_by_role("button", name="Ben: 0 points").click()
    expect(mover).to_have_text("Ben")
    page.keyboard.type("666")
    expect(say).to_contain_text("Score Three of a Kind.")
    page.keyboard.press("r")
    expect(mover).to_have_text("Cleo")
    expect(page).to_have_url(
        re.compile(r"mover=Cleo&opponents=-%3B\w+-\w+-\w+-\w+%3D25&.*crag%3D50$")
    )
    for _ in range(2):
        expect(totals).to_have_text(["0", "25", "50"])
        values = [solve("crag").value(card) for card in ("", "three-of-a-kind=25", "crag=50")]
        expect(page.locator(".expected")).to_have_text([f"→ {value:.0f}" for value in values])
        expect(mover).to_have_text("Cleo")
        page.reload()
    path = "/advise?rules=micro-yahtzee&players=Ada,Ben&opponents=square=9,double=2&position="
    page.goto(f"{path}dice - | card square=9")
    page.get_by_role("button", name="Ben: 11 points").click()
    expect(say).to_contain_text("The scorecard of Ben is full. Tap a name to change the turn.")
    page.goto(f"{path}dice 3 | card square=9")
    page.get_by_role("button", name="Double, score 6").click()
    expect(page.get_by_role("heading", name="Ada wins, 15 – 11")).to_be_visible()
    expect(page.locator("#end h3")).to_have_text(["Ada: 15", "Ben: 11"])


def test_advice_for_a_typed_position(page: Page) -> None:
    page.goto("/advise?players=Ada,Ben;&position=dice+66666")
    names = page.get_by_label("Players, separated by commas")
    expect(page.locator("#problem")).to_contain_text("Cannot use the player name 'Ben;'")
    names.fill("Ada, Ben")
    names.press("Enter")
    expect(page.locator(".plate .name")).to_have_text(["Ada", "Ben"])
    page.goto("/advise?position=dice+66")
    problem, line = page.locator("#problem"), page.get_by_label("Position as text")
    words, rules = page.locator("#say"), page.get_by_label("Rules", exact=True)
    expect(problem).to_contain_text("Expected 5 dice")
    expect(words).to_contain_text("Tap or type your dice.")
    expect(line).to_have_value("dice 66")
    line.fill("66666 | rolls-left 0")
    page.get_by_label("Objective", exact=True).select_option("worst-case")
    line.press("Enter")
    expect(words).to_contain_text("Score Yahtzee.")
    expect(page).to_have_url(re.compile("objective=worst-case"))
    page.get_by_role("button", name="All options").click()
    expect(page.locator("#options-reason")).to_contain_text("Guaranteed score: 68.00.")
    page.keyboard.press("Escape")
    ask(page)
    rules.select_option("kismet")
    expect(line).to_have_value("")
    page.get_by_role("button", name="Show advice").click()
    expect(page.locator("h1")).to_have_text("Advice: Kismet")
    expect(problem).to_be_hidden()


def ask(page: Page) -> None:
    """Open the form with the position and the objective of the page of advice."""
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Position and objective").click()


def test_advice_against_known_scorecards(page: Page) -> None:
    page.goto("/advise?rules=micro-yahtzee&position=dice+3")
    problem, best = page.locator("#problem"), page.locator("#options tbody tr").first
    cards, options = page.get_by_label("Opponents' scorecards"), page.locator("#all")
    ask(page)
    expect(cards).to_be_hidden()
    page.get_by_label("Objective", exact=True).select_option("beat")
    cards.fill("-;-;-;-;-;-")
    page.get_by_role("button", name="Show advice").click()
    expect(problem).to_contain_text("1 to 6 players, not 7")
    cards.fill("square=9;double=2")
    cards.press("Enter")
    options.click()
    expect(best).to_have_text("score Double45.1389–21.17")
    opponent = "Opponent: scorecard double=2, strategy optimal, expected score 17.17"
    expect(page.locator("#options-reason")).to_contain_text(opponent)
    page.keyboard.press("Escape")
    expect(page.locator(".expected")).to_have_text("→ 45%")
    ask(page)
    page.get_by_label("How they play").select_option("duel")
    page.get_by_role("button", name="Show advice").click()
    expect(problem).to_contain_text("responds to one opponent, not to 2")
    cards.fill("square=9")
    cards.press("Enter")
    options.click()
    expect(best).to_have_text("score Double56.9455.562.7841.67")
    page.goto("/advise?position=dice+11366&objective=beat&opponents=-&plays=duel")
    options.click()
    expect(best).to_have_text("keep 6 649.4949.250.4850.27")
    expect(page.locator("#options-reason")).to_contain_text("Near-optimal, not exact")


def test_the_rating_for_the_rules_that_were_played_last(page: Page) -> None:
    page.goto("/games")
    rules, player = page.get_by_label("Rules", exact=True), page.get_by_label("Player")
    expect(rules).to_have_value("yacht-dice")
    expect(rules.locator("option")).to_have_text([YACHT.title, YAHTZEE.title])
    expect(player).to_be_hidden()
    rules.select_option("yahtzee")
    player.select_option("Ada")
    expect(page).to_have_url(re.compile(r"rules=yahtzee&name=Ada$"))
    area = page.get_by_label("Game record")
    page.get_by_text("Review another game").click()
    area.fill("11366 66 25666 666")
    expect(page.locator("#rating .outcome")).to_have_text(re.compile("Random|Beginner"))
    expect(area).to_have_value("11366 66 25666 666")
    expect(page.get_by_role("link", name="Rating test")).to_be_visible()
    page.get_by_role("link", name="Practice these mistakes").click()
    expect(page.locator("#say b")).to_have_text(re.compile("What would you do"))


def test_a_pasted_record(page: Page) -> None:
    page.goto("/games")
    page.get_by_text("Review another game").click()
    area = page.get_by_label("Game record")
    area.fill("11366 66 25666 666 46666 6\n11367 y")
    page.get_by_role("button", name="Review").click()
    expect(page.get_by_role("alert")).to_contain_text("Line 2: expected 5 dice")
    area.fill("11366 66 25666 666 46666 6\n11123 ch")
    page.get_by_role("button", name="Review").click()
    page.wait_for_url("**/review/*")
    expect(page.locator(".worst li")).to_contain_text("Best was Keep 1 1 1 (Chance")
    page.locator(".worst a").click()
    expect(page.locator("#say")).to_contain_text("Best: keep 1 1 1. Gains ")
    page.get_by_role("button", name="All options").click()
    expect(page.locator("#options .chosen")).to_contain_text("score Chance (yours)")


def test_stepping_through_a_review(page: Page, server: Server) -> None:
    page.goto("/review/finished")
    page.get_by_role("link", name="Step through the game").click()
    turn, say, address = page.locator("#turn"), page.locator(".say"), f"{page.url}?step="
    page.goto(f"{address}x")
    expect(turn).to_have_text(re.compile(r"^Turn 1, roll 1 · 1/\d+$"))
    expect(page.locator(".expected").first).to_have_text(re.compile(r"^→ \d+$"))
    expect(page.get_by_role("button", name="Previous")).to_be_disabled()
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(f"{address}2")
    page.get_by_role("button", name="Next mistake").click()
    expect(say).to_have_attribute("data-grade", re.compile("[23]"))
    expect(say).to_contain_text(re.compile(r"^A .+, −.+\. Best: .+ Gains \d"))
    shown = say.inner_text()
    page.reload()
    expect(say).to_have_text(shown, use_inner_text=True)
    page.keyboard.press("End")
    with History(server.database) as history:
        game = history.load("finished").game
    expect(page.locator(".total")).to_have_text(
        [str(card.points) for card in game.steps[-1].before.cards]
    )
    page.get_by_role("button", name="Previous").click()
    page.get_by_role("button", name="Next", exact=True).click()
    page.keyboard.press("Enter")  # done
    expect(page.get_by_role("heading", name="Ada: most costly choices")).to_be_visible()
    for link in (page.locator("a.dot.is-blunder").last, page.locator(".worst a").first):
        target = link.get_attribute("href")
        link.dispatch_event("click")
        expect(page).to_have_url(f"{server.address}{target}")
        expect(say).to_have_attribute("data-grade", "3")
        page.go_back()
    page.get_by_role("heading", name=f"{EVIL}: every choice").click()
    page.locator("tr.turn a").last.click()
    expect(turn).to_contain_text("roll 1")


def test_the_course_of_a_game_leads_to_its_mistakes(page: Page) -> None:
    page.goto("/review/finished/steps")
    course, turn = page.locator(".course"), page.locator("#turn")
    size = course.bounding_box()
    assert size is not None
    course.click(position={"x": size["width"] - 2, "y": size["height"] / 2})
    expect(turn).to_have_text(re.compile("^Turn 1[123], "))
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
    page.get_by_role("button", name="Try again").click()
    expect(say).to_have_text("Try again: choose a category. ")
    expect(page.locator(".box:is(.best, .chosen)")).to_have_count(0)
    expect(page.locator("#hint")).to_be_disabled()
    expect(page.locator(":is(#all, #further):visible")).to_have_count(0)
    page.locator(".box[data-state=possible]:not(.chosen)").first.click()
    expect(boxes).to_have_count(1)
    expect(say).to_contain_text("Played: score ")
    page.get_by_role("button", name="Previous").click()
    expect(say).to_have_text(played, use_inner_text=True)
    expect(turn).to_have_text(step)
    page.keyboard.press("h")
    page.keyboard.press("Space")  # nothing to roll
    page.keyboard.press("ArrowRight")
    expect(turn).not_to_have_text(step)
    expect(page.locator("#say.verdict")).to_be_visible()


def test_names_are_never_markup(page: Page, server: Server) -> None:
    with History(server.database) as history:  # the first page lists the last games
        history.save("evil", Game(YAHTZEE, ("Ada", EVIL), seed=7))
    for path in ("/", *(f"/review/finished{part}" for part in ("", "/page")), *TABLES):
        page.goto(path)
        expect(page.get_by_text(EVIL).first).to_be_visible()
        if path not in ("/", *TABLES):  # the legend of a curve
            expect(page.locator(".key").get_by_text(EVIL)).to_be_visible()
        assert page.locator("img").count() == 0


def test_links_contain_no_secret(page: Page, server: Server) -> None:
    keys = {"rules", "position", "name", "asked", "begun", "strategy", "step"}
    fewest = {"/": 6, "/play/warned": 3, "/review/finished": 7, "/games": 9, "/practice": 6}
    for path, count in fewest.items():
        page.goto(path)
        expect(page.locator("h1")).to_be_visible()
        expect(page.locator(".job")).to_have_count(0)
        links = page.eval_on_selector_all(
            "a[href]", "all => all.map(a => new URL(a.getAttribute('href'), location).href)"
        )
        assert len(links) >= count
        for link in map(urlsplit, links):
            assert f"{link.scheme}://{link.netloc}" == server.address
            assert set(parse_qs(link.query)) <= keys
        assert server.database not in page.content()


def box(page: Page, name: str) -> Locator:
    return page.get_by_role("checkbox", name=name, exact=True)


def test_strategies(page: Page) -> None:
    page.goto("/strategies")
    expect(page.locator(".facts")).to_contain_text("254.5896")
    page.get_by_label("Rules").select_option("crag")
    expect(page.locator(".facts")).to_contain_text("149.847593")
    box(page, "Medium").check()
    page.wait_for_url("**/strategies?rules=crag&strategy=optimal&strategy=greedy")
    rows = page.get_by_role("region", name="Strategies").get_by_role("row")
    starts = "StrategyMeanSDMedian% ≥ 140% ≥ 160% ≥ 180", "Perfect149.85", "Medium146.03"
    expect(rows).to_have_text([re.compile(start) for start in starts])
    box(page, "Perfect").uncheck()
    expect(page.locator(".facts")).to_contain_text("146.03")


def test_a_strategy_without_a_box_has_one_if_the_address_names_it(page: Page) -> None:
    page.goto("/strategies?rules=micro-yahtzee&strategy=random&strategy=optimal&strategy=random")
    expect(box(page, "random")).to_be_checked()
    expect(page.locator("[aria-label=Strategies] tbody tr")).to_have_count(2)
    box(page, "random").click()
    page.wait_for_url("**/strategies?rules=micro-yahtzee&strategy=optimal")
    expect(box(page, "random")).to_have_count(0)


def test_at_most_five_strategies(page: Page) -> None:
    names = ("random", "random-category", "greedy", "greedy-step", "greedy-discounted", "optimal")
    page.goto("/strategies?rules=micro-yahtzee&strategy=" + "&strategy=".join(names))
    expect(page.locator("[aria-label=Strategies] tbody tr")).to_have_count(5)
    expect(box(page, "Perfect")).to_be_disabled()


def test_the_highest_possible_probability(page: Page) -> None:
    page.goto("/strategies?rules=micro-yahtzee")
    curves = page.locator("figure >> nth=1").locator(".plot .curve")
    expect(curves).to_have_count(1)
    box(page, "Highest possible probabilities").click()
    expect(curves).to_have_count(2)
    page.get_by_text("Targets").click()
    row = page.get_by_role("region", name="Targets").get_by_role("row", name=re.compile("^20 "))
    expect(row.get_by_role("cell")).to_have_text(["20", "63.89", "69.44"])
    expect_accessible(page)
    page.goto("/strategies?rules=micro-yahtzee&strategy=greedy")  # the probabilities are known now
    expect(curves).to_have_count(2)
    expect(box(page, "Highest possible probabilities")).to_have_count(0)


def test_results_replace_the_progress_without_a_navigation(page: Page) -> None:
    # A navigation at that moment could cancel a choice of the reader that is on its way.
    loads: list[str] = []
    page.on("load", lambda _: loads.append(page.url))
    page.goto("/strategies?rules=yatzy")
    expect(page.locator(".facts").first).to_be_visible()
    expect(page.locator(".job")).to_have_count(0)
    assert len(loads) == 1


def test_pages_without_scripts(browser: Browser, server: Server) -> None:
    with watched(browser, server.address, java_script_enabled=False) as context:
        page = context.new_page()
        page.goto("/strategies?rules=yamb-up")  # it reloads itself until the results are there
        expect(page.locator(".facts")).to_contain_text("Standard deviation")
        box(page, "Perfect").uncheck()
        box(page, "Medium").check()
        page.get_by_role("button", name="Show").click()
        expect(page).to_have_url(re.compile("rules=yamb-up&strategy=greedy$"))
        page.goto("/")
        page.get_by_role("button", name="Crag").click()
        expect(page).to_have_url(re.compile("/play/"))
        page.goto("/review/finished")
        expect(page.locator(".course .curve")).to_have_count(2)
        page.locator(".worst a").first.click()
        expect(page.locator("#no-script")).to_contain_text("needs a web browser that runs scripts")


def exported(page: Page) -> list[str]:
    """Return the ids of the games in the export."""
    _, *lines = page.request.get("/history.jsonl").text().splitlines()
    return [line["id"] for line in map(json.loads, lines) if "game" in line]


def test_export_and_delete(page: Page, server: Server) -> None:
    page.goto("/")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_url("**/play/*")
    id = page.url.rpartition("/")[2]
    assert {"finished", "warned", id} <= {*exported(page)}
    page.goto(f"/review/{id}")
    page.get_by_role("button", name="Delete this game").click()
    page.get_by_role("button", name="Keep this game").click()
    assert page.request.get(f"/api/games/{id}").status == 200
    page.get_by_role("button", name="Delete this game").click()
    page.get_by_role("button", name="Delete permanently").click()
    expect(page.get_by_role("heading", name="Your games")).to_be_visible()
    assert page.request.get(f"/api/games/{id}").status == 404


def test_games_that_this_server_cannot_play(page: Page, server: Server) -> None:
    reasons = {"strange": "unknown strategy", "crowded": "the strategy duel responds to one"}
    for id, reason in reasons.items():
        page.goto(f"/play/{id}")
        expect(page.get_by_text(f"cannot be played here: {reason}")).to_be_visible()
    own = server.log.with_name("own.py")
    response = page.goto(f"/strategies?strategy={own}:Own")
    assert response is not None
    assert response.status == 404
    expect(page.get_by_role("heading", name="Strategy not found")).to_be_visible()
    assert own.exists()
    assert not own.with_name("own.py.ran").exists()
    page.goto("/play/large")
    expect(page.locator("#roll i.on").first).to_be_visible()  # keys work now
    page.keyboard.press("Space")
    expect(page.locator(".coming small")).to_have_text(
        "No advice: the game is too large for this server."
    )
    page.locator("#menu-button").click()
    page.get_by_role("button", name="Rules of this game").click()
    expect(page.locator("#rules-categories tr")).to_have_count(20)
    expect(page.locator("#rules-average")).to_be_hidden()
    for path in ("/review/large", "/review/played-large/steps"):
        page.goto(path)
        expect(page.get_by_text("cannot be reviewed here: maxi-yatzy-no-saving")).to_be_visible()
    assert page.goto("/review/large/page").status == 400  # type: ignore[union-attr]


UNKNOWN = (
    ("/play/none", "This page cannot be shown", "Play a game"),
    ("/review/none", "This page cannot be shown", "Play a game"),
    ("/review/none/page", "This page cannot be shown", "Play a game"),
    ("/review/none/steps", "This page cannot be shown", "Play a game"),
    ("/nowhere/at/all", "Page not found", "Strategies"),
    ("/strategies?rules=nope", "Rules not found", "Scandinavian Yatzy"),
    ("/advise?rules=/etc/passwd", "Rules not found", "Scandinavian Yatzy"),
    ("/strategies?strategy=optimal&strategy=nobody", "Strategy not found", "greedy"),
    ("/strategies?strategy=duel", "Strategy not found", "greedy"),
    ("/strategies?rules=maxi-yatzy", "Maxi Yatzy", "Scandinavian Yatzy"),
)
"""Addresses of nothing, with the heading of the page and a link that it offers."""


def test_unknown_addresses(page: Page) -> None:
    for path, heading, known in UNKNOWN:
        response = page.goto(path)
        assert response is not None
        assert response.status == 404
        expect(page.get_by_role("heading", name=heading)).to_be_visible()
        expect(page.locator(".page").get_by_role("link", name=known).first).to_be_visible()


def test_the_command_that_prepares_a_large_game(page: Page) -> None:
    command = page.get_by_text("rollwise solve --rules maxi-yatzy --save")
    page.goto("/advise?rules=crag")
    ask(page)
    page.get_by_label("Rules").select_option("maxi-yatzy")
    page.get_by_role("button", name="Show advice").click()
    expect(command).to_be_visible()
    page.goto("/")
    page.get_by_label("Medium").check()
    page.get_by_role("button", name="Yatzy: ").click()
    page.get_by_role("button", name="Maxi Yatzy 6 dice, 20 turns, without advice").click()
    expect(page.get_by_role("alert")).to_have_text(
        "Maxi Yatzy is too large for computer opponents on this server; "
        "play without computer opponents."
    )
    expect(page.get_by_label("Medium")).to_be_checked()


@pytest.mark.slow
def test_pages_without_rules_show_the_default_game(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROLLWISE_RULES", "yahtzee-forced-joker")
    with (
        serving(f"sqlite:///{tmp_path}/games.sqlite", tmp_path) as server,
        watched(browser, server.address, "desktop") as context,
    ):
        page = context.new_page()
        for path in ("/advise", "/strategies"):
            page.goto(path)
            rules = page.get_by_label("Rules", exact=True)
            expect(rules).to_have_value("yahtzee-forced-joker")
            expect(rules.locator("option:checked")).to_have_text("Yahtzee (rule sheet)")
            expect(rules.locator("option[value=yahtzee]")).to_have_text(YAHTZEE.title)
            assert "official" not in rules.inner_text().lower()
        page.goto("/")
        page.get_by_role("button", name="Yahtzee 5").click()
        expect(page.locator("h1")).to_have_text("Yahtzee (rule sheet)")
        page.goto("/puzzle")
        page.wait_for_url("**/puzzle/20*?rules=yahtzee-forced-joker")
        page.goto("/test")
        expect(page.locator("main .die").first).to_be_visible()


def test_the_default_game_can_be_too_large_to_solve(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROLLWISE_RULES", "maxi-yatzy")
    with (
        serving(f"sqlite:///{tmp_path}/games.sqlite", tmp_path) as server,
        watched(browser, server.address, "desktop") as context,
    ):
        page = context.new_page()
        page.goto("/")
        expect(page.locator(".family [value=maxi-yatzy]").first).to_contain_text("without advice")
        page.goto("/advise")
        expect(page.get_by_text("rollwise solve --rules maxi-yatzy --save")).to_be_visible()


PAGES = {
    "home": ("/", ".families button"),
    "warning": ("/play/warned", "#card .box"),
    "options": ("/play/options", "#card .box"),
    "ending": ("/play/finished", "#roll"),
    "advise": ("/advise?position=dice+11366", "#say.hint"),
    "advise-refused": ("/advise?position=dice+1", "#problem:has-text('Expected')"),
    "review": ("/review/finished", ".legend"),
    "steps": ("/review/finished/steps?step=5", "#say b"),
    "print": ("/review/finished/page", "table"),
    "strategy": ("/strategies", "[aria-label='Categories'] td"),
    "strategy-small": ("/strategies?rules=micro-yahtzee", "[aria-label='Categories'] td"),
    "strategies": (
        "/strategies?rules=crag&strategy=optimal&strategy=greedy",
        ".chart .plot >> nth=1",
    ),
    "games": ("/games?rules=yahtzee&name=Ada", "#rating .outcome"),
    "games-unrated": ("/games?rules=crag", "select"),
    "no-mistakes": ("/practice?rules=micro-yahtzee", "a.primary"),
    "missing": ("/nowhere", ".known a"),
    "too-large": ("/strategies?rules=maxi-yatzy", ".command"),
}
"""The URL of each page, and the last element that it shows. The tests of tables and of practice
check more pages."""

OWN_STYLE = {"warning", "options", "ending", "advise", "advise-refused", "steps", "print"}
"""The pages that contain styles, scripts, or data, which their policy names."""

SMALL = """() => {
    const wanted = "a[href]:not(.skip), button, input, select, summary, textarea", finger = 43.9;
    const small = (one) => {
        one.scrollIntoView({block: "center", inline: "center"});
        const whole = one.labels?.[0] ?? one, {x, y, width, height} = whole.getBoundingClientRect();
        const meant = (across, down) => {
            const hit = document.elementFromPoint(x + width / 2 + across, y + height / 2 + down);
            return hit !== null && (one.contains(hit) || whole.contains(hit));
        };
        const reach = (across, down) => {
            let pixels = 0;
            while (pixels < 44 && meant(across * (pixels + 1), down * (pixels + 1))) pixels++;
            return pixels;
        };
        return Math.max(width, reach(-1, 0) + reach(1, 0)) < finger
            || Math.max(height, reach(0, -1) + reach(0, 1)) < finger;
    };
    return [...document.querySelectorAll(wanted)].filter((one) => one.checkVisibility())
        .filter(small).map((one) => one.outerHTML);
}"""
"""A script that returns the controls that are too small for a finger, even with the area around
them."""


def prepare(page: Page, name: str) -> None:
    """Bring a page of a game into the state to check."""
    if name in ("warning", "options"):
        expect(page.locator(".expected").first).to_contain_text("→")  # wait for the advice
    if name == "warning":
        page.keyboard.type("tch")
        expect(page.locator("#warning")).to_contain_text("That loses")
    elif name == "options":
        page.get_by_role("button", name="All options").click()
        expect(page.locator("#options tbody tr").first).to_be_visible()
    elif name == "ending":
        page.locator("#roll").click()
        expect(page.locator("#end-text")).to_contain_text("Rating: ")


@pytest.mark.parametrize("name", PAGES)
def test_layout_and_accessibility(context: BrowserContext, name: str) -> None:
    """Check on a phone that the page is accessible, and that nothing is cut off or too small."""
    page = context.new_page()
    resize(page, "phone")
    path, last = PAGES[name]
    page.goto(path)
    expect(page.locator(last).first).to_be_visible()
    expect(page.locator(".job")).to_have_count(0)
    prepare(page, name)
    expect_accessible(page, "minor", "moderate", "serious", "critical")
    assert page.evaluate(FAULTS) + page.evaluate(SMALL) == []
    if name not in OWN_STYLE:
        assert page.locator(INLINE).count() == 0


def test_a_long_page_is_accessible_everywhere(page: Page) -> None:
    page.goto("/games?rules=yahtzee&name=Ada")
    page.locator("details").evaluate_all("all => all.forEach(part => { part.open = true; })")
    expect(page.locator("[aria-label='Head to head'] td").first).to_be_visible()
    expect_accessible_everywhere(page)
    resize(page, "phone")
    assert page.evaluate(FAULTS) + page.evaluate(SMALL) == []


POLICY = ("/", "/review/finished", "/strategies?rules=micro-yahtzee", "/puzzle", "/nowhere")


def test_the_policy_forbids_inline_code(context: BrowserContext) -> None:
    for path in POLICY:
        policy = context.request.get(path).headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy


def test_the_record_of_a_game(server: Server, page: Page) -> None:
    response = page.goto("/review/finished/record")
    assert response is not None
    record = Game.parse(response.text())
    assert record.players == ("Ada", EVIL)
    assert record.is_over


def test_each_browser_of_a_shared_server_has_its_own_games(
    browser: Browser, tmp_path: Path
) -> None:
    database = f"sqlite:///{tmp_path}/games.sqlite"
    with History(database) as history:
        history.save("old", Game(load_rules("micro-yahtzee"), seed=7))  # without an owner
    with (
        serving(database, tmp_path, "--host", "0.0.0.0") as server,
        watched(browser, server.address, "desktop") as first,
        watched(browser, server.address, "desktop") as second,
    ):
        with socket.socket() as other:
            assert other.connect_ex(("127.0.0.2", server.port)) == 0
        ada, ben = first.new_page(), second.new_page()
        ada.goto("/")
        ada.get_by_role("button", name="Yahtzee: ").click()
        ada.get_by_role("button", name="Micro Yahtzee").click()
        ada.wait_for_url("**/play/*")
        id = ada.url.rpartition("/")[2]
        ben.goto(f"/play/{id}")  # the link opens the same game
        host = f"{socket.gethostname()}:{server.port}"
        seen = Request(f"{server.address}/play/{id}", headers={"Host": host})
        invitation = urlopen(seen).read().decode()
        assert f'value="http://{host}/play/{id}"' in invitation
        assert 'class="qr"' in invitation
        ben.get_by_role("button", name=re.compile("^Roll")).click()
        ben.locator('.box[data-state="possible"]').first.click()
        expect(ada.locator('.box[data-state="filled"]')).to_have_count(1)
        for page, listed, deletes in ((ada, [id], 1), (ben, [], 0)):
            page.goto("/games")
            expect(page.locator(".games li")).to_have_count(len(listed))
            assert exported(page) == listed
            page.goto(f"/review/{id}")
            expect(page.get_by_role("heading", name="You: every choice")).to_be_visible()
            expect(page.get_by_role("button", name="Delete this game")).to_have_count(deletes)
            assert page.request.delete("/api/games/old").status == 403
        ada.get_by_role("button", name="Delete this game").click()
        ada.get_by_role("button", name="Delete permanently").click()
        expect(ada.get_by_text("You have no games yet.")).to_be_visible()
        assert ada.request.get(f"/api/games/{id}").status == 404
        (cookie,) = ada.context.cookies()
        assert (cookie["httpOnly"], cookie["sameSite"]) == (True, "Lax")
