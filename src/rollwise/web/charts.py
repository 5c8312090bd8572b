"""Charts for the web pages, readable on light and dark backgrounds."""

from collections.abc import Mapping, Sequence
from typing import Any

from nicegui import ui

from rollwise.evaluation.evaluate import Evaluation
from rollwise.history import Proficiency
from rollwise.web.elements import Tag

WIDEST_BAR = 56
"""The maximum width of a bar in pixels."""

COLORS = ("#3f83c4", "#d9822b", "#2f9e7f", "#b0519b", "#8a7fd3", "#c4574f", "#7a8c2f", "#5c8fa8")
INK = "#7b8798"
SCORES_NOTE = (
    "The exact probability of every single score: one step a score, nothing smoothed. At each end "
    "at most half a thousandth of all games is left out."
)
REACH_NOTE = (
    "The exact probability of at least that score, one step a score; the same games left out."
)
LINES = ("solid", "dashed", "dotted")


def _chart(words: str, options: dict[str, Any]) -> None:
    axis = {
        "axisLine": {"lineStyle": {"color": INK}},
        "axisLabel": {"color": INK},
        "nameTextStyle": {"color": INK},
        "splitLine": {"lineStyle": {"color": INK, "opacity": 0.25}},
    }
    for name in ("xAxis", "yAxis"):
        options[name] = {**axis, **options[name]}
    defaults = {
        "color": list(COLORS),
        "animation": False,
        "textStyle": {"color": INK, "fontFamily": "system-ui, sans-serif"},
        "grid": {"left": 56, "right": 16, "top": 52, "bottom": 44},
        "tooltip": {"trigger": "axis", "confine": True},
        "legend": {"textStyle": {"color": INK}, "top": 0},
    }
    with Tag("div", classes="chart", role="img", aria_label=words):
        ui.echart({**defaults, **options}, renderer="svg")  # SVG text uses the page colors


def _below(name: str, **more: Any) -> dict[str, Any]:
    """Return a numeric axis with its name below it."""
    layout = {"nameLocation": "middle", "nameGap": 28, "splitLine": {"show": False}}
    return {"type": "value", "name": name, **layout, **more}


def _lines(
    rows: Mapping[str, Sequence[tuple[float, float]]], step: str | None = None
) -> list[dict[str, Any]]:
    """Return one line per name, each with its own pattern; ``step`` selects the kind of step."""
    return [
        {
            "name": name,
            "type": "line",
            "step": step or False,
            "showSymbol": False,
            "lineStyle": {"width": 2, "type": LINES[number % len(LINES)]},
            "data": [[round(x, 3), round(y, 4)] for x, y in points],
        }
        for number, (name, points) in enumerate(rows.items())
    ]


def distributions(evaluations: Sequence[Evaluation], *, reach: bool = False) -> None:
    """Show the distributions of final scores.

    With ``reach``, show the probability of reaching each score instead.
    """
    title = "Probability of at least each score" if reach else "Probability of each final score"
    words = ", ".join(
        f"{evaluation.strategy} with mean {evaluation.distribution.mean:.1f}"
        for evaluation in evaluations
    )
    rows = {
        evaluation.strategy: evaluation.distribution.percents(reach=reach)
        for evaluation in evaluations
    }
    Tag("p", REACH_NOTE if reach else SCORES_NOTE, "soft")
    steps(f"{title}: {words}", "final score", rows, "start" if reach else "middle")


def steps(
    words: str, x_name: str, rows: Mapping[str, Sequence[tuple[float, float]]], step: str
) -> None:
    """Show several series of percentages as step charts, with one step per whole number.

    Parameters
    ----------
    words : str
        A description of the chart for screen readers.
    x_name : str
        The name of the horizontal axis.
    rows : mapping of str to sequence of (float, float)
        The number and the percentage of each step, by the name of the series.
    step : str
        ``middle`` for a step around its number. ``start`` for a step that ends at its number, as
        in a chart of the probability of scoring at least that number.
    """
    _chart(
        words,
        {
            "xAxis": _below(x_name, scale=True),
            "yAxis": {"type": "value", "name": "%"},
            "series": _lines(rows, step),
        },
    )


def bars(words: str, values: Mapping[str, float], unit: str, across: str = "") -> None:
    """Show a bar chart with one bar per name.

    ``words`` describes the chart. ``unit`` and ``across`` name the vertical and horizontal axes.
    """
    _chart(
        f"{words}: {', '.join(f'{name} {value:.2f}' for name, value in values.items())}",
        {
            "xAxis": {
                **_below(across),
                "type": "category",
                "data": list(values),
                "axisTick": {"show": False},
            },
            "yAxis": {"type": "value", "name": unit},
            "series": [
                {
                    "type": "bar",
                    "barMaxWidth": WIDEST_BAR,
                    "data": [round(value, 4) for value in values.values()],
                }
            ],
        },
    )


def trend(rating: Proficiency) -> None:
    """Show the EV loss per decision in each game."""
    games = {str(number): loss for number, loss in enumerate(rating.trend, start=1)}
    bars("Mean loss a decision, game by game", games, "points lost a decision", "game")
