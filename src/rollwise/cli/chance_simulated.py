"""``rollwise chance --simulate``: turns played by fixed policies, and how well that tells."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rollwise.cli.chance_tables import TurnQuestion, write_columns
from rollwise.cli.common import console, write_json
from rollwise.cli.progress import progress

if TYPE_CHECKING:
    from rollwise.prospects import Estimate, TurnProblem
    from rollwise.prospects.dice_graph import Point


@dataclass(frozen=True)
class Sampling:
    """How to simulate.

    Attributes
    ----------
    number
        How many games to play of each policy or keep.
    seed
        The seed of their dice.
    policy
        The policy to play by; None for the best of those that have names.
    quiet
        Whether to show no progress.
    """

    number: int
    seed: int
    policy: str | None
    quiet: bool

    @property
    def text(self) -> str:
        """How that was, in words."""
        return f"simulated in {self.number:,} games each, seed {self.seed}"


def write_policies(question: TurnQuestion, turn: "TurnProblem", games: Sampling) -> None:
    """Write what a policy is worth, or the best of all that have names."""
    with progress("playing", games.quiet):
        found = _policies(question, turn, games)
    title = f"{question.title} in {question.sizes}, {games.text}"
    _write(question, title, "policy", found, {"games": games.number, "seed": games.seed})


def write_simulated_keeps(
    question: TurnQuestion, turn: "TurnProblem", keeps: "Sequence[Point]", games: Sampling
) -> None:
    """Write what keeps are worth if a policy follows, as it does with more than one roll left."""
    from rollwise.prospects import Multisets, parse_policy, simulate_turn

    with progress("playing", games.quiet):
        policy = games.policy or next(iter(_policies(question, turn, games)))
        follow = parse_policy(policy, question.faces)
        found = {
            f"keep {Multisets(question.faces).format(keep)}": simulate_turn(
                turn,
                follow,
                games.number,
                games.seed,
                keep=keep,
                rolls_left=question.rolls_left,
                is_share=question.measure == "chance",
            )
            for keep in keeps
        }
    found = dict(sorted(found.items(), key=lambda item: -item[1].mean))
    then = f", then {policy}" if question.rolls_left > 1 else ""
    title = f"{question.title}{question.situation}{then}, {games.text}"
    now = {"hand": question.hand, "rolls_left": question.rolls_left, "policy": policy}
    _write(question, title, "keep", found, {**now, "games": games.number, "seed": games.seed})


def _policies(
    question: TurnQuestion, turn: "TurnProblem", games: Sampling
) -> "Mapping[str, Estimate]":
    from rollwise.prospects import compare_policies, parse_policy, simulate_turn

    share = question.measure == "chance"
    if games.policy is None:
        return compare_policies(turn, games.number, games.seed, is_share=share)
    policy = parse_policy(games.policy, question.faces)
    estimate = simulate_turn(turn, policy, games.number, games.seed, is_share=share)
    return {games.policy: estimate}


def _write(
    question: TurnQuestion,
    title: str,
    kind: str,
    found: "Mapping[str, Estimate]",
    more: Mapping[str, Any],
) -> None:
    from rollwise.prospects import approximately_best

    best = approximately_best(found)
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
