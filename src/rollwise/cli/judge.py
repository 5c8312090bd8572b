"""``rollwise judge``: the EV loss of an agent by kind of decision, turn, and category."""

from __future__ import annotations

from typing import Annotated

import typer

import rollwise
from rollwise.cli import flags
from rollwise.cli.common import console, empty_table, headed, player, write_json
from rollwise.cli.lazy_imports import lazy_imports
from rollwise.cli.progress import progress
from rollwise.rules import load_rules

with lazy_imports():
    from rollwise.experiments import losses
    from rollwise.solving import objectives


def judge(
    agent: Annotated[
        str,
        typer.Argument(
            metavar="AGENT",
            help="FILE.py:NAME, a class, or a player that the file makes; FILE.py alone: what it "
            "calls agent. Or the name of a strategy.",
        ),
    ],
    games: Annotated[
        int, typer.Option("--games", metavar="N", min=2, help="How many games it plays.")
    ] = 1000,
    seed: flags.Seed = 0,
    rules: flags.Rules = "yahtzee",
    as_json: flags.Json = False,
    quiet: flags.Quiet = False,
) -> None:
    """Judge an agent by its decisions: points lost a game, by kind of decision, by turn, by box.

    [bold]Examples[/bold]

      rollwise judge one-page --games 200

      rollwise judge agent.py --rules crag

      rollwise judge greedy --rules crag --json

    The loss of a decision is the value of the best option less that of the choice; their mean a
    game is what the agent is worth less than the optimum. Luck has little to do with it: the games
    are told for which scores alone would be as precise. An agent is a strategy, also one around a
    network: rollwise.learning.Agent.
    """
    game = load_rules(rules)
    strategy = player(f"{agent}:agent" if agent.endswith(".py") else agent, game, quiet=quiet)
    with progress(f"solving {game.name}", quiet) as advance:
        solution = rollwise.solve(game, objectives.EXPECTED, progress=advance)
    with progress("playing", quiet) as advance:
        result = losses.evaluate_agent(strategy, solution, games, seed, progress=advance)
    if as_json:
        write_json(result.as_dict())
    else:
        _print(result)


def _print(result: losses.AgentEvaluation) -> None:
    out, lost = console(), result.losses
    out.print(headed(f"{result.agent}, {result.rules.title}", f", {lost.games:,} games\n"))
    out.print(f"loses {lost.total:.2f} ± {lost.error:.2f} points a game by its decisions")
    out.print(f"is worth {result.worth:.2f} ± {lost.error:.2f}, the optimum {result.optimum:.2f}")
    as_many = f"{result.raw_games:,} games" if result.raw_games else "no number of games"
    out.print(
        f"scored {result.raw_mean:.2f} ± {result.raw_error:.2f}; {as_many} would tell as much"
    )
    out.print()
    table = empty_table("decision", ">lost")
    for name, points in lost.by_decision(result.rules).items():
        table.add_row(name, f"{points:.2f}")
    out.print(table)
    out.print()
    table = empty_table("turn", ">lost")
    for turn, points in enumerate(lost.by_turn_T_J.sum(axis=1), start=1):
        table.add_row(str(turn), f"{points:.2f}")
    out.print(table)
    out.print()
    table = empty_table("box that the turn ended in", ">lost")
    for category, points in zip(result.rules.categories, lost.by_category_K, strict=True):
        table.add_row(category.title, f"{points:.2f}")
    out.print(table)
