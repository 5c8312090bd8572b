"""Advice at a position: reading what a person typed, and words for what an option costs."""

from rollwise.errors import MalformedError
from rollwise.game.notation import parse_card, parse_dice, parse_position
from rollwise.game.position import Position
from rollwise.game.scorecard import Scorecard
from rollwise.rules import Rules
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.place import CardPlace
from rollwise.solving.solution import Option


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


def format_value(value: float, unit: str) -> str:
    """Return a value with two decimals; a probability with four, in per cent."""
    return f"{100 * value:.4f} %" if unit == "probability" else f"{value:.2f}"


def format_loss(option: Option, unit: str = "points") -> str:
    """Return a loss, rounded as the value; a positive one never reads as nothing."""
    if option.best:
        return "–"
    if unit == "probability":
        return f"{100 * option.loss:.4f}" if option.loss >= 5e-7 else "<0.0001"
    return f"{option.loss:.2f}" if option.loss >= 0.005 else "<0.01"


def card_value(solution: CardSolution, card: Scorecard) -> float:
    """Return what a card is worth before the first roll of a turn, points so far included."""
    place = CardPlace.of_card(solution.model, card)
    return solution.objective.total(place.score, float(solution.remaining_C_L[place.c, place.lane]))
