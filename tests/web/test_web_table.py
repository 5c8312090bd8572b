"""Games in a browser: complete games, and a game that is shown before it is solved."""

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
    page.get_by_label("Rules").select_option("unsolved")
    page.get_by_label("Players").fill("Ada")
    page.get_by_label("Against").select_option("optimal")
    coming, stage = page.locator(".coming"), page.locator(".stage")
    with halted(server):
        page.get_by_role("button", name="New game").click()
        expect(coming).to_have_text("Advice to come: computing…")
        parts = [page.locator(part) for part in (".scorecard", ".dice", ".actions")]
        rectangles = [part.bounding_box() for part in parts]
        page.locator(".roll").click()
        expect(stage).to_contain_text("roll 1 of 1")
        page.get_by_role("button", name="Hint").click()
        expect(page.get_by_role("button", name="Hint", pressed=True)).to_be_visible()
        page.get_by_role("button", name="Tutor off").click()
        page.locator('.box[data-state="possible"]').first.click()
        expect(page.get_by_role("status")).to_contain_text(TUTOR_TO_COME)
        page.get_by_role("button", name="Tutor on").click()
        page.reload()
        expect(stage).to_contain_text("roll 1 of 1")
        page.locator('.box[data-state="possible"]').first.click()
        expect(coming).to_have_text("optimal waits: computing…")
        expect(stage).to_contain_text("Turn 1 of 2, optimal: roll 1 of 1")
    expect(stage).to_contain_text("Turn 2 of 2, Ada: roll the dice")
    expect(page.locator(".player .expected").first).to_contain_text(".")
    assert [part.bounding_box() for part in parts] == rectangles
    page.locator(".roll").click()
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".hints tbody tr").first).to_be_visible()


def take_a_turn(page: Page, box: int = 0) -> None:
    """Roll once and score with the mouse."""
    page.locator(".roll").click()
    expect(page.locator(".stage")).to_contain_text("roll 1 of")
    page.locator('.box[data-state="possible"]').nth(box).click()


def test_a_whole_game_by_mouse_only(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="New game").click()
    stage, dice = page.locator(".stage"), page.locator(".die")
    for turn in range(1, 14):
        expect(stage).to_contain_text(f"Turn {turn} of 13: roll the dice")
        page.get_by_role("button", name="Roll the dice").click()
        expect(stage).to_contain_text("roll 1 of 3")
        dice.nth(turn % 5).click()
        expect(dice.nth(turn % 5)).to_have_attribute("aria-pressed", "true")
        page.get_by_role("button", name="Roll 4 dice").click()
        expect(stage).to_contain_text("roll 2 of 3")
        page.locator('.box[data-state="possible"]').last.click()
    expect(page.locator(".ending")).to_contain_text("Decisions gave away")
    assert page.evaluate("[scrollY, document.documentElement.scrollHeight]") == [0, 900]
    page.get_by_role("button", name="See the cards").click()
    expect(page.locator('.box[data-state="filled"]')).to_have_count(13)


def test_categories_are_announced_by_mouse(page: Page) -> None:
    page.goto("/")
    page.get_by_label("Rules").select_option("yamb-announced")
    page.get_by_label("Players").fill("Ada")
    page.get_by_label("Against").select_option("greedy")
    page.get_by_role("button", name="New game").click()
    expect(page.get_by_role("alert")).to_contain_text("greedy announces no box")
    page.get_by_label("Against").select_option("optimal")
    page.get_by_role("button", name="New game").click()
    stage, open_boxes = page.locator(".stage"), page.locator('.box[data-state="possible"]')
    for turn, box in enumerate(("Sixes", "Yamb"), start=1):
        expect(stage).to_contain_text(f"Turn {turn} of 10, Ada: roll the dice")
        page.get_by_role("button", name="Roll the dice").click()
        expect(stage).to_contain_text("announce a box")
        expect(page.locator(".roll")).to_have_text("Announce a box")
        page.locator(".box", has_text=box).click()
        expect(stage).to_contain_text(f"2 left, for {box}")
        expect(open_boxes).to_have_count(1)
        page.get_by_role("button", name="Roll 5 dice").click()
        expect(stage).to_contain_text(f"1 left, for {box}")
        open_boxes.click()
        expect(stage).to_contain_text("optimal")
    expect(stage).to_contain_text("Turn 3 of 10, Ada: roll the dice")


def test_a_computer_opponent_and_two_people(page: Page) -> None:
    page.goto("/")
    page.get_by_label("Players").fill("Ada, Ben")
    page.get_by_label("Rules").select_option("micro-yahtzee")
    page.get_by_label("Against").select_option("duel")
    page.get_by_role("button", name="New game").click()
    expect(page.get_by_role("alert")).to_have_text(
        "duel answers one other player: expected two players, got 3"
    )
    expect(page.get_by_label("Players")).to_have_value("Ada, Ben")
    page.get_by_label("Against").select_option("greedy")
    page.get_by_role("button", name="New game").click()
    for turn in (1, 2):
        for name in ("Ada", "Ben"):
            expect(page.locator(".stage")).to_have_text(f"Turn {turn} of 2, {name}: roll the dice")
            take_a_turn(page)
    expect(page.locator(".ending .result")).to_have_text(re.compile("wins|tie"))
    expect(page.locator(".ending h3")).to_have_text(["Ada", "Ben"])
    expect(page.locator(".ending .rating")).to_have_count(2)
    expect(page.locator(".chances")).to_be_hidden()


def test_two_players_see_their_win_probabilities(page: Page) -> None:
    page.goto("/")
    page.get_by_label("Rules").select_option("balut")
    page.get_by_label("Against").select_option("duel")
    page.get_by_role("button", name="New game").click()
    expect(page.get_by_role("alert")).to_contain_text("Balut is too large for duel")
    page.get_by_label("Rules").select_option("micro-yahtzee")
    page.get_by_role("button", name="New game").click()
    chances, words = page.locator(".chances"), "Chances to win, each answering the other: You {} %"
    first = round(100 * DuelSolver("micro-yahtzee").solve().value())
    expect(chances).to_have_attribute("aria-label", re.compile(words.format(first)))
    for turn in (1, 2):
        expect(page.locator(".stage")).to_contain_text(f"Turn {turn} of 2, You: roll")
        take_a_turn(page)
    expect(page.locator(".ending .result")).to_be_visible()
    result = page.locator(".ending .result").inner_text()
    share = 50 if "tie" in result else 100 if result.startswith("You") else 0
    expect(chances).to_have_attribute("aria-label", re.compile(words.format(share)))
