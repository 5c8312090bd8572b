"""On which processes work runs: the options, and the executor that they ask for."""

from collections.abc import Callable
from concurrent.futures import Executor
from typing import Annotated

import typer

from rollwise.errors import InputError

WorkersOption = Annotated[
    int | None,
    typer.Option("--workers", metavar="N", min=1, help="Run on a Dask cluster of N processes."),
]
SchedulerOption = Annotated[
    str | None,
    typer.Option("--scheduler", metavar="tcp://…", help="Run on the cluster of this scheduler."),
]


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
