"""Test games in a browser: complete games, and a game that is shown before it is solved."""

import os
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources

import pytest
from playwright.sync_api import Browser, Page, expect

from rollwise.history import History
from rollwise.playing.controls import TUTOR_TO_COME
from rollwise.two_player.solver import DuelSolver
from servers import Server, serving
from waiting import PATIENCE

SCREEN = {"width": 1440, "height": 900}

pytestmark = pytest.mark.slow

expect.set_options(timeout=1000 * PATIENCE)


def choose(page: Page, name: str, value: str) -> None:
    """Choose a radio button of the form for a new game, and unfold the section that contains it."""
    option = page.locator(f"input[type=radio][name={name}][value={value}]")
    page.locator("form details").evaluate_all("all => all.forEach(part => { part.open = true; })")
    option.check()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Yield a server that also offers an unsolved game with custom rules."""
    folder = tmp_path_factory.mktemp("tables")
    preset = resources.files("rollwise.rules").joinpath("presets", "micro-yahtzee.toml")
    text = preset.read_text(encoding="utf-8").replace('"micro-yahtzee"', '"unsolved"')
    (mine := folder / "unsolved.toml").write_text(text, encoding="utf-8")
    database = f"sqlite:///{folder}/games.sqlite"
    with History(database), serving(database, folder, "--rules", str(mine)) as running:
        yield running


@pytest.fixture
def page(browser: Browser, server: Server) -> Iterator[Page]:
    page = browser.new_page(
        viewport=SCREEN,  # type: ignore[arg-type]
        base_url=server.address,
        reduced_motion="reduce",
    )
    page.context.set_default_timeout(1000 * PATIENCE)  # also for requests to the API
    yield page
    page.close()


@contextmanager
def halted(server: Server) -> Iterator[None]:
    """Stop the worker processes of a server until the end of the block."""
    listed = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(server.process.pid)], capture_output=True, check=True
    )
    workers = [int(pid) for pid in listed.stdout.split()]
    assert workers
    for worker in workers:
        os.kill(worker, signal.SIGSTOP)
    try:
        yield
    finally:
        for worker in workers:
            os.kill(worker, signal.SIGCONT)


def test_a_game_is_shown_before_it_is_solved(page: Page, server: Server) -> None:
    address = "/api/options?rules=micro-yahtzee&position=dice 1 | rolls-left 0 | card -"
    assert page.request.get(address).ok  # starts a worker process
    page.goto("/")
    choose(page, "rules", "unsolved")
    page.get_by_label("Who is playing?").fill("Ada")
    choose(page, "opponent", "optimal")
    news, turn, words = page.locator("#say small"), page.locator("#turn"), page.locator("#say b")
    with halted(server):
        page.get_by_role("button", name="New game").click()
        expect(news).to_have_text(re.compile("^Preparing advice: "))
        parts = [page.locator(part) for part in ("#card", "#dice", "#actions")]
        rectangles = [part.bounding_box() for part in parts]
        page.locator("#roll").click()
        expect(words).to_contain_text("Last roll")
        expect(page.locator("#hint")).to_have_attribute("aria-disabled", "true")
        page.keyboard.press("t")
        page.locator('.box[data-state="possible"]').first.click()
        expect(words).to_have_text(TUTOR_TO_COME)
        page.keyboard.press("t")
        page.reload()
        expect(words).to_contain_text("Last roll")
        page.locator('.box[data-state="possible"]').first.click()
        expect(news).to_have_text(re.compile("^Perfect is waiting: "))
        expect(page.locator(".plate.mine .name")).to_have_text("Perfect")
    expect(turn).to_have_text("Turn 2/2")
    expect(page.locator(".plate.mine .name")).to_have_text("Ada")
    expect(page.locator(".expected").first).to_contain_text("→")
    assert [part.bounding_box() for part in parts] == rectangles
    page.locator("#roll").click()
    page.get_by_role("button", name="Hint").click()
    expect(page.locator("#say.hint")).to_be_visible()


def take_a_turn(page: Page, box: int = 0) -> None:
    """Roll once and score with the mouse."""
    page.locator("#roll").click()
    expect(page.locator("#say b")).to_contain_text("Last roll")
    page.locator('.box[data-state="possible"]').nth(box).click()


def test_a_whole_game_by_mouse_only(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="New game").click()
    dice, left = page.locator(".die"), page.locator("#roll i.on")
    for turn in range(1, 14):
        expect(page.locator("#turn")).to_have_text(f"Turn {turn}/13")
        page.get_by_role("button", name="Roll", exact=True).click()
        expect(left).to_have_count(2)
        dice.nth(turn % 5).click()
        expect(dice.nth(turn % 5)).to_have_attribute("aria-pressed", "true")
        page.get_by_role("button", name="Roll 4 dice").click()
        expect(left).to_have_count(1)
        page.locator('.box[data-state="possible"]').last.click()
    expect(page.locator("#end-text")).to_contain_text("Best choice: ")
    assert page.evaluate("[scrollY, document.documentElement.scrollHeight]") == [0, 900]
    page.get_by_role("button", name="Show the scorecard").click()
    expect(page.locator('.box[data-state="filled"]')).to_have_count(13)


def test_categories_are_announced_by_mouse(page: Page) -> None:
    page.goto("/")
    choose(page, "rules", "yamb-announced")
    page.get_by_label("Who is playing?").fill("Ada")
    choose(page, "opponent", "greedy")
    page.get_by_role("button", name="New game").click()
    expect(page.get_by_role("alert")).to_contain_text(
        "The strategy greedy cannot announce a category"
    )
    choose(page, "opponent", "optimal")
    page.get_by_role("button", name="New game").click()
    open_boxes, mover = (
        page.locator('.box[data-state="possible"]'),
        page.locator(".plate.mine .name"),
    )
    for turn, box in enumerate(("Sixes", "Yamb"), start=1):
        expect(page.locator("#turn")).to_have_text(f"Turn {turn}/10")
        expect(mover).to_have_text("Ada")
        page.get_by_role("button", name="Roll", exact=True).click()
        expect(page.locator("#roll")).to_have_text("Announce a category")
        page.locator(".box", has_text=box).click()
        expect(page.locator("#say b")).to_contain_text(f"Announced: {box}.")
        expect(open_boxes).to_have_count(1)
        page.get_by_role("button", name="Roll all dice").click()
        expect(page.locator("#roll i.on")).to_have_count(1)
        open_boxes.click()
        expect(mover).to_have_text("Perfect")
    expect(page.locator("#turn")).to_have_text("Turn 3/10")
    expect(mover).to_have_text("Ada")


def test_a_computer_opponent_and_two_people(page: Page) -> None:
    page.goto("/")
    page.get_by_label("Who is playing?").fill("Ada, Ben")
    choose(page, "rules", "micro-yahtzee")
    choose(page, "opponent", "duel")
    page.get_by_role("button", name="New game").click()
    expect(page.get_by_role("alert")).to_have_text(
        "The strategy duel responds to one opponent, so it needs two players, not 3."
    )
    expect(page.get_by_label("Who is playing?")).to_have_value("Ada, Ben")
    choose(page, "opponent", "greedy")
    page.get_by_role("button", name="New game").click()
    for turn in (1, 2):
        for name in ("Ada", "Ben"):
            expect(page.locator(".plate.mine .name")).to_have_text(name)
            expect(page.locator("#turn")).to_have_text(f"Turn {turn}/2")
            take_a_turn(page)
    expect(page.locator("#end-title")).to_have_text(re.compile("wins|tie"))
    expect(page.locator("#end h3")).to_have_text([re.compile("^Ada"), re.compile("^Ben")])
    expect(page.locator("#end .scale")).to_have_count(2)
    expect(page.locator("#outlook")).to_be_hidden()


def test_two_players_see_their_win_probabilities(page: Page) -> None:
    page.goto("/")
    choose(page, "rules", "balut")
    choose(page, "opponent", "duel")
    page.get_by_role("button", name="New game").click()
    expect(page.get_by_role("alert")).to_contain_text("Balut is too large for the strategy duel")
    choose(page, "rules", "micro-yahtzee")
    page.get_by_role("button", name="New game").click()
    chances, words = page.locator("#outlook"), "Win probability if both play to win: You {}%"
    first = round(100 * DuelSolver("micro-yahtzee").solve().value())
    expect(chances).to_have_attribute("aria-label", re.compile(words.format(first)))
    for turn in (1, 2):
        expect(page.locator("#turn")).to_have_text(f"Turn {turn}/2")
        expect(page.locator(".plate.mine .name")).to_have_text("You")
        take_a_turn(page)
    expect(page.locator("#end-title")).to_be_visible()
    result = page.locator("#end-title").inner_text()
    share = 50 if "tie" in result else 100 if result.startswith("You") else 0
    expect(chances).to_have_attribute("aria-label", re.compile(words.format(share)))
