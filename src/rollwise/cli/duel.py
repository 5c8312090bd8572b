"""``rollwise duel``: win probabilities of two players who respond to each other."""

from __future__ import annotations

import contextlib
from typing import Annotated, Any

import typer

import rollwise
from rollwise.cli import flags
from rollwise.cli.common import console, headed, write_json
from rollwise.cli.lazy_imports import lazy_imports
from rollwise.cli.opponents import EXACT, answered, percent
from rollwise.cli.progress import progress
from rollwise.errors import counted
from rollwise.game.scorecard import describe_card

with lazy_imports():
    from rollwise.two_player import bounds as duel_bounds
    from rollwise.two_player import simulation
    from rollwise.two_player import size as duel_size

DIGITS = 8
"""The number of decimals of an exact probability in percent; its error is less than 1e-10."""

TIES_LOSE = "A tie counts as a loss for the player to move."

PLAYED = (
    "This game is too large for an exact solution, so the player is near-optimal. The play is "
    "exact "
    "from two open categories each; before, it uses the distributions of both final scores."
)


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
    games: Annotated[
        int,
        typer.Option(
            "--games", metavar="N", min=0, help="Also play N games against play for points."
        ),
    ] = 0,
    seed: flags.Seed = 0,
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

      rollwise duel --rules micro-yahtzee --games 10000

      rollwise duel --rules micro-yahtzee --card double=6 --opponent square=16 --json

      rollwise duel --rules yacht-openspiel --estimate

    Both players see both scorecards and play to win; a tie counts half. The value is the win
    probability of the player to move, before the roll. Small games and endgames are exact. For
    larger games the values are near-exact on a grid, or near-optimal; the output states the error.
    """
    game = rollwise.load_rules(rules)
    with contextlib.ExitStack() as stack:

        def advance(share: float) -> None:
            """Show a progress bar from the first report of the simulation."""
            if not bars:
                bars.append(stack.enter_context(progress(f"playing {game.name}", quiet)))
            bars[0](share)

        bars: list[Any] = []
        result = rollwise.duel(
            game,
            card or "-",
            opponent or "-",
            ties_lose=ties_lose,
            value_only=value_only,
            estimate=estimate,
            games=games,
            seed=seed,
            grid=grid,
            solve=lambda query: answered(query, game.name, quiet=quiet),
            progress=advance,
        )
    if as_json:
        write_json(result.as_dict())
        return
    if estimate:
        console().print(headed(game.title, f": {result.size}"))
        return
    solution, chances, simulated = result.solution, result.chances, result.against_points
    mine, other = result.card, result.opponent
    out = console()
    out.print(
        headed(game.title, f": your {describe_card(mine)}, the opponent's {describe_card(other)}")
    )
    if solution:
        each = chances._asdict() if chances else {}
        words = ", ".join(
            f"{name} {percent(share, solution, DIGITS)}" for name, share in each.items()
        )
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
    if simulated:
        _print_simulated(simulated)


def _print_simulated(result: simulation.AgainstPoints) -> None:
    """Print the results of playing to win against a player who maximizes points."""
    if result.mistakes is None:
        console().print(PLAYED)
    console().print(
        f"Playing to win against playing for points ({counted(result.games, 'game')} each way): "
        f"{_about(result.first, result.first_error)} when moving first, "
        f"{_about(result.second, result.second_error)} when moving second"
    )
    if result.mistakes is not None:
        console().print(
            f"Playing for points lowers the win probability in {result.mistakes:.2f} of "
            f"{result.decisions:.1f} decisions per game."
        )


def _about(share: float, error: float) -> str:
    return f"{100 * share:.3f}% (SE {100 * error:.3f}%)"
