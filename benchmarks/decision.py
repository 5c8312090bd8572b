"""Measure the time to solve one turn, by number of dice; ``--plot FILE`` plots the results.

Examples::

    python benchmarks/decision.py
    python benchmarks/decision.py --plot decision.png
"""

import argparse
import platform
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter

from rollwise.decision_analysis import TurnProblem, analyze_turn, profile_turn, target_turn

ROLLS = 4
DICE = (5, 10, 15, 20, 25, 30, 35, 40, 50)
FEWER_DICE = (5, 8, 10, 12, 15, 18, 20)

Row = tuple[str, int, int, float]
"""The kind of turn, its number of dice, its number of options, and the seconds to solve it."""


def all_alike(dice: int) -> TurnProblem:
    """Return the turn whose goal is n of a kind with n dice; its states are profiles."""
    return profile_turn("0" * (dice - 1) + "1", dice=dice, rolls=ROLLS)


def four_sixes(dice: int) -> TurnProblem:
    """Return the turn whose goal is at least four sixes; its states are multisets."""
    return target_turn("4x6+", dice=dice, rolls=ROLLS)


def measure(
    name: str, describe: Callable[[int], TurnProblem], sizes: Sequence[int], exact: bool
) -> list[Row]:
    """Solve turns of several sizes; the time includes finding all states and options."""
    rows: list[Row] = []
    for dice in sizes:
        start = perf_counter()
        turn = describe(dice)
        value = analyze_turn(turn, exact=exact).value
        seconds = perf_counter() - start
        rows.append((name, dice, len(turn.options), seconds))
        print(f"{name:22} {dice:4} {len(turn.options):9,} {seconds:9.3f} s   {float(value):.6g}")
    return rows


def plot(rows: Sequence[Row], path: Path) -> None:
    """Plot the seconds by number of dice, with one line for each kind of turn."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4.5), layout="constrained")
    for name in dict.fromkeys(row[0] for row in rows):
        mine = [row for row in rows if row[0] == name]
        axes.plot([row[1] for row in mine], [row[3] for row in mine], marker="o", label=name)
    axes.set(xlabel="dice", ylabel="seconds", yscale="log", title=f"One turn of {ROLLS} rolls")
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(path)


def main() -> None:
    """Print the measurements, and plot them if requested."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw seconds over dice")
    arguments = parser.parse_args()
    print(f"{datetime.now(UTC):%Y-%m-%d}, {platform.machine()}, Python {platform.python_version()}")
    print(f"{'six faces, 4 rolls':22} {'dice':>4} {'keeps':>9} {'time':>11}   value")
    rows = measure("profiles, exact", all_alike, DICE, exact=True)
    rows += measure("profiles, float64", all_alike, DICE, exact=False)
    rows += measure("multisets, exact", four_sixes, FEWER_DICE, exact=True)
    rows += measure("multisets, float64", four_sixes, FEWER_DICE, exact=False)
    if arguments.plot is not None:
        plot(rows, arguments.plot)


if __name__ == "__main__":
    main()
