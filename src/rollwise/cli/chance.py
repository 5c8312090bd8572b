"""``rollwise chance``: how likely one turn ends in a target under best play, and how to play it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rollwise.cli.common import QuietOption, console, empty_table, progress, write_json
from rollwise.errors import InputError

if TYPE_CHECKING:
    from rich.table import Table

    from rollwise.prospects import KeepValue, TurnAnalysis
    from rollwise.prospects.arrows import Number

TEXT_STATES, JSON_STATES = 40, 1_000
"""Values and best keeps of all rolls are written up to these numbers of rolls."""


def chance(
    target: Annotated[
        str,
        typer.Argument(
            help="A profile such as 00001 (numbers of singles, pairs, triples, …), or yahtzee, "
            "full-house, small-straight, large-straight, 3-of-a-kind, straight-3, 4x6 (four "
            "sixes), 4x6+ (four or more), 'sum>=25'."
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
        int | None,
        typer.Option(metavar="N", help="Rolls still to come; all but the first unless told."),
    ] = None,
    compare: Annotated[
        list[str] | None,
        typer.Option(metavar="KEEP [KEEP]...", help="Only these keeps: 'keep 66', 'keep -'."),
    ] = None,
    exact: Annotated[bool, typer.Option("--exact", help="Write fractions.")] = False,
    as_json: Annotated[
        bool,
        typer.Option(
            "--json", help="Write JSON, for programs; all rolls if there are at most 1,000."
        ),
    ] = False,
    diagram: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Also draw a decision, the last one unless --rolls-left tells: .svg, .png, .dot.",
        ),
    ] = None,
    quiet: QuietOption = False,
) -> None:
    """Say how likely a turn ends in a target under best play, and which keeps are best.

    [bold]Examples[/bold]

      rollwise chance 00001

      rollwise chance large-straight --rolls 4

      rollwise chance large-straight --hand 12566 --rolls-left 2

      rollwise chance 00001 --compare "keep -" "keep 1"

      rollwise chance 11 --faces 2 --dice 3 --rolls 3 --exact

    All best keeps are named, those of the fewest dice first. Nothing is simulated.
    """
    from rollwise.prospects import analyse_turn, target_turn, turn_picture

    keeps = [*(compare or []), *(more_keeps or [])]
    if more_keeps and not compare:
        raise InputError(f"unexpected {more_keeps[0]!r}; expected --compare before keeps")
    if rolls_left is not None and hand is None and not keeps and diagram is None:
        raise InputError("--rolls-left alone; expected --hand, --compare or --diagram with it")
    turn = target_turn(target, faces=faces, dice=dice, rolls=rolls)
    with progress("solving the turn", quiet):
        analysis = analyse_turn(turn)
    head: dict[str, Any] = {"target": target, "faces": faces, "dice": dice, "rolls": rolls}
    if diagram is not None:
        last = 1 if rolls_left is None else rolls_left
        turn_picture(analysis, last, title=target).save(diagram)
    if hand is None and not keeps:
        _write_turn(analysis, head, exact=exact, as_json=as_json)
    else:
        left = rolls - 1 if rolls_left is None else rolls_left
        head |= {"hand": hand, "rolls_left": left}
        ranked = _ranked_keeps(analysis, hand, keeps, left)
        _write_keeps(ranked, head, exact=exact, as_json=as_json)


def _ranked_keeps(
    analysis: "TurnAnalysis", hand: str | None, keeps: list[str], rolls_left: int
) -> "list[KeepValue]":
    from rollwise.prospects import Multisets, keeps_within, rank
    from rollwise.prospects.hands import check_within

    notation = Multisets(analysis.turn.notation.faces)
    points = [notation.parse(keep.removeprefix("keep ").strip()) for keep in keeps]
    for keep, point in zip(keeps, points, strict=True):
        if len(point) > analysis.turn.dice:
            raise InputError(
                f"{keep!r} shows {len(point)} dice; expected at most {analysis.turn.dice}"
            )
    if hand is not None:
        dice = notation.parse(hand)
        if len(dice) != analysis.turn.dice:
            raise InputError(
                f"the hand {hand!r} shows {len(dice)} dice; expected {analysis.turn.dice}"
            )
        for point in points:
            check_within(notation, point, dice)
        points = points or keeps_within(dice)
    return rank(analysis, points, rolls_left)


def _write_keeps(
    ranked: "list[KeepValue]", head: dict[str, Any], *, exact: bool, as_json: bool
) -> None:
    from rollwise.prospects import Multisets

    notation = Multisets(head["faces"])
    names = [f"keep {notation.format(item.keep)}" for item in ranked]
    if as_json:
        rows = [
            {"keep": name, "chance": _number(item.value, exact), "best": item.best}
            for name, item in zip(names, ranked, strict=True)
        ]
        write_json({**head, "keeps": rows})
        return
    table = empty_table("keep", "chance", "", wrap=False)
    for name, item in zip(names, ranked, strict=True):
        table.add_row(name, _text(item.value, exact), "best" if item.best else "")
    best = [name for name, item in zip(names, ranked, strict=True) if item.best]
    hand = f" from {head['hand']}" if head["hand"] else ""
    left = f"{_rolls(head['rolls_left'])} left"
    verdict = f"equally good: {', '.join(best)}" if len(best) > 1 else f"best: {best[0]}"
    _print(f"Chance of {head['target']}{hand} with {left}; {verdict}", table)


def _write_turn(
    analysis: "TurnAnalysis", head: dict[str, Any], *, exact: bool, as_json: bool
) -> None:
    turn = analysis.turn
    shown = len(turn.states) <= (JSON_STATES if as_json else TEXT_STATES)
    lefts = list(range(turn.rolls - 1, -1, -1)) if shown else []
    payoffs = [analysis.payoffs(left) for left in lefts]
    moves = [analysis.moves(left) for left in lefts if left]
    first = turn.outcomes(turn.start) if shown else {}
    if as_json:
        rows = [
            {
                "roll": state,
                "first": _number(p, exact),
                "payoffs": [_number(x[state], exact) for x in payoffs],
                "best": [list(best[state]) for best in moves],
            }
            for state, p in first.items()
        ]
        write_json({**head, "chance": _number(analysis.value, exact), "states": rows})
        return
    sizes = f"{_rolls(head['rolls'])} of {head['dice']} dice with {head['faces']} faces"
    line = f"Chance of {head['target']} in {sizes}: {_text(analysis.value, exact)}"
    after = range(1, len(payoffs) + 1)
    table = empty_table(
        "roll", "first", *(f"after {i}" for i in after), *(f"best after {i}" for i in after[:-1]),
        wrap=False,
    )  # fmt: skip
    for state, p in first.items():
        values = [_text(x, exact) for x in (p, *(payoff[state] for payoff in payoffs))]
        table.add_row(state, *values, *(" or ".join(best[state]) for best in moves))
    _print(line, table if shown else None)


def _rolls(number: int) -> str:
    return f"{number} roll" if number == 1 else f"{number} rolls"


def _number(value: "Number", exact: bool) -> float | str:
    return str(value) if exact else float(value)


def _text(value: "Number", exact: bool) -> str:
    if exact:
        return str(value)
    text = f"{float(value):.7g}"
    return ">0.9999999" if text == "1" and value < 1 else text


def _print(line: str, table: "Table | None") -> None:
    out = console()
    out.print(line)
    if table is not None:
        out.print()
        out.print(table)
