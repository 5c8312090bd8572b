"""Opening and last-turn tables: the values of rolls, and of categories in the last turn.

Source: T. Verhoeff, Optimal Solitaire Yahtzee Strategies (2003 or later), "Optimal Strategy Trivia"
and "Last Turn Values per Category".
"""

import numpy as np

from rollwise.distribution import Distribution
from rollwise.game.position import Position
from rollwise.game.scorecard import Dice, Scorecard
from rollwise.model.arrays import build
from rollwise.rules import Rules
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.objectives import EXPECTED
from rollwise.solving.option import Option
from rollwise.solving.solution import TOLERANCE, Solution
from rollwise.solving.turn_policy import Cards
from rollwise.solving.values import Table
from rollwise.strategies import Optimal


def rated_rolls(
    solution: Solution, rolls_left: int | None = None, card: Scorecard | None = None
) -> list[tuple[Dice, Option]]:
    """Return every roll with its best option, best roll first.

    By default, the scorecard is empty, and ``rolls_left`` has all rerolls of the turn. Rolls of
    equal value are in lattice order. If several options of a roll are best, the option is the first
    of them in the order of :meth:`rollwise.solving.solution.Solution.options`.
    """
    card = card or Scorecard.empty(solution.rules)
    left = solution.rules.rolls_with(card.saved) - 1 if rolls_left is None else rolls_left
    rolls = solution.model.lattice.rolls
    best = (
        options[0]
        for options in solution.options_each([Position.of(card, dice, left) for dice in rolls])
    )
    rated = list(zip(rolls, best, strict=True))
    return sorted(rated, key=lambda roll: -round(roll[1].value, 9))


def rolls_of_equal_value(rated: list[tuple[Dice, Option]], place: int) -> list[tuple[Dice, Option]]:
    """Return the rated roll at index ``place``, followed by all other rolls of equal value."""
    selected = rated[place]
    others = (roll for roll in rated if roll is not selected)
    return [
        selected,
        *(roll for roll in others if abs(roll[1].value - selected[1].value) <= TOLERANCE),
    ]


def extreme_rolls(solution: Solution) -> dict[str, list[tuple[Dice, Option]]]:
    """Return the best and worst rolls of the first turn, each with the other rolls of equal value.

    The keys are ``best roll N`` and ``worst roll N``, where N is 1 or the number of the last roll.
    """
    rules = solution.rules
    extremes = {}
    first, last = rules.rolls - 1, 0
    for left in dict.fromkeys((first, last)):
        rated = rated_rolls(solution, left)
        for extreme, place in (("best", 0), ("worst", -1)):
            extremes[f"{extreme} roll {rules.rolls - left}"] = rolls_of_equal_value(rated, place)
    return extremes


def last_turns(rules: Rules, *, fewer_dice: bool = False) -> dict[str, Distribution]:
    """Return the distribution of each category's points if only that category is open.

    The filling order of the rules is ignored. Jokers are allowed if the rules have them.
    Bonuses and saved rolls do not count. The policy maximizes the expected points, and it breaks
    ties as :class:`rollwise.strategies.Optimal` does.
    """
    changes = {"upper_bonus": None, "extra_bonus": None, "order": "free"}
    bare = Rules.model_validate(rules.unsaved.model_dump() | changes)
    model = build(bare)
    nothing = Table(model, [], np.zeros((model.n_classes, model.lanes)))
    nothing_left = CardSolution(bare, EXPECTED, model, nothing)
    strategy = Optimal(nothing_left, fewer_dice=fewer_dice)
    full = (1 << len(rules.categories)) - 1
    distributions = {}
    for k, category in enumerate(rules.keys):
        c = model.class_of(full ^ 1 << k)
        (probability_O,) = strategy.turns(Cards.one(model, c, 0)).outcome_probabilities()
        mass = np.bincount(model.points_O, weights=probability_O).astype(np.float64)
        distributions[category] = Distribution.of_counts(mass)
    return distributions
