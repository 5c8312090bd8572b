"""Game events (rolls and actions), with parsers and formatters."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Literal

from rollwise.errors import MalformedError, check_type, quoted
from rollwise.game.actions import Action, as_dice
from rollwise.game.dice_notation import format_dice, parse_dice
from rollwise.game.notation import VERBS, action_in, as_verb, format_action, parse_action
from rollwise.game.scorecard import Dice
from rollwise.rules import Rules


@dataclass(frozen=True)
class Roll:
    """All dice after a roll, including the dice that were kept.

    Attributes
    ----------
    dice : tuple of int
        The symbols of the dice, sorted. Ordinary dice come before dice of other kinds.

    Raises
    ------
    InputError
        If ``dice`` is not a sequence of whole numbers.

    Examples
    --------
    >>> Game("yahtzee", events="roll 11366").events
    (Roll((1, 1, 3, 6, 6)),)
    """

    dice: Dice
    kind: ClassVar[Literal["roll"]] = "roll"

    def __post_init__(self) -> None:
        object.__setattr__(self, "dice", as_dice(self.dice, "Roll((1, 1, 3, 6, 6))"))

    def __repr__(self) -> str:
        return f"Roll({self.dice})"


Event = Roll | Action
Events = Iterable[Event | str] | str
"""A sequence of events, or one string with semicolons between the events."""


def as_event(rules: Rules, event: Event | str) -> Event:
    """Return an event; parse it if it is a string such as ``roll 11366`` or ``score fh``.

    Raises
    ------
    MalformedError
        If the string is not an event.
    """
    if not isinstance(event, str):
        return event if isinstance(event, Roll) else action_in(rules, event)
    verb, _, rest = event.strip().partition(" ")
    if verb == "roll" and rest:
        return Roll(parse_dice(rules, rest))
    if as_verb(verb) in VERBS:
        return parse_action(rules, event)
    raise MalformedError(
        f"expected 'roll DICE', 'keep DICE', or 'score CATEGORY', got {quoted(event)}"
    )


def split_events(events: Events) -> list[Event | str]:
    """Return events as a list; semicolons separate the events in a string.

    Raises
    ------
    InputError
        If ``events`` is neither a string nor a sequence.
    """
    if isinstance(events, str):
        return [part for part in events.split(";") if part.strip()]
    check_type(events, Iterable, "events as text or as a sequence")
    return list(events)


def format_event(rules: Rules, event: Event) -> str:
    """Return an event as a string, such as ``roll 11366``, ``keep 66``, or ``score sixes``."""
    if isinstance(event, Roll):
        return f"roll {format_dice(rules, event.dice)}"
    return format_action(rules, event)
