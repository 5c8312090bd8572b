"""An S3 server behind a proxy that simulates network faults."""

import http.client
import os
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from moto.server import ThreadedMotoServer

Fault = Callable[[str, str], int]
"""A function of the method and path of a request, which returns a status, or 0 to forward the
request."""


class Proxy(ThreadingHTTPServer):
    """A proxy that forwards requests to a server unless ``fault`` returns a status.

    Attributes
    ----------
    fault : callable
    answered : list of int
        The status of each response so far.
    """

    daemon_threads = True

    def __init__(self, server: tuple[str, int]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.behind = server
        self.fault: Fault = lambda method, path: 0
        self.answered: list[int] = []

    @property
    def address(self) -> str:
        """The address of the proxy."""
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Handler(BaseHTTPRequestHandler):
    server: Proxy
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""

    def answer(self) -> None:
        """Respond to a request."""
        content = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        status = self.server.fault(self.command, self.path)
        body, headers = b"", dict[str, str]()
        if not status:
            behind = http.client.HTTPConnection(*self.server.behind)
            behind.request(self.command, self.path, content, dict(self.headers))
            response = behind.getresponse()
            status, body, headers = response.status, response.read(), dict(response.getheaders())
            behind.close()
        self.server.answered.append(status)
        self.send_response(status)
        for name, value in headers.items():
            if name.lower() not in ("content-length", "connection", "date", "server"):
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_PUT = do_DELETE = do_HEAD = do_POST = answer


@contextmanager
def object_store() -> Iterator[Proxy]:
    """Yield a proxy for a server that has the bucket ``s3://games``."""
    server = ThreadedMotoServer("127.0.0.1", port=0, verbose=False)
    server.start()
    proxy = Proxy(server.get_host_and_port())
    Thread(target=proxy.serve_forever, args=(0.01,), daemon=True).start()
    for method, path in (("POST", "moto-api/reset"), ("PUT", "games")):
        request = urllib.request.Request(f"{proxy.address}/{path}", data=b"", method=method)
        urllib.request.urlopen(request).close()
    settings = {
        "AWS_ENDPOINT_URL": proxy.address,
        "AWS_ACCESS_KEY_ID": "anyone",
        "AWS_SECRET_ACCESS_KEY": "anything",
        "AWS_REGION": "us-east-1",
    }
    with pytest.MonkeyPatch.context() as patch:
        for name, value in settings.items():
            patch.setenv(name, value)
        for name in set(os.environ) & {"AWS_PROFILE", "AWS_SESSION_TOKEN"}:
            patch.delenv(name)
        yield proxy
    proxy.shutdown()
    proxy.server_close()
    server.stop()
