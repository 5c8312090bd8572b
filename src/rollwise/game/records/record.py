"""A game written down: rules, seed, date and players in its head, every roll, keep and category."""

import datetime
import secrets
from dataclasses import dataclass, field

from rollwise.errors import InputError, MalformedError
from rollwise.game.game import Event, Game, Roll
from rollwise.game.scorecard import Keep, Score, Scorecard
from rollwise.rules import Rules, load_rules, preset_names

FORMAT = "rollwise game 1"
MAX_LENGTH = 200_000
"""Longer records are refused unread."""

MAX_SEED = 2**63 - 1


def fresh_seed() -> int:
    """Return a seed that nobody knows beforehand, short enough to be read out."""
    return secrets.randbelow(2**31)


class RecordError(InputError):
    """A record that is no game; ``line`` is where, from 1."""

    def __init__(self, line: int, reason: str) -> None:
        self.line = line
        super().__init__(f"line {line}: {reason}")


@dataclass(frozen=True)
class Record:
    """A game with its head; unfinished ones too.

    Attributes
    ----------
    events : tuple of Roll, Keep and Score
        As they happened.
    seed : int or None
        Of the dice; None for dice rolled at a table.
    date : datetime.date or None

    Raises
    ------
    InputError
        When names, seed or events make no game.
    """

    rules: Rules
    players: tuple[str, ...] = ("Player",)
    events: tuple[Event, ...] = ()
    seed: int | None = None
    date: datetime.date | None = None
    cards: tuple[Scorecard, ...] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.seed is not None and not 0 <= self.seed <= MAX_SEED:
            raise MalformedError(f"expected a seed from 0 to {MAX_SEED}, got {self.seed}")
        object.__setattr__(self, "cards", self.game().stage.cards)

    def game(self) -> Game:
        """Return the game, replayed."""
        return Game(self.rules, self.players, self.events)

    @property
    def is_over(self) -> bool:
        """Whether all cards are full."""
        return all(card.is_full for card in self.cards)


@dataclass(frozen=True)
class TurnRecord:
    """One turn: rolls and keeps in the order of play, and the score, None if still to come."""

    player: int
    number: int
    steps: tuple[Roll | Keep, ...]
    score: Score | None
    points: int = 0
    extra: int = 0


def turns_of(record: Record) -> list[TurnRecord]:
    """Return the turns of a game, an unfinished one last."""
    game, turns = Game(record.rules, record.players), list[TurnRecord]()
    steps: list[Roll | Keep] = []
    for event in record.events:
        player, number, card = game.stage.player, game.turn, game.card
        game.push(event)
        if not isinstance(event, Score):
            steps.append(event)
            continue
        filled = game.stage.cards[player]
        points = filled.boxes[event.category] or 0
        extra = filled.extra_bonus - card.extra_bonus
        turns.append(TurnRecord(player, number, tuple(steps), event, points, extra))
        steps = []
    if steps:
        turns.append(TurnRecord(game.stage.player, game.turn, tuple(steps), None))
    return turns


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
