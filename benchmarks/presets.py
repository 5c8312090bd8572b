"""Measure the time and memory that solving each preset takes.

Run ``python benchmarks/presets.py [NAME ...]`` in an environment with the package. Without names,
the script solves all presets with at most ``MOST`` states; larger presets take minutes or more.
Each preset is solved in a new process, with compiled code but no saved tables. CPU seconds are
user + system.
"""

import json
import subprocess
import sys

from rollwise.experiments.plan import plan
from rollwise.rules import preset_names

PROGRAM = """
import json, resource, sys, time
from rollwise.rules import load_rules
from rollwise.solving.solver import solve
rules = load_rules(sys.argv[1])
solve(load_rules("micro-yahtzee"), cache=False)
wall, cpu = time.perf_counter(), time.process_time()
solution = solve(rules, cache=False)
wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps([solution.value(), solution.states, wall, cpu, peak]))
"""

MOST = 100_000_000


def main() -> None:
    """Print one line per game."""
    print(f"{'game':26}{'value':>16}{'states':>16}{'wall s':>9}{'CPU s':>9}{'MB':>8}")
    for name in sys.argv[1:] or [name for name in preset_names() if plan(name).entries <= MOST]:
        output = subprocess.run(
            [sys.executable, "-c", PROGRAM, name], check=True, capture_output=True, text=True
        ).stdout
        value, states, wall, cpu, peak = json.loads(output)
        print(f"{name:26}{value:16.10f}{states:16,}{wall:9.2f}{cpu:9.2f}{peak:8,.0f}", flush=True)


if __name__ == "__main__":
    main()
