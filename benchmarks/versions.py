"""Compare the speed of this checkout with the speed of another checkout, in pairs of runs.

    python benchmarks/versions.py OTHER_CHECKOUT [--runs N] [--only NAME ...]

Both checkouts run the same small programs, which use only public names. The runs alternate, each in
a new process with the caches of its checkout. The first run of each program fills the caches and is
not counted. The table shows the median CPU seconds (user + system) of both checkouts and the median
ratio of the pairs; a ratio above 1 means that this checkout is slower.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent.parent

MEASURED = """
import json, resource, sys, time
import rollwise
{prepare}
before = resource.getrusage(resource.RUSAGE_SELF)
{run}
after = resource.getrusage(resource.RUSAGE_SELF)
seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
print(json.dumps([seconds, {result}]))
"""

PROGRAMS = {
    "solve yahtzee": (
        "rollwise.solve('micro-yahtzee', cache=False)",
        "value = rollwise.solve('yahtzee', cache=False).value()",
        "value",
    ),
    "solve with second moments": (
        "rollwise.solve('micro-yahtzee', cache=False, moments=True)",
        "value = rollwise.solve('yahtzee', cache=False, moments=True).value()",
        "value",
    ),
    "distribution of greedy": (
        "rollwise.evaluate('greedy', 'micro-yahtzee')",
        "evaluation = rollwise.evaluate('greedy', 'yahtzee')",
        "evaluation.table()[0][1]",
    ),
    "target of 250 from turn 5": (
        "position = rollwise.Position('yahtzee', "
        "'11366 | card ones=3,full-house=25,small-straight=30,chance=22')",
        "value = rollwise.solve('yahtzee', 'target:250', position=position, cache=False)"
        ".options(position)[0].value",
        "value",
    ),
    "endgame of six categories": (
        "rules = rollwise.load_rules('yahtzee')\n"
        "card = rollwise.Scorecard(rules, 'ones=3,twos=6,threes=9,three-of-a-kind=20,"
        "four-of-a-kind=0,small-straight=30,large-straight=40')\n"
        "rollwise.DuelSolver('micro-yahtzee').solve()",
        "value = rollwise.DuelSolver(rules).solve(card, card).value()",
        "value",
    ),
    "five hundred records read": (
        "events = 'roll 11366; keep 66; roll 12366; keep 66; roll 16666; score four-of-a-kind'",
        "for _ in range(500):\n    game = rollwise.Game('yahtzee', 'Ada, Ben', events)",
        "str(game)",
    ),
}
"""The preparation, the measured code, and the result that must agree, for each program by name."""

COMMANDS = {"second start of advise": ["advise", "11366", "--card", "ones=3,full-house=25"]}


def environment(checkout: Path, caches: Path) -> dict[str, str]:
    """Return the environment variables for a checkout with its own caches."""
    own = {
        "PYTHONPATH": str(checkout / "src"),
        "ROLLWISE_CACHE": str(caches / "tables"),
        "NUMBA_CACHE_DIR": str(caches / "compiled"),
    }
    return os.environ | own


def run_program(name: str, env: dict[str, str]) -> tuple[float, object]:
    """Run a program; return its CPU seconds and its result."""
    prepare, run, result = PROGRAMS[name]
    program = MEASURED.format(prepare=prepare, run=run, result=result)
    output = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True, env=env
    ).stdout
    seconds, value = json.loads(output.splitlines()[-1])
    return seconds, value


def run_command(name: str, env: dict[str, str]) -> tuple[float, object]:
    """Run a command; return its CPU seconds and the second line of its output."""
    command = [sys.executable, "-m", "rollwise", *COMMANDS[name]]
    before = os.times()
    output = subprocess.run(command, check=True, capture_output=True, text=True, env=env).stdout
    after = os.times()
    seconds = after.children_user + after.children_system
    seconds -= before.children_user + before.children_system
    return seconds, output.splitlines()[1]


def compare(name: str, environments: list[dict[str, str]], runs: int) -> tuple[float, float, float]:
    """Return the median CPU seconds of this and the other checkout, and the median ratio."""
    run = run_command if name in COMMANDS else run_program
    pairs = [[run(name, env) for env in environments] for _ in range(runs + 1)]
    assert len({str(result) for pair in pairs for _, result in pair}) == 1, "results differ"
    ours, theirs = zip(*([seconds for seconds, _ in pair] for pair in pairs[1:]), strict=True)
    ratios = (mine / other for mine, other in zip(ours, theirs, strict=True))
    return statistics.median(ours), statistics.median(theirs), statistics.median(ratios)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("other", type=Path, help="another checkout of this repository")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--only", nargs="*", default=[*PROGRAMS, *COMMANDS])
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        environments = [
            environment(checkout, Path(folder) / str(number))
            for number, checkout in enumerate((HERE, arguments.other.resolve()))
        ]
        print(f"{'measured':27} {'this':>8} {'other':>8} {'ratio':>6}   (CPU seconds)")
        for name in arguments.only:
            ours, theirs, ratio = compare(name, environments, arguments.runs)
            print(f"{name:27} {ours:8.3f} {theirs:8.3f} {ratio:6.2f}", flush=True)


if __name__ == "__main__":
    main()
