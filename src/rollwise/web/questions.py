"""The registry of worker functions: the queue and the cache limits of each function.

Separate queues keep expensive requests from blocking cheap requests. A new function goes into
:mod:`rollwise.web.computing`, with an entry in :data:`QUESTIONS`.
:meth:`rollwise.web.solved.SolvedGames.ask` runs it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Any

from rollwise.web import computing, replies
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

RESULTS = 8
"""The default number of cached results per function."""


def job_queues() -> dict[str, JobQueue]:
    """Return the queues by name."""
    return {
        SOLVING: JobQueue(capacity=40, seconds=300),
        DISTRIBUTIONS: JobQueue(capacity=20, seconds=1200),
        CUSTOM: JobQueue(capacity=10, seconds=60),
        ADVISING: JobQueue(capacity=300, seconds=60, niceness=5),
        DUELS: JobQueue(capacity=20, seconds=120),
    }


@dataclass(frozen=True)
class Question:
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


QUESTIONS: dict[Callable[..., Any], Question] = {
    computing.solution: Question(SOLVING, RESULTS, computing.bytes_of, computing.SOLUTION_BYTES),
    computing.reviews: Question(SOLVING),
    computing.reason: Question(SOLVING, results=0),
    computing.proficiency_test: Question(SOLVING),
    computing.puzzle: Question(SOLVING),
    computing.options: Question(ADVISING, results=0),
    computing.advice: Question(ADVISING),
    computing.advice_in_game: Question(ADVISING, results=0),
    computing.scale: Question(DISTRIBUTIONS),
    computing.expected: Question(DISTRIBUTIONS),
    computing.distribution: Question(DISTRIBUTIONS),
    computing.sd_range_of_ties: Question(DISTRIBUTIONS),
    computing.targets: Question(DISTRIBUTIONS),
    computing.compile_kernels: Question(DISTRIBUTIONS, results=0),
    replies.reply: Question(DISTRIBUTIONS),
    computing.outlook: Question(DUELS, results=0),
    computing.answer: Question(DUELS, results=0),
}
