"""The events of a game: rolls and actions, also as text."""

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
    """All dice on the table after a roll, including the dice that were kept; sorted.

    Attributes
    ----------
    dice : tuple of int
        The symbols of the dice; ordinary dice come before dice of other kinds.

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
"""Events in order, or one text with semicolons between them."""


def as_event(rules: Rules, event: Event | str) -> Event:
    """Return an event unchanged, or parse it: ``roll 11366``, ``keep 66``, ``score fh``.

    Raises
    ------
    MalformedError
        If the text is no event.
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
    """Return events as objects; some or all of them may be text (:func:`as_event`)."""
    if isinstance(events, str):
        events = [part for part in events.split(";") if part.strip()]
    return tuple(as_event(rules, event) for event in events)


def format_events(rules: Rules, events: Iterable[Event]) -> str:
    """Return events as one text that :func:`as_events` can read."""
    return "; ".join(
        f"roll {format_dice(rules, event.dice)}"
        if isinstance(event, Roll)
        else format_action(rules, event)
        for event in events
    )
