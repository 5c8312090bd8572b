"""A PostgreSQL server for tests: it listens on a socket file, as an unprivileged user."""

import os
import pwd
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from folders import new_folder
from waiting import PATIENCE


def _server_user() -> str | None:
    """Return the name of the user that runs the server; None if this is the current user."""
    if os.geteuid() != 0:
        return None
    names = {user.pw_name for user in pwd.getpwall()}
    return next(name for name in ("postgres", "nobody") if name in names)


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
