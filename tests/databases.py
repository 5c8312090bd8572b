"""A PostgreSQL server for tests: it listens on a socket file, as an unprivileged user."""

import fcntl
import os
import pwd
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import gettempdir
from typing import IO

from folders import new_folder
from waiting import PATIENCE


def _server_user() -> str | None:
    """Return the name of the user that runs the server; None if this is the current user."""
    if os.geteuid() != 0:
        return None
    names = {user.pw_name for user in pwd.getpwall()}
    return next(name for name in ("postgres", "nobody") if name in names)


_locks: list[IO[bytes]] = []
"""The locked files of the ports that this process uses; the system unlocks them when it ends."""


def free_port() -> int:
    """Return a free port of 127.0.0.1 that no other test process uses.

    A locked file reserves the port on this machine. The ports are below the ephemeral ports of the
    system.
    """
    for port in range(20_000, 32_000):
        lock = Path(gettempdir(), f"rollwise-test-port-{port}").open("ab")  # noqa: SIM115
        with socket.socket() as probe, suppress(OSError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            probe.bind(("127.0.0.1", port))
            _locks.append(lock)
            return port
        lock.close()
    raise AssertionError("expected a free port")


@contextmanager
def postgres() -> Iterator[str]:
    """Start a server, and yield the URL of its database; this needs the program initdb."""
    initdb, pg_ctl = shutil.which("initdb"), shutil.which("pg_ctl")
    if initdb is None or pg_ctl is None:
        raise RuntimeError('mark each test that starts a server with pytest.mark.needs("initdb")')
    user = _server_user()
    home = new_folder("postgres")

    def run(*command: str) -> None:
        prefix = ["runuser", "-u", user, "--"] if user else []
        log = home / "commands.log"
        with log.open("ab") as output:
            done = subprocess.run([*prefix, *command], stdout=output, stderr=output, cwd="/")
        assert done.returncode == 0, log.read_text()

    try:
        if user:
            shutil.chown(home, user)
        data = str(home / "data")
        run(initdb, "-D", data, "-A", "trust", "-U", "club", "--no-sync", "-E", "UTF8")
        options = f"-k {home} -c listen_addresses= -c fsync=off"
        log = str(home / "server.log")
        run(pg_ctl, "-D", data, "-l", log, "-o", options, "-w", "-t", f"{PATIENCE:.0f}", "start")
        try:
            yield f"postgresql://club@/postgres?host={home}"
        finally:
            run(pg_ctl, "-D", data, "-m", "fast", "-w", "stop")
    finally:
        shutil.rmtree(home, ignore_errors=True)
