"""``rollwise chance``: the value of one turn with optimal play, and the best dice to keep.

``rollwise chance --simulate`` simulates fixed policies, and prints means with standard errors.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from rollwise.cli import flags
from rollwise.cli.chance_tables import TurnRequest, write_columns, write_keeps, write_turn
from rollwise.cli.common import console, write_json
from rollwise.cli.lazy_imports import lazy_imports
from rollwise.cli.progress import progress
from rollwise.errors import InputError

with lazy_imports():
    from rollwise import decision_analysis
    from rollwise.decision_analysis import keep_ranking


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
    question = TurnRequest(
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
        analysis = decision_analysis.analyze_turn(turn)
    if diagram is not None:
        drawn = replace(question, hand=None, rolls_left=1 if rolls_left is None else rolls_left)
        title = f"{drawn.title}{drawn.joker_state}"
        decision_analysis.turn_picture(analysis, drawn.rolls_left, title).save(diagram)
    if points:
        write_keeps(question, decision_analysis.rank(analysis, points, left))
    else:
        write_turn(question, analysis, matrices=matrices)


def _pays(target: str) -> bool:
    """Return whether the argument names a payoff instead of a target."""
    return target == "sum" or target.endswith(".toml")


def _turn(question: TurnRequest, *, enumerated: bool) -> decision_analysis.TurnProblem:
    """Return the turn problem; if it is not enumerated, it can only be simulated."""
    target, faces, dice, rolls = question.target, question.faces, question.dice, question.rolls
    if _pays(target):
        return decision_analysis.payoff_turn(target, faces=faces, dice=dice, rolls=rolls)
    if enumerated:
        return decision_analysis.target_turn(target, faces=faces, dice=dice, rolls=rolls)
    pattern = decision_analysis.target_pattern(target, faces=faces, dice=dice)
    return decision_analysis.multiset_turn(pattern, faces=faces, dice=dice, rolls=rolls)


def _keeps(question: TurnRequest, keeps: list[str]) -> list[tuple[int, ...]]:
    """Return the sets of dice to keep that the user asks about; empty for the whole turn."""
    notation = decision_analysis.Multisets(question.faces)
    points = [notation.parse(keep.removeprefix("keep ").strip()) for keep in keeps]
    for keep, point in zip(keeps, points, strict=True):
        if len(point) > question.dice:
            raise InputError(f"{keep!r} shows {len(point)} dice; expected at most {question.dice}")
    if question.hand is None:
        return points
    roll = notation.parse(question.hand)
    if len(roll) != question.dice:
        raise InputError(
            f"the hand {question.hand!r} shows {len(roll)} dice; expected {question.dice}"
        )
    for point in points:
        keep_ranking.check_within(notation, point, roll)
    return points or decision_analysis.keeps_within(roll)


@dataclass(frozen=True)
class Sampling:
    """Settings of a simulation.

    Attributes
    ----------
    number
        Number of simulated turns for each policy or set of dice to keep.
    seed
        Seed of the dice.
    policy
        Name of the policy; None for the best named policy.
    quiet
        Whether to hide the progress bar.
    """

    number: int
    seed: int
    policy: str | None
    quiet: bool

    @property
    def text(self) -> str:
        """The number of simulations and the seed in words."""
        return f"simulated in {self.number:,} games each, seed {self.seed}"


def write_policies(
    question: TurnRequest, turn: decision_analysis.TurnProblem, games: Sampling
) -> None:
    """Print the simulated value of a policy, or of all named policies."""
    with progress("playing", games.quiet):
        estimates = _policies(question, turn, games)
    title = f"{question.title} in {question.sizes}, {games.text}"
    _write(question, title, "policy", estimates, {"games": games.number, "seed": games.seed})


def write_simulated_keeps(
    question: TurnRequest,
    turn: decision_analysis.TurnProblem,
    keeps: Sequence[tuple[int, ...]],
    games: Sampling,
) -> None:
    """Print the simulated value of each set of dice to keep, with a policy for later rerolls."""
    with progress("playing", games.quiet):
        policy = games.policy or next(iter(_policies(question, turn, games)))
        follow = decision_analysis.parse_policy(policy, question.faces)
        names = decision_analysis.Multisets(question.faces)
        estimates = {
            f"keep {names.format(keep)}": decision_analysis.simulate_turn(
                turn,
                follow,
                games.number,
                games.seed,
                keep=keep,
                rolls_left=question.rolls_left,
                is_probability=question.measure == "chance",
            )
            for keep in keeps
        }
    estimates = dict(sorted(estimates.items(), key=lambda item: -item[1].mean))
    then = f", then {policy}" if question.rolls_left > 1 else ""
    title = f"{question.title}{question.joker_state}{then}, {games.text}"
    now = {"hand": question.hand, "rolls_left": question.rolls_left, "policy": policy}
    _write(question, title, "keep", estimates, {**now, "games": games.number, "seed": games.seed})


def _policies(
    question: TurnRequest, turn: decision_analysis.TurnProblem, games: Sampling
) -> Mapping[str, decision_analysis.Estimate]:
    is_probability = question.measure == "chance"
    if games.policy is None:
        return decision_analysis.compare_policies(
            turn, games.number, games.seed, is_probability=is_probability
        )
    policy = decision_analysis.parse_policy(games.policy, question.faces)
    estimate = decision_analysis.simulate_turn(
        turn, policy, games.number, games.seed, is_probability=is_probability
    )
    return {games.policy: estimate}


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
    columns = [[kind], [question.measure], ["± error"], ["95 % from"], ["to"], [""]]
    for name, estimate in found.items():
        numbers = (estimate.mean, estimate.standard_error, *estimate.interval())
        cells = [name, *(f"{x:.4g}" for x in numbers), "may be best" if name in best else ""]
        for column, cell in zip(columns, cells, strict=True):
            column.append(cell)
    write_columns(out, columns)
    if kind == "policy" or question.rolls_left > 1:
        until = " until the target is there" if question.measure == "chance" else ""
        out.print(f"\nA policy keeps such dice after every roll{until}.")
        out.print("Best play is worth as much or more.")
