"""Long computations of a page: their progress as server-sent events, and their cancellation.

A page asks for its results with GET. If they take longer than ``STEP``, the page shows a progress
bar, and its script asks for the same address as an event stream. The script shows the results at
the end. Without scripts, the page reloads itself. A POST request to the address cancels the
computation.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from fastapi import Request, Response
from fastapi.responses import StreamingResponse

from rollwise.errors import InputError
from rollwise.web.job_queue import BusyError, JobStatus, WorkerError
from rollwise.web.rendering import FAILED, HEADERS, form_of, render, sentence
from rollwise.web.single_flight import GRACE, InFlight

STEP = 0.5
"""The seconds between two updates; a shorter computation shows no progress bar."""

EVENTS = "text/event-stream"


@dataclass(frozen=True)
class ProgressStep:
    """One of the computations of a page.

    Attributes
    ----------
    ask : callable
        Starts the computation, or joins it.
    known : str
        A format for the result, which the page shows while the following steps run.
    """

    ask: Callable[[], InFlight[Any]]
    known: str = ""


async def answer(
    request: Request,
    template: str,
    steps: Sequence[ProgressStep],
    describe: Callable[..., dict[str, Any] | Awaitable[dict[str, Any]]],
    **content: Any,
) -> Response:
    """Return a page with its results, a page that waits for them, or their progress.

    Parameters
    ----------
    template : str
        A template that shows the macro ``job`` if its variable ``job`` is not None.
    describe : callable
        Returns the content of the template from the results of all steps, or computes it.
    """
    job = "waiting"
    if request.method == "POST":
        await _cancel(request, steps)
        job = "canceled"
    elif EVENTS in request.headers.get("accept", ""):
        return StreamingResponse(_events(steps), headers=HEADERS, media_type=EVENTS)
    else:
        try:
            async with asyncio.timeout(STEP):
                results = [await step.ask().wait(GRACE) for step in steps]
        except (TimeoutError, BusyError):
            pass
        else:
            described = describe(*results)
            if isinstance(described, Awaitable):
                described = await described
            return render(template, job=None, **content, **described)
    return render(template, job=job, **content)


async def _cancel(request: Request, steps: Sequence[ProgressStep]) -> None:
    """Cancel the running step, unless other pages wait for it."""
    form = await form_of(request)
    followed = int(form.get("followed") == "1")  # by a stream that ends with the page
    for step in steps:
        computation = step.ask()
        if not computation.is_done:
            computation.cancel_if_unused(followed)
            return


async def _events(steps: Sequence[ProgressStep]) -> AsyncIterator[str]:
    """Yield the progress of the steps, and at the end ``done`` or ``failed``."""
    known = ""
    for number, step in enumerate(steps):
        name = f"Step {number + 1} of {len(steps)}: " if len(steps) > 1 else ""
        while True:
            try:
                computation = step.ask()
                waiter = asyncio.ensure_future(computation.wait(GRACE))
                try:
                    while not (await asyncio.wait([waiter], timeout=STEP))[0]:
                        yield _progress(known, name, number, len(steps), computation.status)
                finally:
                    waiter.cancel()
                known += step.known.format(await waiter)
                break
            except BusyError as error:
                words = f"The server is busy. This page tries again in {error.seconds} s."
                yield _event("message", json.dumps({"words": words, "share": None}))
                await asyncio.sleep(error.seconds)
            except (InputError, WorkerError) as error:
                words = str(error) if isinstance(error, InputError) else FAILED
                yield _event("failed", sentence(words))
                return
            except asyncio.CancelledError:
                if not computation.has_failed:
                    raise  # the page has been closed
                yield _event("failed", "Canceled in another window.")
                return
    yield _event("done", "")


def _progress(known: str, name: str, number: int, steps: int, status: JobStatus) -> str:
    share = (number + status.share) / steps
    words = f"{known}{name}{status.words()}"
    return _event("message", json.dumps({"words": words, "share": share or None}))


def _event(kind: str, data: str) -> str:
    return f"event: {kind}\ndata: {data}\n\n"
