"""``rollwise duel``: the chances of two players who answer each other; and advice against one."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rollwise.cli import flags
from rollwise.cli.common import console, counted, empty_table, headed, write_json
from rollwise.cli.duel_bracket import print_bracket
from rollwise.cli.progress import progress
from rollwise.errors import InputError

if TYPE_CHECKING:
    from rollwise.game.position import Position
    from rollwise.game.scorecard import Scorecard
    from rollwise.laboratory.duel_games import AgainstPoints
    from rollwise.rules import Rules
    from rollwise.solving.card_solution import CardSolution
    from rollwise.solving.duel.chances import Chances
    from rollwise.solving.duel.solution import DuelOption, DuelSolution
    from rollwise.solving.duel.solver import DuelSolver

DUEL = "duel"
"""How an opponent plays who answers."""

PATIENCE = 10.0
"""Seconds from which on it is said beforehand what a solution takes."""

EXACT = "Exact, not simulated: each of both plays to win, and knows that the other does."


NEAR_OPTIMAL = (
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
    from the start. All of official Yahtzee has no room anywhere; of its end seven open boxes take
    minutes, five take seconds.

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
    from rollwise.solving.duel.size import MAX_BYTES
    from rollwise.solving.duel.solver import DuelSolver
    from rollwise.solving.solver import solve

    game = load_rules(rules)
    mine, other = (parse_card(game, text or "-") for text in (card, opponent))
    if (games or bracket) and (ties_lose or mine.filled or other.filled):
        raise InputError("--games or --bracket with a card or --ties-lose: expected neither")
    if bracket:
        print_bracket(mine.rules, games, seed, as_json=as_json, quiet=quiet)
        return
    solver = DuelSolver(mine.rules)
    told: dict[str, Any] = {
        "rules": mine.rules.name,
        "card": format_card(mine),
        "opponent": format_card(other),
    }
    needs = solver.size(mine, other, ties=not value_only, on_disk=games > 0)
    if size:
        if as_json:
            write_json(told | vars(needs))
        else:
            console().print(headed(mine.rules.title, f": {needs}"))
        return
    if games and needs.bytes > MAX_BYTES:
        _print_near_optimal(told, mine.rules, games, seed, as_json=as_json, quiet=quiet)
        return
    points = solve(mine.rules) if games else None  # whatever is kept later may cost layers room
    tie = 0.0 if ties_lose else 0.5
    solution = solved(
        solver, mine, other, tie=tie, ties=not value_only, on_disk=games > 0, quiet=quiet
    )
    chances = solution.chances()
    fares = _against_points(solution, points, games, seed, quiet=quiet) if points else None
    if as_json:
        also = {"against_points": asdict(fares)} if fares else {}
        write_json(told | {"value": solution.value(), **_as_dict(chances), "exact": True} | also)
        return
    out = console()
    out.print(headed(mine.rules.title, f": card {told['card']} against {told['opponent']}"))
    out.print(f"value {_share(solution.value())}" + (f": {_in_words(chances)}" if chances else ""))
    out.print(f"{EXACT} {solution.lanes:,} pairs of cards with a lead.")
    if fares:
        _print_fares(fares)


def advise_duel(
    position: "Position", opponent: "Scorecard", top: int | None, *, as_json: bool, quiet: bool
) -> None:
    """Say what to do with a roll against one opponent who answers."""
    from rollwise.game.notation import format_action, format_card, format_position
    from rollwise.solving.duel.solver import DuelSolver

    rules = position.rules
    solution = solved(DuelSolver(rules), position, opponent, quiet=quiet)
    options = solution.options(position)
    if as_json:
        write_json(
            {
                "rules": rules.name,
                "objective": "beat",
                "position": format_position(position),
                "opponents": [{"card": format_card(opponent), "plays": DUEL}],
                "exact": True,
                "options": [_option_as_dict(rules, option) for option in options[:top]],
            }
        )
        return
    out = console()
    out.print(headed(rules.title, f": {position}"))
    out.print(f"against {format_card(opponent)}, who answers")
    out.print()
    table = empty_table("option", ">value", ">win", ">tie", ">loss")
    for option in options[:top]:
        numbers = (option.value, *(option.chances or ()))
        name, style = format_action(rules, option.action), "green" if option.best else None
        table.add_row(name, *map(_share, numbers), style=style)
    out.print(table)
    hidden = len(options) - len(options[:top])
    if hidden:
        out.print(f"… and {hidden} more")
    out.print()
    out.print(EXACT)


def solved(
    solver: "DuelSolver",
    card: "Scorecard | Position",
    opponent: "Scorecard",
    *,
    tie: float = 0.5,
    ties: bool = True,
    on_disk: bool = False,
    quiet: bool,
) -> "DuelSolution":
    """Return the solution, with what it takes on stderr if that is long, and progress."""
    found = None if on_disk else solver.kept(card, opponent, tie=tie, ties=ties)
    if found is not None:
        return found
    needs = solver.size(card, opponent, ties=ties, on_disk=on_disk)
    needs.check(solver.rules.name)
    if needs.seconds >= PATIENCE and not quiet:
        typer.echo(f"{solver.rules.name}: {needs}", err=True)
    with progress(f"solving {solver.rules.name} for two", quiet) as advance:
        return solver.solve(card, opponent, tie=tie, ties=ties, on_disk=on_disk, progress=advance)


def _print_near_optimal(
    told: dict[str, Any], rules: "Rules", games: int, seed: int, *, as_json: bool, quiet: bool
) -> None:
    """Print how the near-optimal player of a game too large to be solved fares."""
    from rollwise.laboratory.long_duels import long_against_points
    from rollwise.solving.solver import solve

    points = solve(rules, moments=True)
    with progress(f"playing {rules.name}", quiet) as advance:
        fares = long_against_points(points, games, seed, advance)
    if as_json:
        unknown = {"value": None, **_as_dict(None), "exact": False}
        write_json(told | unknown | {"against_points": asdict(fares)})
        return
    out = console()
    out.print(headed(rules.title, f": card {told['card']} against {told['opponent']}"))
    _print_fares(fares)


def _against_points(
    solution: "DuelSolution", points: "CardSolution", games: int, seed: int, *, quiet: bool
) -> "AgainstPoints":
    """Return how the exact player fares against one who plays for points."""
    from rollwise.laboratory.duel_games import against_points

    with progress(f"playing {solution.rules.name}", quiet) as advance:
        return against_points(solution, points, games, seed, advance)


def _print_fares(fares: "AgainstPoints") -> None:
    """Print how one who plays to win fares against one who plays for points."""
    mistakes = ""
    if fares.mistakes is None:
        console().print(NEAR_OPTIMAL)
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


def _option_as_dict(rules: "Rules", option: "DuelOption") -> dict[str, Any]:
    """Return an option as JSON can hold it."""
    from rollwise.game.notation import format_action

    return {
        "action": format_action(rules, option.action),
        "kind": option.action.kind,
        "value": option.value,
        **_as_dict(option.chances),
        "best": option.best,
    }


def _as_dict(chances: "Chances[float] | None") -> dict[str, float | None]:
    win, tie, loss = chances or (None, None, None)
    return {"win": win, "tie": tie, "loss": loss}


def _in_words(chances: "Chances[float]") -> str:
    return ", ".join(f"{name} {_share(share)}" for name, share in chances._asdict().items())


def _share(share: float) -> str:
    return f"{100 * share:.6f} %"
