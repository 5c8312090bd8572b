"""Measure the time to solve a game, alone and in a grid together with similar games.

    python benchmarks/sweep.py

All times are processor seconds per game on one thread. First, Yahtzee is solved for the mean, for
the mean and the SD, and for the distribution. Then the 2 ** n variants that differ in n lower
categories are solved together, each with and without Chance.
"""

from collections.abc import Callable
from time import process_time
from typing import Any

from rollwise import evaluate, load_rules, solve
from rollwise.experiments.rule_grid import grid, vary
from rollwise.experiments.variant_solver import VariantSolver
from rollwise.strategies import Optimal

YAHTZEE = load_rules("yahtzee")
CLAUSES: dict[str, list[Any]] = {
    "full-house.points": [25, "total"],
    "small-straight.points": [30, 15],
    "large-straight.points": [40, 20],
    "three-of-a-kind.points": ["total", "matched"],
    "four-of-a-kind.points": ["total", "matched"],
}


def seconds(work: Callable[[], object]) -> float:
    """Return the processor seconds that the work takes."""
    began = process_time()
    work()
    return process_time() - began


def together(boxes: int, *, means_only: bool) -> float:
    """Return the processor seconds per game of a grid that varies some categories and Chance."""
    clauses = dict(list(CLAUSES.items())[:boxes]) | {"chance": [True, False]}
    games = [vary(YAHTZEE, values) for values in grid(YAHTZEE, clauses)]
    solver = VariantSolver(games, means_only=means_only, threads=1)
    return seconds(lambda: [solver.solve(rules) for rules in games]) / len(games)


def main() -> None:
    """Print the processor seconds per game."""
    solution = solve(YAHTZEE, moments=True, cache=False, threads=1)  # compiles the kernels
    evaluate(Optimal(solution), threads=1)
    alone = {
        "mean": lambda: solve(YAHTZEE, cache=False, threads=1),
        "mean and SD": lambda: solve(YAHTZEE, moments=True, cache=False, threads=1),
        "law": lambda: evaluate(Optimal(solve(YAHTZEE, cache=False, threads=1)), threads=1),
    }
    for label, work in alone.items():
        print(f"alone, {label:<24}{seconds(work):8.3f} s a game")
    for number in (1, 3, 5):
        for label, means_only in (("mean", True), ("mean and SD", False)):
            head = f"{2 ** (number + 1)} together, {label}"
            print(f"{head:<31}{together(number, means_only=means_only):8.3f} s a game", flush=True)


if __name__ == "__main__":
    main()
