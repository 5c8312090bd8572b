"""A game written down: rules, seed, date and players in its head, every roll, keep and category.

How a game is played beside its rules: who is a robot, whether a tutor warns, and for what.
"""

import datetime
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

from rollwise.errors import InputError, MalformedError, quoted
from rollwise.game.actions import Announce, Keep, Score
from rollwise.game.events import Event, Events, Roll, format_events
from rollwise.game.game import Game
from rollwise.game.notation import format_action, format_dice
from rollwise.game.scorecard import Scorecard
from rollwise.rules import Rules, RulesLike, load_rules, preset_names

EXPECTED = "expected"
ON, OFF = "on", "off"


@dataclass(frozen=True)
class Setting:
    """What a record says of the table, so that the game goes on there as it was.

    Attributes
    ----------
    robots : mapping of int to str
        The strategies of those players, by number, that are no people.
    tutor : bool
        Whether choices that lose something are warned of.
    objective : str
        What hints and the tutor play for.
    """

    robots: Mapping[int, str] = field(default_factory=dict, hash=False)
    tutor: bool = False
    objective: str = EXPECTED

    def head(self, players: Sequence[str]) -> dict[str, str]:
        """Return what the head of a record says of it, by field; nothing that is as ever."""
        robots = "; ".join(f"{players[n]}: {robot}" for n, robot in sorted(self.robots.items()))
        told = {
            "robots": robots,
            "tutor": ON if self.tutor else "",
            "objective": self.objective if self.objective != EXPECTED else "",
        }
        return {key: words for key, words in told.items() if words}


def robots_of(text: str) -> dict[str, str]:
    """Return the strategies that the head of a record names, by player.

    Raises
    ------
    MalformedError
        When it names none.
    """
    robots = {}
    for part in text.split(";"):
        name, colon, strategy = part.partition(":")
        if not colon or not strategy.strip():
            expected = "a player and a strategy, such as Ben: greedy"
            raise MalformedError(f"expected {expected}, got {quoted(part.strip())}")
        robots[name.strip()] = strategy.strip()
    return robots


def seated(robots: Mapping[str, str], players: Sequence[str]) -> dict[int, str]:
    """Return the strategies of robots by the number of their player.

    Raises
    ------
    MalformedError
        When one is no player.
    """
    for name in robots:
        if name not in players:
            raise MalformedError(f"expected robots among {', '.join(players)}, got {quoted(name)}")
    return {players.index(name): strategy for name, strategy in robots.items()}


def tutor_of(text: str) -> bool:
    """Return whether a text says that the tutor is on.

    Raises
    ------
    MalformedError
        When it says neither.
    """
    if text not in (ON, OFF):
        raise MalformedError(f"expected {ON} or {OFF}, got {quoted(text)}")
    return text == ON


FORMAT = "rollwise game 1"
MAX_LENGTH = 200_000
"""Longer records are refused unread."""

MAX_SEED = 2**63 - 1


def fresh_seed() -> int:
    """Return a seed that nobody knows beforehand, short enough to be read out."""
    return secrets.randbelow(2**31)


def as_date(date: datetime.date | str | None) -> datetime.date | None:
    """Return a date as it is, or the one that a text says.

    Raises
    ------
    MalformedError
        When the text says none.
    """
    try:
        return datetime.date.fromisoformat(date) if isinstance(date, str) else date
    except ValueError:
        raise MalformedError(f"expected a date such as 2026-11-21, got {date!r:.60}") from None


class RecordError(InputError):
    """A record that is no game; ``line`` is where, from 1."""

    def __init__(self, line: int, reason: str) -> None:
        self.line = line
        super().__init__(f"line {line}: {reason}")


@dataclass(frozen=True)
class Record:
    """A game with its head; unfinished ones too.

    Parameters
    ----------
    rules : Rules, str or Path
        Those of the game, or the name of a preset.
    players : sequence of str, or str
        Their names, in the order of play; in one text with commas between.
    events : iterable of (Roll, Announce, Keep, Score or str), or str
        As they happened; in one text with semicolons between: ``roll 11366; keep 66``.
    seed : int, optional
        Of the dice; None for dice rolled at a table.
    date : datetime.date or str, optional
        As text ``2026-11-21``.
    setting : Setting, optional
        Who is a robot, whether the tutor warns, and for what.

    Attributes
    ----------
    rules : Rules
    players : tuple of str
    events : tuple of Roll, Announce, Keep and Score
    seed : int or None
    date : datetime.date or None
    setting : Setting
    cards : tuple of Scorecard
        Of all players, as the game stands.

    Raises
    ------
    InputError
        When names, seed or events make no game.

    Examples
    --------
    >>> Record("crag", "Ada", "roll 336; score threes").cards[0].points
    6
    """

    rules: Rules
    players: tuple[str, ...]
    events: tuple[Event, ...]
    seed: int | None
    date: datetime.date | None
    setting: Setting
    cards: tuple[Scorecard, ...] = field(compare=False)

    def __init__(
        self,
        rules: RulesLike,
        players: Sequence[str] | str = "Player",
        events: Events = (),
        seed: int | None = None,
        date: datetime.date | str | None = None,
        setting: Setting | None = None,
    ) -> None:
        self._tell(Game(rules, players, events), seed, as_date(date), setting)

    @classmethod
    def of(
        cls,
        game: Game,
        seed: int | None = None,
        date: datetime.date | None = None,
        setting: Setting | None = None,
    ) -> Self:
        """Return a game that was played already with its head, without playing it again.

        Raises
        ------
        MalformedError
            When the seed is none.
        """
        record = cls.__new__(cls)
        record._tell(game, seed, date, setting)
        return record

    def _tell(
        self,
        game: Game,
        seed: int | None,
        date: datetime.date | None,
        setting: Setting | None,
    ) -> None:
        if seed is not None and not 0 <= seed <= MAX_SEED:
            raise MalformedError(f"expected a seed from 0 to {MAX_SEED}, got {seed}")
        told = {"rules": game.rules, "players": game.players, "events": game.events}
        told |= {"setting": setting or Setting(), "cards": game.stage.cards}
        vars(self).update(told, seed=seed, date=date)

    def __repr__(self) -> str:
        parts = [self.rules.named, ", ".join(self.players), format_events(self.rules, self.events)]
        told = [repr(part) for part in parts]
        if self.seed is not None:
            told.append(f"seed={self.seed}")
        if self.date is not None:
            told.append(f"date={self.date.isoformat()!r}")
        if self.setting != Setting():
            told.append(f"setting={self.setting!r}")
        return f"Record({', '.join(told)})"

    def __str__(self) -> str:
        return format_record(self)

    def game(self) -> Game:
        """Return the game, replayed."""
        return Game(self.rules, self.players, self.events)

    @property
    def is_over(self) -> bool:
        """Whether all cards are full."""
        return all(card.is_full for card in self.cards)


@dataclass(frozen=True)
class TurnRecord:
    """One turn: all before the score in the order of play, and the score, None if still to come."""

    player: int
    number: int
    steps: tuple[Roll | Announce | Keep, ...]
    score: Score | None
    points: int = 0
    extra: int = 0


def push_score(game: Game, score: Score) -> tuple[int, int]:
    """Let a player score; return the points of the box and the extra bonus.

    Raises
    ------
    IllegalError
        When that cannot be scored there.
    """
    player, before = game.stage.player, game.card.extra_bonus
    game.push(score)
    card = game.stage.cards[player]
    return card.boxes[score.category] or 0, card.extra_bonus - before


def turns_of(record: Record) -> list[TurnRecord]:
    """Return the turns of a game, an unfinished one last."""
    game, turns = Game(record.rules, record.players), list[TurnRecord]()
    steps: list[Roll | Announce | Keep] = []
    for event in record.events:
        if isinstance(event, Score):
            turn = (game.stage.player, game.turn, tuple(steps), event)
            turns.append(TurnRecord(*turn, *push_score(game, event)))
            steps = []
        else:
            game.push(event)
            steps.append(event)
    if steps:
        turns.append(TurnRecord(game.stage.player, game.turn, tuple(steps), None))
    return turns


def format_record(record: Record) -> str:
    """Return a game as text; :func:`rollwise.game.records.as_text.parse_record` reads it back.

    Parameters
    ----------
    record : Record

    Examples
    --------
    >>> format_record(Record("micro-yahtzee", "Ada", "roll 6; score square")).splitlines()[-1]
    ' 1. 6 score square = 36'
    """
    rules = record.rules
    lines = [FORMAT, f"rules: {rules.name}", f"players: {', '.join(record.players)}"]
    if record.date is not None:
        lines.append(f"date: {record.date.isoformat()}")
    if record.seed is not None:
        lines.append(f"seed: {record.seed}")
    head = record.setting.head(record.players)
    lines += [f"{key}: {words}" for key, words in head.items()]
    if record.is_over:
        lines.append(f"score: {', '.join(str(card.points) for card in record.cards)}")
    lines.append("")
    for turn in turns_of(record):
        name = f"{record.players[turn.player]}: " if len(record.players) > 1 else ""
        text = ""
        for step in turn.steps:
            if isinstance(step, Roll):
                text += format_dice(rules, step.dice)
            else:
                # What follows is a roll, as a word of its own, or what else is done with this one.
                text += f" {format_action(rules, step)};{' ' * isinstance(step, Keep)}"
        if turn.score is not None:
            extra = f" + {turn.extra}" if turn.extra else ""
            text += f" score {rules.keys[turn.score.category]} = {turn.points}{extra}"
        lines.append(f"{turn.number:>2}. {name}{text.rstrip('; ')}")
    return "\n".join(lines) + "\n"


def rules_named(name: str, rules: Rules | None) -> Rules:
    """Return the rules that a record names: ``rules`` if given, or a preset; never a file.

    Raises
    ------
    MalformedError
        When it names others, or none that are known.
    """
    if rules is not None:
        if rules.name != name:
            raise MalformedError(f"the record is of {name!r:.60}, expected {rules.name!r}")
        return rules
    if name not in preset_names():
        raise MalformedError(
            f"no rules {name!r:.60} come with rollwise: expected their file beside the record, or "
            f"one of {', '.join(preset_names())}"
        )
    return load_rules(name)
