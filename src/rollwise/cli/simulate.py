"""``rollwise simulate``: seeded games of a strategy, and what became of each."""

from pathlib import Path
from typing import Annotated

import typer

from rollwise.cli import flags
from rollwise.cli.common import (
    check_folder,
    console,
    empty_table,
    headed,
    objective_of,
    player,
    tell_ties,
    write_json,
)
from rollwise.cli.progress import progress
from rollwise.cli.workers import cluster


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
    from rollwise.evaluation.evaluate import QUANTILES
    from rollwise.laboratory.simulation import log_lines
    from rollwise.laboratory.simulation import simulate as play
    from rollwise.rules import load_rules

    check_folder(log)
    game = load_rules(rules)
    fewer = ties == flags.TieBreak.FEWER_DICE
    wanted = objective_of(objective, game, quiet=quiet)
    chosen = player(strategy, game, wanted, fewer_dice=fewer, quiet=quiet)
    where = cluster(workers, scheduler)
    with progress(f"playing {games:,} games", quiet) as advance:
        played = play(
            chosen,
            game,
            games,
            seed,
            log=log is not None,
            executor=where,
            workers=workers or 4,
            progress=advance,
        )
    if log is not None:
        from rollwise.files import write_atomically

        write_atomically(log, "".join(log_lines(played, game)).encode())
    law = played.law
    error = law.sd / games**0.5
    boxes = dict(zip(game.keys, played.points_N_K.mean(axis=0).tolist(), strict=True))
    if as_json:
        write_json(
            {
                "rules": game.name,
                "strategy": chosen.name,
                "games": games,
                "seed": seed,
                "mean": law.mean,
                "error": error,
                "sd": law.sd,
                "quantiles": {f"{share:g}": law.quantile(share) for share in QUANTILES},
                "minimum": law.minimum,
                "maximum": law.maximum,
                "categories": boxes,
                "upper_bonus": float(played.bonus_N.mean()),
                "extra_bonus": float(played.extra_N.mean()),
            }
        )
        return
    out = console()
    out.print(headed(game.title, f", strategy {chosen.name}: {games:,} games, seed {seed}"))
    out.print(f"mean {law.mean:.3f} ± {error:.3f}, SD {law.sd:.2f}")
    out.print(f"lowest {law.minimum}, median {law.median}, highest {law.maximum}\n")
    table = empty_table("category", ">mean")
    for category in game.categories:
        table.add_row(category.title, f"{boxes[category.key]:.2f}")
    table.add_row("Upper bonus", f"{played.bonus_N.mean():.2f}")
    if game.extra_bonus:
        table.add_row("Extra bonus", f"{played.extra_N.mean():.2f}")
    out.print(table)
    tell_ties([chosen.ties])
