"""``rollwise odds``: the value of one turn with optimal play, and the best dice to keep."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rollwise.cli import flags
from rollwise.cli.common import write_json
from rollwise.cli.lazy_imports import lazy_imports
from rollwise.cli.odds_tables import OddsPrinter
from rollwise.cli.progress import progress
from rollwise.errors import InputError, counted

with lazy_imports():
    from rollwise import decision_analysis


def odds(
    target: Annotated[
        str,
        typer.Argument(
            metavar="TARGET",
            help="The target: full-house, 3-of-a-kind, 4x6+, 'sum>=25', 23456, 00001, or sum.",
        ),
    ],
    more_keeps: Annotated[list[str] | None, typer.Argument(hidden=True)] = None,
    faces: Annotated[int, typer.Option(min=1, help="Faces of each die.")] = 6,
    dice: Annotated[int, typer.Option(min=1, help="Dice of the turn.")] = 5,
    rolls: Annotated[int, typer.Option(min=1, help="Rolls of the turn, including the first.")] = 3,
    hand: Annotated[
        str | None,
        typer.Option(metavar="DICE", help="The current dice, to compare what you can keep."),
    ] = None,
    rolls_left: flags.RollsLeft = None,
    compare: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEEP [KEEP]...", help="Compare only these dice to keep: 66, or - for none."
        ),
    ] = None,
    exact: Annotated[bool, typer.Option("--exact", help="Print fractions.")] = False,
    matrices: Annotated[
        bool,
        typer.Option("--matrices", help="Also print the option matrices."),
    ] = False,
    as_json: Annotated[
        bool,
        typer.Option("--json", help="Print JSON, with all rolls if there are at most 1,000."),
    ] = False,
    diagram: Annotated[
        Path | None,
        typer.Option(
            "--plot",
            "--diagram",
            metavar="FILE",
            help="Also draw a decision as .svg, .png, or .dot.",
        ),
    ] = None,
    simulate: Annotated[
        int | None,
        typer.Option(metavar="N", min=2, help="Estimate the value from N turns, for large turns."),
    ] = None,
    seed: flags.Seed = 0,
    quiet: flags.Quiet = False,
) -> None:
    """Compute the odds of a target within one turn.

    [bold]Examples[/bold]

      rollwise odds large-straight --rolls 4

      rollwise odds large-straight --hand 12566 --rolls-left 2 --compare 25 256

      rollwise odds sum --rolls 2 --exact

      rollwise odds 4-of-a-kind --dice 10 --faces 20 --simulate 5000

    The probability is exact and assumes that you play only for the target. A target can be a
    category, a pattern such as 4x6 (four sixes) or straight-3, a roll such as 23456, or a profile:
    00001 counts singles, pairs, triples, and so on. Digits are a profile if they count as many dice
    as the turn has, and otherwise the faces of a roll. For sum, the result is the expected sum.
    --simulate gives a lower bound for turns too large to solve.
    """
    keeps = [*(compare or []), *(more_keeps or [])]
    one_roll = hand is not None or bool(keeps)
    if more_keeps and not compare:
        raise InputError(f"Unexpected {more_keeps[0]!r}. Put --compare before the dice to keep.")
    if rolls_left is not None and not one_roll and diagram is None:
        raise InputError("--rolls-left needs --hand, --compare, or --plot. Add one of them.")
    if matrices and one_roll:
        raise InputError("--matrices describes a whole turn. Leave out --hand and --compare.")
    if simulate is not None and (one_roll or exact or matrices or diagram is not None):
        raise InputError(
            "--simulate cannot be combined with --hand, --compare, --exact, --matrices, or --plot. "
            "Choose one of them."
        )
    with progress("solving the turn" if simulate is None else "playing", quiet):
        result = decision_analysis.odds(
            target,
            faces,
            dice,
            rolls,
            hand=hand,
            rolls_left=rolls_left,
            compare=keeps,
            simulate=simulate,
            seed=seed,
        )
    printer = OddsPrinter(result, exact, matrices)
    if diagram is not None:
        left = 1 if rolls_left is None else rolls_left
        title = f"{printer.title} with {counted(left, 'roll')} left"
        decision_analysis.turn_picture(result.turn, left, title).save(diagram)
    if as_json:
        write_json(printer.data())
    else:
        printer.print()
