"""Executors for the options ``--workers``, ``--scheduler``, and ``--cluster``."""

from __future__ import annotations

import sys
from collections.abc import Callable
from concurrent.futures import Executor

from rollwise.cli.lazy_imports import lazy_imports
from rollwise.errors import InputError, MalformedError, quoted

with lazy_imports():
    from rollwise.experiments import cluster as dask_cluster


HERE = "local:"
"""The prefix of the address of a cluster on this machine."""


def cluster(workers: int | None, scheduler: str | None) -> Callable[[], Executor] | None:
    """Return a function that creates the executor, or None to run in this process.

    Raises
    ------
    MissingExtraError
        If Dask is not installed.
    InputError
        If both options are given.
    """
    if workers is None and scheduler is None:
        return None
    if workers is not None and scheduler is not None:
        raise InputError("--workers and --scheduler cannot be combined. Choose one of them.")

    dask_cluster.check_installed()
    return lambda: dask_cluster.Cluster(workers or 1, scheduler)


def cluster_of(address: str | None, quiet: bool) -> Callable[[], Executor] | None:
    """Return a function that creates the executor to solve a game, or None to run in this process.

    The function prints the address of the dashboard on stderr.

    Parameters
    ----------
    address : str or None
        The address of a scheduler, or ``local:N`` for N processes on this machine; None for no
        cluster.

    Raises
    ------
    MissingExtraError
        If Dask is not installed.
    MalformedError
        If the address is invalid.
    """
    if address is None:
        return None
    here = address.startswith(HERE) or address == HERE.rstrip(":")
    number = address.removeprefix(HERE)
    if here and not (number.isascii() and number.isdecimal() and 0 < int(number[:9]) < 1000):
        raise MalformedError(
            f"--cluster {quoted(address)} has no number of processes. Write local:2, for example."
        )

    dask_cluster.check_installed()

    def make() -> dask_cluster.Cluster:
        cluster = dask_cluster.Cluster(int(number)) if here else dask_cluster.Cluster(1, address)
        if not quiet:
            print(f"Dask dashboard: {cluster.dashboard}", file=sys.stderr, flush=True)
        return cluster

    return make
