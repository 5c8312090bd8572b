"""The EV losses of a strategy's or agent's decisions in simulated games.

The EV loss of a decision is the value of the best option minus the value of the chosen option, both
with optimal play afterward. The expected total EV loss of a game is the value of the game minus
the expected score of the strategy. This is true even if later decisions are not optimal. The mean
EV loss therefore estimates the expected score with much less variance than the mean score does. It
is a control variate that removes the luck of the dice.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rollwise.evaluation.batch import CardGroups
from rollwise.model.turn import options_of
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.kernels.scalar_turn import LatticeArrays, StateScratch
from rollwise.solving.kernels.simulation import TurnLog, turn_losses
from rollwise.solving.progress import Progress
from rollwise.solving.turn_policy import Cards
from rollwise.strategies import Strategy
from rollwise.strategies.optimal import outcome_values
from rollwise.two_player.head_to_head import games_of, prepare


@dataclass(frozen=True, eq=False)
class Losses:
    """Mean EV losses per game, in points, over simulated games.

    Attributes
    ----------
    games : int
        The number of games.
    total, error : float
        The mean EV loss of a game, and its standard error.
    by_turn_T_J : float64 array of shape (turns, rolls)
        The mean EV loss by turn and by decision. The decisions are the dice to keep before each
        reroll, and then the category.
    by_category_K : float64 array of shape (categories,)
        The mean EV loss of all decisions in a turn, by the category that the turn is scored in.
    scores_N : int64 array of shape (games,)
        The final scores.
    """

    games: int
    total: float
    error: float
    by_turn_T_J: NDArray[np.float64]
    by_category_K: NDArray[np.float64]
    scores_N: NDArray[np.int64]


def losses(
    strategy: Strategy,
    solution: CardSolution,
    games: int,
    seed: int = 0,
    threads: int = 1,
    progress: Progress | None = None,
) -> Losses:
    """Return the EV losses of a strategy in simulated games.

    ``solution`` solves the game for the expected score. ``progress`` is called after each turn.
    """
    model = solution.model
    progress = prepare(strategy, games, progress)
    batch = games_of(strategy, model, seed, 0, games, threads)
    by_turn = []
    by_category_K = np.zeros(len(model.rules.categories))
    loss_N = np.zeros(games)
    before = batch.cards
    for turn in batch.turns():
        loss_N_J = _turn_losses(solution, before, turn)
        by_turn.append(loss_N_J.mean(axis=0))
        loss_N += loss_N_J.sum(axis=1)
        by_category_K += np.bincount(
            turn.scored_N, weights=loss_N_J.sum(axis=1), minlength=len(by_category_K)
        )
        before = batch.cards
        if progress:
            progress(len(by_turn) / len(by_category_K))
    return Losses(
        games=games,
        total=float(loss_N.mean()),
        error=float(loss_N.std() / np.sqrt(games)),
        by_turn_T_J=np.array([np.pad(row, (0, len(by_turn[-1]) - len(row))) for row in by_turn]),
        by_category_K=by_category_K / games,
        scores_N=before.score_G + batch.bonus_N,
    )


def _turn_losses(solution: CardSolution, before: Cards, turn: TurnLog) -> NDArray[np.float64]:
    """Return the EV loss of each decision of a turn, float64 of shape (N, rolls)."""
    model = solution.model
    loss_N_J = np.zeros(turn.rolled_N_J.shape)
    groups, dice = CardGroups(("lane",), before), LatticeArrays.of(model.lattice)
    for first, last in groups.classes():
        cards = groups.cards.at(slice(first, last))
        c = int(cards.class_G[0])
        option_E_K = options_of(model, c)
        stages = turn.rolled_N_J.shape[1]  # the number of rolls in the longest turn
        if model.rules.stops:
            stages = min(stages, len(option_E_K) // len(model.lattice.rolls))
        turn_losses(
            StateScratch.of(dice, stages - 1),
            groups.games,
            groups.starts[first : last + 1],
            outcome_values(solution, cards),
            option_E_K,
            dice,
            turn,
            loss_N_J,
        )
    return loss_N_J
