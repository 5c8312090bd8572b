"""Executors for the options ``--workers`` and ``--cluster``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager

from rollwise.cli.lazy_imports import lazy_imports
from rollwise.errors import InputError, MalformedError, quoted

with lazy_imports():
    from rollwise.experiments import cluster as dask_cluster
    from rollwise.solving import jobs

HERE = "local:"
"""The prefix of the address of a cluster on this machine."""


@contextmanager
def executor_of(
    workers: int | None, cluster: str | None, *, quiet: bool
) -> Iterator[Executor | None]:
    """Yield the executor that the options ask for, or None to run in this process.

    For a cluster, the address of the dashboard is printed on stderr.

    Raises
    ------
    MissingExtraError
        If Dask is not installed.
    InputError
        If both options are given, or the address is invalid.
    """
    if workers is not None and cluster is not None:
        raise InputError("--workers and --cluster cannot be combined. Choose one of them.")
    if workers is not None:
        with jobs.ProcessPool(workers) as pool:
            yield pool
    elif cluster is not None:
        with dask_cluster.Cluster(_number_or_address(cluster)) as executor:
            if not quiet:
                print(f"Dask dashboard: {executor.dashboard}", file=sys.stderr, flush=True)
            yield executor
    else:
        yield None


def _number_or_address(cluster: str) -> int | str:
    """Return N for ``local:N``, and any other address as it is."""
    if not cluster.startswith(HERE) and cluster != HERE.rstrip(":"):
        return cluster
    number = cluster.removeprefix(HERE)
    if not (number.isascii() and number.isdecimal() and 0 < int(number[:9]) < 1000):
        raise MalformedError(
            f"--cluster {quoted(cluster)} has no number of processes. Write local:2, for example."
        )
    return int(number)
