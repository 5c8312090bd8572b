"""Roll-and-keep dice games, Yahtzee and all its relatives, solved exactly and explained.

The public names, imported when they are first used so that ``rollwise --help`` needs none of them:
``load_rules``, ``solve`` and what they return.
"""

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from rollwise.game import Game
    from rollwise.goals import parse_objective
    from rollwise.notation import parse_action, parse_card, parse_dice, parse_position
    from rollwise.objectives import Objective
    from rollwise.position import Position
    from rollwise.records.as_text import format_record, parse_record
    from rollwise.records.record import Record
    from rollwise.rules import Rules, load_rules, parse_rules, preset_names
    from rollwise.scorecard import Keep, Score, Scorecard
    from rollwise.solution import Option, Solution
    from rollwise.solver import solve

_HOMES = {
    "Game": "game",
    "Keep": "scorecard",
    "Objective": "objectives",
    "Option": "solution",
    "Position": "position",
    "Record": "records.record",
    "Rules": "rules",
    "Score": "scorecard",
    "Scorecard": "scorecard",
    "Solution": "solution",
    "format_record": "records.as_text",
    "load_rules": "rules",
    "parse_action": "notation",
    "parse_card": "notation",
    "parse_dice": "notation",
    "parse_objective": "goals",
    "parse_position": "notation",
    "parse_record": "records.as_text",
    "parse_rules": "rules",
    "preset_names": "rules",
    "solve": "solver",
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
