"""The opening book of Yahtzee: the best option for each first roll."""

from itertools import groupby

from rollwise import solve
from rollwise.game.dice_notation import format_dice
from rollwise.game.notation import format_action
from rollwise.game.position import Position
from rollwise.game.scorecard import Scorecard

ALTERNATIVES = 2
"""The number of options for each roll beside the best one."""


def openings() -> str:
    """Return a section with a table for each lowest die, with a row for each first roll."""
    solution = solve("yahtzee")
    rules = solution.rules
    rolls = sorted(solution.model.lattice.rolls)
    empty = Scorecard.empty(rules)
    options = solution.options_each([Position.of(empty, roll, rules.rolls - 1) for roll in rolls])
    lines = []
    for lowest, rated in groupby(zip(rolls, options, strict=True), lambda pair: pair[0][0]):
        lines += [f"\n## Lowest die {lowest}\n"]
        lines += ["| roll | best option | expected score | closest alternatives |"]
        lines += ["| --- | --- | ---: | --- |"]
        for roll, (best, *others) in rated:
            action = format_action(rules, best.action)
            alternatives = ", ".join(
                f"{format_action(rules, other.action)} (−{other.loss:.2f})"
                for other in others[:ALTERNATIVES]
            )
            row = f"{format_dice(rules, roll)} | **{action}** | {best.value:.2f} | {alternatives}"
            lines.append(f"| {row} |")
    return "\n".join(lines)
