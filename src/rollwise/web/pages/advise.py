"""``/advise``: what to do with a roll; every position has its own address.

The position is edited as text, or die by die and category by category. An edit is a request that
is redirected to the address of the new position.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from rollwise.errors import InputError
from rollwise.game.consistency import possible_scores
from rollwise.game.notation import describe_action
from rollwise.game.position import Position, format_position
from rollwise.game.scorecard import Scorecard, extra_bonus_title, format_card
from rollwise.questions.size_limits import OBJECTIVES, PLAYERS, check_known
from rollwise.rules import Rules
from rollwise.solving.objective_parser import BEAT
from rollwise.solving.objectives import EXPECTED
from rollwise.solving.option import Options, format_loss
from rollwise.solving.solution import rule_for_ties
from rollwise.web import computations
from rollwise.web.dice import look_of
from rollwise.web.opponent_advice import WAYS, parse_opponents, reply
from rollwise.web.pages.missing import no_such_rules
from rollwise.web.progress import answer
from rollwise.web.rendering import address, render, sentence
from rollwise.web.solved_games import SolvedGames

SHOWN = 12
"""The number of options that are not folded."""

OBJECTIVE_LABELS = {name: sentence(one.meaning)[:-1] for name, one in OBJECTIVES.items()} | {
    BEAT: "Probability of the highest score against known scorecards"
}


@dataclass
class Draft:
    """A position that is being edited, which may be impossible."""

    rules: Rules
    dice: list[int]
    rolls_left: int
    boxes: list[int | None]
    extra: int = 0
    saved: int = 0

    @classmethod
    def of(cls, position: Position) -> "Draft":
        """Return a position for editing."""
        card = position.card
        return cls(
            position.rules,
            list(position.dice),
            position.rolls_left,
            list(card.boxes),
            card.extra_bonus,
            card.saved,
        )

    @classmethod
    def of_form(cls, rules: Rules, fields: Mapping[str, str]) -> "Draft":
        """Return the position in the fields of the form.

        Raises
        ------
        InputError
            If a field is missing or is not a number.
        """
        try:
            draft = cls(
                rules,
                [int(fields[f"die-{place}"]) for place in range(rules.dice)],
                int(fields["rolls-left"]),
                [_number(fields[f"box-{k}"]) for k in range(len(rules.categories))],
                int(fields.get("extra-bonus", "0")),
                int(fields.get("saved", "0")),
            )
            if "turn" in fields:
                draft.turn(int(fields["turn"]))
        except (KeyError, ValueError, IndexError, StopIteration):
            raise InputError("this address is not a position; start again") from None
        return draft

    def turn(self, place: int) -> None:
        """Turn a die to its next face."""
        symbols = next(one for one in self.rules.symbols if self.dice[place] in one)
        self.dice[place] = symbols[(self.dice[place] - symbols[0] + 1) % len(symbols)]

    def position(self) -> Position:
        """Return the position; raises an InputError if it is impossible."""
        card = Scorecard(self.rules, tuple(self.boxes), self.extra, self.saved)
        return Position.of(card, self.dice, self.rolls_left)


def _number(text: str) -> int | None:
    return int(text) if text else None


def add(pages: APIRouter, games: SolvedGames) -> None:
    """Add the page."""

    @pages.get("/advise")
    async def advise(
        request: Request,
        rules: str = games.default,
        position: str = "",
        objective: str = EXPECTED.name,
        opponents: str = "",
        plays: str = PLAYERS[0],
    ) -> Response:
        large = games.large.get(rules)
        prepared = await games.prepared.find(large) if large else None
        if rules not in games.rules and prepared is None:
            return no_such_rules(games, rules, "/advise")
        game = games.rules[rules] if prepared is None else prepared.rules
        here, problem = first_position(game), ""
        draft = Draft.of(here)
        try:
            if "rolls-left" in request.query_params:
                draft = Draft.of_form(game, request.query_params)
                query = {"rules": rules, "position": format_position(draft.position())}
                if objective != EXPECTED.name:
                    query["objective"] = objective
                if objective == BEAT:
                    query |= {"opponents": opponents, "plays": plays}
                return RedirectResponse(address("/advise", **query), 303)
            here = Position(game, position) if position else here
            draft = Draft.of(here)
            check_known(objective, "objective", OBJECTIVE_LABELS)
            if prepared is not None and objective != EXPECTED.name:
                raise InputError(
                    f"{game.title} is too large for this objective; use {EXPECTED.name}"
                )
            if objective == BEAT:
                parse_opponents(game, opponents, plays)
        except InputError as error:
            problem = str(error)
        content: dict[str, Any] = {
            "section": "/advise",
            "titles": games.all_titles(),
            "rules": rules,
            "objectives": OBJECTIVE_LABELS,
            "objective": objective if objective in OBJECTIVE_LABELS else EXPECTED.name,
            "ways": WAYS,
            "opponents": opponents,
            "plays": plays,
            "line": position or format_position(here),
            "shown": SHOWN,
            "card": _card(here),
            **_editor(draft),
        }

        async def results() -> dict[str, Any]:
            if objective == BEAT:
                line = format_position(here)
                return await games.computing.minutes(reply, game, line, opponents, plays)
            solution = await games.solution(game, objective)
            (options,) = await games.computing.seconds(
                computations.advice, solution, (here,), key=(here, objective)
            )
            return _describe(Options(options, here, solution.objective))

        if not problem:
            try:
                return await answer("advise", results(), problem=problem, **content)
            except InputError as error:
                problem = str(error)
        return render("advise", job="", problem=sentence(problem), best="", **content)


def _editor(draft: Draft) -> dict[str, Any]:
    """Return the content of the form that edits a position."""
    rules = draft.rules
    most = max(map(rules.most_rolls, range(len(rules.categories)))) - 1
    bonus = rules.extra_bonus
    steps = range(0, bonus.points * (len(rules.categories) - 1) + 1, bonus.points) if bonus else ()
    halves: dict[str, list[tuple[str, str, dict[str, str], str]]] = {"Upper": [], "Lower": []}
    for k, (category, filled) in enumerate(zip(rules.categories, draft.boxes, strict=True)):
        scores = {"": "open", **_options(sorted(possible_scores(rules, k)))}
        value = "" if filled is None else str(filled)
        halves[category.section.title()].append((category.title, f"box-{k}", scores, value))
    if bonus:
        field = (extra_bonus_title(rules), "extra-bonus", _options(steps), str(draft.extra))
        halves["Lower"].append(field)
    return {
        "dice": [(die, look_of(die, rules)) for die in draft.dice],
        "lefts": _options(range(most + 1)),
        "left": str(draft.rolls_left),
        "saved": draft.saved,
        "halves": halves,
    }


def _options(numbers: Sequence[int]) -> dict[str, str]:
    return {str(number): str(number) for number in numbers}


def _describe(options: Options) -> dict[str, Any]:
    """Return the content of an answer: the options at a position, best first."""
    rules, objective = options.position.rules, options.objective
    is_score = objective.name == EXPECTED.name
    rows = [
        (
            describe_action(rules, option.action),
            f"{option.value:.2f}",
            "" if option.sd is None else f"{option.sd:.0f}",
            format_loss(option),
        )
        for option in options
    ]
    has_ties = options[0].sd is not None and sum(option.best for option in options) > 1
    return {
        "best": rows[0][0],
        "value": f"{sentence(objective.meaning)[:-1]}: {options[0].value:.2f}",
        "notes": [],
        "headings": ("Option", "EV", "SD", "EV loss")
        if is_score
        else ("Option", "Value", "SD", "Loss"),
        "rows": rows,
        "ties": rule_for_ties() if has_ties else "",
    }


def _card(position: Position) -> tuple[str, str]:
    """Return the points of the scorecard with its progress to the upper bonus, and its notation."""
    card = position.card
    bonus = card.rules.upper_bonus
    totals = " and ".join(map(str, card.upper_totals))
    upper = f"; upper-section total {totals} of {bonus.threshold}" if bonus else ""
    return f"{card.points} points so far{upper}", format_card(card)


def first_position(rules: Rules) -> Position:
    """Return the first position of the page: the dice of the README, or similar ones."""
    faces = (1, 1, 3, 6, 6, 6, 6, 6, 6, 6, 6, 6)
    dice = [
        symbols[min(face, len(symbols)) - 1]
        for symbols, (number, _) in zip(rules.symbols, rules.kinds, strict=True)
        for face in faces[:number]
    ]
    return Position.of(Scorecard.empty(rules), dice, rules.most_rolls(0) - 1)
