"""What the decisions of a strategy give away against the optimum, and where.

The loss of a decision is the value of the best option less that of the choice, if play is optimal
from then on. The losses of a game add up, in expectation, to what the strategy is worth less than
the optimum, whatever its own play later on.

An agent judged: what its decisions give away, and how much less luck has to do with that.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rollwise.evaluation.batch import CardGroups, ScorecardBatch
from rollwise.model.turn import options_of
from rollwise.rules import Rules
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.kernels.scalar_turn import LatticeArrays, StateScratch
from rollwise.solving.kernels.simulation import TurnLog, turn_losses
from rollwise.solving.progress import Progress
from rollwise.strategies import Optimal, Strategy
from rollwise.strategies.optimal import outcome_worths
from rollwise.two_player.head_to_head import games_of, prepare


@dataclass(frozen=True, eq=False)
class Losses:
    """Mean losses a game, in points of the expected score, over simulated games.

    Attributes
    ----------
    games : int
    total, error : float
        All decisions together, and the standard error of that.
    by_turn_T_J : float64 array of shape (turns, rolls)
        By turn, and by decision within it: each keep, then the category.
    by_category_K : float64 array of shape (categories,)
        Of the turns that ended in each box, keeps included.
    scores_N : int64 array
        The final scores of these games.
    """

    games: int
    total: float
    error: float
    by_turn_T_J: NDArray[np.float64]
    by_category_K: NDArray[np.float64]
    scores_N: NDArray[np.int64]

    def by_decision(self, rules: Rules) -> dict[str, float]:
        """Return the losses by what is decided after each roll, in words."""
        lost_J = self.by_turn_T_J.sum(axis=0).tolist()
        names = [*(f"keep {j}" for j in range(1, len(lost_J))), "category"]
        if rules.stops:  # after any roll but the last one either may be chosen
            names = [f"after roll {j}" for j in range(1, len(lost_J) + 1)]
        return dict(zip(names, lost_J, strict=True))

    def as_dict(self, rules: Rules) -> dict[str, Any]:
        """Return the losses in the game of these rules as JSON can hold them."""
        return {
            "total": self.total,
            "error": self.error,
            "by_turn": self.by_turn_T_J.sum(axis=1).tolist(),
            "by_decision": self.by_turn_T_J.sum(axis=0).tolist(),
            "by_category": dict(zip(rules.keys, self.by_category_K.tolist(), strict=True)),
        }


def losses(
    strategy: Strategy,
    solution: CardSolution,
    games: int,
    seed: int = 0,
    threads: int = 1,
    progress: Progress | None = None,
) -> Losses:
    """Return what a strategy loses in simulated games.

    Parameters
    ----------
    solution : CardSolution
        Of the game for the expected score.
    progress : callable, optional
        Called with the done share of the work, from 0 to 1, after each turn.
    """
    model = solution.model
    model.rules.check_unannounced("losses of decisions")
    progress = prepare(strategy, games, progress)
    batch = games_of(strategy, model, seed, 0, games, threads)
    by_turn = []
    by_category_K = np.zeros(len(model.rules.categories))
    lost_N = np.zeros(games)
    before = batch.cards
    for turn in batch.turns():
        lost_N_J = _turn_losses(solution, before, turn)
        by_turn.append(lost_N_J.mean(axis=0))
        lost_N += lost_N_J.sum(axis=1)
        by_category_K += np.bincount(
            turn.scored_N, weights=lost_N_J.sum(axis=1), minlength=len(by_category_K)
        )
        before = batch.cards
        if progress:
            progress(len(by_turn) / len(by_category_K))
    return Losses(
        games=games,
        total=float(lost_N.mean()),
        error=float(lost_N.std() / np.sqrt(games)),
        by_turn_T_J=np.array([np.pad(row, (0, len(by_turn[-1]) - len(row))) for row in by_turn]),
        by_category_K=by_category_K / games,
        scores_N=before.points_N + batch.bonus_N,
    )


def _turn_losses(
    solution: CardSolution, before: ScorecardBatch, turn: TurnLog
) -> NDArray[np.float64]:
    """Return the loss of each decision of one turn, shape (N, rolls)."""
    model = solution.model
    lost_N_J = np.zeros(turn.rolled_N_J.shape)
    groups, dice = CardGroups(Optimal(solution), model, before), LatticeArrays.of(model.lattice)
    for first, last in groups.classes(0, groups.number):
        c = int(groups.class_G[first])
        option_E_K = options_of(model, c)
        stages = turn.rolled_N_J.shape[1]  # as many as rolls of the longest turn
        if model.rules.stops:
            stages = min(stages, len(option_E_K) // len(model.lattice.rolls))
        turn_losses(
            StateScratch.of(dice, stages - 1),
            groups.games,
            groups.starts[first : last + 1],
            outcome_worths(solution, groups.class_G[first:last], groups.lane_G[first:last]),
            option_E_K,
            dice,
            turn,
            lost_N_J,
        )
    return lost_N_J


@dataclass(frozen=True, eq=False)
class Judgement:
    """What some games say of a player.

    Attributes
    ----------
    optimum : float
        The highest expected score there is.
    """

    rules: Rules
    agent: str
    seed: int
    optimum: float
    losses: Losses

    @property
    def worth(self) -> float:
        """The expected score: the optimum less the points lost, with the same standard error."""
        return self.optimum - self.losses.total

    @property
    def raw_mean(self) -> float:
        """The mean of the scores themselves."""
        return float(self.losses.scores_N.mean())

    @property
    def raw_error(self) -> float:
        """The standard error of the mean score."""
        return float(self.losses.scores_N.std() / self.losses.games**0.5)

    @property
    def raw_games(self) -> int | None:
        """How many games would tell as much by their scores alone; None if nothing is unknown.

        The error of a mean falls with the root of the number of games.
        """
        error = self.losses.error
        return round(self.losses.games * (self.raw_error / error) ** 2) if error else None

    def as_dict(self) -> dict[str, Any]:
        """Return everything as JSON can hold it."""
        lost = self.losses
        return {
            "rules": self.rules.name,
            "agent": self.agent,
            "games": lost.games,
            "seed": self.seed,
            "optimum": self.optimum,
            "worth": self.worth,
            "raw": {"mean": self.raw_mean, "error": self.raw_error, "games": self.raw_games},
            "lost": lost.as_dict(self.rules),
        }


def judge(
    agent: Strategy,
    solution: CardSolution,
    games: int = 1000,
    seed: int = 0,
    *,
    threads: int = 1,
    progress: Progress | None = None,
) -> Judgement:
    """Judge a player by its decisions in some games.

    Parameters
    ----------
    solution : CardSolution
        Of the game for the expected score.
    games : int
        How many, 2 or more.
    progress : callable, optional
        Called with the done share of the work, from 0 to 1, after each turn.

    Raises
    ------
    IllegalError
        When it plays what the rules forbid.
    """
    lost = losses(agent, solution, games, seed, threads, progress)
    return Judgement(solution.rules, agent.name, seed, solution.value(), lost)
