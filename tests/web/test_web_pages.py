"""The web pages in a browser: playing, tutor, reviews, links, layout, and accessibility."""

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

import table_sizes
from games import at_random, play
from rollwise import load_rules
from rollwise.game.records.as_text import parse_record
from rollwise.game.records.record import Record
from rollwise.history import History
from rollwise.reviews.review import review
from rollwise.solving.solver import solve
from servers import Server, serving
from waiting import PATIENCE

YAHTZEE = load_rules("yahtzee")
PICTURES = Path(os.environ.get("ROLLWISE_PICTURES", "build/pictures"))
CODES = ["s1", "s2", "s3", "s4", "s5", "s6", "s3k", "s4k", "fh", "ss", "ls", "y", "ch"]
DESKTOP, PHONE = {"width": 1200, "height": 850}, {"width": 390, "height": 844}
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
        history.save("large", Record(load_rules("maxi-yatzy-no-saving"), ("Ada",), seed=7))
    with serving(database, folder) as running:
        yield running


def opened(browser: Browser, address: str, size: dict[str, int], **more: Any) -> BrowserContext:
    """Return a window without animations, so that elements do not move."""
    context = browser.new_context(viewport=size, base_url=address, reduced_motion="reduce", **more)  # type: ignore[arg-type]
    context.set_default_timeout(1000 * PATIENCE)
    return context


@pytest.fixture
def context(browser: Browser, server: Server) -> Iterator[BrowserContext]:
    """Yield a window; fail if it sent a request to another machine or had an error."""
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
    expect(page.locator(".chart svg")).to_be_visible()
    window.close()


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()


def begin(page: Page, against: str = "") -> None:
    """Start a game on the home page, and wait for the advice."""
    page.goto("/")
    if against:
        page.get_by_label("Against").select_option(against)
    page.get_by_role("button", name="New game").click()
    page.wait_for_url("**/play/*")
    expect(page.locator(".stage")).to_have_text(re.compile("roll the dice"))
    expect(page.locator(".expected").first).to_contain_text(".")


class TestPlaying:
    def test_a_whole_game_by_keys_and_its_review(self, page: Page) -> None:
        begin(page)
        for turn, code in enumerate(CODES, start=1):
            expect(page.locator(".stage")).to_contain_text(f"Turn {turn} of 13: roll the dice")
            page.keyboard.press("Space")
            expect(page.locator(".stage")).to_contain_text("roll 1 of 3, 2 left")
            page.keyboard.press("2")
            expect(page.locator(".die").nth(1)).to_have_attribute("aria-pressed", "true")
            page.keyboard.press("r")
            expect(page.locator(".stage")).to_contain_text("roll 2 of 3, 1 left")
            page.keyboard.type(code)
            if code in ("s3", "s4"):  # s3k and s4k begin with the same keys
                page.keyboard.press("Enter")
        expect(page.locator(".stage")).to_contain_text("The game is over: ")
        total = page.locator(".player .total").inner_text()
        page.get_by_role("link", name="Review this game").click()
        page.wait_for_url("**/review/*")
        expect(page.locator(".tile .score")).to_have_text(total)
        expect(page.get_by_role("heading", name="You: what cost most")).to_be_visible()
        expect(page.locator(".worst li").first).to_contain_text("Best was")
        expect(page.locator(".course .curve")).to_be_visible()
        page.goto("/proficiency?name=You")
        expect(page.get_by_text("luck-adjusted score", exact=True)).to_be_visible()

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
            expect(page.locator(".stage")).to_contain_text("roll 1 of 3")
            tap(page.locator(".die").first)
            expect(page.locator(".die").first).to_have_attribute("aria-pressed", "true")
            tap(page.get_by_role("button", name="Roll 4"))
            expect(page.locator(".stage")).to_contain_text("roll 2 of 3")
            if turn == 1:
                tap(page.get_by_role("button", name="Hint"))
                tap(page.get_by_role("button", name="All options"))
                tap(page.get_by_role("button", name="Close"))
                expect(page.locator(".hints")).to_be_hidden()
            tap(page.locator('.box[data-state="possible"]').first)
            stage = f"Turn {turn + 1} of 13" if turn < 13 else "The game is over"
            expect(page.locator(".stage")).to_contain_text(stage)
        expect(page.locator('.box[data-state="filled"]')).to_have_count(13)
        expect(page.locator(".ending")).to_contain_text("Decisions gave away")
        expect(page.locator(".rating")).to_contain_text("That is ")
        tap(page.get_by_role("button", name="See the cards"))
        expect(page.locator(".ending")).to_be_hidden()
        old = page.url
        page.reload()
        page.get_by_role("button", name="Play again").tap()
        page.wait_for_url(lambda url: "/play/" in url and url != old)
        expect(page.locator(".stage")).to_contain_text("Turn 1 of 13")
        phone.close()

    @pytest.mark.slow
    @pytest.mark.parametrize("id", ["kniffel-extreme-2", "kniffel-extreme-4"])
    def test_a_turn_of_the_longest_card_fits_a_screen(
        self, page: Page, server: Server, id: str
    ) -> None:
        with History(server.database) as history:
            history.save(id, table_sizes.games(["kniffel-extreme"])[id])
        for _, (height, window, right, width) in table_sizes.sizes(page, id):
            assert (height, right <= width) == (window, True)

    def test_a_burst_of_clicks_rolls_once(self, page: Page) -> None:
        begin(page)
        page.locator(".roll").click(click_count=6)
        page.locator(".die").first.click()
        expect(page.locator(".die").first).to_have_attribute("aria-pressed", "true")
        expect(page.locator(".stage")).to_contain_text("roll 1 of 3")
        page.evaluate("for (let i = 0; i < 3; i++) document.querySelector('.roll').click()")
        page.locator(".die").nth(1).click()
        expect(page.locator(".die").nth(1)).to_have_attribute("aria-pressed", "true")
        expect(page.locator(".stage")).to_contain_text("roll 2 of 3")

    def test_a_warning_ends_when_another_window_changes_the_dice(
        self, context: BrowserContext
    ) -> None:
        first, second = context.new_page(), context.new_page()
        begin(first)
        first.keyboard.press("Space")
        expect(first.locator(".stage")).to_contain_text("roll 1 of 3")
        first.keyboard.type("ty")
        expect(first.locator(".warning")).to_be_visible()
        second.goto(first.url)
        second.locator(".die").first.click()
        expect(first.locator(".warning")).to_be_hidden()
        first.keyboard.press("p")  # has no effect now
        second.locator(".die").first.click()
        expect(first.locator(".die").first).to_have_attribute("aria-pressed", "false")
        expect(first.locator(".stage")).to_contain_text("roll 1 of 3")

    def test_hint_blunder_tutor_undo(self, page: Page) -> None:
        page.goto("/play/fresh")
        page.keyboard.press("Space")
        expect(page.locator(".stage")).to_contain_text("roll 1 of 3")
        page.keyboard.press("h")
        expect(page.locator(".hints tbody tr").first).to_contain_text("Keep 5")
        expect(page.locator(".die[data-best]")).to_have_count(1)
        expect(page.locator(".words")).to_have_text(re.compile(r"^Keep 5: 2\d\d\.\d ± \d\d$"))
        expect(page.locator(".more")).to_have_text(
            re.compile(r"^Keep \d+ costs \d\.\d\d, because of .+\+")
        )
        page.keyboard.press("t")
        expect(page.get_by_role("button", name="Tutor on")).to_be_visible()
        page.keyboard.type("ch")
        expect(page.get_by_role("alertdialog")).to_contain_text(
            "Chance?It loses 12.98 points: a blunder."
        )
        page.get_by_role("button", name=re.compile("Think again")).click()
        expect(page.locator(".stage")).to_contain_text("roll 1 of 3")
        page.keyboard.type("ch")
        page.keyboard.press("p")
        expect(page.locator(".stage")).to_contain_text("Turn 2 of 13")
        page.keyboard.press("u")
        expect(page.locator(".stage")).to_contain_text("Turn 1 of 13: roll 1 of 3")
        expect(page.get_by_role("button", name="Chance: 17, score it")).to_be_visible()

    def test_reload_during_a_game_and_a_second_window(self, context: BrowserContext) -> None:
        first = context.new_page()
        begin(first)
        first.keyboard.press("Space")
        expect(first.locator(".stage")).to_contain_text("roll 1 of 3")
        first.keyboard.press("1")
        expect(first.locator(".die").first).to_have_attribute("aria-pressed", "true")
        dice = [die.get_attribute("aria-label") for die in first.locator(".die").all()]
        first.reload()
        expect(first.locator(".stage")).to_contain_text("roll 1 of 3")
        assert [die.get_attribute("aria-label") for die in first.locator(".die").all()] == dice
        second = context.new_page()
        second.goto(first.url)
        expect(second.locator(".die").first).to_have_attribute("aria-pressed", "true")
        second.keyboard.press("Space")
        expect(first.locator(".stage")).to_contain_text("roll 2 of 3")
        first.keyboard.type("y")
        expect(second.locator(".stage")).to_contain_text("Turn 2 of 13")

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
            page.keyboard.press("Space")
            expect(page.locator(".stage")).to_contain_text("roll 1 of 3")
            expect(page.get_by_role("status")).to_contain_text("Ada: ")
            dice = [die.get_attribute("aria-label") for die in page.locator(".die").all()]
        expect(page.get_by_text("Connection lost")).to_be_visible()
        with serving(database, tmp_path, port=int(server.address.rpartition(":")[2])):
            expect(page.get_by_text("Connection lost")).to_be_hidden()
            expect(page.locator(".stage")).to_contain_text("roll 1 of 3")
            assert [die.get_attribute("aria-label") for die in page.locator(".die").all()] == dice
            page.keyboard.press("1")
            expect(page.locator(".die").first).to_have_attribute("aria-pressed", "true")
            window.close()

    def test_an_opponent_plays_its_turn(self, page: Page) -> None:
        begin(page, against="greedy")
        page.keyboard.press("Space")
        expect(page.locator(".stage")).to_contain_text("roll 1 of 3")
        page.keyboard.type("y")
        expect(page.locator(".stage")).to_contain_text("greedy")
        expect(page.locator(".stage")).to_contain_text("Turn 2 of 13, You")
        expect(page.get_by_role("status")).to_have_text(re.compile(r"^greedy: \d+ in "))

    def test_real_dice_are_typed_in(self, page: Page) -> None:
        page.goto("/")
        page.get_by_label("Real dice").check()
        page.get_by_role("button", name="New game").click()
        line = page.get_by_label("All dice on the table")
        line.fill("63161")
        line.press("Enter")
        expect(page.locator(".die").first).to_have_attribute("aria-label", "die 1: 1")
        line.fill("1136")
        line.press("Enter")
        expect(page.get_by_role("status")).to_contain_text("Expected 5 dice")
        expect(line).to_have_value("1136")
        other = page.context.new_page()
        other.goto(page.url)
        other.locator(".die").first.click()
        expect(page.locator(".die").first).to_have_attribute("aria-pressed", "true")
        expect(line).to_have_value("1136")

    def test_a_computer_opponent_plays_with_real_dice(self, page: Page) -> None:
        page.goto("/")
        page.get_by_label("Real dice").check()
        page.get_by_label("Against").select_option("greedy")
        page.get_by_role("button", name="New game").click()
        stage, status = page.locator(".stage"), page.get_by_role("status")
        expect(stage).to_have_text("Turn 1 of 13, You: roll the dice")
        page.keyboard.type(" 63161")
        expect(status).to_have_text("All dice on the table: 63161_")
        page.keyboard.press("Enter")
        expect(stage).to_contain_text("roll 1 of 3")
        page.keyboard.type("ch")
        expect(stage).to_have_text("Turn 1 of 13, greedy: roll the dice")
        page.keyboard.type(" 66666")
        page.keyboard.press("Enter")
        expect(status).to_have_text("greedy: 50 in Yahtzee.")
        expect(stage).to_have_text("Turn 2 of 13, You: roll the dice")

    def test_events_before_the_connection_keep_their_order(self, page: Page) -> None:
        routes: list[WebSocketRoute] = []
        page.route_web_socket(re.compile("socket.io"), lambda route: routes.append(route))
        page.goto("/play/typed")
        page.get_by_role("button", name="Undo").wait_for()
        for faces in ("63161", "63165"):
            page.keyboard.type(f" {faces}")
            page.keyboard.press("Enter")
            for die in (1, 2):
                page.locator(".die").nth(die).dispatch_event("click")
        page.locator(".die").nth(1).dispatch_event("click")
        page.keyboard.type(" 123456654321")
        while not routes:
            page.wait_for_timeout(10)
        routes[-1].connect_to_server()
        typed = "All dice on the table (1 kept): 123456654321_"
        expect(page.get_by_role("status")).to_have_text(typed)

    def test_the_layout_is_stable(self, page: Page) -> None:
        page.goto("/play/still")
        expect(page.locator(".expected").first).to_contain_text(".")  # wait for the advice
        page.keyboard.press("Space")
        expect(page.locator(".stage")).to_contain_text("roll 1 of 3")
        parts = [page.locator(".actions"), page.locator(".dice"), page.locator(".scorecard")]
        places = [part.bounding_box() for part in parts]
        page.keyboard.press("3")
        page.keyboard.press("h")
        expect(page.locator(".hints")).to_be_visible()
        page.keyboard.type("zz")
        expect(page.get_by_role("status")).to_contain_text("No box")
        assert [part.bounding_box() for part in parts] == places


class TestOtherPages:
    def test_advice_typed_and_clicked_has_an_address(self, page: Page) -> None:
        page.goto("/advise")
        expect(page.get_by_role("heading", name="Best: keep 66")).to_be_visible()
        page.get_by_label("Rolls left").select_option("0")
        expect(page.get_by_role("heading", name=re.compile("Best: score"))).to_be_visible()
        page.get_by_label("Yahtzee", exact=True).select_option("50")
        expect(page.get_by_text("50 points so far; upper total 0 of 63")).to_be_visible()
        page.get_by_label("Extra bonus").select_option("100")
        expect(page.get_by_role("alert")).to_contain_text("expected")
        expect(page.get_by_role("heading", name=re.compile("Best:"))).to_have_count(0)
        page.get_by_label("Extra bonus").select_option("0")
        page.get_by_label("die 1: 1").click()
        expect(page).to_have_url(re.compile(r"dice\+12366.*yahtzee%3D50"))
        best = page.get_by_role("heading", name=re.compile("Best:")).inner_text()
        page.goto(page.url)
        expect(page.get_by_role("heading", name=best)).to_be_visible()
        line = page.get_by_label("Position, as one line")
        line.fill("dice 66666 | rolls-left 0 | card -")
        line.press("Enter")
        expect(page.get_by_role("heading", name="Best: score yahtzee")).to_be_visible()
        page.get_by_label("Play for").select_option("worst-case")
        expect(page.get_by_text("Score that is sure 68.00")).to_be_visible()
        expect(page).to_have_url(re.compile("objective=worst-case"))
        line.fill("dice 6666 | rolls-left 0 | card -")
        line.press("Enter")
        expect(page.get_by_role("alert")).to_contain_text("expected 5 dice")
        expect(page.get_by_role("heading", name=re.compile("Best:"))).to_have_count(0)
        expect(line).to_have_value("dice 6666 | rolls-left 0 | card -")
        page.goto("/advise?position=dice+66")
        expect(page.get_by_role("alert")).to_contain_text("expected 5 dice")
        expect(line).to_have_value("dice 66")

    @pytest.mark.slow
    def test_advice_on_an_announced_category(self, page: Page) -> None:
        line = "dice 13466 | rolls-left 2 | announced ones | card -"
        page.goto(f"/advise?rules=yamb-announced&position={line}")
        expect(page.get_by_role("heading", name="Best: keep 1")).to_be_visible()
        expect(page.get_by_label("Position, as one line")).to_have_value(line)
        page.get_by_label("Announced").select_option("Sixes")
        expect(page.get_by_role("heading", name="Best: keep 66")).to_be_visible()
        page.get_by_label("Announced").select_option("nothing yet")
        expect(page.get_by_role("heading", name="Best: announce sixes")).to_be_visible()
        page.get_by_label("Rolls left").select_option("1")
        expect(page.get_by_role("alert")).to_contain_text("expected the box that was announced")

    @pytest.mark.slow
    def test_advice_against_known_scorecards(self, page: Page) -> None:
        page.goto("/advise?rules=micro-yahtzee&position=dice+3")
        page.get_by_label("Play for").select_option("beat")
        problem, best = page.get_by_role("alert"), page.locator(".answer tbody tr").first
        expect(problem).to_contain_text("expected 1 to 5 cards")
        cards = page.get_by_label("Opponents' cards")
        cards.fill("square=9;double=2")
        cards.press("Enter")
        expect(best).to_have_text("score double45.1389 %–21.17")
        expect(page.get_by_text("Against double=2: optimal play ends with")).to_be_visible()
        page.get_by_label("die 1: 3").click()
        page.wait_for_url("**dice+4*")
        expect(best).to_contain_text("score ")
        page.get_by_label("They play on").select_option("duel")
        expect(problem).to_contain_text("expected one card")
        cards.fill("square=9")
        cards.press("Enter")
        expect(best).to_have_text("score square91.666791.66670.00008.3333")
        page.goto("/advise?position=dice+11366&objective=beat&opponents=-&plays=duel")
        expect(best).to_have_text("keep 6649.4949.250.4850.27")
        expect(page.get_by_text("Near-optimal, not exact")).to_be_visible()

    def test_a_pasted_record(self, page: Page) -> None:
        page.goto("/review")
        area = page.get_by_label("Record")
        area.fill("11366 66 25666 666 46666 6\n11367 y")
        page.get_by_role("button", name="Review").click()
        expect(page.get_by_role("alert")).to_contain_text("line 2: expected 5 dice")
        area.fill("11366 66 25666 666 46666 6\n11123 ch")
        page.get_by_role("button", name="Review").click()
        page.wait_for_url("**/review/*")
        expect(page.locator(".worst li")).to_contain_text("Best was keep 111 because of Chance")
        page.locator(".worst").get_by_role("link", name="All options").click()
        expect(page.get_by_role("heading", name="Best: keep 111")).to_be_visible()

    @pytest.mark.slow
    def test_stepping_through_a_review(self, page: Page) -> None:
        page.goto("/review/finished")
        step, card, address = page.locator(".step"), page.locator(".judged-card"), page.url
        expect(step.locator(".stage")).to_contain_text("Turn 1, Ada: roll 1")
        expect(page).to_have_url(f"{address}?step=1")
        expect(page.get_by_role("button", name="Back")).to_have_attribute("aria-disabled", "true")
        page.keyboard.press("ArrowRight")
        expect(page).to_have_url(f"{address}?step=2")
        page.keyboard.press("End")
        expect(step.locator(".stage")).to_contain_text("Turn 13, ")
        expect(card.get_by_text("·")).to_have_count(0)
        page.keyboard.press("Home")
        page.get_by_role("button", name="Next mistake").click()
        expect(step.locator(".chip")).to_have_text(re.compile("^(mistake|blunder)"))
        expect(step.locator(".why")).to_contain_text("because of")
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
        page.locator("tr.turn a").last.click()
        expect(step.locator(".stage")).to_contain_text("roll 1")
        touch = (
            "(name, x) => new Touch({identifier: 1, target: document.body, clientX: x, clientY: 9})"
        )
        before = page.url
        for name, x in (("touchstart", 300), ("touchend", 200)):
            page.locator(".stepper").evaluate(
                f"(on, [name, x]) => on.dispatchEvent(new TouchEvent(name, "
                f"{{changedTouches: [({touch})(name, x)]}}))",
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
        keys = {"rules", "position", "name", "number", "strategy", "strategies", "step"}
        for path in ("/", "/play/fresh", "/review/finished", "/proficiency", "/practice"):
            page.goto(path)
            expect(page.locator("h1")).to_be_visible()
            expect(page.locator(".waiting")).to_have_count(0)
            links = page.eval_on_selector_all("a[href]", "all => all.map(a => a.href)")
            assert len(links) >= 8
            for link in map(urlsplit, links):
                assert f"{link.scheme}://{link.netloc}" == server.address
                assert set(parse_qs(link.query)) <= keys
            assert server.database not in page.content()

    def test_statistics_and_comparison(self, page: Page) -> None:
        page.goto("/statistics")
        expect(page.locator(".facts")).to_contain_text("254.5896")
        page.goto("/statistics?rules=crag")
        expect(page.locator(".facts")).to_contain_text("149.847593")
        page.get_by_label("Ties").select_option("fewer-dice")
        expect(page.get_by_text("that with fewer dice is taken")).to_be_visible()
        page.get_by_label("Ties").select_option("all")
        expect(page.locator(".facts").last).to_contain_text("33.616549240")
        page.get_by_label("Strategy").select_option("random")
        expect(page).to_have_url(re.compile("strategy=random"))
        page.goto("/compare?rules=crag")
        expect(page.get_by_role("cell", name="optimal")).to_be_visible()
        page.get_by_label("random", exact=True).uncheck()
        expect(page).to_have_url(re.compile("strategies=optimal%2Cgreedy$"))
        page.get_by_label("Ties").select_option("fewer-dice")
        expect(page.get_by_text("that with fewer dice is taken")).to_be_visible()

    @pytest.mark.slow
    def test_a_computation_continues_when_its_page_is_reloaded(self, page: Page) -> None:
        page.goto("/targets?rules=kniffel")
        page.get_by_role("button", name="Solve for all targets").click()
        expect(page.locator(".waiting")).to_contain_text(" left")
        page.reload()
        expect(page.locator(".waiting")).to_contain_text(" left")
        expect(page.locator("progress")).to_have_attribute("value", re.compile(r"0\.\d+"))
        page.get_by_role("button", name="Cancel").click()
        page.get_by_role("button", name="Begin again").click()
        expect(page.get_by_role("button", name="Solve for all targets")).to_be_visible()

    @pytest.mark.usefixtures("_targets_solved")
    def test_targets(self, page: Page) -> None:
        page.goto(TARGETS)
        expect(page.get_by_role("cell", name="25", exact=True)).to_be_visible()
        expect(page.locator(".chart svg")).to_be_visible()

    @pytest.mark.slow
    def test_practice_on_a_phone_by_keys_and_by_taps(self, page: Page) -> None:
        page.set_viewport_size(PHONE)  # type: ignore[arg-type]
        page.goto("/puzzle")
        page.wait_for_url("**/puzzle/20*")
        page.goto("/puzzle/2026-11-22")
        expect(page.locator(".stage")).to_have_text("Turn 8 of 13, 1 roll left: what would you do?")
        for key in ("1", "2", "3", " "):
            page.keyboard.press(key)
        expect(page.get_by_role("status")).to_have_text("Right: Keep 111.")
        page.keyboard.press("Enter")
        expect(page.locator(".result")).to_have_text("1 of 1 best")
        page.get_by_role("link", name="The day before").click()
        page.wait_for_url("**/puzzle/2026-11-21?*")

        page.goto("/practice?name=Ada")
        expect(page.locator(".progress i")).to_have_count(10)
        first = page.locator(".tray .dice").inner_text(), page.locator(".scorecard").inner_text()
        page.locator('.box[data-state="possible"]').last.click()
        expect(page.get_by_role("status")).to_contain_text("In the game it was")
        expect(page.locator(".so-far")).to_contain_text("of 1 best")
        page.get_by_role("button", name="All options").click()
        expect(page.get_by_role("region", name="All options")).to_be_visible()
        page.get_by_role("button", name="Close").click()
        page.get_by_role("button", name="Next").click()
        expect(page.get_by_role("status")).to_have_text("What is best?")
        page.locator(".die").first.click()
        expect(page.get_by_role("button", name="Roll 4 dice")).to_be_visible()
        page.get_by_role("button", name="Roll 4 dice").click()
        expect(page.locator(".so-far")).to_contain_text("of 2 best")
        assert page.evaluate("[scrollY, document.documentElement.scrollHeight]") == [0, 844]
        page.reload()  # answered questions are not due today
        expect(page.locator(".so-far")).to_contain_text("0 of 0 best")
        now = page.locator(".tray .dice").inner_text(), page.locator(".scorecard").inner_text()
        assert now != first

    @pytest.mark.slow
    def test_a_player_without_games_is_invited_to_the_test(self, page: Page) -> None:
        page.goto("/practice?rules=micro-yahtzee")
        page.get_by_role("link", name="Take the proficiency test").click()
        expect(page.locator(".progress i")).to_have_count(6)
        for answered in range(1, 7):
            page.keyboard.press("d")
            expect(page.locator(".so-far")).to_contain_text(f"of {answered} best")
            if answered == 3:  # after a reload the next position follows
                expect(page).to_have_url(re.compile(r"answers=(score\+double(%2C)?){3}$"))
                page.reload()
                expect(page.locator(".progress i")).to_have_count(6)
            else:
                page.keyboard.press("Enter")
        for _ in ("answered", "loaded again"):
            expect(page.locator(".practised")).to_contain_text("4 of 6 best")
            expect(page.locator(".practised")).to_contain_text("That is below")
            page.reload()
        assert page.goto("/puzzle/yesterday").status == 404  # type: ignore[union-attr]
        expect(page.get_by_role("link", name="The puzzle of today")).to_be_visible()

    def test_export_and_delete(self, page: Page, server: Server) -> None:
        begin(page)
        page.keyboard.press("Space")
        expect(page.locator(".stage")).to_contain_text("roll 1 of 3")
        id = page.url.rpartition("/")[2]
        games = page.request.get("/history.json").json()["games"]
        assert {"finished", "fresh", id} <= {game["id"] for game in games}
        page.goto(f"/review/{id}")
        page.get_by_role("button", name="Delete this game").click()
        page.get_by_role("button", name="Keep it").click()
        assert page.request.get(f"/api/games/{id}").status == 200
        page.get_by_role("button", name="Delete this game").click()
        page.get_by_role("button", name="Delete it for good").click()
        expect(page.get_by_role("button", name="New game")).to_be_visible()
        assert page.request.get(f"/api/games/{id}").status == 404

    def test_games_that_this_server_cannot_play(self, page: Page, server: Server) -> None:
        page.goto("/play/strange")
        expect(page.get_by_text("cannot be played here: no strategy")).to_be_visible()
        own = server.log.with_name("own.py")
        response = page.goto(f"/statistics?strategy={own}:Own")
        assert response is not None
        assert response.status == 404
        expect(page.get_by_role("heading", name="No such strategy")).to_be_visible()
        assert own.exists()
        assert not own.with_name("own.py.ran").exists()
        page.goto("/play/large")
        page.keyboard.press("Space")
        expect(page.locator(".stage")).to_contain_text("roll 1 of 3")
        expect(page.locator(".coming")).to_have_text(
            "No advice: the game is too large here; rollwise solve --rules maxi-yatzy-no-saving "
            "prepares it."
        )
        page.goto("/review/large")
        expect(page.get_by_text("cannot be judged here: maxi-yatzy-no-saving")).to_be_visible()
        assert page.goto("/review/large/page").status == 400  # type: ignore[union-attr]

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("path", "heading", "known"),
        [
            ("/play/none", "No such game", "Start another one"),
            ("/review/none", "No such game", "Start another one"),
            ("/review/none/page", "No such game", "Start another one"),
            ("/nowhere/at/all", "No such page", "Statistics"),
            ("/statistics?rules=nope", "No such rules", "Scandinavian Yatzy"),
            ("/advise?rules=/etc/passwd", "No such rules", "Scandinavian Yatzy"),
            ("/targets?rules=nope", "No such rules", "Scandinavian Yatzy"),
            ("/compare?strategies=nobody", "No such strategy", "greedy"),
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
        for path in ("/nowhere", "/review/none/page", "/statistics?rules=nope"):
            assert page.goto(path).status == 404  # type: ignore[union-attr]
            expect(page.get_by_role("heading", name="No such")).to_be_visible()

    @pytest.mark.slow
    def test_the_command_that_prepares_a_large_game(self, page: Page) -> None:
        command = page.get_by_text("rollwise solve --rules maxi-yatzy --keep")
        page.goto("/advise?rules=crag")
        page.get_by_label("Rules").select_option("maxi-yatzy")
        expect(command).to_be_visible()
        page.goto("/")
        page.get_by_label("Rules").select_option("maxi-yatzy")
        expect(command).to_be_visible()
        page.get_by_label("Against").select_option("greedy")
        page.get_by_role("button", name="New game").click()
        expect(page.get_by_role("alert")).to_have_text(
            "Maxi Yatzy is too large for robots here: expected people alone"
        )
        expect(page.get_by_label("Rules")).to_have_value("maxi-yatzy")


PAGES = {
    "home": ("/", ".games li"),
    "play": ("/play/rolled", ".scorecard .box"),
    "warning": ("/play/warned", ".scorecard .box"),
    "options": ("/play/warned", ".scorecard .box"),
    "ending": ("/play/finished", ".rating"),
    "advise": ("/advise", "h2:has-text('Best')"),
    "advise-refused": ("/advise?position=dice+1", ".problem:has-text('expected')"),
    "review": ("/review/finished", ".worst li"),
    "print": ("/review/finished/page", "table"),
    "paste": ("/review", "textarea"),
    "statistics": ("/statistics", "[aria-label='Boxes'] td"),
    "compare": ("/compare?rules=crag", ".chart svg >> nth=1"),
    "targets": ("/targets", "button.primary"),
    "targets-solved": (TARGETS, "[aria-label='Targets'] td"),
    "statistics-small": ("/statistics?rules=micro-yahtzee&ties=all", ".facts >> nth=1"),
    "proficiency": ("/proficiency?name=Ada", "[aria-label='Head to head'] td"),
    "proficiency-empty": ("/proficiency?rules=crag", "a.primary"),
    "practice": ("/practice", ".game .die"),
    "practice-empty": ("/practice?rules=micro-yahtzee", "a.primary"),
    "test": ("/test?rules=micro-yahtzee", ".game .die"),
    "puzzle": ("/puzzle/2026-11-22", ".game .die"),
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
"""Prevents reconnection. While axe computes, the page does not respond to the server, and after a
reconnection it would reload."""

UNREACHED = """() => [
        ...document.querySelectorAll("a[href], button, input, select, summary, textarea")
    ].filter((one) => one.checkVisibility() && one.tabIndex < 0).map((one) => one.outerHTML)"""
"""Returns the controls that the keyboard cannot reach."""

CUT_OFF = """() => [...document.querySelectorAll(".ending")]
    .filter((one) => one.scrollHeight > one.clientHeight).map((one) => one.innerText)"""
"""Returns the result of a two-player game if part of it is hidden."""

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
"""Returns the controls that are too small for a finger, even with their surrounding targets."""


def prepare(page: Page, name: str) -> None:
    """Bring a page into the state for its picture."""
    if name in ("play", "warning", "options"):
        expect(page.locator(".expected").first).to_contain_text(".")  # wait for the advice
    if name == "play":
        page.keyboard.press("h")
        expect(page.locator(".hints tbody tr").first).to_be_visible()
        held = page.locator(".die").nth(1)
        page.keyboard.press("2")
        expect(held).to_have_attribute("aria-pressed", "true")
    elif name == "warning":
        page.keyboard.type("tch")
        expect(page.get_by_role("alertdialog")).to_contain_text("It loses")
    elif name == "options":
        page.set_viewport_size(PHONE)  # type: ignore[arg-type]
        page.keyboard.press("h")
        page.get_by_role("button", name="All options").click()
        expect(page.locator(".hints tbody tr").first).to_be_visible()


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
        ada.get_by_label("Rules").select_option("micro-yahtzee")
        ada.get_by_role("button", name="New game").click()
        ada.wait_for_url("**/play/*")
        id = ada.url.rpartition("/")[2]
        ben.goto(f"/play/{id}")  # the link opens the same game
        ben.get_by_role("button", name=re.compile("^Roll")).click()
        ben.locator('.box[data-state="possible"]').first.click()
        expect(ada.locator('.box[data-state="filled"]')).to_have_count(1)
        for page, listed, deletes in ((ada, [id], 1), (ben, [], 0)):
            page.goto("/")
            expect(page.get_by_role("button", name="New game")).to_be_visible()
            expect(page.locator(".games li")).to_have_count(len(listed))
            exported = page.request.get("/history.json").json()["games"]
            assert [game["id"] for game in exported] == listed
            page.goto(f"/review/{id}")
            expect(page.get_by_role("heading", name="You: every decision")).to_be_visible()
            expect(page.get_by_role("button", name="Delete this game")).to_have_count(deletes)
            assert page.request.delete("/api/games/old").status == 403
        ada.get_by_role("button", name="Delete this game").click()
        ada.get_by_role("button", name="Delete it for good").click()
        expect(ada.get_by_role("button", name="New game")).to_be_visible()
        assert ada.request.get(f"/api/games/{id}").status == 404
        (cookie,) = ada.context.cookies()
        assert (cookie["httpOnly"], cookie["sameSite"]) == (True, "Lax")
        for page in (ada, ben):
            page.context.close()
