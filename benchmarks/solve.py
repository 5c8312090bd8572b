"""Compare the time to solve a game with the time of yatzy-solver, and time the first commands.

Run ``python benchmarks/solve.py [--runs N]`` in an environment with the test extra. Each number is
the median over N runs. The solvers take turns, and each run is a new process. CPU seconds are user
+ system.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

OURS = """
import json, sys, time
from rollwise.rules import load_rules
from rollwise.solving.solver import solve
rules = load_rules(sys.argv[1])
solve(load_rules("micro-yahtzee"), cache=False)  # imports and compiled code are in place
wall, cpu = time.perf_counter(), time.process_time()
value = solve(rules, cache=False).value()
print(json.dumps([time.perf_counter() - wall, time.process_time() - cpu, value]))
"""

THEIRS = """
import json, sys, time
import yatzy_solver
variant = yatzy_solver.Variant(sys.argv[1])
wall, cpu = time.perf_counter(), time.process_time()
solver = yatzy_solver.Solver.build(variant)
wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
print(json.dumps([wall, cpu, solver.state_value("upper 0 | filled -")]))
"""


def measure(program: str, game: str) -> tuple[float, float, float]:
    """Run a program in a new process; return its wall and CPU seconds and the value."""
    output = subprocess.run(
        [sys.executable, "-c", program, game], check=True, capture_output=True, text=True
    ).stdout
    wall, cpu, value = json.loads(output)
    return wall, cpu, value


def compare(ours: str, theirs: str, runs: int) -> None:
    """Print the seconds of both solvers for a game, and the median ratio of paired runs."""
    pairs = [(measure(OURS, ours), measure(THEIRS, theirs)) for _ in range(runs)]
    assert all(abs(us[2] - them[2]) < 1e-9 for us, them in pairs), "the solvers disagree"
    print(f"{ours}: value {pairs[0][0][2]:.10f}")
    for index, label in ((0, "wall"), (1, "CPU")):
        us = statistics.median(pair[0][index] for pair in pairs)
        them = statistics.median(pair[1][index] for pair in pairs)
        ratio = statistics.median(pair[1][index] / pair[0][index] for pair in pairs)
        print(
            f"  {label:4} rollwise {us:.3f} s, yatzy-solver {them:.3f} s: {ratio:.1f} times faster"
        )


def start(arguments: list[str], environment: dict[str, str]) -> tuple[float, float, float]:
    """Run a command; return its wall and CPU seconds and its peak memory in MB."""
    command = [sys.executable, "-m", "rollwise", *arguments]
    begin = time.perf_counter()
    process = subprocess.Popen(
        command, env={**os.environ, **environment}, stdout=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - begin
    assert status == 0, command
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def starts(runs: int) -> None:
    """Print the time and memory of commands for advice and for help."""
    rows: dict[str, list[tuple[float, float, float]]] = {"cold": [], "second": [], "help": []}
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as folder:
            environment = {
                "ROLLWISE_CACHE": folder,
                "NUMBA_CACHE_DIR": str(Path(folder) / "compiled"),
            }
            rows["cold"].append(start(["advise", "11366"], environment))
            rows["second"].append(start(["advise", "11366"], environment))
            rows["help"].append(start(["--help"], environment))
    names = {
        "cold": "advise, nothing cached (import, compile, solve, answer)",
        "second": "advise, second start",
        "help": "--help",
    }
    for key, name in names.items():
        wall, cpu, memory = (statistics.median(column) for column in zip(*rows[key], strict=True))
        print(f"{name}: {wall:.2f} s wall, {cpu:.2f} s CPU, peak {memory:.0f} MB")


def main() -> None:
    """Print all measurements."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    print(f"{os.cpu_count()} cores, Python {sys.version.split()[0]}, median of {runs} runs")
    compare("yahtzee", "american", runs)
    compare("yatzy", "yatzy-scandinavian", runs)
    starts(runs)


if __name__ == "__main__":
    main()
