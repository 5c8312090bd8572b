"""``/puzzle/DATE`` and ``/test``: positions that are the same for everybody."""

import datetime
from functools import partial

from fastapi import Response
from fastapi.responses import RedirectResponse
from nicegui import ui

from rollwise.game.notation import parse_position
from rollwise.playing.practice import Practice, Question
from rollwise.playing.questions import puzzle_of
from rollwise.playing.scale import rating
from rollwise.web.elements import Link, Tag, address, show_facts
from rollwise.web.jobs import made
from rollwise.web.pages.missing import no_such_day, no_such_rules
from rollwise.web.practice_page import hold, keep_nothing, others, outcome, solved
from rollwise.web.solved import SolvedGames


def add(games: SolvedGames) -> None:
    """Add the pages."""

    @ui.page("/puzzle")
    def today(rules: str = "yahtzee") -> Response:
        return RedirectResponse(address(f"/puzzle/{datetime.date.today()}", rules=rules))

    @ui.page("/puzzle/{date}", response_timeout=60)
    async def puzzle(date: str, rules: str = "yahtzee") -> Response | None:
        if rules not in games.rules:
            return no_such_rules(games, rules, "/puzzle")
        try:
            day = datetime.date.fromisoformat(date)
        except ValueError:
            return no_such_day(date)
        game, title = games.rules[rules], f"Puzzle of {day:%Y-%m-%d}"
        solution = await solved(games, title, game)
        position = await games.in_thought(puzzle_of, solution, day)
        session = Practice([Question(position)], solution)

        async def finish() -> None:
            with outcome(title, session):
                with Tag("p", classes="links"):
                    before = day - datetime.timedelta(days=1)
                    Link("The day before", f"/puzzle/{before}", "button", rules=rules)
                others(game)

        hold(games, title, session, keep_nothing, finish)
        return None

    @ui.page("/test", response_timeout=60)
    async def test(rules: str = "yahtzee") -> Response | None:
        if rules not in games.rules:
            return no_such_rules(games, rules, "/test")
        game, title = games.rules[rules], "Proficiency test"
        solution = await solved(games, title, game)
        with Tag("div", classes="page") as room:
            lines, scale = await made(partial(games.test, game))
        room.delete()
        asked = [Question(parse_position(game, line)) for line in lines]
        session = Practice(asked, solution)

        async def finish() -> None:
            with outcome(f"{title}, {game.title}", session):
                Tag("p", f"That is {rating(session.loss, scale)}.")
                Tag("p", "Everybody has the same positions; in them lose:", "soft")
                show_facts({name: f"{lost:.2f}" for name, lost in scale.items()})
                others(game)

        hold(games, title, session, keep_nothing, finish)
        return None
