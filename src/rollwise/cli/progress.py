"""Progress reports on stderr: a bar with the time left, or in a pipe two lines of text."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from threading import Event, Timer
from time import monotonic

from rollwise.questions.progress import Reporter
from rollwise.solving.progress import Progress, format_duration

PATIENCE = 1.0
"""The seconds before a bar appears."""

SILENCE = 10.0
"""The seconds before the first line appears in a pipe."""

COMPILING = "compiling once (takes a few seconds)"


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
    with shown as (advance, rename), _on_compiling(lambda: rename(f"{what}: {COMPILING}")):
        yield advance


@contextmanager
def _bar(what: str) -> Iterator[tuple[Progress, Callable[[str], None]]]:
    from rich import progress as shown  # most commands end before a bar appears
    from rich.console import Console

    words = shown.TextColumn("{task.description}", markup=False)
    columns = words, shown.BarColumn(), shown.TimeRemainingColumn()
    bar = shown.Progress(*columns, console=Console(stderr=True), transient=True)
    task = bar.add_task(what, total=None)
    alarm = Timer(PATIENCE, bar.start)
    alarm.daemon = True
    alarm.start()
    try:
        yield (
            lambda done: bar.update(task, description=what, completed=done, total=1.0),
            lambda words: bar.update(task, description=words),
        )
    finally:
        alarm.cancel()
        alarm.join()
        bar.stop()


@contextmanager
def _lines(what: str) -> Iterator[tuple[Progress, Callable[[str], None]]]:
    """Print a line if the work takes a long time, and another line when the work ends."""
    start, printed = monotonic(), Event()

    def tell() -> None:
        print(f"{what} …", file=sys.stderr, flush=True)
        printed.set()

    alarm = Timer(SILENCE, tell)
    alarm.daemon = True
    alarm.start()
    try:
        yield lambda done: None, lambda words: None
    finally:
        alarm.cancel()
        alarm.join()
    if printed.is_set():
        print(f"{what}: done after {format_duration(monotonic() - start)}", file=sys.stderr)


@contextmanager
def _on_compiling(tell: Callable[[], None]) -> Iterator[None]:
    """Call ``tell`` whenever the log reports that code is compiled."""
    log = logging.getLogger("rollwise.compiling")
    handler = logging.Handler(logging.INFO)
    handler.emit = lambda record: tell()  # type: ignore[method-assign]
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    log.propagate = False
    try:
        yield
    finally:
        log.removeHandler(handler)
