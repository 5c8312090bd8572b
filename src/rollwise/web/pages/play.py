"""``/play/ID``: a game, by mouse, touch or keys; shared by everybody who has the address."""

import asyncio
from contextlib import suppress
from functools import partial
from pathlib import Path

from fastapi import Response
from nicegui import ui

from rollwise.errors import InputError
from rollwise.history import NoSuchGameError
from rollwise.web.elements import Tag, head, page
from rollwise.web.jobs import GRACE, made
from rollwise.web.line import BusyError
from rollwise.web.live import LiveGames
from rollwise.web.pages.missing import no_such_game
from rollwise.web.solved import SolvedGames
from rollwise.web.table.view import GameView
from rollwise.web.token import may_change

EARLY_KEYS = Path(__file__).parents[1] / "early_keys.js"

NO_SCROLLING = "(key) => { if (key.event.key === ' ') key.event.preventDefault(); }"

SOON = 1.0
"""Seconds in which most games are there; for others a page says how it goes."""


def add(games: LiveGames) -> None:
    """Add the page."""

    @ui.page("/play/{id}", response_timeout=120)
    async def play(id: str) -> Response | None:
        try:
            if not await _is_solved(games.games, id):
                ui.navigate.reload()
                return None
            live = await games.enter(id)
        except NoSuchGameError as error:
            return no_such_game(str(error))
        except InputError as error:  # too large for this server, or against a strategy of a file
            with page("Not here"):
                Tag("p", f"This game cannot be played here: {error}")
            return None
        head(live.session.game.rules.title, "/")
        ui.add_body_html(f"<script>{EARLY_KEYS.read_text()}</script>")
        view = GameView(live, may_play=may_change(ui.context.client.request))
        ui.keyboard(view.press, ignore=["input", "select", "textarea"])
        ui.keyboard(view.press_space, ignore=["input", "select", "textarea", "button"]).on(
            "key", js_handler=NO_SCROLLING
        )
        ui.context.client.on_delete(live.look(view.show))
        live.let_robots_play()
        live.look_back()
        return None


async def _is_solved(games: SolvedGames, id: str) -> bool:
    """Return whether a game is solved already, or soon; if not, show how that goes until it is."""
    rules = (await games.read(games.history.load, id)).record.rules
    with suppress(TimeoutError, BusyError):
        async with asyncio.timeout(SOON):
            await games.solution(rules).patiently(GRACE)
            return True
    with page(rules.title, "/"):
        await made(partial(games.solution, rules))
    return False
