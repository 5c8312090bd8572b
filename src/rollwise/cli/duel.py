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
"""Of exact probabilities in percent: their errors are less than 1e-10."""

TIES_LOSE = "A tie counts as a loss for the player to move."

PLAYED = (
    "Games too large to be kept whole are played near-optimally, not exactly: by the laws of both "
    "final scores, and exactly from two open boxes each on."
)


def duel(
    card: flags.Card = None,
    opponent: Annotated[
        str | None,
        typer.Option("--opponent", metavar="CARD", help="The other player's card; - for none."),
    ] = None,
    rules: flags.Rules = "yahtzee",
    ties_lose: Annotated[
        bool, typer.Option("--ties-lose", help="For the player to move a tie is as bad as a loss.")
    ] = False,
    value_only: Annotated[
        bool,
        typer.Option("--value-only", help="Without the chance of a tie: half the time and memory."),
    ] = False,
    size: Annotated[bool, typer.Option("--size", help="Only say what it would take.")] = False,
    games: Annotated[
        int,
        typer.Option(
            "--games",
            metavar="N",
            min=0,
            help="Also play so many against play for points.",
        ),
    ] = 0,
    seed: flags.Seed = 0,
    bracket: Annotated[
        bool,
        typer.Option("--bracket", help="Only an interval that holds the value, of any whole game."),
    ] = False,
    as_json: flags.Json = False,
    quiet: flags.Quiet = False,
) -> None:
    """Print the chances of the player to move when two play against each other, before the roll.

    [bold]Examples[/bold]

      rollwise duel --rules micro-yahtzee

      rollwise duel --rules micro-yahtzee --card double=6 --opponent square=16 --json

      rollwise duel --rules yacht-openspiel --size

      rollwise duel --rules micro-yahtzee --games 10000

      rollwise duel --rules crag --bracket

    The opponent has as many open boxes as the player to move, or one less if he moved first. Each
    of them sees both cards and plays to win; a tie counts as half a win. Small games are solved
    from the start; of the end of official Yahtzee seven open boxes take minutes, five take seconds.
    All of it has no room anywhere: of such games the chances are near-optimal, and it is said what
    is known of their error.

    With --bracket no game of two is solved: what a player can be sure of who looks at his own card
    alone, against one who knows beforehand what he will end with, bounds the value of the game from
    below, and by symmetry from above. With --games too narrower bounds, means over so many games
    of one who plays for points until few boxes are open, and then best, against whom a reply is
    told his game up to there and pays for what that tells.

    With --games the exact player also plays against one who plays for points, whole games, moving
    first and moving second; of a game that has no room, like all of Yahtzee, the near-optimal
    player does who is called duel at a table. Values along the way replace luck: errors are a
    hundredth of what counting wins would have, of the near-optimal player a twelfth in Yahtzee.
    """
    game = rollwise.load_rules(rules)
    mine, other = (rollwise.parse_card(game, text or "-") for text in (card, opponent))
    if (games or bracket) and (ties_lose or mine.filled or other.filled):
        raise InputError("--games or --bracket with a card or --ties-lose: expected neither")
    if bracket and (size or value_only):
        raise InputError("--bracket with --size or --value-only: expected neither")
    if bracket:
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
    if size:
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
            out.print(f"{EXACT} {solution.lanes:,} pairs of cards with a lead.")
        else:
            room = f"{duel_size.MAX_BYTES >> 30} GiB"
            out.print(str(solution))
            out.print(f"The exact answer takes {needs}; there is room for {room}.")
    if simulated:
        _print_simulated(simulated)


def _print_simulated(result: two_player.AgainstPoints) -> None:
    """Print the results of playing to win against a player who maximizes points."""
    mistakes = ""
    if result.mistakes is None:
        console().print(PLAYED)
    else:
        mistakes = (
            f"; he gives away chances in {result.mistakes:.2f} of {result.decisions:.1f} decisions "
            "a game"
        )
    console().print(
        f"against one who plays for points, {counted(result.games, 'game')} each way: moving first "
        f"{_about(result.first, result.first_error)}, moving second "
        f"{_about(result.second, result.second_error)}{mistakes}"
    )


def _about(share: float, error: float) -> str:
    return f"{100 * share:.3f} ± {100 * error:.3f} %"


def _print_bounds(
    rules: rollwise.Rules, games: int, seed: int, *, as_json: bool, quiet: bool
) -> None:
    """Print the bounds on the value to the first player: exact ones, and sampled ones if any."""
    if games == 1:
        raise InputError("--bracket with --games 1: expected at least 2, for an error")
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
    out.print("Exact bounds, not simulated, for the player to move first and for the other one.")
    if sampled := bounds.sampled:
        boxes = "1 open box" if sampled.boxes == 1 else f"{sampled.boxes} open boxes"
        out.print(
            f"With 99 % confidence between {100 * low:.3f} % and {100 * high:.3f} %.\n"
            f"Who plays for points, and best from {boxes} on, is sure of "
            f"{_about(sampled.first, sampled.first_error)} moving first, of "
            f"{_about(sampled.second, sampled.second_error)} moving second, against any reply "
            f"({counted(games, 'game')} each way)."
        )


def _share(share: float) -> str:
    return f"{100 * share:.6f} %"
