"""Check that the pages of games fit their screens.

    python tests/table_sizes.py [RULES …]

For every preset with one, two, and four players, the script compares the size of the page with the
window of a phone, a tablet, and a desktop. The page shows a roll and the longest possible messages.
The exit code is 1 if a page is higher, or has an element that is wider, than the window.
"""

import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from rollwise.game.game import Game, fair_roll
from rollwise.game.records.record import Record
from rollwise.history import History
from rollwise.rules import load_rules, preset_names
from servers import serving
from web_pictures import PATIENCE, WIDTHS

PLAYERS = ("Maximiliana", "Ben", "Cleo", "Dora")
NUMBERS = (1, 2, 4)

FULLEST = """() => {
    document.querySelector('.chances').classList.remove('hidden');
    document.querySelector('.words').textContent = 'Keep 123456: 245.7 ± 48';
    document.querySelector('.more').textContent = 'because of nearly everything '.repeat(9);
    document.querySelector('.coming').textContent = '';
    document.querySelector('.options').classList.remove('hidden');
}"""
"""Shows the longest possible hint and the win probabilities of two players."""

SIZE = """() => {
    const all = [...document.querySelectorAll('.game *')].filter((one) => one.checkVisibility());
    const right = (one) => one.getBoundingClientRect().right;
    return [document.documentElement.scrollHeight, innerHeight,
            Math.ceil(Math.max(...all.map(right))), innerWidth];
}"""


def games(names: Iterable[str]) -> dict[str, Record]:
    """Return games after their first roll, by their ids in the history."""
    records = {}
    for name in names:
        for number in NUMBERS:
            game = Game(load_rules(name), PLAYERS[:number])
            game.push(fair_roll(game, 5))
            records[f"{name}-{number}"] = Record(game.rules, game.players, game.events, seed=5)
    return records


def sizes(page: Page, id: str) -> Iterator[tuple[str, list[int]]]:
    """Yield the heights of page and window, the right edge of the page, and the window width."""
    page.emulate_media(reduced_motion="reduce")  # a moving die is wider than a resting die
    page.goto(f"/play/{id}")
    page.locator(".die[data-face]").first.wait_for()
    page.evaluate(FULLEST)
    for size, (width, height) in WIDTHS.items():
        page.set_viewport_size({"width": width, "height": height})
        yield size, page.evaluate(SIZE)


def main(names: list[str]) -> int:
    """Print the sizes of the pages of some rules, or of all; return 1 if one is too large."""
    too_large = 0
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        database = f"sqlite:///{folder}/games.sqlite"
        records = games(names or preset_names())
        with History(database) as history:
            for id, record in records.items():
                history.save(id, record)
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox"]
        )
        with serving(database, Path(folder)) as server:
            page = browser.new_page(base_url=server.address)
            page.set_default_timeout(PATIENCE)
            for id in records:
                for size, (height, window, right, width) in sizes(page, id):
                    fits = height <= window and right <= width
                    too_large += not fits
                    mark = "" if fits else "  too large"
                    print(
                        f"{id:32}{size:8} {height:5} of {window}, {right:5} of {width}{mark}",
                        flush=True,
                    )
        browser.close()
    print(f"{too_large} too large")
    return 1 if too_large else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
