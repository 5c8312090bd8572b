"""The registry of worker functions: the queue and the cache limits of each function.

Separate queues keep expensive requests from blocking cheap requests. A new function goes into
:mod:`rollwise.web.computations`, with an entry in :data:`WORKER_FUNCTIONS`.
:meth:`rollwise.web.solved_games.SolvedGames.ask` runs it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Any

from rollwise.web import computations, opponent_advice
from rollwise.web.cpu_shares import CpuShares
from rollwise.web.job_queue import JobQueue

SOLVING = "solving"
"""The queue for solutions of the server's games, for reviews, and for reasons."""

DISTRIBUTIONS = "distributions"
"""The queue for distributions and targets, which take the longest time."""

CUSTOM = "custom"
"""The queue for rules that come with a request."""

ADVISING = "advising"
"""The queue for advice, which takes milliseconds."""

DUELS = "duels"
"""The queue for two-player games."""

RECORDS = "records"
"""The queue for parsing and replaying game records."""

RESULTS = 8
"""The default number of cached results per function."""


def job_queues() -> dict[str, JobQueue]:
    """Return the queues by name, which share the CPU time of each client."""
    shares = CpuShares()
    return {
        SOLVING: JobQueue(capacity=40, seconds=300, shares=shares),
        DISTRIBUTIONS: JobQueue(capacity=20, seconds=1200, shares=shares),
        CUSTOM: JobQueue(capacity=12, seconds=60, shares=shares),
        ADVISING: JobQueue(capacity=400, seconds=60, niceness=5, shares=shares),
        DUELS: JobQueue(capacity=20, seconds=120, shares=shares),
        RECORDS: JobQueue(capacity=100, seconds=20, niceness=5, shares=shares),
    }


@dataclass(frozen=True)
class WorkerFunction:
    """The queue and the cache limits of a worker function.

    Attributes
    ----------
    queue : str
        The name of the queue.
    results : int
        The maximum number of cached results. 0 for a function that is rarely called twice with the
        same arguments: requests then share no results.
    bytes_of : callable
        Returns the size of a result in bytes.
    max_bytes : float
        The maximum size of all cached results.
    """

    queue: str
    results: int = RESULTS
    bytes_of: Callable[[Any], int] = lambda _: 0
    max_bytes: float = inf


WORKER_FUNCTIONS: dict[Callable[..., Any], WorkerFunction] = {
    computations.solution: WorkerFunction(
        SOLVING, RESULTS, computations.bytes_of, computations.SOLUTION_BYTES
    ),
    computations.saved_solution: WorkerFunction(ADVISING, results=0),
    computations.game: WorkerFunction(RECORDS, results=0),
    computations.reviews: WorkerFunction(SOLVING),
    computations.reason: WorkerFunction(SOLVING, results=0),
    computations.rating_test: WorkerFunction(SOLVING),
    computations.puzzle: WorkerFunction(SOLVING),
    computations.quick_answer: WorkerFunction(ADVISING, results=0),
    computations.answer_to: WorkerFunction(DISTRIBUTIONS),
    computations.advice: WorkerFunction(ADVISING),
    computations.advice_in_game: WorkerFunction(ADVISING, results=0),
    computations.scale: WorkerFunction(DISTRIBUTIONS),
    computations.expected: WorkerFunction(DISTRIBUTIONS),
    computations.distribution: WorkerFunction(DISTRIBUTIONS),
    computations.targets: WorkerFunction(DISTRIBUTIONS),
    computations.compile_kernels: WorkerFunction(DISTRIBUTIONS, results=0),
    opponent_advice.reply: WorkerFunction(DISTRIBUTIONS),
    computations.outlook: WorkerFunction(DUELS, results=0),
    computations.answer: WorkerFunction(DUELS, results=0),
}
