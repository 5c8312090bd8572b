"""Test the web pages in a browser, except games, advice, reviews, and questions."""

import json
import re
import socket
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from browser_pages import choose, watched
from games import at_random, play
from rollwise import load_rules
from rollwise.game.game import Game
from rollwise.history import new_id
from servers import Server, serving

YAHTZEE = load_rules("yahtzee")
EVIL = "<img src=x onerror=alert(1)>"
LARGE = "maxi-yatzy-no-saving"
COMMAND = "rollwise solve --rules maxi-yatzy --save"


def test_home_starts_the_last_game_again(page: Page, server: Server) -> None:
    events = play(YAHTZEE, ["Eve", "Strong"], 7, at_random(1), events=20).events
    bots = {"Strong": "greedy-average"}
    game = Game(YAHTZEE, "Eve, Strong", events, seed=7, bots=bots)
    server.save(new_id(), game)
    page.goto("/")
    offer = page.get_by_role("link", name="Continue")
    eve, strong = (card.points for card in game.cards)
    expect(offer).to_contain_text(f"Eve {eve}, Strong {strong}")
    turn = 14 - max(card.boxes.count(None) for card in game.cards)
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
    page.get_by_label("Player 1").last.fill("Ada")
    page.get_by_label("Player 2").last.fill("Ben")
    expect(page.get_by_label("Player 3").last).to_be_visible()
    expect(page.get_by_label("Player 4").last).to_be_hidden()
    page.get_by_label("Medium").check()
    choose(page, "Yatzy: ")
    choose(page, "Yatzy in scorecard order")
    page.wait_for_url("**/play/*")
    expect(page.locator("h1")).to_have_text("Yatzy in scorecard order")
    for name in ("Ada", "Ben", "Medium"):
        expect(page.locator("#players")).to_contain_text(name)
    expect(page.locator("html.ready")).to_be_attached()
    expect(page.locator("#seat")).to_be_hidden()  # all of them play here


def test_a_new_game_that_is_refused_keeps_its_players(page: Page) -> None:
    page.goto("/")
    for names, rival, tiles, sentence in (
        (("Ada", "Ben"), "Rival", ("Crag",), "duel responds to one opponent, so it needs two"),
        (("Ada", ""), "Rival", ("Balut",), "Balut is too large for the strategy duel"),
        (("Ada", ""), "Medium", ("Maxi Yatzy 6",), "play without computer opponents"),
    ):
        fields = [page.get_by_label(f"Player {number}").last for number in (1, 2)]
        for field, name in zip(fields, names, strict=True):
            field.fill(name)
        page.get_by_label(rival).check()
        for tile in tiles:
            choose(page, tile)
        expect(page.get_by_role("alert")).to_contain_text(sentence)
        for field, name in zip(fields, names, strict=True):
            expect(field).to_have_value(name)
        expect(page.get_by_label(rival)).to_be_checked()


def test_real_dice_from_the_first_roll_or_in_a_game(page: Page) -> None:
    def start(button: str, *names: str) -> None:
        page.goto("/")
        choose(page, "I play with real dice")
        page.get_by_label("Game").select_option("crag")
        for number, name in enumerate(names, start=1):
            page.get_by_label(f"Player {number}").first.fill(name)
        choose(page, button)

    for button, address in (("New game", "/play/"), ("Enter a game in progress", "/advise")):
        start(button, "Ada", "Ben")
        expect(page).to_have_url(re.compile(address))
        expect(page.locator("h1")).to_contain_text("Crag")
        expect(page.locator(".plate .name")).to_have_text(["Ada", "Ben"])
        expect(page.locator("#faces button").first).to_be_visible()
    start("New game", "Ada; Ben")
    expect(page.get_by_role("alert")).to_contain_text("without , : ; #")
    expect(page.get_by_label("Real dice")).to_be_checked()


def box(page: Page, name: str) -> Locator:
    return page.get_by_role("checkbox", name=name, exact=True)


def test_strategies_are_compared(page: Page) -> None:
    loads: list[str] = []
    page.on("load", lambda _: loads.append(page.url))
    page.goto("/strategies?rules=yatzy")
    expect(page.locator(".facts")).to_be_visible()
    expect(page.locator(".job")).to_have_count(0)
    # A navigation after the progress could cancel a choice of the reader that is on its way.
    assert len(loads) == 1
    page.get_by_label("Rules").select_option("crag")
    expect(page.locator(".facts")).to_contain_text("149.847593")
    box(page, "Medium").check()
    page.wait_for_url("**/strategies?rules=crag&strategy=optimal&strategy=greedy")
    rows = page.get_by_role("region", name="Strategies").get_by_role("row")
    means = "Final scorePerfectMedium", "Mean149.85146.03"
    expect(rows.filter(has_text=re.compile("Final|Mean"))).to_have_text(means)
    box(page, "Perfect").uncheck()
    expect(page.locator(".facts")).to_contain_text("146.03")


def test_at_most_five_strategies_of_any_name(page: Page) -> None:
    names = ("random", "random", "random-category", "greedy", "greedy-step", "greedy-discounted")
    page.goto("/strategies?rules=micro-yahtzee&strategy=" + "&strategy=".join(names))
    columns = page.locator("[aria-label=Strategies] th.n")
    expect(columns).to_have_count(5)
    expect(box(page, "Perfect")).to_be_disabled()
    box(page, "random").click()  # has a box because the address names it
    expect(columns).to_have_count(4)
    expect(box(page, "random")).to_have_count(0)


def test_the_highest_possible_probability(page: Page) -> None:
    page.goto("/strategies?rules=micro-yahtzee")
    curves = page.locator("figure >> nth=1").locator(".plot .curve")
    expect(curves).to_have_count(1)
    page.locator("[name=highest]").click()
    expect(curves).to_have_count(2)
    page.get_by_text("Targets").click()
    row = page.get_by_role("region", name="Targets").get_by_role("row", name=re.compile("^20 "))
    expect(row.get_by_role("cell")).to_have_text(["20", "63.89", "69.44"])
    page.goto("/strategies?rules=micro-yahtzee&strategy=greedy")  # the probabilities are known now
    expect(curves).to_have_count(2)
    expect(page.locator("[name=highest]")).to_have_count(0)


def test_without_scripts(browser: Browser, server: Server) -> None:
    server.save("plain", play(load_rules("crag"), ["Ada", "Ben"], 7, at_random(1)))
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
        page.goto("/review/plain")
        expect(page.locator(".course .curve")).to_have_count(2)
        page.locator(".worst a").first.click()
        expect(page.locator("#no-script")).to_contain_text("needs a web browser that runs scripts")


def exported(page: Page) -> list[str]:
    """Return the ids of the games in the export."""
    _, *lines = page.request.get("/history.jsonl").text().splitlines()
    return [line["id"] for line in map(json.loads, lines) if "game" in line]


def test_names_are_never_markup_and_links_contain_no_secret(page: Page, server: Server) -> None:
    game = play(load_rules("crag"), ["Ada", EVIL], 7, at_random(1))
    server.save("evil", game)
    server.save("evil-begun", Game(game.rules, game.players, game.lines[:12]))
    for path in (
        "/", "/games", "/play/evil-begun", "/play/evil", "/review/evil", "/review/evil/page",
        "/review/evil/steps", "/practice", "/puzzle", "/strategies", "/nowhere",
    ):  # fmt: skip
        response = page.goto(path)
        assert response is not None
        policy = response.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        expect(page.locator("h1")).to_be_attached()
        expect(page.locator(".job")).to_have_count(0)
        if path not in ("/practice", "/puzzle", "/strategies", "/nowhere"):
            expect(page.get_by_text(EVIL).first).to_be_visible()
        if path in ("/review/evil", "/review/evil/page"):  # the legend of a curve
            expect(page.locator(".key").get_by_text(EVIL)).to_be_visible()
        assert page.locator("img").count() == 0
        links = page.locator("a[href]").evaluate_all(
            "all => all.map((link) => new URL(link.getAttribute('href'), location).href)"
        )
        assert links or path == "/review/evil/page"
        for link in map(urlsplit, links):
            assert f"{link.scheme}://{link.netloc}" == server.address
            assert set(parse_qs(link.query)) <= {
                "rules", "position", "name", "asked", "begun", "strategy", "step",
            }  # fmt: skip
        assert server.database not in page.content()
    record = page.request.get("/review/evil/record").text()
    assert Game.parse(record).lines == game.lines
    assert {"evil", "evil-begun"} <= {*exported(page)}


class TestGamesThatThisServerCannotPlay:
    def test_strategies(self, page: Page, server: Server) -> None:
        (own := server.log.with_name("own.py")).write_text("open(__file__ + '.ran', 'w').close()")
        server.save("strange", Game(YAHTZEE, "Ada, B", seed=7, bots={"B": f"{own}:Own"}))
        server.save("crowded", Game(YAHTZEE, "Ada, Ben, B", seed=7, bots={"B": "duel"}))
        reasons = {"strange": "unknown strategy", "crowded": "the strategy duel responds to one"}
        for id, reason in reasons.items():
            page.goto(f"/play/{id}")
            expect(page.get_by_text(f"cannot be played here: {reason}")).to_be_visible()
        page.goto(f"/strategies?strategy={own}:Own")
        expect(page.get_by_role("heading", name="Strategy not found")).to_be_visible()
        assert not own.with_name("own.py.ran").exists()

    def test_a_game_that_is_too_large_has_no_advice(self, page: Page, server: Server) -> None:
        id = server.save(new_id(), Game(LARGE, "Ada", seed=7))
        page.goto(f"/play/{id}")
        expect(page.locator("#roll i.on").first).to_be_visible()  # keys work now
        page.keyboard.press("Space")
        expect(page.locator(".coming small")).to_have_text(
            "No advice: the game is too large for this server."
        )
        choose(page, "Menu")
        choose(page, "Rules of this game")
        expect(page.locator("#rules-categories tr")).to_have_count(20)
        expect(page.locator("#rules-average")).to_be_hidden()
        for path in (f"/review/{id}", f"/review/{id}/steps"):
            page.goto(path)
            expect(page.get_by_text(f"cannot be reviewed here: {LARGE[:10]}")).to_be_visible()
        assert page.request.get(f"/review/{id}/page").status == 400

    def test_the_default_game_can_be_too_large(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("ROLLWISE_RULES", "maxi-yatzy")
        with serving(f"sqlite:///{tmp_path}/games.sqlite", tmp_path) as server:
            assert "no advice" in httpx.get(f"{server.address}/").text
            assert COMMAND in httpx.get(f"{server.address}/advise").text


@pytest.mark.parametrize(
    ("path", "words", "known"),
    [
        ("/play/none", "This page cannot be shown", "Play a game"),
        ("/review/none", "This page cannot be shown", "Play a game"),
        ("/review/none/page", "This page cannot be shown", "Play a game"),
        ("/review/none/steps", "This page cannot be shown", "Play a game"),
        ("/nowhere/at/all", "Page not found", "Strategies"),
        ("/strategies?rules=nope", "Rules not found", "Scandinavian Yatzy"),
        ("/advise?rules=/etc/passwd", "Rules not found", "Scandinavian Yatzy"),
        ("/strategies?strategy=optimal&strategy=nobody", "Strategy not found", "greedy"),
        ("/strategies?strategy=duel", "Strategy not found", "greedy"),
        ("/strategies?rules=maxi-yatzy", COMMAND, "Scandinavian Yatzy"),
        ("/advise?rules=maxi-yatzy", COMMAND, "Scandinavian Yatzy"),
    ],
)
def test_an_address_of_nothing_offers_others(page: Page, path: str, words: str, known: str) -> None:
    response = page.goto(path)
    assert response is not None
    assert response.status == 404
    expect(page.get_by_text(words)).to_be_visible()
    expect(page.locator(".page").get_by_role("link", name=known).first).to_be_visible()


def test_each_browser_of_a_shared_server_has_its_own_games(
    browser: Browser, tmp_path: Path
) -> None:
    with (
        serving(f"sqlite:///{tmp_path}/games.sqlite", tmp_path, "--host", "0.0.0.0") as server,
        watched(browser, server.address) as first,
        watched(browser, server.address) as second,
    ):
        server.save("old", Game("micro-yahtzee", "Ada", seed=7))  # without an owner
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
        invitation = httpx.get(f"{server.address}/play/{id}", headers={"Host": host}).text
        assert f'value="http://{host}/play/{id}"' in invitation
        assert 'class="qr"' in invitation
        ben.get_by_role("button", name=re.compile("^Roll")).click()
        ben.locator('.box[data-state="possible"]').first.click()
        expect(ada.locator('.box[data-state="filled"]')).to_have_count(1)
        for page, listed in ((ada, [id]), (ben, list[str]())):
            page.goto("/games")
            expect(page.locator(".games li")).to_have_count(len(listed))
            assert exported(page) == listed
            page.goto(f"/review/{id}")
            expect(page.get_by_role("heading", name="You: every choice")).to_be_visible()
            expect(page.get_by_role("button", name="Delete this game")).to_have_count(len(listed))
            assert page.request.delete("/api/games/old").status == 403
        for button, status in (("Keep this game", 200), ("Delete permanently", 404)):
            ada.get_by_role("button", name="Delete this game").click()
            ada.get_by_role("button", name=button).click()
            expect(ada.get_by_role("dialog")).to_have_count(0)
            assert ada.request.get(f"/api/games/{id}").status == status
        expect(ada.get_by_text("You have no games yet.")).to_be_visible()
        (cookie,) = ada.context.cookies()
        assert (cookie["httpOnly"], cookie["sameSite"]) == (True, "Lax")
