"""Compare the time to compute the exact score distribution with the times to solve and simulate.

Run ``python benchmarks/evaluate.py [--runs N]`` in an environment with the test extra. Each number
is the median over N processes; each process solves the game and computes the distribution of
optimal play. yatzy-solver simulates 100,000 games once. Its time is scaled to 1,000,000 games, a
number that gives three digits.
"""

import argparse
import json
import statistics
import subprocess
import sys
import time

OURS = """
import json, resource, sys, time
from rollwise.evaluation.evaluate import evaluate
from rollwise.rules import load_rules
from rollwise.solving.solver import solve
from rollwise.strategies import Optimal
small, rules = load_rules("micro-yahtzee"), load_rules(sys.argv[1])
evaluate(Optimal(solve(small, cache=False)))  # imports and compiled code are in place
def timed(work):
    wall, cpu = time.perf_counter(), time.process_time()
    result = work()
    return result, time.perf_counter() - wall, time.process_time() - cpu
solution, *times = timed(lambda: solve(rules, cache=False))
for _ in range(2):  # the second time in memory that the system has handed out before
    result, *more = timed(lambda: evaluate(Optimal(solution)))
    times += more
memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps([*times, memory, result.distribution.mean]))
"""

THEIRS = """
import json, sys, time
import yatzy_solver
solver = yatzy_solver.Solver.build(yatzy_solver.Variant(sys.argv[1]))
wall, cpu = time.perf_counter(), time.process_time()
mean = float(solver.simulate(100_000, seed=1)["scores"].mean())
print(json.dumps([time.perf_counter() - wall, time.process_time() - cpu, mean]))
"""


def run(program: str, game: str) -> list[float]:
    """Run a program in a new process, and return the numbers that it prints."""
    command = [sys.executable, "-c", program, game]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    numbers: list[float] = json.loads(output)
    return numbers


def main() -> None:
    """Print the measurements."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    for game in ("yahtzee", "yatzy"):
        rows = [run(OURS, game) for _ in range(runs)]
        *times, memory, mean = (statistics.median(column) for column in zip(*rows, strict=True))
        print(f"{game}: mean of the law {mean:.10f}, peak {memory:.0f} MB")
        print(f"  solve      {times[0]:.3f} s wall, {times[1]:.3f} s CPU")
        for index, label in ((2, "law, first"), (4, "law, again")):
            wall, cpu = times[index : index + 2]
            ratio = statistics.median(row[index] / row[0] for row in rows)
            print(f"  {label} {wall:.3f} s wall, {cpu:.3f} s CPU: {ratio:.1f} times the solve")
    wall, cpu, mean = run(THEIRS, "american")
    print("yatzy-solver, 1,000,000 simulated games (100,000, times ten):")
    print(f"  {10 * wall:.0f} s wall, {10 * cpu:.0f} s CPU; mean of the 100,000: {mean:.2f}")
    for _ in range(2):
        begin = time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "rollwise", "report", "--quiet"], check=True, capture_output=True
        )
        seconds = time.perf_counter() - begin
    print(f"rollwise report, warm: {seconds:.1f} s")


if __name__ == "__main__":
    main()
