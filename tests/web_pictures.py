"""Pictures of the pages at three widths, light and dark: ``python tests/web_pictures.py [NAME …]``.

They come to lie in build/pictures, to be looked at by a person. A state is a function that brings a
page there; NAME is the beginning of its name.
"""

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

from games import at_random, play
from rollwise import load_rules
from rollwise.game.records.record import Record
from rollwise.history import History
from rollwise.reviews.review import review
from rollwise.solving.solver import solve
from servers import serving

WIDTHS = {"phone": (390, 844), "tablet": (820, 1180), "desktop": (1440, 900)}
PICTURES = Path("build/pictures")
YAHTZEE = load_rules("yahtzee")


def address(path: str, last: str) -> Callable[[Page], None]:
    """Return what opens an address and waits for what is the last that it shows."""

    def bring(page: Page) -> None:
        page.goto(path)
        expect(page.locator(last).first).to_be_visible()

    return bring


def open_menu(page: Page) -> None:
    """Open the sections of the site on a phone."""
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("/")
    page.get_by_role("button", name="Menu").click()
    expect(page.get_by_role("link", name="Advice")).to_be_visible()


STATES: dict[str, Callable[[Page], None]] = {
    "home": address("/", ".games li"),
    "advise": address("/advise", "h2:has-text('Best')"),
    "review": address("/review/finished", ".worst li"),
    "menu": open_menu,
    "review-paste": address("/review", "textarea"),
    "proficiency": address("/proficiency", "[aria-label='By the box that was scored'] td"),
    "practice": address("/practice", ".cards .box"),
    "targets": address("/targets", "button.primary"),
}
"""What brings a page to each state."""


def keep_games(database: str) -> None:
    """Save the games that the pictures are of."""
    with History(database) as history:
        two = ("Ada", "Ben")
        events = play(YAHTZEE, list(two), 7, at_random(1)).events
        record = Record(YAHTZEE, two, events, seed=7)
        history.save("finished", record)
        history.keep_reviews("finished", review(record, solve(YAHTZEE)))


def main(asked: list[str]) -> None:
    """Take the pictures of the states asked for, or of all."""
    expect.set_options(timeout=120_000)
    PICTURES.mkdir(parents=True, exist_ok=True)
    wanted = {
        name: bring for name, bring in STATES.items() if not asked or name.startswith(tuple(asked))
    }
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        database = f"sqlite:///{folder}/games.sqlite"
        keep_games(database)
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox"]
        )
        with serving(database, Path(folder)) as server:
            for name, bring in wanted.items():
                page = browser.new_page(base_url=server.address, reduced_motion="reduce")
                page.set_default_timeout(120_000)
                bring(page)
                for width, (x, y) in WIDTHS.items():
                    page.set_viewport_size({"width": x, "height": y})
                    for scheme in ("light", "dark"):
                        page.emulate_media(color_scheme=scheme)
                        page.screenshot(path=PICTURES / f"{name}-{width}-{scheme}.png")
                page.close()
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
