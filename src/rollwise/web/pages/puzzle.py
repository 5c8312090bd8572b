"""``/puzzle/DATE`` and ``/test``: positions that are the same for everyone."""

import datetime
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from rollwise.errors import counted
from rollwise.game.notation import describe_action
from rollwise.game.position import Position
from rollwise.playing.practice import Practice, PracticeQuestion
from rollwise.playing.rating_scale import rating
from rollwise.rules import Rules
from rollwise.web import cookies
from rollwise.web.pages.missing import no_such_day, no_such_rules
from rollwise.web.practice_session import (
    SessionAddress,
    describe_session,
    solution_dice,
    submitted_action,
)
from rollwise.web.progress import answer
from rollwise.web.rendering import address, shared_address
from rollwise.web.solved_games import SolvedGames

STREAK = "rollwise-puzzles"
"""The cookie with the last day on which today's puzzle was solved, and the length of the streak."""


def add(pages: APIRouter, games: SolvedGames) -> None:
    """Add the pages."""

    @pages.get("/puzzle")
    async def today(rules: str = games.default) -> Response:
        return RedirectResponse(address(f"/puzzle/{datetime.date.today()}", rules=rules), 303)

    @pages.api_route("/puzzle/{date}", methods=["GET", "POST"])
    async def puzzle(request: Request, date: str, rules: str = games.default) -> Response:
        if rules not in games.rules:
            return no_such_rules(games, rules, "/puzzle")
        try:
            day = datetime.date.fromisoformat(date)
        except ValueError:
            return no_such_day(date)
        game, now = games.rules[rules], datetime.date.today()
        path = f"/puzzle/{day}"
        place = SessionAddress.read(path, {"rules": rules}, request.query_params)
        if (action := submitted_action(game, request.query_params)) is not None:
            response = RedirectResponse(place.after(action).review(len(place.answers) + 1), 303)
            if day == now:
                _extend_streak(request, response, now)
            return response

        async def results() -> dict[str, Any]:
            session = await _session(games, game, await games.puzzle(game, day))
            described = await describe_session(games, session, place)
            if described["board"] is None:
                (first,) = session.firsts
                last, days = _streak(request)
                described["puzzle"] = {
                    "dice": solution_dice(first),
                    "said": first.words(describe_action),
                    "grade": "correct" if first.chosen.best else first.verdict,
                    "streak": counted(days, "day") if day == now == last else "",
                    "before": address(f"/puzzle/{day - datetime.timedelta(days=1)}", rules=rules),
                }
            return described

        return await answer(
            "practice",
            results(),
            section="/practice",
            title=f"Puzzle of {day:%B} {day.day}, {day.year}",
            rules=rules,
            game=game.title,
            offers_more=True,
            link=shared_address(request, path, rules=rules),
        )

    @pages.api_route("/test", methods=["GET", "POST"])
    async def test(request: Request, rules: str = games.default) -> Response:
        if rules not in games.rules:
            return no_such_rules(games, rules, "/test")
        game = games.rules[rules]
        place = SessionAddress.read("/test", {"rules": rules}, request.query_params)
        if (action := submitted_action(game, request.query_params)) is not None:
            return RedirectResponse(place.after(action).review(len(place.answers) + 1), 303)

        async def results() -> dict[str, Any]:
            told = await games.rating_test(game)
            session = await _session(games, game, told)
            described = await describe_session(games, session, place)
            if described["board"] is None:
                scale = {name: f"{lost:.2f}" for name, lost in told["scale"].items()}
                described["test"] = {"rating": rating(session.loss, told["scale"]), "scale": scale}
            return described

        return await answer(
            "practice",
            results(),
            section="/practice",
            title="Rating test",
            rules=rules,
            game=game.title,
            offers_more=True,
            link=shared_address(request, "/test", rules=rules),
        )


async def _session(games: SolvedGames, rules: Rules, told: dict[str, Any]) -> Practice:
    """Return a session with the questions of a puzzle or a test."""
    lines = [question["position"] for question in told["questions"]]
    questions = [PracticeQuestion(Position(rules, line)) for line in lines]
    return Practice(questions, await games.solution(rules))


def _streak(request: Request) -> tuple[datetime.date | None, int]:
    """Return the last day and the length of the streak; None and 0 without a streak."""
    day, _, days = request.cookies.get(STREAK, "").partition(".")
    try:
        return datetime.date.fromisoformat(day), max(0, int(days))
    except ValueError:
        return None, 0


def _extend_streak(request: Request, response: Response, today: datetime.date) -> None:
    """Count today in the streak of consecutive days."""
    last, days = _streak(request)
    if last == today:
        return
    days = days + 1 if last == today - datetime.timedelta(days=1) else 1
    cookies.give(response.headers, request, STREAK, f"{today}.{days}", "/puzzle")
