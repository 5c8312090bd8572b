"""``rollwise advise --opponent-plays duel``: what to do against one opponent who answers."""

from typing import TYPE_CHECKING, Any

from rollwise.cli.common import console, empty_table, headed, write_json
from rollwise.cli.duel_chances import EXACT, as_dict, found, how_known, percent

if TYPE_CHECKING:
    from rollwise.game.position import Position
    from rollwise.game.scorecard import Scorecard
    from rollwise.rules import Rules
    from rollwise.solving.duel.solution import DuelOption

DUEL = "duel"
"""How an opponent plays who answers."""

SOON = 10**9
"""Leads that an answer may take: seven open boxes each of official Yahtzee have half as many."""


def advise_duel(
    position: "Position", opponent: "Scorecard", top: int | None, *, as_json: bool, quiet: bool
) -> None:
    """Say what to do with a roll against one opponent who answers."""
    from rollwise.game.notation import format_action, format_card, format_position
    from rollwise.solving.duel.solver import DuelSolver

    rules, solver = position.rules, DuelSolver(position.rules)
    needs = solver.size(position, opponent)
    known = found(solver, position, opponent, needs, leads=SOON, quiet=quiet)
    options = known.options(position)
    if as_json:
        write_json(
            {
                "rules": rules.name,
                "objective": "beat",
                "position": format_position(position),
                "opponents": [{"card": format_card(opponent), "plays": DUEL}],
                **how_known(known),
                "options": [_as_dict(rules, option) for option in options[:top]],
            }
        )
        return
    out = console()
    out.print(headed(rules.title, f": {position}"))
    out.print(f"against {format_card(opponent)}, who answers")
    out.print()
    table = empty_table("option", ">value", ">win", ">tie", ">loss")
    for option in options[:top]:
        numbers = (option.value, *(option.chances or ()))
        name, style = format_action(rules, option.action), "green" if option.best else None
        table.add_row(name, *(percent(number, known) for number in numbers), style=style)
    out.print(table)
    hidden = len(options) - len(options[:top])
    if hidden:
        out.print(f"… and {hidden} more")
    out.print()
    out.print(EXACT if known.exact else str(known))
    if not known.exact and needs.fits:
        out.print(f"For the exact answer run rollwise duel first, with the same cards: {needs}.")


def _as_dict(rules: "Rules", option: "DuelOption") -> dict[str, Any]:
    """Return an option as JSON can hold it."""
    from rollwise.game.notation import format_action

    return {
        "action": format_action(rules, option.action),
        "kind": option.action.kind,
        "value": option.value,
        **as_dict(option.chances),
        "best": option.best,
    }
