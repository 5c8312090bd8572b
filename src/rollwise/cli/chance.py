"""``rollwise chance``: how likely one turn ends in a target under best play, and how to play it."""

import json
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rollwise.decision import TurnAnalysis

MAX_STATES = 40
"""Tables of all rolls are printed up to this size; JSON always has them."""


def chance(
    target: Annotated[
        str,
        typer.Argument(
            help="A profile such as 00001 (singles, pairs, triples, …), or yahtzee, full-house, "
            "small-straight, large-straight, 3-of-a-kind, straight-3, 4x6 (four sixes), "
            "4x6+ (four or more), 'sum>=25'."
        ),
    ],
    more_keeps: Annotated[list[str] | None, typer.Argument(hidden=True)] = None,
    faces: Annotated[int, typer.Option(help="Faces of each die.")] = 6,
    dice: Annotated[int, typer.Option(help="Dice of the turn.")] = 5,
    rolls: Annotated[int, typer.Option(help="Rolls of the turn, the first included.")] = 3,
    hand: Annotated[
        str | None, typer.Option(metavar="DICE", help="The dice now: what is each keep worth?")
    ] = None,
    rolls_left: Annotated[
        int | None, typer.Option(metavar="N", help="Rolls still to come; all but the first unless told.")
    ] = None,
    compare: Annotated[
        list[str] | None,
        typer.Option(metavar="KEEP [KEEP]...", help="Only these keeps, such as 'keep 66' or -."),
    ] = None,
    exact: Annotated[bool, typer.Option("--exact", help="Show fractions.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Write JSON, for programs.")] = False,
    diagram: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw the decision before the last roll: .svg, .png or .dot."),
    ] = None,
) -> None:
    """Say how likely a turn ends in a target under best play, and which keeps are best.

    [bold]Examples[/bold]

      rollwise chance 00001

      rollwise chance large-straight --rolls 3

      rollwise chance large-straight --hand 12566 --rolls-left 2

      rollwise chance 00001 --compare "keep -" "keep 1"

      rollwise chance 11 --faces 2 --dice 3 --rolls 3 --exact

    All best keeps are shown, and - stands for none. Values are exact, not simulated.
    """
    from rollwise.decision import InfluenceDiagram, analyse_turn, target_turn

    with _answering_bad_input():
        keeps = [*(compare or []), *(more_keeps or [])]
        if more_keeps and not compare:
            raise ValueError(f"unexpected {more_keeps[0]!r}; expected --compare before keeps")
        turn = target_turn(target, faces=faces, dice=dice, rolls=rolls)
        analysis = analyse_turn(turn)
        if hand is None and not keeps:
            if rolls_left is not None:
                raise ValueError("--rolls-left needs dice; expected --hand or --compare with it")
            report = _turn_report(analysis, target)
        else:
            report = _keeps_report(
                analysis, target, hand, keeps, rolls - 1 if rolls_left is None else rolls_left
            )
        if diagram is not None:
            left = rolls_left or 1
            ...
    if as_json:
        ...
