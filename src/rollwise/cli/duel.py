"""``rollwise duel``: win probabilities of two players who respond to each other, and bounds."""

from dataclasses import asdict
from typing import Annotated, Any

import typer

from rollwise.cli import flags
from rollwise.cli.common import console, counted, headed, write_json
from rollwise.cli.opponents import EXACT, answered, percent
from rollwise.cli.progress import progress
from rollwise.errors import InputError
from rollwise.game.notation import format_card, parse_card
from rollwise.rules import Rules, load_rules
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.solver import Solver, solve
from rollwise.two_player.advice import exactness
from rollwise.two_player.bounds import SecurityLevels, exact_bounds, sampled_bounds
from rollwise.two_player.near_optimal import NearOptimal, can_estimate
from rollwise.two_player.simulation import AgainstPoints, against_points, long_against_points
from rollwise.two_player.size import MAX_BYTES
from rollwise.two_player.solution import DuelSolution, probabilities_as_dict
from rollwise.two_player.solver import DuelSolver
from rollwise.two_player.win_probability import UNLIMITED, WinQuestion

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
    game = load_rules(rules)
    mine, other = (parse_card(game, text or "-") for text in (card, opponent))
    if (games or bracket) and (ties_lose or mine.filled or other.filled):
        raise InputError("--games or --bracket with a card or --ties-lose: expected neither")
    if bracket and (size or value_only):
        raise InputError("--bracket with --size or --value-only: expected neither")
    if bracket:
        print_bounds(mine.rules, games, seed, as_json=as_json, quiet=quiet)
        return
    question = WinQuestion(
        DuelSolver(mine.rules),
        mine,
        other,
        UNLIMITED,
        tie=0.0 if ties_lose else 0.5,
        ties=not value_only,
        on_disk=games > 0,
    )
    result: dict[str, Any] = {
        "rules": mine.rules.name,
        "card": format_card(mine),
        "opponent": format_card(other),
        "ties_lose": ties_lose,
    }
    needs = question.size
    if size:
        if as_json:
            write_json(result | vars(needs))
        else:
            console().print(headed(mine.rules.title, f": {needs}"))
        return
    # Solved first: tables that are saved later may make the cache delete layers.
    points = solve(mine.rules, moments=not needs.fits) if games else None
    solution = None
    if needs.fits or not games or can_estimate(mine.rules):
        solution = answered(question, mine.rules.name, quiet=quiet)
    simulated = _against_points(solution, points, games, seed, quiet=quiet) if points else None
    chances = solution.chances() if solution and not value_only else None
    if as_json:
        value = {"value": solution.value() if solution else None, **probabilities_as_dict(chances)}
        also = {"against_points": asdict(simulated)} if simulated else {}
        write_json(result | value | exactness(solution) | also)
        return
    out = console()
    out.print(headed(mine.rules.title, f": card {result['card']} against {result['opponent']}"))
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
            out.print(str(solution))
            out.print(f"The exact answer takes {needs}; there is room for {MAX_BYTES >> 30} GiB.")
    if simulated:
        _print_simulated(simulated)


def _against_points(
    solution: DuelSolution | NearOptimal | None,
    points: CardSolution,
    games: int,
    seed: int,
    *,
    quiet: bool,
) -> AgainstPoints:
    """Simulate the exact player if there is one, and the near-optimal player otherwise."""
    with progress(f"playing {points.rules.name}", quiet) as advance:
        if solution and solution.exact:
            return against_points(solution, points, games, seed, advance)
        return long_against_points(points, games, seed, advance)


def _print_simulated(result: AgainstPoints) -> None:
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


def print_bounds(rules: Rules, games: int, seed: int, *, as_json: bool, quiet: bool) -> None:
    """Print the bounds on the value to the first player: exact ones, and sampled ones if any."""
    if games == 1:
        raise InputError("--bracket with --games 1: expected at least 2, for an error")
    with progress(f"solving {rules.name} against one who knows the score", quiet) as advance:
        low, high = exact_bounds(Solver(rules, progress=advance))
    sampled = _sampled(rules, games, seed, quiet) if games else None
    # Exact bounds limit the confidence interval.
    interval = [min(max(end, low), high) for end in sampled.interval] if sampled else []
    if as_json:
        also: dict[str, Any] = {}
        if sampled:
            ends = dict(zip(("low", "high"), interval, strict=True))
            also["of_games"] = asdict(sampled) | ends
        write_json({"rules": rules.name, "low": low, "high": high} | also)
        return
    out = console()
    out.print(headed(rules.title, f": value between {_share(low)} and {_share(high)}"))
    out.print("Exact bounds, not simulated, for the player to move first and for the other one.")
    if sampled:
        low, high = interval
        boxes = "1 open box" if sampled.boxes == 1 else f"{sampled.boxes} open boxes"
        out.print(
            f"With 99 % confidence between {100 * low:.3f} % and {100 * high:.3f} %.\n"
            f"Who plays for points, and best from {boxes} on, is sure of "
            f"{_about(sampled.first, sampled.first_error)} moving first, of "
            f"{_about(sampled.second, sampled.second_error)} moving second, against any reply "
            f"({counted(games, 'game')} each way)."
        )


def _sampled(rules: Rules, games: int, seed: int, quiet: bool) -> SecurityLevels:
    with progress(f"replying to {counted(games, 'game')} of {rules.name}", quiet) as advance:
        return sampled_bounds(solve(rules), games, seed, progress=advance)


def _share(share: float) -> str:
    return f"{100 * share:.6f} %"
