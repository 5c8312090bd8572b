"""``/advise``: what to do with a roll; every position has its own address."""

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Query, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel

from rollwise.client.rules_data import rules_data
from rollwise.errors import InputError, TooLargeError
from rollwise.game.consistency import possible_scores
from rollwise.game.dice_notation import NONE, parse_dice
from rollwise.game.position import Position, format_position, read_position
from rollwise.game.scorecard import Dice, Scorecard
from rollwise.questions.size_limits import OBJECTIVES, PLAYERS, check_known, is_small
from rollwise.rules import Rules
from rollwise.solving.objective_parser import BEAT
from rollwise.solving.objectives import EXPECTED
from rollwise.solving.option import Option, Options, format_loss
from rollwise.solving.solution import rule_for_ties
from rollwise.web import computations
from rollwise.web.computing import BusyError, FailedError
from rollwise.web.game_state import option_data, possible_data, stage_data
from rollwise.web.opponent_advice import WAYS, parse_opponents, reply
from rollwise.web.pages.missing import no_such_rules
from rollwise.web.progress import begun
from rollwise.web.rendering import render, sentence, table_content
from rollwise.web.solved_games import SolvedGames

EMPTY = f"dice {NONE} | card {NONE}"
"""The position of the page without another one: an empty scorecard before the first roll."""

OBJECTIVE_LABELS = {name: sentence(one.meaning)[:-1] for name, one in OBJECTIVES.items()} | {
    BEAT: "Probability of the highest score against known scorecards"
}


class Fields(BaseModel):
    """The fields of an address. A position without dice is a scorecard before a turn."""

    rules: str = ""
    position: str = ""
    objective: str = EXPECTED.name
    opponents: str = ""
    plays: str = PLAYERS[0]


Asked = Annotated[Fields, Query()]


@dataclass(frozen=True)
class Question:
    """A position, or a scorecard before the first roll of a turn, and what to play for."""

    card: Scorecard
    position: Position | None
    fields: Fields

    @classmethod
    def parse(cls, rules: Rules, fields: Fields) -> "Question":
        """Parse and check the fields of an address."""
        card, dice, rolls_left = read_position(rules, fields.position, read_dice=_dice_or_none)
        position = Position.of(card, dice, rolls_left) if dice else None
        check_known(fields.objective, "objective", OBJECTIVE_LABELS)
        if fields.objective == BEAT:
            parse_opponents(rules, fields.opponents, fields.plays)
        if fields.objective != EXPECTED.name and not is_small(rules):
            raise TooLargeError(
                f"{rules.title} is too large for this objective; use {EXPECTED.name}"
            )
        return cls(card, position, fields)

    def data(self) -> dict[str, Any]:
        """Return what is known about the question at once, as ``advice.js`` describes it."""
        here, rules, objective = self.position, self.card.rules, self.fields.objective
        return {
            "stage": stage_data(self.card, here),
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
        card, here, fields = question.card, question.position, question.fields
        if card.is_full:
            return {}
        if fields.objective == BEAT:
            if here is None:
                return {}
            line = format_position(here)
            return await games.computing.minutes(
                reply, card.rules, line, fields.opponents, fields.plays
            )
        solution = await games.solution(card.rules, fields.objective)
        if here is None:
            return {"values": [await games.computing.quick(solution.value, card)]}
        (options,) = await games.computing.seconds(
            computations.advice, solution, (here,), key=(here, fields.objective)
        )
        return _describe(Options(options, here, solution.objective))

    @pages.get("/advise")
    async def advise(asked: Asked) -> Response:
        name = asked.rules or games.default
        rules = await rules_named(name)
        if rules is None:
            return no_such_rules(games, name, "/advise")
        problem = ""
        asked = asked.model_copy(update={"rules": name, "position": asked.position or EMPTY})
        question = Question.parse(rules, Fields(rules=name, position=EMPTY))
        for fields in (Fields(rules=name, position=asked.position), asked):
            try:
                question = Question.parse(rules, fields)
            except InputError as error:
                problem = problem or sentence(str(error))
        query = question.fields.model_dump(exclude_defaults=True, exclude={"position"})
        data = {
            "kind": "advice",
            "rules": rules_data(rules),
            "scores": [sorted(possible_scores(rules, k)) for k in range(len(rules.categories))],
            "query": query,
            "position": question.fields.position,
            "answer": question.data() | {"progress": "Computing…", "trouble": ""},
        }
        return render(
            "advise",
            **table_content(rules, data),
            query=query,
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


def _dice_or_none(rules: Rules, text: str) -> Dice:
    return () if text == NONE else parse_dice(rules, text)


def _describe(options: Options) -> dict[str, Any]:
    """Return the options at a position, best first, as cells of a table."""
    has_sd, objective = options[0].sd is not None, options.objective
    value = f"{sentence(objective.meaning)[:-1]}: {options[0].value:.2f}."
    ties = f"{rule_for_ties()}; another choice can change the distribution."
    return {
        "options": [
            option_data(options.position.rules, option) | {"cells": _cells(option)}
            for option in options
        ],
        "columns": ["Value", "Points lost", *["SD"] * has_sd],
        "values": [options[0].value],
        "notes": [value, *[ties] * (has_sd and sum(option.best for option in options) > 1)],
    }


def _cells(option: Option) -> list[str]:
    sd = [] if option.sd is None else [f"{option.sd:.0f}"]
    return [f"{option.value:.2f}", format_loss(option), *sd]
