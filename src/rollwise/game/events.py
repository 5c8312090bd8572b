"""Game events (rolls and actions), with parsers and formatters."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Literal

from rollwise.errors import MalformedError, quoted
from rollwise.game.actions import Action
from rollwise.game.notation import (
    actions_in_words,
    format_action,
    format_dice,
    parse_action,
    parse_dice,
)
from rollwise.game.scorecard import Dice
from rollwise.rules import Rules


@dataclass(frozen=True)
class Roll:
    """All dice after a roll, including the dice that were kept.

    Attributes
    ----------
    dice : tuple of int
        The symbols of the dice, sorted. Ordinary dice come before dice of other kinds.

    Examples
    --------
    >>> Game("yahtzee", events="roll 11366").events
    (Roll((1, 1, 3, 6, 6)),)
    """

    dice: Dice
    kind: ClassVar[Literal["roll"]] = "roll"

    def __repr__(self) -> str:
        return f"Roll({self.dice})"


Event = Roll | Action
Events = Iterable[Event | str] | str
"""A sequence of events, or one string with semicolons between the events."""


def as_event(rules: Rules, event: Event | str) -> Event:
    """Return an event, parsed if it is a string such as ``roll 11366`` or ``score fh``.

    Raises
    ------
    MalformedError
        If the string is not an event.
    """
    if not isinstance(event, str):
        return event
    verb, _, rest = event.strip().partition(" ")
    if verb == "roll" and rest:
        return Roll(parse_dice(rules, rest))
    if verb in ("announce", "keep", "score"):
        return parse_action(rules, event)
    raise MalformedError(f"expected 'roll DICE', {actions_in_words(rules)}, got {quoted(event)}")


def as_events(rules: Rules, events: Events) -> tuple[Event, ...]:
    """Return a tuple of events, with strings parsed by :func:`as_event`."""
    if isinstance(events, str):
        events = [part for part in events.split(";") if part.strip()]
    return tuple(as_event(rules, event) for event in events)


def format_events(rules: Rules, events: Iterable[Event]) -> str:
    """Return events as one string that :func:`as_events` can parse."""
    return "; ".join(
        f"roll {format_dice(rules, event.dice)}"
        if isinstance(event, Roll)
        else format_action(rules, event)
        for event in events
    )
