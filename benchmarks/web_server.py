"""A local web server with a new history, for benchmarks."""

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple


class Server(NamedTuple):
    """The address of a server, and the id of its process."""

    address: str
    process: int


@contextmanager
def serving(environment: Mapping[str, str] = os.environ) -> Iterator[Server]:
    """Run a server with these environment variables; the block starts when the server responds."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        command = [
            sys.executable, "-m", "rollwise", "web", "--no-browser", "--quiet",
            "--port", str(port), "--database", f"sqlite:///{folder}/games.sqlite",
        ]  # fmt: skip
        server = subprocess.Popen(command, env=environment)
        try:
            for _ in range(300):
                time.sleep(0.2)
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", port)) == 0:
                        break
            yield Server(f"http://127.0.0.1:{port}", server.pid)
        finally:
            server.terminate()
            server.wait()
