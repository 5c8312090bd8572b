"""``/play/ID``: a game, by mouse, touch, or keys; shared by everyone who has the address."""

from typing import Any
from urllib.parse import quote

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from rollwise.client.rules_data import rules_data
from rollwise.errors import IllegalError, InputError
from rollwise.history import NoSuchGameError
from rollwise.solving.card_solution import CardSolution
from rollwise.web import access_token, cookies
from rollwise.web.access_token import READ_ONLY, may_change
from rollwise.web.live_games import LiveGame, LiveGames
from rollwise.web.rendering import (
    address,
    form_of,
    render,
    shared_address,
    table_page,
)
from rollwise.web.seats import COOKIE, seat_cookie

EVERYONE = "everyone"
"""The cookie of a browser in which all players without a seat play. It is not a seat, but because
of it the page does not ask who plays here."""


def add(pages: APIRouter, games: LiveGames) -> None:
    """Add the page."""

    @pages.get("/play/{id}")
    async def play(request: Request, id: str) -> Response:
        try:
            live = await games.enter(id)
        except InputError as error:  # too large for this server, or against a strategy of a file
            if isinstance(error, NoSuchGameError):
                raise
            return render("failed", problem=f"This game cannot be played here: {error}.", again="")
        return _show(request, live, games.games.offers(live.session.game.rules))

    @pages.get("/play/{id}/averages")
    async def averages(id: str) -> dict[str, float]:
        """Return the average points of each category in optimal play, if the game is solved."""
        live = await games.enter(id)
        rules, solution = live.session.game.rules, live.session.solution
        if not isinstance(solution, CardSolution) or not games.games.offers(rules):
            return {}
        return await games.games.averages(rules)

    @pages.post("/play/{id}/seat")
    async def sit(request: Request, id: str) -> Response:
        if not may_change(request):
            raise IllegalError(READ_ONLY)
        live = await games.enter(id)
        player = (await form_of(request)).get("player", "")
        before, cookie = seat_cookie(request), EVERYONE
        response = RedirectResponse(f"/play/{id}", 303)
        if player.isdecimal():
            if int(player) == live.seats.player(before):
                return response
            cookie = live.seats.take(int(player))
        cookies.give(response.headers, request, COOKIE, cookie, f"/play/{quote(id)}")
        live.seats.leave(before)
        live.notify()
        return response


def _show(request: Request, live: LiveGame, has_advice: bool) -> Response:
    session, cookie = live.session, seat_cookie(request)
    own = live.seats.player(cookie)
    rules, players = session.game.rules, session.game.players
    people = [player for player in range(len(players)) if players[player] not in live.names]
    data = {
        "rules": rules_data(rules),
        "players": players,
        "people": people,
        "realDice": session.game.headers.seed is None,
        "own": "" if own is None else own,
    }
    token = request.cookies.get(access_token.COOKIE) if may_change(request) else None
    query = {access_token.QUERY: token} if token else {}
    link = shared_address(request, f"/play/{live.id}", **query)
    has_seats = len(people) > 1 and may_change(request)
    name = players[people[0] if own is None else own] if people else ""
    return render(
        "play",
        id=live.id,
        **table_page(request, rules, "game_page.js", data),
        practice=address("/practice", rules=rules.name, name=name),
        people=[(player, players[player]) for player in people if has_seats],
        states=live.seats.states(),
        own=own,
        welcomes=has_advice and not session.game.is_over,
        asks=has_seats and not cookie and not session.game.is_over,
        link=link,
        code=_qr_code(link) if link else "",
    )


def _qr_code(link: str) -> str:
    """Return a QR code as SVG without a fixed size."""
    import segno

    code: Any = segno.make(link, micro=False)
    svg: str = code.svg_inline(omitsize=True, lineclass=None, svgclass="qr")
    return svg.replace("<svg ", '<svg role="img" aria-label="QR code of this link" ', 1)
