"""The opening book of Yahtzee: the best option for each first roll."""

from itertools import groupby

from directives.tables import table
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
    header = ("roll", "best option", "expected score", "closest alternatives")
    sections = []
    for lowest, rated in groupby(zip(rolls, options, strict=True), lambda pair: pair[0][0]):
        rows = []
        for roll, (best, *others) in rated:
            alternatives = ", ".join(
                f"{format_action(rules, other.action)} (−{other.loss:.2f})"
                for other in others[:ALTERNATIVES]
            )
            action = f"**{format_action(rules, best.action)}**"
            rows.append((format_dice(rules, roll), action, f"{best.value:.2f}", alternatives))
        sections.append(f"## Lowest die {lowest}\n\n{table(header, rows)}")
    return "\n\n".join(sections)
