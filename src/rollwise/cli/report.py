"""``rollwise report`` and ``rollwise distribution``: exact statistics of a strategy."""

from __future__ import annotations

from enum import StrEnum
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
    print_tie_rules,
    print_written,
    write_json,
)
from rollwise.cli.lazy_imports import lazy_imports
from rollwise.cli.progress import progress
from rollwise.errors import InputError
from rollwise.game.notation import parse_scores
from rollwise.rules import Rules, load_rules

with lazy_imports():
    from rollwise.evaluation import evaluate
    from rollwise.experiments import plots
    from rollwise.solving import moments


class ReportTies(StrEnum):
    """A rule by which optimal play breaks ties, or the range of the SD over all such rules."""

    MORE_DICE = "more-dice"
    FEWER_DICE = "fewer-dice"
    ALL = "all"


TiesOrAll = Annotated[
    ReportTies,
    typer.Option(
        "--ties",
        help="Of keeps with equal values best play takes that with more dice or with fewer; all: "
        "with more, and beside it the least and the most SD of all plays equally good.",
    ),
]


def report(
    rules: flags.Rules = "yahtzee",
    strategy: flags.Strategy = "optimal",
    objective: flags.Objective = "expected",
    ties: TiesOrAll = ReportTies.MORE_DICE,
    band: Annotated[
        int | None,
        typer.Option("--band", metavar="N", min=1, help="Scores a band; a few bands unless told."),
    ] = None,
    as_json: flags.Json = False,
    plot: flags.Pictures = None,
    quiet: flags.Quiet = False,
) -> None:
    """Print every statistic of a strategy: scores, boxes, bonuses; computed, not simulated.

    [bold]Examples[/bold]

      rollwise report

      rollwise report --rules yatzy --plot pictures

      rollwise report --strategy random --json

      rollwise report --objective target:300

      rollwise report --ties fewer-dice --band 20

      rollwise report --ties all
    """
    if ties == ReportTies.ALL and (strategy, objective) != ("optimal", "expected"):
        raise InputError(
            f"--ties all with {strategy} play for {objective}; expected optimal play for the "
            "expected score"
        )
    prepare_plot(plot, folder=True)
    game, fewer = load_rules(rules), ties == ReportTies.FEWER_DICE
    evaluation = evaluated(strategy, game, objective, fewer_dice=fewer, quiet=quiet)
    spread = _spread_of_ties(game, quiet=quiet) if ties == ReportTies.ALL else None
    if as_json:
        range_of_sd = dict(zip(("sd_least", "sd_most"), spread, strict=True)) if spread else {}
        write_json(evaluation.as_dict() | range_of_sd)
    else:
        _print_report(evaluation, band, spread)
    if plot is not None:
        with progress("drawing", quiet):
            paths = list(plots.save_report(evaluation, plot))
        print_written(paths, quiet)


def _spread_of_ties(game: Rules, *, quiet: bool) -> tuple[float, float]:
    with progress(f"playing all that is equally good in {game.name}", quiet):
        return moments.sd_range_of_ties(rollwise.solve(game))


def distribution(
    at: Annotated[
        str, typer.Option("--at", metavar="SCORES", help="Scores, with commas between them.")
    ] = "150,200,250,300",
    rules: flags.Rules = "yahtzee",
    strategy: flags.Strategy = "optimal",
    objective: flags.Objective = "expected",
    ties: flags.Ties = flags.TieBreak.MORE_DICE,
    as_json: flags.Json = False,
    quiet: flags.Quiet = False,
) -> None:
    """Print the probability of reaching scores, and of exactly these scores.

    Beside it stands what the normal law with the same mean and standard deviation says of reaching
    them, and how far that is off.

    [bold]Examples[/bold]

      rollwise distribution --at 150,200,250,300

      rollwise distribution --rules yatzy --at 200,250,300 --json
    """
    scores = parse_scores(at)
    game, fewer = load_rules(rules), ties == flags.TieBreak.FEWER_DICE
    evaluation = evaluated(strategy, game, objective, fewer_dice=fewer, quiet=quiet)
    distribution = evaluation.distribution
    rows = [
        (
            score,
            distribution.at_least(score),
            distribution.probability(score),
            distribution.normal_at_least(score),
        )
        for score in scores
    ]
    if as_json:
        keys = ("score", "at_least", "exactly", "normal_at_least")
        write_json([dict(zip(keys, row, strict=True)) for row in rows])
        return
    table = empty_table(">score", ">P(at least)", ">P(exactly)", ">by the normal law", ">error")
    for score, at_least, exactly, normal in rows:
        cells = (f"{at_least:.8f}", f"{exactly:.8f}", f"{normal:.8f}", f"{normal - at_least:+.8f}")
        table.add_row(str(score), *cells)
    console().print(table)
    print_tie_rules([evaluation.ties])


def _print_report(
    evaluation: rollwise.Evaluation, band: int | None, spread: tuple[float, float] | None
) -> None:
    distribution, out = evaluation.distribution, console()
    out.print(headed(evaluation.rules.title, f", strategy {evaluation.strategy}"))
    out.print(
        f"mean {distribution.mean:.6f} ± {distribution.sd:.4f}, "
        f"skewness {distribution.skewness:.3f}"
    )
    out.print(
        f"median {distribution.median}, mode {distribution.mode} "
        f"({distribution.probability(distribution.mode):.4%})"
    )
    for word, score in (("lowest", distribution.minimum), ("highest", distribution.maximum)):
        out.print(f"{word} {score} (probability {distribution.probability(score):.3e})")
    out.print(f"two such players tie with probability {distribution.tie:.4%}")
    print_tie_rules([evaluation.ties])
    if spread:
        least, most = spread
        out.print(f"SD of all plays equally good: {least:.9f} to {most:.9f}")
    out.print()
    table = empty_table("quantile", *(f">{share:.0%}" for share in evaluate.QUANTILES))
    table.add_row("score", *(str(distribution.quantile(share)) for share in evaluate.QUANTILES))
    out.print(table)
    out.print()
    table = empty_table("category", ">mean", ">sd", ">% zero", ">first scored", ">first zero")
    for row in evaluation.table():
        table.add_row(*row)
    table.add_row("GRAND TOTAL", f"{distribution.mean:.2f}", f"{distribution.sd:.2f}", style="bold")
    out.print(table)
    out.print()
    _print_bands(evaluation, band)
    if evaluation.bonus_and_alike is not None:
        out.print("\nGames by upper bonus, and by points in the box of all dice alike")
        table = empty_table("", ">points", ">none")
        for word, (without, scored) in zip(
            ("upper bonus", "no upper bonus"), evaluation.bonus_and_alike[::-1], strict=True
        ):
            table.add_row(word, f"{scored:.4%}", f"{without:.4%}")
        out.print(table)


def _print_bands(evaluation: rollwise.Evaluation, width: int | None) -> None:
    """Print the distribution in bands of scores, with a bar for each band."""
    table = empty_table(">score", ">%", ">cumulative %", "")
    for band in evaluate.bands(evaluation.distribution, width):
        table.add_row(*band.words, "█" * round(100 * band.share))
    console().print(table)
