"""Long work tells how much of it is done."""

from collections.abc import Callable

Progress = Callable[[float], None]
"""Called with the share that is done, from 0 to 1, now and then."""


def within(progress: Progress | None, begin: float, end: float) -> Progress | None:
    """Return the progress of a part of the work that takes it from ``begin`` to ``end``."""
    return progress and (lambda share: progress(begin + (end - begin) * share))
