"""``rollwise report``: exact score statistics of a strategy, and opening tables."""

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
from rollwise.cli.openings import print_openings, print_tie_rule
from rollwise.cli.progress import progress
from rollwise.errors import InputError
from rollwise.game.dice_notation import parse_scores
from rollwise.rules import load_rules

with lazy_imports():
    from rollwise.evaluation import evaluate
    from rollwise.experiments import plots


SMALLEST_DECIMAL = 1e-6
"""The smallest probability that is printed as a decimal, with at least three digits."""


def report(
    rules: flags.Rules,
    strategy: flags.Strategy = "optimal",
    objective: flags.Objective = "expected",
    at: Annotated[
        str | None,
        typer.Option(
            "--at",
            metavar="SCORES",
            help="Print the probabilities of these scores, such as 200,250.",
        ),
    ] = None,
    openings: Annotated[
        bool,
        typer.Option("--openings", help="Print the best and worst first rolls and the last turns."),
    ] = False,
    tie_break: flags.TieBreakOption = flags.TieBreak.MORE_DICE,
    band: Annotated[
        int | None,
        typer.Option(
            "--band",
            metavar="N",
            min=1,
            help="The number of scores per band.",
            show_default="a few bands",
        ),
    ] = None,
    as_json: flags.Json = False,
    plot: flags.Pictures = None,
    quiet: flags.Quiet = False,
) -> None:
    """Print exact score statistics of a strategy.

    [bold]Examples[/bold]

      rollwise report

      rollwise report --at 200,250,300

      rollwise report --strategy greedy --rules yatzy --plot pictures

      rollwise report --openings

    The statistics are computed, not simulated. --at prints the probability of at least and of
    exactly each score, and compares it with a normal distribution. --openings prints the best
    and worst rolls of the first turn, and the points of each category in a last turn.
    """
    scores = parse_scores(at) if at is not None else []
    fewer = tie_break == flags.TieBreak.FEWER_DICE
    if openings:
        if (strategy, objective) != ("optimal", "expected") or scores or band or plot:
            raise InputError(
                "--openings describes optimal play for the expected score. Combine it only with "
                "--rules, --tie-break, --json, and --quiet."
            )
        print_openings(load_rules(rules), fewer_dice=fewer, as_json=as_json, quiet=quiet)
        return
    prepare_plot(plot, folder=True)
    game = load_rules(rules)
    evaluation = evaluated(strategy, game, objective, fewer_dice=fewer, quiet=quiet)
    if as_json:
        _write_json(evaluation, scores)
    else:
        _print_summary(evaluation)
        if scores:
            _print_probabilities(evaluation.distribution, scores)
        else:
            _print_tables(evaluation, band)
    if plot is not None:
        with progress("drawing", quiet):
            paths = plots.save_report(evaluation, plot)
        print_written(paths, quiet)


def _write_json(evaluation: rollwise.Evaluation, scores: list[int]) -> None:
    data = evaluation.as_dict()
    if scores:
        keys = ("score", "at_least", "exactly", "normal_at_least")
        rows = _probabilities(evaluation.distribution, scores)
        data["at"] = [dict(zip(keys, row, strict=True)) for row in rows]
    write_json(data)


def _probabilities(
    distribution: rollwise.Distribution, scores: list[int]
) -> list[tuple[int, float, float, float]]:
    """Return a row for each score: the score and three probabilities.

    These are the probability of at least the score, the probability of exactly the score, and a
    normal approximation of the probability of at least the score.
    """
    return [
        (
            score,
            distribution.at_least(score),
            distribution.probability(score),
            distribution.normal_at_least(score),
        )
        for score in scores
    ]


def _print_probabilities(distribution: rollwise.Distribution, scores: list[int]) -> None:
    table = empty_table(">score", ">P(at least)", ">P(exactly)", ">normal", ">error of normal")
    for score, at_least, exactly, normal in _probabilities(distribution, scores):
        cells = (_decimal(at_least), _decimal(exactly), _decimal(normal))
        table.add_row(str(score), *cells, _decimal(normal - at_least, "+"))
    console().print(table)


def _decimal(number: float, sign: str = "") -> str:
    """Return a number with eight decimals, or in scientific notation if they would be too few."""
    is_tiny = 0 < abs(number) < SMALLEST_DECIMAL
    return f"{number:{sign}.2e}" if is_tiny else f"{number or 0.0:{sign}.8f}"


def _print_summary(evaluation: rollwise.Evaluation) -> None:
    distribution, out = evaluation.distribution, console()
    out.print(headed(evaluation.rules.title, f", strategy {evaluation.strategy}"))
    out.print(
        f"mean {distribution.mean:.6f}, SD {distribution.sd:.4f}, "
        f"skewness {distribution.skewness:.3f}"
    )
    out.print(
        f"median {distribution.median}, mode {distribution.mode} "
        f"({distribution.probability(distribution.mode):.4%})"
    )
    for word, score in (("lowest", distribution.minimum), ("highest", distribution.maximum)):
        out.print(f"{word} {score} (probability {distribution.probability(score):.3e})")
    out.print(f"two players with this strategy tie with probability {distribution.tie:.4%}")
    if evaluation.ties is not None:
        print_tie_rule(evaluation.ties)
    out.print()


def _print_tables(evaluation: rollwise.Evaluation, band: int | None) -> None:
    distribution, out = evaluation.distribution, console()
    table = empty_table("quantile", *(f">{share:.0%}" for share in evaluate.QUANTILES))
    table.add_row("score", *(str(distribution.quantile(share)) for share in evaluate.QUANTILES))
    out.print(table)
    out.print()
    table = empty_table("category", ">mean", ">SD", ">% zero", ">first scored", ">first zero")
    for row in evaluation.table():
        table.add_row(*row)
    table.add_row("GRAND TOTAL", f"{distribution.mean:.2f}", f"{distribution.sd:.2f}", style="bold")
    out.print(table)
    out.print()
    _print_bands(evaluation, band)
    if evaluation.bonus_and_alike is not None:
        out.print("\nGames by upper bonus, and by points in the five-of-a-kind category")
        table = empty_table("", ">points", ">zero")
        for word, (without, scored) in zip(
            ("upper bonus", "no upper bonus"), evaluation.bonus_and_alike[::-1], strict=True
        ):
            table.add_row(word, f"{scored:.4%}", f"{without:.4%}")
        out.print(table)


def _print_bands(evaluation: rollwise.Evaluation, width: int | None) -> None:
    """Print the distribution in bands of scores, with a bar for each band."""
    table = empty_table(">score", ">%", ">cumulative %", "")
    for scores, share, below in evaluate.bands(evaluation.distribution, width):
        numbers = f"{100 * share:.2f}", f"{100 * below:.2f}"
        table.add_row(scores, *numbers, "█" * round(100 * share))
    console().print(table)
