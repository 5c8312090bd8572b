"""The headers of a game record: the players and the settings of a game, and its rules by name."""

import datetime
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rollwise.errors import MalformedError, check_type, did_you_mean, quoted
from rollwise.rules import Rules, load_rules, preset_names

FORMAT = "rollwise game 1"
"""The first line of a game record in text form, and its format as JSON."""

MAX_LENGTH = 200_000
"""The maximum length of a game record in characters."""

MAX_PLAYERS = 20
MAX_NAME = 40
MAX_SEED = 2**63 - 1

EXPECTED = "expected"
"""The usual objective of hints and of the tutor."""


@dataclass(frozen=True)
class Headers:
    """What a game record says about a game besides its rules and events.

    Attributes
    ----------
    players : tuple of str
        The names of the players in the order of play.
    seed : int or None
        The seed of the dice; None if the players roll real dice.
    date : datetime.date or None
    bots : mapping of str to str
        The strategy of each computer opponent, by the name of the player, in the order of play.
    tutor : bool
        Whether the tutor warns about actions with an EV loss.
    objective : str
        The objective of the hints and of the tutor.
    """

    players: tuple[str, ...] = ("Player",)
    seed: int | None = None
    date: datetime.date | None = None
    bots: Mapping[str, str] = field(default_factory=dict)
    tutor: bool = False
    objective: str = EXPECTED

    def __post_init__(self) -> None:
        check_type(self.bots, Mapping, "computer opponents, such as {'Ben': 'greedy'}")
        check_type(self.tutor, bool, "True or False for the tutor")
        for name in self.bots:
            if name not in self.players:
                raise MalformedError(
                    f"bots: no player has the name {quoted(name)}; use {' or '.join(self.players)}"
                )
        for text in (*self.bots.values(), self.objective):
            check_type(text, str, "a strategy or an objective as text, such as 'greedy'")
            if not text or not text.isprintable() or text != text.strip() or set(text) & set(";#"):
                raise MalformedError(
                    f"cannot write {quoted(text)} in a record; use a strategy or an objective "
                    "without ; #"
                )
        if self.seed is not None and not (type(self.seed) is int and 0 <= self.seed <= MAX_SEED):
            raise MalformedError(
                f"the seed must be a whole number from 0 to {MAX_SEED}, not {quoted(self.seed)}"
            )
        ordered = {name: self.bots[name] for name in self.players if name in self.bots}
        object.__setattr__(self, "bots", ordered)


def as_date(date: datetime.date | str | None) -> datetime.date | None:
    """Return a date or None unchanged; parse the date if it is a string."""
    if date is None or isinstance(date, datetime.date):
        return date
    try:
        return datetime.date.fromisoformat(date)
    except (TypeError, ValueError):
        raise MalformedError(f"expected a date such as 2026-11-21, got {quoted(date)}") from None


def fresh_seed() -> int:
    """Return a random seed that is short enough to read aloud."""
    return secrets.randbelow(2**31)


def check_players(names: Sequence[str] | str) -> tuple[str, ...]:
    """Return the names of the players as a tuple; commas separate the names in a string."""
    if isinstance(names, str):
        names = [name.strip() for name in names.split(",")]
    if not (isinstance(names, Sequence) and all(isinstance(name, str) for name in names)):
        raise MalformedError(
            f"expected the names of players, such as 'Ada, Ben' or ['Ada', 'Ben'], got "
            f"{quoted(names)}"
        )
    if not 1 <= len(names) <= MAX_PLAYERS:
        raise MalformedError(f"a game needs 1 to {MAX_PLAYERS} players, not {len(names)}")
    for name in names:
        plain = name.isprintable() and name == name.strip() and not set(name) & set(",:;#")
        if not plain or not 1 <= len(name) <= MAX_NAME:
            raise MalformedError(
                f"cannot use the player name {name!r:.60}; use 1 to {MAX_NAME} characters without "
                ", : ; #"
            )
    if len(set(names)) < len(names):
        raise MalformedError(
            f"two players have the same name; use different names instead of {', '.join(names)}"
        )
    return tuple(names)


def rules_named(name: str, rules: Rules | None) -> Rules:
    """Return the preset with the given name, or ``rules`` if they have the name.

    The function never reads a file that the record names.
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
