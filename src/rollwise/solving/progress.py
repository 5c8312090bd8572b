"""The progress of long computations, and durations in words."""

from collections.abc import Callable, Iterator, Sequence

Progress = Callable[[float], None]
"""A callback that is called repeatedly with the completed fraction of the work, from 0 to 1."""


def within(progress: Progress | None, begin: float, end: float) -> Progress | None:
    """Return a progress callback for a part of the work, from fraction ``begin`` to ``end``."""
    return progress and (lambda share: progress(begin + (end - begin) * share))


def within_layer(progress: Progress | None, work: Sequence[float], layer: int) -> Progress | None:
    """Return the progress callback of one layer of a backward induction.

    ``work`` is the work of each layer, in any unit; the last layer is computed first.
    """
    total = sum(work) or 1
    return within(progress, sum(work[layer + 1 :]) / total, sum(work[layer:]) / total)


def backward_induction(
    work: Sequence[float], progress: Progress | None = None
) -> Iterator[tuple[int, Progress | None]]:
    """Yield the number of each layer and its progress callback, from the last layer to the first.

    ``work`` is the work of each layer, in any unit.
    """
    for layer in reversed(range(len(work))):
        part = within_layer(progress, work, layer)
        yield layer, part
        if part:
            part(1.0)


def format_duration(seconds: float) -> str:
    """Format a duration in seconds, minutes, hours, or days."""
    for unit, length in (("days", 86_400), ("hours", 3_600), ("minutes", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:,.0f} {unit}"
    return "1 second" if seconds < 1.5 else f"{seconds:.0f} seconds"
