"""The web server as a separate process on loopback."""

import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from databases import free_port
from waiting import PATIENCE, wait_until


@dataclass
class Server:
    """A running server."""

    address: str
    database: str
    process: subprocess.Popen[bytes]
    log: Path


@contextmanager
def serving(
    database: str, folder: Path, *options: str, port: int | None = None
) -> Iterator[Server]:
    """Serve the games of a database, by default on a free port, until the end of the block."""
    port, log = port or free_port(), folder / "server.log"
    command = [
        sys.executable, "-m", "rollwise", "web", "--no-browser", "--quiet",
        "--port", str(port), "--database", database, *options,
    ]  # fmt: skip
    with log.open("ab") as output:
        process = subprocess.Popen(command, stdout=output, stderr=output)
    server = Server(f"http://127.0.0.1:{port}", database, process, log)
    try:
        wait_until(lambda: _answers(server), server.log.read_text)
        yield server
    finally:
        process.terminate()
        process.wait(PATIENCE)


def _answers(server: Server) -> bool:
    assert server.process.poll() is None, server.log.read_text()
    try:
        with urllib.request.urlopen(f"{server.address}/api/rules", timeout=PATIENCE):
            return True
    except OSError:
        return False
