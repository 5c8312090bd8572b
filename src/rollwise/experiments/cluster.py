"""An executor for the workers of a Dask cluster (extra ``cluster``)."""

import logging
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from contextlib import suppress
from importlib.util import find_spec
from typing import Any

from rollwise.errors import InputError, LostWorkersError, missing_extra


class Cluster(Executor):
    """The workers of a Dask cluster. If a worker dies, Dask runs its jobs on another worker.

    ``Client.get_executor()`` would also run jobs, but it waits forever for a result whose transfer
    failed because the scheduler stopped.

    Parameters
    ----------
    cluster : str or int
        The address of a scheduler, such as ``tcp://10.0.0.1:8786``, or the number of workers to
        start on this machine.
    """

    def __init__(self, cluster: str | int) -> None:
        if find_spec("distributed") is None:
            raise missing_extra("working on a cluster", "Dask", "cluster")
        from distributed import Client

        # Dask's own tracebacks add nothing: a lost job runs again, or an error reports it.
        logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
        local = {
            "n_workers": cluster,
            "threads_per_worker": 1,
            "dashboard_address": "127.0.0.1:0",
            "silence_logs": logging.CRITICAL,
        }
        try:
            where = local if isinstance(cluster, int) else {"address": cluster}
            self._client = Client(timeout=10, **where)
        except RuntimeError as error:  # of a nanny
            raise LostWorkersError(f"a worker stopped while it started: {error}") from error
        except (OSError, ValueError) as error:
            raise InputError(
                f"no Dask scheduler responds at {cluster!r}; start a scheduler, or give the "
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
        """Disconnect from the cluster, and stop the workers that this object started."""
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
