"""Work whose workers are lost: done again, or given up with one sentence."""

from collections.abc import Callable, Collection
from concurrent.futures import BrokenExecutor, Executor, Future
from typing import Any

import pytest

from commands import run
from rollwise.errors import InputError, LostWorkersError
from rollwise.laboratory.cluster import Cluster
from rollwise.laboratory.jobs import run_jobs


def double(number: int) -> int:
    return 2 * number


class TestLostWorkers:
    """With executors that break as Dask's do."""

    class Flaky(Executor):
        """Loses some jobs: they come back cancelled, as by a scheduler that is gone."""

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

    def test_what_is_lost_is_done_again(self) -> None:
        losses = iter([(1, 3), (3,), ()])
        jobs = [(number,) for number in range(5)]
        assert run_jobs(double, jobs, lambda: self.Flaky(next(losses))) == [0, 2, 4, 6, 8]

    def test_workers_that_stay_lost_are_a_sentence(self) -> None:
        with pytest.raises(LostWorkersError, match="after 4 of 5 jobs"):
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
        command = "simulate", "--strategy", "random", "--rules", "yams", "--games", "5000"
        code, _, error = run(*command, "--workers", "2")
        assert (code, error.startswith("error: the workers are gone, after 0 of")) == (1, True)
