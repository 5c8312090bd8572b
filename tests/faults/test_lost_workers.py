"""Check that the jobs of lost workers run again, or that one error message reports the failure."""

import hashlib
import pickle
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from distributed import KilledWorker

from commands import run
from rollwise.errors import InputError, LostWorkersError
from rollwise.evaluation.batch import BLOCK
from rollwise.experiments import comparison, sensitivity, simulation
from rollwise.experiments.cluster import Cluster
from rollwise.experiments.simulation import simulate
from rollwise.rules import load_rules
from rollwise.solving.jobs import JobResults, run_jobs
from rollwise.solving.solver import solve
from rollwise.solving.storage.tables import read_table
from rollwise.strategies import Greedy

MICRO = load_rules("micro-yahtzee")


def double(number: int) -> int:
    return 2 * number


class TestLostWorkers:
    """Tests of jobs on executors that fail like Dask's executors."""

    class Flaky(Executor):
        """An executor that loses some jobs: it returns them as canceled, like a lost scheduler."""

        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
            future: Future[Any] = Future()
            if args[0] in self.lost:
                future.cancel()
                future.set_running_or_notify_cancel()
            else:
                future.set_result(fn(*args, **kwargs))
            return future

        def __init__(self, lost: Collection[int]) -> None:
            self.lost = lost

    def test_lost_jobs_are_run_again(self) -> None:
        losses = iter([(1, 3), (3,), ()])
        jobs = [(number,) for number in range(5)]
        assert run_jobs(double, jobs, lambda: self.Flaky(next(losses))) == [0, 2, 4, 6, 8]

    def test_permanently_lost_workers_are_an_error(self) -> None:
        with pytest.raises(LostWorkersError, match=r"after 4 of 5 jobs.*nothing is saved"):
            run_jobs(double, [(n,) for n in range(5)], lambda: self.Flaky((3,)))

    def test_a_scheduler_that_does_not_come_back(self) -> None:
        def executor() -> Executor:
            if started:
                raise InputError("no scheduler answers")
            started.append(True)
            return self.Flaky((3,))

        started: list[bool] = []
        with pytest.raises(LostWorkersError, match="after 4 of 5 jobs"):
            run_jobs(double, [(n,) for n in range(5)], executor)
        with pytest.raises(InputError, match="no scheduler answers"):
            run_jobs(double, [(1,)], executor)

    def test_a_worker_that_dies_at_its_start(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(**_: Any) -> None:
            raise RuntimeError("Nanny failed to start.")

        monkeypatch.setattr("distributed.LocalCluster", refuse)
        with pytest.raises(BrokenExecutor, match="Nanny"):
            Cluster(1)
        command = "simulate", "random", "--rules", "yams", "--games", "5000"
        code, _, error = run(*command, "--workers", "2")
        assert (
            code,
            error.startswith("error: the workers or their scheduler stopped after 0 of"),
        ) == (1, True)

    def test_a_task_that_kills_its_workers(self, monkeypatch: pytest.MonkeyPatch) -> None:
        class Failed(Future[Any]):
            status = "error"

        class Dask:
            def __init__(self, *_: object, **__: object) -> None:
                """Accept the arguments of Dask's classes."""

            def submit(self, *_: Any, pure: bool) -> "Failed":
                future = Failed()
                future.set_exception(KilledWorker("task", None, 3))
                return future

            def close(self) -> None:
                raise TimeoutError("the scheduler is gone")

        for name in ("LocalCluster", "Client"):
            monkeypatch.setattr(f"distributed.{name}", Dask)
        command = "simulate", "random", "--rules", "yams", "--games", "5000"
        code, out, error = run(*command, "--workers", "2", "--quiet")
        assert (code, out) == (1, "")
        assert error.startswith("error: the workers or their scheduler stopped after 0 of 2 jobs; ")
        assert error.count("\n") == 1


class Limited(Executor):
    """An executor that runs the first ``most`` jobs, and loses all later jobs."""

    def __init__(self, jobs: Iterator[int], most: int) -> None:
        self.jobs, self.most = jobs, most

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        if next(self.jobs) >= self.most:
            raise BrokenExecutor("lost")
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


class TestSavedResults:
    GAMES = 4 * BLOCK - 1

    @pytest.fixture
    def folder(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        monkeypatch.setenv("ROLLWISE_CACHE", str(tmp_path))
        return tmp_path

    def play(self, most: int) -> tuple[list[int], int]:
        """Simulate games in four jobs, and return the scores and the number of started jobs."""
        jobs = count()
        executor = lambda: Limited(jobs, most)  # noqa: E731
        played = simulate("random", "micro-yahtzee", self.GAMES, 3, executor=executor, workers=2)
        return played.scores_N.tolist(), next(jobs)

    def test_a_second_call_resumes(self, folder: Path) -> None:
        with pytest.raises(
            LostWorkersError, match=r"after 3 of 4 jobs.*repeat the command to continue"
        ):
            self.play(3)
        assert run("cache")[1].startswith("game")
        assert "unfinished  play-games" in run("cache")[1]
        (damaged, *_) = sorted(folder.rglob("*.jobs/0*"))
        damaged.write_bytes(damaged.read_bytes()[:-1])
        scores, begun = self.play(100)
        assert begun == 2
        assert scores == simulate("random", "micro-yahtzee", self.GAMES, 3).scores_N.tolist()
        assert list(folder.rglob("*.jobs")) == []
        assert self.play(100)[1] == 4

    def test_results_are_read_as_written(self, folder: Path) -> None:
        works: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
            (simulation.play_games, (Greedy(), MICRO, 3, 0, 100, True, 1)),
            (simulation.play_games, (Greedy(), MICRO, 3, 0, 100, False, 1)),
            (comparison.examine, (Greedy(), solve(MICRO), 100, 3)),
            (sensitivity.examine, (MICRO, [{"rolls": 1}, {"rolls": 2}], "greedy", "expected")),
            (sensitivity.examine_together, (MICRO, [{"rolls": 2}], "sd")),
        ]
        for work, job in works:
            results, result = JobResults(work, [job]), work(*job)
            results.write(0, result)
            (again,) = results.read().values()
            assert type(again) is type(result)
            results.write(1, again)
            assert results.folder is not None
            first, second = (read_table(path) for path in sorted(results.folder.iterdir()))
            assert first[0]["result"] == second[0]["result"]  # with the types and digits of numbers
            for name, values in first[1].items():
                assert values.dtype == second[1][name].dtype
                assert np.array_equal(values, second[1][name])

    @pytest.mark.parametrize("result", [object(), np.array([object()]), {1j}])
    def test_other_results_are_not_saved(self, folder: Path, result: object) -> None:
        JobResults(simulation.play_games, [()]).write(0, result)
        assert list(folder.rglob("*.jobs")) == []

    def test_a_forged_result_runs_no_code(self, folder: Path) -> None:
        class Forged:
            def __reduce__(self) -> tuple[Callable[..., None], tuple[Path]]:
                return Path.touch, (folder / "marker",)

        with pytest.raises(LostWorkersError):
            self.play(3)
        (path, *_) = sorted(folder.rglob("*.jobs/0*"))
        content = pickle.dumps(Forged())
        name = f"{path.parent.name}/{path.name}".encode()
        path.write_bytes(hashlib.sha256(name + content).digest() + content)
        assert self.play(100)[1] == 2
        assert list(folder.rglob("*.jobs")) == []

    def test_an_unwritable_folder_is_only_a_warning(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (folder / "file").touch()
        monkeypatch.setenv("ROLLWISE_CACHE", str(folder / "file"))
        with pytest.raises(LostWorkersError, match=r"after 3 of 4 jobs.*nothing is saved"):
            self.play(3)
        assert self.play(100)[1] == 4
