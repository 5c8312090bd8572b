"""Pages that wait for a long computation: they show how far it is, until its result is there."""

import asyncio
from collections.abc import Awaitable
from typing import Any, TypeVar

from fastapi import Response

from rollwise.web.computing import AWAITED
from rollwise.web.rendering import render

T = TypeVar("T")

STEP = 0.5
"""The seconds for which a page waits for its results before it shows how far they are."""


async def begun(results: Awaitable[T]) -> tuple[T | None, str]:
    """Return the results of a computation; or None, and how far it is."""
    try:
        async with asyncio.timeout(STEP):
            return await results, ""
    except TimeoutError:
        computation = AWAITED.get()
        return None, "Computing…" if computation is None else computation.words()


async def answer(template: str, results: Awaitable[dict[str, Any]], **content: Any) -> Response:
    """Return a page with its results, or a page that waits for them.

    ``template`` shows the macro ``job_panel`` if its variable ``job`` is not empty. The page
    then loads itself again, with or without a script.
    """
    found, job = await begun(results)
    return render(template, job=job, **content, **(found or {}))
