"""``rollwise compare``: statistics of strategies side by side."""

from __future__ import annotations

from typing import Annotated

import typer

import rollwise
from rollwise.cli import completion, flags
from rollwise.cli.common import (
    console,
    empty_table,
    headed,
    objective_of,
    player,
    prepare_plot,
    print_written,
    write_json,
)
from rollwise.cli.lazy_imports import lazy_imports
from rollwise.cli.progress import progress
from rollwise.cli.workers import executor_of
from rollwise.errors import counted
from rollwise.rules import load_rules

with lazy_imports():
    from rollwise.experiments import comparison, plots
    from rollwise.solving import objectives


def compare(
    strategies: Annotated[
        list[str],
        typer.Argument(
            metavar="STRATEGY...",
            help="Strategies or agents: greedy, agent.py, my.py:Mine.",
            autocompletion=completion.strategies,
        ),
    ],
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            metavar="N",
            min=2,
            help="Estimate everything from N simulated games.",
            show_default="exact scores",
        ),
    ] = None,
    objective: flags.Objective = "expected",
    seed: flags.Seed = 0,
    *,
    rules: flags.Rules,
    tie_break: flags.TieBreakOption = flags.TieBreak.MORE_DICE,
    plot: flags.Picture = None,
    workers: flags.Workers = None,
    cluster: flags.Cluster = None,
    as_json: flags.Json = False,
    quiet: flags.Quiet = False,
) -> None:
    """Compare strategies or agents: scores, EV loss, and wins.

    [bold]Examples[/bold]

      rollwise compare optimal greedy payoff-line

      rollwise compare greedy my.py:Mine --plot compare.svg

      rollwise compare agent.py --rules crag --games 200

      rollwise compare optimal random --rules crag --json

    Scores are exact if possible; EV losses come from 10,000 games with the same dice for all.
    With --games, everything comes from N games, which suits slow agents. The EV losses estimate
    the expected score precisely even from few games. FILE.py without a name means FILE.py:agent.
    """
    prepare_plot(plot)
    game = load_rules(rules)
    fewer = tie_break == flags.TieBreak.FEWER_DICE
    goal = objective_of(objective, game, quiet=quiet)
    players = [
        player(_with_object(name), game, goal, fewer_dice=fewer, quiet=quiet) for name in strategies
    ]
    with executor_of(workers, cluster, quiet=quiet) as executor:
        with progress(f"solving {game.name}", quiet) as advance:
            solution = rollwise.solve(game, objectives.EXPECTED, progress=advance)
        with progress("comparing strategies", quiet) as advance:
            result = rollwise.compare(
                players, solution, games, seed, executor=executor, progress=advance
            )
    if as_json:
        write_json(result.as_dict())
    else:
        _print(result)
    if plot is not None:
        plots.save_comparison(result, plot)
        print_written([plot], quiet)


def _with_object(name: str) -> str:
    """Return the name of a strategy, with ``:agent`` added to the bare name of a Python file."""
    return f"{name}:agent" if name.endswith(".py") else name


def _print(result: comparison.Comparison) -> None:
    console().print(headed(result.rules.title, f", optimal play {result.optimum:.4f}\n"))
    _print_scores(result)
    _print_losses(result)
    if len(result.entries) > 1:
        _print_pairs(result)


def _print_scores(result: comparison.Comparison) -> None:
    quantiles = (">5%", ">25%", ">median", ">75%", ">95%")
    table = empty_table("strategy", ">mean", ">SE", ">SD", *quantiles)
    for entry in result.entries:
        distribution = entry.distribution
        table.add_row(
            entry.strategy,
            f"{entry.mean:.4f}",
            "exact" if entry.exact else f"{entry.error:.2f}",
            f"{distribution.sd:.2f}",
            *(str(distribution.quantile(share)) for share in (0.05, 0.25, 0.5, 0.75, 0.95)),
        )
    console().print(table)


def _print_losses(result: comparison.Comparison) -> None:
    """Print the EV loss per game by decision, by turn, and by category."""
    out, entries = console(), result.entries
    names = [f">{entry.strategy}" for entry in entries]
    all_losses = [entry.losses for entry in entries]
    games = counted(all_losses[0].games, "game")
    out.print(f"\nEV loss per game, by decision and by turn ({games})")
    table = empty_table("", *names)
    totals = (f"{losses.total:.2f} (SE {losses.error:.2f})" for losses in all_losses)
    table.add_row("all", *totals, style="bold")
    by_decision = [losses.by_decision(result.rules) for losses in all_losses]
    for decision in by_decision[0]:
        table.add_row(decision, *(f"{losses[decision]:.2f}" for losses in by_decision))
    for turn in range(len(result.rules.categories)):
        table.add_row(
            f"turn {turn + 1}", *(f"{losses.by_turn_T_J[turn].sum():.2f}" for losses in all_losses)
        )
    out.print(table)
    out.print("\nEV loss per game, by the category that the turn ended in")
    table = empty_table("", *names)
    for k, category in enumerate(result.rules.categories):
        table.add_row(category.title, *(f"{losses.by_category_K[k]:.2f}" for losses in all_losses))
    out.print(table)


def _print_pairs(result: comparison.Comparison) -> None:
    """Print the win probabilities and the score differences of all pairs."""
    out, entries = console(), result.entries
    names = [f">{entry.strategy}" for entry in entries]
    out.print("\nRow against column, with different dice: win / tie / lose in %")
    table = empty_table("", *names)
    for row, entry in enumerate(entries):
        outcomes = (result.against(row, column) for column in range(len(entries)))
        cells = (" / ".join(f"{100 * p:.1f}" for p in outcome) for outcome in outcomes)
        table.add_row(entry.strategy, *cells)
    out.print(table)
    if result.met:
        games = counted(entries[0].losses.games, "game")
        out.print(f"Pairs with duel are simulated ({games} each); the row moves first.")
    out.print("\nRow minus column, with the same dice: mean score difference (SE)")
    table = empty_table("", *names)
    for a in entries:
        pairs = (result.difference(a, b) for b in entries)
        table.add_row(a.strategy, *(f"{mean:.2f} ({error:.2f})" for mean, error in pairs))
    out.print(table)
