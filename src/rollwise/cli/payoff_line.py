"""``rollwise payoff-line``: the Markov chains and regression line of the strategy, and advice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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
from rollwise.game.dice_notation import format_keep
from rollwise.game.notation import format_action
from rollwise.game.position import Position, format_position
from rollwise.rules import load_rules

with lazy_imports():
    from rollwise.experiments import plots
    from rollwise.strategies import payoff_line as strategies

MOST_ROLLS = 100
"""The maximum number of rolls after the state that ``--state`` names."""


class Variant(StrEnum):
    """A variant of the strategy, which differs in its treatment of the errors in the paper."""

    PUBLISHED = "published"
    CORRECTED = "corrected"
    EXACT = "exact"


class Chain(StrEnum):
    """A Markov chain of the strategy."""

    OF_A_KIND = "of-a-kind"
    ONE_FACE = "one-face"
    SMALL_STRAIGHT = "small-straight"
    LARGE_STRAIGHT = "large-straight"


KINDS: dict[Chain, strategies.Kind] = {
    Chain.OF_A_KIND: "of-a-kind",
    Chain.ONE_FACE: "one-face",
    Chain.SMALL_STRAIGHT: 4,
    Chain.LARGE_STRAIGHT: 5,
}


def payoff_line(
    dice: Annotated[str | None, typer.Argument(help="Explain the choice with these dice.")] = None,
    rolls_left: flags.RollsLeft = None,
    card: flags.Card = None,
    variant: Annotated[
        Variant,
        typer.Option("--variant", help="How to treat the errors in the paper."),
    ] = Variant.CORRECTED,
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
    game = load_rules(rules)
    strategy = strategies.PayoffLine(variant.value)
    model, position, action = strategy.model(game), None, None
    if dice is not None and (state is not None or chain is not None):
        option = "--chain" if state is None else "--state"
        raise InputError(f"{option} cannot be combined with dice. Leave out one of them.")
    if dice is None:
        shown = model.whole_turns()
        left = game.rolls - 1 if rolls_left is None else rolls_left
    else:
        position = position_of(game, dice, card, rolls_left)
        left, filled = position.rolls_left, position.state.filled
        shown = strategy.aims(game, filled, position.dice, left) if left else []
        action = strategy.action(position)
    chains = {
        key: strategies.payoff_chain(kind, game.dice, game.faces)
        for key, kind in KINDS.items()
        if chain in (None, key)
    }
    if state is not None:
        check_state(str(state), left, chains)
    if position is not None and action is not None and not as_json:
        print_turn(model, shown, position, action)
    else:
        data = as_dict(model, shown, position, action)
        data["chains"] = [chain_as_dict(model, *item, state, left) for item in chains.items()]
        if as_json:
            write_json(data)
        else:
            print_model(model, data, chains, chain)
    if plot is not None:
        plots.save_points(model, shown, plot, dice or "whole turns")
        print_written([plot], quiet)


def check_state(state: str, rolls: int, chains: Mapping[Chain, strategies.PayoffChain]) -> None:
    """Raise an error unless a chain has the state of ``--state``."""
    if not 0 <= rolls <= MOST_ROLLS:
        raise InputError(f"With --state, --rolls-left must be from 0 to {MOST_ROLLS}, not {rolls}.")
    if not any(state in chain.states for chain in chains.values()):
        only = (
            "No chain has" if len(chains) > 1 else f"The chain {next(iter(chains))} does not have"
        )
        raise InputError(f"{only} the state {state}. Run 'rollwise payoff-line' to see all states.")


def as_dict(
    model: strategies.PayoffModel,
    shown: Sequence[strategies.Point],
    position: Position | None,
    action: Action | None,
) -> dict[str, Any]:
    """Return the line and the points as JSON data."""
    rules = model.rules
    rows = []
    for point in shown:
        raw = point.points / model.best_total
        row: dict[str, Any] = {
            "category": rules.keys[point.category],
            "payoff": point.payoff,
            "probability": point.probability,
            "exact": point.exact,
            "raw_value": point.points,
            "raw_payoff": raw,
            "weight": point.payoff - raw,
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
        "variant": model.variant,
        "line": {"slope": model.line.slope, "intercept": model.line.intercept},
        "position": None if position is None else format_position(position),
        "action": None if action is None else format_action(rules, action),
        "points": rows,
    }


def chain_as_dict(
    model: strategies.PayoffModel,
    key: Chain,
    chain: strategies.PayoffChain,
    state: int | None,
    rolls: int,
) -> dict[str, Any]:
    """Return a chain as JSON data, with the probabilities some rolls after a state."""
    steps, kind, paper, after = model.rules.rolls - 1, KINDS[key], None, None
    expected = {target: chain.expected_rolls(target) for target in chain.states}
    if model.has_errors and kind in strategies.PAPER:
        matrix, start = strategies.paper_chain(kind)
        states = slice(int(chain.states[0]), None)
        paper = {
            "matrix": matrix.T[states, states].tolist(),
            "is_inferred": key is Chain.OF_A_KIND,
            "first_roll": start[states].tolist(),
            "after_all_rolls": strategies.paper_after(kind, steps)[states].tolist(),
        }
    if str(state) in chain.states:
        probabilities = _floats(chain.after(str(state), rolls))
        after = {"state": state, "rolls": rolls, "probabilities": probabilities}
    return {
        "chain": key.value,
        "states": [int(target) for target in chain.states],
        "matrix": [_floats(row) for row in chain.matrix()],
        "first_roll": _floats(chain.after(chain.start, 0)),
        "after_all_rolls": _floats(chain.after(chain.start, steps)),
        "expected_rolls": [
            {
                "state": int(target),
                "from_states": _floats(further),
                "from_start": float(first),
                "exactly": str(first),
            }
            for target, (further, first) in expected.items()
        ],
        "paper": paper,
        "from_state": after,
    }


def _floats(row: Sequence[Fraction]) -> list[float]:
    return [float(number) for number in row]


def _title(chain: Mapping[str, Any]) -> str:
    name = chain["chain"].replace("-", " ").capitalize()
    return "N of a kind" if chain["chain"] == Chain.OF_A_KIND else name


def print_model(
    model: strategies.PayoffModel,
    data: Mapping[str, Any],
    chains: Mapping[Chain, strategies.PayoffChain],
    only: Chain | None,
) -> None:
    """Print the chains and the data of whole turns, or one chain and its expected rolls."""
    for chain, numbers in zip(data["chains"], chains.values(), strict=True):
        print_chain(chain, numbers.matrix(), model.rules.rolls)
    if only is None:
        print_whole_turns(model, data["points"])
    else:
        print_expected_rolls(data["chains"][0])


def print_chain(chain: Mapping[str, Any], matrix: Sequence[Sequence[Fraction]], rolls: int) -> None:
    """Print the matrix of a chain, and its distributions after the first and the last roll."""
    out, paper = console(), chain["paper"]
    entries = [[str(entry) for entry in row] for row in matrix]
    keys = {"first roll": "first_roll", f"after {rolls} rolls": "after_all_rolls"}
    columns = {heading: _decimals(chain[key]) for heading, key in keys.items()}
    out.print(headed(_title(chain), ": from the column's state to the row's state"))
    if paper is not None:
        mark = "*" if paper["is_inferred"] else ""
        for i, row in enumerate(paper["matrix"]):
            for j, entry in enumerate(row):
                if entry != chain["matrix"][i][j]:
                    entries[i][j] += f" ({round(entry * 1296)}/1296{mark})"
        for heading, key in keys.items():
            pairs = zip(columns[heading], _decimals(paper[key]), strict=True)
            columns[heading] = [x if x == y else f"{x} ({y})" for x, y in pairs]
    if (after := chain["from_state"]) is not None:
        heading = f"from {after['state']} after {after['rolls']}"
        columns[heading] = _decimals(after["probabilities"])
    table = empty_table("", *(f">{name}" for name in (*chain["states"], *columns)))
    for state, row_text, *cells in zip(chain["states"], entries, *columns.values(), strict=True):
        table.add_row(str(state), *row_text, *cells)
    out.print(table)
    if paper is not None:
        out.print("In parentheses: the number with the errors of the paper, where it differs.")
        if paper["is_inferred"]:
            out.print("* inferred from the printed T²s; the paper prints the correct 120/1296.")
    out.print()


def print_expected_rolls(chain: Mapping[str, Any]) -> None:
    """Print the expected number of rolls until each state."""
    out = console()
    out.print(
        headed(_title(chain), ": expected further rolls until the row's state or a higher one")
    )
    columns = [f">from {state}" for state in chain["states"]]
    table = empty_table("", *columns, ">from the start", ">exactly")
    for row in chain["expected_rolls"]:
        numbers = (*row["from_states"], row["from_start"])
        table.add_row(str(row["state"]), *(f"{n:.4f}" for n in numbers), row["exactly"])
    out.print(table)


def _decimals(numbers: Iterable[float]) -> list[str]:
    return [f"{number:.7f}" for number in numbers]


def formatted_line(model: strategies.PayoffModel) -> str:
    """Return the equation of the regression line."""
    sign = "+" if model.line.intercept >= 0 else "−"
    return f"probability = {model.line.slope:.4f} × payoff {sign} {abs(model.line.intercept):.4f}"


def print_whole_turns(model: strategies.PayoffModel, rows: Sequence[Mapping[str, Any]]) -> None:
    """Print the data points of whole turns, and the regression line."""
    out, rules = console(), model.rules
    out.print(headed("Whole turns", f", {model.variant}: {formatted_line(model)}"))
    table = empty_table(
        "category", ">payoff", ">probability", ">exact", ">raw value", ">raw payoff", ">weight"
    )
    for row in rows:
        title = rules.categories[rules.category_index(row["category"])].title
        cells = _decimals(row[name] for name in ("payoff", "probability", "exact"))
        raw = f"{row['raw_value']:g}", f"{row['raw_payoff']:.5f}", f"{row['weight']:.7f}"
        table.add_row(title, *cells, *raw)
    out.print(table)


def print_turn(
    model: strategies.PayoffModel,
    shown: Sequence[strategies.Point],
    position: Position,
    action: Action,
) -> None:
    """Print the category to go for with a roll, or the category to score it in."""
    out, rules = console(), model.rules
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
    out.print(f"{model.variant}: {formatted_line(model)}\n")
    table = empty_table(
        "category", ">kept so far", ">payoff", ">probability", ">exact", ">distance", ">keep"
    )
    for point in shown:
        table.add_row(
            rules.categories[point.category].title,
            "" if point.state is None else str(point.state),
            *_decimals((point.payoff, point.probability, point.exact)),
            f"{point.distance:.4f}",
            format_keep(rules, point.keep),
            style="green" if point is best else None,
        )
    out.print(table)
