"""An executor for the workers of a Dask cluster (extra ``cluster``)."""

import logging
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from contextlib import suppress
from typing import Any

from rollwise.errors import InputError, check_extra


class Cluster(Executor):
    """The workers of a Dask cluster. If a worker dies, Dask runs its jobs on another worker.

    ``Client.get_executor()`` would also run jobs, but it waits forever for a result whose transfer
    failed because the scheduler stopped.

    Parameters
    ----------
    address : str
        The address of a scheduler, such as ``tcp://10.0.0.1:8786``.
    """

    def __init__(self, address: str) -> None:
        check_extra("cluster", "working on a cluster", "distributed")
        from distributed import Client

        # Dask's own tracebacks add nothing: a lost job runs again, or an error reports it.
        logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
        try:
            self._client = Client(timeout=10, address=address)
        except (OSError, ValueError) as error:
            raise InputError(
                f"no Dask scheduler responds at {address!r}; start a scheduler, or give the "
                "address of a running scheduler, such as tcp://10.0.0.1:8786"
            ) from error

    @property
    def dashboard(self) -> str:
        """The address of Dask's dashboard."""
        return str(self._client.dashboard_link)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        """Submit a job, whose future fails with BrokenExecutor if its result is lost."""
        future: Future[Any] = Future()
        try:
            task = self._client.submit(fn, *args, pure=False, **kwargs)
        except (RuntimeError, OSError) as error:  # the scheduler is gone
            raise BrokenExecutor(str(error)) from error
        if self._client.status != "running":  # nothing would complete the task
            raise BrokenExecutor("the scheduler stopped")
        task.add_done_callback(lambda task: _copy_result(task, future))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Disconnect from the cluster."""
        with suppress(RuntimeError, OSError, CancelledError):  # the scheduler is gone
            self._client.close()


def _copy_result(task: Any, future: "Future[Any]") -> None:
    """Copy the result or the exception of a Dask future to a future of the standard library."""
    from distributed import KilledWorker

    if not future.set_running_or_notify_cancel():
        return
    failed = task.status == "error"
    try:
        future.set_result(task.result())
    except BaseException as error:
        lost = isinstance(error, KilledWorker) or not failed
        future.set_exception(BrokenExecutor(str(error)) if lost else error)
