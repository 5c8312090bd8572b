"""The points and the line of the payoff line as a picture; needs matplotlib (extra ``plot``)."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from rollwise.evaluation.plots import BLUE, GREY, ORANGE, check_installed, plain_text, save_figure
from rollwise.strategies.payoff_points import Payoffs, Point


def save_points(points: Payoffs, shown: Sequence[Point], path: Path, title: str) -> None:
    """Draw the points, the exact probability of each, and the line.

    Raises
    ------
    MissingExtraError
        When matplotlib is not installed.
    OSError, ValueError
        When the file cannot be written, or its ending is no format of pictures.
    """
    check_installed()
    with plain_text():
        save_figure(_drawn(points, shown, title), path)


def _drawn(points: Payoffs, shown: Sequence[Point], title: str) -> Any:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 5), layout="constrained")
    axes = figure.add_subplot()
    payoffs = np.array([point.payoff for point in shown])
    chances = np.array([point.probability for point in shown])
    exact = np.array([point.exact for point in shown])
    axes.vlines(payoffs, chances, exact, color=GREY, linewidth=1)
    axes.scatter(payoffs, exact, color=GREY, marker="_", label="best play for the box alone")
    axes.scatter(payoffs, chances, color=BLUE, label=points.variant)
    for point, x, y in zip(shown, payoffs, chances, strict=True):
        category = points.rules.categories[point.category]
        offset = (5, 3) if category.section == "upper" else (5, -10)
        axes.annotate(category.title, (x, y), xytext=offset, textcoords="offset points", fontsize=8)
    ends = np.array([0.0, payoffs.max(initial=0.1) * 1.15])
    line = points.line
    label = f"y = {line.slope:.4f} x + {line.intercept:.4f}"
    axes.plot(ends, line.slope * ends + line.intercept, color=ORANGE, linestyle=":", label=label)
    axes.set_xlim(*ends)
    axes.set_ylim(bottom=0)
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_xlabel("payoff")
    axes.set_ylabel("probability")
    axes.set_title(f"(payoff, probability) of {title}")
    axes.legend(frameon=False, loc="upper right")
    return figure
