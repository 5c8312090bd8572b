"""A PostgreSQL server for tests, on loopback, run by an unprivileged user."""

import os
import pwd
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from folders import new_folder
from waiting import PATIENCE


def _somebody() -> str | None:
    """Return the user that runs the server; None for the current user unless it is root."""
    if os.geteuid() != 0:
        return None
    names = {user.pw_name for user in pwd.getpwall()}
    return next(name for name in ("postgres", "nobody") if name in names)


_WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
_ports = iter(range(20_000 + 500 * _WORKER, 20_000 + 500 * (_WORKER + 1)))


def free_port() -> int:
    """Return a free port of 127.0.0.1 that no other test process uses.

    Each test process has its own range of ports, below the ephemeral ports of the system.
    """
    for port in _ports:
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise AssertionError("expected a free port")


@contextmanager
def postgres() -> Iterator[str]:
    """Start a server, and yield the URL of its database; the program initdb is required."""
    initdb, pg_ctl = shutil.which("initdb"), shutil.which("pg_ctl")
    if initdb is None or pg_ctl is None:
        raise RuntimeError('mark each test that starts a server with pytest.mark.needs("initdb")')
    user, port = _somebody(), free_port()
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
        options = f"-p {port} -k {home} -c listen_addresses=127.0.0.1 -c fsync=off"
        log = str(home / "server.log")
        run(pg_ctl, "-D", data, "-l", log, "-o", options, "-w", "-t", f"{PATIENCE:.0f}", "start")
        try:
            yield f"postgresql://club@127.0.0.1:{port}/postgres"
        finally:
            run(pg_ctl, "-D", data, "-m", "fast", "-w", "stop")
    finally:
        shutil.rmtree(home, ignore_errors=True)
