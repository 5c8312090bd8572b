"""``rollwise duel``: win probabilities of two players who respond to each other."""

from __future__ import annotations

from typing import Annotated

import typer

import rollwise
from rollwise.cli import flags
from rollwise.cli.common import console, headed, write_json
from rollwise.cli.lazy_imports import lazy_imports
from rollwise.cli.opponents import EXACT, answered, percent
from rollwise.game.scorecard import describe_card

with lazy_imports():
    from rollwise.two_player import size as duel_size

DIGITS = 8
"""The number of decimals of an exact probability in percent; its error is less than 1e-10."""

TIES_LOSE = "A tie counts as a loss for the player to move."


def duel(
    card: flags.Card = None,
    opponent: Annotated[
        str | None,
        typer.Option(
            "--opponent", metavar="CARD", help="The opponent's scorecard; - if it is empty."
        ),
    ] = None,
    *,
    rules: flags.Rules,
    ties_lose: Annotated[
        bool, typer.Option("--ties-lose", help="Count a tie as a loss for the player to move.")
    ] = False,
    value_only: Annotated[
        bool,
        typer.Option("--value-only", help="Skip the tie probability: half the time and memory."),
    ] = False,
    estimate: Annotated[
        bool, typer.Option("--estimate", help="Only estimate the size and time of the solution.")
    ] = False,
    grid: Annotated[
        str,
        typer.Option(
            "--grid",
            metavar="GRID",
            help="auto, exact, or steps of a grid, such as difference=4,upper=8.",
        ),
    ] = "auto",
    as_json: flags.Json = False,
    quiet: flags.Quiet = False,
) -> None:
    """Compute the probability of winning a two-player game.

    [bold]Examples[/bold]

      rollwise duel --rules yatzy-forced-order

      rollwise duel --rules micro-yahtzee --card double=6 --opponent square=16 --json

      rollwise duel --rules yacht-openspiel --estimate

    Both players see both scorecards and play to win; a tie counts half. The value is the win
    probability of the player to move, before the roll. Small games and endgames are exact. For
    larger games the values are near-exact on a grid, or near-optimal; the output says which.
    """
    game = rollwise.load_rules(rules)
    result = rollwise.duel(
        game,
        card or "-",
        opponent or "-",
        ties_lose=ties_lose,
        value_only=value_only,
        estimate=estimate,
        grid=grid,
        solve=lambda query: answered(query, game.name, quiet=quiet),
    )
    if as_json:
        write_json(result.as_dict())
        return
    solution, out = result.solution, console()
    if solution is None:
        out.print(headed(game.title, f"{'' if result.exact else ', on a grid'}: {result.size}"))
        if not result.exact:
            out.print(f"Exact: {result.exact_size}")
        return
    mine, other = describe_card(result.card), describe_card(result.opponent)
    out.print(headed(game.title, f": your {mine}, the opponent's {other}"))
    each = result.chances._asdict() if result.chances else {}
    words = ", ".join(f"{name} {percent(share, solution, DIGITS)}" for name, share in each.items())
    out.print(
        f"value {percent(solution.value(), solution, DIGITS)}" + (f": {words}" if words else "")
    )
    if ties_lose:
        out.print(TIES_LOSE)
    if solution.exact:
        out.print(f"{EXACT} {solution.lanes:,} two-player states.")
    elif solution.grid:
        out.print(f"{solution} {solution.lanes:,} two-player states.")
    else:
        room = f"{duel_size.MAX_BYTES >> 30} GiB"
        out.print(str(solution))
        out.print(f"The exact answer needs {result.exact_size}; the limit is {room}.")
