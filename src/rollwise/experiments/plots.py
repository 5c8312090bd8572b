"""Plots of evaluations, targets, variance, comparisons, and payoff lines (extra ``plot``).

The ``draw_*`` functions draw on matplotlib axes. The ``save_*`` functions write files. They raise
MissingExtraError if matplotlib is not installed, OSError if a file cannot be written, and
InputError if the suffix of the file name is not a picture format.

Examples
--------
>>> evaluation = evaluate("greedy", "micro-yahtzee")
>>> plots.save_report(evaluation, "none/pictures")  # doctest: +ELLIPSIS
Traceback (most recent call last):
rollwise.errors.MalformedError: The folder of none/pictures does not exist. Create it first, ...
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rollwise.distribution import Distribution
from rollwise.errors import MalformedError, check_extra
from rollwise.evaluation.evaluate import Evaluation
from rollwise.experiments.comparison import Comparison
from rollwise.files import check_folder, write_atomically
from rollwise.rules import Rules
from rollwise.solving.by_score.mean_variance import FrontierPoint
from rollwise.strategies.payoff_line import PayoffModel, Point

__all__ = [
    "draw_categories",
    "draw_cumulative",
    "draw_distribution",
    "save_comparison",
    "save_points",
    "save_report",
    "save_targets",
    "save_variance",
]
__dir__ = __all__.copy  # the names that completion offers

BLUE, ORANGE, GRAY = "#2b6cb0", "#c05621", "#a0aec0"

REACHED = "Probability of at least this score (%)"


def check_installed() -> None:
    """Raise MissingExtraError if matplotlib is not installed."""
    check_extra("plot", "drawing plots", "matplotlib.figure")


def check_picture(path: Path) -> None:
    """Check that matplotlib is installed and can write a picture with this file name.

    Raise MissingExtraError if matplotlib is not installed. Raise MalformedError if the suffix of
    the file name is not a picture format.
    """
    check_installed()
    from matplotlib.backend_bases import FigureCanvasBase

    if _ending(path) not in FigureCanvasBase.get_supported_filetypes():
        raise MalformedError(
            f"cannot draw to {path.name!r}; use a name with an image suffix, such as .png or .svg"
        )


def prepare_folder(folder: Path) -> None:
    """Check that matplotlib is installed, and create a folder for plots if it does not exist.

    Raise MissingExtraError if matplotlib is not installed. Raise MalformedError if a file has the
    name of the folder, or if there is no folder to create it in.
    """
    check_installed()
    if folder.exists() and not folder.is_dir():
        raise MalformedError(f"{folder} is a file. Give the name of a folder.")
    if not folder.is_dir():
        check_folder(folder)
    folder.mkdir(exist_ok=True)


def draw_distribution(axes: Any, evaluation: Evaluation) -> None:
    """Draw the probability of each score."""
    distribution = evaluation.distribution
    axes.bar(distribution.scores, 100 * distribution.probabilities, width=1.0, color=BLUE)
    axes.axvline(
        distribution.mean,
        color=ORANGE,
        label=f"mean {distribution.mean:.1f} (SD {distribution.sd:.1f})",
    )
    axes.axvline(
        distribution.median, color=GRAY, linestyle="--", label=f"median {distribution.median}"
    )
    axes.set(
        xlim=_score_range(evaluation),
        xlabel="Final score",
        ylabel="Probability (%)",
        title=f"{evaluation.rules.title}: final scores of {evaluation.strategy}",
    )
    axes.legend(frameon=False, loc="upper right")


def draw_cumulative(axes: Any, evaluation: Evaluation) -> None:
    """Draw the probability of reaching each score."""
    _step_reach(axes, evaluation.distribution, color=BLUE)
    axes.grid(alpha=0.3)
    title = f"{evaluation.rules.title}: probability of reaching a score with {evaluation.strategy}"
    axes.set(xlim=_score_range(evaluation), title=title)


def draw_categories(axes: Any, evaluation: Evaluation) -> None:
    """Draw the mean and the standard deviation of the points in each category."""
    rows = evaluation.categories
    titles = {category.key: category.title for category in evaluation.rules.categories}
    names = [f"{titles[key]} ({100 * row.zero:.1f}% zero)" for key, row in rows.items()]
    means, sds = ([getattr(row, part) for row in rows.values()] for part in ("mean", "sd"))
    axes.barh(names, means, color=BLUE)
    axes.errorbar(means, names, xerr=sds, fmt="none", ecolor=ORANGE, capsize=3)
    axes.invert_yaxis()
    title = f"{evaluation.rules.title}: points by category with {evaluation.strategy}"
    axes.set(xlim=(0, None), xlabel="Points: mean and SD", title=title)


PICTURES: dict[str, Callable[..., None]] = {
    "distribution": draw_distribution,
    "cumulative": draw_cumulative,
    "categories": draw_categories,
}


def save_report(evaluation: Evaluation, folder: str | Path) -> list[Path]:
    """Write all plots of an evaluation to a folder, and return their paths."""
    name = f"{evaluation.rules.name}-{evaluation.strategy}"
    return [
        path
        for picture, draw in PICTURES.items()
        for path in _save(draw, folder, f"{name}-{picture}", evaluation)
    ]


def save_targets(
    rules: Rules, best: NDArray[np.float64], distribution: Distribution, folder: str | Path
) -> list[Path]:
    """Plot the highest probability of each target, and the probability with optimal play.

    ``best`` is the result of :meth:`rollwise.solving.solver.Solver.targets`, and ``distribution``
    the distribution of the final score with optimal play for the expected score.
    """

    def draw(axes: Any) -> None:
        targets = np.arange(1, len(best) + 1)
        expected = np.array([distribution.at_least(int(score)) for score in targets])
        reachable = targets[best >= 0.0005]
        axes.plot(targets, 100 * best, color=BLUE, label="highest possible probability")
        axes.plot(
            targets, 100 * expected, color=ORANGE, label="optimal play for the expected score"
        )
        axes.grid(alpha=0.3)
        axes.set(
            xlim=(0, reachable[-1]),
            ylim=(0, 100),
            xlabel="Target score",
            ylabel=REACHED,
            title=f"{rules.title}: probability of reaching a target score",
        )
        axes.legend(frameon=False, loc="upper right")

    return _save(draw, folder, f"{rules.name}-targets")


def save_variance(rules: Rules, points: Sequence[FrontierPoint], folder: str | Path) -> list[Path]:
    """Plot the highest mean score that is possible for each standard deviation."""

    def draw(axes: Any) -> None:
        axes.plot([p.sd for p in points], [p.mean for p in points], color=BLUE)
        ends = (points[0], "lowest variance", 8), (points[-1], "highest mean", -95)
        for point, label, across in ends:
            axes.plot(point.sd, point.mean, "o", color=ORANGE)
            axes.annotate(label, (point.sd, point.mean), (across, -14), textcoords="offset points")
        axes.grid(alpha=0.3)
        title = f"{rules.title}: highest mean for each SD"
        axes.set(xlabel="SD of the final score", ylabel="Mean of the final score", title=title)

    return _save(draw, folder, f"{rules.name}-variance")


def save_comparison(comparison: Comparison, path: str | Path) -> None:
    """Plot each strategy's probability of reaching each score, and its EV loss by turn."""
    path = Path(path)
    check_picture(path)
    with _figure(11, 4.5, columns=2) as (figure, (reach, losses)):
        turns = np.arange(1, len(comparison.rules.categories) + 1)
        for entry in comparison.entries:
            label = f"{entry.strategy} ({entry.mean:.1f})"
            _step_reach(reach, entry.distribution, label=label)
            by_turn = entry.losses.by_turn_T_J.sum(axis=1)
            losses.plot(turns, by_turn, marker="o", label=entry.strategy)
        distributions = [entry.distribution for entry in comparison.entries]
        reach.set(
            xlim=(
                min(distribution.quantile(0.001) for distribution in distributions),
                max(distribution.quantile(0.999) for distribution in distributions),
            ),
            title=f"{comparison.rules.title}: probability of reaching a score",
        )
        losses.set(
            ylim=(0, None),
            xticks=turns,
            xlabel="Turn",
            ylabel="EV loss (points)",
            title="EV loss by turn",
        )
        for axes in (reach, losses):
            axes.legend(frameon=False, loc="upper right")
        save_figure(figure, path)


def save_points(points: PayoffModel, shown: Sequence[Point], path: Path, title: str) -> None:
    """Plot a payoff line, the points ``shown``, and the exact probability of each category."""
    with _figure(8, 5) as (figure, axes):
        payoffs = np.array([point.payoff for point in shown])
        probabilities = np.array([point.probability for point in shown])
        exact = np.array([point.exact for point in shown])
        axes.vlines(payoffs, probabilities, exact, color=GRAY, linewidth=1)
        alone = "optimal play for this category alone"
        axes.scatter(payoffs, exact, color=GRAY, marker="_", label=alone)
        axes.scatter(payoffs, probabilities, color=BLUE, label=points.variant)
        for point, *place in zip(shown, payoffs, probabilities, strict=True):
            category = points.rules.categories[point.category]
            offset = (5, 3) if category.section == "upper" else (5, -10)
            axes.annotate(
                category.title, place, xytext=offset, textcoords="offset points", fontsize=8
            )
        ends = np.array([0.0, payoffs.max(initial=0.1) * 1.15])
        line = points.line
        label = f"y = {line.slope:.4f} x + {line.intercept:.4f}"
        heights = line.slope * ends + line.intercept
        axes.plot(ends, heights, color=ORANGE, linestyle=":", label=label)
        axes.set(
            xlim=ends,
            ylim=(0, None),
            xlabel="Payoff",
            ylabel="Probability",
            title=f"Payoff and probability of each category: {title}",
        )
        axes.legend(frameon=False, loc="upper right")
        save_figure(figure, path)


def _step_reach(axes: Any, distribution: Distribution, **style: Any) -> None:
    """Draw the probability of reaching each score, in percent, as a step function."""
    reach = 100 * distribution.probabilities[::-1].cumsum()[::-1]
    axes.step(distribution.scores, reach, where="pre", **style)
    axes.set(ylim=(0, 100), xlabel="Final score", ylabel=REACHED)


def _score_range(evaluation: Evaluation) -> tuple[int, int]:
    """Return the range of scores, excluding the lowest and the highest 0.05% of games."""
    return evaluation.distribution.quantile(0.0005), evaluation.distribution.quantile(0.9995)


def _save(
    draw: Callable[..., None], folder: str | Path, name: str, *drawn: Evaluation
) -> list[Path]:
    folder = Path(folder)
    prepare_folder(folder)
    paths = [folder / f"{name}.{ending}" for ending in ("png", "svg")]
    with _figure(9, 5) as (figure, axes):
        draw(axes, *drawn)
        for path in paths:
            save_figure(figure, path)
    return paths


@contextmanager
def _figure(width: float, height: float, columns: int = 1) -> Iterator[tuple[Any, Any]]:
    """Yield a figure and its axes; labels are not parsed as formulas."""
    check_installed()
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(
        {"text.parse_math": False, "axes.spines.top": False, "axes.spines.right": False}
    ):
        figure = Figure(figsize=(width, height), layout="constrained")
        yield figure, figure.subplots(1, columns)


def save_figure(figure: Any, path: Path) -> None:
    """Write a matplotlib figure atomically and reproducibly.

    Raise OSError or ValueError if the file cannot be written, or if its suffix is not a picture
    format.
    """
    import matplotlib

    ending = _ending(path)
    file = BytesIO()
    with matplotlib.rc_context({"svg.hashsalt": "rollwise"}):
        metadata = {"Date": None} if ending == "svg" else None
        figure.savefig(file, format=ending, dpi=150, metadata=metadata)
    write_atomically(path, file.getvalue())


def _ending(path: Path) -> str:
    return path.suffix.removeprefix(".") or "png"
