"""``rollwise duel``: the chances of two players who answer each other.

``rollwise duel --bracket``: between what the value of a game of two lies, of any size.
"""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rollwise.cli import flags
from rollwise.cli.common import console, counted, headed, write_json
from rollwise.cli.duel_chances import EXACT, as_dict, found, how_known, percent
from rollwise.cli.progress import progress
from rollwise.errors import InputError

if TYPE_CHECKING:
    from rollwise.solving.card_solution import CardSolution
    from rollwise.two_player.near_optimal import NearOptimal
    from rollwise.two_player.simulation import AgainstPoints
    from rollwise.two_player.solution import DuelSolution
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rollwise.rules import Rules
    from rollwise.two_player.sampled_bounds import SecurityLevels


DIGITS = 8
"""Of exact chances in percent: they are true to 1e-10."""

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
    from rollwise.game.notation import format_card, parse_card
    from rollwise.rules import load_rules
    from rollwise.solving.solver import solve
    from rollwise.two_player.near_optimal import can_be_told
    from rollwise.two_player.size import MAX_BYTES
    from rollwise.two_player.solver import DuelSolver

    game = load_rules(rules)
    mine, other = (parse_card(game, text or "-") for text in (card, opponent))
    if (games or bracket) and (ties_lose or mine.filled or other.filled):
        raise InputError("--games or --bracket with a card or --ties-lose: expected neither")
    if bracket and (size or value_only):
        raise InputError("--bracket with --size or --value-only: expected neither")
    if bracket:
        print_bracket(mine.rules, games, seed, as_json=as_json, quiet=quiet)
        return
    solver = DuelSolver(mine.rules)
    told: dict[str, Any] = {
        "rules": mine.rules.name,
        "card": format_card(mine),
        "opponent": format_card(other),
        "ties_lose": ties_lose,
    }
    needs = solver.size(mine, other, ties=not value_only, on_disk=games > 0)
    if size:
        if as_json:
            write_json(told | vars(needs))
        else:
            console().print(headed(mine.rules.title, f": {needs}"))
        return
    # Solved first: whatever is kept later may cost layers room.
    points = solve(mine.rules, moments=not needs.fits) if games else None
    known = None
    if needs.fits or not games or can_be_told(mine.rules):
        known = found(
            solver,
            mine,
            other,
            needs,
            tie=0.0 if ties_lose else 0.5,
            ties=not value_only,
            on_disk=games > 0,
            quiet=quiet,
        )
    fares = _against_points(known, points, games, seed, quiet=quiet) if points else None
    chances = known.chances() if known and not value_only else None
    if as_json:
        shares = {"value": known.value() if known else None, **as_dict(chances)}
        also = {"against_points": asdict(fares)} if fares else {}
        write_json(told | shares | how_known(known) | also)
        return
    out = console()
    out.print(headed(mine.rules.title, f": card {told['card']} against {told['opponent']}"))
    if known:
        each = chances._asdict() if chances else {}
        words = ", ".join(f"{name} {percent(share, known, DIGITS)}" for name, share in each.items())
        value = percent(known.value(), known, DIGITS)
        out.print(f"value {value}" + (f": {words}" if words else ""))
        if ties_lose:
            out.print(TIES_LOSE)
        if known.exact:
            out.print(f"{EXACT} {known.lanes:,} pairs of cards with a lead.")
        else:
            out.print(str(known))
            out.print(f"The exact answer takes {needs}; there is room for {MAX_BYTES >> 30} GiB.")
    if fares:
        _print_fares(fares)


def _against_points(
    known: "DuelSolution | NearOptimal | None",
    points: "CardSolution",
    games: int,
    seed: int,
    *,
    quiet: bool,
) -> "AgainstPoints":
    """Return how one who plays to win fares against one who plays for points.

    He is the exact player where there is one, else the near-optimal one.
    """
    from rollwise.two_player.simulation import against_points, long_against_points

    with progress(f"playing {points.rules.name}", quiet) as advance:
        if known and known.exact:
            return against_points(known, points, games, seed, advance)
        return long_against_points(points, games, seed, advance)


def _print_fares(fares: "AgainstPoints") -> None:
    """Print how one who plays to win fares against one who plays for points."""
    mistakes = ""
    if fares.mistakes is None:
        console().print(PLAYED)
    else:
        mistakes = (
            f"; he gives away chances in {fares.mistakes:.2f} of {fares.decisions:.1f} decisions "
            "a game"
        )
    console().print(
        f"against one who plays for points, {counted(fares.games, 'game')} each way: moving first "
        f"{_about(fares.first, fares.first_error)}, moving second "
        f"{_about(fares.second, fares.second_error)}{mistakes}"
    )


def _about(share: float, error: float) -> str:
    return f"{100 * share:.3f} ± {100 * error:.3f} %"


def print_bracket(rules: "Rules", games: int, seed: int, *, as_json: bool, quiet: bool) -> None:
    """Print the bounds of the value to who moves first, exact ones, and of games if any."""
    from rollwise.solving.solver import Solver
    from rollwise.two_player.bounds import bracket

    if games == 1:
        raise InputError("--bracket with --games 1: expected at least 2, for an error")
    with progress(f"solving {rules.name} against one who knows the score", quiet) as advance:
        low, high = bracket(Solver(rules, progress=advance))
    sure = _sure(rules, games, seed, quiet) if games else None
    # What is certain bounds what is so with confidence alone.
    likely = [min(max(end, low), high) for end in sure.interval] if sure else []
    if as_json:
        also: dict[str, Any] = {}
        if sure:
            also["of_games"] = asdict(sure) | dict(zip(("low", "high"), likely, strict=True))
        write_json({"rules": rules.name, "low": low, "high": high} | also)
        return
    out = console()
    out.print(headed(rules.title, f": value between {_share(low)} and {_share(high)}"))
    out.print("Exact bounds, not simulated, for the player to move first and for the other one.")
    if sure:
        low, high = likely
        boxes = "1 open box" if sure.boxes == 1 else f"{sure.boxes} open boxes"
        out.print(
            f"With 99 % confidence between {100 * low:.3f} % and {100 * high:.3f} %.\n"
            f"Who plays for points, and best from {boxes} on, is sure of "
            f"{_about(sure.first, sure.first_error)} moving first, of "
            f"{_about(sure.second, sure.second_error)} moving second, against any reply "
            f"({counted(games, 'game')} each way)."
        )


def _sure(rules: "Rules", games: int, seed: int, quiet: bool) -> "SecurityLevels":
    from rollwise.solving.solver import solve
    from rollwise.two_player.sampled_bounds import sure_chances

    with progress(f"replying to {counted(games, 'game')} of {rules.name}", quiet) as advance:
        return sure_chances(solve(rules), games, seed, progress=advance)


def _share(share: float) -> str:
    return f"{100 * share:.6f} %"
