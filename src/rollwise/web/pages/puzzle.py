"""``/puzzle/DATE`` and ``/test``: positions that are the same for everybody."""

import datetime
from typing import Any

from fastapi import Response
from fastapi.responses import RedirectResponse
from nicegui import ui

from rollwise.game.notation import parse_position
from rollwise.playing.practice import Practice, PracticeQuestion
from rollwise.playing.rating_scale import rating
from rollwise.solving.card_solution import CardSolution
from rollwise.web import computations
from rollwise.web.elements import Link, Tag, address, show_facts
from rollwise.web.pages.missing import no_such_day, no_such_rules
from rollwise.web.practice_page import (
    answer_again,
    hold,
    keep_in_address,
    loaded,
    others,
    outcome,
    solved,
)
from rollwise.web.solved_games import SolvedGames


def add(games: SolvedGames) -> None:
    """Add the pages."""

    @ui.page("/puzzle", response_timeout=60)
    def today(rules: str = "yahtzee") -> Response:
        return RedirectResponse(address(f"/puzzle/{datetime.date.today()}", rules=rules))

    @ui.page("/puzzle/{date}", response_timeout=60)
    async def puzzle(date: str, rules: str = "yahtzee", answers: str = "") -> Response | None:
        if rules not in games.rules:
            return no_such_rules(games, rules, "/puzzle")
        try:
            day = datetime.date.fromisoformat(date)
        except ValueError:
            return no_such_day(date)
        game, title = games.rules[rules], f"Puzzle of {day:%Y-%m-%d}"
        solution = await solved(games, title, game)
        told = await loaded(games.ask, computations.puzzle, game, day)
        session = await games.in_thread(_session, solution, told, answers)

        async def finish() -> None:
            with outcome(title, session):
                with Tag("p", classes="links"):
                    before = day - datetime.timedelta(days=1)
                    Link("The day before", f"/puzzle/{before}", "button", rules=rules)
                others(game)

        await hold(games, title, session, keep_in_address(session, f"/puzzle/{day}"), finish)
        return None

    @ui.page("/test", response_timeout=60)
    async def test(rules: str = "yahtzee", answers: str = "") -> Response | None:
        if rules not in games.rules:
            return no_such_rules(games, rules, "/test")
        game, title = games.rules[rules], "Proficiency test"
        solution = await solved(games, title, game)
        told = await loaded(games.ask, computations.proficiency_test, game)
        session, scale = await games.in_thread(_session, solution, told, answers), told["scale"]

        async def finish() -> None:
            with outcome(f"{title}, {game.title}", session):
                Tag("p", f"That is {rating(session.loss, scale)}.")
                Tag("p", "Everybody has the same positions; in them lose:", "soft")
                show_facts({name: f"{lost:.2f}" for name, lost in scale.items()})
                others(game)

        await hold(games, title, session, keep_in_address(session, "/test"), finish)
        return None


def _session(solution: CardSolution, told: dict[str, Any], answers: str) -> Practice:
    """Return a session that asks what is told, from where its address left it."""
    lines = [question["position"] for question in told["questions"]]
    asked = [PracticeQuestion(parse_position(solution.rules, line)) for line in lines]
    session = Practice(asked, solution)
    answer_again(session, answers)
    return session
