"""``rollwise frontier``: targets, the mean–variance frontier, and optimal restarting."""

from __future__ import annotations

from typing import Annotated

import typer

import rollwise
from rollwise.cli import flags
from rollwise.cli.common import (
    console,
    empty_table,
    evaluated,
    headed,
    prepare_plot,
    print_written,
    write_json,
)
from rollwise.cli.lazy_imports import lazy_imports
from rollwise.cli.progress import progress
from rollwise.game.notation import parse_scores
from rollwise.rules import Rules, load_rules

with lazy_imports():
    from rollwise.experiments import plots
    from rollwise.solving.by_score import targets_and_restarting as target_solver


app = typer.Typer(no_args_is_help=True, help="The best that can be had: targets, variance, time.")

ROUNDING = 1e-12


@app.command()
def targets(
    at: Annotated[
        str | None,
        typer.Option("--at", metavar="SCORES", help="Print these targets only; commas between."),
    ] = None,
    rules: flags.Rules = "yahtzee",
    as_json: flags.Json = False,
    plot: flags.Pictures = None,
    quiet: flags.Quiet = False,
) -> None:
    """Print for every target the best probability of reaching it, beside that of expected play.

    [bold]Examples[/bold]

      rollwise frontier targets

      rollwise frontier targets --at 150,200 --rules crag --json

      rollwise frontier targets --rules crag --plot pictures

    The best play is another one for each target: no player has all these probabilities at once.
    """
    game = load_rules(rules)
    chosen = parse_scores(at) if at is not None else None
    prepare_plot(plot, folder=True)
    distribution = evaluated("optimal", game, "expected", quiet=quiet).distribution
    with progress(f"solving {game.name} for all targets", quiet) as advance:
        best = rollwise.Solver(game, progress=advance).targets()
    scores = range(1, len(best) + 1) if chosen is None else chosen
    probabilities = {score: float(value) for score, value in enumerate(best, start=1)}
    rows = [
        (score, probabilities.get(score, float(score < 1)), distribution.at_least(score))
        for score in scores
    ]
    if as_json:
        keys = ("target", "best", "expected_play")
        write_json({"targets": [dict(zip(keys, row, strict=True)) for row in rows]})
    else:
        _print_targets(game, rows if chosen is not None else _round_ones(rows))
    if plot is not None:
        print_written(plots.save_targets(game, best, distribution, plot), quiet)


def _round_ones(rows: list[tuple[int, float, float]]) -> list[tuple[int, float, float]]:
    """Return about thirty rows with round scores, a few rows with rare scores, and the last row."""
    usual = sum(best >= 1e-4 for _, best, _ in rows)
    units = [unit for unit in (1, 2, 5, 10, 20, 50, 100, 200) if 30 * unit >= usual] or [500]
    near, far = units[0], 10 * units[0]
    return [
        row
        for row in rows
        if row[0] % (near if row[0] <= usual else far) == 0 or row[0] in (1, len(rows))
    ]


def _print_targets(game: Rules, rows: list[tuple[int, float, float]]) -> None:
    table = empty_table(">target", ">best", ">expected play", ">gain")
    for score, best, expected in rows:
        gain = best - expected if best - expected > ROUNDING * best else 0.0
        table.add_row(str(score), _percent(best), _percent(expected), _percent(gain))
    out = console()
    out.print(headed(game.title, ": probability of at least the target"))
    out.print()
    out.print(table)


def _percent(share: float) -> str:
    return f"{100 * share:.2e} %" if 0 < share < 1e-6 else f"{100 * share:.4f} %"


@app.command()
def variance(
    rules: flags.Rules = "yahtzee",
    as_json: flags.Json = False,
    plot: flags.Pictures = None,
    quiet: flags.Quiet = False,
) -> None:
    """Print the trade between the mean and the spread of the final score, from the least variance.

    [bold]Examples[/bold]

      rollwise frontier variance --rules crag

      rollwise frontier variance --rules micro-yahtzee --plot pictures

    Least variance alone means a low score that is nearly sure: boxes are filled with nothing on
    purpose. Each line is the play that comes closest, in the mean square, to the score it aims at.
    """
    game = load_rules(rules)
    prepare_plot(plot, folder=True)
    with progress(f"solving {game.name} for every aim", quiet) as advance:
        points = rollwise.Solver(game, progress=advance).frontier()
    if as_json:
        write_json({"frontier": [{"aim": p.center, "mean": p.mean, "sd": p.sd} for p in points]})
    else:
        table = empty_table(">aim", ">mean", ">sd")
        step = -(-len(points) // 30)
        for point in points[::step]:
            table.add_row(f"{point.center:.0f}", f"{point.mean:.2f}", f"{point.sd:.2f}")
        out = console()
        out.print(headed(game.title, ": the highest mean for its spread"))
        out.print()
        out.print(table)
    if plot is not None:
        print_written(plots.save_variance(game, points, plot), quiet)


@app.command()
def stopping(
    score: Annotated[int, typer.Argument(metavar="SCORE", help="The score to reach.")],
    rules: flags.Rules = "yahtzee",
    as_json: flags.Json = False,
    quiet: flags.Quiet = False,
) -> None:
    """Print how soon a score can be reached when a game may be given up and another one begun.

    [bold]Examples[/bold]

      rollwise frontier stopping 150 --rules crag

      rollwise frontier stopping 30 --rules micro-yahtzee --json

    The price of a turn is found in some six rounds; each goes over the cards and scores from which
    a game is not yet given up. How many these are at most is said before, and how long it takes
    while it does; the answer is kept.
    """
    game = load_rules(rules)
    solver = rollwise.Solver(game)
    with progress(f"solving {game.name} for points", quiet) as solver.progress:
        size = solver.stopping_size(score)
    if size and not quiet:
        typer.echo(
            f"some {target_solver.ROUNDS} rounds, each over at most {size:,} cards and scores",
            err=True,
        )
    with progress(f"solving {game.name} at a price for a turn", quiet) as solver.progress:
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
                },
            }
        )
        return
    table = empty_table("until it is reached", ">giving up early", ">playing every game to its end")
    table.add_row("turns", f"{attempts.turns:.2f}", f"{attempts.patient_turns:.2f}")
    table.add_row("games begun", f"{attempts.games:.2f}", f"{1 / attempts.patient_success:.2f}")
    table.add_row("success of one", _percent(attempts.success), _percent(attempts.patient_success))
    table.add_row("turns of one", f"{attempts.turns_an_attempt:.2f}", f"{len(game.categories):.2f}")
    out = console()
    out.print(headed(game.title, f": {score} points in the fewest turns"))
    out.print()
    out.print(table)
