"""The opening book of Yahtzee: the best option for each first roll."""

from itertools import groupby

from rollwise import solve
from rollwise.game.dice_notation import format_dice
from rollwise.game.notation import format_action
from rollwise.game.position import Position
from rollwise.game.scorecard import Scorecard

SHOWN = 3
"""The number of options for each roll: the best one and its closest alternatives."""


def openings() -> str:
    """Return a section with a table for each lowest die, with a row for each first roll."""
    solution = solve("yahtzee")
    rules = solution.rules
    rolls = sorted(solution.model.lattice.rolls)
    empty = Scorecard.empty(rules)
    options = solution.options_each([Position.of(empty, roll, rules.rolls - 1) for roll in rolls])
    lines = []
    rated = zip(rolls, options, strict=True)
    for lowest, group in groupby(rated, lambda roll_options: roll_options[0][0]):
        lines += [f"\n## Lowest die {lowest}\n", "| roll | best option | expected score | closest alternatives |"]
        lines += ["| --- | --- | ---: | --- |"]
        for roll, (best, *others) in group:
            losses = [
                f"{format_action(rules, other.action)} (−{other.loss:.2f})"
                for other in others[: SHOWN - 1]
            ]
            action = format_action(rules, best.action)
            row = [format_dice(rules, roll), f"**{action}**", f"{best.value:.2f}"]
            lines.append(f"| {' | '.join([*row, ', '.join(losses)])} |")
    return "\n".join(lines)
