"""Games that many figures are about: each is solved, and played out, once."""

from functools import cache

from rollwise.evaluation.evaluate import Evaluation
from rollwise.evaluation.kept import evaluate_kept
from rollwise.rules import load_rules
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.solver import solve
from rollwise.strategies import Optimal, RandomCategory

WITH_SPREAD = "yahtzee"
"""The game whose values are printed with ±."""


@cache
def solution(rules: str) -> CardSolution:
    """Return the best play of a preset for the expected score."""
    return solve(load_rules(rules), moments=rules == WITH_SPREAD)


@cache
def best_play(rules: str, *, fewer_dice: bool = False) -> Evaluation:
    """Return how the best play fares; of equal keeps that with more dice is taken unless told."""
    strategy = Optimal(solution(rules), fewer_dice=fewer_dice)
    return evaluate_kept(strategy, strategy.solution.rules)


@cache
def random_play(rules: str) -> Evaluation:
    """Return how one roll in any open category fares."""
    return evaluate_kept(RandomCategory(), load_rules(rules))
