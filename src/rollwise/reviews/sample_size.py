"""How many games it takes until scores tell two players apart: dice outweigh decisions in one."""

from math import ceil, hypot

from rollwise.reviews.review import Review

TWO_SIDED = 1.96
"""Standard errors beyond which one of twenty equally good pairs of players would be."""


def games_to_tell_apart(difference: float, sd: float) -> int | None:
    """Return after how many games a mean difference is as large as 1.96 of its standard errors.

    Parameters
    ----------
    difference : float
        Of the mean scores of a game; None is returned for 0, which no number of games shows.
    sd : float
        Standard deviation of the difference of one game.
    """
    return ceil((TWO_SIDED * sd / difference) ** 2) if difference else None


def words_on_two(one: Review, other: Review) -> str:
    """Return how many games with decisions like these it takes to see who decides better.

    Nothing where it is not known how far scores spread, or nobody lost more than the other.
    """
    better, worse = sorted((one, other), key=lambda review: review.loss)
    difference = worse.loss - better.loss
    if one.sd is None or other.sd is None or one.objective != "expected" or difference < 0.005:
        return ""
    sd = hypot(one.sd, other.sd)
    games = games_to_tell_apart(difference, sd)
    some = float(f"{games:.2g}")
    return (
        f"{better.player} lost {difference:.1f} points less than {worse.player} by decisions. "
        f"Would they always, scores alone would show it after some {some:,.0f} games: "
        f"by dice the difference of two scores spreads by ± {sd:.0f}."
    )
