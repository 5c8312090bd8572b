"""Measure the time and memory of commands for a large game that is saved on disk.

    rollwise solve --rules maxi-yatzy --sd && python benchmarks/large_games.py
    rollwise solve --rules kniffel-extreme --sd
    python benchmarks/large_games.py kniffel-extreme --page

Each command runs in a new process with compiled code. It reads the saved layers from disk, because
the script removes them from the page cache. The positions come from a game in which each choice is
drawn at random from the three best options.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from rollwise.files import cache_folder
from rollwise.game.actions import Action
from rollwise.game.game import Game, fair_roll
from rollwise.game.notation import format_position
from rollwise.game.records.record import Record, format_record
from rollwise.rules import Rules
from rollwise.solving.solution import Solution
from rollwise.solving.solver import solve

SEED = 1
AMONG = 3
"""The number of best options from which each choice is drawn."""


def played(solution: Solution) -> Game:
    """Return a game in which each choice is drawn at random from the best options."""
    game, rng = Game(solution.rules), random.Random(SEED)

    def choice() -> Action:
        assert game.position is not None
        return rng.choice(solution.options(game.position)[:AMONG]).action

    while not game.is_over:
        game.push(fair_roll(game, SEED) if game.awaits_roll else choice())
    return game


def first_rolls(game: Game) -> list[str]:
    """Return the positions after the first roll of each turn."""
    replay, positions = Game(game.rules), list[str]()
    for event in game.events:
        replay.push(event)
        if replay.position is not None and replay.turn > len(positions):
            positions.append(format_position(replay.position))
    return positions


def forget(rules: Rules) -> None:
    """Remove the saved layers from the page cache of the system."""
    for path in cache_folder().glob(f"{rules.name}.*/*.npy"):
        with path.open("rb") as file:
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def ask(rules: Rules, label: str, *command: str) -> None:
    """Run a command, and print its wall time, CPU time, and peak memory."""
    forget(rules)
    start = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "rollwise", *command], stdout=subprocess.DEVNULL
    )
    _, status, used = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    if status:
        sys.exit(f"{label}: failed")
    cpu, peak = used.ru_utime + used.ru_stime, used.ru_maxrss / 1024
    print(f"| {label} | {wall:.2f} s | {cpu:.2f} s | {peak:,.0f} MB |", flush=True)


def main(name: str, page: bool) -> None:
    """Print one line per command."""
    solution = solve(name)
    rules, game = solution.rules, played(solution)
    lines = first_rolls(game)
    turns = sorted({0, len(lines) // 4, len(lines) // 2, 3 * len(lines) // 4, len(lines) - 1})
    value = f"{solution.value():.10f}" + (f" ± {sd:.4f}" if (sd := solution.sd()) else "")
    print(f"{rules.title}: {value}\n\n| question | wall | CPU | peak |\n| --- | --- | --- | --- |")
    for turn in turns:
        at = "advise", lines[turn], "--rules", name
        ask(rules, f"`advise`, turn {turn + 1}", *at, "--no-explain")
        ask(rules, f"`advise --explain`, turn {turn + 1}", *at, "--explain", "--quiet")
    with tempfile.TemporaryDirectory() as folder:
        record = Path(folder) / "game.txt"
        record.write_text(format_record(Record.of(game)), encoding="utf-8")
        ask(rules, "`review`, a whole game with reasons", "review", str(record), "--quiet")
    if page:
        ask(rules, "`rules page --alone`", "rules", "page", name, "--alone", "--quiet")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("name", nargs="?", default="maxi-yatzy")
    parser.add_argument("--page", action="store_true", help="also the page of the game")
    given = parser.parse_args()
    main(given.name, given.page)
