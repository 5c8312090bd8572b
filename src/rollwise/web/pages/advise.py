"""``/advise``: what to do with a roll; every position has its own address."""

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel

from rollwise.client.rules_data import rules_data
from rollwise.errors import InputError, MalformedError, TooLargeError
from rollwise.game.consistency import possible_scores
from rollwise.game.dice_notation import NONE
from rollwise.game.headers import check_players
from rollwise.game.position import Position, split_position
from rollwise.game.scorecard import Scorecard
from rollwise.questions.opponents import MOST
from rollwise.questions.size_limits import OBJECTIVES, PLAYERS, check_known, is_small
from rollwise.rules import Rules
from rollwise.solving.objective_parser import BEAT
from rollwise.solving.objectives import EXPECTED
from rollwise.solving.option import Option, Options, format_loss
from rollwise.web import computations
from rollwise.web.computing import BusyError, FailedError
from rollwise.web.game_state import option_data, possible_data, stage_data
from rollwise.web.opponent_advice import WAYS, check_strategy, reply
from rollwise.web.pages.missing import no_such_rules
from rollwise.web.progress import begun
from rollwise.web.rendering import render, sentence, table_page
from rollwise.web.sent_texts import COLUMNS, TIES
from rollwise.web.solved_games import SolvedGames

EMPTY = f"dice {NONE} | card {NONE}"
"""The position of the page without another one: an empty scorecard before the first roll."""

OBJECTIVE_LABELS = {name: sentence(one.meaning)[:-1] for name, one in OBJECTIVES.items()} | {
    BEAT: "Probability of the highest score against known scorecards"
}


class Fields(BaseModel):
    """The fields of an address. A position without dice is a scorecard before a turn.

    The position is that of the player to move, by default the first player. The other players have
    the scorecards ``opponents``, which semicolons separate, in the order of the players.
    """

    rules: str = ""
    objective: str = EXPECTED.name
    plays: str = PLAYERS[0]
    players: str = ""
    mover: str = ""
    opponents: str = ""
    position: str = ""


OF_POSITION = {"mover", "opponents", "position"}
"""The fields that change during a game."""

Asked = Annotated[Fields, Query()]


@dataclass(frozen=True)
class Question:
    """A position, or a scorecard before the first roll of a turn, and what to play for."""

    players: tuple[str, ...]
    cards: tuple[Scorecard, ...]
    mover: int
    position: Position | None
    fields: Fields

    @classmethod
    def parse(cls, rules: Rules, fields: Fields) -> "Question":
        """Parse and check the fields of an address."""
        texts = list(filter(str.strip, fields.opponents.split(";")))
        players = _players(fields.players, max(1 + len(texts), 1 + (fields.objective == BEAT)))
        mover = players.index(fields.mover) if fields.mover in players else 0
        dice, rolls_left, text = split_position(fields.position)
        card = Scorecard(rules, NONE if text is None else text)
        position = None
        if dice != NONE:
            position = Position(rules, dice, rolls_left=rolls_left, card=card)
        texts += [NONE] * (len(players) - 1 - len(texts))
        opponents = [Scorecard(rules, text) for text in texts]
        cards = (*opponents[:mover], card, *opponents[mover:])
        check_known(fields.objective, "objective", OBJECTIVE_LABELS)
        if fields.objective == BEAT:
            check_strategy(fields.plays, len(players) - 1)
        if fields.objective != EXPECTED.name and not is_small(rules):
            raise TooLargeError(
                f"{rules.title} is too large for this objective; use {EXPECTED.name}"
            )
        return cls(players, cards, mover, position, fields)

    @property
    def opponents(self) -> tuple[Scorecard, ...]:
        """The scorecards of the players who are not to move."""
        return self.cards[: self.mover] + self.cards[self.mover + 1 :]

    def data(self) -> dict[str, Any]:
        """Return what is known about the question at once, as ``advice.js`` describes it."""
        here, rules, objective = self.position, self.cards[0].rules, self.fields.objective
        return {
            "stage": stage_data(self.cards, self.mover, here),
            "possible": possible_data(here.possible() if here else {}),
            "saved": here and rules.saved_then(here.saved, here.rolls_left),
            "meaning": OBJECTIVE_LABELS[objective].lower(),
            "unit": "%" if objective == BEAT else "",
        }


def add(pages: APIRouter, games: SolvedGames) -> None:
    """Add the page, and the options that it asks for."""

    async def rules_named(name: str) -> Rules | None:
        return games.rules.get(name) or await games.prepared.named(name)

    async def results(question: Question) -> dict[str, Any]:
        cards, here, objective = question.cards, question.position, question.fields.objective
        values: list[float | None] = [None] * len(cards)
        if objective != BEAT and not all(card.is_full for card in cards):
            solution = await games.solution(cards[0].rules, objective)
            values = [await games.computing.quick(solution.value, card) for card in cards]
        if here is None:
            return {"values": values}
        if objective == BEAT:
            found = await games.computing.minutes(
                reply, here, question.opponents, question.fields.plays
            )
        else:
            (options,) = await games.computing.seconds(
                computations.advice, solution, (here,), key=(here, objective)
            )
            found = _describe(Options(options, here, solution.objective))
        values[question.mover] = found["options"][0]["value"]
        return found | {"values": values}

    @pages.get("/advise")
    async def advise(request: Request, asked: Asked) -> Response:
        name = asked.rules or games.default
        rules = await rules_named(name)
        if rules is None:
            return no_such_rules(games, name, "/advise")
        problem = ""
        asked = asked.model_copy(update={"rules": name, "position": asked.position or EMPTY})
        question = Question.parse(rules, Fields(rules=name, position=EMPTY))
        named = Fields(rules=name, position=EMPTY, players=asked.players)
        placed = named.model_copy(update={"position": asked.position})
        simple = asked.model_copy(update={"objective": EXPECTED.name})
        for fields in (named, placed, simple, asked):
            try:
                question = Question.parse(rules, fields)
            except InputError as error:
                problem = problem or sentence(str(error))
        query = question.fields.model_dump(exclude_defaults=True, exclude=OF_POSITION)
        data = {
            "rules": rules_data(rules),
            "scores": [sorted(possible_scores(rules, k)) for k in range(len(rules.categories))],
            "players": question.players,
            "query": query,
            "fields": question.fields.model_dump(include=OF_POSITION),
            "answer": question.data() | {"progress": "Computing…", "trouble": ""},
        }
        return render(
            "advise",
            **table_page(request, rules, "advice_page.js", data),
            asked=asked,
            problem=problem,
            titles=games.all_titles(),
            objectives=OBJECTIVE_LABELS,
            ways=WAYS,
        )

    @pages.get("/advise/options")
    async def options(asked: Asked) -> Response:
        progress = trouble = ""
        found = None
        try:
            rules = await rules_named(asked.rules) or games.rules_named(asked.rules)
            question = Question.parse(rules, asked)
        except InputError as error:
            return JSONResponse({"problem": sentence(str(error))}, 400)
        try:
            found, progress = await begun(results(question))
        except BusyError as error:
            progress = sentence(str(error))
        except (InputError, FailedError) as error:
            trouble = sentence(str(error))
        told = {"progress": progress, "trouble": trouble}
        return JSONResponse(question.data() | told | (found or {}))


def _players(text: str, least: int) -> tuple[str, ...]:
    """Return the names of the players, at least ``least``; the others have numbers."""
    names = list(filter(None, map(str.strip, text.split(",")))) or ["You"]
    number = max(len(names), least)
    if number > 1 + MOST:
        raise MalformedError(f"advice is for 1 to {1 + MOST} players, not {number}")
    names += [f"Player {one}" for one in range(len(names) + 1, number + 1)]
    return check_players(names)


def _describe(options: Options) -> dict[str, Any]:
    """Return the options at a position, best first, as cells of a table."""
    has_sd = options[0].sd is not None
    return {
        "options": [
            option_data(options.position.rules, option) | {"cells": _cells(option)}
            for option in options
        ],
        "columns": COLUMNS if has_sd else COLUMNS[:2],
        "notes": [TIES] * (has_sd and sum(option.best for option in options) > 1),
    }


def _cells(option: Option) -> list[str]:
    sd = [] if option.sd is None else [f"{option.sd:.0f}"]
    return [f"{option.value:.2f}", format_loss(option), *sd]
