"""Take pictures of every state of the table and of all pages, and find faults of the layout.

    PYTHONPATH=tests python docs/tools/table_pictures.py
        [--check] [--language TAG] [--output FOLDER] [PATTERN …]

Each state has a picture in all sizes of ``browser_pages.SIZES``, in light and in dark mode, and the
folder also gets contact sheets. Faults are printed. With ``--check`` the command takes no pictures,
and fails if there are faults. ``--language`` shows all states in another language than English.
Patterns such as ``'web ending*'`` select states.
"""

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from fnmatch import fnmatch
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image, ImageDraw
from playwright.sync_api import BrowserContext, Error, Page, WebSocketRoute, expect, sync_playwright

from browser_pages import FAULTS, PLAYERS, SETTLED, SIZES, WELCOMED, resize
from repository import ROOT
from rollwise import Rules, load_rules, solve
from rollwise.client.languages import LANGUAGES
from rollwise.client.rules_data import rules_data
from rollwise.game.actions import Score
from rollwise.game.game import Game, fair_roll
from rollwise.history import History
from rollwise.offline_page.page import offline_html
from rollwise.playing.bot import Bot
from rollwise.questions.size_limits import is_small
from rollwise.reviews.review import review
from rollwise.rules import preset_names
from rollwise.strategies import STRATEGIES
from servers import serving

NAMES = (*PLAYERS, "Emil", "Felicitas")
PATIENCE = 600_000
"""The milliseconds to wait for a page; the server might have to solve its game first."""

SHEET, TILE, GAP = (1600, 1400), (780, 670), 16
"""The size of a contact sheet, the largest size of a picture on it, and the space between them."""

BEFORE_ROLL = 100


@dataclass(frozen=True)
class State:
    """A page, or the table at the last player's position in a turn with some rolls left.

    A step clicks a selector (``#all``), waits for one (``=#end``), or presses keys; ``again`` has
    the steps to repeat after a change of the size. No message of the server arrives after one with
    ``last_words``.
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


MENU, NEW = "#menu-button | #menu [value={}]", "#menu-button | #menu [value=new]"
BOTH = {
    "before the roll": State(rolls_left=BEFORE_ROLL),
    "dice held": State("1 | 2"),
    "last roll": State(rolls_left=0),
    "hint on a keep": State("h"),
    "hint on a category": State("h", rolls_left=0),
    "code of a category": State("s"),
    "unknown code": State("zz"),
    "undone": State("u"),
    "tutor's warning": State("t | ch | =#warning-text"),
    "all options": State("o"),
    "category": State("#card .box >> nth=8", rolls_left=BEFORE_ROLL),
    "menu": State("#menu-button"),
    "rules": State(MENU.format("rules")),
    "all scorecards": State(MENU.format("cards"), players=4),
    "keys": State("?"),
    "real dice": State("=#faces", rolls_left=BEFORE_ROLL, is_real=True),
    **{f"reason in turn {turn}": State("h", turn=turn, rolls_left=1) for turn in range(1, 13)},
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
    "invited": State(players=2, rolls_left=BEFORE_ROLL),
    "waiting for a player": State(players=2, other_seat="1"),
    "waiting for an opponent": State(
        ".box[data-state=possible]", players=2, bot="greedy", last_words='"isWaiting":true'
    ),
    "connection lost": State(last_words='"state"', is_lost=True),
    "win probability": State("h", players=2),
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
    "home": "/", "no mistakes": "/practice?rules=crag", "games": "/games?name=Ben",
    "review": "/review/finished", "printed review": "/review/finished/page",
    "strategy": "/strategies",
    "strategies": "/strategies?rules=crag&strategy=optimal&strategy=greedy&strategy=random",
    "highest": "/strategies?rules=micro-yahtzee&highest=1",
    "missing": "/nowhere", "too large": "/strategies?rules=maxi-yatzy",
}  # fmt: skip


PUZZLE = "/puzzle/2026-11-22?rules=yahtzee"
QUESTIONS = {
    "question": State(path=PUZZLE),
    "dice answered": State("1 | r", path=PUZZLE),
    "category answered": State(".box[data-state=possible] >> nth=1", path=PUZZLE),
    "result": State("1 | r | r", path=PUZZLE),
    "test": State("r", path="/test"),
    "your mistakes": State("r", path="/practice?name=Ben"),
}


def states() -> Iterator[tuple[str, State]]:
    """Yield all states and their names, among them a turn of each layout of a scorecard."""
    for where, names in (("web", BOTH | WEB), ("offline", BOTH | OFFLINE)):
        for name, state in names.items():
            yield f"{where} {name}", state
    for name, state in ADVICE.items():
        yield (
            f"web advice {name}".strip(),
            replace(state, path=f"/advise{state.path or '?position=dice+11366'}"),
        )
    for name, path in PAGES.items():
        yield f"page {name}", State(path=path)
    yield "page home, real dice", State(".real", path="/")
    yield "page home, variants", State("[aria-label^=Yatzy]", path="/")
    for name, state in QUESTIONS.items():
        yield f"quiz {name}", state
    layouts = {layout_of(rules): rules for rules in map(load_rules, preset_names())}
    for rules, players in product(layouts.values(), range(1, len(NAMES) + 1)):
        steps = "h" if players == 1 and is_small(rules) else ""
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


def open_on_server(page: Page, name: str, state: State, database: str) -> None:
    """Open the table of a state on a server."""
    game, id = game_of(state), name.replace(" ", "-").replace("'", "")
    with History(database) as history:
        history.save(id, game)
    if state.last_words:
        page.route_web_socket("**/socket", relay(state.last_words, state.is_lost))
    if state.other_seat:
        page.request.post(f"/play/{id}/seat", form={"player": state.other_seat})
        page.context.clear_cookies()
    page.goto(f"/play/{id}")
    expect(page.locator("html.ready")).to_be_attached()
    if is_small(game.rules) and not state.is_lost:
        expect(page.locator(".expected, .share").first).to_be_attached(timeout=PATIENCE)
    if state.is_welcomed and name != "web invited" and page.locator("dialog[open]").count():
        page.keyboard.press("Escape")


def open_offline(page: Page, state: State, folder: Path) -> None:
    """Open the table of a state in a file."""
    game, path = game_of(state), folder / f"{state.rules}.html"
    if not path.exists():
        path.write_text(offline_html(solve(game.rules)), encoding="utf-8")
    saved = {
        "players": game.players, "events": game.lines, "throws": [1, 2, 3, 4, 5, 6] * 1000,
        "cards": [[None] * len(game.rules.categories)] * state.players,
        "realDice": state.is_real, "helds": [],
    }  # fmt: skip
    key = f"rollwise {state.rules} expected"
    page.add_init_script(f"localStorage[{key!r}] = {json.dumps(json.dumps(saved))}")
    if not state.is_welcomed:
        page.add_init_script("localStorage.removeItem('rollwise welcome')")
    page.goto(path.as_uri())
    expect(page.locator("html.ready")).to_be_attached()


def follow(page: Page, steps: str) -> None:
    """Follow the steps to a state."""
    for step in filter(None, steps.split(" | ")):
        element = page.locator(step.removeprefix("=")).first
        if step[0] == "=":
            expect(element).not_to_be_empty()
        elif step[0] in "#.[":
            element.click()
        elif step in ("Escape", "Tab"):
            page.keyboard.press(step)
        else:
            page.keyboard.type(step)
    said = page.locator("#say.hint, #say.verdict")
    if steps == "h" or (
        page.locator("#say.verdict").count() and not page.locator("[open]").count()
    ):
        with suppress(AssertionError):  # the reason can arrive later, before, or never
            wait = 4_000 if page.url.startswith("http") else 1
            expect(said).not_to_have_text(said.inner_text(), timeout=wait)


def show(page: Page, name: str, again: str, output: Path | None) -> Iterator[tuple[str, str]]:
    """Show a page in all sizes, take its pictures, and yield each fault and its size."""
    for size in SIZES:
        resize(page, size)
        follow(page, again)
        page.evaluate(SETTLED)
        for fault in page.evaluate(FAULTS):
            yield fault, size
        for scheme in ("light", "dark") if output else ():
            page.emulate_media(color_scheme=scheme)
            path = Path(output or "", f"{size}-{scheme}", f"{name}.png")
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


def check(
    context: BrowserContext, name: str, state: State, folder: Path, output: Path | None
) -> int:
    """Show a state in a new context, print its faults, and return their number."""
    if state.is_welcomed:
        context.add_init_script(WELCOMED)
    faults, page = defaultdict[str, list[str]](list), context.new_page()
    try:
        if state.path:
            page.goto(state.path, timeout=PATIENCE)
            expect(page.locator(".job")).to_have_count(0, timeout=PATIENCE)
        elif name.startswith("web"):
            open_on_server(page, name, state, f"sqlite:///{folder}/games.sqlite")
        else:
            open_offline(page, state, folder)
        follow(page, state.steps)
        for fault, size in show(page, name, state.again, output):
            faults[fault].append(size)
    except (Error, AssertionError) as error:
        faults[f"not shown: {str(error).splitlines()[0]}"].append("all")
    context.close()
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
    with TemporaryDirectory() as temporary, sync_playwright() as playwright:
        folder, database = Path(temporary), f"sqlite:///{temporary}/games.sqlite"
        finished = game_of(State(players=2, turn=14))
        with History(database) as history:
            saved_at = history.save("finished", finished)
            history.keep_reviews("finished", review(finished, solve(finished.rules)), saved_at)
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox"]
        )
        with serving(database, folder) as server:
            for name, state in states():
                if any(fnmatch(name, pattern) for pattern in options.patterns):
                    context = browser.new_context(
                        base_url=server.address, reduced_motion="reduce", locale=options.language
                    )
                    number += check(context, name, state, folder, output)
        browser.close()
    if output:
        make_sheets(output)
    return int(options.check and number > 0)


if __name__ == "__main__":
    sys.exit(main())
