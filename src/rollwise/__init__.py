"""Roll-and-keep dice games, Yahtzee and all its relatives, solved exactly and explained.

The public names, imported when they are first used so that ``rollwise --help`` needs none of them:
``load_rules``, ``solve`` and what they return.
"""

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from rollwise.game.game import Game
    from rollwise.game.notation import parse_action, parse_card, parse_dice, parse_position
    from rollwise.game.position import Position
    from rollwise.game.records.as_text import format_record, parse_record
    from rollwise.game.records.record import Record
    from rollwise.game.scorecard import Keep, Score, Scorecard
    from rollwise.rules import Rules, load_rules, parse_rules, preset_names
    from rollwise.solving.objective_text import parse_objective
    from rollwise.solving.objectives import Objective
    from rollwise.solving.solution import Option, Solution
    from rollwise.solving.solver import solve

_HOMES = {
    "Game": "game.game",
    "Keep": "game.scorecard",
    "Objective": "solving.objectives",
    "Option": "solving.solution",
    "Position": "game.position",
    "Record": "game.records.record",
    "Rules": "rules",
    "Score": "game.scorecard",
    "Scorecard": "game.scorecard",
    "Solution": "solving.solution",
    "format_record": "game.records.as_text",
    "load_rules": "rules",
    "parse_action": "game.notation",
    "parse_card": "game.notation",
    "parse_dice": "game.notation",
    "parse_objective": "solving.objective_text",
    "parse_position": "game.notation",
    "parse_record": "game.records.as_text",
    "parse_rules": "rules",
    "preset_names": "rules",
    "solve": "solving.solver",
}

__all__ = [
    "Game",
    "Keep",
    "Objective",
    "Option",
    "Position",
    "Record",
    "Rules",
    "Score",
    "Scorecard",
    "Solution",
    "format_record",
    "load_rules",
    "parse_action",
    "parse_card",
    "parse_dice",
    "parse_objective",
    "parse_position",
    "parse_record",
    "parse_rules",
    "preset_names",
    "solve",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
