"""``rollwise simulate``: seeded games of a strategy, or of two strategies against each other."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

import rollwise
from rollwise.cli import completion, flags
from rollwise.cli.common import (
    check_folder,
    console,
    empty_table,
    headed,
    objective_of,
    player,
    print_written,
    write_json,
)
from rollwise.cli.head_to_head import print_match
from rollwise.cli.lazy_imports import lazy_imports
from rollwise.cli.progress import progress
from rollwise.cli.workers import executor_of
from rollwise.errors import InputError, counted
from rollwise.files import write_atomically
from rollwise.game.records.files import save_game
from rollwise.rules import Rules, load_rules

with lazy_imports():
    from rollwise.evaluation import evaluate
    from rollwise.experiments import simulation
    from rollwise.playing import bot


GAMES = 10_000
"""The default number of games of one strategy; two strategies play one game by default."""


def simulate(
    strategy: Annotated[
        str,
        typer.Argument(
            metavar="STRATEGY",
            help="The player: optimal, greedy, my.py:Mine, …",
            autocompletion=completion.strategies,
        ),
    ] = "optimal",
    versus: Annotated[
        str | None,
        typer.Option(
            "--versus",
            metavar="STRATEGY",
            help="The strategy of an opponent, who moves second.",
            autocompletion=completion.strategies,
        ),
    ] = None,
    transcript: Annotated[
        bool,
        typer.Option("--transcript", help="With --versus: print the record of the first game."),
    ] = False,
    objective: flags.Objective = "expected",
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            metavar="N",
            min=1,
            help="Number of games.",
            show_default="10000, or 1 with --versus",
        ),
    ] = None,
    seed: flags.Seed = 0,
    tie_break: flags.TieBreakOption = flags.TieBreak.MORE_DICE,
    *,
    rules: flags.Rules,
    output: Annotated[Path | None, flags.writes("turns as CSV (with --versus: a record)")] = None,
    workers: flags.Workers = None,
    cluster: flags.Cluster = None,
    as_json: flags.Json = False,
    quiet: flags.Quiet = False,
) -> None:
    """Simulate games of one strategy or of two opponents.

    [bold]Examples[/bold]

      rollwise simulate --games 100000

      rollwise simulate my.py:Mine --games 1000 --seed 7 -o games.csv

      rollwise simulate optimal --versus greedy --games 100

      rollwise simulate optimal --versus greedy --transcript | rollwise review -

    The same seed gives the same games. With --versus, each player has different dice, STRATEGY
    moves first, and the strategy duel plays to win. For exact numbers: rollwise report, or
    rollwise compare.
    """
    check_folder(output)
    if transcript and versus is None:
        raise InputError("--transcript needs an opponent. Add --versus STRATEGY.")
    if versus is not None and (workers is not None or cluster is not None):
        raise InputError("--versus runs in one process. Leave out --workers and --cluster.")
    game = load_rules(rules)
    if versus is not None:
        bot.check_duel(game, (strategy, versus))  # before the game is solved
    fewer = tie_break == flags.TieBreak.FEWER_DICE
    goal = objective_of(objective, game, quiet=quiet)
    first = player(strategy, game, goal, fewer_dice=fewer, quiet=quiet)
    if versus is not None:
        second = player(versus, game, goal, fewer_dice=fewer, quiet=quiet)
        with progress(f"playing {game.name}", quiet) as advance:
            match = rollwise.match(first, second, game, games or 1, seed, progress=advance)
        if output is not None:
            save_game(match.game(0), output)
            print_written([output], quiet)
        print_match(match, seed, transcript=transcript, as_json=as_json)
        return
    number = games or GAMES
    with (
        executor_of(workers, cluster, quiet=quiet) as executor,
        progress(f"playing {counted(number, 'game')}", quiet) as advance,
    ):
        sample = rollwise.simulate(
            first,
            game,
            number,
            seed,
            log=output is not None,
            executor=executor,
            progress=advance,
        )
    if output is not None:
        write_atomically(output, "".join(simulation.log_lines(sample, game)).encode())
    statistics = _statistics(sample, game)
    if as_json:
        head = {"rules": game.name, "strategy": first.name, "games": number, "seed": seed}
        write_json(head | statistics)
        return
    games_played = f"{counted(number, 'game')}, seed {seed}"
    console().print(headed(game.title, f", strategy {first.name}: {games_played}"))
    _print(statistics, sample.distribution.median, game)


def _statistics(sample: simulation.Sample, game: Rules) -> dict[str, Any]:
    """Return statistics of the final score, and the mean points of each category."""
    distribution = sample.distribution
    return {
        "mean": distribution.mean,
        "error": distribution.sd / len(sample.points_N_K) ** 0.5,
        "sd": distribution.sd,
        "quantiles": {f"{share:g}": distribution.quantile(share) for share in evaluate.QUANTILES},
        "minimum": distribution.minimum,
        "maximum": distribution.maximum,
        "categories": dict(zip(game.keys, sample.points_N_K.mean(axis=0).tolist(), strict=True)),
        "upper_bonus": float(sample.bonus_N.mean()),
        "extra_bonus": float(sample.extra_N.mean()),
    }


def _print(statistics: dict[str, Any], median: int, game: Rules) -> None:
    """Print the statistics of simulated games."""
    out = console()
    mean, error, sd = (statistics[key] for key in ("mean", "error", "sd"))
    out.print(f"mean {mean:.3f} (SE {error:.3f}), SD {sd:.2f}")
    out.print(f"lowest {statistics['minimum']}, median {median}, highest {statistics['maximum']}\n")
    table = empty_table("category", ">mean")
    for category in game.categories:
        table.add_row(category.title, f"{statistics['categories'][category.key]:.2f}")
    table.add_row("Upper bonus", f"{statistics['upper_bonus']:.2f}")
    if game.extra_bonus:
        table.add_row("Extra bonus", f"{statistics['extra_bonus']:.2f}")
    out.print(table)
