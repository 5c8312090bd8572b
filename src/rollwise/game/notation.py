"""Text notation of dice, actions, scorecards, and positions, with parsers and formatters."""

from rollwise.errors import MalformedError, quoted
from rollwise.game.actions import Action, Announce, Keep, Score
from rollwise.game.dice_notation import (
    check_keep,
    check_length,
    die_text,
    format_dice,
    format_keep,
    parse_category,
    parse_dice,
    parse_keep,
    parse_scores,
)
from rollwise.game.position import Position, format_position
from rollwise.game.scorecard import Scorecard, format_card
from rollwise.rules import Rules, RulesLike, as_rules

__all__ = [
    "as_position",
    "check_keep",
    "die_text",
    "format_action",
    "format_card",
    "format_dice",
    "format_keep",
    "format_position",
    "parse_action",
    "parse_card",
    "parse_category",
    "parse_dice",
    "parse_keep",
    "parse_position",
    "parse_scores",
]


def parse_action(rules: RulesLike, text: str) -> Action:
    """Parse an action such as ``keep 66``, ``keep -``, or ``score full-house``.

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
    if verb == "keep" and rest:
        return Keep(parse_keep(rules, rest))
    if verb == "score" and rest:
        return Score(parse_category(rules, rest.strip()))
    if verb == "announce" and rest and rules.announced:
        return Announce(parse_category(rules, rest.strip()))
    raise MalformedError(f"expected {actions_in_words(rules)}, got {quoted(text)}")


def actions_in_words(rules: Rules) -> str:
    """Return the syntax of a game's actions, for error messages."""
    announce = "'announce CATEGORY', " * rules.announced
    return f"{announce}'keep DICE' or 'score CATEGORY'"


def format_action(rules: RulesLike, action: Action) -> str:
    """Return an action as a string.

    Parameters
    ----------
    rules : Rules, str, or Path
        The rules of the game, or the name of a preset.
    action : Keep, Score, or Announce

    Examples
    --------
    >>> format_action("yahtzee", Score(8))
    'score full-house'
    """
    if isinstance(action, Keep):
        return f"keep {format_keep(rules, action.dice)}"
    return f"{action.kind} {as_rules(rules).keys[action.category]}"


def parse_card(rules: RulesLike, text: str) -> Scorecard:
    """Parse a scorecard (same as :class:`Scorecard`).

    Parameters
    ----------
    rules : Rules, str, or Path
        The rules of the game, or the name of a preset.
    text : str
        The scorecard, such as ``ones=3,full-house=25``, or ``-`` if it is empty.

    Raises
    ------
    MalformedError
        If the string is not a scorecard.
    InconsistentError
        If no game can reach the scorecard.

    Examples
    --------
    >>> parse_card("yahtzee", "ones=3,full-house=25").points
    28
    """
    return Scorecard(rules, text)


def parse_position(rules: RulesLike, text: str) -> Position:
    """Parse a position (same as :class:`Position`).

    Parameters
    ----------
    rules : Rules, str, or Path
        The rules of the game, or the name of a preset.
    text : str
        The position, such as ``11366 | rolls-left 2 | card ones=3``.

    Raises
    ------
    MalformedError
        If the string is not a position.
    InconsistentError
        If no game can reach the position.

    Examples
    --------
    >>> parse_position("yahtzee", "11366 | card ones=3").rolls_left
    2
    """
    return Position(rules, text)


def as_position(rules: Rules, position: Position | str) -> Position:
    """Return a position, parsed if it is a string."""
    return Position(rules, position) if isinstance(position, str) else position
