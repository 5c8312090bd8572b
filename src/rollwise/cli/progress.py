"""What is said on stderr of long work: a bar on a terminal, a line now and then in a pipe."""

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
"""Seconds after which work takes long."""

BETWEEN_LINES = 10.0
"""Seconds between two lines in a pipe."""

COMPILING = "compiling once (some seconds)"


@contextmanager
def progress(what: str, quiet: bool) -> Iterator[Progress]:
    """Say on stderr what takes long, and only once it does.

    Yields a function to call with the share of the work that is done, from 0 to 1; without calls
    all that is said is that work goes on.
    """
    if quiet:
        yield lambda done: None
        return
    shown = _bar(what) if sys.stderr.isatty() else _lines(what)
    with shown as (advance, rename), _told_of_compiling(lambda: rename(f"{what}: {COMPILING}")):
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
    told, over = [what], Event()
    began: tuple[float, float] | None = None

    def tell() -> None:
        while not over.wait(BETWEEN_LINES):
            print(told[0], file=sys.stderr, flush=True)

    def advance(done: float) -> None:
        nonlocal began
        began = began or (monotonic(), done)  # some of it may have been done before
        passed, share = monotonic() - began[0], done - began[1]
        left = passed * (1 - done) / share if share > 0 else 0.0
        told[0] = f"{what}: {done:.0%}" + (f", {left / 60:.0f} min left" if left >= 60 else "")

    teller = Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield advance, lambda words: told.__setitem__(0, words)
    finally:
        over.set()
        teller.join()


@contextmanager
def _told_of_compiling(tell: Callable[[], None]) -> Iterator[None]:
    """Call ``tell`` whenever code is compiled meanwhile, as its log says."""
    log = logging.getLogger("rollwise.compiling")
    ear = logging.Handler(logging.INFO)
    ear.emit = lambda record: tell()  # type: ignore[method-assign]
    log.addHandler(ear)
    log.setLevel(logging.INFO)
    log.propagate = False
    try:
        yield
    finally:
        log.removeHandler(ear)
