"""Take the screenshots of web pages and the terminal for the README and the documentation.

    PYTHONPATH=tests python docs/tools/screens.py [NAME …]

Each page has a screenshot in light mode (``NAME.png``) and in dark mode (``NAME-dark.png``).
"""

import asyncio
import re
import sys
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

from browser_pages import WELCOMED
from repository import DOCS
from rollwise import load_rules, solve
from rollwise.game.game import Game, fair_roll
from rollwise.history import History
from rollwise.playing.bot import Bot
from rollwise.playing.session import Session
from rollwise.reviews.review import review
from rollwise.strategies import STRATEGIES
from rollwise.terminal.app import PlayApp
from servers import serving

FOLDER = DOCS / "images" / "screens"
PHONE, DESKTOP, TALL = (390, 844), (1200, 760), (1200, 980)
COLORS = 256
"""The number of colors in a picture: enough for these pages, with a third of the bytes."""

TERMINAL = (120, 30)
"""The numbers of columns and rows of the terminal."""


PATIENCE = 600_000
"""The milliseconds to wait for a page; the server might have to solve its game first."""


def hinted(page: Page) -> None:
    """Open a game, and ask for a hint."""
    page.goto("/play/hinted")
    page.get_by_role("button", name="All players without a device").click()
    expect(page.locator(".expected").first).to_contain_text("→")  # advice has arrived
    page.keyboard.press("h")
    expect(page.locator("#say small:has-text('Gains')")).to_be_visible()


def mistaken(page: Page) -> None:
    """Step through a review to a mistake of a later turn."""
    page.goto("/review/finished/steps?step=30")
    page.get_by_role("button", name="Next mistake").click()
    expect(page.locator("#say small")).to_contain_text("Gains")


def statistics(page: Page) -> None:
    """Open the statistics of Yahtzee."""
    page.goto("/strategies")
    expect(page.locator("[aria-label='Categories'] td").first).to_be_visible()


def answered(page: Page) -> None:
    """Answer the puzzle of a day: keep the highest die, and reroll the other dice."""
    page.goto("/puzzle/2026-11-22")
    expect(page.locator("html.ready")).to_be_attached()
    for key in ("5", "r"):
        page.keyboard.press(key)
    expect(page.locator("#say small:has-text('Gains')")).to_be_visible()


SCREENS: dict[str, tuple[Callable[[Page], None], tuple[int, int]]] = {
    "table": (hinted, DESKTOP),
    "table-phone": (hinted, PHONE),
    "review": (mistaken, DESKTOP),
    "statistics": (statistics, TALL),
    "puzzle-phone": (answered, PHONE),
}
"""For each picture, the function that opens the page, and the size of the window."""


def played(turns: int = 100, rolls_left: int = 0) -> Game:
    """Return a game of greedy players that has ended, or stops at a position.

    Parameters
    ----------
    turns : int
        The number of complete turns.
    rolls_left : int
        The number of rolls left at the position after these turns.
    """
    rules, players, seed = load_rules("yahtzee"), ("Ada", "Ben"), 4
    bot, game = Bot(STRATEGIES["greedy"](), rules), Game(rules, players, seed=seed)
    while not game.is_over:
        due = game.position
        if due is not None and game.turn > turns and due.rolls_left == rolls_left:
            break
        game.push(fair_roll(game, seed) if due is None else bot.action(due))
    return game


def save_games(database: str) -> None:
    """Save the games that the pages show."""
    with History(database) as history:
        finished = played()
        saved_at = history.save("finished", finished)
        history.keep_reviews("finished", review(finished, solve(finished.rules)), saved_at)
        history.save("hinted", played(3, 2))


def take(browser: Browser, server: str, name: str) -> None:
    """Take the pictures of a page in light and dark mode."""
    bring, (width, height) = SCREENS[name]
    page = browser.new_page(base_url=server, reduced_motion="reduce")
    page.set_viewport_size({"width": width, "height": height})
    page.set_default_timeout(PATIENCE)
    page.add_init_script(WELCOMED)
    bring(page)
    for scheme, ending in (("light", ""), ("dark", "-dark")):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        keep(page.screenshot(), name + ending)
    page.close()


async def terminal() -> str:
    """Return the terminal screen of a game with a hint, as SVG in the fonts of this machine."""
    game = played(3, 2)
    app = PlayApp(Session(game, solve(game.rules)))
    async with app.run_test(size=TERMINAL) as pilot:
        await pilot.press("h")
        await app.workers.wait_for_complete()
        await pilot.pause()
        svg = app.export_screenshot(title="rollwise play")
    svg = re.sub(r"@font-face \{.*?\}", "", svg, flags=re.DOTALL)
    return svg.replace("Fira Code", "DejaVu Sans Mono")


def take_terminal(browser: Browser, svg: str) -> None:
    """Take the picture of a terminal from its SVG."""
    page = browser.new_page(viewport={"width": 1200, "height": 900})
    page.set_content(f"<body style='margin: 0'>{svg}</body>")
    keep(page.locator("svg").screenshot(), "terminal")
    page.close()


def keep(png: bytes, name: str) -> None:
    """Save a picture with few colors, and print its size."""
    path = FOLDER / f"{name}.png"
    image = Image.open(BytesIO(png)).convert("RGB")
    image.quantize(COLORS, Image.Quantize.MEDIANCUT, kmeans=2, dither=Image.Dither.NONE).save(
        path, optimize=True
    )
    print(f"{name}: {path.stat().st_size:,} bytes")


def main() -> None:
    """Take all screenshots, or only the screenshots named on the command line."""
    wanted = sys.argv[1:] or [*SCREENS, "terminal"]
    expect.set_options(timeout=PATIENCE)
    FOLDER.mkdir(parents=True, exist_ok=True)
    # This must run before playwright starts its event loop.
    svg = asyncio.run(terminal()) if "terminal" in wanted else ""
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox"]
        )
        if svg:
            take_terminal(browser, svg)
        database = f"sqlite:///{folder}/games.sqlite"
        save_games(database)
        with serving(database, Path(folder)) as server:
            for name in wanted:
                if name in SCREENS:
                    take(browser, server.address, name)
        browser.close()


if __name__ == "__main__":
    main()
