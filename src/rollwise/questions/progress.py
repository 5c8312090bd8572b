"""Progress and notes of a question, which each front end reports in its own way.

A terminal shows a bar with the time left, a server stores the progress, and Python code sees
nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from pathlib import Path
from typing import ClassVar

from rollwise.solving.progress import Progress


class Reporter:
    """Reports nothing; a front end overrides the methods."""

    remote: ClassVar[bool] = False
    """Whether the question is from the network, where the size of computations is limited."""

    def working(self, what: str) -> AbstractContextManager[Progress]:
        """Report the work in the body of ``with``; the callback takes its completed fraction."""
        return nullcontext(lambda done: None)

    def note(self, text: str) -> None:
        """Report a line that is not part of the answer."""


_reporter: ContextVar[Reporter] = ContextVar("reporter", default=Reporter())  # noqa: B039 - it has no state


@contextmanager
def reporting(reporter: Reporter) -> Iterator[None]:
    """Use a reporter in the body of ``with``."""
    token = _reporter.set(reporter)
    try:
        yield
    finally:
        _reporter.reset(token)


def working(what: str) -> AbstractContextManager[Progress]:
    """Report the work in the body of ``with``, such as ``solving crag``."""
    return _reporter.get().working(what)


def note(text: str) -> None:
    """Report a line that is not part of the answer."""
    _reporter.get().note(text)


def is_remote() -> bool:
    """Return whether the question is from the network."""
    return _reporter.get().remote


def note_written(*paths: Path) -> None:
    """Report the paths of the written files."""
    for path in paths:
        note(f"wrote {path}")
