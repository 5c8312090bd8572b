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
    database: str,
    folder: Path,
    *options: str,
    port: int | None = None,
    python: str | Path = sys.executable,
) -> Iterator[Server]:
    """Serve the games in a database until the end of the block, by default on a free port."""
    port, log = port or free_port(), folder / "server.log"
    command = [
        str(python), "-m", "rollwise", "web", "--no-browser", "--quiet",
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
            pass
    except OSError:
        return False
    assert server.process.poll() is None, server.log.read_text()  # else another server answered
    return True
