"""Strategies side by side as a picture; needs matplotlib (the extra ``plot``)."""

from pathlib import Path
from typing import Any

import numpy as np

from rollwise.evaluation.plots import check_installed, plain_text, save_figure, step_reach
from rollwise.laboratory.comparison import Comparison


def save_comparison(comparison: Comparison, path: Path) -> None:
    """Draw the probability of reaching every score, and the points lost by turn.

    Raises
    ------
    MissingExtraError
        When matplotlib is not installed.
    OSError, ValueError
        When the file cannot be written, or its ending is no format of pictures.
    """
    check_installed()
    with plain_text():
        save_figure(_drawn(comparison), path)


def _drawn(comparison: Comparison) -> Any:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 4.5), layout="constrained")
    reach, lost = figure.subplots(1, 2)
    turns = np.arange(1, len(comparison.rules.categories) + 1)
    for entry in comparison.entries:
        law = entry.law
        step_reach(reach, law, label=f"{entry.strategy} ({law.mean:.1f})")
        lost.plot(turns, entry.losses.by_turn_T_J.sum(axis=1), marker="o", label=entry.strategy)
    laws = [entry.law for entry in comparison.entries]
    reach.set_xlim(
        min(law.quantile(0.001) for law in laws), max(law.quantile(0.999) for law in laws)
    )
    reach.set_ylim(0, 100)
    reach.set_xlabel("score")
    reach.set_ylabel("probability of at least that score in %")
    reach.set_title(f"{comparison.rules.title}: reaching a score")
    lost.set_ylim(bottom=0)
    lost.set_xticks(turns)
    lost.set_xlabel("turn")
    lost.set_ylabel("points lost against the optimum")
    lost.set_title("points lost, turn by turn")
    for axes in (reach, lost):
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(frameon=False, loc="upper right")
    return figure
