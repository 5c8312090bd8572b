"""The JSON API: a route for each question, and routes for puzzles and saved games."""

import asyncio
from collections.abc import Iterable
from datetime import date
from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field, create_model
from pydantic_core import to_json

from rollwise.game.records.as_json import GameData
from rollwise.history import new_id
from rollwise.playing.practice import PracticeQuestion
from rollwise.questions import QUESTIONS, described, question
from rollwise.questions.network import checked, signature
from rollwise.rules import Rules
from rollwise.solving.objectives import EXPECTED
from rollwise.web import computations
from rollwise.web.computations import SolvedPosition
from rollwise.web.owners import Owner
from rollwise.web.solved_games import SolvedGames

Name = Annotated[str, Field(max_length=40)]

QUICK = ("advise", "rules list", "rules show")
"""The questions that take seconds for the expected score; the others can take minutes."""


class Problem(BaseModel):
    """The error in a request, and the expected input."""

    detail: str


class RulesResponse(BaseModel):
    """A set of rules that the server offers."""

    name: str
    title: str


class ActionData(BaseModel):
    """A legal action with its value and EV loss."""

    action: str
    value: float
    loss: float


class QuestionData(BaseModel):
    """A practice position with its solution: the best action, its value, and all options."""

    position: str
    best: str
    value: float
    options: list[ActionData]


class PuzzleResponse(BaseModel):
    """The positions of a puzzle, which are the same for everyone."""

    rules: str
    questions: list[QuestionData]


class RatingTestResponse(PuzzleResponse):
    """The positions of a rating test, and the EV losses of the reference strategies as a scale."""

    scale: dict[str, float]


class SavedResponse(BaseModel):
    """The id of a saved game."""

    id: str


PROBLEMS: dict[int | str, dict[str, Any]] = {
    400: {
        "model": Problem,
        "description": "The request is well-formed, but not possible in this game",
    },
    403: {
        "model": Problem,
        "description": "The request comes from another site, or from someone who does not own "
        "the game",
    },
    413: {"model": Problem, "description": "The body is larger than one megabyte"},
    422: {"model": Problem, "description": "A value is missing, or has the wrong type"},
    503: {
        "model": Problem,
        "description": "The server is busy; try again after Retry-After seconds",
    },
    507: {"model": Problem, "description": "The disk of the server is full"},
}
MISSING: dict[int | str, dict[str, Any]] = {
    404: {"model": Problem, "description": "There is no game with this id"}
}


def make_router(games: SolvedGames) -> APIRouter:
    """Return the routes under ``/api``."""
    router = APIRouter(prefix="/api", responses=PROBLEMS)
    _add_questions(router, games)
    _add_saved_games(router, games)
    return router


def _add_questions(router: APIRouter, games: SolvedGames) -> None:
    """Add the routes for questions, tests, and puzzles."""

    @router.get("/rules")
    def list_rules() -> list[RulesResponse]:
        """List the rules that a request can name."""
        return [RulesResponse(name=name, title=title) for name, title in games.titles().items()]

    for name in QUESTIONS:
        _add_question(router, games, name)

    @router.get("/test")
    async def rating_test(rules: Name = games.default) -> RatingTestResponse:
        """Return the rating test: positions that are the same for everyone, with solutions."""
        questions, scale = await games.rating_test(games.rules_named(rules))
        return RatingTestResponse(rules=rules, questions=_question_data(questions), scale=scale)

    @router.get("/puzzle/{day}")
    async def puzzle(day: date, rules: Name = games.default) -> PuzzleResponse:
        """Return the puzzle for a day, with its solution."""
        solved = await games.puzzle(games.rules_named(rules), day)
        return PuzzleResponse(rules=rules, questions=_question_data([solved]))


def _question_data(solved: Iterable[SolvedPosition]) -> list[QuestionData]:
    return [
        QuestionData.model_validate(PracticeQuestion(position).as_dict(options))
        for position, options in solved
    ]


def _add_question(router: APIRouter, games: SolvedGames, name: str) -> None:
    """Add the routes of a question: GET with its parameters, or POST with a JSON object of them."""

    def rules_named(wanted: str | None) -> Rules:
        return games.rules_named(wanted or games.default)

    async def answer(**arguments: Any) -> Any:
        keep = not isinstance(arguments.get("rules"), Rules)
        if name == "review" and arguments["rules"] is None:
            game = await games.game(arguments["game"])  # with rules that the server offers
            arguments["game"], keep = game.as_json(), games.offers(game.rules)
        given = await games.computing.quick(checked, name, arguments, rules_named)
        is_quick = name in QUICK and given.get("objective", EXPECTED.name) == EXPECTED.name
        compute = games.computing.seconds if is_quick else games.computing.minutes
        return await compute(computations.answer_to, name, to_json(given).decode(), keep)

    answer.__signature__ = signature(name, Query)  # type: ignore[attr-defined]
    answer.__doc__ = described(question(name)).text

    async def answer_to_object(body: Any) -> Any:
        return await answer(**dict(body))

    fields: dict[str, Any] = {
        parameter.name: (
            Rules | str | None if parameter.name == "rules" else parameter.annotation,
            ... if parameter.default is parameter.empty else parameter.default,
        )
        for parameter in signature(name, Field).parameters.values()
    }
    answer_to_object.__annotations__["body"] = create_model(
        name, __config__=ConfigDict(extra="forbid"), **fields
    )
    answer_to_object.__doc__ = answer.__doc__
    path = f"/{name.replace(' ', '/')}"
    router.get(path, summary=name)(answer)
    router.post(path, summary=name)(answer_to_object)


def _add_saved_games(router: APIRouter, games: SolvedGames) -> None:
    """Add the routes for saved games."""
    saving = asyncio.Semaphore(1)  # so that a click in a game waits for at most one request

    @router.post("/games", status_code=201)
    async def save_game(request: GameData, owner: Owner) -> SavedResponse:
        """Save a game under a new id; it is on disk when the response arrives."""
        game, id = await games.game(request), new_id()
        async with saving:
            await games.write(games.history.of(owner).save, id, game)
        return SavedResponse(id=id)

    @router.get("/games/{id}", responses=MISSING)
    async def load_game(id: Name) -> GameData:
        """Return a saved game; it has no seed until it is over."""
        return (await games.saved(id)).game.data()

    @router.delete("/games/{id}", status_code=204, responses=MISSING)
    async def delete_game(id: Name, owner: Owner) -> None:
        """Delete a saved game; on a shared server, only its owner can delete it."""
        await games.write(games.history.of(owner).delete, id)
