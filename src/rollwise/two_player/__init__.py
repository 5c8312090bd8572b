"""Two-player games, in which both players respond to each other and play to win.

* :class:`DuelSolver` solves a game or an endgame exactly and returns a :class:`DuelSolution`.
* :class:`NearOptimal` estimates win probabilities in games that are too large to solve.
* :class:`WinQuery` chooses one of these two methods. The limits are in
  :mod:`rollwise.two_player.win_probability`.
* :class:`WinProbability` returns the win probability after every roll of a game.
* :class:`DuelAdvice` lists the options for a roll and their values.
* :func:`value_bounds` returns bounds on the value of a game of any size.
* :func:`play_against_points` simulates games of an exact or near-optimal player against a player
  who maximizes points.
* :func:`simulate_head_to_head` simulates games between any two strategies.

Names are imported on first use, because most of them need compiled code.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rollwise.two_player.advice import DuelAdvice as DuelAdvice
    from rollwise.two_player.advice import exactness as exactness
    from rollwise.two_player.bounds import GameBounds as GameBounds
    from rollwise.two_player.bounds import value_bounds as value_bounds
    from rollwise.two_player.head_to_head import simulate_head_to_head as simulate_head_to_head
    from rollwise.two_player.near_optimal import NearOptimal as NearOptimal
    from rollwise.two_player.simulation import AgainstPoints as AgainstPoints
    from rollwise.two_player.simulation import play_against_points as play_against_points
    from rollwise.two_player.simulation import solve_for_points as solve_for_points
    from rollwise.two_player.solution import DuelSolution as DuelSolution
    from rollwise.two_player.solution import probabilities_as_dict as probabilities_as_dict
    from rollwise.two_player.solver import DuelSolver as DuelSolver
    from rollwise.two_player.win_probability import ADVICE as ADVICE
    from rollwise.two_player.win_probability import SERVER as SERVER
    from rollwise.two_player.win_probability import UNLIMITED as UNLIMITED
    from rollwise.two_player.win_probability import WinProbability as WinProbability
    from rollwise.two_player.win_probability import WinQuery as WinQuery
else:
    _MODULES = {
        "ADVICE": "win_probability",
        "AgainstPoints": "simulation",
        "DuelAdvice": "advice",
        "DuelSolution": "solution",
        "DuelSolver": "solver",
        "GameBounds": "bounds",
        "NearOptimal": "near_optimal",
        "SERVER": "win_probability",
        "UNLIMITED": "win_probability",
        "WinProbability": "win_probability",
        "WinQuery": "win_probability",
        "exactness": "advice",
        "simulate_head_to_head": "head_to_head",
        "play_against_points": "simulation",
        "probabilities_as_dict": "solution",
        "solve_for_points": "simulation",
        "value_bounds": "bounds",
    }
    __all__ = sorted(_MODULES)

    def __getattr__(name: str) -> Any:
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
