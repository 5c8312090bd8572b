"""Charts for the web pages: positions in percent of the chart, which a template draws as SVG."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil, floor, log10

from rollwise.distribution import Distribution

WIDE, HIGH = 2000, 1000
"""The coordinates of the lines; other positions are in percent."""

MOST_TICKS = 6

RARE = 0.0005
"""The maximum probability that the chart of a distribution leaves out at each end."""

LEFT_OUT = f"The chart leaves out at most {RARE:.2%} of all games at each end."

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


def round_step(least: float) -> float:
    """Return the smallest number of at least ``least`` that is 1, 2, or 5 times a power of ten."""
    power = 10.0 ** floor(log10(least))
    return next(unit * power for unit in (1, 2, 5, 10) if unit * power >= least)


def _ticks(low: float, high: float) -> Iterator[tuple[float, str]]:
    """Yield round numbers from ``low`` to ``high`` with labels."""
    step = round_step((high - low) / MOST_TICKS)
    digits = max(0, -floor(log10(step)))
    for number in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1):
        yield number * step, f"{number * step:,.{digits}f}"


def _top(highest: float) -> float:
    """Return the upper end of an axis that starts at zero."""
    return highest * 1.05 or 1.0


def _heights(top: float, unit: str = "") -> list[tuple[float, str]]:
    return [(round(100 - 100 * y / top, 2), label + unit) for y, label in _ticks(0, top)]


def distributions(by_name: Mapping[str, Distribution], *, reach: bool = False) -> Plot:
    """Return the chart of distributions of final scores.

    With ``reach``, return the chart of the probability of reaching each score.
    """
    title = "Probability of at least each score" if reach else "Probability of each final score"
    medians = (f"{name} with median {scores.median}" for name, scores in by_name.items())
    rows = {}
    for name, scores in by_name.items():
        probability_of = scores.at_least if reach else scores.probability
        low, high = scores.quantile(RARE), scores.quantile(1 - RARE)
        rows[name] = [(score, 100 * probability_of(score)) for score in range(low, high + 1)]
    return _steps(f"{title}: {', '.join(medians)}", rows, reach=reach)


def _steps(words: str, rows: Mapping[str, Sequence[tuple[int, float]]], *, reach: bool) -> Plot:
    """Return several series of scores with percentages as step charts.

    A step ends at its score if it is the probability of at least this score. Otherwise, the score
    is in the middle of the step.
    """
    before = 1.0 if reach else 0.5
    low = min(points[0][0] for points in rows.values()) - before
    high = max(points[-1][0] for points in rows.values()) + 1 - before
    top = 100.0 if reach else _top(max(y for row in rows.values() for _, y in row))

    def right(x: float) -> int:
        return round(WIDE * (x - low) / (high - low))

    def down(y: float) -> int:
        return round(HIGH * (1 - y / top))

    def path(points: Sequence[tuple[int, float]]) -> str:
        start = f"M{right(points[0][0] - before)} {0 if reach else HIGH}"
        return (
            start + "".join(f"V{down(y)}H{right(x + 1 - before)}" for x, y in points) + f"V{HIGH}"
        )

    return Plot(
        words,
        "Final score",
        [(round(100 * (x - low) / (high - low), 2), label) for x, label in _ticks(low, high)],
        _heights(top, "%"),
        lines=[Line(name, path(points)) for name, points in rows.items()],
        is_filled=len(rows) == 1 and not reach,
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
