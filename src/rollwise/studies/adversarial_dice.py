"""Games against adversarial dice, which Verhoeff calls demonic dice.

An adversary chooses each roll. It *rates* the rolls that contain the kept dice, and it shows the
roll with the lowest rating:

* In :func:`lowest_game`, the adversary knows the strategy. The rating of a roll is the lowest
  number of points to come that is possible after it.
* In :func:`adversarial_game`, the rating of a roll is the expected score if later rolls are fair.

If several rolls have the lowest rating (within ``TOLERANCE``), the adversary shows the first of
them in lattice order, which has the lowest faces.

Source: T. Verhoeff, Optimal Solitaire Yahtzee Strategies (2003 or later), "Game with Minimum
Score of Optimal Strategy" and "Game of Optimal Strategy against Demonic Dice".
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import InputError
from rollwise.game.actions import Event, Keep, Roll, Score
from rollwise.game.game import Game
from rollwise.model.arrays import Model
from rollwise.model.turn import Values, keep_values, outcomes_after, roll_values
from rollwise.rules import Rules
from rollwise.solving.position_index import CardIndex
from rollwise.solving.progress import Progress
from rollwise.solving.solution import TOLERANCE, Solution
from rollwise.solving.turn_policy import Cards, Turns
from rollwise.strategies import Optimal, Strategy

Rating = Callable[[CardIndex, Turns], list[Values]]
"""A function from a state and its turn policy to the ratings of each roll, arrays of shape (R,)."""


@dataclass(frozen=True, eq=False)
class LowestTotals:
    """The lowest points to come from each state, float64 of shape (C, L).

    They include the upper bonus even if it is already earned, as in
    :attr:`rollwise.solving.card_solution.CardSolution.remaining_C_L`.
    """

    model: Model
    rest_C_L: NDArray[np.float64]

    @property
    def total(self) -> int:
        """The lowest final score."""
        return int(self.rest_C_L[0, 0])


def lowest_totals(
    strategy: Strategy,
    rules: Rules | None = None,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
) -> LowestTotals:
    """Compute the lowest points to come from every state if the player follows a strategy.

    The rules of an optimal strategy are known, and by default all usable cores work.
    """
    from rollwise.evaluation.policy_value import policy_of  # numba
    from rollwise.solving.kernels.moments import fill_lowest

    policy = policy_of(strategy, rules, threads)
    model = policy.compiled.model
    rest_C_L = policy.compiled.rows(model.bonus_L)
    policy.backward(
        (fill_lowest, model.total_points_O.astype(np.float64), rest_C_L), progress=progress
    )
    return LowestTotals(model, rest_C_L[:, : model.lanes])


def lowest_game(strategy: Strategy, lowest: LowestTotals) -> Game:
    """Return a game in which a strategy without random choices gets its lowest final score."""
    model = lowest.model
    points_O = model.total_points_O

    def ratings(place: CardIndex, turns: Turns) -> list[Values]:
        """Return the lowest points to come after each roll of the turn."""
        option_E_K, after_E_K, lane_E_K = outcomes_after(model, place.c, place.lane)
        total_E_K = points_O[option_E_K] + lowest.rest_C_L[after_E_K, lane_E_K]
        total_E = total_E_K[np.arange(len(total_E_K)), turns.categories[0]]
        n_rolls, first_roll = len(model.lattice.rolls), model.lattice.first_roll
        rated = [total_E[:n_rolls]]
        for left, keep_R in enumerate(turns.keeps[0, ::-1], start=1):
            value_P = keep_values(model.lattice, rated[-1], "worst")
            if len(total_E) > n_rolls:
                value_P[first_roll:] = total_E[left * n_rolls :][:n_rolls]
            rated.append(value_P[keep_R])
        return rated[::-1]

    return _play(strategy, model, ratings)


def adversarial_game(solution: Solution) -> Game:
    """Return the game of optimal play against dice that minimize the expected score of each roll.

    The adversary chooses all dice of a roll together. The player plays as if the dice were fair.
    """
    model = solution.model

    def ratings(place: CardIndex, turns: Turns) -> list[Values]:
        value_E = solution.final_roll_values(place.c, place.lane, place.score)[0].max(axis=1)
        rerolls = int(model.rerolls_C[place.c])
        return roll_values(model.lattice, value_E, rerolls, solution.objective.chance)[::-1]

    return _play(Optimal(solution), model, ratings)


def _play(strategy: Strategy, model: Model, ratings: Rating) -> Game:
    """Return the game that a strategy plays against dice that always show the lowest-rated roll."""
    game = Game(model.rules)
    while not game.is_over:
        place = CardIndex.of_card(model, game.card)
        turns = strategy.turns(Cards.one(model, place.c, place.lane, place.score))
        if turns.is_mixed:
            raise InputError(
                "the worst game needs a strategy without random choices; use another strategy"
            )
        for event in _turn(model, turns, ratings(place, turns)):
            game.push(event)
    return game


def _turn(model: Model, turns: Turns, rated: list[Values]) -> Iterator[Event]:
    """Yield the events of one turn, given the ratings of its rolls."""
    lattice = model.lattice
    counts_R_F = lattice.counts_P_F[lattice.first_roll :]
    keep = roll = 0  # before the first roll, no dice are kept
    for left, rating_R in zip(range(turns.cards.rerolls, -1, -1), rated, strict=True):
        if keep < lattice.first_roll:
            possible_R = (counts_R_F >= lattice.counts_P_F[keep]).all(axis=1)
            worst = rating_R[possible_R].min()
            roll = int((possible_R & (rating_R <= worst + TOLERANCE)).argmax())
            yield Roll(lattice.rolls[roll])
        if left > 0:
            keep = int(turns.keeps[0, -left, roll])
            if keep < lattice.first_roll:
                yield Keep(lattice.points[keep])
            elif model.rules.stops:
                break
    yield Score(model.rules.keys[turns.categories[0, model.final_roll_index(roll, left)]])
