"""Measure the time of the common commands: cold, warm and solved.

Run ``python benchmarks/waits.py [--only WORD ...] [--runs N] [--write] [--other CHECKOUT]`` in an
environment with the test extra. *Cold* is the first start after installation, without compiled code
and saved tables. *Warm* is a start with compiled code. *Solved* is a start after earlier starts
have saved all results. Each number is the median wall time over N runs in new processes with new
caches, and in brackets the median CPU time in user mode; slow commands have fewer runs, but at
least one. The time of a page ends when a browser shows it completely; before that, the server has
already shown the page of the smallest game. *At most* is the limit for the solved state. If
yatzy-solver can compute the same result, the script measures its time too; yatzy-solver saves
nothing between starts.

The script prints the table of benchmarks/README.md line by line. With ``--write`` it also updates
each line in the file after the measurement. With ``--other``, a second line after each command has
the times of another checkout.
"""

import argparse
import math
import os
import platform
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from datetime import date
from importlib.metadata import version
from itertools import combinations_with_replacement, product
from pathlib import Path
from unittest.mock import patch

from playwright.sync_api import sync_playwright

sys.path.append(str(Path(__file__).parent.parent / "tests"))
from servers import serving

STATES = ["cold", "warm", "solved"]
TABLE = Path(__file__).parent / "README.md"
ENOUGH = 45.0
"""The total time of a command's runs, in seconds, after which the command does not run again."""

STRATEGIES = Path(__file__).parent.parent / "docs" / "strategies.md"
"""The page with the code of a custom strategy."""

MID_GAME = ["--card", "ones=3,full-house=25"]
RIVAL = ["--opponent", "ones=3,twos=6"]
GAME = "11366 66 25666 666 46666 6\n11234 ss\n11111 y\n11123 ch\n"
CARDS = ("-", "ones=3", "ones=3,full-house=25", "chance=23,sixes=12,fives=10,twos=6")
ROLLS = map("".join, combinations_with_replacement("123456", 5))
POSITIONS = "".join(f"dice {roll} | card {card}\n" for roll, card in product(ROLLS, CARDS))
COMMANDS: dict[str, tuple[list[str], float | None]] = {
    "help": (["--help"], None),
    "advise": (["advise", "11366"], None),
    "advise, mid-game": (["advise", "11366", *MID_GAME], None),
    "advise, reasons": (["advise", "11366", "--explain"], None),
    "advise, target from turn 1": (["advise", "11366", "--objective", "target:300"], 1),
    "advise, target from turn 3": (["advise", "11366", *MID_GAME, "--objective", "target:250"], 1),
    "advise, beat from turn 3": (["advise", "11366", *MID_GAME, "--objective", "beat:optimal"], 1),
    "advise, beat a scorecard": (["advise", "11366", *MID_GAME, "--objective", "beat", *RIVAL], 1),
    "advise, 1,008 positions on 4 cards": (["advise", "--file", "POSITIONS", "-q"], None),
    "value": (["advise"], None),
    "value, yatzy": (["advise", "--rules", "yatzy"], None),
    "review": (["review", "GAME"], None),
    "report": (["report"], 1.5),
    "report, greedy": (["report", "--strategy", "greedy"], None),
    "report, scores": (["report", "--at", "200,250,300"], None),
    "solve": (["solve"], None),
    "compare": (["compare", "optimal", "greedy", "--games", "100"], 3),
    "compare, my.py:Mine": (["compare", "optimal", "MINE", "--games", "100"], 10),
    "simulate": (["simulate", "--games", "10000"], None),
    "simulate, versus": (["simulate", "--versus", "greedy"], None),
    "greedy": (["greedy", "11366", "--rules", "yahtzee"], None),
    "odds": (["odds", "00001"], None),
    "frontier restart 300": (["frontier", "restart", "300"], 60),
    "verify": (["verify"], 15),
    "statistics, kismet": (["/strategies?rules=kismet"], 5),
    "statistics, balut": (["/strategies?rules=balut"], 5),
    "rules check": (["rules", "check", "yatzy"], None),
}
"""The commands and pages, and the maximum seconds that they should take."""

PEER = """
import sys, yatzy_solver
solver = yatzy_solver.Solver.build(yatzy_solver.Variant(sys.argv[1]))
print(eval(sys.argv[2]))
"""
VALUE = "solver.state_value('upper 0 | filled -')"
PEERS = {
    "advise": ("american", "solver.option_values('dice 1 1 3 6 6 | rolls 2 | upper 0 | filled -')"),
    "value": ("american", VALUE),
    "value, yatzy": ("yatzy-scandinavian", VALUE),
    "simulate": ("american", "solver.simulate(10_000, seed=0)['scores'].mean()"),
}
"""The name of the game and the expression that yatzy-solver evaluates, by command."""

LAST = f"| {next(reversed(COMMANDS))} |"
"""The start of the last line of the table; the caption is two lines below."""

COLUMNS = ("at most", "yatzy-solver")

HERE = Path(__file__).parent.parent

Seconds = tuple[float, float]
"""A wall time and a CPU time."""


def seconds(command: list[str], cache: Path, checkout: Path = HERE) -> Seconds:
    """Run a command with this cache, or open a page; the CPU time of a page is not measured."""
    environment = {
        **os.environ,
        "ROLLWISE_CACHE": str(cache),
        "PYTHONPATH": str(checkout / "src"),
    }
    environment.pop("NUMBA_CACHE_DIR", None)
    if command[0].startswith("/"):
        database = f"sqlite:///{cache}/games.sqlite"
        cache.mkdir(exist_ok=True)
        with patch.dict(os.environ, environment, clear=True), serving(database, cache) as server:
            return opened(server.address, command[0]), math.nan
    start, cpu = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run([sys.executable, *command], env=environment, check=True, capture_output=True)
    cpu = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - cpu
    return time.perf_counter() - start, cpu


def opened(address: str, page: str) -> float:
    """Open a page of statistics in a browser; return the seconds until it is complete."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        view = browser.new_page(base_url=address)
        for path in ("/strategies?rules=micro-yahtzee", page):
            start = time.perf_counter()
            view.goto(path)
            view.get_by_text("Grand total").wait_for(timeout=0)
        wall = time.perf_counter() - start
        browser.close()
    return wall


def written_out(arguments: list[str], folder: Path) -> list[str]:
    """Write the files that a command names, and return its arguments; return a page unchanged."""
    if arguments[0].startswith("/"):
        return arguments
    names = {"GAME": "game.txt", "MINE": "my.py", "POSITIONS": "positions.txt"}
    files = {word: folder / name for word, name in names.items()}
    files["GAME"].write_text(GAME)
    files["MINE"].write_text(STRATEGIES.read_text("utf-8").split("```python\n")[1].split("```")[0])
    files["POSITIONS"].write_text(POSITIONS)
    named = {word: str(path) for word, path in files.items()}
    named["MINE"] += ":Mine"
    return ["-m", "rollwise", *(named.get(word, word) for word in arguments)]


def once(arguments: list[str], checkout: Path) -> dict[str, Seconds]:
    """Run a command in each state in turn, with a new cache; return the times."""
    with tempfile.TemporaryDirectory() as folder:
        cache, command = Path(folder) / "cache", written_out(arguments, Path(folder))
        waits = {"cold": seconds(command, cache, checkout)}
        for path in (cache / "rollwise").glob("*"):
            if path.name != "kernels":
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        waits["warm"] = seconds(command, cache, checkout)
        waits["solved"] = seconds(command, cache, checkout)
    return waits


def head() -> list[str]:
    """Return the first two lines of the table."""
    columns = ["what", "command", *STATES, *COLUMNS]
    return [f"| {' | '.join(columns)} |", f"|{' --- |' * len(columns)}"]


def lines(name: str, runs: int, checkouts: Sequence[Path]) -> list[str]:
    """Measure a command in each checkout in turn, and return its line of the table for each."""
    arguments, most = COMMANDS[name]
    measured = [[once(arguments, checkout) for checkout in checkouts]]
    while len(measured) < runs and sum(wall_time(run[0]) for run in measured) < ENOUGH:
        measured.append([once(arguments, checkout) for checkout in checkouts])
    peer = ""
    if name in PEERS:
        peer = median([seconds(["-c", PEER, *PEERS[name]], Path()) for _ in measured])
    limit = f"{most:g} s" if most else ""
    result = []
    for number in range(len(checkouts)):
        waits = [median([runs[number][state] for runs in measured]) for state in STATES]
        result.append(f"| {' | '.join([*label(name), *waits, limit, peer])} |")
    return result


def wall_time(run: dict[str, Seconds]) -> float:
    """Return the wall time of a run in all states."""
    return sum(wall for wall, _ in run.values())


def median(times: Sequence[Seconds]) -> str:
    """Return the median wall time, with the median CPU time in brackets if it was measured."""
    wall, cpu = map(statistics.median, zip(*times, strict=True))
    return f"{wall:.2f} s" + ("" if math.isnan(cpu) else f" ({cpu:.2f})")


def label(name: str) -> tuple[str, str]:
    """Return the first two cells of the line of a command."""
    words = {"GAME": "game.txt", "MINE": "my.py:Mine", "POSITIONS": "positions.txt"}
    command = " ".join(words.get(word, word) for word in COMMANDS[name][0])
    return name, f"`{command}`"


def caption() -> str:
    """Return a caption with the date, the machine, and the versions of the measurements."""
    machine = f"{os.cpu_count()} cores, Python {platform.python_version()}"
    return f"{date.today()}, {machine}, numba {version('numba')}, llvmlite {version('llvmlite')}."


def written(text: str, name: str, told: str) -> str:
    """Return a page in which the line of a command and the caption are updated.

    If the page has no line of this command, the new line comes before the last line.
    """
    start, lines = f"| {' | '.join(label(name))} |", text.splitlines()
    last = max(number for number, line in enumerate(lines) if line.startswith(LAST))
    lines[last + 2] = caption()
    numbers = [number for number, line in enumerate(lines) if line.startswith(start)]
    lines[slice(numbers[0], numbers[0] + 1) if numbers else slice(last, last)] = [told]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Print one line per command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="+", default=[""], help="commands with one of these words")
    parser.add_argument("--runs", type=int, default=3, help="of each command, at most")
    parser.add_argument("--write", action="store_true", help="also into benchmarks/README.md")
    parser.add_argument("--other", type=Path, help="another checkout, measured in turn")
    given = parser.parse_args()
    checkouts = [HERE, given.other.resolve()] if given.other else [HERE]
    print(*head(), sep="\n", flush=True)
    for name in COMMANDS:
        if any(word in name for word in given.only):
            rows = lines(name, given.runs, checkouts)
            print(*rows, sep="\n", flush=True)
            if given.write:
                TABLE.write_text(written(TABLE.read_text("utf-8"), name, rows[0]), "utf-8")


if __name__ == "__main__":
    main()
