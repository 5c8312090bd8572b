"""Test simulations (seeds, jobs, executors, and logs) and comparisons of strategies."""

import os
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rollwise.distribution import Distribution
from rollwise.errors import LostWorkersError
from rollwise.evaluation.batch import BLOCK
from rollwise.experiments.comparison import compare_with
from rollwise.experiments.simulation import Sample, log_lines, simulate
from rollwise.rules import load_rules
from rollwise.solving.jobs import run_jobs
from rollwise.solving.solver import solve
from rollwise.strategies import CommonestFace, Greedy, Optimal, RandomStrategy

RULES = load_rules("yams")
SHORT = RULES.model_copy(update={"name": "short", "categories": RULES.categories[5:10]})


def same(a: Sample, b: Sample) -> bool:
    """Return whether two samples are bit-identical."""
    return np.array_equal(a.points_N_K, b.points_N_K) and np.array_equal(a.scores_N, b.scores_N)


def same_log(a: Sample, b: Sample) -> bool:
    """Return whether two samples have the same log."""
    assert a.log is not None
    assert b.log is not None
    return (
        np.array_equal(a.log.rolled_N_J, b.log.rolled_N_J)
        and np.array_equal(a.log.kept_N_J, b.log.kept_N_J)
        and np.array_equal(a.log.scored_N, b.log.scored_N)
    )


class TestSeeds:
    def test_a_longer_simulation_begins_with_the_same_games(self) -> None:
        few, many = (simulate(CommonestFace(), RULES, n, 5) for n in (100, BLOCK + 300))
        assert (many.points_N_K[:100] == few.points_N_K).all()

    def test_any_executor_gives_the_same_games(self) -> None:
        here = simulate(RandomStrategy(), RULES, BLOCK + 17, 9, log=True)
        there = simulate(
            RandomStrategy(), RULES, BLOCK + 17, 9, log=True,
            executor=lambda: ThreadPoolExecutor(3), workers=3,
        )  # fmt: skip
        assert same(here, there)
        assert same_log(here, there)

    def test_dice_are_paired(self) -> None:
        greedy, face = (simulate(s, RULES, 50, 3, log=True) for s in (Greedy(), CommonestFace()))
        assert greedy.log is not None
        assert face.log is not None
        assert (greedy.log.rolled_N_J[:, :, 0] == face.log.rolled_N_J[:, :, 0]).all()

    def test_dice_are_fair(self) -> None:
        games = simulate(CommonestFace(), RULES, 20_000, 1, log=True)
        assert games.log is not None
        from rollwise.model.dice_lattice import lattice

        dice = lattice(((5, 6),))
        rolls = games.log.rolled_N_J[:, :, 0].ravel() - dice.first_roll
        observed = np.bincount(rolls, minlength=252)
        expected = dice.weight_R / 7776 * len(rolls)
        assert ((observed - expected) ** 2 / expected).sum() < 251 + 4 * (2 * 251) ** 0.5


def test_the_log_replays(tmp_path: Path) -> None:
    from rollwise.game.scoring import natural_points

    games = simulate(Greedy(), RULES, 20, 4, log=True)
    head, *lines = "".join(log_lines(games, RULES)).splitlines()
    assert head == "game,turn,rolls,keeps,category,points,score"
    assert len(lines) == 20 * 13
    totals = dict.fromkeys(range(20), 0)
    for line in lines:
        n, _, rolls, keeps, key, points, score = line.split(",")
        shown = [[int(die) for die in roll] for roll in rolls.split()]
        for roll, keep, after in zip(shown, keeps.split(), shown[1:], strict=False):
            held = [] if keep == "-" else [int(die) for die in keep]
            for face in range(1, 7):
                assert held.count(face) <= min(roll.count(face), after.count(face))
        assert natural_points(RULES, RULES.category_index(key), shown[-1]) == int(points)
        totals[int(n)] += int(points)
        assert int(score) == games.scores_N[int(n)]
    assert list(totals.values()) == games.scores_N.tolist()


class _Dying(Executor):
    """An executor that runs some jobs and then fails like a pool with a killed worker."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        future: Future[Any] = Future()
        self.jobs -= 1
        if self.jobs < 0:
            future.set_exception(BrokenProcessPool("a worker was killed"))
        else:
            future.set_result(fn(*args, **kwargs))
        return future


class TestJobs:
    def test_lost_jobs_run_again_and_count_once(self) -> None:
        pools: list[int] = []

        def executor() -> Executor:
            pools.append(1)
            return _Dying(3)

        done: list[float] = []
        assert run_jobs(pow, [(n, 2) for n in range(8)], executor, done.append) == [
            n * n for n in range(8)
        ]
        assert len(pools) > 1
        assert done == [pytest.approx(n / 8) for n in range(1, 9)]

    def test_workers_that_always_die_are_an_error(self) -> None:
        with pytest.raises(LostWorkersError, match="after 0 of 1 job"):
            run_jobs(pow, [(1, 2)], lambda: _Dying(0))

    def test_errors_of_a_job_are_not_retried(self) -> None:
        with pytest.raises(ZeroDivisionError):
            run_jobs(divmod, [(1, 0)], lambda: ThreadPoolExecutor(1))


def die_once(flag: str, job: int) -> int:
    """Return the square of a number; the first run of job 2 kills its process."""
    if job == 2 and not Path(flag).exists():
        Path(flag).touch()
        os._exit(1)
    return job * job


@pytest.mark.slow
def test_a_killed_process_is_replaced(tmp_path: Path) -> None:
    jobs = [(str(tmp_path / "flag"), n) for n in range(6)]
    spawn = get_context("spawn")
    results = run_jobs(die_once, jobs, lambda: ProcessPoolExecutor(2, mp_context=spawn))
    assert results == [n * n for n in range(6)]
    assert (tmp_path / "flag").exists()


class TestCompare:
    def test_matrix_of_known_distributions(self) -> None:
        best = solve(SHORT, cache=False)
        result = compare_with([Optimal(best), Greedy()], best, 500, 2)
        a, b = result.entries
        win, tie, loss = a.distribution.against(b.distribution)
        dense = np.zeros((2, 400))
        for row, entry in zip(dense, result.entries, strict=True):
            row[entry.distribution.scores] = entry.distribution.probabilities
        joint = np.outer(dense[0], dense[1])
        assert win == pytest.approx(np.tril(joint, -1).sum())
        assert tie == pytest.approx(np.trace(joint))
        assert loss == pytest.approx(np.triu(joint, 1).sum())
        assert b.distribution.against(a.distribution) == pytest.approx((loss, tie, win))
        assert result.difference(a, b)[0] == -result.difference(b, a)[0]

    def test_same_for_any_executor(self) -> None:
        players, best = [Greedy(), CommonestFace()], solve(SHORT, cache=False)
        here = compare_with(players, best, 300, 2)
        there = compare_with(players, best, 300, 2, executor=lambda: ThreadPoolExecutor(2))
        assert here.as_dict() == there.as_dict()


def test_empirical_distribution() -> None:
    games = Sample(
        np.array([[1], [2], [2]], np.int16), np.zeros(3, np.int64), np.zeros(3, np.int64)
    )
    distribution: Distribution = games.distribution
    assert distribution.scores.tolist() == [1, 2]
    assert distribution.probabilities == pytest.approx([1 / 3, 2 / 3])
