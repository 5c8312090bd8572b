"""``rollwise advise``: what to do with a roll, and what every alternative costs."""

from typing import TYPE_CHECKING, Annotated

import typer

from rollwise.cli.common import (
    JsonOption,
    ObjectiveOption,
    QuietOption,
    RulesOption,
    console,
    headed,
    solved,
    write_json,
)

if TYPE_CHECKING:
    from rollwise.position import Position
    from rollwise.solution import Option, Solution


def advise(
    dice: Annotated[
        str,
        typer.Argument(
            metavar="DICE|POSITION", help="The roll, in any order, or a whole position as one line."
        ),
    ],
    rolls_left: Annotated[
        int | None,
        typer.Option("--rolls-left", metavar="N", help="Rerolls left; all of them unless told."),
    ] = None,
    card: Annotated[
        str | None,
        typer.Option("--card", metavar="CARD", help="Filled boxes with their points; - for none."),
    ] = None,
    rules: RulesOption = "yahtzee",
    objective: ObjectiveOption = "expected",
    top: Annotated[
        int | None, typer.Option("--top", metavar="N", min=1, help="Only the N best options.")
    ] = None,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Say what to do with a roll: every legal keep and score with its value and its loss.

    [bold]Examples[/bold]

      rollwise advise 11366

      rollwise advise 11366 --rolls-left 1 --card "ones=3,full-house=25"

      rollwise advise "dice 11366 | rolls-left 2 | card ones=3" --json

    The value of an option is the expected final score of the game if you take it and play best
    from then on, points so far included; ± is the standard deviation of that score. Its loss is
    what it gives away against the best option.
    """
    from rollwise.advice import position_of
    from rollwise.goals import parse_objective
    from rollwise.notation import format_action, format_position
    from rollwise.rules import load_rules

    position = position_of(load_rules(rules), dice, card, rolls_left)
    solution = solved(position.rules, parse_objective(objective), moments=True, quiet=quiet)
    options = solution.options(position)
    shown = options[:top]
    if as_json:
        write_json(
            {
                "rules": position.rules.name,
                "objective": solution.objective.name,
                "position": format_position(position),
                "options": [
                    {
                        "action": format_action(position.rules, option.action),
                        "kind": option.action.kind,
                        "value": option.value,
                        "loss": option.loss,
                        "best": option.best,
                        "sd": option.sd,
                    }
                    for option in shown
                ],
            }
        )
    else:
        _print_advice(solution, position, shown, hidden=len(options) - len(shown))


def _print_advice(
    solution: "Solution", position: "Position", options: "list[Option]", hidden: int
) -> None:
    from rich.table import Table
    from rich.text import Text

    from rollwise.advice import format_loss
    from rollwise.notation import format_action, format_position

    out = console()
    rules = position.rules
    best = format_action(rules, options[0].action)
    out.print(headed(rules.title, f": {format_position(position)}"))
    objective = solution.objective.name
    what = "expected final score" if objective == "expected" else f"value for {objective}"
    out.print(Text.assemble("Best: ", (best, "bold green"), f", {what} {options[0].value:.2f}"))
    out.print()
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("option")
    table.add_column("value", justify="right")
    table.add_column("±", justify="right")
    table.add_column("loss", justify="right")
    for option in options:
        table.add_row(
            format_action(rules, option.action),
            f"{option.value:.2f}",
            f"± {option.sd:.0f}",
            format_loss(option),
            style="green" if option.best else None,
        )
    out.print(table)
    if hidden:
        out.print(f"… and {hidden} more")
    out.print()
    out.print(
        f"Exact, not simulated: best play from each of the {solution.states:,} cards "
        f"that can occur.\nrollwise verify holds such values against published ones."
    )
