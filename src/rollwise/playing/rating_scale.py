"""Ratings of players in words by EV loss, and the reference strategies that define them.

EV losses are measured in a game or in the rating test. The bounds of the ratings are fractions of
the exact EV loss of random play.
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import InputError
from rollwise.game.position import Position
from rollwise.playing.bot import Bot
from rollwise.playing.opponents import OPPONENTS
from rollwise.rules import Rules
from rollwise.solving.cache import load_or_compute_numbers
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.solution import Solution
from rollwise.strategies import parse_strategy

SCALE = {
    "greedy-average": OPPONENTS["greedy-average"],
    "commonest-face": OPPONENTS["commonest-face"],
    "payoff-line": "the payoff line",
    "greedy": OPPONENTS["greedy"],
    "random": "random play",
}
"""The reference strategies and their names in ratings. Optimal play is not among them, because its
EV loss is 0."""

RATINGS = {
    "perfect": 0.005,
    "expert": 0.025,
    "strong": 0.1,
    "good": 0.2,
    "casual": 0.45,
    "beginner": 0.75,
}
"""The ratings, best first, and the highest EV loss of each as a fraction of the EV loss of random
play. A higher EV loss is rated ``random``."""

MAX_VALUES = 1 << 20
"""The maximum size of a value table for which the exact scale takes only seconds."""


def scale_of(solution: Solution, positions: Sequence[Position]) -> dict[str, float]:
    """Return the total EV loss of each reference strategy at the positions, smallest first.

    Strategies that cannot play the game are left out.
    """
    options = [solution.options(position) for position in positions]
    losses: dict[str, float] = {}
    for name, words in SCALE.items():
        try:
            bot = Bot(parse_strategy(name, solution.rules), solution.rules)
            actions = [bot.action(position) for position in positions]
        except InputError:
            continue
        losses[words] = sum(
            next(option.loss for option in best_first if option.action == action)
            for best_first, action in zip(options, actions, strict=True)
        )
    return dict(sorted(losses.items(), key=lambda item: item[1]))


def scale_of_games(solution: CardSolution, names: Iterable[str] = SCALE) -> dict[str, float]:
    """Return the exact EV loss per game of reference strategies, smallest first.

    The EV loss is V − E, because luck has mean zero. E is the expected final score of the strategy,
    and V is the expected final score of optimal play. Strategies that cannot play the game are left
    out.

    Parameters
    ----------
    solution : CardSolution
        The solution for the expected score.
    names : iterable of str
        Names in ``SCALE``.
    """
    best, losses = solution.value(), dict[str, float]()
    for name in names:
        with suppress(InputError):
            losses[SCALE[name]] = best - _mean_score(name, solution.rules)
    return dict(sorted(losses.items(), key=lambda item: item[1]))


def _mean_score(name: str, rules: Rules) -> float:
    """Return the expected final score of a strategy, which is cached on disk."""

    def compute() -> NDArray[np.float64]:
        from rollwise.evaluation.policy_value import mean_of, policy_of  # numba

        return np.array([mean_of(policy_of(parse_strategy(name, rules), rules))])

    return float(load_or_compute_numbers(rules, f"mean-of-{name}", compute)[0])


def quick_scale(solution: Solution) -> dict[str, float]:
    """Return the part of the scale that ratings need, or an empty scale if it takes too long."""
    if not isinstance(solution, CardSolution) or solution.objective.name != "expected":
        return {}
    return scale_of_games(solution, ["random"]) if solution.table_C_L.size <= MAX_VALUES else {}


def rating_bounds(scale: Mapping[str, float]) -> dict[str, float]:
    """Return the highest EV loss of each rating, best first; empty if ``scale`` is empty.

    Parameters
    ----------
    scale : mapping of str to float
        The EV loss of each reference strategy, among them random play.
    """
    return {word: share * scale[SCALE["random"]] for word, share in RATINGS.items() if scale}


def rating(loss: float, scale: Mapping[str, float]) -> str:
    """Return the rating for the EV loss ``loss`` in words, such as ``strong``.

    Parameters
    ----------
    loss : float
        The EV loss of the player.
    scale : mapping of str to float
        The EV loss of each reference strategy, among them random play.
    """
    bounds = rating_bounds(scale)
    return next((word for word, limit in bounds.items() if loss <= limit), "random")
