r"""One who plays to win against one who plays for points, in games of any size: simulated.

He plays as :mod:`rollwise.evaluation.duel_play` says. What he thinks of his game after each turn,
H, is ½ at the start, the exact chance near the end and 1, ½ or 0 at the end, so that his chance is

.. math:: P = \tfrac12 + E \sum_i \bigl(E(H_{i+1} \mid \text{both cards}) - H_i\bigr)

over the turns of both, whatever H is. Given the cards each mean is exact: what is simulated is how
far from true he thinks, and near the end, where he is right, what the other one gives away.
"""

import numpy as np
from numpy.typing import NDArray

from rollwise.laboratory.batch import Batch
from rollwise.laboratory.duel_games import AgainstPoints
from rollwise.laboratory.duellist import Duellist, known_of
from rollwise.laboratory.jobs import run_jobs
from rollwise.laboratory.meeting import AS_LONG
from rollwise.rules import Rules
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.job_results import JobResults
from rollwise.solving.play import BestPlay, Play
from rollwise.solving.progress import Progress, within
from rollwise.strategies import Optimal

Floats = NDArray[np.float64]

BLOCKS = 8192
"""Games that go from turn to turn together, and are kept on disk once they are over."""


def long_against_points(
    points: CardSolution, games: int, seed: int = 0, progress: Progress | None = None
) -> AgainstPoints:
    """Let ``duel`` play games against one who plays for points, moving first and second.

    Nothing of a game depends on the others. Those that are over are kept on disk until all are: to
    call this again goes on from there.

    Parameters
    ----------
    points : CardSolution
        Of the game for the expected score, with moments.
    progress : callable, optional
        Called with the done share of the work, from 0 to 1.

    Raises
    ------
    TooLargeError
        When the game is too large for its cards to be played through.
    """
    play, begun = BestPlay(points), AS_LONG / (AS_LONG + games)
    known_of(points, within(progress, 0, begun))
    jobs = [
        (points.rules, seed, second, start, min(start + BLOCKS, games))
        for second in (False, True)
        for start in range(0, games, BLOCKS)
    ]

    def chances(_: Rules, seed: int, second: bool, start: int, stop: int) -> Floats:
        mine = Duellist(points, 2 * seed, start, stop)
        other = Batch(Optimal(points), mine.model, 2 * seed + 1, start, stop)
        begin, end = (begun + (1 - begun) * (second + n / games) / 2 for n in (start, stop))
        return _chances(mine, other, play, second=second, progress=within(progress, begin, end))

    results = JobResults(long_against_points, list(jobs))
    found = np.array_split(np.concatenate(run_jobs(chances, jobs, results=results)), 2)
    results.drop()
    (first, first_error), (later, later_error) = map(_mean, found)
    return AgainstPoints(games, first, later, first_error, later_error, None, None)


def _mean(chance_N: Floats) -> tuple[float, float]:
    """Return the mean and its standard error."""
    return float(chance_N.mean()), float(chance_N.std() / np.sqrt(len(chance_N)))


def _chances(
    mine: Duellist, other: Batch, play: Play, *, second: bool, progress: Progress | None
) -> Floats:
    """Return what each game says of his chance, float64 of shape (games,)."""
    mine.others = other
    turns, answers = other.turns(), mine.turns()
    boxes = len(mine.model.rules.categories)
    for number in range(boxes):
        if not second:
            next(answers)
        mine.foresee(play)
        next(turns)
        mine.look()
        if second:
            next(answers)
        if progress:
            progress((number + 1) / boxes)
    return mine.chance_N
