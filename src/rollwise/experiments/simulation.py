"""Monte Carlo simulation: seeded games of any strategy, with statistics and logs."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rollwise.distribution import Distribution
from rollwise.errors import check_count
from rollwise.evaluation.evaluate import strategy_named
from rollwise.game.dice_notation import format_keep
from rollwise.model.arrays import build
from rollwise.model.dice_lattice import lattice
from rollwise.rules import Rules, RulesLike, as_rules
from rollwise.solving.jobs import run, usable_cores
from rollwise.solving.progress import Progress
from rollwise.strategies import Strategy, StrategyLike

if TYPE_CHECKING:  # needs numba
    from rollwise.solving.kernels.simulation import TurnLog

MAX_JOB = 1 << 20
"""The maximum number of games per job, which limits its memory."""

PARTS = 64
"""The number of jobs for an executor, each of which needs a copy of the strategy."""

GAMES = 10_000
"""The default number of games."""


@dataclass(frozen=True, eq=False)
class Sample:
    """The results of simulated games. The axes are N (game), T (turn), J (roll), and K (category).

    Attributes
    ----------
    points_N_K : int16 array
        The points in each category.
    extra_N, bonus_N : int64 arrays
        The points from five-of-a-kind bonuses, and from the upper bonus.
    log : TurnLog or None
        All rolls, kept dice, and categories; None if they were not recorded. In these arrays, axis
        T follows axis N.
    """

    points_N_K: NDArray[np.int16]
    extra_N: NDArray[np.int64]
    bonus_N: NDArray[np.int64]
    log: TurnLog | None = None

    @cached_property
    def scores_N(self) -> NDArray[np.int64]:
        """The final scores."""
        categories_N = self.points_N_K.sum(axis=1, dtype=np.int64)
        return np.asarray(categories_N + self.extra_N + self.bonus_N)

    @property
    def distribution(self) -> Distribution:
        """The empirical distribution of the final score."""
        return Distribution.of_sample(self.scores_N)


def _join(parts: list[Sample]) -> Sample:
    """Return the games of all parts as one sample."""
    from rollwise.solving.kernels.simulation import TurnLog  # numba

    logs = [part.log for part in parts if part.log is not None]
    return Sample(
        np.concatenate([part.points_N_K for part in parts]),
        np.concatenate([part.extra_N for part in parts]),
        np.concatenate([part.bonus_N for part in parts]),
        TurnLog(*map(np.concatenate, zip(*logs, strict=True))) if logs else None,
    )


def simulate(
    strategy: StrategyLike,
    rules: RulesLike,
    games: int = GAMES,
    seed: int = 0,
    *,
    log: bool = False,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Sample:
    """Simulate games, of which the seed determines the dice, for any number of workers.

    The strategy ``duel`` plays against the strategy that maximizes the expected score. With
    ``log``, record all rolls, kept dice, and categories. Without an executor, this process plays
    on all its cores.
    """
    from rollwise.evaluation.batch import BLOCK  # numba

    rules = as_rules(rules)
    check_count(games, "games")
    check_count(seed, "seed", least=0)
    strategy = strategy_named(strategy, rules)
    blocks = -(-games // BLOCK)
    parts = min(blocks, max(PARTS if executor else 1, -(-games // MAX_JOB)))
    cuts = [min(blocks * part // parts * BLOCK, games) for part in range(parts + 1)]
    threads = 1 if executor else usable_cores()
    jobs = [(strategy, rules, seed, start, stop, log, threads) for start, stop in pairwise(cuts)]
    return _join(run(play_games, jobs, executor, progress))


def play_games(
    strategy: Strategy,
    rules: Rules,
    seed: int,
    start: int,
    stop: int,
    log: bool,
    threads: int,
    progress: Progress | None = None,
) -> Sample:
    """Simulate the games ``start`` to ``stop - 1``. ``start`` must be the first game of a block."""
    from rollwise.solving.kernels.simulation import TurnLog  # numba
    from rollwise.two_player.head_to_head import games_of, prepare

    progress = prepare(strategy, stop - start, progress)
    batch = games_of(strategy, build(rules), seed, start, stop, threads)
    turns = []
    for number, turn in enumerate(batch.turns(), start=1):
        if log:
            turns.append(turn)
        if progress:
            progress(number / len(rules.categories))
    played = TurnLog(*map(_side_by_side, zip(*turns, strict=True))) if log else None
    return Sample(batch.points_N_K, batch.extra_N, batch.bonus_N, played)


def _side_by_side(parts: tuple[NDArray[Any], ...]) -> NDArray[Any]:
    """Stack the arrays of all turns into one array whose second axis is the turn."""
    widths = [part.shape[1:] for part in parts]
    most = max(widths)  # with saved rolls, later turns might have more rolls
    padded = [
        np.pad(part, [(0, 0), *((0, m - n) for m, n in zip(most, width, strict=True))])
        for part, width in zip(parts, widths, strict=True)
    ]
    return np.stack(padded, axis=1)


def log_lines(games: Sample, rules: Rules) -> Iterator[str]:
    """Yield the lines of a log as CSV: a header, then one line per turn of every game.

    Rolls and kept dice are in the order of the game, separated by spaces. They are written in the
    notation of :mod:`rollwise.game.dice_notation`, but with ``+`` instead of each comma.
    """
    assert games.log is not None, "expected games with a log"
    of_dice = lattice(rules.kinds)
    # The notation separates faces of two digits with commas, which would end a field.
    dice = [format_keep(rules, point).replace(",", "+") for point in of_dice.points]
    yield "game,turn,rolls,keeps,category,points,score\n"
    rolled, kept_points, rolls_played, _, scored = games.log
    for n, score in enumerate(games.scores_N.tolist()):
        for t in range(scored.shape[1]):
            rolls = " ".join(dice[point] for point in rolled[n, t, : rolls_played[n, t]])
            keeps = " ".join(dice[point] for point in kept_points[n, t, : rolls_played[n, t] - 1])
            k = scored[n, t]
            yield f"{n},{t + 1},{rolls},{keeps},{rules.keys[k]},{games.points_N_K[n, k]},{score}\n"
