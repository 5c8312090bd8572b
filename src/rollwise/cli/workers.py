"""On which processes work runs: the executor that flags ask for."""

import sys
from collections.abc import Callable
from concurrent.futures import Executor
from typing import TYPE_CHECKING

from rollwise.errors import InputError, MalformedError, quoted

if TYPE_CHECKING:
    from rollwise.rules import Rules

HERE = "local:"
"""How the address of a cluster begins that is started here."""


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
    from rollwise.experiments.cluster import Cluster, check_installed

    check_installed()
    return lambda: Cluster(workers or 1, scheduler)


def cluster_of(
    address: str | None, store: str | None, rules: "Rules", quiet: bool
) -> Callable[[], Executor] | None:
    """Return what makes the executor that solves a game, None for this process alone.

    Where its workers can be watched is said on stderr.

    Parameters
    ----------
    address : str or None
        Of a scheduler, or ``local:N`` for N processes here.
    store : str or None
        Where its results go.

    Raises
    ------
    MissingExtraError
        When Dask is not installed.
    MalformedError
        When it is no address, or of workers that may not reach the results.
    """
    if address is None:
        return None
    number = address.removeprefix(HERE)
    here = number != address
    if here and not (number.isascii() and number.isdecimal() and 0 < int(number[:9]) < 1000):
        raise MalformedError(f"--cluster {quoted(address)}: expected a number, such as local:2")
    if not here and store is None:
        raise MalformedError("--cluster: expected --store with it, where all workers write")
    from rollwise.experiments.cluster import Cluster, check_installed
    from rollwise.solving.distributed import memory_of_part

    check_installed()
    memory = memory_of_part(rules)

    def make() -> Cluster:
        cluster = Cluster(int(number), memory=memory) if here else Cluster(1, address, memory)
        if not quiet:
            print(f"dashboard: {cluster.dashboard}", file=sys.stderr, flush=True)
        return cluster

    return make
