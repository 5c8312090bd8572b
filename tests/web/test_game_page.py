"""Test games on a server in a browser: windows, seats, connections, opponents, and endings."""

import json
import re
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request, WebSocketRoute, expect

from browser_pages import (
    choose,
    expect_advice,
    faces,
    hold,
    open_on_server,
    press,
    resize,
    roll,
    watched,
)
from games import at_random, play
from rollwise import load_rules
from rollwise.game.game import Game
from rollwise.solving.solver import solve
from rollwise.terminal.controls import TUTOR_TO_COME
from rollwise.two_player.solver import DuelSolver
from servers import Server, serving
from waiting import wait_until

MAX_REQUESTS, MAX_BYTES = 4, 60_000
DISABLED = "aria-disabled"

ASK = """(messages) => new Promise((done) => {
    const socket = new WebSocket(`${location.href.replace("http", "ws")}/socket`), answers = [];
    socket.onopen = () => messages.forEach(([after, event], id) =>
        socket.send(JSON.stringify({ id, after, event })));
    socket.onmessage = ({ data }) => {
        const { id, refused, state } = JSON.parse(data);
        if (id !== undefined) answers.push(refused ?? "");
        if (answers.length === messages.length) { socket.close(); done(answers); }
    };
})"""
"""A script that sends events, each after a number of events, in a web socket of its own, and
returns the refusals."""

Message = dict[str, Any]


def opened(
    context: BrowserContext, id: str, relay: Callable[[WebSocketRoute], None] | None = None
) -> Page:
    """Open a game in which all players play here; ``relay`` connects its web socket."""
    page = context.new_page()
    if relay:
        page.route_web_socket("**/socket", relay)
    open_on_server(page, id)
    return page


def relaying(
    pass_on: Callable[[WebSocketRoute, Message], None],
) -> Callable[[WebSocketRoute], None]:
    """Return a relay that decides what a page gets of the messages of its server."""

    def connect(window: WebSocketRoute) -> None:
        server = window.connect_to_server()
        server.on_message(lambda text: pass_on(window, json.loads(text)))

    return connect


def test_two_windows_finish_a_game(context: BrowserContext, server: Server) -> None:
    begun = play(load_rules("crag"), ["Ada", "Ben"], 5, lambda g: g.legal_actions()[0], events=48)
    server.save("two", Game("crag", begun.players, begun.events, seed=5))
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
        mover.locator('.box[data-state="possible"]').tap()
    totals = [card.points for card in server.game("two").cards]
    winner, loser = ("Ada", "Ben") if totals[0] > totals[1] else ("Ben", "Ada")
    for page in (first, second):
        expect(page.locator("#turn")).to_have_text("Game over")
        expect(page.locator("#end-title")).to_contain_text(winner)
        expect(page.locator("#end-text h3")).to_have_text(
            [f"{winner}: {max(totals)}", f"{loser}: {min(totals)}"]
        )
        expect(page.locator(".total")).to_have_text([str(total) for total in totals])


def test_a_warning_closes_when_another_window_goes_on(
    context: BrowserContext, server: Server
) -> None:
    server.save("gone-on", Game("yahtzee", "Ada", "roll 22266", seed=5))
    first, second = (opened(context, "gone-on") for _ in range(2))
    expect_advice(first)
    first.keyboard.type("tch")
    expect(first.locator("#warning")).to_be_visible()
    expect(first.locator("#warning-reason")).to_contain_text("The best choice gains ")
    second.keyboard.press("r")
    expect(first.locator("#warning")).to_be_hidden()
    expect(first.locator("#roll i.on")).to_have_count(1)
    expect(first.locator("#turn")).to_have_text("Turn 1/13")


def test_a_hint_has_its_reason_although_the_server_sends_the_state_again(
    context: BrowserContext, server: Server
) -> None:
    states: list[Message] = []

    def pass_on(window: WebSocketRoute, message: Message) -> None:
        if "state" in message:
            states.append(message)
        elif message["answer"]:
            window.send(json.dumps(states[-1]))
        window.send(json.dumps(message))

    server.save("again", Game("yahtzee", "Ada", "roll 22266", seed=5))
    page = opened(context, "again", relaying(pass_on))
    expect_advice(page)
    page.keyboard.press("h")
    expect(page.locator("#say small")).to_have_text(
        re.compile(r"^Gains mainly \d+\.\d (in|towards) .+\.")
    )
    page.keyboard.press("o")
    expect(page.locator("#options-reason")).to_contain_text("The best choice gains ")


def test_the_table_before_the_game_is_solved(context: BrowserContext, server: Server) -> None:
    news: Message = {"isPreparing": True, "isSolving": True, "estimate": (0.25, 90)}
    news |= {"options": [], "values": [None]}

    def pass_on(window: WebSocketRoute, message: Message) -> None:
        if "state" in message:
            message["state"] |= news
        window.send(json.dumps(message))

    server.save("unsolved", Game("yahtzee", "Ada", seed=5))
    page = opened(context, "unsolved", relaying(pass_on))
    expect(page.locator("#say small")).to_have_text("Preparing advice: 25%, about 90 seconds left")
    parts = [page.locator(part) for part in ("#card", "#dice", "#actions")]
    places = [part.bounding_box() for part in parts]
    roll(page, 2)
    expect(page.locator("#hint")).to_have_attribute(DISABLED, "true")
    page.keyboard.press("t")
    choose(page, "Chance, score")
    expect(page.locator("#say b")).to_have_text(TUTOR_TO_COME)
    page.keyboard.press("t")
    news.clear()
    page.reload()
    expect_advice(page)
    page.locator("#hint").tap()
    expect(page.locator("#say.hint")).to_contain_text("Gains")
    assert [part.bounding_box() for part in parts] == places
    page.keyboard.type("zz")
    expect(page.locator("#say")).to_contain_text("No open category has the code")
    assert [part.bounding_box() for part in parts] == places


def test_the_server_refuses_with_a_sentence(context: BrowserContext, server: Server) -> None:
    server.save("refused", Game("crag", "Ada", seed=5))
    page = opened(context, "refused")
    events = [
        (0, "keep 6"), (0, "roll 123"), (0, "roll"), (0, "roll"),
        (1, "score nothing"), (1, "keep 7"), (1, "undo"),
    ]  # fmt: skip
    answers = page.evaluate(ASK, events)
    assert answers[:4] == [
        "Cannot keep now; roll the dice next.",
        "This game rolls its own dice.",
        "",
        "The game has gone on in another window.",
    ]
    assert all(re.fullmatch("[A-Z].*[.]", answer) for answer in answers[4:])
    assert len(server.game("refused").events) == 1
    expect(page.locator(".die").first).not_to_have_attribute("data-face", "")


@pytest.mark.parametrize(
    ("refused", "words"),
    [("Not now.", "Not now."), ("", "The connection was lost. Try again.")],
    ids=["refused", "lost"],
)
def test_a_refused_event_is_undone_in_the_view(
    context: BrowserContext, server: Server, refused: str, words: str
) -> None:
    def relay(window: WebSocketRoute) -> None:
        def forward(text: str | bytes) -> None:
            message = json.loads(text)
            if not message["event"].startswith("keep"):
                to_server.send(text)
            elif refused:
                window.send(json.dumps({"id": message["id"], "refused": refused}))
            else:
                window.close()

        to_server = window.connect_to_server()
        window.on_message(forward)

    id = server.save(f"undone-{bool(refused)}", Game("crag", "Ada", seed=5))
    page = opened(context, id, relay)
    roll(page, 1)
    hold(page, 1)
    press(page, "Roll 2 dice")
    expect(page.locator("#say b")).to_have_text(words)
    expect(page.locator(".die").first).to_have_attribute("aria-pressed", "false")
    assert len(server.game(id).events) == 1


def test_dice_that_are_held_before_the_answer_stay_held(
    context: BrowserContext, server: Server
) -> None:
    """The state of the game can come earlier than the answer to the event."""
    answers: list[Message] = []

    def pass_on(window: WebSocketRoute, message: Message) -> None:
        if "id" in message:
            answers.append(message)
            windows.append(window)
        else:
            window.send(json.dumps(message))

    windows: list[WebSocketRoute] = []
    server.save("late", Game("crag", "Ada", seed=5))
    page = opened(context, "late", relaying(pass_on))
    roll(page, 1)
    hold(page, 1)
    wait_until(lambda: bool(page.evaluate("true") and answers))  # evaluate handles messages
    windows[0].send(json.dumps(answers[0]))
    hold(page, 2)
    expect(page.locator("#roll")).to_contain_text("Roll 1 die")


def test_a_server_that_is_restarted_in_a_turn(browser: Browser, tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/games.sqlite"
    with ExitStack() as running:
        server = running.enter_context(serving(database, tmp_path))
        server.save("restart", Game("crag", "Ada", seed=5))
        with watched(browser, server.address, has_touch=True) as context:
            page = opened(context, "restart")
            roll(page, 1)
            dice = faces(page)
            running.close()  # stops the server
            expect(page.get_by_text("Connection lost")).to_be_visible()
            hold(page, 1)
            press(page, "Roll 2 dice")  # waits for the connection
            expect(page.locator(".busy #dice.rolling")).to_be_attached()
            expect(page.locator("#roll")).to_have_attribute(DISABLED, "true")
            with serving(database, tmp_path, port=server.port):
                expect(page.locator("#roll i.on")).to_have_count(0)
                expect(page.get_by_text("Connection lost")).to_be_hidden()
                assert faces(page)[0] == dice[0]
                assert server.game("restart").lines[-2] == f"keep {dice[0]}"
                page.close()


def test_the_page_is_small(context: BrowserContext, server: Server) -> None:
    server.save("small", Game("yahtzee", "Ada", seed=5))
    page, requests = context.new_page(), list[Request]()
    page.on("requestfinished", lambda request: requests.append(request))
    page.goto("/play/small")
    expect(page.locator("html.ready")).to_be_attached()
    sizes = [request.sizes() for request in requests]
    assert len(sizes) <= MAX_REQUESTS
    sent = sum(size["responseHeadersSize"] + size["responseBodySize"] for size in sizes)
    assert sent <= MAX_BYTES
    assert "unsafe" not in context.request.get(page.url).headers["content-security-policy"]


def test_the_welcome_comes_before_the_question_who_plays(browser: Browser, server: Server) -> None:
    server.save("first", Game("crag", "Ada, Ben", seed=5))
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


def test_each_browser_plays_its_own_seat(
    context: BrowserContext, browser: Browser, server: Server
) -> None:
    server.save("seats", Game("crag", "Ada, Ben", seed=5))
    with watched(browser, server.address, has_touch=True) as hall:
        ada, ben = context.new_page(), hall.new_page()
        for page, name in ((ada, "Ada"), (ben, "Ben")):
            page.goto("/play/seats")
            with page.expect_navigation():
                page.locator("#seat").get_by_role("button", name=name, exact=True).tap()
            expect(page.locator("html.ready")).to_be_attached()
            expect(page.locator("#seat")).to_be_hidden()
        ada.locator("#menu-button").tap()
        press(ada, "Play on several devices")
        expect(ada.locator("#invite")).to_contain_text("rollwise web --host 0.0.0.0")
        press(ada, "Who plays in this window")
        expect(ada.locator("#seat [aria-pressed=true]:visible")).to_have_text("Ada")
        ada.keyboard.press("Escape")
        expect(ada.locator(".seat.here")).to_have_count(2)
        expect(ben.locator("#say b")).to_have_text("Ada plays.")
        expect(ben.locator("#roll")).to_have_attribute(DISABLED, "true")
        refusal = ["Ada plays in another window; you play Ben."]
        assert ben.evaluate(ASK, [(0, "roll")]) == refusal
        assert server.game("seats").events == ()
        roll(ada, 1)
        choose(ada, "Ones, score")
        expect(ada.locator("#say b")).to_have_text("Ben plays.")
        assert ben.evaluate(ASK, [(2, "undo")]) == refusal
        roll(ben, 1)
        window = opened(hall, "seats")  # a second window of the same player
        expect(window.locator("#roll")).to_have_attribute(DISABLED, "false")
        taken = ben.request.post("/play/seats/seat", form={"player": "0"})
        assert "Ada plays on another device." in taken.text()
    expect(ada.locator(".seat.away")).to_have_count(1)


def test_browsers_keep_their_seats_in_two_games_over_a_restart(
    browser: Browser, tmp_path: Path
) -> None:
    database, games = f"sqlite:///{tmp_path}/games.sqlite", ("first", "second")
    with ExitStack() as windows:
        with serving(database, tmp_path) as server:
            browsers = [windows.enter_context(watched(browser, server.address)) for _ in range(2)]
            for number, id in enumerate(games):
                server.save(id, Game("crag", "Ada, Ben", seed=5))
                for seat, one in enumerate(browsers):
                    one.request.post(f"/play/{id}/seat", form={"player": str(seat ^ number)})
        with serving(database, tmp_path, port=server.port):
            for number, id in enumerate(games):
                pages = [opened(one, id) for one in browsers]
                for page, player in zip(pages, ("Ada", "Ben")[:: 1 - 2 * number], strict=True):
                    expect(page.locator("#seat [aria-pressed=true]")).to_have_text(player)
                    is_waiting = str(player == "Ben").lower()
                    expect(page.locator("#roll")).to_have_attribute(DISABLED, is_waiting)
                    page.close()


def test_a_seat_that_is_given_up_is_free_in_all_windows(
    context: BrowserContext, browser: Browser, server: Server
) -> None:
    server.save("given", Game("crag", "Ada, Ben", seed=5))
    address = "/play/given/seat"
    context.request.post(address, form={"player": "0"})
    window = opened(context, "given")
    with watched(browser, server.address) as hall:
        refused = hall.request.post(address, form={"player": "0"})
        assert "Ada plays on another device." in refused.text()
        expect(window.locator(".seat.here")).to_have_count(1)
        context.request.post(address, form={"player": ""})
        expect(window.locator(".seat")).to_have_count(0)
        expect(window.locator("#roll")).to_have_attribute(DISABLED, "false")
        hall.request.post(address, form={"player": "0"})
        expect(window.locator("#say b")).to_have_text("Ada plays.")
        assert opened(hall, "given").evaluate(ASK, [(0, "roll")]) == [""]
        assert window.evaluate(ASK, [(1, "keep -")]) == ["Ada plays in another window."]


def test_an_opponent_plays_and_can_be_skipped(context: BrowserContext, server: Server) -> None:
    server.save("bot", Game("crag", "You, Medium", seed=5, bots={"Medium": "greedy"}))
    page = opened(context, "bot")
    expect(page.locator("#outlook")).to_have_attribute(
        "aria-label", re.compile(r"^Win probability if you play for points: You \d+%, Medium \d+%$")
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
    server.save("real", Game("crag", "You, Medium", "roll 666", bots={"Medium": "greedy"}))
    page = opened(context, "real")
    choose(page, "Sixes, score 18")
    expect(page.locator(".plate.mine .name")).to_have_text("Medium")
    expect(page.locator("#faces")).to_be_visible()
    page.keyboard.type("667")
    expect(page.locator("#faces")).to_be_visible()  # there is no 7
    page.keyboard.type("1")
    expect(page.locator("#say small")).to_have_text(re.compile(r"^Medium: \d+ points? in "))
    expect(page.locator(".plate.mine .name")).to_have_text("You")


def test_two_players_see_their_win_probabilities(context: BrowserContext, server: Server) -> None:
    server.save("duel", Game("micro-yahtzee", "You, Duel", seed=5, bots={"Duel": "duel"}))
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


def test_a_finished_game_is_rated_and_played_again(context: BrowserContext, server: Server) -> None:
    game = play(load_rules("micro-yahtzee"), ["Ada", "Ben", "Strong"], 7, at_random(1))
    bots = {"Strong": "optimal"}
    server.save("rated", Game(game.rules, game.players, game.events, seed=5, bots=bots))
    page = opened(context, "rated")
    press(page, "Result")
    expect(page.locator("#outlook")).to_be_hidden()
    expect(page.locator("#end-text h3")).to_have_text([re.compile("^Ada"), re.compile("^Ben")])
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
    press(page, "Play again")
    page.wait_for_url(lambda url: "/play/" in url and not url.endswith("/rated"))


def test_a_perfect_game_has_no_mistakes_to_practice(
    context: BrowserContext, server: Server
) -> None:
    def best(game: Game) -> Any:
        assert game.position is not None
        return solve(game.rules).options(game.position)[0].action

    game = play(load_rules("micro-yahtzee"), ["Ada"], 7, best)
    server.save("perfect", Game(game.rules, "Ada", game.events, seed=7))
    page = opened(context, "perfect")
    press(page, "Result")
    expect(page.locator("#end-text")).to_contain_text("The only choice was optimal.")
    expect(page.locator("#practice")).to_be_hidden()


def test_a_turn_of_a_game_with_columns(context: BrowserContext, server: Server) -> None:
    server.save("columns", Game("yamb-down-up-free", "Ada, Ben", seed=5))
    page = opened(context, "columns")
    roll(page, 2)
    expect(page.locator('.box[data-state="possible"]')).to_have_count(12)
    expect(page.get_by_label("Twos (down), open")).to_be_visible()
    assert page.locator(".heads").first.inner_text().split() == ["down", "up", "free"]
    choose(page, "Ones (free), score")
    expect(page.locator(".plate.mine")).to_contain_text("Ben")
    (card, _) = server.game("columns").cards
    assert [k for k, points in enumerate(card.boxes) if points is not None] == [20]
    page.locator("#menu-button").tap()
    press(page, "All scorecards")
    row = page.locator("#cards tr").filter(has_text="Ones (free)")
    expect(row.locator("td")).to_have_text([str(card.boxes[20]), ""])
    expect(page.locator("#cards tr").last.locator("td")).to_have_text([str(card.points), "0"])


def test_a_turn_with_dice_of_two_kinds(context: BrowserContext, server: Server) -> None:
    server.save("kinds", Game("kniffel-extreme", "Ada"))
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
    press(page, "Roll 4 dice")
    expect(page.locator("#faces")).to_be_visible()
    page.keyboard.type("6666")
    expect(page.locator("#faces")).to_be_hidden()
    choose(page, "Sixes, score 24")
    expect(page.locator("#turn")).to_have_text("Turn 2/22")
    expected = ["roll 12345+0", "keep 1+0", "roll 16666+0", "score sixes"]
    assert server.game("kinds").lines == expected


def test_extra_rolls_are_used_up(context: BrowserContext, server: Server) -> None:
    server.save("extra", Game("kniffel-extreme", "Ada", seed=5))
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
    events = "roll 123456; score chance; roll 123456; score chance"
    server.save("saved", Game("maxi-yatzy", "Ada, Ben", events, seed=5))
    page = opened(context, "saved")
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
    events = [event for die in "12345" for event in (f"roll {die}11", "score ones")]
    server.save("many", Game("crag", "Ada, Ben, Cleo, Dora, Emil", events, seed=5))
    page = opened(context, "many")
    expect(page.locator("#turn")).to_have_text("Turn 2/13")
    expect(page.locator(".total")).to_have_text(["3", "2", "2", "2", "2"])
    ones = page.locator(".box").filter(has_text="Ones").locator(".points:visible")
    expect(ones).to_have_text(["3"])
    expect(page.get_by_label("Ones, 3 points, filled, Ben 2, Cleo 2")).to_be_visible()


def test_addresses_of_nothing(context: BrowserContext) -> None:
    assert context.request.get("/play/nothing").status == 404
    assert context.request.get("/static/bundle.py").status == 404
