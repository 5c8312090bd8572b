"""The value of a scorecard before a roll: ``rollwise advise`` without dice."""

from __future__ import annotations

from typing import Any

import rollwise
from rollwise.cli.common import console, headed, solved_with_moments, write_json
from rollwise.cli.lazy_imports import lazy_imports
from rollwise.game.position import Position
from rollwise.game.scorecard import Scorecard, describe_card, format_card

with lazy_imports():
    from rollwise.solving import card_solution
    from rollwise.solving import option as solver_option


def print_value(
    card: Scorecard,
    goal: rollwise.Objective,
    opponents: list[Any],
    *,
    as_json: bool,
    quiet: bool,
) -> None:
    """Print the value of a scorecard before a roll, and the SD if it is known.

    Parameters
    ----------
    opponents : list of rollwise.evaluation.forward_pass_by_score.Opponent
        The opponents to beat, if this is the objective.
    """
    value, sd = _value(card, goal, quiet=quiet)
    if as_json:
        head = {"rules": card.rules.name, "card": format_card(card), "value": value, "sd": sd}
        others = {"opponents": [other.as_dict() for other in opponents]} if opponents else {}
        write_json(head | {"objective": goal.name} | others)
        return
    out = console()
    if not quiet:
        out.print(headed(card.rules.title, f": {describe_card(card)}"))
        for other in opponents:
            out.print(str(other))
    shown = (
        f"{value:.6f}" if goal.unit == "points" else solver_option.format_value(value, goal.unit)
    )
    spread = f" (SD {sd:.4f})" if sd is not None and goal.name == "expected" else ""
    out.print(f"{goal.meaning.capitalize()}: {shown}{spread}")


def _value(card: Scorecard, goal: rollwise.Objective, *, quiet: bool) -> tuple[float, float | None]:
    """Return the value and the SD, which is None if it is not known."""
    game = card.rules
    some_roll = Position.of(card, next(game.every_roll()), game.rolls - 1)  # raises on a full card
    solution = solved_with_moments(goal, some_roll, quiet=quiet)
    if isinstance(solution, card_solution.CardSolution):
        return solution.value(card), solution.sd(card)
    return solution.value(), None  # this solution starts at the scorecard
