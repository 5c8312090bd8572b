"""``rollwise duel``: win probabilities of two players who respond to each other, and bounds."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

import typer

import rollwise
from rollwise import two_player
from rollwise.cli import flags
from rollwise.cli.common import console, counted, headed, write_json
from rollwise.cli.lazy_imports import lazy_imports
from rollwise.cli.opponents import EXACT, answered, percent
from rollwise.cli.progress import progress
from rollwise.errors import InputError

with lazy_imports():
    from rollwise.two_player import size as duel_size

DIGITS = 8
"""Decimals of exact probabilities in percent, whose errors are less than 1e-10."""

TIES_LOSE = "A tie counts as a loss for the player to move."

PLAYED = (
    "This game is too large for an exact solution, so the player is near-optimal: exact from two "
    "open categories each, and before that guided by the distributions of both final scores."
)


def duel(
    card: flags.Card = None,
    opponent: Annotated[
        str | None,
        typer.Option("--opponent", metavar="CARD", help="The opponent's card; - for an empty one."),
    ] = None,
    rules: flags.Rules = "yahtzee",
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
    bounds: Annotated[
        bool,
        typer.Option("--bounds", help="Only bound the value, for a whole game of any size."),
    ] = False,
    as_json: flags.Json = False,
    quiet: flags.Quiet = False,
) -> None:
    """Compute the probability of winning a two-player game.

    [bold]Examples[/bold]

      rollwise duel --rules micro-yahtzee --games 10000

      rollwise duel --rules micro-yahtzee --card double=6 --opponent square=16 --json

      rollwise duel --rules yacht-openspiel --estimate

      rollwise duel --rules crag --bounds

    Both players see both cards and play to win; a tie counts half. The value is the win
    probability of the player to move, before the roll. Small games and endgames are exact. For
    larger games the play is near-optimal, and the output states its error.
    """
    game = rollwise.load_rules(rules)
    mine, other = (rollwise.parse_card(game, text or "-") for text in (card, opponent))
    if (games or bounds) and (ties_lose or mine.filled or other.filled):
        raise InputError(
            "--games and --bounds are for whole games. Leave out --card, --opponent, and "
            "--ties-lose."
        )
    if bounds and (estimate or value_only):
        raise InputError(
            "--bounds cannot be combined with --estimate or --value-only. Choose one of them."
        )
    if bounds:
        _print_bounds(game, games, seed, as_json=as_json, quiet=quiet)
        return
    question = two_player.WinQuery(
        two_player.DuelSolver(game),
        mine,
        other,
        two_player.UNLIMITED,
        tie=0.0 if ties_lose else 0.5,
        ties=not value_only,
        on_disk=games > 0,
    )
    result: dict[str, Any] = {
        "rules": game.name,
        "card": rollwise.format_card(mine),
        "opponent": rollwise.format_card(other),
        "ties_lose": ties_lose,
    }
    needs = question.size
    if estimate:
        if as_json:
            write_json(result | vars(needs))
        else:
            console().print(headed(game.title, f": {needs}"))
        return
    simulated = None
    if games:
        with progress(f"playing {game.name}", quiet) as advance:
            simulated = two_player.play_against_points(question, games, seed, advance)
    solution = None
    if question.has_answer or not games:
        solution = answered(question, game.name, quiet=quiet)
    chances = solution.chances() if solution and not value_only else None
    if as_json:
        value = {
            "value": solution.value() if solution else None,
            **two_player.probabilities_as_dict(chances),
        }
        also = {"against_points": asdict(simulated)} if simulated else {}
        write_json(result | value | two_player.exactness(solution) | also)
        return
    out = console()
    out.print(headed(game.title, f": card {result['card']} against {result['opponent']}"))
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
        else:
            room = f"{duel_size.MAX_BYTES >> 30} GiB"
            out.print(str(solution))
            out.print(f"The exact answer needs {needs}; the limit is {room}.")
    if simulated:
        _print_simulated(simulated)


def _print_simulated(result: two_player.AgainstPoints) -> None:
    """Print the results of playing to win against a player who maximizes points."""
    mistakes = ""
    if result.mistakes is None:
        console().print(PLAYED)
    else:
        mistakes = (
            f"; play for points loses winning chances in {result.mistakes:.2f} of "
            f"{result.decisions:.1f} decisions per game"
        )
    console().print(
        f"value against play for points, {counted(result.games, 'game')} each way: moving first "
        f"{_about(result.first, result.first_error)}, moving second "
        f"{_about(result.second, result.second_error)}{mistakes}"
    )


def _about(share: float, error: float) -> str:
    return f"{100 * share:.3f}% (SE {100 * error:.3f}%)"


def _print_bounds(
    rules: rollwise.Rules, games: int, seed: int, *, as_json: bool, quiet: bool
) -> None:
    """Print the bounds on the value to the first player: exact ones, and sampled ones if any."""
    if games == 1:
        raise InputError(
            "--bounds needs at least 2 games for an SE. Use --games 2 or more, or leave it out."
        )
    with progress(f"bounding the value of {rules.name}", quiet) as advance:
        bounds = two_player.value_bounds(rules, games, seed, advance)
    low, high = bounds.interval
    if as_json:
        also: dict[str, Any] = {}
        if bounds.sampled:
            also["of_games"] = asdict(bounds.sampled) | {"low": low, "high": high}
        write_json({"rules": rules.name, "low": bounds.low, "high": bounds.high} | also)
        return
    out = console()
    between = f"{_share(bounds.low)} and {_share(bounds.high)}"
    out.print(headed(rules.title, f": value between {between}"))
    out.print("Both bounds are exact. They hold for the player who moves first.")
    if sampled := bounds.sampled:
        number = "1 open category" if sampled.boxes == 1 else f"{sampled.boxes} open categories"
        out.print(
            f"With 99% confidence, the value is between {100 * low:.3f}% and {100 * high:.3f}%.\n"
            "A player who plays for points until "
            f"{number} {'is' if sampled.boxes == 1 else 'are'} left, and then optimally, wins "
            f"at least {_about(sampled.first, sampled.first_error)} moving first and "
            f"{_about(sampled.second, sampled.second_error)} moving second against any opponent "
            f"({counted(games, 'game')} each way)."
        )


def _share(share: float) -> str:
    return f"{100 * share:.6f}%"
