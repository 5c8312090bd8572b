"""Sample size: the number of games needed to show which of two players decides better."""

from __future__ import annotations

from math import ceil, hypot
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rollwise.reviews.review import Review  # imports NumPy


TWO_SIDED = 1.96
"""The quantile of the normal distribution for a two-sided test at the 5% level."""


def games_to_tell_apart(difference: float, sd: float) -> int | None:
    """Return the number of games after which a difference in mean scores is 1.96 standard errors.

    Parameters
    ----------
    difference : float
        The difference in mean scores. If it is 0, the result is None.
    sd : float
        The SD of the score difference in one game.
    """
    return ceil((TWO_SIDED * sd / difference) ** 2) if difference else None


def sample_size_sentence(one: Review, other: Review) -> str:
    """Return a sentence that says how many games are needed to show who decides better.

    The sentence is empty if the SD of a score is unknown, or if both players have the same EV loss.
    """
    better, worse = sorted((one, other), key=lambda review: review.loss)
    difference = worse.loss - better.loss
    if one.sd is None or other.sd is None or one.objective != "expected" or difference < 0.005:
        return ""
    sd = hypot(one.sd, other.sd)
    games = games_to_tell_apart(difference, sd)
    about = float(f"{games:.2g}")
    return (
        f"The EV loss of {better.player} was {difference:.1f} points lower than the EV loss of "
        f"{worse.player}. If this were true of every game, the scores alone would show the "
        f"difference after about {about:,.0f} games, because luck changes the difference by "
        f"{sd:.0f} points (SD)."
    )
