"""On which processes work runs: the executor that flags ask for."""

from collections.abc import Callable
from concurrent.futures import Executor

from rollwise.errors import InputError


def cluster(workers: int | None, scheduler: str | None) -> Callable[[], Executor] | None:
    """Return what makes the executor that was asked for, None for this process alone.

    Raises
    ------
    MissingExtraError
        When Dask is not installed.
    InputError
        When both are given.
    """
    if workers is None and scheduler is None:
        return None
    if workers is not None and scheduler is not None:
        raise InputError("both --workers and --scheduler: expected one of them")
    from rollwise.laboratory.cluster import Cluster, check_installed

    check_installed()
    return lambda: Cluster(workers or 1, scheduler)
