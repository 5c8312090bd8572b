"""``rollwise worst-game``: the lowest total of best play, and its game against demonic dice."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from rollwise.cli.common import (
    JsonOption,
    QuietOption,
    RulesOption,
    console,
    headed,
    progress,
    solved,
    write_json,
)

if TYPE_CHECKING:
    from rollwise.curiosities.worst_game import Game


class Dice(StrEnum):
    """The dice that the player is up against."""

    ANY = "any"
    DEMONIC = "demonic"


_MEANING = {
    Dice.ANY: "the lowest total that best play can end with, whatever is rolled",
    Dice.DEMONIC: "each roll is the one after which the player expects least",
}


def worst_game(
    dice: Annotated[
        Dice,
        typer.Option("--dice", help="Any dice at all, or demonic ones: the worst roll each time."),
    ] = Dice.ANY,
    rules: RulesOption = "yahtzee",
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Show the worst that can happen to the best strategy, roll by roll.

    [bold]Examples[/bold]

      rollwise worst-game

      rollwise worst-game --dice demonic

      rollwise worst-game --rules yatzy --json

    The strategy plays for the expected score, as if dice were fair. With --dice any the game is
    one of those with the lowest total there is. With --dice demonic each roll is the one that
    lowers the player's expectation most. Of rolls equally bad the first is shown, that with the
    lowest faces.
    """
    from rollwise.curiosities.worst_game import demonic_game, lowest_game, lowest_totals
    from rollwise.rules import load_rules
    from rollwise.solving.objectives import EXPECTED
    from rollwise.strategies import Optimal

    solution = solved(load_rules(rules), EXPECTED, quiet=quiet)
    with progress(f"looking for the worst game of {solution.rules.name}", quiet) as advance:
        if dice is Dice.ANY:
            strategy = Optimal(solution)
            game = lowest_game(strategy, lowest_totals(strategy, progress=advance))
        else:
            game = demonic_game(solution)
    if as_json:
        write_json({"rules": solution.rules.name, "dice": dice.value, **_as_dict(game)})
    else:
        _print_game(game, dice)


def _as_dict(game: "Game") -> dict[str, object]:
    from rollwise.game.notation import format_dice, format_keep

    rules = game.card.rules
    return {
        "total": game.total,
        "upper_bonus": game.card.upper_bonus,
        "turns": [
            {
                "rolls": [format_dice(rules, roll) for roll in turn.rolls],
                "keeps": [format_keep(rules, keep) for keep in turn.keeps],
                "category": rules.keys[turn.move.category],
                "points": turn.move.points,
                "extra": turn.move.extra,
            }
            for turn in game.turns
        ],
    }


def _print_game(game: "Game", dice: Dice) -> None:
    from rich.table import Table

    from rollwise.game.notation import format_dice, format_keep

    out, rules = console(), game.card.rules
    out.print(headed(rules.title, f": {_MEANING[dice]}"))
    out.print()
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("turn", justify="right")
    most = max(len(turn.rolls) for turn in game.turns)
    for number in range(1, most + 1):
        table.add_column(f"roll {number}")
        if number < most:
            table.add_column("keep")
    table.add_column("points", justify="right")
    table.add_column("category")
    for number, turn in enumerate(game.turns, start=1):
        cells = [format_dice(rules, turn.rolls[0])]
        for keep, roll in zip(turn.keeps, turn.rolls[1:], strict=True):
            cells += [format_keep(rules, keep), format_dice(rules, roll)]
        cells += [""] * (2 * most - 1 - len(cells))  # it ended before the longest turn
        points = turn.move.points + turn.move.extra
        table.add_row(str(number), *cells, str(points), rules.categories[turn.move.category].title)
    empty = [""] * (2 * most)
    if game.card.upper_bonus:
        table.add_row(*empty, str(game.card.upper_bonus), "upper bonus")
    table.add_row(*empty, str(game.total), "total", style="bold")
    out.print(table)
