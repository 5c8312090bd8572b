"""Progress reports on stderr: a bar on a terminal, or a line every 10 seconds in a pipe."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread, Timer
from time import monotonic

from rich import progress as shown
from rich.console import Console

from rollwise.solving.progress import Progress

PATIENCE = 1.0
"""Seconds before a bar appears."""

BETWEEN_LINES = 10.0
"""Seconds between two lines in a pipe."""

COMPILING = "compiling once (some seconds)"


@contextmanager
def progress(what: str, quiet: bool) -> Iterator[Progress]:
    """Report progress on stderr if the work takes long.

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
    line, over = [what], Event()
    start: tuple[float, float] | None = None

    def tell() -> None:
        while not over.wait(BETWEEN_LINES):
            print(line[0], file=sys.stderr, flush=True)

    def advance(done: float) -> None:
        nonlocal start
        start = start or (monotonic(), done)  # part of the work may already be done
        passed, share = monotonic() - start[0], done - start[1]
        left = passed * (1 - done) / share if share > 0 else 0.0
        line[0] = f"{what}: {done:.0%}" + (f", {left / 60:.0f} min left" if left >= 60 else "")

    teller = Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield advance, lambda words: line.__setitem__(0, words)
    finally:
        over.set()
        teller.join()


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
