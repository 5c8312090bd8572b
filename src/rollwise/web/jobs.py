"""Long work, shown on the page that it is for: how far it is, how long it takes, and a way out.

The address of the page is that of the work: whoever loads it again, or opens it elsewhere, sees the
same work, as far as it is by then.
"""

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

from nicegui import Client, ui

from rollwise.web.elements import Button, Tag
from rollwise.web.line import BusyError
from rollwise.web.made_once import InFlight

T = TypeVar("T")

GRACE = 120.0
"""Seconds for which it goes on when nobody looks: pages are loaded again, phones fall asleep."""

STEP = 0.5
"""Seconds between two looks; what is there within one shows no bar."""


async def made(make: Callable[[], InFlight[T]]) -> T:
    """Return what takes a while to make; the page is shown at once, and says how it goes.

    Where no place in line is left, the page asks again by itself. Whoever gives it up has a button
    to begin again, and the page stays as it is.
    """
    client = ui.context.client
    panel = _Panel()
    await client.connected()
    try:
        while not client.is_deleted:
            try:
                return await panel.follow(make(), client)
            except BusyError as error:
                panel.waiting.text = f"Many are in line: this page asks again in {error.seconds} s."
                await asyncio.sleep(error.seconds)
        raise asyncio.CancelledError
    finally:
        if not (client.is_deleted or panel.given_up):
            panel.room.delete()


class _Panel:
    """What a page shows while something is made."""

    def __init__(self) -> None:
        self.given_up = False
        self.asked: asyncio.Future[Any] | None = None
        with Tag("div", classes="job") as self.room:
            self.waiting = Tag("p", "Computing…", "waiting", role="status")
            with Tag("div", classes="under-way") as self.bar:
                self.done = Tag("progress", max="1", aria_label="Done")
                Button("Cancel", self._give_up)
        self.bar.visible = False

    async def follow(self, making: InFlight[T], client: Client) -> T:
        """Return what is being made, and meanwhile show how it goes."""
        asked = asyncio.ensure_future(making.patiently(GRACE))
        client.on_delete(asked.cancel)
        self.asked = asked
        while not (await asyncio.wait([asked], timeout=STEP))[0]:
            self.bar.visible = True
            self.waiting.text = making.notice.words()
            self.done.set(value=f"{making.notice.share:.3f}" if making.notice.share else None)
        if self.given_up:
            making.give_up()
        return asked.result()

    def _give_up(self) -> None:
        self.given_up = True
        self.room.clear()
        with self.room:
            Tag("p", "Given up.", role="status")
            Button("Begin again", ui.navigate.reload)
        if self.asked is not None:
            self.asked.cancel()
