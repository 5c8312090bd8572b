"""Curious figures of a game: its best and worst rolls, and what each category alone is worth.

Source: T. Verhoeff, Optimal Solitaire Yahtzee Strategies (1999), "Optimal Strategy Trivia",
"Last Turn Values per Category".
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
from rollwise.solving.place import CardPlace
from rollwise.solving.solution import TIE, Solution
from rollwise.strategies import Optimal


def rated_rolls(
    solution: Solution, rolls_left: int | None = None, card: Scorecard | None = None
) -> list[tuple[Dice, Option]]:
    """Return every roll with the best that can be done with it, best roll first.

    Rolls of the same value stand in lattice order; of options equally good the first one is
    given, as :meth:`rollwise.solving.solution.Solution.options` orders them.

    Parameters
    ----------
    solution : Solution
    rolls_left : int, optional
        Rerolls left after the roll; all of them unless told: the first roll of a turn.
    card : Scorecard, optional
        The card; the empty one unless told.

    Of later rolls of a turn whose box is announced nothing is told without that box.

    Raises
    ------
    InconsistentError
        When the card is full, or no roll leaves so many rerolls.
    ValueError
        When the card belongs to other rules.
    """
    card = card or Scorecard.empty(solution.rules)
    left = solution.rules.rolls_with(card.saved) - 1 if rolls_left is None else rolls_left
    worths = solution.worths_from(CardPlace.of_card(solution.model, card))
    rated = [
        (dice, solution.rate(Position.of(card, dice, left), worths)[0])
        for dice in solution.model.lattice.rolls
    ]
    return sorted(rated, key=lambda roll: -round(roll[1].value, 9))


def as_good(rated: list[tuple[Dice, Option]], place: int) -> list[tuple[Dice, Option]]:
    """Return one of some rated rolls, then all others of its value."""
    one = rated[place]
    others = (roll for roll in rated if roll is not one)
    return [one, *(roll for roll in others if abs(roll[1].value - one[1].value) <= TIE)]


def last_turns(rules: Rules, *, fewer_dice: bool = False) -> dict[str, Distribution]:
    """Return the law of each category's points when a last turn is left for it alone.

    All other categories are filled, whatever the order, so that nothing is left to announce, and
    a joker may be used where the rules have one; bonuses do not count, and no rolls are saved. Best
    play for the expectation; ties, also by ``fewer_dice``, as :class:`rollwise.strategies.Optimal`
    breaks them.
    """
    changes = {"upper_bonus": None, "extra_bonus": None, "order": "free", "announced": False}
    bare = Rules.model_validate(rules.unsaved.model_dump() | changes)
    model = build(bare)
    nothing_left = CardSolution(bare, EXPECTED, model, np.zeros((model.n_classes, model.lanes)))
    strategy = Optimal(nothing_left, fewer_dice=fewer_dice)
    full = (1 << len(rules.categories)) - 1
    distributions = {}
    for k, category in enumerate(rules.keys):
        c = model.class_of(full ^ 1 << k)
        probability_O = strategy.turn_policy(model, c, 0).outcome_probabilities(model, c)
        mass = np.bincount(model.points_O, weights=probability_O).astype(np.float64)
        distributions[category] = Distribution.of_counts(mass)
    return distributions
