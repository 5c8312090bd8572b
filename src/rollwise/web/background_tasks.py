"""Tasks that run in the background, such as the moves of a computer opponent."""

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any

log = logging.getLogger("rollwise")

_running: set[asyncio.Task[Any]] = set()
"""The event loop itself has only weak references to tasks."""


def create(work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
    """Start a task; log its exception, if it raises one."""
    task = asyncio.get_running_loop().create_task(work)
    _running.add(task)
    task.add_done_callback(_finish)
    return task


def _finish(task: asyncio.Task[Any]) -> None:
    _running.discard(task)
    if not task.cancelled() and (error := task.exception()) is not None:
        log.error("a background task failed", exc_info=error)
