"""``rollwise payoff-line``: the Markov chains and regression line of the strategy, and advice."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from rollwise.cli import flags
from rollwise.cli.chain_tables import (
    From,
    chain_as_dict,
    chains_of,
    checked_state,
    print_chain,
    print_expected_rolls,
    save_picture,
)
from rollwise.cli.common import (
    check_folder,
    console,
    empty_table,
    headed,
    position_of,
    prepare_plot,
    print_written,
    write_json,
)
from rollwise.cli.lazy_imports import lazy_imports
from rollwise.errors import InputError
from rollwise.game.actions import Action
from rollwise.game.notation import format_action, format_keep, format_position
from rollwise.game.position import Position
from rollwise.rules import load_rules

with lazy_imports():
    from rollwise.experiments import plots
    from rollwise.strategies import payoff_chains, payoff_file, payoff_regression
    from rollwise.strategies import payoff_line as payoff_strategy


class Variant(StrEnum):
    """A variant of the strategy, which differs in its treatment of the errors in the paper."""

    PUBLISHED = "published"
    SECOND_TABLE = "second-table"
    TRANSCRIPT = "transcript"
    CORRECTED = "corrected"
    EXACT = "exact"


class Chain(StrEnum):
    """A Markov chain of the strategy."""

    OF_A_KIND = "of-a-kind"
    ONE_FACE = "one-face"
    SMALL_STRAIGHT = "small-straight"
    LARGE_STRAIGHT = "large-straight"


def payoff_line(
    dice: Annotated[str | None, typer.Argument(help="Explain the choice with these dice.")] = None,
    rolls_left: flags.RollsLeft = None,
    card: flags.Card = None,
    variant: Annotated[
        Variant,
        typer.Option("--variant", help="How to treat the errors in the paper."),
    ] = Variant.CORRECTED,
    payoffs: Annotated[
        Path | None,
        typer.Option("--payoffs", metavar="FILE", help="TOML file with points of categories."),
    ] = None,
    chain: Annotated[
        Chain | None,
        typer.Option(
            "--chain", help="Show only this chain, with the expected rolls to each state."
        ),
    ] = None,
    state: Annotated[
        int | None,
        typer.Option(
            "--state",
            metavar="N",
            help="Also print the probability of reaching each state from this one.",
        ),
    ] = None,
    *,
    rules: flags.Rules,
    plot: flags.Picture = None,
    diagram: Annotated[
        Path | None,
        typer.Option(
            "--diagram",
            metavar="FILE",
            help="With --chain: also draw the chain as .svg, .png, or .dot.",
        ),
    ] = None,
    as_json: flags.Json = False,
    quiet: flags.Quiet = False,
) -> None:
    """Show the payoff-line strategy, or its choice for a roll.

    [bold]Examples[/bold]

      rollwise payoff-line

      rollwise payoff-line 16226 --variant published --plot turn.svg

      rollwise payoff-line 66453 --rolls-left 1 --card "ones=3,full-house=25" --json

      rollwise payoff-line --chain of-a-kind --state 2 --rolls-left 2

    The strategy goes for the category whose probability lies farthest above the regression line.
    A Markov chain estimates each probability; the table shows the exact probability beside it.
    The variant published keeps the errors of the paper, corrected has none of them, and exact uses
    exact probabilities.
    """
    prepare_plot(plot)
    check_folder(diagram)
    game = load_rules(rules)
    custom = () if payoffs is None else payoff_file.read_custom_payoffs(payoffs)
    points = payoff_regression.payoffs(game, variant.value, custom)
    if dice is not None and (state is not None or chain is not None):
        option = "--chain" if state is None else "--state"
        raise InputError(f"{option} cannot be combined with dice. Leave out one of them.")
    if diagram is not None and chain is None:
        raise InputError("--diagram draws one chain. Add --chain, such as --chain of-a-kind.")
    key = None if chain is None else chain.value
    start = None if state is None else checked_state(state, rolls_left, game, key)
    chains = chains_of(game, key)
    strategy, position = payoff_strategy.PayoffLine(variant.value, custom), None
    if dice is None:
        shown = points.whole_turns()
    else:
        position = position_of(game, dice, card, rolls_left)
        open_categories = [k for k in range(len(game.keys)) if not position.state.filled >> k & 1]
        left = position.rolls_left
        shown = strategy.aims(game, open_categories, position.dice, left) if left else []
    action = None if position is None else strategy.action(position)
    if diagram is not None:
        save_picture(chains[0], diagram)
        print_written([diagram], quiet)
    if as_json:
        write_json(as_dict(points, shown, position, action, chains, start))
    elif chain is not None:
        print_note(points)
        print_chain(points, chains[0], start)
        print_expected_rolls(chains[0])
    elif position is None or action is None:
        print_model(points, shown, chains, start)
    else:
        print_turn(points, shown, position, action)
    if plot is not None:
        plots.save_points(points, shown, plot, dice or "whole turns")
        print_written([plot], quiet)


def as_dict(
    points: payoff_regression.Payoffs,
    shown: list[payoff_regression.Point],
    position: Position | None,
    action: Action | None,
    chains: list[payoff_chains.StartedChain],
    start: From,
) -> Any:
    """Return the output as JSON data."""
    rules = points.rules
    rows = []
    for point in shown:
        row: dict[str, Any] = {
            "category": rules.keys[point.category],
            "payoff": point.payoff,
            "probability": point.probability,
            "exact": point.exact,
            "raw_value": point.points,
            "raw_payoff": point.points / points.best_total,
            "weight": point.payoff - point.points / points.best_total,
        }
        if position is not None:
            row |= {
                "state": point.state,
                "distance": point.distance,
                "keep": format_keep(rules, point.keep),
            }
        rows.append(row)
    return {
        "rules": rules.name,
        "variant": points.variant,
        "line": {"slope": points.line.slope, "intercept": points.line.intercept},
        "position": None if position is None else format_position(position),
        "action": None if action is None else format_action(rules, action),
        "points": rows,
        "chains": [chain_as_dict(points, chain, start) for chain in chains],
    }


def print_note(points: payoff_regression.Payoffs) -> None:
    """Explain the parentheses in the tables of a variant with the errors of the paper."""
    if points.has_errors:
        console().print("In parentheses: the number in the paper, where it differs.\n")


def _line(points: payoff_regression.Payoffs) -> str:
    sign = "+" if points.line.intercept >= 0 else "−"
    return f"probability = {points.line.slope:.4f} × payoff {sign} {abs(points.line.intercept):.4f}"


def print_model(
    points: payoff_regression.Payoffs,
    shown: list[payoff_regression.Point],
    chains: list[payoff_chains.StartedChain],
    start: From,
) -> None:
    """Print the chains, the data points of whole turns, and the regression line."""
    out, rules, line = console(), points.rules, _line(points)  # raises before anything is printed
    print_note(points)
    for chain in chains:
        print_chain(points, chain, start)
    out.print(headed("Whole turns", f", {points.variant}: {line}"))
    table = empty_table(
        "category", ">payoff", ">probability", ">exact", ">raw value", ">raw payoff", ">weight"
    )
    for point in shown:
        title, raw = rules.categories[point.category].title, point.points / points.best_total
        cells = (f"{number:.7f}" for number in (point.payoff, point.probability, point.exact))
        table.add_row(title, *cells, f"{point.points:g}", f"{raw:.5f}", f"{point.payoff - raw:.7f}")
    out.print(table)


def print_turn(
    points: payoff_regression.Payoffs,
    shown: list[payoff_regression.Point],
    position: Position,
    action: Action,
) -> None:
    """Print the category to go for with a roll, or the category to score it in."""
    out, rules = console(), points.rules
    out.print(headed(rules.title, f": {format_position(position)}"))
    if not shown:
        reason = (
            "any roll fits the open categories" if position.rolls_left else "the most points now"
        )
        advice = format_action(rules, action)
        out.print(
            f"[bold green]{advice[0].upper()}{advice[1:]}[/bold green]: {reason}.", markup=True
        )
        return
    best = shown[0]
    out.print(
        f"Go for [bold green]{rules.keys[best.category]}[/bold green], keep "
        f"[bold green]{format_keep(rules, best.keep)}[/bold green]",
        markup=True,
    )
    out.print(f"{points.variant}: {_line(points)}\n")
    table = empty_table(
        "category", ">kept so far", ">payoff", ">probability", ">exact", ">distance", ">keep"
    )
    for point in shown:
        table.add_row(
            rules.categories[point.category].title,
            "" if point.state is None else str(point.state),
            f"{point.payoff:.7f}",
            f"{point.probability:.7f}",
            f"{point.exact:.7f}",
            f"{point.distance:.4f}",
            format_keep(rules, point.keep),
            style="green" if point is best else None,
        )
    out.print(table)
