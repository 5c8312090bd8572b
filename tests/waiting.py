"""Waiting for a state, never for a time."""

import time
from collections.abc import Callable

PATIENCE = 600.0
"""Seconds after which what has not happened never will, however slow the machine is."""


def wait_until(condition: Callable[[], bool], what: Callable[[], str] = str) -> None:
    """Return as soon as a condition holds; fail with ``what`` went on if it never does."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, what()
        time.sleep(0.01)
