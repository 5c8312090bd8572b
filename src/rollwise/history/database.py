"""The SQLite file of a history: its tables, transactions, and errors."""

import errno
import os
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

from rollwise.errors import InputError
from rollwise.files import history_file

PATIENCE = 10.0
"""The seconds that a connection waits for others to write."""

SPARE = 1 << 20
"""The bytes of free space below which a disk is reported as full before a write fails."""

MARK = 0x726F6C6C  # "roll"
"""The ``application_id`` of the file, which tells it from databases of other programs."""

VERSION = 1
"""The version of the tables, which is the ``user_version`` of the file.

Reviews can be computed again (:mod:`rollwise.history.reviews`); games and the cards of spaced
repetition (:mod:`rollwise.history.mistakes`) cannot.
"""

SCHEMA = f"""
CREATE TABLE games (
    id TEXT PRIMARY KEY,
    owner TEXT NOT NULL,  -- empty unless several people share the history
    rules TEXT NOT NULL,
    is_over INTEGER NOT NULL,
    saved_at TEXT NOT NULL,  -- in UTC
    game TEXT NOT NULL  -- JSON
);
CREATE INDEX games_by_time ON games (saved_at, id);
CREATE INDEX games_by_owner ON games (owner, saved_at, id);
CREATE TABLE reviews (
    id INTEGER PRIMARY KEY,
    game TEXT NOT NULL REFERENCES games ON DELETE CASCADE,
    player TEXT NOT NULL,
    objective TEXT NOT NULL,
    review TEXT NOT NULL,
    checksum INTEGER NOT NULL,
    UNIQUE (game, player, objective)
);
CREATE TABLE cards (
    owner TEXT NOT NULL,
    rules TEXT NOT NULL,
    player TEXT NOT NULL,
    position TEXT NOT NULL,
    card TEXT NOT NULL,
    PRIMARY KEY (owner, rules, player, position)
);
PRAGMA application_id = {MARK};
PRAGMA user_version = {VERSION}
"""


class HistoryError(InputError):
    """The history cannot be used, or a game in it cannot be read."""


class DiskFullError(HistoryError):
    """The disk of the history is full."""


class NoSuchGameError(HistoryError):
    """The history does not contain the game."""


class GoneOnError(HistoryError):
    """Someone has saved a later version of the game, for example in another window."""

    def __init__(self) -> None:
        super().__init__("the game has gone on in another window")


class NotOwnerError(HistoryError):
    """The game belongs to someone else, in a history that several people share."""


class Database:
    """The file of a history, which any number of threads and processes can use.

    ``file`` is None for the empty history that replaces a missing default file.
    """

    def __init__(self, path: str | Path | None, *, create: bool) -> None:
        self._idle: list[sqlite3.Connection] = []
        self.file: Path | None = history_file(path)
        try:
            if create and path is None:
                self.file.parent.mkdir(parents=True, exist_ok=True)
            elif not create and not self.file.exists():
                if path is not None:
                    raise HistoryError(
                        f"there is no history in {self.file}; give the file of an existing history"
                    )
                self.file = None
            elif not create and self.file.stat().st_size == 0:
                raise HistoryError(
                    f"{self.file} is empty, so it is not a history; delete the file, or give "
                    "another file"
                )
            self._idle.append(self._connection())
        except InputError:
            raise
        except (sqlite3.Error, OSError, ValueError) as error:
            raise self._explained(f"cannot open the history {self.file}", error) from None

    def _connection(self) -> sqlite3.Connection:
        """Return a new connection to the file; create the tables if the file is new."""
        connection = sqlite3.connect(
            self.file.absolute() if self.file else ":memory:",
            timeout=PATIENCE,
            isolation_level=None,  # transactions begin with BEGIN
            check_same_thread=False,
        )
        try:
            connection.row_factory = sqlite3.Row
            # Undecodable text must not prevent reading the other rows.
            connection.text_factory = lambda data: data.decode(errors="replace")
            connection.execute("PRAGMA synchronous=FULL")
            connection.execute("PRAGMA foreign_keys=ON")
            if self._is_new(connection):
                _use_write_ahead_log(connection)
                connection.execute("BEGIN IMMEDIATE")
                with connection:
                    if self._is_new(connection):  # no other process was faster
                        for statement in SCHEMA.split(";"):
                            connection.execute(statement)
        except BaseException:
            connection.close()
            raise
        return connection

    def _is_new(self, connection: sqlite3.Connection) -> bool:
        """Return whether the file is empty; raise HistoryError if rollwise cannot use it."""
        mark, version, tables = connection.execute(
            "SELECT application_id, user_version, (SELECT count(*) FROM sqlite_master) "
            "FROM pragma_application_id, pragma_user_version"
        ).fetchone()
        if mark == MARK and version > VERSION:
            raise HistoryError(
                f"the history {self.file} has version {version}, and this rollwise knows versions "
                f"up to {VERSION}; install a newer rollwise (the history was not changed)"
            )
        if (mark, version) != (MARK, VERSION) and (mark or version or tables):
            raise HistoryError(
                f"{self.file} is not a history of rollwise, but another SQLite database; give "
                "another file"
            )
        return not mark

    def close(self) -> None:
        """Close all connections that are not in use."""
        while self._idle:
            self._idle.pop().close()

    @contextmanager
    def reading(self, begin: str = "BEGIN") -> Iterator[sqlite3.Connection]:
        """Open a transaction; an error in the block undoes its changes."""
        try:
            try:
                connection = self._idle.pop()
            except IndexError:  # all connections are in use
                connection = self._connection()
            try:
                connection.execute(begin)
                with connection:
                    yield connection
            except BaseException:
                connection.close()
                raise
            self._idle.append(connection)
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise self._explained("cannot use the history", error) from None
        except UnicodeEncodeError:
            raise HistoryError(
                "the text contains characters that cannot be saved; remove these characters"
            ) from None

    def writing(self) -> AbstractContextManager[sqlite3.Connection]:
        """Open a transaction that can write; its changes are on disk when it ends.

        It takes the write lock when it starts. If it took the lock after reading, it could fail
        because another transaction had written in between.
        """
        return self.reading("BEGIN IMMEDIATE")

    def check_writable(self) -> None:
        """Write to the file without changing its content, and check that the disk has space."""
        assert self.file is not None
        if shutil.disk_usage(self.file.parent).free < SPARE:
            raise DiskFullError("the disk of the history is full; free some disk space")
        with self.writing() as connection:
            connection.execute(f"PRAGMA user_version = {VERSION}")

    def problems(self) -> list[str]:
        """Return the problems that SQLite finds in the file, after it has rebuilt the indexes."""
        try:
            with self.reading() as connection:
                lines = [str(line) for (line,) in connection.execute("PRAGMA integrity_check")]
            if lines == ["ok"]:
                return []
            with suppress(HistoryError), self.writing() as connection:
                connection.execute("REINDEX")
        except HistoryError as error:
            return [str(error)]
        return lines

    def _explained(self, problem: str, error: Exception) -> HistoryError:
        """Return the error to raise for an error of SQLite; it says how to fix the cause."""
        if _is_disk_full(error):
            return DiskFullError(
                f"{problem}: the disk is full; free some disk space, and try again"
            )
        if self.file is not None and _is_read_only(error, self.file):
            return HistoryError(
                f"{problem}: {self.file} cannot be written; make the file and its folder writable, "
                "or give another file in --database"
            )
        if isinstance(error, UnicodeDecodeError):  # SQLite quotes the names of tables
            reason = "its tables are damaged"
        else:
            primary = getattr(error, "sqlite_errorcode", 0) & 0xFF
            reason = REASONS.get(primary, str(error))
        return HistoryError(
            f"{problem}: {reason}; try again, or check the file in --database or ROLLWISE_DATABASE"
        )


REASONS = {
    sqlite3.SQLITE_BUSY: "another program is writing to it",
    sqlite3.SQLITE_LOCKED: "another program is writing to it",
    sqlite3.SQLITE_CORRUPT: "the file is damaged",
    sqlite3.SQLITE_NOTADB: "the file is not a history",
    sqlite3.SQLITE_CANTOPEN: "the file cannot be opened",
}
"""The reason in words, for each error code of SQLite that a user can meet."""


def _use_write_ahead_log(connection: sqlite3.Connection) -> None:
    """Let readers work at the same time as a writer; the file keeps this setting."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL").fetchall()  # fetching raises any error
            return
        except sqlite3.OperationalError as error:  # the timeout does not apply here
            primary = error.sqlite_errorcode & 0xFF  # the higher bytes are the extended code
            is_locked = primary in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
            if not is_locked or time.monotonic() > end:
                raise
            time.sleep(0.01)


def _is_disk_full(error: Exception) -> bool:
    if isinstance(error, OSError):
        return error.errno == errno.ENOSPC
    code = getattr(error, "sqlite_errorcode", None)
    return code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_SHMSIZE)  # or for shared memory


def _is_read_only(error: Exception, file: Path) -> bool:
    primary = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return primary == sqlite3.SQLITE_READONLY or (
        primary == sqlite3.SQLITE_CANTOPEN and file.exists() and not os.access(file.parent, os.W_OK)
    )
