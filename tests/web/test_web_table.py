"""The table in a real browser: whole games, and a table that is there before its game is solved."""

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources

import pytest
from playwright.sync_api import Browser, Page, expect

from rollwise.history import History
from servers import Server, serving
from waiting import PATIENCE

SCREEN = {"width": 1440, "height": 900}

pytestmark = pytest.mark.slow

expect.set_options(timeout=1000 * PATIENCE)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Yield a server that also offers a game of its own, which nobody has solved."""
    folder = tmp_path_factory.mktemp("tables")
    preset = resources.files("rollwise.rules").joinpath("presets", "micro-yahtzee.toml")
    text = preset.read_text(encoding="utf-8").replace('"micro-yahtzee"', '"unsolved"')
    (mine := folder / "unsolved.toml").write_text(text, encoding="utf-8")
    database = f"sqlite:///{folder}/games.sqlite"
    with History(database), serving(database, folder, "--rules", str(mine)) as running:
        yield running


@pytest.fixture
def page(browser: Browser, server: Server) -> Iterator[Page]:
    page = browser.new_page(viewport=SCREEN, base_url=server.address)  # type: ignore[arg-type]
    page.set_default_timeout(1000 * PATIENCE)
    yield page
    page.close()


@contextmanager
def halted(server: Server) -> Iterator[None]:
    """Halt the processes in which a server solves games; the end of the block lets them go on."""
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


def test_the_table_is_there_before_the_game_is_solved(page: Page, server: Server) -> None:
    asked = "/api/options?rules=micro-yahtzee&position=dice 1 | rolls-left 0 | card -"
    assert page.request.get(asked).ok  # from now on a process waits for the next game
    page.goto("/")
    page.get_by_label("Rules").select_option("unsolved")
    page.get_by_label("Players").fill("Ada")
    page.get_by_label("Against").select_option("optimal")
    coming, stage = page.locator(".coming"), page.locator(".stage")
    with halted(server):
        page.get_by_role("button", name="New game").click()
        expect(coming).to_have_text("Advice to come: computing…")
        page.locator(".roll").click()
        expect(stage).to_contain_text("roll 1 of 1")
        page.get_by_role("button", name="Hint").click()
        expect(page.get_by_role("button", name="Hint", pressed=True)).to_be_visible()
        page.reload()
        expect(stage).to_contain_text("roll 1 of 1")
        page.locator('.box[data-state="possible"]').first.click()
        expect(coming).to_have_text("optimal waits: computing…")
        expect(stage).to_contain_text("Turn 1 of 2, optimal: roll 1 of 1")
    expect(stage).to_contain_text("Turn 2 of 2, Ada: roll the dice")
    expect(page.locator(".player .expected").first).to_contain_text(".")
    page.locator(".roll").click()
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".hints tbody tr").first).to_be_visible()
