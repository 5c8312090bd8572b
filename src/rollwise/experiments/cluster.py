"""An executor that runs tasks on a local or remote Dask cluster (extra ``dask``)."""

import logging
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from contextlib import suppress
from importlib.util import find_spec
from math import inf
from typing import Any

from rollwise.errors import InputError, missing_extra


def check_installed() -> None:
    """Raise MissingExtraError if Dask is not installed."""
    if find_spec("distributed") is None:
        raise missing_extra("solving with several workers", "Dask", "dask")


class Cluster(Executor):
    """An executor for the workers of a Dask cluster.

    If a worker dies, Dask runs its task again on another worker.

    Parameters
    ----------
    workers : int
        The number of single-threaded processes to start on this machine if there is no
        ``scheduler``.
    scheduler : str, optional
        The address of a running scheduler, such as ``tcp://10.0.0.1:8786``.
    memory : int
        The memory in bytes that a task needs. Every worker must have this much memory per thread.

    Raises
    ------
    MissingExtraError
        If Dask is not installed.
    InputError
        If the scheduler does not respond, or its workers have too little memory.
    BrokenExecutor
        If a worker dies while it starts.
    """

    def __init__(self, workers: int = 1, scheduler: str | None = None, memory: int = 0) -> None:
        check_installed()
        from distributed import Client, LocalCluster

        self._local = None
        # Dask's own tracebacks add nothing: a lost task runs again, or an error reports it.
        logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
        if scheduler is None:
            try:
                self._local = LocalCluster(
                    n_workers=workers,
                    threads_per_worker=1,
                    dashboard_address="127.0.0.1:0",
                    silence_logs=50,
                )
            except RuntimeError as error:  # a worker died while it started
                raise BrokenExecutor(str(error)) from error
        try:
            self._client = Client(self._local or scheduler, timeout=10)
        except (OSError, ValueError) as error:
            raise InputError(
                f"no Dask scheduler responds at {scheduler!r}; start a scheduler, or give the "
                "address "
                "of a running scheduler, such as tcp://10.0.0.1:8786"
            ) from error
        if memory and (least := self.memory) < memory:
            self.shutdown()
            raise InputError(
                f"a task needs {memory / 1e9:.1f} GB of memory and the workers have "
                f"{least / 1e9:.1f} GB per thread; start workers with more memory or fewer threads"
            )

    @property
    def dashboard(self) -> str:
        """The address of Dask's dashboard."""
        return str(self._client.dashboard_link)

    @property
    def memory(self) -> float:
        """The memory per thread, in bytes, of the worker with the least memory per thread."""
        workers = self._client.scheduler_info()["workers"].values()
        limits = [worker["memory_limit"] / worker["nthreads"] for worker in workers]
        return min((limit for limit in limits if limit > 0), default=inf)  # 0: no limit

    @property
    def workers(self) -> int:
        """The total number of threads of all workers."""
        return max(1, int(sum(self._client.nthreads().values())))

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        """Submit a task, whose future fails with BrokenExecutor if Dask cannot complete it."""
        outer: Future[Any] = Future()
        try:
            future = self._client.submit(fn, *args, pure=False, **kwargs)
        except (RuntimeError, OSError) as error:  # the scheduler is gone
            raise BrokenExecutor(str(error)) from error
        outer.add_done_callback(lambda done: future.cancel() if done.cancelled() else None)
        future.add_done_callback(lambda done: _copy_result(done, outer))
        return outer

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Disconnect from the cluster, and stop it if this object started it."""
        parts = (self._client, self._local) if self._local is not None else (self._client,)
        for part in parts:
            with suppress(RuntimeError, OSError, TimeoutError, CancelledError):  # already gone
                part.close()


def _copy_result(done: Any, outer: "Future[Any]") -> None:
    """Copy the result or the exception of a Dask future to a future of the standard library.

    Dask's own executor is not used because it never completes a task whose result is lost in
    transfer.
    """
    from distributed import KilledWorker

    if not outer.set_running_or_notify_cancel():
        return
    failed = done.status == "error"
    try:
        outer.set_result(done.result())
    except BaseException as error:
        lost = isinstance(error, KilledWorker) or not failed
        outer.set_exception(BrokenExecutor(type(error).__name__) if lost else error)
