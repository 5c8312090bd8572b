"""The text notation of actions."""

from rollwise.errors import MalformedError, check_type, quoted
from rollwise.game.actions import Action, Keep, Score
from rollwise.game.dice_notation import check_length, format_keep, parse_category, parse_keep
from rollwise.rules import Rules, RulesLike, as_rules

VERBS = ("keep", "score")
"""The verbs of actions."""


def as_verb(word: str) -> str:
    """Return the verb of an action for a word in any case; ``hold`` means ``keep``.

    Other words are returned unchanged.
    """
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


def action_in(rules: Rules, action: Action) -> Action:
    """Return an action of the game: the category of ``Score("fh")`` becomes its key.

    Raises
    ------
    InputError
        If ``action`` is not an action, or the game does not have its category.
    """
    check_type(action, (Keep, Score), "Keep, Score, Roll, or text such as 'keep 66'")
    if isinstance(action, Keep) or action.category in rules.keys:
        return action
    return Score(rules.keys[parse_category(rules, action.category)])
