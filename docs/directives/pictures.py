"""Pictures of lessons and of games, drawn from computed numbers; their lines follow the theme.

Each is a figure of HTML around a picture in SVG without its own colors for text and axes, so that
it can be read on a light page and on a dark one.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from html import escape
from io import StringIO
from itertools import groupby
from typing import Any

import matplotlib
import matplotlib.figure
import numpy as np
from numpy.typing import ArrayLike

INK = "#010203"
"""A color that nothing else has; it becomes the color of the text around the picture."""

COLORS = ("#56b4e9", "#e69f00", "#2fa97c", "#cc79a7", "#d9c927", "#7d8ee0", "#d55e00", "#9aa0a6")
"""Distinguishable without color vision (after Okabe and Ito), and bright enough for black words."""

LINES = ("#2f8fd0", "#d07a00", "#1f9e77", "#c0579a", "#8478d8")
"""Of curves: seen on white and on black."""

STYLE = {
    "font.family": "sans-serif",
    "font.size": 10,
    "svg.fonttype": "none",
    "svg.hashsalt": "rollwise",
    "text.parse_math": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
    **dict.fromkeys(("text.color", "axes.edgecolor", "axes.labelcolor"), INK),
    **dict.fromkeys(("xtick.color", "ytick.color"), INK),
}

WIDTH, HEIGHT = 6.4, 3.6
"""Of a picture in inches."""


def policy(
    axes: Any, choices: Sequence[Sequence[str]], rows: Sequence[str], columns: Sequence[int]
) -> None:
    """Draw what is chosen in each row and column: neighbors in a row that agree are one bar.

    An empty choice stands for none, and is left out.
    """
    colors: dict[str, str] = {}
    for y, row in enumerate(choices):
        for choice, found in groupby(enumerate(row), key=lambda cell: cell[1]):
            if not choice:
                continue
            where = [x for x, _ in found]
            color = colors.setdefault(choice, COLORS[len(colors) % len(COLORS)])
            axes.barh(y, len(where), left=where[0] - 0.5, height=0.86, color=color)
            if len(where) / len(columns) > 0.018 * len(choice):
                middle = (where[0] + where[-1]) / 2
                axes.text(middle, y, choice, color="black", size=8.5, ha="center", va="center")
    steps = range(0, len(columns), max(1, len(columns) // 12))
    axes.set_xticks(steps, [columns[x] for x in steps])
    name_rows(axes, rows)


def curves(
    axes: Any,
    lines: Mapping[str, tuple[ArrayLike, ArrayLike]],
    marks: Mapping[str, float] | None = None,
) -> None:
    """Draw lines by their name, each of positions across and of heights, and upright marks."""
    styles = ("-", "--", "-.", ":")
    for number, (name, (xs, ys)) in enumerate(lines.items()):
        color, style = LINES[number % len(LINES)], styles[number % len(styles)]
        axes.plot(xs, ys, style, color=color, linewidth=2, label=name)
    for name, x in (marks or {}).items():
        axes.axvline(x, color=INK, linewidth=0.8)
        axes.annotate(name, (x, 1), (4, -4), xycoords=("data", "axes fraction"),
                      textcoords="offset points", va="top")  # fmt: skip
    axes.grid(alpha=0.25, color=INK)
    if len(lines) > 1:
        axes.legend(frameon=False)


def points(axes: Any, named: Sequence[tuple[str, float, float]]) -> None:
    """Draw named points, the last one with its name at the upper left, the others below."""
    last = len(named) - 1
    middle = max(x for _, x, _ in named) / 2
    for number, (name, x, y) in enumerate(named):
        right, above = x > middle, number == last
        axes.plot(x, y, "o", color=LINES[0])
        axes.annotate(name, (x, y), (-6 if right else 6, 4 if above else -4),
                      textcoords="offset points", ha="right" if right else "left",
                      va="bottom" if above else "top")  # fmt: skip
    axes.margins(y=0.12)
    axes.grid(alpha=0.25, color=INK)


def heat(
    axes: Any, numbers: ArrayLike, rows: Sequence[str], columns: Sequence[int], *, unit: str
) -> None:
    """Draw a number for each row and column as a color; other entries are left out."""
    numbers_R_C = np.ma.masked_invalid(np.asarray(numbers, dtype=np.float64))
    shown = axes.pcolormesh(
        columns, np.arange(len(rows)), numbers_R_C, cmap="viridis", edgecolors="face"
    )
    bar = axes.figure.colorbar(shown, ax=axes, label=unit)
    bar.outline.set_visible(False)
    name_rows(axes, rows)


def cheapest(
    axes: Any, numbers: Sequence[Sequence[float]], rows: Sequence[str], columns: Sequence[int]
) -> None:
    """Write a number for each row and column on its color; the lowest of a column is bold."""
    lowest_C = np.min(numbers, axis=0)
    colors = axes.pcolormesh(columns, np.arange(len(rows)), numbers, cmap="viridis")
    for y, row in enumerate(numbers):
        for x, number, lowest in zip(columns, row, lowest_C, strict=True):
            color = "white" if colors.norm(number) < 0.45 else "black"
            weight = "bold" if number == lowest else "normal"
            axes.text(x, y, f"{number:.0f}", color=color, weight=weight, ha="center", va="center")
    axes.set_xticks(columns)
    name_rows(axes, rows)


def histogram(
    axes: Any,
    bars: tuple[int, int, Sequence[float]],
    lines: Mapping[str, float],
    ranges: Mapping[str, tuple[float, float]],
) -> None:
    """Draw percentages of games as bars, with upright lines and shaded ranges, the widest first.

    ``bars`` has the first score, the width of each bar in points, and the height of each bar.
    """
    first, width, percent = bars
    starts = first - 0.5 + width * np.arange(len(percent))
    axes.bar(starts, percent, width=0.9 * width, align="edge", color=LINES[0])
    for (name, x), color, style in zip(lines.items(), (LINES[1], INK), ("-", "--"), strict=True):
        axes.axvline(x, color=color, linestyle=style, label=f"{name} {x:.5g}")
    for number, (name, (low, high)) in enumerate(ranges.items(), 1):
        shade = {"color": INK, "alpha": 0.1 * number, "linewidth": 0, "zorder": 0}
        axes.axvspan(low, high, label=f"{name}: {low} to {high}", **shade)
    axes.legend(frameon=False, loc="lower left", bbox_to_anchor=(0, 1), ncols=2)


def name_rows(axes: Any, rows: Sequence[str]) -> None:
    """Write the names of rows, the first at the top."""
    axes.figure.set_figheight(1 + 0.27 * len(rows))
    axes.set_yticks(range(len(rows)), rows)
    axes.invert_yaxis()


def figure(
    draw: Callable[..., None],
    *data: Any,
    alt: str,
    across: str,
    up: str = "",
    down: str = "",
    **options: Any,
) -> str:
    """Return a picture as HTML; the same picture is the same text.

    ``alt`` is a description for readers who cannot see it, ``across`` says what columns are about,
    and ``up`` or ``down`` what heights or rows are about.
    """
    file = StringIO()
    with matplotlib.rc_context(STYLE):
        drawn = matplotlib.figure.Figure(figsize=(WIDTH, HEIGHT), layout="constrained")
        axes = drawn.add_subplot()
        draw(axes, *data, **options)
        axes.set(xlabel=across, ylabel=up or down)
        drawn.savefig(file, format="svg", transparent=True, metadata={"Date": None})
    return (
        f'<figure style="margin: 1.5rem 0; overflow-x: auto" role="img" aria-label="{escape(alt)}" '
        f'tabindex="0">{plain(file)}</figure>'
    )


KINDS = {draw.__name__: partial(figure, draw) for draw in (policy, curves, heat)}
"""What a lesson can ask for."""


def plain(file: StringIO) -> str:
    """Return the drawing in a file of SVG without its head, fixed size, ink, and idle names."""
    svg = file.getvalue()
    svg = svg[svg.index("<svg") :].replace(INK, "currentColor")
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    style = ' style="width: 100%; min-width: 30rem"'
    svg = re.sub(r' width="[^"]*" height="[^"]*"', style, svg, count=1)
    used = set(re.findall(r'(?:href="#|url\(#)([^")]+)', svg))
    return re.sub(r' id="([^"]*)"', lambda found: found[0] if found[1] in used else "", svg)
