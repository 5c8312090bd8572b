"""``rollwise trivia``: the best and worst first rolls, and the values of last turns."""

from __future__ import annotations

import rollwise
from rollwise.cli import flags
from rollwise.cli.common import console, empty_table, headed, print_tie_rules, solved, write_json
from rollwise.cli.lazy_imports import lazy_imports
from rollwise.cli.progress import progress
from rollwise.game.notation import format_action, format_dice
from rollwise.game.scorecard import Dice
from rollwise.rules import Rules, load_rules

with lazy_imports():
    from rollwise.solving import objectives
    from rollwise.solving import solution as solutions
    from rollwise.studies import opening_tables


SHOWN = 6
"""Maximum number of equally good rolls to print: one for each face of a die."""


def trivia(
    rules: flags.Rules = "yahtzee",
    ties: flags.Ties = flags.TieBreak.MORE_DICE,
    as_json: flags.Json = False,
    quiet: flags.Quiet = False,
) -> None:
    """Show the best and the worst rolls of the first turn, and each category alone.

    [bold]Examples[/bold]

      rollwise trivia

      rollwise trivia --rules yatzy --json

    Rolls equally good are all named. A category alone is worth what a last turn played for it
    brings: mean and standard deviation of its points, and how often it is scored with nothing;
    bonuses do not count. With --ties fewer-dice it is played as in Verhoeff's tables.
    """
    solution = solved(load_rules(rules), objectives.EXPECTED, moments=True, quiet=quiet)
    game = solution.rules
    with progress(f"rating the rolls of {game.name}", quiet):
        rolls = {}
        # After an announcement, the value of a last roll depends on the announced category.
        lefts = {game.rolls - 1} if game.announced else {game.rolls - 1, 0}
        for left in sorted(lefts, reverse=True):
            rated = opening_tables.rated_rolls(solution, left)
            for extreme, rank in (("best", 0), ("worst", -1)):
                rolls[f"{extreme} roll {game.rolls - left}"] = opening_tables.rolls_of_equal_value(
                    rated, rank
                )
        distributions = opening_tables.last_turns(
            game, fewer_dice=ties == flags.TieBreak.FEWER_DICE
        )
    last = {
        key: (distribution.mean, distribution.sd, distribution.probability(0))
        for key, distribution in distributions.items()
    }
    if as_json:
        write_json(
            {
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
                    key: {"mean": mean, "sd": sd, "zero": zero}
                    for key, (mean, sd, zero) in last.items()
                },
            }
        )
    else:
        _print_rolls(game, rolls)
        print_tie_rules([solutions.rule_for_ties()])
        console().print()
        _print_last(game, last)
        print_tie_rules([solutions.rule_for_ties(fewer_dice=ties == flags.TieBreak.FEWER_DICE)])


def _print_rolls(rules: Rules, rolls: dict[str, list[tuple[Dice, rollwise.Option]]]) -> None:
    table = empty_table("first turn", "dice", "best", ">value", "")
    for label, tied_rolls in rolls.items():
        for n, (dice, option) in enumerate(tied_rolls[:SHOWN]):
            action = format_action(rules, option.action)
            spread = "" if option.sd is None else f"± {option.sd:.0f}"  # None with saved rolls
            name = "as good" if n else label
            table.add_row(name, format_dice(rules, dice), action, f"{option.value:.2f}", spread)
        if len(tied_rolls) > SHOWN:
            table.add_row(f"and {len(tied_rolls) - SHOWN} more as good")
    out = console()
    out.print(headed(rules.title))
    out.print(table)


def _print_last(rules: Rules, last: dict[str, tuple[float, float, float]]) -> None:
    table = empty_table("last turn for", ">mean", ">sd", ">% 0")
    for category in rules.categories:
        mean, sd, zero = last[category.key]
        table.add_row(category.title, f"{mean:.2f}", f"{sd:.2f}", f"{100 * zero:.2f}")
    console().print(table)
