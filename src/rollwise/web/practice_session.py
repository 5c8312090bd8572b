"""The pages of a practice session: a question, the review of its answer, and the result.

The address contains all answers, so that a reload or another browser shows the same page. The dice
to keep are checkboxes, and the categories are buttons. A new answer is redirected to the address of
its review, so that a reload never answers twice.
"""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from math import ceil
from typing import Any

from starlette.datastructures import QueryParams

from rollwise.errors import InputError, MalformedError
from rollwise.game.actions import Action, Keep, Score
from rollwise.game.dice_notation import format_dice
from rollwise.game.notation import describe_action, format_action, parse_action
from rollwise.game.position import Position
from rollwise.game.scorecard import Move, Scorecard, extra_bonus_title
from rollwise.playing.category_codes import DIE_KEYS, code_of, first_slot, typed_code
from rollwise.playing.practice import ASKED, Answer, Practice
from rollwise.playing.session import HeldDice
from rollwise.reviews.grades import VERDICTS
from rollwise.rules import Rules
from rollwise.solving.option import format_loss
from rollwise.web.computing import BusyError, FailedError
from rollwise.web.dice import Look, look_of
from rollwise.web.rendering import address
from rollwise.web.solved_games import SolvedGames

ROWS, COLUMNS = 8, 3
"""The number of rows of a scorecard that fit on a phone, and the maximum number of columns."""

SQUARES: dict[str, str] = dict(zip(VERDICTS, "🟩🟩🟨🟧🟥", strict=True))
"""The square for each grade in a shared result."""


PATIENCE = 0.2
"""The seconds for which an answer waits for its reason, less than a page waits for its results."""


@dataclass(frozen=True)
class SessionAddress:
    """The address of a session.

    Attributes
    ----------
    path : str
    query : dict of str to str
        What identifies the session, such as the rules.
    answers : tuple of str
        The answers so far, such as ``keep 66``, with the answers to repeated questions.
    shown : int
        The number of the answer whose review the page shows. If there is no such answer, the page
        shows the next question or the result.
    """

    path: str
    query: dict[str, str]
    answers: tuple[str, ...] = ()
    shown: int = 0

    @classmethod
    def read(cls, path: str, query: dict[str, str], given: QueryParams) -> "SessionAddress":
        """Return the address of a session from the parameters of a request."""
        answers = tuple(filter(None, given.get("answers", "").split(";")))
        shown = given.get("shown", "")
        return cls(path, query, answers, int(shown) if shown.isdecimal() else 0)

    def fields(self) -> dict[str, str]:
        """Return the parameters of the session and its answers."""
        return {**self.query, **({"answers": ";".join(self.answers)} if self.answers else {})}

    def following(self) -> str:
        """Return the address of the next question, or of the result."""
        return address(self.path, **self.fields())

    def review(self, number: int) -> str:
        """Return the address of the review of an answer."""
        return address(self.path, **self.fields(), shown=str(number))

    def after(self, action: str) -> "SessionAddress":
        """Return the address of the review of a new answer."""
        answers = (*self.answers, action)
        return SessionAddress(self.path, self.query, answers, len(answers))


def submitted_action(rules: Rules, fields: QueryParams) -> str | None:
    """Return the action that a form submits; None if the request submits no action.

    Raises
    ------
    InputError
        If the dice to keep are not dice of these rules.
    """
    if "roll" in fields:
        faces = {str(die): die for symbols in rules.symbols for die in symbols}
        if not faces.keys() >= {*fields.getlist("keep")}:
            raise MalformedError("this address is not an answer; start again")
        return format_action(rules, Keep(tuple(sorted(faces[d] for d in fields.getlist("keep")))))
    return fields.get("action")


def replay(session: Practice, place: SessionAddress) -> str:
    """Give the answers of an address; return the first answer that is not possible, or nothing.

    If the address shows the review of an answer, the session stops at this answer.
    """
    rules = session.solution.rules
    for number, text in enumerate(place.answers, 1):
        if session.question is None:
            return ""
        try:
            session.judge(parse_action(rules, text))
        except InputError:
            return text
        if number == place.shown:
            return ""
        session.go_on()
    return ""


async def describe_session(
    games: SolvedGames, session: Practice, place: SessionAddress, *, post: bool = False
) -> dict[str, Any]:
    """Return the content of the template ``practice`` for the page at an address.

    Parameters
    ----------
    session : Practice
        A session that begins with the first question.
    post : bool
        Whether an answer changes data on the server.
    """
    refused = replay(session, place)
    if session.question is None:
        return {"board": None, **describe_result(session, place)}
    answer = session.answer
    valid = place.answers[: place.answers.index(refused)] if refused else place.answers
    place = SessionAddress(place.path, place.query, valid)
    position = session.question.position
    best = answer.options[0].action if answer else None
    chosen = answer.chosen.action if answer else None
    held = _held(position, chosen if answer else _action(position.rules, refused))
    board = {
        "verdict": answer.verdict if answer else "open",
        "said": answer.words(describe_action)
        if answer
        else f"{session.question.situation} {ASKED}",
        "problem": _problem(position, refused),
        "reason": await _reason(games, answer) if answer else "",
        "then": answer.then(describe_action) if answer else "",
        "columns": _columns(position, best, chosen, is_open=answer is None),
        "dice": [
            (die, look_of(die, position.rules), is_held, is_best)
            for die, is_held, is_best in zip(
                position.dice, held, _held(position, best), strict=True
            )
        ],
        "example": typed_code(position.rules, max(position.legal_categories)),
        "keys": DIE_KEYS[: position.rules.dice],
        "can_roll": answer is None and "keep" in position.legal_kinds,
        "fields": place.fields(),
        "method": "post" if post else "get",
        "following": place.following(),
        "is_last": session.is_ending,
        "options": _options(answer) if answer else [],
        "is_repeated": session.is_repeated,
    }
    return {"board": board, **_summary(session)}


def _summary(session: Practice) -> dict[str, Any]:
    lost = f"{session.loss:.2f} points lost" if session.loss else "no points lost"
    return {
        "marks": session.marks(),
        "answered": len(session.firsts),
        "number": session.number,
        "right": session.right,
        "lost": lost,
    }


def describe_result(session: Practice, place: SessionAddress) -> dict[str, Any]:
    """Return the content of the page that shows the result of a session."""
    rows = []
    for number, first in enumerate(session.firsts, 1):
        position = first.question.position
        best = describe_action(position.rules, first.options[0].action)
        mine = describe_action(position.rules, first.chosen.action)
        dice = format_dice(position.rules, position.dice)
        rows.append((dice, mine, best, format_loss(first.chosen), place.review(number)))
    squares = "".join(SQUARES[verdict] for verdict in session.marks())
    return {**_summary(session), "rows": rows, "squares": squares}


def solution_dice(answer: Answer) -> list[tuple[Look, bool, bool]]:
    """Return the look of each die, and whether the answer and the best option keep it."""
    position = answer.question.position
    held = _held(position, answer.chosen.action)
    best = _held(position, answer.options[0].action)
    looks = [look_of(die, position.rules) for die in position.dice]
    return list(zip(looks, held, best, strict=True))


def _held(position: Position, action: Action | None) -> tuple[bool, ...]:
    """Return whether an action keeps each die."""
    kept = action.dice if isinstance(action, Keep) else ()
    return HeldDice(position.dice).hold(kept).held


def _action(rules: Rules, text: str) -> Action | None:
    with suppress(InputError):
        return parse_action(rules, text)
    return None


def _problem(position: Position, refused: str) -> str:
    """Return a sentence that rejects an impossible answer; empty if no answer was rejected."""
    if not refused:
        return ""
    action = _action(position.rules, refused)
    if isinstance(action, Keep) and len(action.dice) == position.rules.dice:
        return "No dice to roll: release a die, or choose a category."
    return f"Not possible here: {refused[:40]}."


def _options(answer: Answer) -> list[tuple[str, str, str, bool]]:
    rules = answer.question.position.rules
    return [
        (
            describe_action(rules, option.action),
            f"{option.value:.2f}",
            format_loss(option),
            option == answer.chosen,
        )
        for option in answer.options
    ]


async def _reason(games: SolvedGames, answer: Answer) -> str | None:
    """Return why the best option is better, or None if the computation takes longer."""
    if answer.chosen.best:
        return ""
    position, action = answer.question.position, answer.chosen.action
    try:
        async with asyncio.timeout(PATIENCE):
            causes = await games.reason(position, action)
    except TimeoutError:
        return None
    except (BusyError, FailedError):
        return ""
    return f"The best option gains {causes}." if causes else ""


@dataclass(frozen=True)
class CardRow:
    """A row of the scorecard: a category with all its slots, or a sum.

    Attributes
    ----------
    title : str
    cells : list of tuple of str
        The points in each slot, and whether it is ``filled``, ``possible``, or ``open``.
    note : str
        How far the upper bonus is.
    action : str
        The action that chooses the category; empty if it is not possible.
    code : str
        The code to type.
    words : str
        What a screen reader says about a category that can be chosen.
    is_sum, is_best, is_chosen : bool
    """

    title: str
    cells: list[tuple[str, str]]
    note: str = ""
    action: str = ""
    code: str = ""
    words: str = ""
    is_sum: bool = False
    is_best: bool = False
    is_chosen: bool = False


def _columns(
    position: Position, best: Action | None, chosen: Action | None, *, is_open: bool
) -> list[list[CardRow]]:
    """Return the rows of the scorecard: the sections in columns, or columns of equal height."""
    rules, card = position.rules, position.card
    possible = position.possible() if is_open else {}
    slots: dict[int, list[int]] = {}
    for k in range(len(rules.categories)):
        slots.setdefault(first_slot(rules, k), []).append(k)
    upper, lower = list[CardRow](), list[CardRow]()
    for first, same in slots.items():
        row = _category_row(position, card, same, possible, best, chosen)
        (upper if rules.categories[first].section == "upper" else lower).append(row)
    upper += _upper_bonus_rows(card)
    if rules.extra_bonus:
        extra = [(str(card.extra_bonus), "filled")]
        lower.append(CardRow(extra_bonus_title(rules), extra, is_sum=True))
    if (len(upper) + len(lower)) % ROWS or not upper:
        total = CardRow("Total", [(str(card.points), "filled")], is_sum=True)
        (upper if 0 < len(upper) < len(lower) else lower).append(total)
    else:  # a row for the total would need another column
        upper[-1] = replace(upper[-1], note=f"{upper[-1].note}, total {card.points}".lstrip(", "))
    if upper and len(lower) <= ROWS < len(upper) + len(lower) and len(upper) <= ROWS:
        return [upper, lower]
    rows = [*upper, *lower]
    columns = min(ceil(len(rows) / ROWS), COLUMNS)
    height = ceil(len(rows) / columns)
    return [rows[start : start + height] for start in range(0, len(rows), height)]


def _category_row(
    position: Position,
    card: Scorecard,
    same: Sequence[int],
    possible: dict[int, Move],
    best: Action | None,
    chosen: Action | None,
) -> CardRow:
    rules = position.rules
    title = rules.categories[same[0]].title
    due, keys = next((k for k in same if k in possible), None), [rules.keys[k] for k in same]
    cells = []
    for k in same:
        points, move = card.boxes[k], possible.get(k) if k == due else None
        if move:
            text = f"{move.points}+{move.extra}" if move.extra else str(move.points)
            cells.append((text, "possible"))
        else:
            cells.append(("", "open") if points is None else (str(points), "filled"))
    action = "" if due is None else format_action(rules, Score(rules.keys[due]))
    filled = " ".join(text for text, state in cells if state == "filled")
    offered = next((text for text, state in cells if state == "possible"), "")
    words = f"{title}{f' ({filled})' if filled else ''}: score {offered}".rstrip()
    return CardRow(
        title,
        cells,
        action=action,
        code=code_of(rules, same[0]),
        words=words,
        is_best=getattr(best, "category", None) in keys,
        is_chosen=getattr(chosen, "category", None) in keys,
    )


def _upper_bonus_rows(card: Scorecard) -> list[CardRow]:
    """Return a row for the upper bonus of each column of the game."""
    rules, bonus = card.rules, card.rules.upper_bonus
    if not bonus:
        return []
    titles = [f"Bonus ({column.title})" for column in rules.columns] or ["Bonus"]
    rows = []
    for title, total in zip(titles, card.upper_totals, strict=True):
        note = f"{total} of {bonus.next_step(total)}"
        rows.append(CardRow(title, [(str(bonus.at(total)), "filled")], note, is_sum=True))
    return rows
