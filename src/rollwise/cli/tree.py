"""``rollwise tree``: the size of a game tree, and graphs of tiny games."""

from __future__ import annotations

import sys
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Annotated

import typer

from rollwise.cli import flags
from rollwise.cli.common import check_folder, console, headed, write_json
from rollwise.cli.lazy_imports import lazy_imports
from rollwise.cli.progress import progress
from rollwise.errors import InputError
from rollwise.files import write_atomically
from rollwise.rules import load_rules

with lazy_imports():
    from rollwise.studies import game_tree, number_of_games, turn_graph


MAX_FLOAT = sys.float_info.max


def tree(
    rules: flags.Rules = "micro-yahtzee",
    dot: Annotated[Path | None, flags.writes("a tiny game's graph, for Graphviz,", "--dot")] = None,
    whole: Annotated[
        bool,
        typer.Option("--whole", help="With --dot: the whole tree, nothing merged."),
    ] = False,
    turn: Annotated[
        bool,
        typer.Option("--turn", help="With --dot: one turn of a game of any size, level by level."),
    ] = False,
    as_json: flags.Json = False,
    quiet: flags.Quiet = False,
) -> None:
    """Count the games and strategies of a game; draw its graph or tree if it is tiny.

    [bold]Examples[/bold]

      rollwise tree

      rollwise tree --rules yahtzee

      rollwise tree --dot graph.dot && dot -Tsvg graph.dot > graph.svg

      rollwise tree --rules yahtzee --turn --dot turn.dot

    Dice are told apart, and a turn always has all its rolls: stopping early is keeping all dice,
    unless it matters on which roll a turn ends.
    Green edges are the best choices; the number below a name is the value: expected points still
    to come in the graph, the expected final score in the whole tree.
    The picture of a turn shows some situations of each level, and how many there are: merged by
    what the dice show, or with --whole all its histories.
    """
    check_folder(dot)
    for flag, on in (("--whole", whole), ("--turn", turn)):
        if on and dot is None:
            raise InputError(f"{flag} alone; expected --dot with it")
    game = load_rules(rules)
    with progress(f"counting the games of {game.name}", quiet):
        size = number_of_games.game_size(game)
    if dot is not None:
        if turn:
            text = turn_graph.turn_tree(game) if whole else turn_graph.turn_graph(game)
        else:
            text = game_tree.to_dot(
                game_tree.game_tree(game) if whole else game_tree.game_graph(game)
            )
        write_atomically(dot, text.encode())
    if as_json:
        digits = size.log10_strategies
        write_json(
            {
                "rules": game.name,
                "games": _exactly(size.games),
                "rarest": _exactly(size.rarest),
                "likeliest": _exactly(size.likeliest),
                # Beyond float64 there is no JSON number that others could read.
                "log10_strategies": None if digits is None or digits > MAX_FLOAT else float(digits),
                "strategies": None if size.strategies is None else _exactly(size.strategies),
            }
        )
    else:
        _print_size(game.title, size)


def _print_size(title: str, size: number_of_games.GameSize) -> None:
    out = console()
    out.print(headed(title))
    out.print(f"games                        {_short(size.games)}")
    out.print(f"probability of a game, from  {_short(size.rarest)}")
    out.print(f"                         to  {_short(size.likeliest)}")
    if size.strategies is not None:
        count = _short(size.strategies)
    elif size.log10_strategies is not None:
        count = f"10^({size.log10_strategies:.4g})"
    else:
        count = "not counted: how many boxes are open depends on more than the turn"
    out.print(f"deterministic strategies     {count}")


def _short(number: int | Fraction) -> str:
    if number == int(number) and number < 10**15:
        return f"{int(number):,}"
    quotient = number_of_games.HUGE.divide(Decimal(number.numerator), Decimal(number.denominator))
    return f"{quotient:.3g}" if number < 1 else f"{quotient:.3e}"


def _exactly(number: int | Fraction) -> str:
    """Return all digits; Python limits the digits of a converted int, but not of a Decimal."""
    parts = (number.numerator, number.denominator)
    return "/".join(f"{Decimal(part):f}" for part in (parts if parts[1] > 1 else parts[:1]))
