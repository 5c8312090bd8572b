"""The web server as a separate process on loopback."""

import re
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from rollwise.game.game import Game
from rollwise.history import History
from waiting import PATIENCE, wait_until

RUNNING = re.compile(r"^rollwise is running at http://[^/]*:(\d+)/", re.MULTILINE)
"""The line that a server prints when it listens, with its port."""


@dataclass
class Server:
    """A running server."""

    port: int
    database: str
    process: subprocess.Popen[bytes]
    log: Path

    @property
    def address(self) -> str:
        """The URL of the server on this machine, without a slash at the end."""
        return f"http://127.0.0.1:{self.port}"

    def save(self, id: str, game: Game) -> str:
        """Save a game, and return its id."""
        with History(self.database) as history:
            history.save(id, game)
        return id

    def game(self, id: str) -> Game:
        """Return a saved game."""
        with History(self.database) as history:
            return history.load(id).game


@contextmanager
def serving(
    database: str,
    folder: Path,
    *options: str,
    port: int = 0,
    python: str | Path = sys.executable,
) -> Iterator[Server]:
    """Serve the games in a database until the end of the block.

    By default the system chooses the port. A test that starts a server again gives its first port.
    """
    log = folder / "server.log"
    command = [
        str(python), "-m", "rollwise", "web", "--no-browser",
        "--port", str(port), "--database", database, *options,
    ]  # fmt: skip
    with log.open("ab") as output:
        begin = output.tell()
        # In a session of its own, the server gets its share of the processors. Its computing
        # processes have a low priority, and would wait for everything else in this session.
        process = subprocess.Popen(command, stdout=output, stderr=output, start_new_session=True)

    def printed() -> str:
        return log.read_bytes()[begin:].decode()

    def listens() -> bool:
        assert process.poll() is None, printed()
        return RUNNING.search(printed()) is not None

    try:
        wait_until(listens, printed)
        found = RUNNING.search(printed())
        assert found is not None
        server = Server(int(found[1]), database, process, log)
        urllib.request.urlopen(f"{server.address}/healthz", timeout=PATIENCE).close()
        yield server
    finally:
        process.terminate()
        process.wait(PATIENCE)
