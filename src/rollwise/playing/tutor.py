"""The tutor: what is said before a choice that loses something."""

from collections.abc import Sequence
from dataclasses import dataclass

from rollwise.game.actions import Action
from rollwise.reviews.verdicts import EXCELLENT, verdict_of
from rollwise.solving.option import Option


@dataclass(frozen=True)
class Caution:
    """What the tutor says before a choice that loses something.

    Attributes
    ----------
    chosen, best : Option
    verdict : str
    """

    chosen: Option
    best: Option
    verdict: str


def caution(options: Sequence[Option], action: Action, point: float) -> Caution | None:
    """Return what there is to say about a choice; None of one that loses next to nothing.

    Parameters
    ----------
    options : sequence of Option
        All there are, best first.
    point : float
        What a point is worth in the unit of their values.
    """
    chosen = next((option for option in options if option.action == action), None)
    if chosen is None or chosen.loss < EXCELLENT * point:
        return None
    return Caution(chosen, options[0], verdict_of(chosen.loss, point))
