"""The progress of long computations, and durations in words."""

from collections.abc import Callable

Progress = Callable[[float], None]
"""Called now and then with the share that is done, from 0 to 1."""


def within(progress: Progress | None, begin: float, end: float) -> Progress | None:
    """Return the progress of a part of the work that takes it from ``begin`` to ``end``."""
    return progress and (lambda share: progress(begin + (end - begin) * share))


def format_duration(seconds: float) -> str:
    """Return a duration in the unit that fits it."""
    for unit, length in (("days", 86_400), ("hours", 3_600), ("minutes", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:,.0f} {unit}"
    return "1 second" if seconds < 1.5 else f"{seconds:.0f} seconds"
