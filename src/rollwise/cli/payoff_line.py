"""``rollwise payoff-line``: chains, points and line of that strategy; a turn explained."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rollwise.cli.common import (
    JsonOption,
    RulesOption,
    console,
    empty_table,
    headed,
    position_of,
    prepare_plot,
    write_json,
)

if TYPE_CHECKING:
    from rollwise.game.position import Position
    from rollwise.strategies.payoff_points import Payoffs, Point


class Variant(StrEnum):
    """What is done about the slips of the paper."""

    PUBLISHED = "published"
    MENDED = "mended"
    EXACT = "exact"


def payoff_line(
    dice: Annotated[
        str | None, typer.Argument(help="Explain what to go for with these dice.")
    ] = None,
    rolls_left: Annotated[
        int | None, typer.Option("--rolls-left", metavar="N", help="Rerolls left.")
    ] = None,
    card: Annotated[
        str | None, typer.Option("--card", metavar="CARD", help="Filled boxes with their points.")
    ] = None,
    variant: Annotated[
        Variant,
        typer.Option("--variant", help="With the slips of the paper, without, or exact chances."),
    ] = Variant.MENDED,
    rules: RulesOption = "yahtzee",
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="Also draw: .png or .svg.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Show the chains, the points and the line of the strategy payoff-line, or explain a turn.

    [bold]Examples[/bold]

      rollwise payoff-line

      rollwise payoff-line 16226 --variant published --plot turn.svg

      rollwise payoff-line 66453 --rolls-left 1 --card "ones=3,full-house=25" --json

    Beside the probability of each chain, which has one fixed way of going for its box, stands the
    exact one: that of the best play for this box alone. The strategy goes for the box farthest
    from the line.
    """
    from rollwise.rules import load_rules
    from rollwise.strategies.payoff_line import PayoffLine
    from rollwise.strategies.payoff_points import payoffs

    prepare_plot(plot)
    game = load_rules(rules)
    points = payoffs(game, variant.value)
    position = None
    if dice is None:
        shown = points.whole_turns()
    else:
        position = position_of(game, dice, card, rolls_left)
        boxes = [k for k in range(len(game.keys)) if not position.state.filled >> k & 1]
        left = position.rolls_left
        shown = PayoffLine(variant.value).aims(game, boxes, position.dice, left) if left else []
    if as_json:
        write_json(_as_dict(points, shown, position))
    elif position is None:
        _print_model(points, shown)
    else:
        _print_turn(points, shown, position)
    if plot is not None:
        from rollwise.laboratory.payoff_plot import save_points

        save_points(points, shown, plot, dice or "whole turns")


def _as_dict(points: "Payoffs", shown: "list[Point]", position: "Position | None") -> Any:
    from rollwise.game.notation import format_keep, format_position

    rules = points.rules
    rows = []
    for point in shown:
        row: dict[str, Any] = {
            "category": rules.keys[point.category],
            "payoff": point.payoff,
            "probability": point.probability,
            "exact": point.exact,
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
        "points": rows,
    }


def _line(points: "Payoffs") -> str:
    sign = "+" if points.line.intercept >= 0 else "−"
    return f"probability = {points.line.slope:.4f} × payoff {sign} {abs(points.line.intercept):.4f}"


def _print_model(points: "Payoffs", shown: "list[Point]") -> None:
    from rollwise.strategies import payoff_chains

    out, rules, line = console(), points.rules, _line(points)  # refused before anything is printed
    sizes = rules.dice, rules.faces
    chains = {
        "Dice alike": (payoff_chains.of_a_kind(*sizes), payoff_chains.of_a_kind_start(*sizes)),
        "One face": (payoff_chains.one_face(*sizes), None),
        "Small straight": (payoff_chains.straight(4, *sizes), None),
        "Large straight": (payoff_chains.straight(5, *sizes), None),
    }
    for title, (chain, given) in chains.items():
        start = given or payoff_chains.first_roll(chain)
        out.print(headed(title, ": from the state above to the state at the left"))
        states = sorted(chain.states, key=int)
        table = empty_table(
            "", *(f">{state}" for state in states), ">first roll", f">after {rules.rolls} rolls"
        )
        end = chain.after(start, rules.rolls - 1)
        for state in states:
            cells = (str(chain.rows[left].get(state, 0)) for left in states)
            first, last = (float(law.get(state, 0)) for law in (start, end))
            table.add_row(state, *cells, f"{first:.7f}", f"{last:.7f}")
        out.print(table)
        out.print()
    out.print(headed("Whole turns", f", {points.variant}: {line}"))
    table = empty_table("box", ">payoff", ">probability", ">best play")
    for point in shown:
        title = rules.categories[point.category].title
        numbers = (point.payoff, point.probability, point.exact)
        table.add_row(title, *(f"{number:.7f}" for number in numbers))
    out.print(table)


def _print_turn(points: "Payoffs", shown: "list[Point]", position: "Position") -> None:
    from rollwise.game.notation import format_keep, format_position

    out, rules = console(), points.rules
    out.print(headed(rules.title, f": {format_position(position)}"))
    if not shown:
        out.print("No box to go for: the roll is scored where it has the most points.")
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
