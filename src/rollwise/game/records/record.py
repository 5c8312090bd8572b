"""Game records: the rules, players, settings, and events of a game."""

import datetime
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

from rollwise.errors import InputError, MalformedError, did_you_mean, quoted
from rollwise.game.actions import Keep, Score
from rollwise.game.dice_notation import format_dice
from rollwise.game.events import Event, Events, Roll, format_events
from rollwise.game.game import Game, GameStep, Stage
from rollwise.game.notation import format_action
from rollwise.game.scorecard import Scorecard
from rollwise.rules import Rules, RulesLike, load_rules, preset_names

EXPECTED = "expected"
ON, OFF = "on", "off"


@dataclass(frozen=True)
class Setting:
    """The settings of a game other than its rules; a resumed game has the same settings.

    Attributes
    ----------
    robots : mapping of int to str
        The strategy of each computer opponent, by player index.
    tutor : bool
        Whether the tutor warns about actions with an EV loss.
    objective : str
        The objective of the hints and of the tutor.
    """

    robots: Mapping[int, str] = field(default_factory=dict, hash=False)
    tutor: bool = False
    objective: str = EXPECTED

    def head(self, players: Sequence[str]) -> dict[str, str]:
        """Return the header fields of a record, except for fields with default values."""
        robots = "; ".join(
            f"{players[n]}: {strategy}" for n, strategy in sorted(self.robots.items())
        )
        fields = {
            "robots": robots,
            "tutor": ON if self.tutor else "",
            "objective": self.objective if self.objective != EXPECTED else "",
        }
        return {key: text for key, text in fields.items() if text}


def parse_bots(text: str) -> dict[str, str]:
    """Parse the strategies of computer opponents, and return them by player name.

    Raises
    ------
    MalformedError
        If the string does not have the form ``PLAYER: STRATEGY; ...``.
    """
    robots = {}
    for part in text.split(";"):
        name, colon, strategy = part.partition(":")
        if not colon or not strategy.strip():
            expected = "a player and a strategy, such as Ben: greedy"
            raise MalformedError(f"expected {expected}, got {quoted(part.strip())}")
        robots[name.strip()] = strategy.strip()
    return robots


def bots_by_player(robots: Mapping[str, str], players: Sequence[str]) -> dict[int, str]:
    """Return the strategy of each computer opponent, by player index.

    Raises
    ------
    MalformedError
        If ``robots`` contains a name that is not in ``players``.
    """
    for name in robots:
        if name not in players:
            raise MalformedError(
                f"robots: no player has the name {quoted(name)}; use {' or '.join(players)}"
            )
    return {players.index(name): strategy for name, strategy in robots.items()}


def parse_tutor(text: str) -> bool:
    """Parse ``on`` or ``off``, and return whether the tutor is on.

    Raises
    ------
    MalformedError
        If the string is neither ``on`` nor ``off``.
    """
    if text not in (ON, OFF):
        raise MalformedError(f"expected {ON} or {OFF}, got {quoted(text)}")
    return text == ON


FORMAT = "rollwise game 1"
MAX_LENGTH = 200_000
"""The maximum length of a game record in characters."""

MAX_SEED = 2**63 - 1


def fresh_seed() -> int:
    """Return a random seed that is short enough to read aloud."""
    return secrets.randbelow(2**31)


def as_date(date: datetime.date | str | None) -> datetime.date | None:
    """Return a date or None unchanged; parse the date if it is a string.

    Raises
    ------
    MalformedError
        If the string is not a date.
    """
    try:
        return datetime.date.fromisoformat(date) if isinstance(date, str) else date
    except ValueError:
        raise MalformedError(f"expected a date such as 2026-11-21, got {date!r:.60}") from None


def check_from_start(game: Game) -> None:
    """Raise InputError if a game begins at a position, so that its first turns are unknown."""
    if game.start is not None:
        raise InputError(
            "a game that begins at a position has no record of its first turns; start the game "
            "with the name of its rules"
        )


class RecordError(InputError):
    """An error in a game record; ``line`` is the line number, counted from 1."""

    def __init__(self, line: int, reason: str) -> None:
        self.line = line
        super().__init__(f"line {line}: {reason}")


@dataclass(frozen=True)
class Record:
    """A finished or unfinished game, and its settings.

    Parameters
    ----------
    rules : Rules, str, or Path
        The rules of the game, or the name of a preset.
    players : sequence of str, or str
        The names of the players in the order of play, or one string with commas between the names.
    events : iterable of (Roll, Keep, Score, or str), or str
        The events, or one string with semicolons between the events: ``roll 11366; keep 66``.
    seed : int, optional
        The seed of the dice, or None for physical dice.
    date : datetime.date or str, optional
        The date, or a string such as ``2026-11-21``.
    setting : Setting, optional
        The computer opponents, the tutor, and the objective.

    Attributes
    ----------
    rules : Rules
    players : tuple of str
    steps : tuple of GameStep
        The events, each with the stages before and after it.
    events : tuple of Roll, Keep, and Score
    seed : int or None
    date : datetime.date or None
    setting : Setting
    cards : tuple of Scorecard
        The current scorecards of all players.

    Raises
    ------
    InputError
        If a name, the seed, or an event is not allowed.

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
    steps: tuple[GameStep, ...] = field(compare=False)

    def __init__(
        self,
        rules: RulesLike,
        players: Sequence[str] | str = "Player",
        events: Events = (),
        seed: int | None = None,
        date: datetime.date | str | None = None,
        setting: Setting | None = None,
    ) -> None:
        self._set(Game(rules, players, events), seed, as_date(date), setting)

    @classmethod
    def of(
        cls,
        game: Game,
        seed: int | None = None,
        date: datetime.date | None = None,
        setting: Setting | None = None,
    ) -> Self:
        """Return the record of a game without replaying it.

        Raises
        ------
        MalformedError
            If the seed is out of range.
        """
        record = cls.__new__(cls)
        record._set(game, seed, date, setting)
        return record

    def _set(
        self,
        game: Game,
        seed: int | None,
        date: datetime.date | None,
        setting: Setting | None,
    ) -> None:
        check_from_start(game)
        if seed is not None and not 0 <= seed <= MAX_SEED:
            raise MalformedError(f"the seed must be from 0 to {MAX_SEED}, not {seed}")
        fields = {"rules": game.rules, "players": game.players, "events": game.events}
        fields |= {"setting": setting or Setting(), "cards": game.stage.cards, "steps": game.steps}
        vars(self).update(fields, seed=seed, date=date)

    def __repr__(self) -> str:
        positional = [
            self.rules.named,
            ", ".join(self.players),
            format_events(self.rules, self.events),
        ]
        arguments = [repr(part) for part in positional]
        if self.seed is not None:
            arguments.append(f"seed={self.seed}")
        if self.date is not None:
            arguments.append(f"date={self.date.isoformat()!r}")
        if self.setting != Setting():
            arguments.append(f"setting={self.setting!r}")
        return f"Record({', '.join(arguments)})"

    def __str__(self) -> str:
        return format_record(self)

    def game(self) -> Game:
        """Return the recorded game as a game that can be continued."""
        return Game.of(self.rules, self.players, self.steps)

    @property
    def is_over(self) -> bool:
        """Whether all scorecards are full."""
        return all(card.is_full for card in self.cards)


@dataclass(frozen=True)
class TurnRecord:
    """One turn of a game; ``score`` is None if the turn is unfinished.

    ``player`` is the index of the player, and ``number`` counts the player's turns from 1.
    ``points`` is the score in the category, and ``extra`` is the five-of-a-kind bonus.
    """

    player: int
    number: int
    steps: tuple[Roll | Keep, ...]
    score: Score | None
    points: int = 0
    extra: int = 0


def points_of(before: Stage, score: Score, after: Stage) -> tuple[int, int]:
    """Return the category points and the five-of-a-kind bonus that a scoring action earned."""
    card = after.cards[before.player]
    return card.boxes[score.category] or 0, card.extra_bonus - before.card.extra_bonus


def push_score(game: Game, score: Score) -> tuple[int, int]:
    """Score a category, and return the category points and the five-of-a-kind bonus earned."""
    before = game.stage
    game.push(score)
    return points_of(before, score, game.stage)


def turns_of(record: Record) -> list[TurnRecord]:
    """Return the turns of a game, including an unfinished last turn."""
    turns: list[TurnRecord] = []
    steps: list[Roll | Keep] = []
    for before, event, after in record.steps:
        if isinstance(event, Score):
            points = points_of(before, event, after)
            turns.append(TurnRecord(before.player, before.turn, tuple(steps), event, *points))
            steps = []
        else:
            steps.append(event)
    if steps:
        turns.append(TurnRecord(after.player, after.turn, tuple(steps), None))
    return turns


def format_record(record: Record) -> str:
    """Return a game record in text form (:mod:`rollwise.game.records.as_text`).

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
    lines += [f"{key}: {value}" for key, value in head.items()]
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
                text += f" {format_action(rules, step)}; "
        if turn.score is not None:
            extra = f" + {turn.extra}" if turn.extra else ""
            text += f" score {rules.keys[turn.score.category]} = {turn.points}{extra}"
        lines.append(f"{turn.number:>2}. {name}{text.rstrip('; ')}")
    return "\n".join(lines) + "\n"


def rules_named(name: str, rules: Rules | None) -> Rules:
    """Return ``rules``, or the preset with the given name if ``rules`` is None.

    The function never reads a file that the record names.

    Raises
    ------
    MalformedError
        If ``rules`` has another name, or if no preset has the given name.
    """
    if rules is not None:
        if rules.name != name:
            raise MalformedError(
                f"the record is of the game {name!r:.60}, not {rules.name!r}; use the rules of the "
                "record"
            )
        return rules
    if name not in preset_names():
        fix = did_you_mean(name, {preset: preset for preset in preset_names()})
        own = "For your own rules, give the rule file too: --rules FILE."
        raise MalformedError(f"there is no game {name!r:.60}. {fix or own}")
    return load_rules(name)
