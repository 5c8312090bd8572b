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
from contextlib import suppress
from typing import Any

from rollwise.errors import InputError, MalformedError
from rollwise.game.actions import Keep, Score
from rollwise.game.dice_notation import parse_category, parse_dice, parse_keep, unknown_category
from rollwise.game.events import Roll
from rollwise.game.game import Game
from rollwise.game.notation import VERBS, as_verb
from rollwise.game.records.record import (
    EXPECTED,
    FORMAT,
    MAX_LENGTH,
    MAX_SEED,
    Record,
    RecordError,
    Setting,
    as_date,
    bots_by_player,
    parse_bots,
    parse_tutor,
    push_score,
    rules_named,
)
from rollwise.rules import Rules

DEFAULT_RULES = "yahtzee"
FIELDS = ("rules", "players", "date", "seed", "robots", "tutor", "objective", "score")


def parse_record(text: str, rules: Rules | None = None) -> Record:
    """Parse a game record in text form.

    Parameters
    ----------
    text : str
        The record, written by :func:`rollwise.game.records.record.format_record` or by hand.
    rules : Rules, optional
        The rules of the game, if they are not a preset. A record contains only the name of its
        rules, never a path.

    Raises
    ------
    RecordError
        If the string is not a valid record. The message names the line and the reason.

    Examples
    --------
    >>> parse_record("11366 66 25666 666 46666 6").cards[0].points
    24
    """
    if len(text) > MAX_LENGTH:
        raise RecordError(1, f"the record has {len(text):,} characters; use at most {MAX_LENGTH:,}")
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
    return _Reader(head, rules).read(body)


def rules_of_record(text: str) -> str:
    """Return the name of the rules in a record, without parsing the rest of the record."""
    # Each blank matches only blanks of one line; otherwise many empty lines would take minutes.
    pattern = r"^[^\S\n]*rules[^\S\n]*:[^\S\n]*([^\s#]+)"
    match = re.search(pattern, text[:MAX_LENGTH], flags=re.MULTILINE)
    return match[1] if match else DEFAULT_RULES


class _Reader:
    """A parser that replays the turns of one record as a game."""

    def __init__(self, head: dict[str, tuple[int, str]], rules: Rules | None) -> None:
        self.head = head
        line, name = head.get("rules", (1, rules.name if rules else DEFAULT_RULES))
        self.rules = _at(line, rules_named, name, rules)
        line, names = head.get("players", (1, "Player"))
        players = [name.strip() for name in names.split(",")]
        self.game = _at(line, Game, self.rules, players)

    def read(self, lines: list[tuple[int, str]]) -> Record:
        """Replay the turns in ``lines`` (each with its line number), and return the record."""
        unfinished = None
        for number, line in lines:
            if unfinished is not None:
                raise RecordError(
                    unfinished, "the turn has no category; add one at the end of the line"
                )
            if not _at(number, self._turn, line):
                unfinished = number
        seed, date = (self.head.get(key) for key in ("seed", "date"))
        record = Record.of(
            self.game,
            None if seed is None else _at(seed[0], _seed, seed[1]),
            None if date is None else _at(date[0], as_date, date[1]),
            self._setting(),
        )
        if "score" in self.head:
            _at(self.head["score"][0], _check_scores, self.head["score"][1], record)
        return record

    def _setting(self) -> Setting:
        line, robots = self.head.get("robots", (1, ""))
        by_name = _at(line, parse_bots, robots) if robots else {}
        seats = _at(line, bots_by_player, by_name, self.game.players)
        line, tutor = self.head.get("tutor", (1, "off"))
        _, objective = self.head.get("objective", (1, EXPECTED))
        return Setting(seats, _at(line, parse_tutor, tutor), objective)

    def _turn(self, line: str) -> bool:
        """Push the events of one line, and return whether the turn is over."""
        game = self.game
        if game.is_over:
            raise MalformedError("the game is already over; remove this turn")
        line = self._without_number(line)
        line = self._without_name(line)
        moves, equals, points = line.partition("=")
        words = re.findall(r"[^\s;|/]+", moves)  # 12345+7 is one word
        words += re.findall(r"[=+]|[^\s;|/=+]+", equals + points)
        words, claim = self._without_points(words)
        while words:
            if game.awaits_roll:
                game.push(Roll(parse_dice(self.rules, words.pop(0))))
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
                game.push(Keep(parse_keep(self.rules, words.pop(0))))
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

        A word at the end of a line is the category, even "1" for ones.
        """
        is_last = len(words) == 1 or any(character.isalpha() for character in words[0])
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
        points, extra = push_score(self.game, Score(category))
        if claim not in (None, (points, extra)):
            earned = f"{points}{f' + {extra}' if extra else ''}"
            raise MalformedError(
                f"the roll scores {earned} in {self.rules.keys[category]}; correct or remove the "
                "points after ="
            )

    def _without_number(self, line: str) -> str:
        match = re.match(r"([0-9]{1,3})\.\s*", line)
        if match is None:
            return line
        if int(match[1]) != self.game.turn:
            raise MalformedError(f"expected turn {self.game.turn}, got {match[1]}")
        return line[match.end() :]

    def _without_name(self, line: str) -> str:
        name, colon, rest = line.partition(":")
        if not colon:
            return line
        expected = self.game.players[self.game.stage.player]
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


def _at(line: int, call: Any, *arguments: Any) -> Any:
    """Return ``call(*arguments)``; an InputError becomes a RecordError with the line number."""
    try:
        return call(*arguments)
    except InputError as error:
        raise RecordError(line, str(error)) from None


def _seed(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,19}", text) or int(text) > MAX_SEED:
        raise MalformedError(
            f"the seed must be a whole number from 0 to {MAX_SEED}, not {text!r:.60}"
        )
    return int(text)


def _check_scores(text: str, record: Record) -> None:
    played = ", ".join(str(card.points) for card in record.cards)
    if [part.strip() for part in text.split(",")] != played.split(", "):
        raise MalformedError(
            f"the turns add up to {played}, not {text!r:.60}; correct or remove the score"
        )
