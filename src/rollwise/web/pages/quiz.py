"""``/puzzle/DATE``, ``/test``, and ``/practice``: positions to decide, at the table.

A page contains its positions with all their options, so that the table grades an answer at once.
The puzzle and the rating test are the same for everyone. Practice asks for your mistakes again when
they are due, and saves the answers.
"""

import datetime
from collections.abc import Coroutine, Sequence
from datetime import UTC
from functools import partial
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from rollwise.client.rules_data import rules_data
from rollwise.errors import IllegalError, MalformedError
from rollwise.game.notation import parse_action
from rollwise.game.position import Position
from rollwise.history import Mistake, chosen_mistakes, due_mistakes, mistakes, practiced
from rollwise.playing.rating_scale import rating_bounds
from rollwise.reviews.grades import EXCELLENT
from rollwise.rules import Rules
from rollwise.solving.option import Option
from rollwise.web import computations
from rollwise.web.access_token import READ_ONLY, may_change
from rollwise.web.game_state import position_data
from rollwise.web.owners import Owner
from rollwise.web.pages.missing import no_such_day, no_such_rules
from rollwise.web.progress import answer
from rollwise.web.rendering import address, form_of, render, shared_address, table_page
from rollwise.web.solved_games import SolvedGames

A_SESSION = 10
"""The number of mistakes in one session."""


def add(pages: APIRouter, games: SolvedGames) -> None:
    """Add the pages."""

    async def show(
        request: Request,
        title: str,
        rules: Rules,
        questions: Coroutine[Any, Any, dict[str, Any]],
        further: Sequence[tuple[str, str]],
        **more: Any,
    ) -> Response:
        """Return a page that asks questions, or one that waits for them."""

        async def results() -> dict[str, Any]:
            data = {
                "rules": rules_data(rules),
                "title": title,
                "repeats": False,
                "bounds": {},
                "day": "",
                "isToday": False,
                "link": "",
                "saves": None,
                **more,
                **await questions,
            }
            return {"further": further, **table_page(request, rules, "quiz_page.js", data)}

        return await answer("quiz", results(), section="/puzzle", title=title)

    async def options_at(rules: Rules, positions: Sequence[Position]) -> list[list[Option]]:
        solution = await games.solution(rules)
        return await games.computing.seconds(
            computations.advice, solution, positions, key=(rules, *positions)
        )

    @pages.get("/puzzle")
    async def today(rules: str = games.default) -> Response:
        return RedirectResponse(address(f"/puzzle/{datetime.date.today()}", rules=rules), 303)

    @pages.get("/puzzle/{date}")
    async def puzzle(request: Request, date: str, rules: str = games.default) -> Response:
        if rules not in games.rules:
            return no_such_rules(games, rules, "/puzzle")
        try:
            day = datetime.date.fromisoformat(date)
            before = day - datetime.timedelta(days=1)
        except (ValueError, OverflowError):
            return no_such_day(date)
        game = games.rules[rules]

        async def questions() -> dict[str, Any]:
            return {"questions": [position_data(*await games.puzzle(game, day))]}

        return await show(
            request,
            f"Puzzle of {day:%B} {day.day}, {day.year}",
            game,
            questions(),
            [
                ("Previous puzzle", address(f"/puzzle/{before}", rules=rules)),
                *_others(rules, "/puzzle"),
            ],
            day=str(day),
            isToday=day == datetime.date.today(),
            link=shared_address(request, f"/puzzle/{day}", rules=rules),
        )

    @pages.get("/test")
    async def test(request: Request, rules: str = games.default) -> Response:
        if rules not in games.rules:
            return no_such_rules(games, rules, "/test")
        game = games.rules[rules]

        async def questions() -> dict[str, Any]:
            solved, scale = await games.rating_test(game)
            return {
                "questions": [position_data(*question) for question in solved],
                "bounds": rating_bounds(scale),
            }

        link = shared_address(request, "/test", rules=rules)
        return await show(
            request, "Rating test", game, questions(), _others(rules, "/test"), link=link
        )

    @pages.get("/practice")
    async def practice(
        request: Request,
        owner: Owner,
        rules: str = "",
        name: str = "",
        every: bool = False,
        asked: str = "",
        begun: str = "",
    ) -> Response:
        history, who = games.history.of(owner), name or None
        rated = await games.rated(history)
        rules = rules or next(iter(rated), games.default)
        game = games.rules.get(rules) or await games.prepared.named(rules)
        if game is None:
            return no_such_rules(games, rules, "/practice")
        further = _others(rules, "/practice") if rules in games.rules else []
        ids = list(dict.fromkeys(filter(None, asked.split(","))))[:A_SESSION]
        rows = await games.read(chosen_mistakes, history, rules, who, ids) if ids else []
        query = {"rules": rules, **({"name": name} if name else {})}
        if not rows or len(rows) < len(ids) or not begun.isdecimal():
            now = datetime.datetime.now(UTC)
            due, later = await games.read(due_mistakes, history, rules, who, now)
            if every:
                due = await games.read(mistakes, history, rules, who)
            if due:
                numbers = ",".join(row.id for row in due[:A_SESSION])
                session = {"asked": numbers, "begun": str(int(now.timestamp()))}
                return RedirectResponse(address("/practice", **query, **session), 303)
            return render(
                "practice",
                section="/puzzle",
                rules=rules,
                name=name,
                later=later,
                titles=rated | {rules: game.title},
                further=further,
            )
        return await show(
            request,
            "Your mistakes",
            game,
            mistaken(game, rows),
            [("More of your mistakes", address("/practice", **query)), *further],
            repeats=True,
            saves={**query, "begun": begun} if may_change(request) else None,
        )

    async def mistaken(rules: Rules, rows: Sequence[Mistake]) -> dict[str, Any]:
        positions = [Position(rules, row.position) for row in rows]
        solved, questions = await options_at(rules, positions), []
        for position, options, row in zip(positions, solved, rows, strict=True):
            questions.append(position_data(position, options) | {"chosen": row.chosen})
        return {"questions": questions}

    @pages.post("/practice/answer", status_code=204)
    async def save(request: Request, owner: Owner) -> None:
        """Save an answer to a mistake; only the first one of a session counts."""
        if not may_change(request):
            raise IllegalError(READ_ONLY)
        form = await form_of(request)
        name = form.get("rules", "")
        rules = games.rules.get(name) or await games.prepared.named(name)
        try:
            begun = datetime.datetime.fromtimestamp(int(form.get("begun", "")), UTC)
        except (ValueError, OverflowError, OSError):
            begun = None
        if rules is None or begun is None:
            raise MalformedError("this is not an answer of a session; load the page again")
        position = Position(rules, form.get("position", ""))
        action = parse_action(rules, form.get("action", ""))
        (options,) = await options_at(rules, [position])
        chosen = next((option for option in options if option.action == action), None)
        if chosen is None:
            raise IllegalError("this action is not legal here; choose another action")
        save = partial(
            practiced,
            well=chosen.loss < EXCELLENT,
            now=datetime.datetime.now(UTC),
            begun=begun,
        )
        history, who = games.history.of(owner), form.get("name") or None
        await games.write(save, history, name, who, form["position"])

    @pages.get("/reason")
    async def reason(rules: str, position: str, action: str) -> list[tuple[str, float]]:
        """Return what the best option at a position mainly gains over another one."""
        game = games.rules.get(rules) or await games.prepared.named(rules)
        if game is None:
            return []
        here = Position(game, position)
        return await games.gains(here, parse_action(game, action))


def _others(rules: str, path: str) -> list[tuple[str, str]]:
    """Return the links to the other pages with questions."""
    pages = {"/puzzle": "Today's puzzle", "/test": "Rating test", "/practice": "Your mistakes"}
    return [(words, address(one, rules=rules)) for one, words in pages.items() if one != path]
