"""The text notation of events: rolls, and the actions of players."""

from collections.abc import Iterable

from rollwise.errors import MalformedError, check_type, quoted
from rollwise.game.actions import Action, Event, Keep, Roll, Score
from rollwise.game.dice_notation import (
    check_length,
    die_text,
    format_dice,
    format_keep,
    parse_category,
    parse_dice,
    parse_keep,
)
from rollwise.rules import Rules, RulesLike, as_rules

Events = Iterable[Event | str] | str
"""A sequence of events, or one string with semicolons between the events."""

VERBS = ("keep", "score")
"""The verbs of actions."""


def as_verb(word: str) -> str:
    """Return ``keep`` or ``score`` for a word in any case (``hold`` is ``keep``), or the word."""
    verb = "keep" if word.lower() == "hold" else word.lower()
    return verb if verb in VERBS else word


def parse_action(rules: RulesLike, text: str) -> Action:
    """Parse an action such as ``keep 66``, ``keep -``, or ``score full-house``.

    ``hold`` is equivalent to ``keep``.

    Parameters
    ----------
    rules : Rules, str, or Path
        The rules of the game, or the name of a preset.
    text : str

    Raises
    ------
    MalformedError
        If the string is not an action.

    Examples
    --------
    >>> parse_action("yahtzee", "keep 66")
    Keep((6, 6))
    """
    check_length(text)
    rules = as_rules(rules)
    verb, _, rest = text.strip().partition(" ")
    verb = as_verb(verb)
    if verb == "keep" and rest:
        return Keep(parse_keep(rules, rest))
    if verb == "score" and rest:
        return Score(rules.keys[parse_category(rules, rest.strip())])
    raise MalformedError(f"expected 'keep DICE' or 'score CATEGORY', got {quoted(text)}")


def format_action(rules: RulesLike, action: Action) -> str:
    """Return an action as a string.

    Parameters
    ----------
    rules : Rules, str, or Path
        The rules of the game, or the name of a preset.
    action : Keep or Score

    Examples
    --------
    >>> format_action("yahtzee", Score("full-house"))
    'score full-house'
    """
    rules = as_rules(rules)
    action = action_in(rules, action)
    if isinstance(action, Keep):
        return f"keep {format_keep(rules, action.dice)}"
    return f"score {action.category}"


def describe_action(rules: Rules, action: Action) -> str:
    """Return an action in words, such as ``Keep 6 6``, ``Roll all dice``, or ``Full House``."""
    if isinstance(action, Score):
        return rules.categories[rules.category_index(action.category)].title
    faces = " ".join(die_text(rules, die) for die in action.dice)
    return f"Keep {faces}" if faces else "Roll all dice"


def action_in(rules: Rules, action: Action) -> Action:
    """Return an action of the game: the category of ``Score("fh")`` becomes its key."""
    check_type(action, (Keep, Score), "Keep, Score, Roll, or text such as 'keep 66'")
    if isinstance(action, Keep) or action.category in rules.keys:
        return action
    return Score(rules.keys[parse_category(rules, action.category)])


def as_event(rules: Rules, event: Event | str) -> Event:
    """Return an event; parse it if it is a string such as ``roll 11366`` or ``score fh``."""
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
    """Return events as a list; semicolons separate the events in a string."""
    if isinstance(events, str):
        return [part for part in events.split(";") if part.strip()]
    check_type(events, Iterable, "events as text or as a sequence")
    return list(events)


def format_event(rules: Rules, event: Event) -> str:
    """Return an event as a string, such as ``roll 11366``, ``keep 66``, or ``score sixes``."""
    if isinstance(event, Roll):
        return f"roll {format_dice(rules, event.dice)}"
    return format_action(rules, event)
