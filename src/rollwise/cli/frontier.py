"""``rollwise frontier``: targets, the mean–variance frontier, and optimal restarting."""

from __future__ import annotations

from typing import Annotated, Any

import typer

import rollwise
from rollwise.cli import flags
from rollwise.cli.common import (
    console,
    empty_table,
    headed,
    prepare_plot,
    print_written,
    write_json,
)
from rollwise.cli.lazy_imports import lazy_imports
from rollwise.cli.progress import progress
from rollwise.errors import counted
from rollwise.rules import Rules, load_rules

with lazy_imports():
    from rollwise.experiments import frontier as frontiers
    from rollwise.experiments import plots
    from rollwise.solving.by_score import targets_and_restarting as target_solver


app = typer.Typer(
    no_args_is_help=True, help="Find the best trade-offs: target scores, variance, and restarts."
)

ROUNDING = 1e-12


@app.command()
def targets(
    at: Annotated[
        str | None,
        typer.Option("--at", metavar="SCORES", help="Show only these targets, such as 150,200."),
    ] = None,
    *,
    rules: flags.Rules,
    as_json: flags.Json = False,
    plot: flags.Pictures = None,
    quiet: flags.Quiet = False,
) -> None:
    """Find the best probability of reaching each target score.

    [bold]Examples[/bold]

      rollwise frontier targets

      rollwise frontier targets --at 150,200 --rules crag --json

      rollwise frontier targets --rules crag --plot pictures

    The optimal strategy differs between targets, so no single strategy has all these
    probabilities. The second column is optimal play for the expected score.
    """
    game = load_rules(rules)
    prepare_plot(plot, folder=True)
    with progress(f"solving {game.name} for all targets", quiet) as advance:
        result = frontiers.targets(game, at, progress=advance)
    rows = result.rows()
    if as_json:
        write_json({"targets": rows})
    else:
        _print_targets(game, rows if at is not None else _round_ones(rows))
    if plot is not None:
        paths = plots.save_targets(game, result.best_T, result.distribution, plot)
        print_written(paths, quiet)


def _round_ones(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return about thirty rows with round scores, a few rows with rare scores, and the last row."""
    usual = sum(row["best"] >= 1e-4 for row in rows)
    units = [unit for unit in (1, 2, 5, 10, 20, 50, 100, 200) if 30 * unit >= usual] or [500]
    near, far = units[0], 10 * units[0]
    return [
        row
        for row in rows
        if row["target"] % (near if row["target"] <= usual else far) == 0
        or row["target"] in (1, len(rows))
    ]


def _print_targets(game: Rules, rows: list[dict[str, Any]]) -> None:
    table = empty_table(">target", ">best", ">for expected score", ">gain")
    for score, best, expected in (row.values() for row in rows):
        table.add_row(str(score), *map(_percent, (best, expected, _gain(best, expected))))
    out = console()
    out.print(headed(game.title, ": probability of at least the target"))
    out.print()
    out.print(table)


def _gain(probability: float, expected: float) -> float:
    """Return the difference from play for the expected score, or 0 if it is a rounding error."""
    gain = probability - expected
    return gain if abs(gain) > ROUNDING * probability else 0.0


def _percent(share: float) -> str:
    return f"{100 * share:.2e}%" if 0 < abs(share) < 1e-6 else f"{100 * share:.4f}%"


@app.command()
def variance(
    rules: flags.Rules,
    as_json: flags.Json = False,
    plot: flags.Pictures = None,
    quiet: flags.Quiet = False,
) -> None:
    """Find the strategies with the highest mean for their SD.

    [bold]Examples[/bold]

      rollwise frontier variance --rules crag

      rollwise frontier variance --rules micro-yahtzee --plot pictures

    Each row is the strategy with the lowest mean squared difference from a target score. The
    strategy with the lowest variance enters zeros on purpose, so its score is low but nearly
    certain. The last row has a target so far away that the mean is the highest possible.
    """
    game = load_rules(rules)
    prepare_plot(plot, folder=True)
    with progress(f"solving {game.name} for every target", quiet) as advance:
        points = frontiers.variance(game, progress=advance)
    if as_json:
        write_json({"frontier": [{"aim": p.center, "mean": p.mean, "sd": p.sd} for p in points]})
    else:
        table = empty_table(">target", ">mean", ">SD")
        step = -(-len(points) // 30)
        for point in [*points[:-1:step], points[-1]]:
            table.add_row(f"{point.center:.0f}", f"{point.mean:.2f}", f"{point.sd:.2f}")
        out = console()
        out.print(headed(game.title, ": the highest mean for each SD"))
        out.print()
        out.print(table)
    if plot is not None:
        print_written(plots.save_variance(game, points, plot), quiet)


@app.command()
def restart(
    score: Annotated[int, typer.Argument(metavar="SCORE", help="The score to reach.")],
    *,
    rules: flags.Rules,
    as_json: flags.Json = False,
    quiet: flags.Quiet = False,
) -> None:
    """Find the fewest turns to a score with restarts.

    [bold]Examples[/bold]

      rollwise frontier restart 150 --rules crag

      rollwise frontier restart 30 --rules micro-yahtzee --json

    A game ends when the points so far reach SCORE, or when the scorecard is full. With restarts,
    you can also give it up between turns. This minimizes the expected number of turns; without
    restarts, you maximize the success of each game. A large game takes minutes the first time.
    """
    game = load_rules(rules)
    solver = rollwise.Solver(game)
    with progress(f"counting the states of {game.name}", quiet) as solver.progress:
        size = solver.stopping_size(score)
    if size and not quiet:
        typer.echo(
            f"about {target_solver.ROUNDS} rounds with at most {size:,} states and scores each",
            err=True,
        )
    with progress(f"solving {game.name} with restarts", quiet) as solver.progress:
        attempts = solver.fewest_turns(score)
    if as_json:
        write_json(
            {
                "score": score,
                "giving_up": {
                    "turns": attempts.turns,
                    "games": attempts.games,
                    "success": attempts.success,
                    "turns_a_game": attempts.turns_an_attempt,
                },
                "never": {
                    "turns": attempts.patient_turns,
                    "games": 1 / attempts.patient_success,
                    "success": attempts.patient_success,
                    "turns_a_game": attempts.patient_turns_a_game,
                },
            }
        )
        return
    table = empty_table("expected", ">with restarts", ">without restarts")
    table.add_row("turns in total", f"{attempts.turns:.2f}", f"{attempts.patient_turns:.2f}")
    table.add_row("games started", f"{attempts.games:.2f}", f"{1 / attempts.patient_success:.2f}")
    table.add_row(
        "success per game", _percent(attempts.success), _percent(attempts.patient_success)
    )
    table.add_row(
        "turns per game",
        f"{attempts.turns_an_attempt:.2f}",
        f"{attempts.patient_turns_a_game:.2f}",
    )
    out = console()
    out.print(headed(game.title, f": fewest turns to reach {counted(score, 'point')}"))
    out.print()
    out.print(table)
