"""A parser for game records in text form, which people can read, type, and edit.

.. code-block:: text

    rollwise game 1
    rules: yahtzee
    players: Ada
    date: 2026-11-21
    seed: 7

     1. 11366 keep 66; 25666 keep 666; 46666 score four-of-a-kind = 28

Every turn is one line. Rolls alternate with the dice to keep, and the category comes last. Only
dice and categories are required: ``11366 66 25666 666 46666 4k``. A category can be written as its
key, its code, or its title in any case, and ``hold`` means ``keep``. If a line states its points,
the parser checks them. ``#`` begins a comment.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import zip_longest
from typing import Any

from rollwise.errors import InputError, MalformedError, quoted
from rollwise.game.actions import Event, Keep, Roll, Score
from rollwise.game.dice_notation import (
    check_length,
    parse_category,
    parse_dice,
    parse_keep,
    unknown_category,
)
from rollwise.game.headers import (
    EXPECTED,
    FORMAT,
    MAX_LENGTH,
    MAX_SEED,
    Headers,
    as_date,
    check_players,
    rules_named,
)
from rollwise.game.notation import VERBS, as_verb
from rollwise.game.position import Position, format_position
from rollwise.game.scorecard import Scorecard
from rollwise.game.stage import GameStep, Stage
from rollwise.rules import Rules

DEFAULT_RULES = "yahtzee"
ON, OFF = "on", "off"


class RecordError(InputError):
    """An error in a game record; ``line`` is the line number, counted from 1."""

    def __init__(self, line: int, reason: str) -> None:
        self.line = line
        super().__init__(f"line {line}: {reason}")


def format_record(
    headers: Headers,
    start: Position | None,
    stage: Stage,
    steps: Iterable[tuple[GameStep, str]],
    comments: Iterable[str] = (),
) -> str:
    """Return a game at a stage as text: headers, and a line for each turn, with its comment.

    Each of the ``steps`` comes with its event as text.
    """
    bots = "; ".join(f"{name}: {strategy}" for name, strategy in headers.bots.items())
    head = {
        "rules": stage.rules.name,
        "players": ", ".join(headers.players),
        "position": "" if start is None else format_position(start),
        "date": headers.date,
        "seed": headers.seed,
        "bots": bots,
        "tutor": ON if headers.tutor else "",
        "objective": "" if headers.objective == EXPECTED else headers.objective,
        "score": ", ".join(str(card.points) for card in stage.cards) if stage.is_over else "",
    }
    lines = [f"{key}: {value}" for key, value in head.items() if value not in ("", None)]
    turns = (
        f"{line}  # {comment}" if comment else line
        for line, comment in zip_longest(_turns(headers.players, steps), comments, fillvalue="")
    )
    return "\n".join([FORMAT, *lines, "", *turns]) + "\n"


def _turns(players: Sequence[str], steps: Iterable[tuple[GameStep, str]]) -> Iterator[str]:
    """Yield a line for each turn, including an unfinished last turn."""
    turn = ""
    for step, text in steps:
        if not turn:
            name = f"{players[step.before.player]}: " if len(players) > 1 else ""
            turn = f"{step.before.turn:>2}. {name}"
        if isinstance(step.event, Roll):
            turn += text.removeprefix("roll ")
        elif isinstance(step.event, Keep):
            turn = f"{turn.rstrip()} {text}; "
        else:
            points, extra = step.points
            plus = f" + {extra}" if extra else ""
            yield f"{turn.rstrip()} {text} = {points}{plus}"
            turn = ""
    if turn:
        yield turn.rstrip("; ")


def parse_record(
    text: str, rules: Rules | None = None
) -> tuple[Headers, Rules | Position, list[GameStep]]:
    """Parse a game record in text form; return its headers, how the game begins, and its steps.

    ``rules`` are the rules of the game if they are not a preset.
    """
    with _at(1):
        check_length(text, MAX_LENGTH, "record")
    head: dict[str, tuple[int, str]] = {}
    body: list[tuple[int, str]] = []
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.partition("#")[0].strip()
        word, colon, rest = line.partition(":")
        if number == 1 and line.startswith("rollwise game") and line != FORMAT:
            raise RecordError(1, f"expected {FORMAT!r}, got {line!r:.60}")
        if not line or (number == 1 and line == FORMAT):
            continue
        if colon and not body and word.strip() in FIELDS:
            if word.strip() in head:
                raise RecordError(number, f"{word.strip()} appears twice; write it once")
            head[word.strip()] = (number, rest.strip())
        else:
            body.append((number, line))
    if not head and not body:
        raise RecordError(
            1, "the record is empty; write each turn on a line, such as 11366 66 25666 666 46666 4k"
        )
    reader = _Reader(head, rules)
    reader.read(body)
    return reader.headers, reader.start, reader.steps


def rules_of_record(text: str) -> str:
    """Return the name of the rules in a record, without parsing the rest of the record."""
    # Each blank matches only blanks of one line; otherwise many empty lines would take minutes.
    pattern = r"^[^\S\n]*rules[^\S\n]*:[^\S\n]*([^\s#]+)"
    match = re.search(pattern, text[:MAX_LENGTH], flags=re.MULTILINE)
    return match[1] if match else DEFAULT_RULES


class _Reader:
    """A parser that replays the turns of one record as a game."""

    def __init__(self, head: dict[str, tuple[int, str]], rules: Rules | None) -> None:
        line, name = head.get("rules", (1, rules.name if rules else DEFAULT_RULES))
        with _at(line):
            self.rules = rules_named(name, rules)
        self.headers = Headers()
        for key, read in READERS.items():
            line, text = head.get(key, (1, ""))
            if text:  # a header without a value has its usual value
                with _at(line):
                    self.headers = replace(self.headers, **{key: read(text)})
        line, text = head.get("position", (1, ""))
        with _at(line):
            self.start = Position(self.rules, text) if text else self.rules
            self.stage = Stage.first(self.start, len(self.headers.players))
        self.score = head.get("score")
        self.steps: list[GameStep] = []
        self._line = 1
        self._line_of: dict[tuple[int, int], int] = {}  # by player and category

    def read(self, lines: list[tuple[int, str]]) -> None:
        """Replay the turns in ``lines``, each with its line number."""
        unfinished = None
        for number, line in lines:
            if unfinished is not None:
                raise RecordError(
                    unfinished, "the turn has no category; add one at the end of the line"
                )
            self._line = number
            with _at(number):
                unfinished = None if self._turn(line) else number
        if self.score is not None:
            with _at(self.score[0]):
                _check_scores(self.score[1], self.stage.cards)

    def _push(self, event: Event) -> GameStep:
        step = self.stage.step(event)
        self.steps.append(step)
        self.stage = step.after
        return step

    def _turn(self, line: str) -> bool:
        """Push the events of one line, and return whether the turn is over."""
        if self.stage.is_over:
            raise MalformedError("the game is already over; remove this turn")
        line = self._without_number(line)
        line = self._without_name(line)
        moves, equals, points = line.partition("=")
        words = re.findall(r"[^\s;|/]+", moves)  # 12345+7 is one word
        words += re.findall(r"[=+]|[^\s;|/=+]+", equals + points)
        words, claim = self._without_points(words)
        while words:
            if self.stage.dice is None:
                self._push(Roll(parse_dice(self.rules, words.pop(0))))
                continue
            verb = as_verb(words[0])
            if verb not in VERBS:
                verb = self._missing_verb(words)
            elif not words[1:]:
                what = "dice" if verb == "keep" else "a category"
                raise MalformedError(f"the line ends after {words[0]!r}; add {what}")
            else:
                words.pop(0)
            if verb == "keep":
                self._push(Keep(parse_keep(self.rules, words.pop(0))))
            else:
                self._score(self._take_category(words), claim)
                if words:
                    raise MalformedError(
                        f"the category ends a turn; remove {words[0]!r:.60}, or start a new line"
                    )
                return True
        return False

    def _missing_verb(self, words: list[str]) -> str:
        """Return the verb that the rest of a line implies if it begins with no verb.

        A word at the end of a line is the category, even "1" for ones, and so is "3 of a kind".
        """
        is_last = len(words) == 1 or any(map(str.isalpha, words[0])) or words[1].casefold() == "of"
        return "score" if is_last else "keep"

    def _take_category(self, words: list[str]) -> int:
        """Remove the longest category name from the beginning of ``words``; return its index."""
        for length in range(len(words), 0, -1):
            with suppress(MalformedError):
                category = parse_category(self.rules, " ".join(words[:length]))
                del words[:length]
                return category
        raise MalformedError(unknown_category(self.rules, " ".join(words)))

    def _score(self, category: int, claim: tuple[int, int] | None) -> None:
        key, place = self.rules.keys[category], (self.stage.player, category)
        if place in self._line_of:
            raise MalformedError(
                f"{key} is filled, in line {self._line_of[place]}; correct one of the two lines"
            )
        points, extra = self._push(Score(key)).points
        self._line_of[place] = self._line
        if claim not in (None, (points, extra)):
            earned = f"{points}{f' + {extra}' if extra else ''}"
            raise MalformedError(
                f"the roll scores {earned} in {key}; correct or remove the points after ="
            )

    def _without_number(self, line: str) -> str:
        match = re.match(r"([0-9]{1,3})\.\s*", line)
        if match is None:
            return line
        if int(match[1]) != self.stage.turn:
            raise MalformedError(f"expected turn {self.stage.turn}, got {match[1]}")
        return line[match.end() :]

    def _without_name(self, line: str) -> str:
        name, colon, rest = line.partition(":")
        if not colon:
            return line
        expected = self.headers.players[self.stage.player]
        if name.strip() != expected:
            raise MalformedError(f"expected a turn of {expected}, got {name.strip()!r:.60}")
        return rest

    def _without_points(self, words: list[str]) -> tuple[list[str], tuple[int, int] | None]:
        if "=" not in words:
            return words, None
        at = words.index("=")
        claim = re.fullmatch(r"([0-9]{1,6})(?:\+([0-9]{1,6}))?", "".join(words[at + 1 :]))
        if claim is None:
            raise MalformedError("expected points after =, such as = 24 or = 30 + 100")
        return words[:at], (int(claim[1]), int(claim[2] or 0))


@contextmanager
def _at(line: int) -> Iterator[None]:
    """Add the number of a line to the message of an InputError."""
    try:
        yield
    except InputError as error:
        raise RecordError(line, str(error)) from None


def _seed(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,19}", text):
        raise MalformedError(
            f"the seed must be a whole number from 0 to {MAX_SEED}, not {text!r:.60}"
        )
    return int(text)


def _bots(text: str) -> dict[str, str]:
    """Parse ``PLAYER: STRATEGY; …``, and return the strategy of each computer opponent by name."""
    bots = {}
    for part in text.split(";"):
        name, colon, strategy = part.partition(":")
        if not colon or not strategy.strip():
            expected = "a player and a strategy, such as Ben: greedy"
            raise MalformedError(f"expected {expected}, got {quoted(part.strip())}")
        bots[name.strip()] = strategy.strip()
    return bots


def _tutor(text: str) -> bool:
    if text not in (ON, OFF):
        raise MalformedError(f"expected {ON} or {OFF}, got {quoted(text)}")
    return text == ON


READERS: dict[str, Callable[[str], Any]] = {
    "players": check_players,
    "seed": _seed,
    "date": as_date,
    "bots": _bots,
    "tutor": _tutor,
    "objective": str,
}
"""The function that parses the value of each header."""

FIELDS = {*READERS, "rules", "position", "score"}


def _check_scores(text: str, cards: Iterable[Scorecard]) -> None:
    played = ", ".join(str(card.points) for card in cards)
    if [part.strip() for part in text.split(",")] != played.split(", "):
        raise MalformedError(
            f"the turns add up to {played}, not {text!r:.60}; correct or remove the score"
        )
