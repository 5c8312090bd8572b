"""Take pictures of every state of the table and of all pages, and find faults of the layout.

    PYTHONPATH=tests python docs/tools/table_pictures.py
        [--check] [--language TAG] [--output FOLDER] [PATTERN …]

Each state has a picture in all sizes of ``browser_pages.SIZES``, in light and in dark mode, and the
folder also gets contact sheets. Faults are printed. With ``--check`` the command takes no pictures,
and fails if there are faults, as ``tests/web/test_states.py`` does. ``--language`` shows all states
in another language than English. Patterns such as ``'web ending*'`` select states.
"""

import argparse
import json
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, replace
from fnmatch import fnmatch
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal, get_args

from axe_playwright_python.sync_playwright import Axe
from PIL import Image, ImageDraw
from playwright.sync_api import Browser, Error, Page, WebSocketRoute, expect, sync_playwright

from browser_pages import (
    FAULTS,
    PLAYERS,
    SETTLED,
    SIZES,
    open_offline,
    open_on_server,
    resize,
    watched,
)
from repository import ROOT
from rollwise import Rules, load_rules, solve
from rollwise.client.languages import LANGUAGES
from rollwise.client.rules_data import rules_data
from rollwise.game.actions import Score
from rollwise.game.game import Game, fair_roll
from rollwise.history import History
from rollwise.playing.bot import Bot
from rollwise.questions.size_limits import is_small
from rollwise.reviews.review import review
from rollwise.rules import preset_names
from rollwise.strategies import STRATEGIES
from servers import Server, serving

NAMES = (*PLAYERS, "Emil", "Felicitas")
PATIENCE = 600_000
"""The milliseconds to wait for a page; the server might have to solve its game first."""

SHEET, TILE, GAP = (1600, 1400), (780, 670), 16
"""The size of a contact sheet, the largest size of a picture on it, and the space between them."""

Scheme = Literal["light", "dark"]
AUDITED: dict[str, Scheme] = {"phone": "light", "desktop": "dark"}
"""The sizes and color schemes in which axe reads a page."""

BEFORE_ROLL = 100


@dataclass(frozen=True)
class State:
    """A page, or the table at the last player's position in a turn with some rolls left.

    A step clicks a selector (``#all``), waits until one has a text (``=#end``) or another text
    (``~#say``), or presses keys; ``again`` has the steps to repeat after a change of the size. No
    message of the server arrives after one with ``last_words``.
    """

    steps: str = ""
    again: str = ""
    rules: str = "yahtzee"
    players: int = 1
    turn: int = 3
    rolls_left: int = 2
    is_real: bool = False
    bot: str = ""
    last_words: str = ""
    is_lost: bool = False
    other_seat: str = ""
    path: str = ""
    is_welcomed: bool = True


HINT = "h | ~#say"
MENU, NEW = "#menu-button | #menu [value={}]", "#menu-button | #menu [value=new]"
BOTH = {
    "before the roll": State(rolls_left=BEFORE_ROLL),
    "dice held": State("1 | 2"),
    "last roll": State(rolls_left=0),
    "hint on a keep": State(HINT),
    "hint on a category": State(HINT, rolls_left=0),
    "code of a category": State("s"),
    "unknown code": State("zz"),
    "undone": State("u"),
    "tutor's warning": State("t | ch | =#warning-text"),
    "all options": State("h | o"),
    "category": State("#card .box >> nth=8", rolls_left=BEFORE_ROLL),
    "menu": State("#menu-button"),
    "rules": State(MENU.format("rules")),
    "all scorecards": State(MENU.format("cards"), players=4),
    "keys": State("?"),
    "real dice": State("=#faces", rolls_left=BEFORE_ROLL, is_real=True),
    **{f"reason in turn {turn}": State(HINT, turn=turn, rolls_left=1) for turn in range(1, 13)},
    **{
        f"ending {n}": State(
            ".box[data-state=possible] | =#end-text section", "Escape | #roll", players=n, turn=13
        )
        for n in range(1, len(NAMES) + 1)
    },
}
"""The states of the table on a server and in an offline page."""

OFFLINE = {
    "welcome": State(is_welcomed=False),
    "new game": State(NEW),
    "new game of six": State(" | Tab | ".join((NEW, *NAMES[1:]))),
    "draft": State(f"{NEW} | #new [value=enter]", players=2),
    "points": State(f"{NEW} | #new [value=enter] | .box >> nth=12"),
    "review": State(
        ".box[data-state=possible] | =#end-text section | #end [value=replay]", turn=13
    ),
}
WEB = {
    "welcome": State(is_welcomed=False),
    "invite": State(MENU.format("invite"), players=2),
    "invited": State("=#seat[open]", path="/play/invited"),
    "waiting for a player": State(players=2, other_seat="1"),
    "waiting for an opponent": State(
        ".box[data-state=possible]", players=2, bot="greedy", last_words='"isWaiting":true'
    ),
    "connection lost": State(last_words='"state"', is_lost=True),
    "win probability": State(HINT, players=2),
    "review": State(path="/review/finished/steps?step=20"),
    "mistake in a review": State("m", path="/review/finished/steps"),
    "another try in a review": State("mh", path="/review/finished/steps"),
    "rules of Yamb": State(MENU.format("rules"), rules="yamb-down-up-free"),
    "too large for advice": State(rules="maxi-yatzy", players=2),
    "real dice of two kinds": State(
        "=#faces | 12345", rules="kniffel-extreme", players=4, rolls_left=BEFORE_ROLL, is_real=True
    ),
}
ASKED = "=#say.hint"
GAME_OF = "?players={}&mover=Ben&opponents=yahtzee=50,sixes=24&position=dice+"
ADVICE = {
    "": State(ASKED),
    "dice to keep": State(f"{ASKED} | #say"),
    "dice to enter": State(f"{ASKED} | #further"),
    "points": State(f"{ASKED} | #further | .box >> nth=12"),
    "all options": State(f"{ASKED} | o"),
    "menu": State(f"{ASKED} | #menu-button"),
    "question": State(f"{ASKED} | {MENU.format('question')}"),
    "last roll": State(ASKED, path="?position=dice+11366+|+rolls-left+0"),
    "refused": State("=#problem", path="?position=dice+66"),
    "opponents": State(
        f"{ASKED} | o", path="?rules=micro-yahtzee&position=dice+3&objective=beat&opponents=-"
    ),
    "opponent who responds": State(
        f"{ASKED} | o",
        path="?rules=micro-yahtzee&position=dice+3&objective=beat&opponents=-&plays=duel",
    ),
    "of Yamb": State(ASKED, path="?rules=yamb-down-up&position=dice+11366"),
    "of Kismet": State("=#faces", path="?rules=kismet"),
    "new game": State(f"{ASKED} | {NEW}"),
    **{
        f"of {n} players": State(ASKED, path=f"{GAME_OF.format(','.join(NAMES[:n]))}11366")
        for n in range(2, len(NAMES) + 1)
    },
    **{
        f"of {n} players before the roll": State(
            "=.expected", path=f"{GAME_OF.format(','.join(NAMES[:n]))}-"
        )
        for n in range(2, len(NAMES) + 1)
    },
}
"""The states of the table with advice for a position."""
PAGES = {
    "home": State(path="/"),
    "home, real dice": State(".real", path="/"),
    "home, variants": State("[aria-label^=Yatzy]", path="/"),
    "games": State(
        "=#rating .outcome | " + " | ".join(f".page summary >> nth={n}" for n in range(3)),
        path="/games?rules=yahtzee&name=Ben",
    ),
    "games without a rating": State(path="/games?rules=crag"),
    "no mistakes": State(path="/practice?rules=crag"),
    "review": State(path="/review/finished"),
    "printed review": State(path="/review/finished/page"),
    "strategy": State(path="/strategies"),
    "strategies": State(
        path="/strategies?rules=crag&strategy=optimal&strategy=greedy&strategy=random"
    ),
    "highest": State(path="/strategies?rules=micro-yahtzee&highest=1"),
    "missing": State(path="/nowhere"),
    "too large": State(path="/strategies?rules=maxi-yatzy"),
}
"""The pages of documents."""

PUZZLE = "/puzzle/2026-11-22?rules=yahtzee"
QUESTIONS = {
    "question": State(path=PUZZLE),
    "dice answered": State("1 | r | ~#say", path=PUZZLE),
    "category answered": State(".box[data-state=possible] >> nth=1 | ~#say", path=PUZZLE),
    "result": State("1 | r | r", path=PUZZLE),
    "test": State("r | ~#say", path="/test?rules=crag"),
    "your mistakes": State("r | ~#say", path="/practice?rules=yahtzee&name=Ben"),
}


def states() -> Iterator[tuple[str, State]]:
    """Yield all states and their names, among them a turn of each layout of a scorecard."""
    for where, named in {
        "web": BOTH | WEB, "offline": BOTH | OFFLINE, "page": PAGES, "quiz": QUESTIONS
    }.items():  # fmt: skip
        for name, state in named.items():
            yield f"{where} {name}", state
    for name, state in ADVICE.items():
        yield (
            f"web advice {name}".strip(),
            replace(state, path=f"/advise{state.path or '?position=dice+11366'}"),
        )
    layouts = {layout_of(rules): rules for rules in map(load_rules, preset_names())}
    for rules, players in product(layouts.values(), range(1, len(NAMES) + 1)):
        steps = HINT if players == 1 and is_small(rules) else ""
        turn = min(3, len(rules.categories))
        state = State(steps, "", rules.name, players, turn, rules.rolls - 1)
        yield f"web {rules.name} {players}", state
        if is_small(rules) and players == len(PLAYERS):
            yield f"offline {rules.name} {players}", state


def layout_of(rules: Rules) -> str:
    """Return what the layout of a scorecard depends on."""
    data = rules_data(rules)
    rows = [(row["title"], row["section"], row["first"]) for row in data["categories"]]
    return json.dumps([rows, *(data[key] for key in ("kinds", "columns", "saved", "extra"))])


STATES = dict(states())


def game_of(state: State, seed: int = 5) -> Game:
    """Return the game of a state, which greedy players have played."""
    rules, players = load_rules(state.rules), NAMES[: state.players]
    bots = {players[1]: state.bot} if state.bot else {}
    game = Game(rules, players, seed=None if state.is_real else seed, bots=bots)
    greedy, player = Bot(STRATEGIES["greedy"](), rules), 0 if bots else len(players) - 1
    while not game.is_over:
        event = fair_roll(game, seed) if game.awaits_roll else greedy.choose(game)
        is_low = game.stage.rolls_left <= state.rolls_left or isinstance(event, Score)
        is_rolled = game.awaits_roll == (state.rolls_left == BEFORE_ROLL)
        if (game.turn, game.stage.player) == (state.turn, player) and is_low and is_rolled:
            break
        game.push(event)
    return game


def relay(words: str, is_closed: bool) -> Callable[[WebSocketRoute], None]:
    """Return a function that connects a table to its server until some words have arrived."""
    arrived = list[str | bytes]()

    def connect(window: WebSocketRoute) -> None:
        def pass_on(message: str | bytes) -> None:
            if not arrived:
                window.send(message)
            if words in str(message):
                arrived.append(message)
            if arrived and is_closed:
                window.close()

        if arrived:
            window.close()
        else:
            window.connect_to_server().on_message(pass_on)

    return connect


def save_games(server: Server) -> None:
    """Save the games that the pages show: an invitation, and six finished games."""
    server.save("invited", game_of(State(players=2, rolls_left=BEFORE_ROLL)))
    finished = game_of(State(players=2, turn=14))
    reviews = review(finished, solve(finished.rules))
    with History(server.database) as history:
        for id in ("finished", *(f"earlier-{number}" for number in range(1, 6))):
            history.keep_reviews(id, reviews, history.save(id, finished))


@contextmanager
def opened(
    browser: Browser, server: Server, folder: Path, name: str, language: str = "en"
) -> Iterator[Page]:
    """Yield a page in a state; fail if the page has an error or breaks its policy."""
    state, is_offline = STATES[name], name.startswith("offline")
    address = None if is_offline else server.address
    with watched(browser, address, is_welcomed=state.is_welcomed, locale=language) as context:
        page = context.new_page()
        if is_offline:
            open_offline(page, game_of(state), folder)
        elif state.path:
            page.goto(state.path, timeout=PATIENCE)
            expect(page.locator("html.ready, body:not(:has(#tray))")).to_be_attached()
            expect(page.locator(".job")).to_have_count(0, timeout=PATIENCE)
        else:
            open_game(page, re.sub(r"\W+", "-", name), state, server)
        follow(page, state.steps)
        yield page


def open_game(page: Page, id: str, state: State, server: Server) -> None:
    """Open the table of a state on a server."""
    game = game_of(state)
    server.save(id, game)
    if state.last_words:
        page.route_web_socket("**/socket", relay(state.last_words, state.is_lost))
    if state.other_seat:
        page.request.post(f"/play/{id}/seat", form={"player": state.other_seat})
        page.context.clear_cookies()
    open_on_server(page, id)
    if is_small(game.rules) and not state.is_lost:
        expect(page.locator(".expected, .share").first).to_be_attached(timeout=PATIENCE)


def follow(page: Page, steps: str) -> None:
    """Follow the steps to a state."""
    for step in filter(None, steps.split(" | ")):
        element = page.locator(step.lstrip("=~")).first
        if step[0] == "~":
            with suppress(AssertionError):  # the reason can arrive later, before, or never
                wait = 4_000 if page.url.startswith("http") else 1
                expect(element).not_to_have_text(element.text_content() or "", timeout=wait)
        elif step[0] == "=":
            expect(element).not_to_be_empty()
        elif step[0] in "#.[":
            element.click()
        elif step in ("Escape", "Tab"):
            page.keyboard.press(step)
        else:
            page.keyboard.type(step)


def faults_of(page: Page, name: str) -> dict[str, list[str]]:
    """Return the faults of a page in a state, each with the sizes that have it."""
    faults = defaultdict[str, list[str]](list)
    for size in SIZES:
        resize(page, size)
        follow(page, STATES[name].again)
        page.evaluate(SETTLED)
        found = page.evaluate(FAULTS)
        if size in AUDITED:
            found += audit(page, AUDITED[size])
        for fault in found:
            faults[fault].append(size)
    return faults


def audit(page: Page, scheme: Scheme) -> list[str]:
    """Return the problems that axe finds in a page in a color scheme."""
    page.emulate_media(color_scheme=scheme)
    page.evaluate(SETTLED)
    report = Axe().run(page, options={"resultTypes": ["violations"]}).response
    return [
        f"{rule['id']}: {node['html']}" for rule in report["violations"] for node in rule["nodes"]
    ]


def take_pictures(page: Page, name: str, output: Path) -> None:
    """Take the pictures of a page in all sizes and color schemes."""
    for size in SIZES:
        resize(page, size)
        follow(page, STATES[name].again)
        for scheme in get_args(Scheme):
            page.emulate_media(color_scheme=scheme)
            page.evaluate(SETTLED)
            path = output / f"{size}-{scheme}" / f"{name}.png"
            page.screenshot(path=path, full_page=name.startswith("page"))


def make_sheets(output: Path) -> None:
    """Put the pictures of each folder on contact sheets."""
    for folder in filter(Path.is_dir, output.iterdir()):
        size = SIZES[folder.name.rpartition("-")[0]]
        scale = min(1, *(most / length for most, length in zip(TILE, size, strict=True)))
        width, height = (int(scale * length) for length in size)
        across, down = SHEET[0] // (width + GAP), SHEET[1] // (height + GAP)
        pictures = sorted(folder.iterdir())
        for first in range(0, len(pictures), across * down):
            sheet = Image.new("RGB", SHEET, "white")
            for i, path in enumerate(pictures[first : first + across * down]):
                x, y = i % across * (width + GAP), i // across * (height + GAP)
                picture = Image.open(path).crop((0, 0, *size)).resize((width, height))
                sheet.paste(picture, (x, y + GAP))
                ImageDraw.Draw(sheet).text((x, y), path.stem, "black")
            sheet.save(output / f"{folder.name}-{first // (across * down):02}.png")


def show(opening: AbstractContextManager[Page], name: str, output: Path | None) -> int:
    """Take the pictures of a state, print its faults, and return their number."""
    faults: dict[str, list[str]] = {}
    try:
        with opening as page:
            if output:
                take_pictures(page, name, output)
            faults = faults_of(page, name)
    except (Error, AssertionError) as error:
        faults[f"not shown: {str(error).splitlines()[0]}"] = ["all"]
    for fault, sizes in faults.items():
        print(f"{name}: {fault} ({', '.join(sizes)})", flush=True)
    return len(faults)


def main() -> int:
    """Show the states that match a pattern; return the status of the command."""
    parser = argparse.ArgumentParser()
    parser.add_argument("patterns", nargs="*", default=["*"])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--language", choices=LANGUAGES, default="en")
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "pictures")
    options, number = parser.parse_args(), 0
    output = None if options.check else options.output
    with (
        TemporaryDirectory() as temporary,
        sync_playwright() as playwright,
        serving(f"sqlite:///{temporary}/games.sqlite", Path(temporary)) as server,
    ):
        save_games(server)
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox"]
        )
        for name in STATES:
            if any(fnmatch(name, pattern) for pattern in options.patterns):
                opening = opened(browser, server, Path(temporary), name, options.language)
                number += show(opening, name, output)
        browser.close()
    if output:
        make_sheets(output)
    return int(options.check and number > 0)


if __name__ == "__main__":
    sys.exit(main())
