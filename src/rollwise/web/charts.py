"""Charts for the web pages: positions in percent of the chart, which a template draws as SVG."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil, floor, log10

from rollwise.evaluation.evaluate import Evaluation
from rollwise.playing.opponents import opponent_label

WIDE, HIGH = 2000, 1000
"""The coordinates of the lines; other positions are in percent."""

MOST_TICKS = 6

LEFT_OUT = "The chart leaves out at most 0.05% of all games at each end."
"""A sentence about the charts of distributions."""

BAR_SHARE = 0.7
"""The width of a bar as a fraction of its room, and with few bars at most ``WIDEST`` percent."""
WIDEST = 8.0


@dataclass(frozen=True)
class Line:
    """A series of steps, with the commands of its SVG path."""

    name: str
    path: str


@dataclass(frozen=True)
class Bar:
    """A bar and its description."""

    x: float
    y: float
    width: float
    height: float
    words: str


@dataclass(frozen=True)
class Plot:
    """A chart.

    Attributes
    ----------
    words : str
        The description for screen readers.
    across : str
        The name of the horizontal axis.
    x_ticks, y_ticks : list of (float, str)
        The position of each tick in percent, from the left and from the top, and its label.
    is_filled : bool
        Whether the area below the line is filled.
    """

    words: str
    across: str
    x_ticks: list[tuple[float, str]]
    y_ticks: list[tuple[float, str]]
    lines: list[Line] = field(default_factory=list)
    is_filled: bool = False
    bars: list[Bar] = field(default_factory=list)


def _ticks(low: float, high: float) -> Iterator[tuple[float, str]]:
    """Yield round numbers from ``low`` to ``high``, 1, 2, or 5 times a power of ten apart."""
    rough = (high - low) / MOST_TICKS
    power = floor(log10(rough))
    step = next(unit * 10.0**power for unit in (1, 2, 5, 10) if unit * 10.0**power >= rough)
    digits = max(0, -floor(log10(step)))
    for number in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1):
        yield number * step, f"{number * step:,.{digits}f}"


def _top(highest: float) -> float:
    """Return the upper end of an axis that starts at zero."""
    return highest * 1.05 or 1.0


def _heights(top: float, unit: str = "") -> list[tuple[float, str]]:
    return [(round(100 - 100 * y / top, 2), label + unit) for y, label in _ticks(0, top)]


def distributions(evaluations: Sequence[Evaluation], *, reach: bool = False) -> Plot:
    """Return the chart of the distributions of final scores.

    With ``reach``, return the chart of the probability of reaching each score.
    """
    title = "Probability of at least each score" if reach else "Probability of each final score"
    words = ", ".join(
        f"{opponent_label(evaluation.strategy)} with mean {evaluation.distribution.mean:.1f}"
        for evaluation in evaluations
    )
    rows = {}
    for evaluation in evaluations:
        distribution = evaluation.distribution
        probability_of = distribution.at_least if reach else distribution.probability
        low, high = distribution.quantile(0.0005), distribution.quantile(0.9995)
        rows[opponent_label(evaluation.strategy)] = [
            (score, 100 * probability_of(score)) for score in range(low, high + 1)
        ]
    return steps(f"{title}: {words}", "Final score", rows, ends_at_number=reach)


def steps(
    words: str,
    across: str,
    rows: Mapping[str, Sequence[tuple[float, float]]],
    *,
    ends_at_number: bool,
) -> Plot:
    """Return several series of percentages as step charts, with one step per whole number.

    Parameters
    ----------
    words : str
        A description of the chart for screen readers.
    across : str
        The name of the horizontal axis.
    rows : mapping of str to sequence of (float, float)
        The number and the percentage of each step, by the name of the series.
    ends_at_number : bool
        Whether a step ends at its number, as in a chart of the probability of scoring at least
        that number. Otherwise the number is in the middle of its step.
    """
    before = 1.0 if ends_at_number else 0.5
    low = min(points[0][0] for points in rows.values()) - before
    high = max(points[-1][0] for points in rows.values()) + 1 - before
    top = 100.0 if ends_at_number else _top(max(y for row in rows.values() for _, y in row))

    def path(points: Sequence[tuple[float, float]]) -> str:
        def right(x: float) -> int:
            return round(WIDE * (x - low) / (high - low))

        def down(y: float) -> int:
            return round(HIGH * (1 - y / top))

        start = f"M{right(points[0][0] - before)} {HIGH if not ends_at_number else 0}"
        return (
            start + "".join(f"V{down(y)}H{right(x + 1 - before)}" for x, y in points) + f"V{HIGH}"
        )

    return Plot(
        words,
        across,
        [(round(100 * (x - low) / (high - low), 2), label) for x, label in _ticks(low, high)],
        _heights(top, "%"),
        lines=[Line(name, path(points)) for name, points in rows.items()],
        is_filled=len(rows) == 1 and not ends_at_number,
    )


def bars(words: str, values: Mapping[str, float], across: str, digits: int = 0) -> Plot:
    """Return a bar chart with one bar per name.

    ``words`` describes the chart, and ``across`` names the horizontal axis.
    """
    top, room = _top(max(values.values(), default=0)), 100 / max(len(values), 1)
    width = min(BAR_SHARE * room, WIDEST)
    middles = [(number + 0.5) * room for number in range(len(values))]
    told = {name: f"{name}: {value:.{digits}f}" for name, value in values.items()}
    every = ceil(len(values) / (2 * MOST_TICKS))
    return Plot(
        f"{words}: {', '.join(told.values())}",
        across,
        [(round(x, 2), name) for x, name in zip(middles, values, strict=True)][::every],
        _heights(top),
        bars=[
            Bar(
                round(x - width / 2, 3),
                round(100 - 100 * value / top, 3),
                round(width, 3),
                round(100 * value / top, 3),
                told[name],
            )
            for x, (name, value) in zip(middles, values.items(), strict=True)
        ],
    )
