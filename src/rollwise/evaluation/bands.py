"""A law in bands of scores, as people read it."""

from collections.abc import Iterator
from itertools import count
from typing import NamedTuple

from rollwise.law import Law

BANDS = 25
"""At most so many bands of scores are shown, but for rare scores."""

RARE = 0.0005
"""A band with less than that share is left out."""


class Band(NamedTuple):
    """The scores from ``low`` to ``high``, their share, and that of all scores up to ``high``."""

    low: int
    high: int
    share: float
    below: float

    @property
    def words(self) -> tuple[str, str, str]:
        """The scores and both shares in percent."""
        scores = f"{self.low} – {self.high}" if self.high > self.low else str(self.low)
        return scores, f"{100 * self.share:.2f}", f"{100 * self.below:.2f}"


def band_width(law: Law) -> int:
    """Return the narrowest width out of 1, 2, 5, 10, 20, … with which there are few bands."""
    span = law.quantile(1 - RARE) - law.quantile(RARE) + 1
    widths = (digit * int(10**zeros) for zeros in count() for digit in (1, 2, 5))
    return next(width for width in widths if span <= BANDS * width)


def bands(law: Law, width: int | None = None) -> Iterator[Band]:
    """Yield the bands of a law that are not too rare; a few of them unless a width is told."""
    width = width or band_width(law)
    for low in range(law.minimum // width * width, law.maximum + 1, width):
        following = law.at_least(low + width)
        share = law.at_least(low) - following
        if share >= RARE:
            yield Band(low, low + width - 1, share, 1 - following)
