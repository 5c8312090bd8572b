"""``rollwise simulate``: seeded games of a strategy, and their results."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

import rollwise
from rollwise.cli import flags
from rollwise.cli.common import (
    check_folder,
    console,
    empty_table,
    headed,
    objective_of,
    player,
    print_tie_rules,
    write_json,
)
from rollwise.cli.lazy_imports import lazy_imports
from rollwise.cli.progress import progress
from rollwise.cli.workers import cluster
from rollwise.files import write_atomically
from rollwise.rules import Rules, load_rules

with lazy_imports():
    from rollwise.evaluation import evaluate
    from rollwise.experiments import simulation


def simulate(
    strategy: flags.Strategy = "optimal",
    objective: flags.Objective = "expected",
    games: Annotated[
        int, typer.Option("--games", metavar="N", min=1, help="How many games.")
    ] = 10_000,
    seed: flags.Seed = 0,
    ties: flags.Ties = flags.TieBreak.MORE_DICE,
    rules: flags.Rules = "yahtzee",
    log: Annotated[Path | None, flags.writes("every turn, as CSV,", "--log")] = None,
    workers: flags.Workers = None,
    scheduler: flags.Scheduler = None,
    as_json: flags.Json = False,
    quiet: flags.Quiet = False,
) -> None:
    """Play seeded games of any strategy and print how they ended.

    [bold]Examples[/bold]

      rollwise simulate --games 100000

      rollwise simulate --strategy my.py:Mine --games 1000 --seed 7 -o games.csv

      rollwise simulate --strategy greedy --games 200000 --workers 4 --json

    The same seed gives the same games for any number of workers, and the same dice to every
    strategy. ± is the standard error of the mean. For the exact law: rollwise report.
    """
    check_folder(log)
    game = load_rules(rules)
    fewer = ties == flags.TieBreak.FEWER_DICE
    goal = objective_of(objective, game, quiet=quiet)
    chosen = player(strategy, game, goal, fewer_dice=fewer, quiet=quiet)
    executor = cluster(workers, scheduler)
    with progress(f"playing {games:,} games", quiet) as advance:
        played = rollwise.simulate(
            chosen,
            game,
            games,
            seed,
            log=log is not None,
            executor=executor,
            workers=workers or 4,
            progress=advance,
        )
    if log is not None:
        write_atomically(log, "".join(simulation.log_lines(played, game)).encode())
    statistics = _figures(played, game)
    if as_json:
        head = {"rules": game.name, "strategy": chosen.name, "games": games, "seed": seed}
        write_json(head | statistics)
        return
    console().print(headed(game.title, f", strategy {chosen.name}: {games:,} games, seed {seed}"))
    _print(statistics, played.distribution.median, game)
    print_tie_rules([chosen.ties])


def _figures(played: simulation.Sample, game: Rules) -> dict[str, Any]:
    """Return statistics of the final score, and the mean points of each category."""
    distribution = played.distribution
    return {
        "mean": distribution.mean,
        "error": distribution.sd / len(played.points_N_K) ** 0.5,
        "sd": distribution.sd,
        "quantiles": {f"{share:g}": distribution.quantile(share) for share in evaluate.QUANTILES},
        "minimum": distribution.minimum,
        "maximum": distribution.maximum,
        "categories": dict(zip(game.keys, played.points_N_K.mean(axis=0).tolist(), strict=True)),
        "upper_bonus": float(played.bonus_N.mean()),
        "extra_bonus": float(played.extra_N.mean()),
    }


def _print(found: dict[str, Any], median: int, game: Rules) -> None:
    """Print the statistics of simulated games."""
    out = console()
    out.print(f"mean {found['mean']:.3f} ± {found['error']:.3f}, SD {found['sd']:.2f}")
    out.print(f"lowest {found['minimum']}, median {median}, highest {found['maximum']}\n")
    table = empty_table("category", ">mean")
    for category in game.categories:
        table.add_row(category.title, f"{found['categories'][category.key]:.2f}")
    table.add_row("Upper bonus", f"{found['upper_bonus']:.2f}")
    if game.extra_bonus:
        table.add_row("Extra bonus", f"{found['extra_bonus']:.2f}")
    out.print(table)
