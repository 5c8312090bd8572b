"""Test the page of a game, whose client sends events to the server, in a browser."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, Request, WebSocketRoute, expect

from databases import free_port
from games import at_random, play
from page_sizes import PLAYERS, SIZE, SIZES, SMALL
from rollwise import Record, load_rules
from rollwise.game.events import format_events
from rollwise.game.game import Game, fair_roll
from rollwise.history import History
from servers import Server, serving
from waiting import PATIENCE, wait_until

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

expect.set_options(timeout=1000 * PATIENCE)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("socket")
    with serving(f"sqlite:///{folder}/games.sqlite", folder, port=free_port()) as server:
        yield server


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """Yield a browser context of a phone; fail after an error in a page."""
    problems: list[str] = []
    size = {"width": 390, "height": 664}
    context = browser.new_context(viewport=size, has_touch=True, reduced_motion="reduce")  # type: ignore[arg-type]
    context.set_default_timeout(1000 * PATIENCE)
    context.on("weberror", lambda error: problems.append(str(error.error)))
    context.on("console", lambda message: problems.append(message.text))
    yield context
    context.close()
    assert [problem for problem in problems if "ERR_CONNECTION_REFUSED" not in problem] == []


def opened(context: BrowserContext, server: Server, id: str) -> Page:
    page = context.new_page()
    page.goto(f"{server.address}/play/{id}")
    expect(page.locator("html.ready")).to_be_attached()
    return page


def save(
    server: Server,
    id: str,
    rules: str = "micro-yahtzee",
    robots: Mapping[int, str] | None = None,
    **settings: Any,
) -> None:
    """Save a game; by default, it has not begun."""
    players, seed = settings.pop("players", ("Ada",)), settings.pop("seed", 5)
    record = Record(load_rules(rules), players, settings.pop("events", ()), seed=seed)
    with History(server.database) as history:
        history.save(id, record, robots or {})


def events(server: Server, id: str) -> int:
    with History(server.database) as history:
        return len(history.load(id).record.events)


def test_a_game_of_two_windows_to_its_end(context: BrowserContext, server: Server) -> None:
    save(server, "two", "crag", players=("Ada", "Ben"))
    first, second = opened(context, server, "two"), opened(context, server, "two")
    for turn in range(26):
        mover, other = (first, second)[:: 1 if turn % 2 else -1]
        mover.get_by_role("button", name="Roll", exact=False).last.tap()
        expect(mover.locator(".die").first).not_to_have_attribute("data-face", "")
        if not turn:
            mover.locator(".die").first.tap()
            mover.get_by_role("button", name="Roll 2 dice").tap()
            expect(mover.locator("#roll")).to_have_text("Choose a category")
        faces = [die.get_attribute("data-face") for die in mover.locator(".die").all()]
        for die, face in zip(other.locator(".die").all(), faces, strict=True):
            expect(die).to_have_attribute("data-face", face or "")
        mover.locator('.box[data-state="possible"]').first.tap()
        words = "Game over" if turn == 25 else f"Turn {1 + (turn + 1) // 2}/13"
        for page in (mover, other):
            expect(page.locator("#turn")).to_have_text(words)
    for page in (first, second):
        expect(page.locator("#end-title")).to_contain_text(re.compile("Ada|Ben"))
        expect(page.locator("#end-text h3")).to_have_text(
            [re.compile("^Ada: "), re.compile("^Ben: ")]
        )
    with History(server.database) as history:
        cards = history.load("two").record.cards
    expect(second.locator(".total")).to_have_text([str(card.points) for card in cards])


def test_advice_comes_when_the_game_is_solved(context: BrowserContext, server: Server) -> None:
    save(server, "advice")
    page = opened(context, server, "advice")
    page.locator("#roll").tap()
    expect(page.locator("#hint")).to_have_attribute("aria-disabled", "false")
    page.locator("#hint").tap()
    expect(page.locator("#say.hint")).to_contain_text("You can expect")
    page.locator("#all").tap()
    expect(page.locator("#options tbody tr").first).to_be_visible()


def test_the_server_refuses_with_a_sentence(context: BrowserContext, server: Server) -> None:
    save(server, "refused", "crag")
    page = opened(context, server, "refused")
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
    assert events(server, "refused") == 1
    expect(page.locator(".die").first).not_to_have_attribute("data-face", "")


@pytest.mark.parametrize(
    ("response", "words"),
    [
        ({"refused": "Not now."}, "Not now."),
        (None, "The connection was lost. Try again."),
    ],
    ids=["refused", "lost"],
)
def test_a_refused_event_is_undone_in_the_view(
    context: BrowserContext, server: Server, response: dict[str, str] | None, words: str
) -> None:
    id = f"undone-{response is None}"
    save(server, id, "crag")

    def connect(window: WebSocketRoute) -> None:
        def forward(message: str | bytes) -> None:
            request = json.loads(message)
            if not request["event"].startswith("keep"):
                to_server.send(message)
            elif response is None:
                window.close()
            else:
                window.send(json.dumps({"id": request["id"], **response}))

        to_server = window.connect_to_server()
        window.on_message(forward)

    page = context.new_page()
    page.route_web_socket("**/socket", connect)
    page.goto(f"{server.address}/play/{id}")
    roll(page, "tap")
    hold(page, "tap", 1)
    page.get_by_role("button", name="Roll 2 dice").tap()
    expect(page.locator("#say b")).to_have_text(words)
    expect(page.locator(".die").first).to_have_attribute("aria-pressed", "false")
    assert events(server, id) == 1


def test_dice_that_are_held_before_the_answer_stay_held(
    context: BrowserContext, server: Server
) -> None:
    """The state of the game can come earlier than the answer to the event."""
    save(server, "late", "crag")
    answers = list[tuple[WebSocketRoute, str | bytes]]()

    def connect(window: WebSocketRoute) -> None:
        def forward(message: str | bytes) -> None:
            if "id" in json.loads(message):
                answers.append((window, message))
            else:
                window.send(message)

        window.connect_to_server().on_message(forward)

    page = context.new_page()
    page.route_web_socket("**/socket", connect)
    page.goto(f"{server.address}/play/late")
    page.locator("#roll").tap()
    expect(page.locator(".die").first).not_to_have_attribute("data-face", "")
    page.locator(".die").first.tap()
    expect(page.locator("#roll")).to_contain_text("Roll 2 dice")
    while not answers:
        page.wait_for_timeout(10)  # handles messages
    window, answer = answers.pop()
    window.send(answer)
    page.locator(".die").nth(1).tap()
    expect(page.locator("#roll")).to_contain_text("Roll 1 die")


def test_real_dice_are_entered(context: BrowserContext, server: Server) -> None:
    save(server, "real", "crag", seed=None)
    page = opened(context, server, "real")
    for face in "661":
        page.locator("#faces").get_by_role("button", name=face).tap()
    expect(page.locator("#faces")).to_be_hidden()
    page.locator(".die").first.tap()
    page.locator(".die").nth(1).tap()
    page.get_by_role("button", name="Roll 1 die").tap()
    expect(page.locator("#faces")).to_be_visible()
    page.keyboard.type("4")
    expect(page.locator(".die").nth(2)).to_have_attribute("data-face", "4")
    assert events(server, "real") == 3


def test_the_server_is_restarted_in_a_turn(context: BrowserContext, tmp_path: Path) -> None:
    port, database = free_port(), f"sqlite:///{tmp_path}/games.sqlite"
    with serving(database, tmp_path, port=port) as server:
        save(server, "restart", "crag")
        page = opened(context, server, "restart")
        page.locator("#roll").tap()
        expect(page.locator("#roll i.on")).to_have_count(1)
        faces = [die.get_attribute("data-face") for die in page.locator(".die").all()]
    with serving(database, tmp_path, port=port):
        wait_until(lambda: events(server, "restart") == 1)
        page.locator(".die").first.tap()
        page.get_by_role("button", name="Roll 2 dice").tap()
        expect(page.locator("#roll i.on")).to_have_count(0)
    assert page.locator(".die").first.get_attribute("data-face") == faces[0]


def test_the_page_is_small_and_accessible(context: BrowserContext, server: Server) -> None:
    save(server, "small", "yahtzee")
    page, requests = context.new_page(), list[Request]()
    page.on("requestfinished", lambda request: requests.append(request))
    page.goto(f"{server.address}/play/small")
    expect(page.locator("html.ready")).to_be_attached()
    sizes = [request.sizes() for request in requests]
    assert len(sizes) <= MAX_REQUESTS
    assert (
        sum(size["responseHeadersSize"] + size["responseBodySize"] for size in sizes) <= MAX_BYTES
    )
    policy = context.request.get(page.url).headers["content-security-policy"]
    assert "unsafe" not in policy
    page.locator("#roll").tap()
    expect(page.locator(".die").first).not_to_have_attribute("data-face", "")
    violations = Axe().run(page).response["violations"]
    assert [v["id"] for v in violations if v["impact"] in ("serious", "critical")] == []


def test_an_opponent_plays_and_can_be_hurried(context: BrowserContext, server: Server) -> None:
    save(server, "bot", "crag", {1: "greedy"}, players=("You", "Medium"))
    page = opened(context, server, "bot")
    expect(page.locator("#outlook")).to_have_attribute(
        "aria-label", re.compile(r"^Win probability if both play .*: You ~?\d+%, Medium ~?\d+%$")
    )
    roll(page, "tap")
    choose(page, "tap", "Ones, score")
    expect(page.locator("#roll")).to_contain_text("Hurry")
    expect(page.locator("#say b")).to_contain_text("Medium")
    page.locator("#roll").tap()
    expect(page.locator("#turn")).to_have_text("Turn 2/13")
    expect(page.locator("#roll")).to_contain_text("Roll")
    expect(page.locator("#say small")).to_contain_text(re.compile(r"^Medium: \d+ points? in "))


def test_the_tutor_gives_one_reason(context: BrowserContext, server: Server) -> None:
    save(server, "tutor", "yahtzee", events="roll 22266")
    page = opened(context, server, "tutor")
    page.locator("#menu-button").tap()
    page.get_by_role("checkbox", name="Tutor").check()
    page.get_by_role("button", name="Back to the game").tap()
    expect(page.locator("#hint")).to_have_attribute("aria-disabled", "false")
    choose(page, "tap", "Chance, score")
    expect(page.locator("#warning-title")).to_have_text("Score Chance?")
    expect(page.locator("#warning-text")).to_have_text(
        re.compile(r"^That loses \d+\.\d points: a blunder\. Better: ")
    )
    expect(page.locator("#warning-reason")).to_have_text(
        re.compile(r"^The best choice gains .+\.$")
    )
    page.get_by_role("button", name="Show the best choice").tap()
    expect(page.locator("#say.hint b")).to_contain_text("You can expect")
    expect(page.locator("#say.hint small")).to_contain_text("The best choice gains")
    assert events(server, "tutor") == 1
    choose(page, "tap", "Chance, score")
    page.get_by_role("button", name="Play anyway: score Chance").tap()
    expect(page.locator("#turn")).to_have_text("Turn 2/13")


def test_a_finished_game_is_rated(context: BrowserContext, server: Server) -> None:
    record = play(load_rules("micro-yahtzee"), ["Ada", "Strong"], 7, at_random(1))
    save(server, "rated", players=record.players, events=record.events, robots={1: "optimal"})
    page = opened(context, server, "rated")
    page.get_by_role("button", name="Result").tap()
    expect(page.locator("#end-text h3")).to_have_text([re.compile("^Ada: ")])
    scale = page.locator(".scale span")
    expect(scale).to_have_text(
        ["perfect", "expert", "strong", "good", "casual", "beginner", "random"]
    )
    word = page.locator(".scale .yours").inner_text()
    expect(page.locator("#end-text")).to_contain_text(f"Rating of this game: {word}.")
    expect(page.locator("#end-text > small")).to_contain_text("Points lost per game: perfect up to")
    page.get_by_role("link", name="Review this game").tap()
    page.wait_for_url("**/review/rated")


def test_each_browser_plays_its_own_seat(
    context: BrowserContext, browser: Browser, server: Server
) -> None:
    save(server, "seats", "crag", players=("Ada", "Ben"))
    ada, hall = opened(context, server, "seats"), browser.new_context(has_touch=True)
    hall.set_default_timeout(1000 * PATIENCE)
    ben = opened(hall, server, "seats")
    for page, name in ((ada, "Ada"), (ben, "Ben")):
        page.locator("#menu-button").tap()
        page.get_by_role("button", name="Play on several devices").tap()
        expect(page.locator("#invite .qr path")).to_be_attached()
        expect(page.locator("#link")).to_have_value(f"{server.address}/play/seats")
        page.locator("#invite").get_by_role("button", name=name, exact=True).tap()
        page.wait_for_url("**/play/seats")
        expect(page.locator("html.ready")).to_be_attached()
    expect(ada.locator(".seat.here")).to_have_count(2)
    expect(ben.locator("#say b")).to_have_text("Ada plays.")
    expect(ben.locator("#roll")).to_have_attribute("aria-disabled", "true")
    refused = ben.evaluate(ASK, [{"id": 1, "after": 0, "event": "roll"}])
    assert refused == ["Ada plays in another window; you play Ben."]
    assert events(server, "seats") == 0
    roll(ada, "tap")
    choose(ada, "tap", "Ones, score")
    expect(ada.locator("#say b")).to_have_text("Ben plays.")
    refused = ben.evaluate(ASK, [{"id": 1, "after": 2, "event": "undo"}])
    assert refused == ["Ada plays in another window; you play Ben."]
    roll(ben, "tap")
    stranger = opened(hall, server, "seats")  # a second window of the same player
    expect(stranger.locator("#roll")).to_have_attribute("aria-disabled", "false")
    taken = ben.request.post(f"{server.address}/play/seats/seat", form={"player": "0"})
    assert "Ada plays on another device." in taken.text()
    hall.close()
    expect(ada.locator(".seat.away")).to_have_count(1)


def test_a_seat_that_is_given_up_is_free_in_all_windows(
    context: BrowserContext, browser: Browser, server: Server
) -> None:
    save(server, "given", "crag", players=("Ada", "Ben"))
    address = f"{server.address}/play/given/seat"
    context.request.post(address, form={"player": "0"})
    window = opened(context, server, "given")
    hall = browser.new_context()
    refused = hall.request.post(address, form={"player": "0"})
    assert "Ada plays on another device." in refused.text()
    expect(window.locator(".seat.here")).to_have_count(1)
    context.request.post(address, form={"player": ""})
    expect(window.locator(".seat")).to_have_count(0)
    expect(window.locator("#roll")).to_have_attribute("aria-disabled", "false")
    hall.request.post(address, form={"player": "0"})
    expect(window.locator("#say b")).to_have_text("Ada plays.")
    assert opened(hall, server, "given").evaluate(
        ASK, [{"id": 1, "after": 0, "event": "roll"}]
    ) == [""]
    refused_event = {"id": 1, "after": 1, "event": "keep -"}
    assert window.evaluate(ASK, [refused_event]) == ["Ada plays in another window."]
    hall.close()


def test_addresses_of_nothing(context: BrowserContext, server: Server) -> None:
    assert context.request.get(f"{server.address}/play/nothing").status == 404
    assert context.request.get(f"{server.address}/static/bundle.py").status == 404


def roll(page: Page, how: str, words: str = "") -> None:
    """Roll by tap or by key when the button has these words; wait until the dice have come."""
    expect(page.locator("#roll")).to_contain_text(words)
    before = page.locator("#roll").inner_html()
    page.locator("#roll").tap() if how == "tap" else page.keyboard.press("r")
    wait_until(lambda: page.locator("#roll").inner_html() != before)  # it shows the rolls left


def hold(page: Page, how: str, place: int = 0) -> None:
    """Hold the die at this place, counting from 1, by tap or by key; by default, the next die."""
    dice = page.locator(".die")
    place = place or 1 + dice.evaluate_all(
        "(dice) => dice.findIndex((die) => die.ariaPressed === 'false')"
    )
    die = dice.nth(place - 1)
    die.tap() if how == "tap" else page.keyboard.press(str(place))
    expect(die).to_have_attribute("aria-pressed", "true")


def choose(page: Page, how: str, category: str) -> None:
    """Choose the category whose accessible name begins with some words, by tap or by key."""
    button = page.get_by_role("button", name=re.compile(f"^{re.escape(category)}"))
    if how == "tap":
        button.tap()
        return
    page.locator("#card .box").first.focus()
    while not button.evaluate("(button) => button === document.activeElement"):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")


def last_events(server: Server, id: str, number: int) -> list[str]:
    with History(server.database) as history:
        record = history.load(id).record
    return format_events(record.rules, record.events).split("; ")[-number:]


HOW = pytest.mark.parametrize("how", ["tap", "keys"])


@HOW
def test_a_turn_of_a_game_with_columns(context: BrowserContext, server: Server, how: str) -> None:
    id = f"columns-{how}"
    save(server, id, "yamb-down-up-free", players=("Ada", "Ben"))
    page = opened(context, server, id)
    roll(page, how)
    expect(page.locator('.box[data-state="possible"]')).to_have_count(12)
    hold(page, how, 1)
    roll(page, how, "Roll 4 dice")
    expect(page.get_by_label("Twos (down), open")).to_be_visible()
    assert page.locator(".heads").first.inner_text().split() == ["down", "up", "free"]
    choose(page, how, "Ones (free), score")
    expect(page.locator(".plate.mine")).to_contain_text("Ben")
    with History(server.database) as history:
        (card, _) = history.load(id).record.cards
    assert [k for k, points in enumerate(card.boxes) if points is not None] == [20]
    page.locator("#menu-button").tap()
    page.get_by_role("button", name="All scorecards").tap()
    row = page.locator("#cards tr").filter(has_text="Ones (free)")
    expect(row.locator("td")).to_have_text([str(card.boxes[20]), ""])
    expect(page.locator("#cards tr").last.locator("td")).to_have_text([str(card.points), "0"])


@HOW
def test_a_turn_with_an_announcement(context: BrowserContext, server: Server, how: str) -> None:
    id = f"announced-{how}"
    save(server, id, "yamb-announced")
    page = opened(context, server, id)
    roll(page, how)
    expect(page.locator("#roll")).to_have_text("Announce a category")
    expect(page.locator("#say b")).to_have_text("Tap the category that you announce for this turn.")
    expect(page.locator(".die").first).to_have_attribute("aria-disabled", "true")
    expect(page.locator("#hint")).to_have_attribute("aria-disabled", "false")
    page.locator("#hint").tap()
    expect(page.locator("#say.hint")).to_contain_text(re.compile("^Announce "))
    page.locator("#hint").tap()
    choose(page, how, "Sixes, announce")
    expect(page.locator('.box[data-state="possible"]')).to_have_count(1)
    expect(page.locator(".box.announced")).to_contain_text("Sixes")
    expect(page.locator("#say")).to_contain_text("Announced: Sixes.")
    hold(page, how, 5)
    roll(page, how, "Roll 4 dice")
    expect(page.locator(".box.announced")).to_contain_text("Sixes")
    choose(page, how, "Sixes, announced, score")
    expect(page.locator("#turn")).to_have_text("Turn 2/10")
    assert [event.split()[0] for event in last_events(server, id, 5)] == [
        "roll", "announce", "keep", "roll", "score",
    ]  # fmt: skip
    page.locator("#undo").tap()
    expect(page.locator(".box.announced")).to_contain_text("Sixes")


def test_an_announcement_can_be_undone(context: BrowserContext, server: Server) -> None:
    save(server, "undo", "yamb-announced")
    page = opened(context, server, "undo")
    roll(page, "tap")
    choose(page, "tap", "Ones, announce")
    expect(page.locator(".box.announced")).to_be_visible()
    page.locator("#undo").tap()
    expect(page.locator(".box.announced")).to_have_count(0)
    expect(page.locator("#roll")).to_have_text("Announce a category")


@HOW
def test_a_turn_with_dice_of_two_kinds(context: BrowserContext, server: Server, how: str) -> None:
    id = f"kinds-{how}"
    save(server, id, "kniffel-extreme", seed=None)
    page = opened(context, server, id)
    keys = page.locator("#faces button")
    for face in "12345":
        expect(keys).to_have_text(["1", "2", "3", "4", "5", "6"])
        enter(page, how, face)
    expect(keys).to_have_text([*"0123456789"])
    enter(page, how, "0")
    expect(page.get_by_label("Die 6 shows 0 of 0 to 9")).to_be_visible()
    hold(page, how, 1)
    hold(page, how, 6)
    roll(page, how, "Roll 4 dice")
    assert last_events(server, id, 2) == ["roll 12345+0", "keep 1+0"]
    for face in "6666":
        enter(page, how, face)
    expect(page.locator("#faces")).to_be_hidden()
    choose(page, how, "Sixes, score 24")
    expect(page.locator("#turn")).to_have_text("Turn 2/22")
    assert last_events(server, id, 2) == ["roll 16666+0", "score sixes"]


def enter(page: Page, how: str, face: str) -> None:
    """Enter the face of a real die by tap or by key."""
    left = page.locator('.die[data-face=""]')
    number = left.count()
    if how == "tap":
        page.locator("#faces").get_by_role("button", name=face, exact=True).tap()
    else:
        page.keyboard.press(face)
    expect(left).to_have_count(number - 1)


@HOW
def test_extra_rolls_are_used_up(context: BrowserContext, server: Server, how: str) -> None:
    id = f"extra-{how}"
    save(server, id, "kniffel-extreme")
    page = opened(context, server, id)
    extra = page.locator(".sum").filter(has_text="Extra rolls left").locator(".points")
    expect(extra).to_have_text("3")
    expect(page.locator("#roll i.on")).to_have_count(4)
    for left in (3, 2, 1, 0):
        page.locator("#roll").tap() if how == "tap" else page.keyboard.press("r")
        expect(page.locator("#roll i.on")).to_have_count(left)
        words = "The next roll is an extra roll."
        assert (words in page.locator("#say").inner_text()) == (left == 1)
        if left:
            hold(page, how)  # two taps in a row would be a burst
    choose(page, how, "Chance, score")
    expect(extra).to_have_text("2")


@HOW
def test_saved_rolls_are_used_later(context: BrowserContext, server: Server, how: str) -> None:
    id = f"saved-{how}"
    save(server, id, "maxi-yatzy", players=("Ada", "Ben"))
    page = opened(context, server, id)
    for player in ("Ada", "Ben"):
        expect(page.locator("#say")).to_contain_text(f"{player}: ")
        roll(page, how)
        choose(page, how, "Chance, score")
    saved = page.locator(".sum").filter(has_text="Rolls saved").locator(".points")
    expect(saved).to_have_text(["2", "2"])
    expect(page.locator("#roll")).to_have_text(re.compile("^Roll *5 left$"))
    for left in (4, 3, 2, 1):
        roll(page, how)
        expect(page.locator("#roll")).to_contain_text(f"{left} left")
        hold(page, how)
    choose(page, how, "Ones, score")
    expect(saved).to_have_text(["1", "2"])


@HOW
def test_many_players(context: BrowserContext, server: Server, how: str) -> None:
    id = f"many-{how}"
    save(server, id, "crag", players=("Ada", "Ben", "Cleo", "Dora", "Emil"))
    page = opened(context, server, id)
    ones = page.locator(".box").filter(has_text="Ones").locator(".points:visible")
    for player in ("Ada", "Ben", "Cleo", "Dora", "Emil"):
        expect(page.locator(".plate.mine .name")).to_have_text(player)
        expect(ones).to_have_text([""])
        roll(page, how)
        hold(page, how, 1)
        roll(page, how, "Roll 2 dice")
        choose(page, how, "Ones, score")
    expect(page.locator("#turn")).to_have_text("Turn 2/13")
    with History(server.database) as history:
        cards = history.load(id).record.cards
    points = [str(card.boxes[0]) for card in cards]
    expect(page.locator(".total")).to_have_text(points)
    expect(ones).to_have_text(points[:1])
    page.locator("#menu-button").tap()
    page.get_by_role("button", name="All scorecards").tap()
    row = page.locator("#cards tr").filter(has=page.get_by_role("rowheader", name="Ones"))
    expect(row.locator("td")).to_have_text(points)


NEW = ["yamb-down-up-free", "yamb-down-up", "yamb-announced", "kniffel-extreme", "maxi-yatzy"]
"""Games that the offline page does not have."""


@pytest.mark.parametrize(
    ("name", "players"),
    [
        pytest.param(name, players, marks=[] if players == 4 else pytest.mark.slow)
        for name in NEW
        for players in (1, 2, 3, 4)
    ],
)
def test_the_table_fits_every_screen(
    context: BrowserContext, server: Server, name: str, players: int
) -> None:
    rules, id = load_rules(name), f"{name}-{players}"
    game = Game(rules, PLAYERS[:players])
    while game.turn < 3 or game.stage.player < players - 1:
        game.push(fair_roll(game, 1))
        game.push(game.legal_actions()[0])  # announce or score in the first open category
        if rules.announced:
            game.push(game.legal_actions()[0])
    save(server, id, name, players=game.players, events=game.events)
    page = opened(context, server, id)
    page.locator("#roll").tap()
    expect(page.locator(".die").first).not_to_have_attribute("data-face", "")
    shown, fits = {}, {size: [width, height] for size, (width, height) in SIZES.items()}
    for size, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        shown[size] = page.evaluate(SIZE)
        assert page.evaluate(SMALL) == []
    assert shown == fits


def test_real_dice_with_ten_faces_fit_every_screen(context: BrowserContext, server: Server) -> None:
    save(server, "ten", "kniffel-extreme", players=PLAYERS, seed=None)
    page = opened(context, server, "ten")
    page.keyboard.type("12345")
    expect(page.locator("#faces button")).to_have_count(10)
    for width, height in SIZES.values():
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(SIZE) == [width, height]
        assert page.evaluate(SMALL) == []
