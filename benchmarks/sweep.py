"""What a game of a grid takes, solved alone and together with its neighbours.

    python benchmarks/sweep.py

Processor seconds a game on one thread, of Yahtzee by the usual rules: solved for the mean; with the
SD; the whole law. Then of 2 ** n games that differ in n of the lower boxes, and as many without a
chance.
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
    """Return the processor seconds that some work takes."""
    began = process_time()
    work()
    return process_time() - began


def together(boxes: int, *, means_only: bool) -> float:
    """Return the processor seconds a game of a grid over some boxes, with and without a chance."""
    clauses = dict(list(CLAUSES.items())[:boxes]) | {"chance": [True, False]}
    games = [vary(YAHTZEE, values) for values in grid(YAHTZEE, clauses)]
    solver = VariantSolver(games, means_only=means_only, threads=1)
    return seconds(lambda: [solver.solve(rules) for rules in games]) / len(games)


def main() -> None:
    """Print what a game takes."""
    solution = solve(YAHTZEE, moments=True, cache=False, threads=1)  # compiled by now
    evaluate(Optimal(solution), threads=1)
    alone = {
        "mean": lambda: solve(YAHTZEE, cache=False, threads=1),
        "mean and SD": lambda: solve(YAHTZEE, moments=True, cache=False, threads=1),
        "law": lambda: evaluate(Optimal(solve(YAHTZEE, cache=False, threads=1)), threads=1),
    }
    for what, work in alone.items():
        print(f"alone, {what:<24}{seconds(work):8.3f} s a game")
    for boxes in (1, 3, 5):
        for what, means_only in (("mean", True), ("mean and SD", False)):
            head = f"{2 ** (boxes + 1)} together, {what}"
            print(f"{head:<31}{together(boxes, means_only=means_only):8.3f} s a game", flush=True)


if __name__ == "__main__":
    main()
