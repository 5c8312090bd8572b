"""``/review/ID``: a reviewed game; ``/review/ID/steps`` shows its decisions at the table."""

import base64
import hashlib
from collections.abc import Sequence
from functools import partial
from typing import Any
from urllib.parse import quote

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse, PlainTextResponse, RedirectResponse
from markupsafe import Markup

from rollwise.errors import InputError
from rollwise.game.actions import Roll
from rollwise.game.game import Game
from rollwise.reviews.decision_review import DecisionReview
from rollwise.reviews.page import (
    decisions_html,
    legend_html,
    line_html,
    players_html,
    review_html,
    worst_html,
)
from rollwise.reviews.review import Review, steps_through
from rollwise.web.access_control import POLICY
from rollwise.web.game_state import replay_data
from rollwise.web.owners import Owner, may_delete
from rollwise.web.progress import answer
from rollwise.web.rendering import HEADERS, render, table_page
from rollwise.web.solved_games import SolvedGames


def add(pages: APIRouter, games: SolvedGames) -> None:
    """Add the pages."""

    @pages.get("/review/{id}")
    async def show(request: Request, id: str) -> Response:
        saved = await games.saved(id)
        game = saved.game
        content: dict[str, Any] = {
            "section": "/games",
            "id": id,
            "game": game,
            "deletes": may_delete(request, saved),
            "refusal": "",
        }

        async def results() -> dict[str, Any]:
            return _describe(id, game, await games.reviews(game))

        try:
            return await answer("review", results(), **content)
        except InputError as error:
            content["refusal"] = f"This game cannot be reviewed here: {error}."
            return render("review", job="", **content)

    @pages.get("/review/{id}/steps")
    async def steps(request: Request, id: str) -> Response:
        game = (await games.saved(id)).game
        document = RedirectResponse(f"/review/{quote(id)}", 303)
        if all(isinstance(event, Roll) for event in game.events):
            return document

        async def results() -> dict[str, Any]:
            reviews = await games.reviews(game)
            data = replay_data(game, reviews, games.offers(game.rules))
            return table_page(request, game.rules, "replay_page.js", data)

        try:
            return await answer("replay", results(), section="/games", id=id)
        except InputError:
            return document  # it says why the game cannot be reviewed

    @pages.post("/review/{id}/delete")
    async def delete(id: str, owner: Owner) -> Response:
        await games.write(games.history.of(owner).delete, id)
        return RedirectResponse("/games", 303)

    @pages.get("/review/{id}/page")
    async def printable(id: str) -> Response:
        game = (await games.saved(id)).game
        html = review_html(game, await games.reviews(game))
        style = html.partition("<style>")[2].partition("</style>")[0]
        digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
        policy = POLICY.replace("style-src 'self'", f"style-src 'sha256-{digest}'")
        return HTMLResponse(html, headers={**HEADERS, "Content-Security-Policy": policy})

    @pages.get("/review/{id}/record")
    async def text(id: str) -> Response:
        saved = await games.saved(id)
        return PlainTextResponse(str(saved.game))


def _describe(id: str, game: Game, reviews: Sequence[Review]) -> dict[str, Any]:
    """Return the content of the page of a reviewed game."""
    steps = steps_through(game, reviews)
    numbers = {(step.player, step.decision.name): step.number for step in steps}

    def link(player: int, decision: DecisionReview) -> str:
        return f"/review/{id}/steps?step={numbers[player, decision.name]}"

    links = [partial(link, player) for player in range(len(reviews))]
    each = list(zip(reviews, links, strict=True))
    return {
        "has_steps": bool(steps),
        "course": Markup(line_html(reviews, links)),
        "players": Markup(players_html(reviews)),
        "worst": [Markup(worst_html(*one)) for one in each],
        "decisions": [Markup(decisions_html(*one)) for one in each],
        "legend": Markup(legend_html(reviews)),
    }
