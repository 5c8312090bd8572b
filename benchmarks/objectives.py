"""Measure the time to solve for objectives that depend on the points so far.

Run ``python benchmarks/objectives.py [--games yahtzee yatzy] [--runs N]``. Each number is the
median over N processes with compiled code. The memory is the peak memory of the process.
"""

import argparse
import json
import statistics
import subprocess
import sys
import time

OURS = """
import json, resource, sys, time
import numpy as np
from rollwise.solving.objective_parser import parse_objective
from rollwise.solving.objectives import ScoreObjective
from rollwise.rules import load_rules
from rollwise.solving.solver import Solver, solve
small, rules, what = load_rules("micro-yahtzee"), load_rules(sys.argv[1]), sys.argv[2]
def work(rules, what):
    if what == "all targets":
        return float(Solver(rules, cache=False).targets().sum())
    if what == "any utility":
        return solve(rules, ScoreObjective("root", utility=np.sqrt), cache=False).value()
    return solve(rules, parse_objective(what), cache=False).value()
work(small, "target:9" if what.startswith("target") else what)
wall, cpu = time.perf_counter(), time.process_time()
value = work(rules, what)
times = time.perf_counter() - wall, time.process_time() - cpu
print(json.dumps([*times, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, value]))
"""

ADVICE = [
    "advise", "33345", "--card", "ones=3,twos=6,sixes=18,full-house=25,large-straight=40,yahtzee=0",
    "--objective", "target:250", "--quiet",
]  # fmt: skip


def run(game: str, what: str) -> list[float]:
    """Measure an objective in a new process.

    Return the wall time and the CPU time in seconds, the peak memory in MB, and the value.
    """
    command = [sys.executable, "-c", OURS, game, what]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    numbers: list[float] = json.loads(output)
    return numbers


def main() -> None:
    """Print the measurements."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", nargs="+", default=["yahtzee", "yatzy"])
    parser.add_argument("--runs", type=int, default=3)
    arguments = parser.parse_args()
    for game in arguments.games:
        for name in ("target:250", "target:300", "any utility", "all targets"):
            rows = [run(game, name) for _ in range(arguments.runs)]
            wall, cpu, memory, value = (statistics.median(c) for c in zip(*rows, strict=True))
            print(
                f"{game}, {name}: {wall:.1f} s wall, {cpu:.1f} s CPU, {memory:.0f} MB; {value:.6f}"
            )
    seconds = []
    for _ in range(arguments.runs + 1):  # the first run might have to solve and cache tables
        begin = time.perf_counter()
        subprocess.run([sys.executable, "-m", "rollwise", *ADVICE], check=True, capture_output=True)
        seconds.append(time.perf_counter() - begin)
    print(f"advice for a target, six boxes filled: {statistics.median(seconds[1:]):.2f} s")


if __name__ == "__main__":
    main()
