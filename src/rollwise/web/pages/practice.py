"""``/practice``: your mistakes, asked again when they are due.

The address of a session contains the questions, its beginning, and the answers.
"""

from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from starlette.datastructures import QueryParams

from rollwise.game.notation import parse_action
from rollwise.game.position import Position, format_position
from rollwise.history import chosen_mistakes, due_mistakes, mistakes, practiced
from rollwise.playing.practice import Practice, PracticeQuestion
from rollwise.web import computations
from rollwise.web.access_token import may_change
from rollwise.web.owners import Owner
from rollwise.web.pages.missing import no_such_rules
from rollwise.web.practice_session import (
    SessionAddress,
    describe_session,
    replay,
    submitted_action,
)
from rollwise.web.progress import answer
from rollwise.web.rendering import address, render
from rollwise.web.solved_games import SolvedGames

TITLE = "Your mistakes"

A_SESSION = 10
"""The number of mistakes in one session."""


def add(pages: APIRouter, games: SolvedGames) -> None:
    """Add the page."""

    @pages.api_route("/practice", methods=["GET", "POST"])
    async def practice(
        request: Request,
        owner: Owner,
        rules: str = games.default,
        name: str = "",
        every: bool = False,
        asked: str = "",
        begun: str = "",
    ) -> Response:
        game = games.rules.get(rules) or await games.prepared.named(rules)
        if game is None:
            return no_such_rules(games, rules, "/practice")
        history, who = games.history.of(owner), name or None
        content: dict[str, Any] = {
            "section": "/practice",
            "title": TITLE,
            "rules": rules,
            "game": game.title,
            "offers_more": rules in games.rules,
        }
        ids = list(filter(None, asked.split(",")))
        rows = await games.read(chosen_mistakes, history, rules, who, ids) if ids else []
        if not rows or len(rows) < len(ids) or not begun.isdecimal():
            now = datetime.now(UTC)
            due, later = await games.read(due_mistakes, history, rules, who, now)
            if every:
                due = await games.read(mistakes, history, rules, who)
            if not due:
                return render(
                    "practice_none", **content, name=name, later=later, titles=games.all_titles()
                )
            numbers = ",".join(row.id for row in due[:A_SESSION])
            query = {"rules": rules, **({"name": name} if name else {}), "asked": numbers}
            return RedirectResponse(
                address("/practice", **query, begun=str(int(now.timestamp()))), 303
            )
        query = {"rules": rules, **({"name": name} if name else {}), "asked": asked, "begun": begun}
        fields = await _fields(request)
        place = SessionAddress.read("/practice", query, fields)
        asks = [
            PracticeQuestion(Position(game, row.position), parse_action(game, row.chosen))
            for row in rows
        ]

        async def practice_session() -> Practice:
            solution = await games.solution(game)
            positions = [question.position for question in asks]
            options = await games.computing.seconds(
                computations.advice, solution, positions, key=(game, *positions)
            )
            known = zip(asks, options, strict=True)
            return Practice(
                [replace(one, options=some) for one, some in known], solution, again=True
            )

        if (action := submitted_action(game, fields)) is not None:
            place = place.after(action)
            if may_change(request):
                session = await practice_session()
                replay(session, place)
                if session.answer is not None and not session.is_repeated:
                    line = format_position(session.answer.question.position)
                    save = partial(
                        practiced,
                        well=session.answer.is_good,
                        now=datetime.now(UTC),
                        begun=datetime.fromtimestamp(int(begun), UTC),
                    )
                    await games.write(save, history, rules, who, line)
            return RedirectResponse(place.review(place.shown), 303)

        async def results() -> dict[str, Any]:
            session = await practice_session()
            described = await describe_session(games, session, place, post=may_change(request))
            if described["board"] is None:
                due, _ = await games.read(due_mistakes, history, rules, who, datetime.now(UTC))
                described["due"] = len(due)
                described["again"] = address("/practice", rules=rules, name=name)
            return described

        return await answer("practice", results(), **content)


async def _fields(request: Request) -> QueryParams:
    """Return the fields of the form that a request submits, or else the query of its address."""
    submitted = QueryParams((await request.body()).decode(errors="replace"))
    return submitted if {"action", "roll"} & submitted.keys() else request.query_params
