"""The JSON API: routes for options, values, puzzles, reviews, and saved games."""

import asyncio
from datetime import date
from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from rollwise.game.headers import MAX_LENGTH
from rollwise.game.records.as_json import GameData
from rollwise.game.scorecard import Scorecard
from rollwise.history import new_id
from rollwise.rules import Rules
from rollwise.web import computations, opponent_advice
from rollwise.web.opponent_advice import MOST
from rollwise.web.owners import Owner
from rollwise.web.solved_games import SolvedGames

Name = Annotated[str, Field(max_length=40)]
Line = Annotated[str, Field(max_length=2_000)]
Text = Annotated[str, Field(max_length=MAX_LENGTH)]


class Problem(BaseModel):
    """The error in a request, and the expected input."""

    detail: str


class OptionData(BaseModel):
    """A legal action with its value, EV loss, and SD of the final score."""

    action: str
    value: float
    loss: float
    best: bool
    sd: float | None


class OptionsResponse(BaseModel):
    """All options at a position, best first."""

    rules: str
    objective: str
    position: str
    options: list[OptionData]


class OpponentData(BaseModel):
    """An opponent, with the mean and SD of their final score unless they respond to the player."""

    card: str
    plays: str
    mean: float | None = None
    sd: float | None = None


class BeatOptionData(OptionData):
    """An option valued by the probability of the highest score; ``expected`` is in points."""

    expected: float | None


class DuelOptionData(BaseModel):
    """A legal action against an opponent who responds, with the probability of each result."""

    action: str
    value: float
    win: float | None
    tie: float | None
    lose: float | None
    best: bool


class BeatResponse(BaseModel):
    """All options against opponents with known scorecards, best first.

    Against an opponent who responds, values are near-optimal if exact values take too long.
    """

    rules: str
    objective: str
    position: str
    opponents: list[OpponentData]
    exact: bool = True
    options: list[BeatOptionData] | list[DuelOptionData]


class ValueResponse(BaseModel):
    """The value of a scorecard before the first roll of a turn."""

    rules: str
    objective: str
    card: str
    value: float


class RulesResponse(BaseModel):
    """A set of rules that the server offers."""

    name: str
    title: str


class OptionsRequest(BaseModel):
    """A position in a game with custom rules, which are part of the request."""

    rules: Rules
    position: Line
    objective: Name = "expected"


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


class ReviewRequest(BaseModel):
    """A game record, as a string or as JSON."""

    record: Text | GameData
    objective: Name = "expected"


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
    408: {"model": Problem, "description": "The body arrived too slowly"},
    413: {"model": Problem, "description": "The body is larger than one megabyte"},
    429: {"model": Problem, "description": "The client sent too many requests"},
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
    """Add the routes for options, values, tests, puzzles, and reviews."""

    @router.get("/rules")
    def list_rules() -> list[RulesResponse]:
        """List the rules that a request can name."""
        return [RulesResponse(name=name, title=title) for name, title in games.titles().items()]

    @router.get("/options")
    async def options(
        position: Annotated[
            Line,
            Query(
                examples=["dice 11366 | rolls-left 2 | card -"],
                description="A position in one line.",
            ),
        ],
        rules: Name = games.default,
        objective: Name = "expected",
    ) -> OptionsResponse:
        """Return every option at a position, best first."""
        game = await games.prepared.named(rules) or games.rules_named(rules)
        response = await games.options(game, position, objective)
        return OptionsResponse.model_validate(response)

    @router.post("/options")
    async def options_by_own_rules(request: OptionsRequest) -> OptionsResponse:
        """Return every option at a position in a game with custom rules."""
        response = await games.options(request.rules, request.position, request.objective)
        return OptionsResponse.model_validate(response)

    @router.get("/beat")
    async def beat(
        position: Annotated[Line, Query(description="A position in one line.")],
        opponent: Annotated[
            list[Line], Query(max_length=MOST, description="One scorecard per opponent.")
        ],
        plays: Annotated[
            Name,
            Query(description="The strategy of the opponents; duel: one opponent who responds."),
        ] = "optimal",
        rules: Name = games.default,
    ) -> BeatResponse:
        """Return every option at a position, with its probability of the highest score."""
        game = games.rules_named(rules)
        reply = await games.ask(opponent_advice.reply, game, position, ";".join(opponent), plays)
        return BeatResponse.model_validate(reply.told)

    @router.get("/value")
    async def value(
        card: Annotated[Line, Query(examples=["ones=3,full-house=25"])] = "-",
        rules: Name = games.default,
        objective: Name = "expected",
    ) -> ValueResponse:
        """Return the value of a scorecard before a turn, including its points so far."""
        game = await games.prepared.named(rules) or games.rules_named(rules)
        await games.check_reviewable(game, objective)
        prepared = await games.prepared.find(game)
        solution = prepared or await games.solution(game, objective)
        value = await games.in_thread(lambda: solution.value(Scorecard(game, card)))
        return ValueResponse(rules=rules, objective=objective, card=card, value=value)

    @router.get("/test")
    async def rating_test(rules: Name = games.default) -> RatingTestResponse:
        """Return the rating test: positions that are the same for everyone, with solutions."""
        response = await games.ask(computations.rating_test, games.rules_named(rules))
        return RatingTestResponse.model_validate(response)

    @router.get("/puzzle/{day}")
    async def puzzle(day: date, rules: Name = games.default) -> PuzzleResponse:
        """Return the puzzle for a day, with its solution."""
        response = await games.ask(computations.puzzle, games.rules_named(rules), day)
        return PuzzleResponse.model_validate(response)

    @router.post("/review")
    async def review_record(request: ReviewRequest) -> list[dict[str, Any]]:
        """Review a game: return one review per player."""
        game = await games.game(request.record)
        await games.check_reviewable(game.rules, request.objective)
        reviews = await games.reviews(game, request.objective)
        return [review.as_dict() for review in reviews]


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
