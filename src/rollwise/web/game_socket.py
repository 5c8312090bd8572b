"""``/play/ID/socket``: the web socket of a window that shows a game.

The client draws the game and holds dice by itself. It sends ``{"event": "keep 66"}``, with the
number of events that it has seen. The server checks the event, saves the game, and sends the state
of the game and its advice to all windows. It refuses any other event with one sentence.
"""

import asyncio
from collections import deque
from contextlib import suppress
from typing import Any

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rollwise.errors import IllegalError, InputError
from rollwise.game.actions import Roll
from rollwise.game.notation import as_event
from rollwise.history import GoneOnError
from rollwise.web import background_tasks
from rollwise.web.access_token import READ_ONLY, may_change
from rollwise.web.game_state import state_of
from rollwise.web.live_games import LiveGame, LiveGames
from rollwise.web.rendering import sentence
from rollwise.web.seats import seat_cookie

MAX_EVENT = 2_000
"""The maximum length of an event in characters."""

POLICY_VIOLATION, UNSUPPORTED = 1008, 1003
"""The codes that close a web socket because of its address, or because of a malformed message."""

CLOSED = WebSocketDisconnect, RuntimeError
"""The exceptions of a web socket that has closed, which can happen at any time."""

WHY, MOST_WHY = "why ", 4
"""How a request for a reason begins, and how many of a window are answered at the same time."""


class EventRequest(BaseModel):
    """A request of a client.

    Attributes
    ----------
    id : int
        The number that the answer repeats.
    after : int
        The number of events that the client has seen. An event that is sent twice is therefore
        added only once.
    event : str
        An event of a game record, such as ``keep 66``; or ``roll`` for a roll by the server,
        ``undo``, ``again`` for another game of the same players, ``hurry`` to end the pauses of a
        computer opponent, or ``why keep 66`` for the reason why that is not the best choice.
    """

    model_config = ConfigDict(extra="forbid")

    id: int
    after: int
    event: str = Field(max_length=MAX_EVENT)


def make_router(games: LiveGames) -> APIRouter:
    """Return the route of the web socket."""
    router = APIRouter(include_in_schema=False)

    @router.websocket("/play/{id}/socket")
    async def socket(socket: WebSocket, id: str) -> None:
        with suppress(*CLOSED):
            await socket.accept()
        try:
            live = await games.enter(id)
        except InputError:
            await _close(socket, POLICY_VIOLATION)
            return
        await _Window(socket, live).serve()

    return router


async def _close(socket: WebSocket, code: int) -> None:
    with suppress(*CLOSED):
        await socket.close(code)


class _Window:
    """A window that shows a game."""

    def __init__(self, socket: WebSocket, live: LiveGame) -> None:
        self.socket, self.live = socket, live
        self.may_play = may_change(socket)
        self._cookie = seat_cookie(socket)
        self._answers: deque[dict[str, Any]] = deque()
        self._explaining = 0
        self._is_shown = True
        self._has_news = asyncio.Event()

    @property
    def seat(self) -> int | None:
        """The player whose seat this browser has; another window may give it up."""
        return self.live.seats.player(self._cookie)

    async def serve(self) -> None:
        """Send the state after every change, and answer requests, until the window closes."""
        live = self.live
        live.seats.enter(self._cookie)
        leave = live.add_viewer(self._show)
        sender = asyncio.create_task(self._send())
        try:
            live.notify()
            live.let_bots_play()
            live.review()
            while (message := await self.socket.receive())["type"] == "websocket.receive":
                try:
                    request = EventRequest.model_validate_json(message.get("text") or "")
                except ValidationError:
                    await _close(self.socket, UNSUPPORTED)
                    return
                await self._answer(request)
        finally:
            sender.cancel()
            leave()
            live.seats.exit(self._cookie)
            live.notify()

    def _show(self) -> None:
        self._is_shown = False
        self._has_news.set()

    def _tell(self, answer: dict[str, Any]) -> None:
        self._answers.append(answer)
        self._has_news.set()

    async def _send(self) -> None:
        """Send answers, and the newest state: a window that reads slowly misses earlier ones."""
        with suppress(*CLOSED):
            while await self._has_news.wait():
                self._has_news.clear()
                if not self._is_shown:
                    self._is_shown = True
                    await self.socket.send_json(self._state())
                while self._answers:
                    await self.socket.send_json(self._answers.popleft())

    def _state(self) -> dict[str, Any]:
        live = self.live
        player = live.session.game.stage.player
        is_mine = self.may_play and live.seats.may_play(player, self.seat)
        if live.state is None:
            live.state = state_of(live)
        return {"state": live.state, "isMine": is_mine}

    async def _answer(self, request: EventRequest) -> None:
        if request.event.startswith(WHY):  # takes a moment, in which the game goes on
            if self._explaining < MOST_WHY:
                self._explaining += 1
                background_tasks.create(self._explain(request))
            else:
                self._tell({"id": request.id, "answer": ""})
            return
        answer: dict[str, Any] = {"id": request.id}
        try:
            answer["answer"] = await self._do(request)
        except InputError as error:
            answer["refused"] = sentence(str(error))
        self._tell(answer)

    async def _explain(self, request: EventRequest) -> None:
        """Answer what the best action gains over another one; empty if that is not known."""
        game, gains = self.live.session.game, list[tuple[str, float]]()
        try:
            with suppress(InputError):
                action = as_event(game.rules, request.event.removeprefix(WHY))
                if not isinstance(action, Roll) and request.after == len(game.events):
                    gains = await self.live.insight.gains(action)
        finally:
            self._explaining -= 1
        self._tell({"id": request.id, "answer": gains})

    async def _do(self, request: EventRequest) -> str | None:
        """Do what a client asks for; return the address of the next game, if it asks for one."""
        live, session = self.live, self.live.session
        if not self.may_play:
            raise IllegalError(READ_ONLY)
        if request.event == "again":
            return f"/play/{await live.play_again()}"
        if request.event == "hurry":
            live.hurry()
            return None
        if request.after != len(session.game.events):
            raise GoneOnError
        if request.event == "undo":
            live.seats.check(_last_player(live), self.seat)
            session.undo()
        elif session.bot_may_play:
            raise IllegalError(f"{session.game.mover} is playing")
        else:
            live.seats.check(session.game.stage.player, self.seat)
            if request.event == "roll":
                session.roll()
            else:
                session.push(as_event(session.game.rules, request.event))
        await live.changed()
        return None


def _last_player(live: LiveGame) -> int:
    """Return the person who took the last action, or the player to move if there is none."""
    steps = live.session.undoable()
    return steps[-1].before.player if steps else live.session.game.stage.player
