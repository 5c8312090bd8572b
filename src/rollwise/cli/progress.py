"""Progress reports on stderr: a bar with the time left, or in a pipe two lines of text."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import timedelta
from logging import LogRecord
from threading import Event, Timer
from time import monotonic

from rollwise.questions.progress import Reporter
from rollwise.solving.progress import Progress, format_duration

PATIENCE = 1.0
"""The seconds before a bar appears."""

SILENCE = 10.0
"""The seconds before the first line appears in a pipe."""

COMPILING = "compiling once (takes a few seconds)"

MIN_SHARE = 0.03
"""The fraction of the work that is done before the time left is based on its speed."""

Actions = tuple[Progress, Callable[[str], None], Callable[[LogRecord], None]]
"""Functions that report progress, rename the work, and announce what it takes."""


class Terminal(Reporter):
    """Reports on stderr, or nothing if it is quiet."""

    def __init__(self, quiet: bool) -> None:
        self._quiet = quiet

    def working(self, what: str) -> AbstractContextManager[Progress]:
        """Show a bar while the body of ``with`` runs, if it takes long."""
        return progress(what, self._quiet)

    def note(self, text: str) -> None:
        """Print a line."""
        if not self._quiet:
            print(text, file=sys.stderr, flush=True)


@contextmanager
def progress(what: str, quiet: bool) -> Iterator[Progress]:
    """Report progress on stderr if the work takes a long time.

    Yield a function to call with the completed fraction of the work, from 0 to 1. Without calls,
    only the name of the work is displayed.
    """
    if quiet:
        yield lambda done: None
        return
    shown = _bar(what) if sys.stderr.isatty() else _lines(what)
    with (
        shown as (advance, rename, announce),
        _on_log("compiling", lambda record: rename(f"{what}: {COMPILING}")),
        _on_log("cost", announce),
    ):
        yield advance


@contextmanager
def _bar(what: str) -> Iterator[Actions]:
    from rich import progress as shown  # most commands end before a bar appears
    from rich.console import Console
    from rich.text import Text

    class TimeLeft(shown.TimeRemainingColumn):
        """The announced time until enough work is done, then the time left at its speed."""

        def render(self, task: shown.Task) -> Text:
            end = task.fields["end"]
            if end is None or task.completed - task.fields["begun"] >= MIN_SHARE:
                return super().render(task)
            left = timedelta(seconds=max(0, round(end - monotonic())))
            return Text(str(left), style="progress.remaining")

    words = shown.TextColumn("{task.description}", markup=False)
    console = Console(stderr=True)
    bar = shown.Progress(words, shown.BarColumn(), TimeLeft(), console=console, transient=True)
    task = bar.add_task(what, total=None, end=None, begun=0.0)

    def announce(record: LogRecord) -> None:
        console.print(record.getMessage(), markup=False, highlight=False)
        seconds: float = record.__dict__["seconds"]
        bar.update(task, end=monotonic() + seconds, begun=bar.tasks[0].completed)

    alarm = Timer(PATIENCE, bar.start)
    alarm.daemon = True
    alarm.start()
    try:
        yield (
            lambda done: bar.update(task, description=what, completed=done, total=1.0),
            lambda words: bar.update(task, description=words),
            announce,
        )
    finally:
        alarm.cancel()
        alarm.join()
        bar.stop()


@contextmanager
def _lines(what: str) -> Iterator[Actions]:
    """Print a line if the work takes a long time, and another line when the work ends."""
    start, printed = monotonic(), Event()

    def tell() -> None:
        print(f"{what} …", file=sys.stderr, flush=True)
        printed.set()

    alarm = Timer(SILENCE, tell)
    alarm.daemon = True
    alarm.start()
    try:
        yield (
            lambda done: None,
            lambda words: None,
            lambda record: print(record.getMessage(), file=sys.stderr, flush=True),
        )
    finally:
        alarm.cancel()
        alarm.join()
    if printed.is_set():
        print(f"{what}: done after {format_duration(monotonic() - start)}", file=sys.stderr)


@contextmanager
def _on_log(name: str, emit: Callable[[LogRecord], None]) -> Iterator[None]:
    """Call ``emit`` with each record of the log ``rollwise.NAME``."""
    log = logging.getLogger(f"rollwise.{name}")
    handler = logging.Handler(logging.INFO)
    handler.emit = emit  # type: ignore[method-assign,assignment]
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    log.propagate = False
    try:
        yield
    finally:
        log.removeHandler(handler)
