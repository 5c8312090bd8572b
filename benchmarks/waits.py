"""How long people wait for the commands that they use: cold, warm and solved.

Run ``python benchmarks/waits.py [--only WORD] [--states cold warm solved] [--runs N]``. Cold is the
first start after installation, with neither compiled code nor a table; warm has the compiled code;
solved also has the tables that an earlier start left. Each figure is the median wall time over N
runs, a process each, with caches of their own; the limit is what a wait should be at most.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

MID_GAME = ["--card", "ones=3,full-house=25"]
GAME = "11366 66 25666 666 46666 6\n11234 ss\n11111 y\n11123 ch\n"
COMMANDS: dict[str, tuple[list[str], float | None]] = {
    "help": (["--help"], None),
    "advise": (["advise", "11366"], None),
    "advise, mid-game": (["advise", "11366", *MID_GAME], None),
    "advise, target from turn 3": (["advise", "11366", *MID_GAME, "--objective", "target:250"], 5),
    "advise, beat from turn 3": (["advise", "11366", *MID_GAME, "--objective", "beat:optimal"], 5),
    "value": (["value"], None),
    "value, yatzy": (["value", "--rules", "yatzy"], None),
    "review": (["review", "GAME"], None),
    "report": (["report"], 1.5),
    "report, greedy": (["report", "--strategy", "greedy"], None),
    "distribution": (["distribution", "--at", "200,250,300"], None),
    "solve": (["solve"], None),
    "compare": (["compare", "optimal", "greedy", "--games", "100"], 3),
    "simulate": (["simulate", "--games", "10000"], None),
    "match": (["match", "optimal", "greedy"], None),
    "greedy": (["greedy", "11366", "--rules", "yahtzee"], None),
    "chance": (["chance", "00001"], None),
    "frontier stopping": (["frontier", "stopping", "300"], 60),
    "verify": (["verify"], 15),
    "rules check": (["rules", "check", "yatzy"], None),
}
"""The commands, and the seconds that the second start should take at most."""


def seconds(arguments: list[str], cache: Path) -> float:
    """Run a command with this cache; return its wall time."""
    environment = {**os.environ, "ROLLWISE_CACHE": str(cache)}
    environment.pop("NUMBA_CACHE_DIR", None)
    (game := cache.parent / "game.txt").write_text(GAME)
    words = [str(game) if word == "GAME" else word for word in arguments]
    start = time.perf_counter()
    command = [sys.executable, "-m", "rollwise", *words]
    subprocess.run(command, env=environment, check=True, capture_output=True)
    return time.perf_counter() - start


def once(arguments: list[str], states: list[str]) -> dict[str, float]:
    """Run a command in these states, one after the other, with a cache of its own."""
    with tempfile.TemporaryDirectory() as folder:
        cache = Path(folder) / "cache"
        found = {"cold": seconds(arguments, cache)}
        if "warm" in states:
            for path in cache.iterdir() if cache.exists() else ():
                if path.name != "compiled":
                    shutil.rmtree(path) if path.is_dir() else path.unlink()
            found["warm"] = seconds(arguments, cache)
        if "solved" in states:
            found["solved"] = seconds(arguments, cache)
    return found


def main() -> None:
    """Print a line a command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="commands whose name has this word")
    parser.add_argument("--states", nargs="+", default=["cold", "warm", "solved"])
    parser.add_argument("--runs", type=int, default=3)
    given = parser.parse_args()
    print(f"| command | {' | '.join(given.states)} | at most |")
    print(f"| --- |{' --- |' * (len(given.states) + 1)}")
    for name, (arguments, most) in COMMANDS.items():
        if given.only in name:
            runs = [once(arguments, given.states) for _ in range(given.runs)]
            medians = (statistics.median(run[state] for run in runs) for state in given.states)
            times = " | ".join(f"{median:.2f} s" for median in medians)
            print(f"| {name} | {times} | {f'{most:g} s' if most else ''} |", flush=True)


if __name__ == "__main__":
    main()
