"""``/advise``: what to do with a roll; every position has its own address."""

from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Response
from fastapi.responses import JSONResponse

from rollwise.client.rules_data import rules_data
from rollwise.errors import InputError
from rollwise.game.consistency import possible_scores
from rollwise.game.dice_notation import NONE, parse_dice
from rollwise.game.notation import parse_action
from rollwise.game.position import Position, format_position, read_position
from rollwise.game.scorecard import Dice, Scorecard
from rollwise.questions.size_limits import OBJECTIVES, PLAYERS, check_known
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

OBJECTIVE_LABELS = {name: sentence(one.meaning)[:-1] for name, one in OBJECTIVES.items()} | {
    BEAT: "Probability of the highest score against known scorecards"
}


@dataclass(frozen=True)
class Question:
    """A position, or a scorecard before the first roll of a turn, and what to play for."""

    card: Scorecard
    position: Position | None
    objective: str
    opponents: str
    plays: str

    def query(self) -> dict[str, str]:
        """Return the fields of its address, except those with their usual values."""
        query = {"rules": self.card.rules.name}
        if self.objective != EXPECTED.name:
            query["objective"] = self.objective
        if self.objective == BEAT:
            query |= {"opponents": self.opponents, "plays": self.plays}
        return query

    def data(self) -> dict[str, Any]:
        """Return the stage and the legal scores, as ``advice.js`` describes them."""
        card, here = self.card, self.position
        rules = card.rules
        return {
            "stage": stage_data(card, here),
            "possible": possible_data(here.possible()) if here else [],
            "saved": here and rules.saved_then(here.saved, here.rolls_left),
            "meaning": OBJECTIVE_LABELS[self.objective].lower(),
            "unit": "%" if self.objective == BEAT else "",
            "options": [],
            "columns": [],
            "values": [None],
            "notes": [],
            "progress": "",
            "trouble": "",
        }


def add(pages: APIRouter, games: SolvedGames) -> None:
    """Add the page, its options, and the reasons for them."""

    async def rules_named(name: str) -> Rules | None:
        return games.rules.get(name) or await games.prepared.named(name)

    def asked(rules: Rules, line: str, objective: str, opponents: str, plays: str) -> Question:
        card, dice, rolls_left = read_position(rules, line, read_dice=_dice_or_none)
        position = Position.of(card, dice, rolls_left) if dice else None
        check_known(objective, "objective", OBJECTIVE_LABELS)
        if rules.name in games.large and objective != EXPECTED.name:
            raise InputError(f"{rules.title} is too large for this objective; use {EXPECTED.name}")
        if objective == BEAT:
            parse_opponents(rules, opponents, plays)
        return Question(card, position, objective, opponents, plays)

    async def results(question: Question) -> dict[str, Any]:
        card, here, objective = question.card, question.position, question.objective
        if card.is_full:
            return {}
        if objective == BEAT:
            if here is None:
                return {}
            line, opponents, plays = format_position(here), question.opponents, question.plays
            return await games.computing.minutes(reply, card.rules, line, opponents, plays)
        solution = await games.solution(card.rules, objective)
        if here is None:
            return {"values": [await games.computing.quick(solution.value, card)]}
        (options,) = await games.computing.seconds(
            computations.advice, solution, (here,), key=(here, objective)
        )
        return _describe(Options(options, here, solution.objective))

    @pages.get("/advise")
    async def advise(
        rules: str = games.default,
        position: str = "",
        objective: str = EXPECTED.name,
        opponents: str = "",
        plays: str = PLAYERS[0],
    ) -> Response:
        game = await rules_named(rules)
        if game is None:
            return no_such_rules(games, rules, "/advise")
        example, usual = format_position(first_position(game)), (EXPECTED.name, "", PLAYERS[0])
        line, problem = position or example, ""
        for here, *how in ((line, objective, opponents, plays), (line, *usual), (example, *usual)):
            try:
                question = asked(game, here, *how)
                break
            except InputError as error:
                problem = problem or sentence(str(error))
        data = {
            "kind": "advice",
            "rules": rules_data(game),
            "scores": [sorted(possible_scores(game, k)) for k in range(len(game.categories))],
            "query": question.query(),
            "position": here,
        }
        return render(
            "advise",
            **table_content(game, data),
            problem=problem,
            query=question.query(),
            titles=games.all_titles(),
            objectives=OBJECTIVE_LABELS,
            objective=objective if objective in OBJECTIVE_LABELS else EXPECTED.name,
            ways=WAYS,
            opponents=opponents,
            plays=plays,
            line=line,
        )

    @pages.get("/advise/options")
    async def options(
        rules: str,
        position: str,
        objective: str = EXPECTED.name,
        opponents: str = "",
        plays: str = PLAYERS[0],
    ) -> Response:
        try:
            game = await rules_named(rules) or games.rules_named(rules)
            question = asked(game, position, objective, opponents, plays)
        except InputError as error:
            return JSONResponse({"problem": sentence(str(error))}, 400)
        found: dict[str, Any] | None = None
        progress = trouble = ""
        try:
            found, progress = await begun(results(question))
        except BusyError as error:
            progress = sentence(str(error))
        except (InputError, FailedError) as error:
            trouble = sentence(str(error))
        data = question.data() | {"progress": progress, "trouble": trouble}
        return JSONResponse(data | (found or {}))

    @pages.get("/reason")
    async def reason(rules: str, position: str, action: str) -> dict[str, str]:
        """Return what the best option gains over another one, in words; "" if it is not known."""
        game = await rules_named(rules) or games.rules_named(rules)
        other = parse_action(game, action)
        return {"reason": await games.reason(Position(game, position), other)}


def _dice_or_none(rules: Rules, text: str) -> Dice:
    return () if text == NONE else parse_dice(rules, text)


def _describe(options: Options) -> dict[str, Any]:
    """Return the options at a position, best first, as cells of a table."""
    has_sd = options[0].sd is not None
    value = f"{sentence(options.objective.meaning)[:-1]}: {options[0].value:.2f}."
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


def first_position(rules: Rules) -> Position:
    """Return the first position of the page: the dice of the README, or similar ones."""
    faces = (1, 1, 3, 6, 6, 6, 6, 6, 6, 6, 6, 6)
    dice = [
        symbols[min(face, len(symbols)) - 1]
        for symbols, (number, _) in zip(rules.symbols, rules.kinds, strict=True)
        for face in faces[:number]
    ]
    return Position.of(Scorecard.empty(rules), dice, rules.most_rolls(0) - 1)
