"""Connections: no more than can be held, and none that says nothing."""

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

IN_ALL, A_CLIENT = 600, 100
"""Connections at a time; those of this machine, where a proxy may stand, count in all alone."""

SECONDS = 10.0
"""Within which the head of a request has to be there."""

BUSY = (
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\nContent-Length: 0\r\n"
    b"Connection: close\r\n\r\n"
)
LATE = b"HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


class LimitedProtocol(H11Protocol):
    """HTTP/1.1 for as many as there is room for; in Python, with a limit on the size of heads."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a connection, or refuse it."""
        super().connection_made(transport)
        if self._too_many():
            self._refuse(BUSY)
        else:
            self._late = self.loop.call_later(SECONDS, self._refuse, LATE)

    def data_received(self, data: bytes) -> None:
        """Read what comes; time runs from the first byte of a request to the end of its head."""
        super().data_received(data)
        answering = self.cycle is not None and not self.cycle.response_complete
        if answering or self.transport.get_protocol() is not self:  # that of a socket
            self._in_time()
        elif self._late is None:
            self._late = self.loop.call_later(SECONDS, self._refuse, LATE)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget a connection."""
        self._in_time()
        super().connection_lost(exc)

    def _too_many(self) -> bool:
        if len(self.connections) > IN_ALL:
            return True
        if self.client is None or self.client[0].startswith("127.") or self.client[0] == "::1":
            return False
        known = (getattr(other, "client", None) for other in self.connections)
        mine = [one for one in known if one is not None and one[0] == self.client[0]]
        return len(mine) > A_CLIENT

    def _refuse(self, answer: bytes) -> None:
        self._late = None
        if not self.transport.is_closing():
            self.transport.write(answer)
            self.transport.close()

    def _in_time(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None
