"""A function that waits for a condition instead of a fixed time."""

import time
from collections.abc import Callable

PATIENCE = 60.0
"""The seconds after which waiting for a condition fails, even on a slow machine."""


def wait_until(condition: Callable[[], bool], what: Callable[[], str] = str) -> None:
    """Wait until a condition holds; fail with the message ``what()`` if it never holds."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, what()
        time.sleep(0.01)
