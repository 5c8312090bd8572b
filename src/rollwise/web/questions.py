"""The registry of questions: the functions that worker processes run, and in which queue.

Separate queues keep expensive requests from blocking cheap ones. A new question is a function in
:mod:`rollwise.web.computing` and a line here; :meth:`rollwise.web.solved.SolvedGames.ask` asks it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Any

from rollwise.web import computing, replies
from rollwise.web.job_queue import JobQueue

SOLVING = "solving"
"""The queue for solving the games of the server, for reviews and reasons."""

DISTRIBUTIONS = "distributions"
"""The queue for distributions and targets, which take longest."""

CUSTOM = "custom"
"""The queue for rules that come with a request."""

ADVISING = "advising"
"""The queue for advice, which takes milliseconds."""

DUELS = "duels"
"""The queue for two players who respond to each other."""

RESULTS = 8
"""The number of results of a question that are kept."""


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
    """How a question is answered.

    Attributes
    ----------
    queue : str
        Where it waits.
    results : int
        The number of results that are kept. 0 for a question that is hardly ever asked twice:
        nothing is shared then.
    bytes_of : callable
        Returns the memory that a result takes.
    max_bytes : float
        Memory that all results may take.
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
