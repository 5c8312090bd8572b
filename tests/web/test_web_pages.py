"""Test the web pages in a browser: playing, tutor, reviews, links, layout, and accessibility."""

import json
import os
import re
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Locator,
    Page,
    Request,
    WebSocketRoute,
    expect,
)

from games import at_random, play, with_one_mistake
from rollwise import load_rules
from rollwise.game.records.as_text import parse_record
from rollwise.game.records.record import Record
from rollwise.history import History
from rollwise.reviews.review import review
from rollwise.solving.solver import solve
from servers import Server, serving
from waiting import PATIENCE

YAHTZEE, YACHT = load_rules("yahtzee"), load_rules("yacht-dice")
PICTURES = Path(os.environ.get("ROLLWISE_PICTURES", "build/pictures"))
CODES = ["s1", "s2", "s3", "s4", "s5", "s6", "s3k", "s4k", "fh", "ss", "ls", "y", "ch"]
DESKTOP, PHONE = {"width": 1200, "height": 850}, {"width": 390, "height": 844}
RENDERED = (
    "/",
    "/advise",
    "/review",
    "/review/finished",
    "/statistics?rules=micro-yahtzee",
    "/compare?rules=micro-yahtzee",
    "/targets?rules=micro-yahtzee",
    "/rating?name=Ada",
    "/practice?name=Ada",
    "/practice?rules=micro-yahtzee",
    "/puzzle/2026-11-22?rules=micro-yahtzee",
    "/test?rules=micro-yahtzee",
    "/nowhere",
)
"""Pages from templates."""

EVIL = "<img src=x onerror=alert(1)>"
TARGETS = "/targets?rules=micro-yahtzee"
OWN_STRATEGY = "open(__file__ + '.ran', 'w').close()"

expect.set_options(timeout=1000 * PATIENCE)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Yield a server with saved games, including a player whose name looks like markup."""
    folder = tmp_path_factory.mktemp("pages")
    database = f"sqlite:///{folder}/games.sqlite"
    with History(database) as history:
        names = ("Ada", EVIL)
        events = play(YAHTZEE, list(names), 7, at_random(1)).events
        record = Record(YAHTZEE, names, events, seed=7)
        history.save("finished", record)
        history.keep_reviews("finished", review(record, solve(YAHTZEE)))
        for name in ("fresh", "still"):
            history.save(name, Record(YAHTZEE, ("Ada",), seed=7))
        history.save("typed", Record(YAHTZEE, ("Ada",)))
        first_roll = play(YAHTZEE, ["Ada"], 7, at_random(1), events=1).events
        for name in ("rolled", "warned"):
            history.save(name, Record(YAHTZEE, ("Ada",), first_roll, seed=7))
        (folder / "own.py").write_text(OWN_STRATEGY)
        bots = {1: f"{folder / 'own.py'}:Own"}
        history.save("strange", Record(YAHTZEE, ("Ada", "B"), seed=7), bots)
        mistaken = with_one_mistake(YACHT)
        history.save("mistaken", mistaken)
        history.keep_reviews("mistaken", review(mistaken, solve(YACHT)))
        history.save("large", Record(load_rules("maxi-yatzy-no-saving"), ("Ada",), seed=7))
    with serving(database, folder) as running:
        yield running


def opened(browser: Browser, address: str, size: dict[str, int], **more: Any) -> BrowserContext:
    """Return a browser context without animations, so that elements do not move."""
    context = browser.new_context(viewport=size, base_url=address, reduced_motion="reduce", **more)  # type: ignore[arg-type]
    context.set_default_timeout(1000 * PATIENCE)
    return context


@pytest.fixture
def context(browser: Browser, server: Server) -> Iterator[BrowserContext]:
    """Yield a browser context; fail if it had an error or sent a request to another machine."""
    problems: list[str] = []

    def note(request: Request) -> None:
        if not request.url.startswith((server.address, "data:", "blob:")):
            problems.append(f"asked for {request.url}")

    def note_refusal(message: ConsoleMessage) -> None:
        if "Security Policy" in message.text:
            problems.append(message.text)

    context = opened(browser, server.address, DESKTOP)
    context.on("request", note)
    context.on("console", note_refusal)
    context.on("weberror", lambda error: problems.append(str(error.error)))
    context.on("dialog", lambda dialog: problems.append(dialog.message))
    yield context
    context.close()
    assert problems == []


@pytest.fixture(scope="module")
def _targets_solved(browser: Browser, server: Server) -> None:
    """Let the server solve all targets of a game, so that its page shows them immediately."""
    window = opened(browser, server.address, DESKTOP)
    page = window.new_page()
    page.goto(TARGETS)
    page.get_by_role("button", name="Solve for all targets").click()
    expect(page.locator(".chart .plot")).to_be_visible()
    window.close()


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()


def begin(page: Page, against: str = "") -> None:
    """Start a game on the home page, and wait for the advice."""
    page.goto("/")
    page.get_by_label(against or "Nobody", exact=True).check()
    page.get_by_role("button", name="New game").click()
    page.wait_for_url("**/play/*")
    expect(page.locator("#turn")).to_have_text(re.compile("^Turn 1/"))
    expect(page.locator(".expected").first).to_contain_text("→")


def expect_roll(page: Page, number: int) -> None:
    """Wait until this roll of a turn of three rolls is on the table."""
    expect(page.locator("#roll i.on")).to_have_count(3 - number)
    expect(page.locator(".die").first).not_to_have_attribute("data-face", "")


class TestPlaying:
    def test_a_whole_game_by_keys_and_its_review(self, page: Page) -> None:
        begin(page)
        for turn, code in enumerate(CODES, start=1):
            expect(page.locator("#turn")).to_have_text(f"Turn {turn}/13")
            expect(page.locator("#roll")).to_have_text("Roll")
            page.keyboard.press("Space")
            expect_roll(page, 1)
            page.keyboard.press("2")
            expect(page.locator(".die").nth(1)).to_have_attribute("aria-pressed", "true")
            page.keyboard.press("r")
            expect_roll(page, 2)
            page.keyboard.type(code)
            if code in ("s3", "s4"):  # s3k and s4k begin with the same keys
                page.keyboard.press("Enter")
        expect(page.locator("#turn")).to_have_text("Game over")
        total = page.locator("#end-title").inner_text().removesuffix(" points")
        page.get_by_role("link", name="Review this game").click()
        page.wait_for_url("**/review/*")
        expect(page.locator(".tile .score")).to_have_text(total)
        expect(page.get_by_role("heading", name="You: most costly choices")).to_be_visible()
        expect(page.locator(".worst li").first).to_contain_text("Best was")
        expect(page.locator(".course .curve")).to_be_visible()
        page.goto("/rating?name=You")
        expect(page.get_by_text("Luck-adjusted score", exact=True)).to_be_visible()

    def test_a_whole_game_by_touch_on_a_phone_never_scrolls(
        self, browser: Browser, server: Server
    ) -> None:
        phone = opened(browser, server.address, PHONE, has_touch=True)
        page = phone.new_page()

        def tap(element: Locator) -> None:
            element.tap()
            assert page.evaluate("scrollY") == 0
            assert page.evaluate("document.documentElement.scrollHeight") <= PHONE["height"]

        begin(page)
        for turn in range(1, 14):
            tap(page.get_by_role("button", name=re.compile("^Roll")))
            expect_roll(page, 1)
            tap(page.locator(".die").first)
            expect(page.locator(".die").first).to_have_attribute("aria-pressed", "true")
            tap(page.get_by_role("button", name="Roll 4"))
            expect_roll(page, 2)
            if turn == 1:
                tap(page.get_by_role("button", name="Hint"))
                tap(page.get_by_role("button", name="All options"))
                tap(page.locator("#options").get_by_role("button", name="Back"))
                expect(page.locator("#options")).to_be_hidden()
            tap(page.locator('.box[data-state="possible"]').first)
            stage = f"Turn {turn + 1}/13" if turn < 13 else "Game over"
            expect(page.locator("#turn")).to_have_text(stage)
        expect(page.locator('.box[data-state="filled"]')).to_have_count(13)
        expect(page.locator("#end-text")).to_contain_text("Best choice: ")
        expect(page.locator("#end-text")).to_contain_text("Rating of this game: ")
        tap(page.get_by_role("button", name="Show the scorecard"))
        expect(page.locator("#end")).to_be_hidden()
        old = page.url
        page.reload()
        page.get_by_role("button", name="Result", exact=True).tap()
        page.get_by_role("button", name="Play again").tap()
        page.wait_for_url(lambda url: "/play/" in url and url != old)
        expect(page.locator("#turn")).to_have_text("Turn 1/13")
        phone.close()

    def test_a_burst_of_clicks_rolls_once(self, page: Page) -> None:
        begin(page)
        page.locator("#roll").click(click_count=6)
        page.locator(".die").first.click()
        expect(page.locator(".die").first).to_have_attribute("aria-pressed", "true")
        expect_roll(page, 1)
        page.evaluate(
            "for (const detail of [1, 2, 3])"
            " document.querySelector('#roll').dispatchEvent(new MouseEvent('click', { detail }))"
        )
        page.locator(".die").nth(1).click()
        expect(page.locator(".die").nth(1)).to_have_attribute("aria-pressed", "true")
        expect_roll(page, 2)

    def test_an_answer_to_a_warning_is_refused_after_another_window_has_gone_on(
        self, context: BrowserContext
    ) -> None:
        first, second = context.new_page(), context.new_page()
        begin(first)
        first.keyboard.press("Space")
        expect_roll(first, 1)
        first.keyboard.type("ty")
        expect(first.locator("#warning")).to_be_visible()
        second.goto(first.url)
        expect_roll(second, 1)
        second.keyboard.press("t")  # the windows of a browser have the same settings
        second.keyboard.press("r")
        expect_roll(second, 2)
        expect_roll(first, 2)
        expect(first.locator("#warning")).to_be_hidden()
        expect(first.locator("#turn")).to_have_text("Turn 1/13")

    def test_hint_blunder_tutor_undo(self, page: Page) -> None:
        page.goto("/play/fresh")
        expect(page.locator(".expected").first).to_contain_text("→")
        page.keyboard.press("Space")
        expect_roll(page, 1)
        page.keyboard.press("h")
        expect(page.locator(".die.best")).to_have_count(1)
        expect(page.locator("#say b")).to_have_text(
            re.compile(r"^Keep 5\. You can expect 2\d\d points\.$")
        )
        expect(page.locator("#say small")).to_have_text(
            re.compile(r"Next best: keep [\d ]+, −\d\.\d\. The best choice gains .+\.$")
        )
        page.keyboard.press("o")
        expect(page.locator("#options tbody tr").first).to_contain_text("keep 5")
        page.keyboard.press("Escape")
        page.keyboard.press("t")
        page.keyboard.type("ch")
        expect(page.locator("#warning")).to_contain_text("Score Chance?")
        expect(page.locator("#warning")).to_contain_text("That loses 13.0 points: a blunder.")
        page.get_by_role("button", name="Think again").click()
        expect_roll(page, 1)
        page.keyboard.type("ch")
        page.get_by_role("button", name="Play anyway").click()
        expect(page.locator("#turn")).to_have_text("Turn 2/13")
        page.keyboard.press("u")
        expect(page.locator("#turn")).to_have_text("Turn 1/13")
        expect_roll(page, 1)
        expect(page.locator("#say small")).to_have_text("Undone.")
        expect(page.get_by_role("button", name="Chance, score 17")).to_be_visible()

    def test_a_hint_has_its_reason_although_the_server_sends_the_state_again(
        self, page: Page
    ) -> None:
        states: list[str | bytes] = []

        def relay(socket: WebSocketRoute) -> None:
            def pass_on(text: str | bytes) -> None:
                if "state" in json.loads(text):
                    states.append(text)
                elif json.loads(text)["answer"]:
                    socket.send(states[-1])
                socket.send(text)

            socket.connect_to_server().on_message(pass_on)

        page.route_web_socket("**/socket", relay)
        page.goto("/play/rolled")
        expect(page.locator(".expected").first).to_contain_text("→")
        page.keyboard.press("h")
        expect(page.locator("#say small")).to_contain_text("The best choice gains")

    def test_reload_during_a_game_and_a_second_window(self, context: BrowserContext) -> None:
        first = context.new_page()
        begin(first)
        first.keyboard.press("Space")
        expect_roll(first, 1)
        dice = [die.get_attribute("aria-label") for die in first.locator(".die").all()]
        first.reload()
        expect_roll(first, 1)
        assert [die.get_attribute("aria-label") for die in first.locator(".die").all()] == dice
        second = context.new_page()
        second.goto(first.url)
        expect_roll(second, 1)
        second.keyboard.press("1")
        second.keyboard.press("Space")
        expect_roll(first, 2)
        expect(first.locator(".die").first).to_have_attribute("aria-pressed", "true")
        first.keyboard.type("y")
        expect(second.locator("#turn")).to_have_text("Turn 2/13")

    @pytest.mark.slow
    def test_a_game_survives_a_restart_of_the_server(
        self, browser: Browser, tmp_path: Path
    ) -> None:
        database = f"sqlite:///{tmp_path}/games.sqlite"
        with History(database) as history:
            history.save("mine", Record(YAHTZEE, ("Ada",), seed=7))
        with serving(database, tmp_path) as server:
            window = opened(browser, server.address, DESKTOP)
            page = window.new_page()
            page.goto("/play/mine")
            expect(page.locator("#roll i.on").first).to_be_visible()  # keys work now
            page.keyboard.press("Space")
            expect_roll(page, 1)
            expect(page.locator("#say small")).to_contain_text("Ada rolled ")
            dice = [die.get_attribute("aria-label") for die in page.locator(".die").all()]
        expect(page.get_by_text("Connection lost")).to_be_visible()
        with serving(database, tmp_path, port=int(server.address.rpartition(":")[2])):
            expect(page.get_by_text("Connection lost")).to_be_hidden()
            expect_roll(page, 1)
            assert [die.get_attribute("aria-label") for die in page.locator(".die").all()] == dice
            page.keyboard.press("1")
            expect(page.locator(".die").first).to_have_attribute("aria-pressed", "true")
            window.close()

    def test_an_opponent_plays_its_turn(self, page: Page) -> None:
        begin(page, against="Medium")
        page.keyboard.press("Space")
        expect_roll(page, 1)
        page.keyboard.type("y")
        expect(page.locator(".plate.mine .name")).to_have_text("Medium")
        expect(page.locator("#turn")).to_have_text("Turn 2/13")
        expect(page.locator("#say small")).to_have_text(re.compile(r"^Medium: \d+ points? in "))

    def test_home_starts_the_last_game_again(self, page: Page, server: Server) -> None:
        record = play(YAHTZEE, ["Eve", "Strong"], 7, at_random(1), events=20)
        with History(server.database) as history:
            unfinished = Record(YAHTZEE, ("Eve", "Strong"), record.events, seed=7)
            history.save("unfinished", unfinished, {1: "greedy-average"})
        page.goto("/")
        scores = ", ".join(
            f"{name} {card.points}"
            for name, card in zip(unfinished.players, unfinished.cards, strict=True)
        )
        turn = 14 - max(card.boxes.count(None) for card in unfinished.cards)
        offer = page.get_by_role("link", name="Continue")
        expect(offer).to_contain_text(f"Turn {turn} of 13: {scores}")
        expect(page.locator(".setup")).to_have_text(
            "Yahtzee, free-choice jokers · Eve against Strong"
        )
        page.get_by_role("button", name="Play", exact=True).click()
        page.wait_for_url("**/play/*")
        expect(page.locator("#say b")).to_have_text("Eve: good luck. Roll the dice.")
        expect(page.get_by_text("Strong").first).to_be_visible()
        page.goto("/")
        page.get_by_role("link", name="Puzzle of the day").click()
        page.wait_for_url("**/puzzle/20*")

    def test_a_computer_opponent_plays_with_real_dice(self, page: Page) -> None:
        page.goto("/")
        page.get_by_label("Use real dice").check()
        page.get_by_label("Medium", exact=True).check()
        page.get_by_role("button", name="New game").click()
        expect(page.locator("#faces")).to_be_visible()
        page.keyboard.type("63161")
        expect_roll(page, 1)
        page.keyboard.type("ch")
        expect(page.locator(".plate.mine .name")).to_have_text("Medium")
        expect(page.locator("#faces")).to_be_visible()
        page.keyboard.type("66666")
        expect(page.locator("#say small")).to_have_text("Medium: 50 points in Yahtzee.")
        expect(page.locator(".plate.mine .name")).to_have_text("You")
        expect(page.locator("#turn")).to_have_text("Turn 2/13")

    def test_a_request_before_the_connection_waits_for_it(self, page: Page) -> None:
        page.goto("/play/typed")
        expect(page.locator("#faces")).to_be_visible()
        page.context.set_offline(True)
        page.evaluate(
            "for (const face of '63161')"
            " document.querySelectorAll('#faces button')[face - 1].click()"
        )
        page.context.set_offline(False)
        expect_roll(page, 1)

    def test_the_layout_is_stable(self, page: Page) -> None:
        page.goto("/play/still")
        expect(page.locator(".expected").first).to_contain_text("→")  # wait for the advice
        page.keyboard.press("Space")
        expect_roll(page, 1)
        parts = [page.locator(part) for part in ("#actions", "#dice", "#card")]
        places = [part.bounding_box() for part in parts]
        page.keyboard.press("3")
        page.keyboard.press("h")
        expect(page.locator("#say.hint")).to_be_visible()
        page.keyboard.press("h")
        page.keyboard.type("zz")
        expect(page.locator("#say")).to_contain_text("No open category has the code")
        assert [part.bounding_box() for part in parts] == places


class TestOtherPages:
    def test_advice_typed_and_clicked_has_an_address(self, page: Page) -> None:
        page.goto("/advise")
        expect(page.get_by_role("heading", name="Best: Keep 6 6")).to_be_visible()
        page.get_by_label("Rolls left").select_option("0")
        expect(page.get_by_role("heading", name=re.compile("Best: [A-Z]"))).to_be_visible()
        page.get_by_label("Yahtzee", exact=True).select_option("50")
        expect(page.get_by_text("50 points so far; upper-section total 0 of 63")).to_be_visible()
        page.get_by_label("Yahtzee bonus").select_option("100")
        expect(page.get_by_role("alert")).to_contain_text(
            "xtra-bonus=100 is impossible on this scorecard"
        )
        expect(page.get_by_role("heading", name=re.compile("Best:"))).to_have_count(0)
        page.get_by_label("Yahtzee bonus").select_option("0")
        page.get_by_label("die 1: 1").click()
        expect(page).to_have_url(re.compile(r"dice\+12366.*yahtzee%3D50"))
        best = page.get_by_role("heading", name=re.compile("Best:")).inner_text()
        page.goto(page.url)
        expect(page.get_by_role("heading", name=best)).to_be_visible()
        line = page.get_by_label("Position as text")
        line.fill("dice 66666 | rolls-left 0 | card -")
        line.press("Enter")
        expect(page.get_by_role("heading", name="Best: Yahtzee")).to_be_visible()
        page.get_by_label("Objective").select_option("worst-case")
        expect(page.get_by_text("Guaranteed score: 68.00")).to_be_visible()
        expect(page).to_have_url(re.compile("objective=worst-case"))
        line.fill("dice 6666 | rolls-left 0 | card -")
        line.press("Enter")
        expect(page.get_by_role("alert")).to_contain_text("xpected 5 dice")
        expect(page.get_by_role("heading", name=re.compile("Best:"))).to_have_count(0)
        expect(line).to_have_value("dice 6666 | rolls-left 0 | card -")
        page.goto("/advise?position=dice+66")
        expect(page.get_by_role("alert")).to_contain_text("xpected 5 dice")
        expect(line).to_have_value("dice 66")

    @pytest.mark.slow
    def test_advice_on_an_announced_category(self, page: Page) -> None:
        line = "dice 13466 | rolls-left 2 | announced ones | card -"
        page.goto(f"/advise?rules=yamb-announced&position={line}")
        expect(page.get_by_role("heading", name="Best: Keep 1")).to_be_visible()
        expect(page.get_by_label("Position as text")).to_have_value(line)
        page.get_by_label("Announced").select_option("Sixes")
        expect(page.get_by_role("heading", name="Best: Keep 6 6")).to_be_visible()
        page.get_by_label("Announced").select_option("none yet")
        expect(page.get_by_role("heading", name="Best: Announce Sixes")).to_be_visible()
        page.get_by_label("Rolls left").select_option("1")
        expect(page.get_by_role("alert")).to_contain_text("a category must already be announced")

    @pytest.mark.slow
    def test_advice_against_known_scorecards(self, page: Page) -> None:
        page.goto("/advise?rules=micro-yahtzee&position=dice+3")
        page.get_by_label("Objective").select_option("beat")
        problem, best = page.get_by_role("alert"), page.locator(".answer tbody tr").first
        expect(problem).to_contain_text("expected 1 to 5 scorecards")
        cards = page.get_by_label("Opponents' scorecards")
        cards.fill("square=9;double=2")
        cards.press("Enter")
        expect(best).to_have_text("score double45.1389%–21.17")
        opponent = page.get_by_text(
            "Opponent: scorecard double=2, strategy optimal, expected score 17.17"
        )
        expect(opponent).to_be_visible()
        page.get_by_label("die 1: 3").click()
        page.wait_for_url("**dice+4*")
        expect(best).to_contain_text("score ")
        page.get_by_label("How they play").select_option("duel")
        expect(problem).to_contain_text("expected one scorecard")
        cards.fill("square=9")
        cards.press("Enter")
        expect(best).to_have_text("score square91.666791.66670.00008.3333")
        page.goto("/advise?position=dice+11366&objective=beat&opponents=-&plays=duel")
        expect(best).to_have_text("keep 6649.4949.250.4850.27")
        expect(page.get_by_text("Near-optimal, not exact")).to_be_visible()

    def test_a_pasted_record(self, page: Page) -> None:
        page.goto("/review")
        area = page.get_by_label("Game record")
        area.fill("11366 66 25666 666 46666 6\n11367 y")
        page.get_by_role("button", name="Review").click()
        expect(page.get_by_role("alert")).to_contain_text("Line 2: expected 5 dice")
        area.fill("11366 66 25666 666 46666 6\n11123 ch")
        page.get_by_role("button", name="Review").click()
        page.wait_for_url("**/review/*")
        expect(page.locator(".worst li")).to_contain_text("Best was keep 111 (Chance")
        page.locator(".worst").get_by_role("link", name="All options").click()
        expect(page.get_by_role("heading", name="Best: Keep 1 1 1")).to_be_visible()

    @pytest.mark.slow
    def test_stepping_through_a_review(self, page: Page) -> None:
        page.goto("/review/finished")
        step, card, address = page.locator(".step"), page.locator(".judged-card"), page.url
        expect(step.locator(".stage")).to_contain_text("Turn 1, Ada: roll 1")
        expect(page.get_by_role("link", name="Back")).to_have_attribute("aria-disabled", "true")
        page.keyboard.press("ArrowRight")
        expect(page).to_have_url(f"{address}?step=2")
        page.keyboard.press("End")
        expect(step.locator(".stage")).to_contain_text("Turn 13, ")
        expect(page.get_by_role("link", name="Forward")).to_have_attribute("aria-disabled", "true")
        expect(card.get_by_text("·")).to_have_count(0)
        page.keyboard.press("Home")
        page.get_by_role("link", name="Next mistake").click()
        expect(step.locator(".chip")).to_have_text(re.compile("^(mistake|blunder)"))
        expect(step.locator(".why")).to_have_text(re.compile(r"^Best was .+ \(.+\+"))
        for link in (page.locator("a.dot.is-blunder").last, page.locator(".worst a").first):
            target = link.get_attribute("href")
            link.dispatch_event("click")
            expect(page).to_have_url(f"{address}{target}")
            expect(step.locator(".chip")).to_have_text(re.compile("^blunder"))
        page.goto(page.url)
        expect(step.locator(".chip")).to_have_text(re.compile("^blunder"))
        page.keyboard.press("Home")
        expect(step.locator(".stage")).to_contain_text("Turn 1, ")
        course, size = page.locator(".course"), page.locator(".course").bounding_box()
        assert size is not None
        course.click(position={"x": size["width"] - 2, "y": size["height"] / 2})
        expect(step.locator(".stage")).to_have_text(re.compile("^Turn 1[123], "))
        dot = page.locator("a.dot.is-blunder").first
        mark = dot.locator("circle").last.bounding_box()
        assert mark is not None
        page.mouse.click(mark["x"] + mark["width"] / 2 + 3, mark["y"] + mark["height"] / 2)
        expect(page).to_have_url(f"{address}{dot.get_attribute('href')}")
        page.locator("tr.turn a").last.click()
        expect(step.locator(".stage")).to_contain_text("roll 1")
        touch = (
            "(name, x) => new Touch({identifier: 1, target: document.body, clientX: x, clientY: 9})"
        )
        before = page.url
        for name, x in (("touchstart", 300), ("touchend", 200)):
            page.locator(".stepper").evaluate(
                f"(on, [name, x]) => on.dispatchEvent(new TouchEvent(name, "
                f"{{bubbles: true, changedTouches: [({touch})(name, x)]}}))",
                [name, x],
            )
        expect(page).not_to_have_url(before)

    def test_names_are_never_markup(self, page: Page, server: Server) -> None:
        with History(server.database) as history:  # the first page lists the last games
            history.save("evil", Record(YAHTZEE, ("Ada", EVIL), seed=7))
        for path in ("/", "/review/finished", "/review/finished/page", "/play/finished"):
            page.goto(path)
            expect(page.get_by_text(EVIL).first).to_be_visible()
            if path.startswith("/review/"):  # the legend of a curve
                expect(page.locator(".key").get_by_text(EVIL)).to_be_visible()
            assert page.locator("img").count() == 0

    def test_links_contain_no_secret(self, page: Page, server: Server) -> None:
        keys = {"rules", "position", "name", "asked", "begun", "strategy", "strategies", "step"}
        fewest = {"/": 8, "/play/fresh": 3, "/review/finished": 8, "/rating": 8, "/practice": 8}
        for path, count in fewest.items():
            page.goto(path)
            expect(page.locator("h1")).to_be_visible()
            expect(page.locator(".waiting")).to_have_count(0)
            links = page.eval_on_selector_all(
                "a[href]", "all => all.map(a => new URL(a.getAttribute('href'), location).href)"
            )
            assert len(links) >= count
            for link in map(urlsplit, links):
                assert f"{link.scheme}://{link.netloc}" == server.address
                assert set(parse_qs(link.query)) <= keys
            assert server.database not in page.content()

    def test_statistics_and_comparison(self, page: Page) -> None:
        page.goto("/statistics")
        expect(page.locator(".facts")).to_contain_text("254.5896")
        page.goto("/statistics?rules=crag")
        expect(page.locator(".facts")).to_contain_text("149.847593")
        page.get_by_label("If options are tied").select_option("fewer-dice")
        expect(page.get_by_text("the one that keeps fewer dice")).to_be_visible()
        page.get_by_label("If options are tied").select_option("all")
        expect(page.locator(".facts").last).to_contain_text("33.616549240")
        page.get_by_label("Strategy").select_option("random")
        expect(page).to_have_url(re.compile("strategy=random"))
        expect(page.locator(".facts")).to_contain_text("Standard deviation")  # reloads before
        page.goto("/compare?rules=crag")
        expect(page.get_by_role("cell", name="optimal")).to_be_visible()
        page.get_by_label("random", exact=True).uncheck()
        expect(page).to_have_url(re.compile("strategies=optimal%2Cgreedy$"))
        page.get_by_label("If options are tied").select_option("fewer-dice")
        expect(page.get_by_text("the one that keeps fewer dice")).to_be_visible()

    def test_pages_without_scripts(self, browser: Browser, server: Server) -> None:
        window = opened(browser, server.address, PHONE, java_script_enabled=False)
        page = window.new_page()
        page.goto("/statistics?rules=yamb-up")  # it reloads itself until the results are there
        expect(page.locator(".facts")).to_contain_text("Standard deviation")
        page.get_by_label("Strategy").select_option("greedy")
        page.get_by_role("button", name="Show").click()
        expect(page).to_have_url(re.compile("strategy=greedy"))
        page.goto("/advise?rules=yamb-up&position=dice+11366")
        page.get_by_label("die 5: 6").click()
        expect(page).to_have_url(re.compile(r"dice\+11136"))
        page.goto("/")
        page.get_by_label("Crag", exact=False).first.check()
        page.get_by_role("button", name="New game").click()
        expect(page).to_have_url(re.compile("/play/"))
        page.goto("/review/finished?step=3")
        page.get_by_role("link", name="Forward").click()
        expect(page.locator(".stage")).to_contain_text("4 of ")
        window.close()

    @pytest.mark.parametrize("path", RENDERED)
    def test_pages_have_no_inline_code(self, page: Page, path: str) -> None:
        response = page.goto(path)
        assert response is not None
        expect(page.locator(".waiting")).to_have_count(0)
        policy = response.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert page.locator("[style], [onclick], style, script:not([src])").count() == 0

    @pytest.mark.slow
    def test_a_computation_continues_when_its_page_is_reloaded(self, page: Page) -> None:
        page.goto("/targets?rules=kniffel")
        page.get_by_role("button", name="Solve for all targets").click()
        expect(page.locator(".waiting")).to_contain_text(" left")
        page.reload()
        expect(page.locator(".waiting")).to_contain_text(" left")
        expect(page.locator("progress")).to_have_attribute("value", re.compile(r"0\.\d+"))
        page.get_by_role("button", name="Cancel").click()
        page.get_by_role("link", name="Start again").click()
        expect(page.locator("progress")).not_to_have_attribute("value", re.compile("."))
        page.get_by_role("button", name="Cancel").click()
        expect(page.get_by_role("status")).to_have_text("Canceled.")
        page.goto("/targets?rules=kniffel")
        expect(page.get_by_role("button", name="Solve for all targets")).to_be_visible()

    @pytest.mark.usefixtures("_targets_solved")
    def test_targets(self, page: Page) -> None:
        page.goto(TARGETS)
        expect(page.get_by_role("cell", name="25", exact=True)).to_be_visible()
        expect(page.locator(".chart .plot")).to_be_visible()

    def test_export_and_delete(self, page: Page, server: Server) -> None:
        begin(page)
        page.keyboard.press("Space")
        expect_roll(page, 1)
        id = page.url.rpartition("/")[2]
        games = page.request.get("/history.json").json()["games"]
        assert {"finished", "fresh", id} <= {game["id"] for game in games}
        page.goto(f"/review/{id}")
        page.get_by_role("button", name="Delete this game").click()
        page.get_by_role("button", name="Keep this game").click()
        assert page.request.get(f"/api/games/{id}").status == 200
        page.get_by_role("button", name="Delete this game").click()
        page.get_by_role("button", name="Delete permanently").click()
        expect(page.get_by_role("button", name="New game")).to_be_visible()
        assert page.request.get(f"/api/games/{id}").status == 404

    def test_games_that_this_server_cannot_play(self, page: Page, server: Server) -> None:
        page.goto("/play/strange")
        expect(page.get_by_text("cannot be played here: unknown strategy")).to_be_visible()
        own = server.log.with_name("own.py")
        response = page.goto(f"/statistics?strategy={own}:Own")
        assert response is not None
        assert response.status == 404
        expect(page.get_by_role("heading", name="Strategy not found")).to_be_visible()
        assert own.exists()
        assert not own.with_name("own.py.ran").exists()
        page.goto("/play/large")
        expect(page.locator("#roll i.on").first).to_be_visible()  # keys work now
        page.keyboard.press("Space")
        expect_roll(page, 1)
        expect(page.locator(".coming small")).to_have_text(
            "No advice for this game on this server: the game is too large. To get advice, run: "
            "rollwise solve --rules maxi-yatzy-no-saving"
        )
        page.goto("/review/large")
        expect(page.get_by_text("cannot be reviewed here: maxi-yatzy-no-saving")).to_be_visible()
        assert page.goto("/review/large/page").status == 400  # type: ignore[union-attr]

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("path", "heading", "known"),
        [
            ("/play/none", "Game not found", "Start a new game"),
            ("/review/none", "Game not found", "Start a new game"),
            ("/review/none/page", "Game not found", "Start a new game"),
            ("/nowhere/at/all", "Page not found", "Statistics"),
            ("/statistics?rules=nope", "Rules not found", "Scandinavian Yatzy"),
            ("/advise?rules=/etc/passwd", "Rules not found", "Scandinavian Yatzy"),
            ("/targets?rules=nope", "Rules not found", "Scandinavian Yatzy"),
            ("/compare?strategies=nobody", "Strategy not found", "greedy"),
            ("/compare?rules=maxi-yatzy", "Maxi Yatzy", "Scandinavian Yatzy"),
        ],
    )
    def test_an_unknown_address(self, page: Page, path: str, heading: str, known: str) -> None:
        response = page.goto(path)
        assert response is not None
        assert response.status == 404
        expect(page.get_by_role("heading", name=heading)).to_be_visible()
        expect(page.locator(".page").get_by_role("link", name=known).first).to_be_visible()

    def test_no_such_page(self, page: Page) -> None:
        for path, what in (
            ("/nowhere", "Page"),
            ("/review/none/page", "Game"),
            ("/statistics?rules=nope", "Rules"),
        ):
            assert page.goto(path).status == 404  # type: ignore[union-attr]
            expect(page.get_by_role("heading", name=f"{what} not found")).to_be_visible()

    @pytest.mark.slow
    def test_the_command_that_prepares_a_large_game(self, page: Page) -> None:
        command = page.get_by_text("rollwise solve --rules maxi-yatzy --save")
        page.goto("/advise?rules=crag")
        page.get_by_label("Rules").select_option("maxi-yatzy")
        expect(command).to_be_visible()
        page.goto("/")
        expect(command).to_be_hidden()
        page.locator("details", has_text="Maxi").evaluate("details => (details.open = true)")
        page.get_by_label("Maxi Yatzy (without advice)", exact=True).check()
        expect(command).to_be_visible()
        page.get_by_label("Medium", exact=True).check()
        page.get_by_role("button", name="New game").click()
        expect(page.get_by_role("alert")).to_have_text(
            "Maxi Yatzy is too large for computer opponents on this server; "
            "play without computer opponents."
        )
        expect(page.get_by_label("Maxi Yatzy (without advice)", exact=True)).to_be_checked()
        expect(page.get_by_label("Medium", exact=True)).to_be_checked()


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/statistics?rules=yatzy", "/advise?rules=yatzy"])
def test_results_replace_the_progress_without_a_navigation(
    browser: Browser, tmp_path: Path, path: str
) -> None:
    # A navigation at that moment could cancel a choice of the reader that is on its way.
    with serving(f"sqlite:///{tmp_path}/games.sqlite", tmp_path) as server:
        window = opened(browser, server.address, DESKTOP)
        page, loads = window.new_page(), []
        page.on("load", lambda _: loads.append(page.url))
        response = page.goto(path)
        assert response is not None
        assert "Computing…" in response.text()
        expect(page.locator(".facts, .answer h2").first).to_be_visible()
        expect(page.locator(".job")).to_have_count(0)
        assert len(loads) == 1
        window.close()


@pytest.mark.slow
def test_pages_without_rules_show_the_default_game(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROLLWISE_RULES", "yahtzee-forced-joker")
    with serving(f"sqlite:///{tmp_path}/games.sqlite", tmp_path) as server:
        window = opened(browser, server.address, DESKTOP)
        page = window.new_page()
        for path in ("/advise", "/statistics", "/compare", "/targets", "/rating", "/practice"):
            page.goto(path)
            rules = page.get_by_label("Rules", exact=True)
            expect(rules).to_have_value("yahtzee-forced-joker")
            expect(rules.locator("option:checked")).to_have_text("Yahtzee (rule sheet)")
            expect(rules.locator("option[value=yahtzee]")).to_have_text(YAHTZEE.title)
            assert "official" not in rules.inner_text().lower()
        page.goto("/")
        expect(page.get_by_label("Yahtzee (Rule sheet)")).to_be_checked()
        page.get_by_role("button", name="New game").click()
        expect(page.locator("h1")).to_have_text("Yahtzee (rule sheet)")
        page.goto("/puzzle")
        page.wait_for_url("**/puzzle/20*?rules=yahtzee-forced-joker")
        page.goto("/test")
        expect(page.locator("main .die").first).to_be_visible()
        window.close()


@pytest.mark.slow
def test_the_default_game_can_be_too_large_to_solve(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROLLWISE_RULES", "maxi-yatzy")
    with serving(f"sqlite:///{tmp_path}/games.sqlite", tmp_path) as server:
        window = opened(browser, server.address, DESKTOP)
        page = window.new_page()
        page.goto("/")
        expect(page.locator("[type=radio][value=maxi-yatzy]")).to_be_checked()
        for path in ("/", "/advise"):
            page.goto(path)
            command = page.get_by_text("rollwise solve --rules maxi-yatzy --save")
            expect(command).to_be_visible()
        window.close()


PAGES = {
    "home": ("/", ".games li"),
    "play": ("/play/rolled", "#card .box"),
    "warning": ("/play/warned", "#card .box"),
    "options": ("/play/warned", "#card .box"),
    "ending": ("/play/finished", "#roll"),
    "advise": ("/advise", "h2:has-text('Best')"),
    "advise-refused": ("/advise?position=dice+1", ".problem:has-text('expected')"),
    "review": ("/review/finished", ".worst li"),
    "print": ("/review/finished/page", "table"),
    "paste": ("/review", "textarea"),
    "statistics": ("/statistics", "[aria-label='Categories'] td"),
    "compare": ("/compare?rules=crag", ".chart .plot >> nth=1"),
    "targets": ("/targets", "main button.primary"),
    "targets-solved": (TARGETS, "[aria-label='Targets'] td"),
    "statistics-small": ("/statistics?rules=micro-yahtzee&ties=all", ".facts >> nth=1"),
    "rating": ("/rating?name=Ada", "[aria-label='Head to head'] td"),
    "rating-empty": ("/rating?rules=crag", "a.primary"),
    "practice": ("/practice", "main .die"),
    "practice-empty": ("/practice?rules=micro-yahtzee", "a.primary"),
    "test": ("/test?rules=micro-yahtzee", "main .die"),
    "puzzle": ("/puzzle/2026-11-22", "main .die"),
    "puzzle-answered": ("/puzzle/2026-11-22?answers=keep+1", "[aria-label='Answers'] td"),
    "missing": ("/nowhere", ".known a"),
    "too-large": ("/statistics?rules=maxi-yatzy", ".command"),
}
"""The URL of each page, and the last element that it shows."""

FIRST = {"home", "play"}
"""The pages that the default run tests; tests of the other pages are slow."""

SETTLED = """async () => {
    await Promise.allSettled(document.getAnimations().map((animation) => animation.finished));
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
}"""

ALONE = "window.socket?.io.reconnection(false)"
"""A script that prevents reconnection. While axe computes, the page does not respond to the server,
and it would reload after a reconnection."""

UNREACHED = """() => [
        ...document.querySelectorAll("a[href], button, input, select, summary, textarea")
    ].filter((one) => one.checkVisibility() && one.tabIndex < 0).map((one) => one.outerHTML)"""
"""A script that returns the controls that the keyboard cannot reach."""

CUT_OFF = """() => [...document.querySelectorAll(".ending")]
    .filter((one) => one.scrollHeight > one.clientHeight).map((one) => one.innerText)"""
"""A script that returns the result of a two-player game if part of the result is hidden."""

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
    """Bring a page into the state for its picture."""
    if name in ("play", "warning", "options"):
        expect(page.locator(".expected").first).to_contain_text("→")  # wait for the advice
    if name == "play":
        page.keyboard.press("h")
        expect(page.locator("#say.hint")).to_be_visible()
        page.keyboard.press("2")
        expect(page.locator(".die").nth(1)).to_have_attribute("aria-pressed", "true")
    elif name == "warning":
        page.keyboard.type("tch")
        expect(page.locator("#warning")).to_contain_text("That loses")
    elif name == "options":
        page.set_viewport_size(PHONE)  # type: ignore[arg-type]
        page.get_by_role("button", name="Hint").click()
        page.get_by_role("button", name="All options").click()
        expect(page.locator("#options tbody tr").first).to_be_visible()
    elif name == "ending":
        page.locator("#roll").click()
        expect(page.locator("#end-text")).to_contain_text("Rating of this game: ")


@pytest.mark.usefixtures("_targets_solved")
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[] if name in FIRST else pytest.mark.slow) for name in PAGES],
)
def test_layout_and_accessibility(context: BrowserContext, name: str) -> None:
    """Take pictures, run axe, and check that all controls are reachable and nothing is cut off."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    page = context.new_page()
    path, last = PAGES[name]
    page.goto(path)
    expect(page.locator(last).first).to_be_visible()
    prepare(page, name)
    page.evaluate(ALONE)
    for width, size in (("desktop", DESKTOP), ("phone", PHONE)):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            page.evaluate(SETTLED)
            page.screenshot(path=PICTURES / f"{name}-{width}-{scheme}.png", full_page=True)
            report = Axe().run(page, options={"resultTypes": ["violations"]}).response
            serious = [
                (violation["id"], [node["html"] for node in violation["nodes"]])
                for violation in report["violations"]
                if violation["impact"] in ("serious", "critical")
            ]
            assert serious == []
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
        assert page.evaluate(UNREACHED) == []
        assert page.evaluate(CUT_OFF) == []
    assert page.evaluate(SMALL) == []


def test_the_record_of_a_game(server: Server, page: Page) -> None:
    response = page.goto("/review/finished/record")
    assert response is not None
    record = parse_record(response.text())
    assert record.players == ("Ada", EVIL)
    assert record.is_over


@pytest.mark.slow
def test_each_browser_of_a_shared_server_has_its_own_games(
    browser: Browser, tmp_path: Path
) -> None:
    database = f"sqlite:///{tmp_path}/games.sqlite"
    with History(database) as history:
        history.save("old", Record(load_rules("micro-yahtzee"), seed=7))  # without an owner
    with serving(database, tmp_path, "--host", "0.0.0.0") as server:
        with socket.socket() as other:
            assert other.connect_ex(("127.0.0.2", int(server.address.rpartition(":")[2]))) == 0
        ada, ben = (opened(browser, server.address, DESKTOP).new_page() for _ in range(2))
        ada.goto("/")
        ada.get_by_text("6 more").click()
        ada.get_by_label("Micro Yahtzee", exact=True).check()
        ada.get_by_role("button", name="New game").click()
        ada.wait_for_url("**/play/*")
        id = ada.url.rpartition("/")[2]
        ben.goto(f"/play/{id}")  # the link opens the same game
        ben.get_by_role("button", name=re.compile("^Roll")).click()
        ben.locator('.box[data-state="possible"]').first.click()
        expect(ada.locator('.box[data-state="filled"]')).to_have_count(1)
        for page, listed, deletes in ((ada, [id], 1), (ben, [], 0)):
            page.goto("/")
            expect(page.locator(".games li")).to_have_count(len(listed))
            exported = page.request.get("/history.json").json()["games"]
            assert [game["id"] for game in exported] == listed
            page.goto(f"/review/{id}")
            expect(page.get_by_role("heading", name="You: every choice")).to_be_visible()
            expect(page.get_by_role("button", name="Delete this game")).to_have_count(deletes)
            assert page.request.delete("/api/games/old").status == 403
        ada.get_by_role("button", name="Delete this game").click()
        ada.get_by_role("button", name="Delete permanently").click()
        expect(ada.get_by_role("button", name="New game")).to_be_visible()
        assert ada.request.get(f"/api/games/{id}").status == 404
        (cookie,) = ada.context.cookies()
        assert (cookie["httpOnly"], cookie["sameSite"]) == (True, "Lax")
        for page in (ada, ben):
            page.context.close()
