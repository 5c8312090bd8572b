"""The pictures of the pages that the README and the documentation show, taken anew.

    python tests/screens.py

Ada and Ben, best play and a greedy player with names, have played a game and begun another.
"""

import sys
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

from repository import DOCS
from rollwise import Record, load_rules, review, solve
from rollwise.game.events import Roll
from rollwise.history import History
from rollwise.laboratory.match import play_match
from rollwise.strategies import Optimal, parse_strategy
from servers import serving
from waiting import PATIENCE

FOLDER = DOCS / "images" / "screens"
DESKTOP = (1280, 800)
COLOURS = 128
"""Enough for flat pages, and a third of the bytes."""

ROLLED = 36
"""So many rolls of the game that has begun."""

COMING = ("Computing",)
"""What a page says that is not ready."""

SCREENS = {
    "table": ("/play/begun", DESKTOP, "light"),
    "review": ("/review/played", DESKTOP, "light"),
}
"""The address of each page, the size of the window, and its scheme."""


def keep_games(database: str) -> None:
    """Keep a finished game with its review, and one that stands at a roll."""
    rules, best = load_rules("yahtzee"), solve("yahtzee")
    match = play_match(Optimal(best), parse_strategy("greedy"), rules, 2, 3)
    played, other = (Record(rules, ("Ada", "Ben"), match.record(game).events) for game in (0, 1))
    rolls = [n for n, event in enumerate(other.events) if isinstance(event, Roll)]
    begun = Record(rules, ("Ada", "Ben"), other.events[: rolls[ROLLED] + 1])
    with History(database) as history:
        history.save("played", played)
        history.keep_reviews("played", review(played, best))
        history.save("begun", begun)


def take(browser: Browser, address: str, size: tuple[int, int], scheme: str, path: Path) -> None:
    """Take a picture of a page that has come to rest."""
    width, height = size
    page: Page = browser.new_page(
        viewport={"width": width, "height": height},
        color_scheme=scheme,  # type: ignore[arg-type]
        reduced_motion="reduce",
    )
    page.set_default_timeout(1000 * PATIENCE)
    page.goto(address)
    page.wait_for_load_state("networkidle")
    for words in COMING:
        expect(page.get_by_text(words)).to_have_count(0, timeout=1000 * PATIENCE)
    if "/play/" in address:
        page.keyboard.press("h")
        expect(page.get_by_text("Best play").first).to_be_visible(timeout=1000 * PATIENCE)
    drawn = Image.open(BytesIO(page.screenshot())).convert("RGB")
    drawn.quantize(COLOURS).save(path, optimize=True)
    page.close()


def main() -> None:
    """Take all pictures, or those named."""
    wanted = sys.argv[1:] or list(SCREENS)
    FOLDER.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        database = f"sqlite:///{folder}/games.sqlite"
        keep_games(database)
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox"]
        )
        with serving(database, Path(folder)) as server:
            for name in wanted:
                page, size, scheme = SCREENS[name]
                take(browser, server.address + page, size, scheme, FOLDER / f"{name}.png")
                print(name, f"{(FOLDER / f'{name}.png').stat().st_size:,} bytes")
        browser.close()


if __name__ == "__main__":
    main()
