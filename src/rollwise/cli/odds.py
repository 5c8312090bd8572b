"""``rollwise odds``: the value of one turn with optimal play, and the best dice to keep.

``rollwise odds --simulate`` simulates fixed policies, and prints means with standard errors.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from rollwise.cli import flags
from rollwise.cli.common import console, write_json
from rollwise.cli.lazy_imports import lazy_imports
from rollwise.cli.odds_tables import TurnRequest, measure_of, write_columns, write_keeps, write_turn
from rollwise.cli.progress import progress
from rollwise.errors import InputError

with lazy_imports():
    from rollwise import decision_analysis


def odds(
    target: Annotated[
        str,
        typer.Argument(
            metavar="TARGET",
            help="The target: full-house, 3-of-a-kind, 4x6+, 'sum>=25', 00001, or sum.",
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
        typer.Option(
            metavar="N", min=2, help="Simulate N turns of a fixed policy, for large turns."
        ),
    ] = None,
    policy: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="With --simulate: a policy, such as all, commonest, pairs, 6, or 4+.",
            show_default="the best policy",
        ),
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
    category, a pattern such as 4x6 (four sixes) or straight-3, or a profile: 00001 counts singles,
    pairs, triples, and so on. For sum, the result is the expected sum of the dice.
    --simulate gives a lower bound for turns too large to solve.
    """
    keeps = [*(compare or []), *(more_keeps or [])]
    if more_keeps and not compare:
        raise InputError(f"Unexpected {more_keeps[0]!r}. Put --compare before the dice to keep.")
    if rolls_left is not None and hand is None and not keeps and diagram is None:
        raise InputError("--rolls-left needs --hand, --compare, or --plot. Add one of them.")
    if matrices and (hand is not None or keeps):
        raise InputError("--matrices describes a whole turn. Leave out --hand and --compare.")
    if simulate is None and policy is not None:
        raise InputError("--policy works only with --simulate. Add --simulate N.")
    if simulate is not None and (exact or matrices or diagram is not None):
        raise InputError(
            "--simulate cannot be combined with --exact, --matrices, or --plot. Choose one of them."
        )
    left = rolls - 1 if rolls_left is None else rolls_left
    question = TurnRequest(
        target,
        measure_of(target),
        faces,
        dice,
        rolls,
        hand,
        left,
        exact,
        as_json,
    )
    if simulate is not None:
        with progress("playing", quiet):
            result = _odds(question, keeps, simulate=simulate, policy=policy, seed=seed)
        _write_simulated(question, result, simulate, seed)
        return
    with progress("solving the turn", quiet):
        result = _odds(question, keeps)
    if diagram is not None:
        drawn = replace(question, hand=None, rolls_left=1 if rolls_left is None else rolls_left)
        title = f"{drawn.title}{drawn.current_roll}"
        decision_analysis.turn_picture(result.turn, drawn.rolls_left, title).save(diagram)
    if result.keeps:
        write_keeps(question, result.keeps)
    else:
        write_turn(question, result.turn, matrices=matrices)


def _odds(question: TurnRequest, keeps: list[str], **simulation: Any) -> decision_analysis.Odds:
    return decision_analysis.odds(
        question.target,
        question.faces,
        question.dice,
        question.rolls,
        hand=question.hand,
        rolls_left=question.rolls_left,
        compare=keeps,
        **simulation,
    )


def _write_simulated(
    question: TurnRequest, result: decision_analysis.Odds, games: int, seed: int
) -> None:
    """Print the simulated value of each policy, or of each set of dice to keep."""
    dice = f"{games:,} simulated turns each, seed {seed}"
    size = {"games": games, "seed": seed}
    if result.policy is None:
        title = f"{question.title} in {question.sizes}, {dice}"
        _write(question, title, "policy", result.estimates, size)
        return
    then = f", then {result.policy}" if question.rolls_left > 1 else ""
    title = f"{question.title}{question.current_roll}{then}, {dice}"
    now = {"hand": question.hand, "rolls_left": question.rolls_left, "policy": result.policy}
    _write(question, title, "keep", result.estimates, {**now, **size})


def _write(
    question: TurnRequest,
    title: str,
    kind: str,
    found: Mapping[str, decision_analysis.Estimate],
    more: Mapping[str, Any],
) -> None:
    best = decision_analysis.approximately_best(found)
    if question.as_json:
        rows = [
            {
                kind: name,
                question.measure: estimate.mean,
                "standard_error": estimate.standard_error,
                "interval": estimate.interval(),
                "may_be_best": name in best,
            }
            for name, estimate in found.items()
        ]
        write_json({**question.head, **more, f"{kind}s" if kind == "keep" else "policies": rows})
        return
    out = console()
    out.print(title)
    columns = [[kind], [question.heading], ["SE"], ["95% from"], ["to"], [""]]
    for name, estimate in found.items():
        numbers = (estimate.mean, estimate.standard_error, *estimate.interval())
        cells = [name, *(f"{x:.4g}" for x in numbers), "possibly best" if name in best else ""]
        for column, cell in zip(columns, cells, strict=True):
            column.append(cell)
    write_columns(out, columns)
    if kind == "policy" or question.rolls_left > 1:
        until = " until the target is reached" if question.measure == "chance" else ""
        out.print(
            f"\nEvery policy chooses the dice to keep by the same rule after each roll{until}."
        )
        out.print("Optimal play is at least as good.")
