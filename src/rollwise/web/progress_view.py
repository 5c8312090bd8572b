"""The progress display of a long computation, with a button to cancel it.

The URL of the page identifies the computation. If someone reloads the page or opens it elsewhere,
it shows the current progress.
"""

import asyncio
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from nicegui import Client, ui

from rollwise.web.elements import Button, Tag
from rollwise.web.job_queue import BusyError
from rollwise.web.single_flight import GRACE, InFlight

P = ParamSpec("P")
T = TypeVar("T")

STEP = 0.5
"""The seconds between two updates; a shorter computation shows no progress bar."""


async def show_progress(ask: Callable[P, InFlight[T]], *args: P.args, **kwargs: P.kwargs) -> T:
    """Await ``ask(...)`` while the page shows the progress, and return the result.

    If the queue is full, the page tries again by itself. After a cancellation, it shows a button to
    start again.
    """
    client = ui.context.client
    panel = _Panel()
    await client.connected()
    try:
        while not client.is_deleted:
            try:
                return await panel.follow(ask(*args, **kwargs), client)
            except BusyError as error:
                panel.status.text = f"Many are in line: this page asks again in {error.seconds} s."
                await asyncio.sleep(error.seconds)
        raise asyncio.CancelledError
    finally:
        if not (client.is_deleted or panel.is_cancelled):
            panel.content.delete()


class _Panel:
    """The progress panel of a page."""

    def __init__(self) -> None:
        self.is_cancelled = False
        self._waiter: asyncio.Future[Any] | None = None
        with Tag("div", classes="job") as self.content:
            self.status = Tag("p", "Computing…", "waiting", role="status")
            with Tag("div", classes="under-way") as self._bar:
                self._share = Tag("progress", max="1", aria_label="Done")
                Button("Cancel", self._cancel)
        self._bar.visible = False

    async def follow(self, computation: InFlight[T], client: Client) -> T:
        """Show the progress of a computation until it ends, and return the result."""
        waiter = asyncio.ensure_future(computation.wait(GRACE))
        client.on_delete(waiter.cancel)
        self._waiter = waiter
        while not (await asyncio.wait([waiter], timeout=STEP))[0]:
            status = computation.status
            self._bar.visible = True
            self.status.text = status.words()
            self._share.set(value=f"{status.share:.3f}" if status.share else None)
        if self.is_cancelled:
            computation.cancel_if_unused()
        return waiter.result()

    def _cancel(self) -> None:
        self.is_cancelled = True
        self.content.clear()
        with self.content:
            Tag("p", "Given up.", role="status")
            Button("Begin again", ui.navigate.reload)
        if self._waiter is not None:
            self._waiter.cancel()
