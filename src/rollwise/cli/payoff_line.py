"""``rollwise payoff-line``: the Markov chains and regression line of the strategy, and advice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from fractions import Fraction
from typing import Annotated, Any

import typer

from rollwise.cli import flags
from rollwise.cli.common import (
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
from rollwise.rules import Rules, load_rules

with lazy_imports():
    from rollwise.experiments import plots
    from rollwise.strategies import payoff_chains, payoff_paper, payoff_regression
    from rollwise.strategies import payoff_line as payoff_strategy


MOST_ROLLS = 100
"""Maximum number of rolls after the state of ``--state``."""


class Variant(StrEnum):
    """A treatment of the errors in the paper."""

    PUBLISHED = "published"
    SECOND_TABLE = "second-table"
    TRANSCRIPT = "transcript"
    MENDED = "mended"
    EXACT = "exact"


def payoff_line(
    dice: Annotated[
        str | None, typer.Argument(help="Explain what to go for with these dice.")
    ] = None,
    rolls_left: flags.RollsLeft = None,
    card: flags.Card = None,
    variant: Annotated[
        Variant,
        typer.Option("--variant", help="How the paper is read."),
    ] = Variant.MENDED,
    state: Annotated[
        int | None,
        typer.Option("--state", metavar="N", help="Also the chances from this state of a chain."),
    ] = None,
    rules: flags.Rules = "yahtzee",
    plot: flags.Picture = None,
    as_json: flags.Json = False,
    quiet: flags.Quiet = False,
) -> None:
    """Show the chains, the points and the line of the strategy payoff-line, or explain a turn.

    [bold]Examples[/bold]

      rollwise payoff-line

      rollwise payoff-line 16226 --variant published --plot turn.svg

      rollwise payoff-line 66453 --rolls-left 1 --card "ones=3,full-house=25" --json

      rollwise payoff-line --state 2 --rolls-left 2

    Beside the probability of each chain, which has one fixed way of going for its box, stands the
    exact one: that of the best play for this box alone. The strategy goes for the box farthest
    from the line. published has the slips of the paper, beside what is right, mended none, exact
    the best play in place of chains; second-table counts the dice shown, as the paper's second
    roll does; transcript, besides, gives a full house the chance of a whole turn until it is made.
    """
    prepare_plot(plot)
    game = load_rules(rules)
    points = payoff_regression.payoffs(game, variant.value)
    if state is not None and dice is not None:
        raise InputError("both dice and --state: expected one of them")
    start = None if state is None else _checked_state(state, rolls_left, game)
    strategy, position = payoff_strategy.PayoffLine(variant.value), None
    if dice is None:
        shown = points.whole_turns()
    else:
        position = position_of(game, dice, card, rolls_left)
        open_categories = [k for k in range(len(game.keys)) if not position.state.filled >> k & 1]
        left = position.rolls_left
        shown = strategy.aims(game, open_categories, position.dice, left) if left else []
    action = None if position is None else strategy.action(position)
    if as_json:
        write_json(as_dict(points, shown, position, action, start))
    elif position is None or action is None:
        print_model(points, shown, start)
    else:
        print_turn(points, shown, position, action)
    if plot is not None:
        plots.save_points(points, shown, plot, dice or "whole turns")
        print_written([plot], quiet)


def _checked_state(state: int, rolls: int | None, rules: Rules) -> tuple[str, int]:
    """Check the state of ``--state``, and return it with the number of rolls after it."""
    rolls = rules.rolls - 1 if rolls is None else rolls
    if not 0 <= rolls <= MOST_ROLLS:
        raise InputError(f"--rolls-left {rolls}: expected 0 to {MOST_ROLLS} with --state")
    if not any(
        str(state) in chain.states for chain in payoff_chains.all_chains(rules.dice, rules.faces)
    ):
        raise InputError(f"--state {state}: expected dice kept in one of the chains")
    return str(state), rolls


From = tuple[str, int] | None
"""A state and the number of rolls after it, for the probabilities from this state."""


def as_dict(
    points: payoff_regression.Payoffs,
    shown: list[payoff_regression.Point],
    position: Position | None,
    action: Action | None,
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
        "chains": [
            _chain_as_dict(points, chain, start)
            for chain in payoff_chains.all_chains(rules.dice, rules.faces)
        ],
    }


def _chain_as_dict(
    points: payoff_regression.Payoffs, chain: payoff_chains.StartedChain, start: From
) -> dict[str, Any]:
    paper = payoff_paper.paper_chain(chain.key) if points.has_errors else None
    steps = points.rules.rolls - 1
    data: dict[str, Any] = {
        "chain": chain.key,
        "states": [int(state) for state in chain.states],
        "matrix": [_floats(row) for row in chain.matrix()],
        "first_roll": _floats(chain.after(chain.start, 0)),
        "after_all_rolls": _floats(chain.after(chain.start, steps)),
        "paper": None,
        "from_state": None,
    }
    if paper is not None:
        shown = slice(*_shown(chain))
        data["paper"] = {
            "matrix": paper.matrix.T[shown, shown].tolist(),
            "first_roll": paper.start[shown].tolist(),
            "after_all_rolls": paper.after(steps)[shown].tolist(),
        }
    if start is not None and start[0] in chain.states:
        state, rolls = start
        probabilities = _floats(chain.after(state, rolls))
        data["from_state"] = {"state": int(state), "rolls": rolls, "chances": probabilities}
    return data


def _shown(chain: payoff_chains.StartedChain) -> tuple[int, int]:
    """Return the first state of a chain, and 1 more than the last state."""
    return int(chain.states[0]), int(chain.states[-1]) + 1


def _floats(row: Sequence[Fraction]) -> list[float]:
    return [float(number) for number in row]


def _line(points: payoff_regression.Payoffs) -> str:
    sign = "+" if points.line.intercept >= 0 else "−"
    return f"probability = {points.line.slope:.4f} × payoff {sign} {abs(points.line.intercept):.4f}"


def print_model(
    points: payoff_regression.Payoffs, shown: list[payoff_regression.Point], start: From
) -> None:
    """Print the chains, the data points of whole turns, and the regression line."""
    out, rules, line = console(), points.rules, _line(points)  # raises before anything is printed
    if points.has_errors:
        out.print("In brackets: what the paper has instead, or what its figures come from.\n")
    for chain in payoff_chains.all_chains(rules.dice, rules.faces):
        out.print(headed(chain.title, ": from the state above to the state at the left"))
        out.print(_chain_table(points, chain, start))
        out.print()
    out.print(headed("Whole turns", f", {points.variant}: {line}"))
    table = empty_table(
        "box", ">payoff", ">probability", ">best play", ">raw value", ">raw payoff", ">weight"
    )
    for point in shown:
        title, raw = rules.categories[point.category].title, point.points / points.best_total
        cells = (f"{number:.7f}" for number in (point.payoff, point.probability, point.exact))
        table.add_row(title, *cells, f"{point.points:g}", f"{raw:.5f}", f"{point.payoff - raw:.7f}")
    out.print(table)


def _chain_table(
    points: payoff_regression.Payoffs, chain: payoff_chains.StartedChain, start: From
) -> Any:
    """Return the matrix of a chain, and its distributions after the first and the last roll."""
    paper = payoff_paper.paper_chain(chain.key) if points.has_errors else None
    steps = points.rules.rolls - 1
    matrix: list[list[str]] = [[str(entry) for entry in row] for row in chain.matrix()]
    columns = {
        "first roll": [f"{float(p):.7f}" for p in chain.after(chain.start, 0)],
        f"after {steps + 1} rolls": [f"{float(p):.7f}" for p in chain.after(chain.start, steps)],
    }
    if paper is not None:
        _mark_slips(matrix, chain, paper)
        both = zip(columns, (paper.start, paper.after(steps)), strict=True)
        for heading, distribution in list(both):
            columns[heading] = _beside(columns[heading], distribution[slice(*_shown(chain))])
    if start is not None and start[0] in chain.states:
        state, rolls = start
        heading = f"from {state} after {rolls}"
        columns[heading] = [f"{float(p):.7f}" for p in chain.after(state, rolls)]
    table = empty_table("", *(f">{name}" for name in (*chain.states, *columns)))
    for state, entries, *cells in zip(chain.states, matrix, *columns.values(), strict=True):
        table.add_row(state, *entries, *cells)
    return table


def _mark_slips(
    matrix: list[list[str]], chain: payoff_chains.StartedChain, paper: payoff_paper.PaperChain
) -> None:
    """Append the paper's entry, in parentheses, where it differs from the correct entry."""
    first, _ = _shown(chain)
    for i, row in enumerate(chain.matrix()):
        for j, right in enumerate(row):
            published = float(paper.matrix[first + j, first + i])
            if published != float(right):
                matrix[i][j] += f" ({round(published * 1296)}/1296)"


def _beside(right: list[str], theirs: Iterable[float]) -> list[str]:
    """Return formatted numbers, with the paper's number in parentheses if it differs."""
    pairs = zip(right, (f"{number:.7f}" for number in theirs), strict=True)
    return [
        number_text if number_text == published else f"{number_text} ({published})"
        for number_text, published in pairs
    ]


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
        reason = "any roll fits what is open" if position.rolls_left else "the most points now"
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
        "box", ">kept so far", ">payoff", ">probability", ">best play", ">distance", ">keep"
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
