"""Measure the time for a million simulated games, and for exact distributions of heuristics.

Run ``python benchmarks/simulate.py [--runs N]`` in an environment with the test extra. Each number
is the median over N processes. yatzy-solver simulates 100,000 games; its time is scaled to a
million.
"""

import argparse
import json
import statistics
import subprocess
import sys

OURS = """
import json, sys, time
from rollwise.rules import load_rules
from rollwise.experiments.simulation import simulate
from rollwise.solving.solver import solve
from rollwise.strategies import Optimal
rules = load_rules(sys.argv[1])
player = Optimal(solve(rules))
simulate(player, rules, 100)  # imports and compiled code are in place
wall, cpu = time.perf_counter(), time.process_time()
mean = float(simulate(player, rules, 1_000_000, 1).scores_N.mean())
print(json.dumps([time.perf_counter() - wall, time.process_time() - cpu, mean]))
"""

THEIRS = """
import json, sys, time
import yatzy_solver
solver = yatzy_solver.Solver.build(yatzy_solver.Variant(sys.argv[1]))
wall, cpu = time.perf_counter(), time.process_time()
mean = float(solver.simulate(100_000, seed=1)["scores"].mean())
print(json.dumps([10 * (time.perf_counter() - wall), 10 * (time.process_time() - cpu), mean]))
"""

EXACT = """
import json, sys, time
from rollwise.evaluation.evaluate import evaluate
from rollwise.rules import load_rules
from rollwise.strategies import STRATEGIES
evaluate(STRATEGIES[sys.argv[1]](), load_rules("yams"))
wall, cpu = time.perf_counter(), time.process_time()
distribution = evaluate(STRATEGIES[sys.argv[1]](), load_rules("yahtzee")).distribution
print(json.dumps([time.perf_counter() - wall, time.process_time() - cpu, distribution.mean]))
"""


def run(program: str, argument: str) -> list[float]:
    """Run a program in a new process, and return the numbers that it prints."""
    command = [sys.executable, "-c", program, argument]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    numbers: list[float] = json.loads(output)
    return numbers


def main() -> None:
    """Print the measurements."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3)
    runs = parser.parse_args().runs
    print(f"{'':44}{'wall s':>10}{'CPU s':>10}{'mean':>12}")
    for title, program, argument in (
        ("yahtzee, 1,000,000 games, rollwise", OURS, "yahtzee"),
        ("yahtzee, yatzy-solver, 100,000 games × 10", THEIRS, "american"),
        ("exact law of greedy", EXACT, "greedy"),
        ("exact law of payoff-line", EXACT, "payoff-line"),
    ):
        rows = [run(program, argument) for _ in range(runs)]
        wall, cpu, mean = (statistics.median(column) for column in zip(*rows, strict=True))
        print(f"{title:44}{wall:10.2f}{cpu:10.2f}{mean:12.4f}")


if __name__ == "__main__":
    main()
