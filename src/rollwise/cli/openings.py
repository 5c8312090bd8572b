"""Output of ``rollwise report --openings``: extreme first rolls, and values of last turns."""

from __future__ import annotations

import rollwise
from rollwise.cli.common import console, empty_table, headed, solved, write_json
from rollwise.cli.lazy_imports import lazy_imports
from rollwise.cli.progress import progress
from rollwise.distribution import Distribution
from rollwise.game.dice_notation import format_dice
from rollwise.game.notation import format_action
from rollwise.game.scorecard import Dice
from rollwise.rules import Rules

with lazy_imports():
    from rollwise.solving import objectives
    from rollwise.solving import solution as solutions
    from rollwise.studies import opening_tables


SHOWN = 6
"""The maximum number of equally good rolls to print: one for each face of a die."""

Rolls = dict[str, list[tuple[Dice, rollwise.Option]]]


def print_openings(game: Rules, *, fewer_dice: bool, as_json: bool, quiet: bool) -> None:
    """Print the best and worst rolls of the first turn, and the last turn for each category."""
    solution = solved(game, objectives.EXPECTED, moments=True, quiet=quiet)
    with progress(f"rating the rolls of {game.name}", quiet):
        rolls = opening_tables.extreme_rolls(solution)
        last_turns = opening_tables.last_turns(game, fewer_dice=fewer_dice)
    if as_json:
        write_json(_as_dict(game, rolls, last_turns))
        return
    _print_rolls(game, rolls)
    if fewer_dice:  # the values of a solution have only the other rule
        console().print(f"{solutions.rule_for_ties()}. --tie-break changes only the last turns.")
    console().print()
    _print_last_turns(game, last_turns)
    print_tie_rule(solutions.rule_for_ties(fewer_dice=fewer_dice))


def print_tie_rule(rule: str) -> None:
    """Print the tie-breaking rule that the printed distributions depend on."""
    console().print(f"{rule}; another choice can change the distribution.")


def _as_dict(game: Rules, rolls: Rolls, last_turns: dict[str, Distribution]) -> dict[str, object]:
    return {
        "rules": game.name,
        "first_turn": {
            label.replace(" ", "_"): {
                "dice": format_dice(game, dice),
                **option.as_dict(game, ("action", "value", "sd")),
                "as_good": [format_dice(game, other) for other, _ in others],
            }
            for label, ((dice, option), *others) in rolls.items()
        },
        "last_turn": {
            key: {"mean": points.mean, "sd": points.sd, "zero": points.probability(0)}
            for key, points in last_turns.items()
        },
    }


def _print_rolls(game: Rules, rolls: Rolls) -> None:
    table = empty_table("first turn", "dice", "best", ">EV", ">SD")
    for label, tied_rolls in rolls.items():
        for n, (dice, option) in enumerate(tied_rolls[:SHOWN]):
            action = format_action(game, option.action)
            sd = "" if option.sd is None else f"{option.sd:.0f}"  # None with saved rolls
            name = "equally good" if n else label
            table.add_row(name, format_dice(game, dice), action, f"{option.value:.2f}", sd)
        if len(tied_rolls) > SHOWN:
            table.add_row(f"and {len(tied_rolls) - SHOWN} more")
    out = console()
    out.print(headed(game.title))
    out.print(table)


def _print_last_turns(game: Rules, last_turns: dict[str, Distribution]) -> None:
    table = empty_table("last turn for", ">mean", ">SD", ">% zero")
    for category in game.categories:
        points = last_turns[category.key]
        zero = f"{points.probability(0):.2%}".rstrip("%")
        table.add_row(category.title, f"{points.mean:.2f}", f"{points.sd:.2f}", zero)
    console().print(table)
