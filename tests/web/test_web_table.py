"""Test the table of a game on a server, in a browser."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request, WebSocketRoute, expect

from browser_pages import (
    PLAYERS,
    choose,
    expect_accessible_everywhere,
    expect_table_fits,
    faces,
    hold,
    resize,
    roll,
    watched,
)
from games import at_random, play
from rollwise import load_rules
from rollwise.evaluation.breakdown import breakdown_of
from rollwise.game.game import Game, fair_roll
from rollwise.history import History
from rollwise.solving.solver import solve
from rollwise.terminal.controls import TUTOR_TO_COME
from rollwise.two_player.solver import DuelSolver
from servers import Server, serving
from waiting import wait_until

CODES = ["s1", "s2", "s3", "s4", "s5", "s6", "s3k", "s4k", "fh", "ss", "ls", "y", "ch"]
MAX_REQUESTS, MAX_BYTES = 4, 60_000

ASK = """(messages) => new Promise((done) => {
    const socket = new WebSocket(`${location.href.replace("http", "ws")}/socket`), answers = [];
    socket.onopen = () => messages.forEach((message) => socket.send(JSON.stringify(message)));
    socket.onmessage = ({ data }) => {
        const { id, refused, state } = JSON.parse(data);
        if (id !== undefined) answers.push(refused ?? "");
        if (answers.length === messages.length) { socket.close(); done(answers); }
    };
})"""
"""A script that sends messages in a web socket of its own, and returns the refusals."""

Message = dict[str, Any]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("table")
    with serving(f"sqlite:///{folder}/games.sqlite", folder) as server:
        yield server


@pytest.fixture
def context(browser: Browser, server: Server) -> Iterator[BrowserContext]:
    """Yield a browser context of a phone."""
    with watched(browser, server.address, has_touch=True) as context:
        yield context


def save(
    server: Server,
    id: str,
    rules: str = "micro-yahtzee",
    players: Sequence[str] = ("Ada",),
    *,
    events: Any = (),
    seed: int | None = 5,
    bots: Mapping[str, str] | None = None,
) -> None:
    """Save a game; by default, it has not begun."""
    with History(server.database) as history:
        history.save(id, Game(rules, players, events, seed=seed, bots=bots))


def opened(context: BrowserContext, id: str, relay: Callable[..., None] | None = None) -> Page:
    """Open a game in which all players play here; ``relay`` connects its web socket."""
    page = context.new_page()
    if relay:
        page.route_web_socket("**/socket", relay)
    page.goto(f"/play/{id}")
    expect(page.locator("html.ready")).to_be_attached()
    if page.locator("#seat[open]").count():
        with page.expect_response("**/seat"):
            page.keyboard.press("Escape")
    return page


def saved(server: Server, id: str) -> Game:
    with History(server.database) as history:
        return history.load(id).game


def last_events(server: Server, id: str, number: int) -> list[str]:
    return saved(server, id).lines[-number:]


def expect_advice(page: Page) -> None:
    expect(page.locator(".expected").first).to_contain_text("→")


def test_a_whole_game_by_keys_and_its_review(context: BrowserContext) -> None:
    page = context.new_page()
    page.goto("/")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_url("**/play/*")
    expect_advice(page)
    for turn, code in enumerate(CODES, start=1):
        expect(page.locator("#turn")).to_have_text(f"Turn {turn}/13")
        roll(page, 2, "keys")
        hold(page, 2, "keys")
        page.keyboard.press("Space")
        expect(page.locator("#roll i.on")).to_have_count(1)
        page.keyboard.type(code)
        if code in ("s3", "s4"):  # s3k and s4k begin with the same keys
            page.keyboard.press("Enter")
    expect(page.locator("#turn")).to_have_text("Game over")
    expect(page.locator("#end-text")).to_contain_text("Best choice: ")
    total = page.locator("#end-title").inner_text().removesuffix(" points")
    page.get_by_role("link", name="Review this game").click()
    expect(page.locator("#say")).to_have_text(re.compile("^(Correct: |.+, −)"))
    page.locator("#menu-button").click()
    page.get_by_role("link", name="All choices").click()
    expect(page.locator(".tile .score")).to_have_text(total)
    expect(page.get_by_role("heading", name="You: most costly choices")).to_be_visible()
    expect(page.locator(".worst li").first).to_contain_text("Best was")
    expect(page.locator(".course .curve")).to_be_visible()
    page.goto("/games")
    expect(page.get_by_text("Luck-adjusted score", exact=True)).to_be_visible()


def test_two_windows_finish_a_game_by_touch(context: BrowserContext, server: Server) -> None:
    begun = play(load_rules("crag"), ["Ada", "Ben"], 5, first_category, events=48)
    save(server, "two", "crag", begun.players, events=begun.events)
    first, second = opened(context, "two"), opened(context, "two")
    for player, mover, other in (("Ada", first, second), ("Ben", second, first)):
        expect(mover.locator("#turn")).to_have_text("Turn 13/13")
        expect(mover.locator(".plate.mine .name")).to_have_text(player)
        expect(mover.locator(".heads .mine")).to_have_text([player, player])
        roll(mover, 1)
        dice = faces(mover)
        mover.reload()
        expect(mover.locator("#roll i.on")).to_have_count(1)
        assert faces(mover) == dice
        hold(mover, 1)
        expect(mover.get_by_role("button", name="Roll 2 dice")).to_be_visible()
        mover.keyboard.press("Space")  # the die that was tapped has the focus
        for page in (mover, other):
            expect(page.locator("#roll")).to_have_text("Choose a category")
            expect(page.locator(".die").first).to_have_attribute("aria-pressed", "true")
        assert faces(mover) == faces(other)
        assert mover.evaluate("[scrollY, document.documentElement.scrollHeight]") == [0, 664]
        mover.locator('.box[data-state="possible"]').tap()
    totals = [str(card.points) for card in saved(server, "two").cards]
    for page in (first, second):
        expect(page.locator("#turn")).to_have_text("Game over")
        expect(page.locator("#end-title")).to_contain_text(re.compile("Ada|Ben"))
        expect(page.locator("#end-text h3")).to_have_text(
            [re.compile("^Ada: "), re.compile("^Ben: ")]
        )
        expect(page.locator(".total")).to_have_text(totals)


def first_category(game: Game) -> Any:
    """Score in the first open category."""
    return game.legal_actions()[0]


def test_hint_options_tutor_and_undo(context: BrowserContext, server: Server) -> None:
    save(server, "tutor", "yahtzee", events="roll 22266")
    page = opened(context, "tutor")
    expect_advice(page)
    page.keyboard.press("h")
    expect(page.locator(".die.best")).to_have_count(3)
    words, more = page.locator("#say.hint b"), page.locator("#say.hint small")
    expect(words).to_have_text("Keep 2 2 2.")
    expect(more).to_have_text(re.compile(r"^Gains mainly \d+\.\d (in|towards) .+\."))
    kept = page.locator('.die[aria-pressed="true"]')
    expect(kept).to_have_count(0)
    page.keyboard.press("h")
    expect(kept).to_have_count(3)
    page.reload()
    expect(kept).to_have_count(3)
    expect_advice(page)
    page.keyboard.press("o")
    expect(page.locator("#options-reason")).to_contain_text("The best choice gains")
    expect(page.locator("#options tbody tr").first).to_contain_text("keep 2 2 2")
    page.keyboard.press("Escape")
    expect(page.locator("#options")).to_be_hidden()
    page.locator("#menu-button").click()
    page.get_by_role("button", name="Rules of this game").click()
    parts = breakdown_of(solve("yahtzee"))
    assert parts is not None
    rows = page.locator("#rules-categories tr")
    expect(rows.nth(8)).to_contain_text(f"25{parts.averages()['full-house']:.1f}")
    page.keyboard.press("Escape")
    page.keyboard.press("t")
    page.keyboard.type("ch")
    expect(page.locator("#warning-title")).to_have_text("Score Chance?")
    expect(page.locator("#warning-text")).to_have_text(
        re.compile(r"^That loses \d+\.\d points: a blunder\. Better: keep\s2\s2\s2\.$")
    )
    expect(page.locator("#warning-reason")).to_have_text(re.compile("^The best choice gains .+[.]"))
    page.get_by_role("button", name="Think again").click()
    page.keyboard.type("ch")
    page.get_by_role("button", name="Show the best choice").click()
    expect(words).to_contain_text("Keep 2 2 2.")
    assert len(saved(server, "tutor").events) == 1
    page.keyboard.type("ch")
    page.get_by_role("button", name="Play anyway: score Chance").click()
    expect(page.locator("#turn")).to_have_text("Turn 2/13")
    page.keyboard.press("u")
    expect(page.locator("#turn")).to_have_text("Turn 1/13")
    expect(page.locator("#say small")).to_have_text("Undone.")
    expect(page.get_by_role("button", name="Chance, score 18")).to_be_visible()
    assert faces(page) == [2, 2, 2, 6, 6]


def test_a_warning_closes_when_another_window_goes_on(
    context: BrowserContext, server: Server
) -> None:
    save(server, "gone-on", "yahtzee", events="roll 22266")
    first, second = (opened(context, "gone-on") for _ in range(2))
    expect_advice(first)
    first.keyboard.type("tch")
    expect(first.locator("#warning")).to_be_visible()
    second.keyboard.press("r")
    expect(first.locator("#warning")).to_be_hidden()
    expect(first.locator("#roll i.on")).to_have_count(1)
    expect(first.locator("#turn")).to_have_text("Turn 1/13")


def test_a_hint_has_its_reason_although_the_server_sends_the_state_again(
    context: BrowserContext, server: Server
) -> None:
    states: list[str | bytes] = []

    def relay(window: WebSocketRoute) -> None:
        def pass_on(text: str | bytes) -> None:
            message = json.loads(text)
            if "state" in message:
                states.append(text)
            elif message["answer"]:
                window.send(states[-1])
            window.send(text)

        window.connect_to_server().on_message(pass_on)

    save(server, "again", "yahtzee", events="roll 22266")
    page = opened(context, "again", relay)
    expect_advice(page)
    page.keyboard.press("h")
    expect(page.locator("#say small")).to_contain_text("Gains")


def test_the_table_before_the_game_is_solved(context: BrowserContext, server: Server) -> None:
    news: Message = {"isPreparing": True, "isSolving": True, "estimate": (0.25, 90)}
    news |= {"options": [], "values": [None]}

    def relay(window: WebSocketRoute) -> None:
        def pass_on(text: str | bytes) -> None:
            message = json.loads(text)
            if "state" in message:
                message["state"] |= news
            window.send(json.dumps(message))

        window.connect_to_server().on_message(pass_on)

    save(server, "unsolved", "yahtzee")
    page = opened(context, "unsolved", relay)
    expect(page.locator("#say small")).to_have_text("Preparing advice: 25%, about 90 seconds left")
    parts = [page.locator(part) for part in ("#card", "#dice", "#actions")]
    places = [part.bounding_box() for part in parts]
    roll(page, 2)
    expect(page.locator("#hint")).to_have_attribute("aria-disabled", "true")
    page.keyboard.press("t")
    choose(page, "Chance, score")
    expect(page.locator("#say b")).to_have_text(TUTOR_TO_COME)
    page.keyboard.press("t")
    news.clear()
    page.reload()
    expect_advice(page)
    page.locator("#hint").tap()
    expect(page.locator("#say.hint")).to_contain_text("Gains")
    page.locator("#hint").tap()  # takes the hint
    page.locator("#hint").tap()
    hold(page, 3)
    page.keyboard.type("zz")
    expect(page.locator("#say")).to_contain_text("No open category has the code")
    assert [part.bounding_box() for part in parts] == places


def test_the_server_refuses_with_a_sentence(context: BrowserContext, server: Server) -> None:
    save(server, "refused", "crag")
    page = opened(context, "refused")
    messages = [
        {"id": 1, "after": 0, "event": "keep 6"},
        {"id": 2, "after": 0, "event": "roll 123"},
        {"id": 3, "after": 0, "event": "roll"},
        {"id": 4, "after": 0, "event": "roll"},
        {"id": 5, "after": 1, "event": "score nothing"},
        {"id": 6, "after": 1, "event": "keep 7"},
        {"id": 7, "after": 1, "event": "undo"},
    ]
    answers = page.evaluate(ASK, messages)
    assert answers[:4] == [
        "Cannot keep now; roll the dice next.",
        "This game rolls its own dice.",
        "",
        "The game has gone on in another window.",
    ]
    assert all(re.fullmatch("[A-Z].*[.]", answer) for answer in answers[4:])
    assert len(saved(server, "refused").events) == 1
    expect(page.locator(".die").first).not_to_have_attribute("data-face", "")


@pytest.mark.parametrize(
    ("response", "words"),
    [({"refused": "Not now."}, "Not now."), (None, "The connection was lost. Try again.")],
    ids=["refused", "lost"],
)
def test_a_refused_event_is_undone_in_the_view(
    context: BrowserContext, server: Server, response: Message | None, words: str
) -> None:
    def relay(window: WebSocketRoute) -> None:
        def forward(text: str | bytes) -> None:
            request = json.loads(text)
            if not request["event"].startswith("keep"):
                to_server.send(text)
            elif response is None:
                window.close()
            else:
                window.send(json.dumps({"id": request["id"], **response}))

        to_server = window.connect_to_server()
        window.on_message(forward)

    id = f"undone-{response is None}"
    save(server, id, "crag")
    page = opened(context, id, relay)
    roll(page, 1)
    hold(page, 1)
    page.get_by_role("button", name="Roll 2 dice").tap()
    expect(page.locator("#say b")).to_have_text(words)
    expect(page.locator(".die").first).to_have_attribute("aria-pressed", "false")
    assert len(saved(server, id).events) == 1


def test_dice_that_are_held_before_the_answer_stay_held(
    context: BrowserContext, server: Server
) -> None:
    """The state of the game can come earlier than the answer to the event."""
    answers = list[tuple[WebSocketRoute, str | bytes]]()

    def relay(window: WebSocketRoute) -> None:
        def pass_on(text: str | bytes) -> None:
            if "id" in json.loads(text):
                answers.append((window, text))
            else:
                window.send(text)

        window.connect_to_server().on_message(pass_on)

    save(server, "late", "crag")
    page = opened(context, "late", relay)
    roll(page, 1)
    hold(page, 1)
    wait_until(lambda: bool(page.evaluate("true") and answers))  # evaluate handles messages
    window, answer = answers.pop()
    window.send(answer)
    hold(page, 2)
    expect(page.locator("#roll")).to_contain_text("Roll 1 die")


def test_a_server_that_is_restarted_in_a_turn(browser: Browser, tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/games.sqlite"
    with ExitStack() as running:
        server = running.enter_context(serving(database, tmp_path))
        save(server, "restart", "crag")
        with watched(browser, server.address, has_touch=True) as context:
            page = opened(context, "restart")
            roll(page, 1)
            dice = faces(page)
            running.close()  # stops the server
            expect(page.get_by_text("Connection lost")).to_be_visible()
            hold(page, 1)
            page.get_by_role("button", name="Roll 2 dice").tap()  # waits for the connection
            expect(page.locator(".busy #dice.rolling")).to_be_attached()
            expect(page.locator("#roll")).to_have_attribute("aria-disabled", "true")
            with serving(database, tmp_path, port=server.port):
                expect(page.locator("#roll i.on")).to_have_count(0)
                expect(page.get_by_text("Connection lost")).to_be_hidden()
                assert faces(page)[0] == dice[0]
                assert last_events(server, "restart", 2)[0] == f"keep {dice[0]}"
                page.close()


def test_the_welcome_comes_before_the_question_who_plays(browser: Browser, server: Server) -> None:
    save(server, "first", players=("Ada", "Ben"))
    with watched(browser, server.address, has_touch=True, is_welcomed=False) as context:
        page = context.new_page()
        page.goto("/play/first")
        expect(page.locator("#welcome")).to_be_visible()
        expect(page.locator("#seat")).to_be_hidden()
        page.get_by_role("button", name="Play", exact=True).tap()
        with page.expect_navigation():
            page.get_by_role("button", name="Ben", exact=True).tap()
        expect(page.locator("html.ready")).to_be_attached()
        expect(page.locator("dialog[open]")).to_have_count(0)


def test_the_page_is_small_and_accessible(context: BrowserContext, server: Server) -> None:
    save(server, "small", "yahtzee")
    page, requests = context.new_page(), list[Request]()
    page.on("requestfinished", lambda request: requests.append(request))
    page.goto("/play/small")
    expect(page.locator("html.ready")).to_be_attached()
    sizes = [request.sizes() for request in requests]
    assert len(sizes) <= MAX_REQUESTS
    assert (
        sum(size["responseHeadersSize"] + size["responseBodySize"] for size in sizes) <= MAX_BYTES
    )
    assert "unsafe" not in context.request.get(page.url).headers["content-security-policy"]
    expect_advice(page)
    roll(page, 2)
    page.locator("#hint").tap()
    expect(page.locator("#say.hint")).to_contain_text("Gains")
    expect_accessible_everywhere(page)


def test_an_opponent_plays_and_can_be_skipped(context: BrowserContext, server: Server) -> None:
    save(server, "bot", "crag", ("You", "Medium"), bots={"Medium": "greedy"})
    page = opened(context, "bot")
    expect(page.locator("#outlook")).to_have_attribute(
        "aria-label", re.compile(r"^Win probability if both play .*: You ~?\d+%, Medium ~?\d+%$")
    )
    roll(page, 1)
    choose(page, "Ones, score")
    expect(page.locator("#roll")).to_contain_text("Skip")
    expect(page.locator("#say b")).to_contain_text("Medium")
    page.locator("#roll").tap()
    expect(page.locator("#turn")).to_have_text("Turn 2/13")
    expect(page.locator("#roll")).to_contain_text("Roll")
    expect(page.locator("#say small")).to_contain_text(re.compile(r"^Medium: \d+ points? in "))


def test_an_opponent_plays_with_real_dice(context: BrowserContext, server: Server) -> None:
    save(server, "real", "crag", ("You", "Medium"), bots={"Medium": "greedy"}, seed=None)
    page = opened(context, "real")
    for face in "166":
        page.locator("#faces").get_by_role("button", name=face).tap()
    expect(page.locator("#faces")).to_be_hidden()
    hold(page, 2)
    hold(page, 3)
    page.get_by_role("button", name="Roll 1 die").tap()
    expect(page.locator("#faces")).to_be_visible()
    page.keyboard.type("4")
    expect(page.locator(".die").first).to_have_attribute("data-face", "4")
    choose(page, "Sixes, score 12")
    expect(page.locator(".plate.mine .name")).to_have_text("Medium")
    expect(page.locator("#faces")).to_be_visible()
    page.keyboard.type("667")
    expect(page.locator("#faces")).to_be_visible()  # there is no 7
    page.keyboard.type("1")
    expect(page.locator("#say small")).to_have_text(re.compile(r"^Medium: \d+ points? in "))
    expect(page.locator(".plate.mine .name")).to_have_text("You")


def test_a_finished_game_is_rated_and_played_again(context: BrowserContext, server: Server) -> None:
    game = play(load_rules("micro-yahtzee"), ["Ada", "Ben", "Strong"], 7, at_random(1))
    bots = {"Strong": "optimal"}
    save(server, "rated", players=game.players, events=game.events, bots=bots)
    page = opened(context, "rated")
    page.get_by_role("button", name="Result").tap()
    expect(page.locator("#outlook")).to_be_hidden()
    expect(page.locator("#end-text h3")).to_have_text([re.compile("^Ada: "), re.compile("^Ben: ")])
    expect(page.locator(".scale")).to_have_count(2)
    expect(page.locator(".scale").first.locator("span")).to_have_text(
        ["perfect", "expert", "strong", "good", "casual", "beginner", "random"]
    )
    word = page.locator(".scale .yours").first.inner_text()
    expect(page.locator("#end-text")).to_contain_text(f"Rating: {word}.")
    expect(page.locator("#end-text > small")).to_contain_text("Points lost per game: perfect up to")
    expect(page.get_by_role("link", name="Review this game")).to_have_attribute(
        "href", "/review/rated/steps"
    )
    for size in ("low-phone", "landscape"):
        resize(page, size)
        for part in page.locator("#end-title, #end form > *").all():
            expect(part).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="Show the scorecard").tap()
    expect(page.locator("#end")).to_be_hidden()
    page.get_by_role("button", name="Result").tap()
    page.get_by_role("button", name="Play again").tap()
    page.wait_for_url(lambda url: "/play/" in url and not url.endswith("/rated"))
    assert saved(server, page.url.rpartition("/")[2]).headers.bots == bots
    expect(page.locator("#turn")).to_have_text("Turn 1/2")
    expect(page.locator("#seat")).to_be_hidden()


def test_a_perfect_game_has_no_mistakes_to_practice(
    context: BrowserContext, server: Server
) -> None:
    def best(game: Game) -> Any:
        assert game.position is not None
        return solve(game.rules).options(game.position)[0].action

    game = play(load_rules("micro-yahtzee"), ["Ada"], 7, best)
    save(server, "perfect", players=game.players, events=game.events)
    page = opened(context, "perfect")
    page.get_by_role("button", name="Result").tap()
    expect(page.locator("#end-text")).to_contain_text("The only choice was optimal.")
    expect(page.locator("#practice")).to_be_hidden()


def test_two_players_see_their_win_probabilities(context: BrowserContext, server: Server) -> None:
    save(server, "duel", players=("You", "Duel"), bots={"Duel": "duel"})
    page = opened(context, "duel")
    chances, words = page.locator("#outlook"), "Win probability if both play to win: You {}%"
    first = round(100 * DuelSolver("micro-yahtzee").solve().value())
    expect(chances).to_have_attribute("aria-label", re.compile(words.format(first)))
    for turn in (1, 2):
        expect(page.locator("#turn")).to_have_text(f"Turn {turn}/2")
        expect(page.locator(".plate.mine .name")).to_have_text("You")
        roll(page, 0)
        page.locator('.box[data-state="possible"]').first.tap()
    expect(page.locator("#end-title")).to_be_visible()
    result = page.locator("#end-title").inner_text()
    share = 50 if "tie" in result else 100 if result.startswith("You") else 0
    expect(chances).to_have_attribute("aria-label", re.compile(words.format(share)))


def test_each_browser_plays_its_own_seat(
    context: BrowserContext, browser: Browser, server: Server
) -> None:
    save(server, "seats", "crag", ("Ada", "Ben"))
    with watched(browser, server.address, has_touch=True) as hall:
        ada, ben = context.new_page(), hall.new_page()
        for page, name in ((ada, "Ada"), (ben, "Ben")):
            page.goto("/play/seats")
            with page.expect_navigation():
                page.locator("#seat").get_by_role("button", name=name, exact=True).tap()
            expect(page.locator("html.ready")).to_be_attached()
            expect(page.locator("#seat")).to_be_hidden()
        ada.locator("#menu-button").tap()
        ada.get_by_role("button", name="Play on several devices").tap()
        expect(ada.locator("#invite")).to_contain_text("rollwise web --host 0.0.0.0")
        ada.get_by_role("button", name="Who plays in this window").tap()
        expect(ada.locator("#seat [aria-pressed=true]:visible")).to_have_text("Ada")
        ada.keyboard.press("Escape")
        expect(ada.locator(".seat.here")).to_have_count(2)
        expect(ben.locator("#say b")).to_have_text("Ada plays.")
        expect(ben.locator("#roll")).to_have_attribute("aria-disabled", "true")
        refused = ben.evaluate(ASK, [{"id": 1, "after": 0, "event": "roll"}])
        assert refused == ["Ada plays in another window; you play Ben."]
        assert saved(server, "seats").events == ()
        roll(ada, 1)
        choose(ada, "Ones, score")
        expect(ada.locator("#say b")).to_have_text("Ben plays.")
        refused = ben.evaluate(ASK, [{"id": 1, "after": 2, "event": "undo"}])
        assert refused == ["Ada plays in another window; you play Ben."]
        roll(ben, 1)
        window = opened(hall, "seats")  # a second window of the same player
        expect(window.locator("#roll")).to_have_attribute("aria-disabled", "false")
        taken = ben.request.post("/play/seats/seat", form={"player": "0"})
        assert "Ada plays on another device." in taken.text()
    expect(ada.locator(".seat.away")).to_have_count(1)


def test_four_people_in_two_games_keep_their_seats_over_a_restart(
    browser: Browser, tmp_path: Path
) -> None:
    database, port = f"sqlite:///{tmp_path}/games.sqlite", 0
    games = {"first": ("Ada", "Ben"), "second": ("Cleo", "Dora")}
    seats = {"first": (0, 1), "second": (1, 0)}  # of the two browsers
    with ExitStack() as windows:
        for is_restarted in (False, True):
            with serving(database, tmp_path, port=port) as server:
                if not is_restarted:
                    port = server.port
                    browsers = [
                        windows.enter_context(watched(browser, server.address)) for _ in range(2)
                    ]
                    for id, players in games.items():
                        save(server, id, "crag", players)
                        for one, seat in zip(browsers, seats[id], strict=True):
                            one.request.post(f"/play/{id}/seat", form={"player": str(seat)})
                for id in ("first", "second", "first"):
                    pages = [opened(one, id) for one in browsers]
                    for page, seat in zip(pages, seats[id], strict=True):
                        own = page.locator("#seat [aria-pressed=true]")
                        expect(own).to_have_text(games[id][seat])
                        is_turn = seat == 0
                        roll = page.locator("#roll")
                        expect(roll).to_have_attribute("aria-disabled", str(not is_turn).lower())
                        page.close()


def test_a_seat_that_is_given_up_is_free_in_all_windows(
    context: BrowserContext, browser: Browser, server: Server
) -> None:
    save(server, "given", "crag", ("Ada", "Ben"))
    address = "/play/given/seat"
    context.request.post(address, form={"player": "0"})
    window = opened(context, "given")
    with watched(browser, server.address) as hall:
        refused = hall.request.post(address, form={"player": "0"})
        assert "Ada plays on another device." in refused.text()
        expect(window.locator(".seat.here")).to_have_count(1)
        context.request.post(address, form={"player": ""})
        expect(window.locator(".seat")).to_have_count(0)
        expect(window.locator("#roll")).to_have_attribute("aria-disabled", "false")
        hall.request.post(address, form={"player": "0"})
        expect(window.locator("#say b")).to_have_text("Ada plays.")
        rolled = opened(hall, "given").evaluate(ASK, [{"id": 1, "after": 0, "event": "roll"}])
        assert rolled == [""]
        refused_event = {"id": 1, "after": 1, "event": "keep -"}
        assert window.evaluate(ASK, [refused_event]) == ["Ada plays in another window."]


def test_addresses_of_nothing(context: BrowserContext) -> None:
    assert context.request.get("/play/nothing").status == 404
    assert context.request.get("/static/bundle.py").status == 404


def test_a_turn_of_a_game_with_columns(context: BrowserContext, server: Server) -> None:
    save(server, "columns", "yamb-down-up-free", ("Ada", "Ben"))
    page = opened(context, "columns")
    roll(page, 2)
    expect(page.locator('.box[data-state="possible"]')).to_have_count(12)
    hold(page, 1)
    roll(page, 1)
    expect(page.get_by_label("Twos (down), open")).to_be_visible()
    assert page.locator(".heads").first.inner_text().split() == ["down", "up", "free"]
    choose(page, "Ones (free), score")
    expect(page.locator(".plate.mine")).to_contain_text("Ben")
    (card, _) = saved(server, "columns").cards
    assert [k for k, points in enumerate(card.boxes) if points is not None] == [20]
    page.locator("#menu-button").tap()
    page.get_by_role("button", name="All scorecards").tap()
    row = page.locator("#cards tr").filter(has_text="Ones (free)")
    expect(row.locator("td")).to_have_text([str(card.boxes[20]), ""])
    expect(page.locator("#cards tr").last.locator("td")).to_have_text([str(card.points), "0"])


def tab_to(page: Page, category: str) -> None:
    """Choose a category by the keys Tab and Enter."""
    button = page.get_by_role("button", name=re.compile(f"^{category}"))
    expect(button).to_be_visible()
    page.locator("#card .box").first.focus()
    for _ in range(50):
        if button.evaluate("(button) => button === document.activeElement"):
            break
        page.keyboard.press("Tab")
    expect(button).to_be_focused()
    page.keyboard.press("Enter")


def test_a_turn_with_dice_of_two_kinds(context: BrowserContext, server: Server) -> None:
    save(server, "kinds", "kniffel-extreme", seed=None)
    page = opened(context, "kinds")
    keys, missing = page.locator("#faces button"), page.locator('.die[data-face=""]')
    for number, face in enumerate("12345", start=1):
        expect(keys).to_have_text(["1", "2", "3", "4", "5", "6"])
        page.locator("#faces").get_by_role("button", name=face, exact=True).tap()
        expect(missing).to_have_count(6 - number)
    expect(keys).to_have_text([*"0123456789"])
    page.locator("#faces").get_by_role("button", name="0", exact=True).tap()
    expect(page.get_by_label("Die 6 shows 0 of 0 to 9")).to_be_visible()
    hold(page, 1)
    hold(page, 6)
    page.get_by_role("button", name="Roll 4 dice").tap()
    expect(page.locator("#faces")).to_be_visible()
    assert last_events(server, "kinds", 2) == ["roll 12345+0", "keep 1+0"]
    page.keyboard.type("6666")
    expect(page.locator("#faces")).to_be_hidden()
    choose(page, "Sixes, score 24")
    expect(page.locator("#turn")).to_have_text("Turn 2/22")
    assert last_events(server, "kinds", 2) == ["roll 16666+0", "score sixes"]


def test_extra_rolls_are_used_up(context: BrowserContext, server: Server) -> None:
    save(server, "extra", "kniffel-extreme")
    page = opened(context, "extra")
    extra = page.locator(".sum").filter(has_text="Extra rolls left").locator(".points")
    expect(extra).to_have_text("3")
    expect(page.locator("#roll i.on")).to_have_count(4)
    for place, left in enumerate((3, 2, 1, 0), start=1):
        roll(page, left, "keys")
        words = "The next roll is an extra roll."
        assert (words in page.locator("#say").inner_text()) == (left == 1)
        if left:
            hold(page, place, "keys")
    choose(page, "Chance, score")
    expect(extra).to_have_text("2")


def test_saved_rolls_are_used_later(context: BrowserContext, server: Server) -> None:
    save(server, "saved", "maxi-yatzy", ("Ada", "Ben"))
    page = opened(context, "saved")
    for player in ("Ada", "Ben"):
        expect(page.locator("#say")).to_contain_text(f"{player}: ")
        roll(page, 2)
        choose(page, "Chance, score")
    rolls = page.locator(".sum").filter(has_text="Rolls saved").locator(".points")
    expect(rolls).to_have_text(["2", "2"])
    expect(page.locator("#roll")).to_have_text(re.compile("^Roll *5 left$"))
    for place, left in enumerate((4, 3, 2, 1), start=1):
        page.keyboard.press("r")
        expect(page.locator("#roll")).to_contain_text(f"{left} left")
        hold(page, place)
    choose(page, "Ones, score")
    expect(rolls).to_have_text(["1", "2"])


def test_many_players(context: BrowserContext, server: Server) -> None:
    names = ("Ada", "Ben", "Cleo", "Dora", "Emil")
    save(server, "many", "crag", names)
    page = opened(context, "many")
    ones = page.locator(".box").filter(has_text="Ones").locator(".points:visible")
    for player in names:
        expect(page.locator(".plate.mine .name")).to_have_text(player)
        expect(ones).to_have_text([""])
        roll(page, 1)
        choose(page, "Ones, score")
    expect(page.locator("#turn")).to_have_text("Turn 2/13")
    points = [str(card.boxes[0]) for card in saved(server, "many").cards]
    expect(page.locator(".total")).to_have_text(points)
    expect(ones).to_have_text(points[:1])
    heard = f"Ones, {points[0]} points, filled, Ben {points[1]}, Cleo {points[2]}"
    expect(page.get_by_label(heard)).to_be_visible()
    page.locator("#menu-button").tap()
    page.get_by_role("button", name="All scorecards").tap()
    row = page.locator("#cards tr").filter(has=page.get_by_role("rowheader", name="Ones"))
    expect(row.locator("td")).to_have_text(points)


@pytest.mark.parametrize(
    ("name", "players"),
    [
        ("yamb-down-up-free", 1),
        ("yamb-down-up-free", 4),
        ("yamb-down-up", 4),
        ("kniffel-extreme", 4),
        ("maxi-yatzy", 4),
    ],
)
def test_the_table_fits_every_screen(
    context: BrowserContext, server: Server, name: str, players: int
) -> None:
    """Check the games that the offline page does not have."""
    rules, id = load_rules(name), f"{name}-{players}"
    game = Game(rules, PLAYERS[:players])
    while game.turn < 3 or game.stage.player < players - 1:
        game.push(fair_roll(game, 1))
        game.push(first_category(game))
    save(server, id, name, game.players, events=game.events)
    page = opened(context, id)
    page.locator("#roll").tap()
    expect(page.locator(".die").first).not_to_have_attribute("data-face", "")
    expect_table_fits(page)


def test_real_dice_with_ten_faces_fit_every_screen(context: BrowserContext, server: Server) -> None:
    save(server, "ten", "kniffel-extreme", PLAYERS, seed=None)
    page = opened(context, "ten")
    page.keyboard.type("12345")
    expect(page.locator("#faces button")).to_have_count(10)
    expect_table_fits(page)
