"""Advice at a position: reading what a person typed."""

from rollwise.errors import MalformedError
from rollwise.game.notation import parse_card, parse_dice, parse_position
from rollwise.game.position import Position
from rollwise.game.scorecard import Scorecard
from rollwise.rules import Rules


def position_of(
    rules: Rules, text: str, card: str | None = None, rolls_left: int | None = None
) -> Position:
    """Return the position of a roll, or of a whole position typed as one line.

    Parameters
    ----------
    text : str
        Dice, or a line as :func:`rollwise.game.notation.parse_position` reads it.
    card : str, optional
        The card, empty unless told; not beside a whole position.
    rolls_left : int, optional
        As many as there are after a first roll unless told; not beside a whole position.

    Raises
    ------
    InputError
        When it is no position of the game.
    """
    if "|" in text:
        if card is not None or rolls_left is not None:
            raise MalformedError("expected no card and no rolls left beside a whole position")
        return parse_position(rules, text)
    dice = parse_dice(rules, text)
    scorecard = Scorecard.empty(rules) if card is None else parse_card(rules, card)
    after_first = rules.rolls_with(scorecard.saved) - 1
    return Position.of(scorecard, dice, after_first if rolls_left is None else rolls_left)
