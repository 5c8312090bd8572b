"""``rollwise tree``: the size of a game tree, and pictures of the trees of tiny games."""

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
from rollwise.rules import load_rules

with lazy_imports():
    from rollwise import decision_analysis
    from rollwise.studies import game_tree


MAX_FLOAT = sys.float_info.max


def tree(
    rules: flags.PresetRules = "micro-yahtzee",
    output: Annotated[Path | None, flags.writes("a graph as .svg, .png, or .dot", "--dot")] = None,
    whole: Annotated[
        bool,
        typer.Option("--whole", help="With --output: draw the whole tree without merging states."),
    ] = False,
    as_json: flags.Json = False,
    quiet: flags.Quiet = False,
) -> None:
    """Count the games and strategies in a game tree.

    [bold]Examples[/bold]

      rollwise tree

      rollwise tree --rules yahtzee

      rollwise tree -o graph.svg

      rollwise tree --whole -o tree.svg

    The count treats the dice as distinguishable, and every turn has all its rolls. --output
    draws tiny games. In a picture, green edges are the best choices; the number in a node is the
    expected points to come. With --whole, it is the expected final score.
    """
    check_folder(output)
    if whole and output is None:
        raise InputError("--whole changes a picture. Add --output FILE.")
    game = load_rules(rules)
    with progress(f"counting the games of {game.name}", quiet):
        size = game_tree.game_size(game)
    if output is not None:
        nodes = game_tree.game_tree(game) if whole else game_tree.game_graph(game)
        decision_analysis.Picture(game_tree.to_dot(nodes)).save(output)
    if as_json:
        digits = size.log10_strategies
        write_json(
            {
                "rules": game.name,
                "games": _exactly(size.games),
                "turn_states": size.turn_states,
                "rarest": _exactly(size.rarest),
                "likeliest": _exactly(size.likeliest),
                # Beyond float64 there is no JSON number that others could read.
                "log10_strategies": None if digits is None or digits > MAX_FLOAT else float(digits),
                "strategies": None if size.strategies is None else _exactly(size.strategies),
            }
        )
    else:
        _print_size(game.title, size)


def _print_size(title: str, size: game_tree.GameSize) -> None:
    out = console()
    out.print(headed(title))
    out.print(f"games                        {_short(size.games)}")
    out.print(f"states in a turn             {size.turn_states:,}")
    out.print(f"probability of a game, from  {_short(size.rarest)}")
    out.print(f"                         to  {_short(size.likeliest)}")
    if size.strategies is not None:
        count = _short(size.strategies)
    elif size.log10_strategies is not None:
        count = f"10^({size.log10_strategies:.4g})"
    else:
        count = "not counted: the number of open categories depends on more than the turn"
    out.print(f"deterministic strategies     {count}")


def _short(number: int | Fraction) -> str:
    if number == int(number) and number < 10**15:
        return f"{int(number):,}"
    quotient = game_tree.HUGE.divide(Decimal(number.numerator), Decimal(number.denominator))
    return f"{quotient:.3g}" if number < 1 else f"{quotient:.3e}"


def _exactly(number: int | Fraction) -> str:
    """Return a number with all its digits.

    Python limits the number of digits when it converts an int to a string, but not a Decimal.
    """
    parts = (number.numerator, number.denominator)
    return "/".join(f"{Decimal(part):f}" for part in (parts if parts[1] > 1 else parts[:1]))
