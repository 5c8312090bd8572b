"""Executors for the option ``--cluster``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rollwise.errors import MalformedError, quoted
from rollwise.questions.progress import note

if TYPE_CHECKING:
    from concurrent.futures import Executor

HERE = "local:"
"""The prefix of the address of processes on this machine."""


@contextmanager
def executor_of(cluster: str | None) -> Iterator[Executor | None]:
    """Yield the executor that the option asks for, or None to run in this process.

    Raises
    ------
    MissingExtraError
        If Dask is not installed.
    InputError
        If the address is invalid.
    """
    if cluster is None:
        yield None
    elif cluster.startswith(HERE) or cluster == HERE.rstrip(":"):
        from rollwise.solving.jobs import ProcessPool

        with ProcessPool(_number(cluster)) as pool:
            yield pool
    else:
        from rollwise.experiments.cluster import Cluster

        with Cluster(cluster) as executor:
            note(f"Dask dashboard: {executor.dashboard}")
            yield executor


def _number(cluster: str) -> int:
    """Return N for ``local:N``."""
    number = cluster.removeprefix(HERE)
    if not (number.isascii() and number.isdecimal() and 0 < int(number[:9]) < 1000):
        raise MalformedError(
            f"--cluster {quoted(cluster)} has no number of processes. Write local:2, for example."
        )
    return int(number)
