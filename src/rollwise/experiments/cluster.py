"""A Dask cluster as an executor: workers on this machine, or on any others (the extra ``dask``)."""

import logging
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from contextlib import suppress
from importlib.util import find_spec
from math import inf
from typing import Any

from rollwise.errors import InputError, MissingExtraError


def check_installed() -> None:
    """Check that clusters can be used.

    Raises
    ------
    MissingExtraError
        When Dask is not installed.
    """
    if find_spec("distributed") is None:
        raise MissingExtraError('workers need Dask: expected pip install "rollwise[dask]" before')


class Cluster(Executor):
    """The workers of a Dask cluster.

    A task whose worker dies is run again by another one; Dask sees to that.

    Parameters
    ----------
    workers : int
        How many processes of one thread to start on this machine, if there is no scheduler.
    scheduler : str, optional
        The address of a scheduler that runs already, such as ``tcp://10.0.0.1:8786``.
    memory : int
        Bytes that a task takes: what every thread of a worker must have.

    Raises
    ------
    MissingExtraError
        When Dask is not installed.
    InputError
        When no scheduler answers, or its workers have too little memory.
    BrokenExecutor
        When a worker dies at its start.
    """

    def __init__(self, workers: int = 1, scheduler: str | None = None, memory: int = 0) -> None:
        check_installed()
        from distributed import Client, LocalCluster

        self._local = None
        # What is lost is done again, or said in a sentence: no tracebacks beside it.
        logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
        if scheduler is None:
            try:
                self._local = LocalCluster(
                    n_workers=workers,
                    threads_per_worker=1,
                    dashboard_address="127.0.0.1:0",
                    silence_logs=50,
                )
            except RuntimeError as error:  # a worker that died at its start
                raise BrokenExecutor(str(error)) from error
        try:
            self._client = Client(self._local or scheduler, timeout=10)
        except (OSError, ValueError) as error:
            raise InputError(
                f"no scheduler answers at {scheduler!r}: expected an address such as "
                "tcp://10.0.0.1:8786"
            ) from error
        if memory and (least := self.memory) < memory:
            self.shutdown()
            raise InputError(
                f"a task takes {memory / 1e9:.1f} GB: expected workers with as much for each of "
                f"their threads, not {least / 1e9:.1f} GB"
            )

    @property
    def dashboard(self) -> str:
        """The address where Dask shows what its workers do."""
        return str(self._client.dashboard_link)

    @property
    def memory(self) -> float:
        """The bytes that a thread of each worker may take; of the worker that has least."""
        workers = self._client.scheduler_info()["workers"].values()
        limits = [worker["memory_limit"] / worker["nthreads"] for worker in workers]
        return min((limit for limit in limits if limit > 0), default=inf)  # 0: no limit

    @property
    def workers(self) -> int:
        """How many threads the workers have in all."""
        return max(1, int(sum(self._client.nthreads().values())))

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        """Give one task to the cluster; it is broken where Dask has given the task up."""
        told: Future[Any] = Future()
        try:
            future = self._client.submit(fn, *args, pure=False, **kwargs)
        except (RuntimeError, OSError) as error:  # the scheduler is gone
            raise BrokenExecutor(str(error)) from error
        told.add_done_callback(lambda done: future.cancel() if done.cancelled() else None)
        future.add_done_callback(lambda done: _hand_on(done, told))
        return told

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leave the cluster; one that was started here ends."""
        parts = (self._client, self._local) if self._local is not None else (self._client,)
        for part in parts:
            with suppress(RuntimeError, OSError, TimeoutError, CancelledError):  # is gone already
                part.close()


def _hand_on(done: Any, told: "Future[Any]") -> None:
    """Tell what became of a task.

    Not by Dask's own executor: of a task that is done, but whose result is lost on its way, that
    would never hear.
    """
    from distributed import KilledWorker

    if not told.set_running_or_notify_cancel():
        return
    failed = done.status == "error"
    try:
        told.set_result(done.result())
    except BaseException as error:
        lost = isinstance(error, KilledWorker) or not failed
        told.set_exception(BrokenExecutor(type(error).__name__) if lost else error)
