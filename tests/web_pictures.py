"""Take pictures of the web pages at three widths, in light and dark mode.

    python tests/web_pictures.py [NAME …]

The pictures are saved in build/pictures for a person to look at. A state is a function that
prepares a page; NAME is the beginning of its name.
"""

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

from rollwise import load_rules
from rollwise.game.game import Game, fair_roll
from rollwise.game.records.record import Record
from rollwise.history import History
from rollwise.playing.bot import Bot
from rollwise.reviews.review import review
from rollwise.solving.solver import solve
from rollwise.strategies import STRATEGIES, Optimal
from servers import serving

WIDTHS = {"phone": (390, 844), "tablet": (820, 1180), "desktop": (1440, 900)}
PICTURES = Path("build/pictures")
YAHTZEE = load_rules("yahtzee")

PATIENCE = 600_000
"""The milliseconds to wait for a page; the server might have to solve its game first."""


def address(path: str, last: str) -> Callable[[Page], None]:
    """Return a function that opens a page, and waits for the last element that it shows."""

    def bring(page: Page) -> None:
        page.goto(path)
        expect(page.locator(last).first).to_be_visible()

    return bring


def open_menu(page: Page) -> None:
    """Open the menu of the site on a phone."""
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("/")
    page.get_by_role("button", name="Menu").click()
    expect(page.get_by_role("link", name="Advice")).to_be_visible()


def options_sheet(page: Page) -> None:
    """Open the list of all options on a phone."""
    page.set_viewport_size({"width": 390, "height": 844})
    table("hinted", "h", last=".die.best")(page)
    page.get_by_role("button", name="All options").click()
    expect(page.locator("#options tbody tr").first).to_be_visible()


def table(id: str, *keys: str, last: str = ".die") -> Callable[[Page], None]:
    """Return a function that opens a game, presses keys, and waits for the last element.

    Parameters
    ----------
    id : str
        The id of the game in the history.
    last : str
        The selector of the last element.
    """

    def bring(page: Page) -> None:
        page.goto(f"/play/{id}")
        expect(page.locator(".expected").first).to_contain_text("→")  # advice has arrived
        for key in keys:
            page.keyboard.press(key)
        expect(page.locator(last).first).to_be_visible()

    return bring


def ending(id: str) -> Callable[[Page], None]:
    """Return a function that opens a finished game, and waits for its result."""

    def bring(page: Page) -> None:
        page.goto(f"/play/{id}")
        page.get_by_role("button", name="Result", exact=True).click()
        expect(page.locator("#end-text .scale").first).to_be_visible()

    return bring


STATES: dict[str, Callable[[Page], None]] = {
    "home": address("/", ".games li"),
    "table-begin": table("begin"),
    "table-rolled": table("rolled", "2", last=".die[aria-pressed=true]"),
    "table-hint": table("hinted", "h", last="#say small:has-text('gains')"),
    "table-hint-box": table("last-roll", "h", last=".box.best"),
    "table-options": options_sheet,
    "table-chances": table("rolled", last=".plate .share"),
    "table-chances-kismet": table("kismet-two", last=".plate .share"),
    "table-tutor": table("tutored", "t", "y", last="#warning[open]"),
    "table-kismet": table("kismet"),
    "table-balut": table("balut"),
    "table-columns": table("columns"),
    "table-announcing": table("announcing", "h", last=".box.best"),
    "table-announced": table("announced", "h", last="#say small:has-text('gains')"),
    "table-yatzy-three": table("three"),
    "table-real-dice": table("typed"),
    "ending": ending("finished"),
    "ending-alone": ending("alone"),
    "advise": address("/advise", "h2:has-text('Best')"),
    "review": address("/review/finished", ".worst li"),
    "review-announced": address("/review/promised?step=2", ".worst li"),
    "menu": open_menu,
    "review-paste": address("/review", "textarea"),
    "rating": address("/rating", "[aria-label='By the category that was scored'] td"),
    "practice": address("/practice", "main .die"),
    "practice-empty": address("/practice?rules=crag", ".answers a"),
    "puzzle": address("/puzzle/2026-11-22", "main .die"),
    "test": address("/test", "main .die"),
    "targets": address("/targets", "button.primary"),
}
"""For each state, the function that brings a page to it."""


def keep_games(database: str) -> None:
    """Save the games for the pictures."""
    two = ("Ada", "Ben")
    with History(database) as history:
        finished = played("yahtzee", two, 4)
        history.save("finished", finished)
        history.keep_reviews("finished", review(finished, solve(YAHTZEE)))
        history.save("alone", played("yahtzee", ("You",), 3))
        history.save("begin", Record(YAHTZEE, ("You",), seed=7))
        for id, left in {"rolled": 2, "hinted": 2, "last-roll": 0, "tutored": 1}.items():
            history.save(id, played("yahtzee", two, 4, 3, left))
        history.save("kismet", played("kismet", ("You",), 5, 4, 2))
        history.save("kismet-two", played("kismet", two, 5, 4, 2))
        history.save("balut", played("balut", ("You",), 5, 9, 1))
        history.save("columns", played("yamb-down-up", ("You",), 5, 9, 1))
        history.save("announcing", played("yamb-announced", two, 5, 5, 2))
        history.save("announced", played("yamb-announced", two, 5, 5, 1))
        events = "roll 13466; announce ones; keep 1; roll 11245; score ones"
        history.save("promised", Record("yamb-announced", "You", events))
        history.save("three", played("yatzy", ("Ada", "Ben", "Cleo"), 5, 6, 1))
        history.save("typed", Record(YAHTZEE, two))


def played(
    name: str, players: tuple[str, ...], seed: int, turns: int = 100, rolls_left: int = 0
) -> Record:
    """Return a game of greedy players that has ended or stops at a position in a turn.

    Games with announced categories are played optimally.

    Parameters
    ----------
    turns : int
        The number of complete turns.
    rolls_left : int
        The number of rolls left at the position after these turns.
    """
    rules = load_rules(name)
    player = Optimal(solve(rules)) if rules.announced else STRATEGIES["greedy"]()
    bot, game = Bot(player, rules), Game(rules, players)
    while not game.is_over:
        due = game.position
        if due is not None and game.turn > turns and due.rolls_left == rolls_left:
            break
        game.push(fair_roll(game, seed) if due is None else bot.action(due))
    return Record(rules, players, game.events, seed=seed)


def main(names: list[str]) -> None:
    """Take the pictures of some states, or of all states."""
    expect.set_options(timeout=PATIENCE)
    PICTURES.mkdir(parents=True, exist_ok=True)
    wanted = {
        name: bring for name, bring in STATES.items() if not names or name.startswith(tuple(names))
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
                page.set_default_timeout(PATIENCE)
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
