"""``rollwise chance``: what one turn is worth under best play, and how to play it."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rollwise.cli import flags
from rollwise.cli.chance_simulated import Sampling, write_policies, write_simulated_keeps
from rollwise.cli.chance_tables import TurnQuestion, write_keeps, write_turn
from rollwise.cli.progress import progress
from rollwise.errors import InputError

if TYPE_CHECKING:
    from rollwise.prospects import TurnProblem
    from rollwise.prospects.dice_graph import Point


def chance(
    target: Annotated[
        str,
        typer.Argument(
            help="A profile such as 00001 (numbers of singles, pairs, triples, …), or yahtzee, "
            "full-house, small-straight, large-straight, 3-of-a-kind, straight-3, 4x6 (four "
            "sixes), 4x6+ (four or more), 'sum>=25'; or what pays: sum, or a file, FILE.toml."
        ),
    ],
    more_keeps: Annotated[list[str] | None, typer.Argument(hidden=True)] = None,
    faces: Annotated[int, typer.Option(min=1, help="Faces of each die.")] = 6,
    dice: Annotated[int, typer.Option(min=1, help="Dice of the turn.")] = 5,
    rolls: Annotated[int, typer.Option(min=1, help="Rolls of the turn, the first included.")] = 3,
    hand: Annotated[
        str | None, typer.Option(metavar="DICE", help="The dice now: what is each keep worth?")
    ] = None,
    rolls_left: flags.RollsLeft = None,
    compare: Annotated[
        list[str] | None,
        typer.Option(metavar="KEEP [KEEP]...", help="Only these keeps: 'keep 66', 'keep -'."),
    ] = None,
    exact: Annotated[bool, typer.Option("--exact", help="Write fractions.")] = False,
    matrices: Annotated[
        bool,
        typer.Option("--matrices", help="Also write the matrices of options and availability."),
    ] = False,
    as_json: Annotated[
        bool,
        typer.Option(
            "--json", help="Write JSON, for programs; all rolls if there are at most 1,000."
        ),
    ] = False,
    diagram: Annotated[
        Path | None,
        typer.Option(
            "--plot",
            "--diagram",
            metavar="FILE",
            help="Also draw a decision, the last one unless --rolls-left tells: .svg, .png, .dot.",
        ),
    ] = None,
    simulate: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=2, help="Play N games by a fixed policy instead, for large turns."
        ),
    ] = None,
    policy: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="What to keep when simulating: all, none, commonest, pairs, different, 6, 4+, 3-; "
            "the best of these unless told.",
        ),
    ] = None,
    seed: flags.Seed = 0,
    quiet: flags.Quiet = False,
) -> None:
    """Say how likely a turn ends in a target, or what it pays, and which keeps are best.

    [bold]Examples[/bold]

      rollwise chance 00001

      rollwise chance large-straight --rolls 4

      rollwise chance large-straight --hand 12566 --rolls-left 2 --compare 25 256

      rollwise chance 00001 --compare "keep -" "keep 1"

      rollwise chance 11 --faces 2 --dice 3 --exact --matrices

      rollwise chance sum --rolls 2 --exact

      rollwise chance payoffs.toml

      rollwise chance 4-of-a-kind --dice 10 --faces 20 --simulate 5000

    Values are exact, and all best keeps are named, those of the fewest dice first.
    With --simulate nothing is solved: values are those of the policy, with their errors, and best
    play is worth that or more.
    """
    from rollwise.prospects import analyse_turn, rank, turn_picture

    keeps = [*(compare or []), *(more_keeps or [])]
    if more_keeps and not compare:
        raise InputError(f"unexpected {more_keeps[0]!r}; expected --compare before keeps")
    if rolls_left is not None and hand is None and not keeps and diagram is None:
        raise InputError("--rolls-left alone; expected --hand, --compare or --diagram with it")
    if matrices and (hand is not None or keeps):
        raise InputError("--matrices with --hand or --compare; expected them with the whole turn")
    if simulate is None and policy is not None:
        raise InputError("--policy alone; expected --simulate with it")
    if simulate is not None and (exact or matrices or diagram is not None):
        raise InputError("--simulate with --exact, --matrices or --diagram; expected one of them")
    left = rolls - 1 if rolls_left is None else rolls_left
    question = TurnQuestion(
        target,
        "mean" if _pays(target) else "chance",
        faces,
        dice,
        rolls,
        hand,
        left,
        exact,
        as_json,
    )
    points = _keeps(question, keeps)
    if simulate is not None:
        games = Sampling(simulate, seed, policy, quiet)
        turn = _turn(question, enumerated=False)
        if points:
            write_simulated_keeps(question, turn, points, games)
        else:
            write_policies(question, turn, games)
        return
    turn = _turn(question, enumerated=True)
    with progress("solving the turn", quiet):
        analysis = analyse_turn(turn)
    if diagram is not None:
        drawn = replace(question, hand=None, rolls_left=1 if rolls_left is None else rolls_left)
        title = f"{drawn.title}{drawn.situation}"
        turn_picture(analysis, drawn.rolls_left, title).save(diagram)
    if points:
        write_keeps(question, rank(analysis, points, left))
    else:
        write_turn(question, analysis, matrices=matrices)


def _pays(target: str) -> bool:
    """Tell whether a text says what pays, rather than what to end in."""
    return target == "sum" or target.endswith(".toml")


def _turn(question: TurnQuestion, *, enumerated: bool) -> "TurnProblem":
    """Return the turn; one that is not to be enumerated is on multisets."""
    from rollwise.prospects import multiset_turn, payoff_turn, target_pattern, target_turn

    target, faces, dice, rolls = question.target, question.faces, question.dice, question.rolls
    if _pays(target):
        return payoff_turn(target, faces=faces, dice=dice, rolls=rolls)
    if enumerated:
        return target_turn(target, faces=faces, dice=dice, rolls=rolls)
    pattern = target_pattern(target, faces=faces, dice=dice)
    return multiset_turn(pattern, faces=faces, dice=dice, rolls=rolls)


def _keeps(question: TurnQuestion, keeps: list[str]) -> "list[Point]":
    """Return the keeps that are asked about; none if it is the whole turn."""
    from rollwise.prospects import Multisets, keeps_within
    from rollwise.prospects.hands import check_within

    notation = Multisets(question.faces)
    points = [notation.parse(keep.removeprefix("keep ").strip()) for keep in keeps]
    for keep, point in zip(keeps, points, strict=True):
        if len(point) > question.dice:
            raise InputError(f"{keep!r} shows {len(point)} dice; expected at most {question.dice}")
    if question.hand is None:
        return points
    hand = notation.parse(question.hand)
    if len(hand) != question.dice:
        raise InputError(
            f"the hand {question.hand!r} shows {len(hand)} dice; expected {question.dice}"
        )
    for point in points:
        check_within(notation, point, hand)
    return points or keeps_within(hand)
