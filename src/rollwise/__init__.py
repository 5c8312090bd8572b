"""An exact solver for roll-and-keep dice games, such as Yahtzee and its variants.

``dir(rollwise)`` lists the public names. ``help(rollwise.solve)`` describes the function ``solve``.
A name is imported when it is first used, so that ``import rollwise`` and ``rollwise --help`` are
fast.

Examples
--------
>>> from rollwise import solve
>>> solution = solve("crag")
>>> solution
<Solution of crag for expected: 149.8475932 from the start>
>>> best = solution.options("336")[0]
>>> best.action, round(best.value, 2)
(Keep((6,)), 147.08)
"""

from importlib import import_module
from typing import TYPE_CHECKING

from rollwise import errors as errors

__version__ = "0.1.0"

_NAMES = {
    "rollwise.decision_analysis.odds": "odds",
    "rollwise.distribution": "Distribution",
    "rollwise.evaluation.evaluate": "Evaluation evaluate",
    "rollwise.experiments.comparison": "Comparison compare",
    "rollwise.experiments.simulation": "simulate",
    "rollwise.experiments.sweep": "sweep",
    "rollwise.game.actions": "Keep Score",
    "rollwise.game.events": "Roll",
    "rollwise.game.game": "Game",
    "rollwise.game.notation": (
        "format_action format_card format_dice format_keep format_position "
        "parse_action parse_card parse_dice parse_keep parse_position"
    ),
    "rollwise.game.position": "Position",
    "rollwise.game.records.as_text": "parse_record",
    "rollwise.game.records.record": "Record format_record",
    "rollwise.game.scorecard": "Scorecard",
    "rollwise.history.rating": "rating",
    "rollwise.playing.match": "match",
    "rollwise.reviews.review": "Review review",
    "rollwise.rules": "Rules load_rules parse_rules preset_names",
    "rollwise.solving.objective_parser": "parse_objective",
    "rollwise.solving.objectives": "Objective",
    "rollwise.solving.option": "Option",
    "rollwise.solving.solution": "Solution",
    "rollwise.solving.solver": "Solver solve",
    "rollwise.strategies": "Card RollByRoll Strategy parse_strategy",
    "rollwise.two_player.duel": "duel",
    "rollwise.two_player.solution": "DuelSolution",
    "rollwise.two_player.solver": "DuelSolver",
}
"""The public names of each module, separated by spaces. :mod:`rollwise.errors` is public too."""

_PUBLIC_MODULES = {
    "frontier": "rollwise.experiments.frontier",
    "plots": "rollwise.experiments.plots",
}
"""The modules that are public under a short name."""

if TYPE_CHECKING:  # a test compares these imports, which only type checkers read, with _NAMES
    from rollwise.decision_analysis.odds import odds as odds
    from rollwise.distribution import Distribution as Distribution
    from rollwise.evaluation.evaluate import Evaluation as Evaluation
    from rollwise.evaluation.evaluate import evaluate as evaluate
    from rollwise.experiments import frontier as frontier
    from rollwise.experiments import plots as plots
    from rollwise.experiments.comparison import Comparison as Comparison
    from rollwise.experiments.comparison import compare as compare
    from rollwise.experiments.simulation import simulate as simulate
    from rollwise.experiments.sweep import sweep as sweep
    from rollwise.game.actions import Keep as Keep
    from rollwise.game.actions import Score as Score
    from rollwise.game.events import Roll as Roll
    from rollwise.game.game import Game as Game
    from rollwise.game.notation import format_action as format_action
    from rollwise.game.notation import format_card as format_card
    from rollwise.game.notation import format_dice as format_dice
    from rollwise.game.notation import format_keep as format_keep
    from rollwise.game.notation import format_position as format_position
    from rollwise.game.notation import parse_action as parse_action
    from rollwise.game.notation import parse_card as parse_card
    from rollwise.game.notation import parse_dice as parse_dice
    from rollwise.game.notation import parse_keep as parse_keep
    from rollwise.game.notation import parse_position as parse_position
    from rollwise.game.position import Position as Position
    from rollwise.game.records.as_text import parse_record as parse_record
    from rollwise.game.records.record import Record as Record
    from rollwise.game.records.record import format_record as format_record
    from rollwise.game.scorecard import Scorecard as Scorecard
    from rollwise.history.rating import rating as rating
    from rollwise.playing.match import match as match
    from rollwise.reviews.review import Review as Review
    from rollwise.reviews.review import review as review
    from rollwise.rules import Rules as Rules
    from rollwise.rules import load_rules as load_rules
    from rollwise.rules import parse_rules as parse_rules
    from rollwise.rules import preset_names as preset_names
    from rollwise.solving.objective_parser import parse_objective as parse_objective
    from rollwise.solving.objectives import Objective as Objective
    from rollwise.solving.option import Option as Option
    from rollwise.solving.solution import Solution as Solution
    from rollwise.solving.solver import Solver as Solver
    from rollwise.solving.solver import solve as solve
    from rollwise.strategies import Card as Card
    from rollwise.strategies import RollByRoll as RollByRoll
    from rollwise.strategies import Strategy as Strategy
    from rollwise.strategies import parse_strategy as parse_strategy
    from rollwise.two_player.duel import duel as duel
    from rollwise.two_player.solution import DuelSolution as DuelSolution
    from rollwise.two_player.solver import DuelSolver as DuelSolver

else:
    _MODULES = {name: module for module, names in _NAMES.items() for name in names.split()}
    __all__ = ["errors", *_PUBLIC_MODULES, *_MODULES]

    def __getattr__(name: str) -> object:
        if name in _PUBLIC_MODULES:
            return import_module(_PUBLIC_MODULES[name])
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(_MODULES[name]), name)

    def __dir__() -> list[str]:
        return sorted(["__version__", *__all__])
