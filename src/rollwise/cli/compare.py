"""``rollwise compare``: statistics of strategies side by side."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

import rollwise
from rollwise.cli import flags
from rollwise.cli.common import (
    console,
    empty_table,
    headed,
    objective_of,
    player,
    prepare_plot,
    print_tie_rules,
    print_written,
    write_json,
)
from rollwise.cli.lazy_imports import lazy_imports
from rollwise.cli.progress import progress
from rollwise.cli.workers import cluster
from rollwise.rules import load_rules

with lazy_imports():
    from rollwise.experiments import comparison, plots
    from rollwise.solving import objectives


def compare(
    strategies: Annotated[
        list[str], typer.Argument(help="Names such as optimal, greedy, payoff-line, my.py:Mine.")
    ],
    games: Annotated[
        int, typer.Option("--games", metavar="N", min=2, help="Games for the points lost.")
    ] = 10_000,
    objective: flags.Objective = "expected",
    seed: flags.Seed = 0,
    rules: flags.Rules = "yahtzee",
    ties: flags.Ties = flags.TieBreak.MORE_DICE,
    plot: flags.Picture = None,
    workers: flags.Workers = None,
    scheduler: flags.Scheduler = None,
    as_json: flags.Json = False,
    quiet: flags.Quiet = False,
) -> None:
    """Compare strategies: scores, points lost and where, who beats whom.

    [bold]Examples[/bold]

      rollwise compare optimal greedy payoff-line

      rollwise compare greedy my.py:Mine --games 20000 --plot compare.svg

      rollwise compare optimal random --rules crag --json

    Scores and the matrix are exact, but for strategies that see the points so far, or answer
    another player: those have a standard error (±). Points lost against the optimum are from games
    with the same dice for all.
    --objective is what optimal plays for; points lost are those of the expected score.
    """
    prepare_plot(plot)
    game = load_rules(rules)
    with progress(f"solving {game.name}", quiet) as advance:
        solution = rollwise.solve(game, objectives.EXPECTED, progress=advance)
    fewer = ties == flags.TieBreak.FEWER_DICE
    goal = objective_of(objective, game, quiet=quiet)
    players = [player(name, game, goal, fewer_dice=fewer, quiet=quiet) for name in strategies]
    with progress("comparing strategies", quiet) as advance:
        result = comparison.compare(
            players,
            solution,
            games,
            seed,
            executor=cluster(workers, scheduler),
            progress=advance,
            evaluator=partial(rollwise.evaluate, cache=True),
        )
    if as_json:
        write_json(result.as_dict())
    else:
        _print(result)
        print_tie_rules(strategy.ties for strategy in players)
    if plot is not None:
        plots.save_comparison(result, plot)
        print_written([plot], quiet)


def _print(result: comparison.Comparison) -> None:
    out, entries = console(), result.entries
    names = [f">{entry.strategy}" for entry in entries]
    games = entries[0].losses.games
    out.print(headed(result.rules.title, f", optimum {result.optimum:.4f}\n"))
    quantiles = (">5 %", ">25 %", ">median", ">75 %", ">95 %")
    table = empty_table("strategy", ">mean", ">±", ">SD", *quantiles)
    for entry in entries:
        distribution = entry.distribution
        table.add_row(
            entry.strategy,
            f"{distribution.mean:.4f}",
            "exact" if entry.exact else f"{entry.error:.2f}",
            f"{distribution.sd:.2f}",
            *(str(distribution.quantile(share)) for share in (0.05, 0.25, 0.5, 0.75, 0.95)),
        )
    out.print(table)
    out.print(
        f"\nPoints lost a game against the optimum, by decision and by turn ({games:,} games)"
    )
    all_losses = [entry.losses for entry in entries]
    table = empty_table("", *names)
    table.add_row(
        "all", *(f"{losses.total:.2f} ± {losses.error:.2f}" for losses in all_losses), style="bold"
    )
    by_decision = [losses.by_decision(result.rules) for losses in all_losses]
    for decision in by_decision[0]:
        table.add_row(decision, *(f"{losses[decision]:.2f}" for losses in by_decision))
    for turn in range(len(result.rules.categories)):
        table.add_row(
            f"turn {turn + 1}", *(f"{losses.by_turn_T_J[turn].sum():.2f}" for losses in all_losses)
        )
    out.print(table)
    out.print("\nBy the box that the turn ended in")
    table = empty_table("", *names)
    for k, category in enumerate(result.rules.categories):
        table.add_row(category.title, *(f"{losses.by_category_K[k]:.2f}" for losses in all_losses))
    out.print(table)
    out.print("\nRow against column, each with dice of its own: win / tie / loss in %")
    table = empty_table("", *names)
    for row, entry in enumerate(entries):
        outcomes = (result.against(row, column) for column in range(len(entries)))
        cells = (" / ".join(f"{100 * p:.1f}" for p in outcome) for outcome in outcomes)
        table.add_row(entry.strategy, *cells)
    out.print(table)
    if result.met:
        out.print(
            f"duel: {games:,} games with each, the row moving first; else against one who plays "
            "for points"
        )
    if len(entries) > 1:
        out.print("\nRow less column with the same dice: mean ± standard error")
        table = empty_table("", *names)
        for a in entries:
            pairs = (result.difference(a, b) for b in entries)
            table.add_row(a.strategy, *(f"{mean:.2f} ± {error:.2f}" for mean, error in pairs))
        out.print(table)
