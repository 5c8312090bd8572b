"""Wait for a condition instead of a fixed time."""

import time
from collections.abc import Callable

PATIENCE = 600.0
"""Seconds after which a condition counts as failed, on a machine of any speed."""


def wait_until(condition: Callable[[], bool], what: Callable[[], str] = str) -> None:
    """Return as soon as a condition holds; fail with the text of ``what`` if it never does."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, what()
        time.sleep(0.01)
