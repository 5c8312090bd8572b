"""``rollwise value``: the value of a scorecard before a roll."""

from __future__ import annotations

from rollwise.cli import flags
from rollwise.cli.common import (
    console,
    headed,
    objective_of,
    print_tie_rules,
    solved_with_moments,
    write_json,
)
from rollwise.cli.lazy_imports import lazy_imports
from rollwise.game.notation import format_card, parse_card
from rollwise.game.position import Position
from rollwise.rules import load_rules

with lazy_imports():
    from rollwise.solving import card_solution
    from rollwise.solving import option as solver_option
    from rollwise.solving import solution as solutions


def value(
    card: flags.Card = None,
    rules: flags.Rules = "yahtzee",
    objective: flags.Objective = "expected",
    as_json: flags.Json = False,
    quiet: flags.Quiet = False,
) -> None:
    """Print what a card is worth before the roll: the expected final score of best play, and ±.

    [bold]Examples[/bold]

      rollwise value

      rollwise value --card "ones=3,full-house=25"

      rollwise value --card "ones=3" --rules yatzy --json

      rollwise value --card "sixes=12" --rules crag --objective target:180

    Points so far are included; ± is the standard deviation of the final score. A game of too many
    cards for one table has none. With another objective it is the value of that, such as a
    probability.
    """
    shown = parse_card(load_rules(rules), card or "")
    game = shown.rules
    goal = objective_of(objective, game, quiet=quiet)
    some_roll = Position.of(shown, next(game.every_roll()), game.rolls - 1)  # raises on a full card
    solution = solved_with_moments(goal, some_roll, quiet=quiet)
    if isinstance(solution, card_solution.CardSolution):
        state_value, sd = solution.value(shown), solution.sd(shown)
    else:  # this solution starts at the scorecard
        state_value, sd = solution.value(), None
    if as_json:
        head = {"rules": game.name, "card": format_card(shown), "value": state_value, "sd": sd}
        write_json(head | {"objective": goal.name})
        return
    exactly = goal.unit == "points"
    spread = f" ± {sd:.4f}" if sd is not None and goal.name == "expected" else ""
    out = console()
    out.print(headed(game.title, f": card {format_card(shown)}"))
    value = f"{state_value:.6f}" if exactly else solver_option.format_value(state_value, goal.unit)
    out.print(f"{goal.meaning} {value}{spread}")
    if spread:
        print_tie_rules([solutions.rule_for_ties()])
