"""Connections to the database of the history (SQLite or PostgreSQL), migrations, and errors."""

import errno
import os
import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, inspect, make_url, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.orm import Session

from rollwise.errors import InputError, missing_extra
from rollwise.files import database_url, delete_drafts, new_draft, put_in_place
from rollwise.history.schema import VERSION

PATIENCE = 10_000
"""The time in milliseconds that a SQLite connection waits for other connections to write."""

LOCK = 0x726F6C6C  # "roll"
"""The key of the PostgreSQL advisory lock that a migration holds."""


def _address(url: str) -> URL:
    try:
        address = make_url(url)
    except ArgumentError:
        raise ArgumentError("it is not a URL") from None
    kind = address.get_backend_name()
    if kind not in ("sqlite", "postgresql"):
        raise ArgumentError(f"it is neither SQLite nor PostgreSQL but {kind}")
    return address.set(drivername={"postgresql": "postgresql+psycopg"}.get(kind, kind))


def _file_of(address: URL) -> Path | None:
    """Return the SQLite file of a URL; None for PostgreSQL and for a database in memory."""
    has_file = address.get_backend_name() == "sqlite" and address.database not in (None, ":memory:")
    return Path(str(address.database)) if has_file else None


class Database:
    """An open database.

    Parameters
    ----------
    url : str, optional
        A SQLAlchemy URL; default: :func:`rollwise.files.database_url`.
    create : bool
        Whether to create a missing database. If False, an empty database in memory replaces a
        missing default database.

    Attributes
    ----------
    place : str
        The URL without its password.
    file : Path or None
        The SQLite file; None for PostgreSQL and for a database in memory.

    Raises
    ------
    HistoryError
        If the database cannot be opened, or if a newer version of rollwise has migrated it.
    MissingExtraError
        If the driver of the database is not installed.
    """

    def __init__(self, url: str | None = None, *, create: bool = True) -> None:
        try:
            address = _address(url or database_url())
            self.file = _file_of(address)
            if self.file is not None and create and url is None:
                self.file.parent.mkdir(parents=True, exist_ok=True)
            elif self.file is not None and not create and not self.file.exists():
                if url is not None:
                    raise HistoryError(
                        f"there is no history in {self.file}; give the file of an existing history"
                    )
                self.file, address = None, make_url("sqlite://")  # in memory, and empty
            elif self.file is not None and not create and self.file.stat().st_size == 0:
                raise HistoryError(
                    f"{self.file} is empty, so it is not a history; delete the file, or give "
                    "another file"
                )
            self.place = address.render_as_string(hide_password=True)
            self.engine = _engine(address)
            self._migrate_if_old()
            if self.file is not None:
                delete_drafts(self.file.parent)  # of interrupted copies
        except ModuleNotFoundError as error:
            raise missing_extra(
                f"the database {address.get_backend_name()}", str(error.name), "postgres"
            ) from None
        except (ArgumentError, NoSuchModuleError) as error:
            raise HistoryError(
                f"cannot read the address of the database: {error}; write an address such as "
                "sqlite:///games.sqlite or postgresql://user@host/games"
            ) from None
        except (SQLAlchemyError, OSError, UnicodeDecodeError) as error:
            place = address.render_as_string(hide_password=True)
            raise _explained(f"cannot open the history {place}", error, address) from None

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """Open a read transaction."""
        with _session(self.engine) as session:
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """Open a write transaction; its changes are on disk when it ends.

        In SQLite, the transaction takes the write lock when it starts. If it took the lock after
        reading, it could fail because another transaction had written in between.
        """
        with _session(self.engine.execution_options(writes=True)) as session:
            yield session

    def copy_to(self, path: Path) -> None:
        """Copy the SQLite database to a file; the file appears only when it is complete.

        Raises
        ------
        OSError
            If the copy cannot be written.
        HistoryError
            If the database cannot be read.
        """
        draft = new_draft(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with self.engine.connect() as connection:
                source = connection.connection.driver_connection
                assert source is not None
                copy = sqlite3.connect(draft)
                try:
                    source.backup(copy)
                finally:
                    copy.close()
            with draft.open("rb+") as file:
                os.fsync(file.fileno())
            put_in_place(draft, path)
        except (SQLAlchemyError, sqlite3.Error) as error:
            raise HistoryError(
                f"cannot copy the history to {path}: {reason(error)}; check the path and the free "
                "disk space"
            ) from None
        finally:
            with suppress(OSError):
                draft.unlink(missing_ok=True)

    def _migrate_if_old(self) -> None:
        with self.engine.connect() as connection:
            if _version(connection) == VERSION:
                return
        with self.engine.execution_options(writes=True).begin() as connection:
            if connection.dialect.name == "postgresql":
                connection.execute(text(f"SELECT pg_advisory_xact_lock({LOCK})"))
            version = _version(connection)  # another process might have migrated it
            if version == VERSION:
                return
            if version is not None and int(version) > int(VERSION):
                raise HistoryError(
                    f"the history has version {version}, and this rollwise knows versions up to "
                    f"{VERSION}; install a newer rollwise (the history was not changed)"
                )
            if self.file and inspect(connection).has_table("games"):
                self.copy_to(self.file.with_name(f"{self.file.name}.before-{VERSION}"))
            _migrate(connection)


def _migrate(connection: Connection) -> None:
    from alembic import command  # takes a tenth of a second to import
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "rollwise.history:migrations")
    config.attributes["connection"] = connection
    command.upgrade(config, VERSION)


def _version(connection: Connection) -> str | None:
    """Return the version of the tables; None if the database has no version."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    version: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return version


def _engine(address: URL) -> Engine:
    engine = create_engine(address, pool_pre_ping=True)
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _configure_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    return engine


def _configure_sqlite(connection: Any, _: Any) -> None:
    """Make commits durable, and let readers work at the same time as a writer."""
    connection.isolation_level = None  # SQLAlchemy begins the transactions
    connection.text_factory = _decode
    for pragma in (f"busy_timeout={PATIENCE}", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")
    end = time.monotonic() + PATIENCE / 1000
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL").fetchall()  # fetching raises any error
            return
        except sqlite3.OperationalError as error:  # the busy timeout does not apply here
            if not _is_locked(error) or time.monotonic() > end:
                raise
            time.sleep(0.01)


def _is_locked(error: sqlite3.OperationalError) -> bool:
    """Return whether the error says that another connection holds a lock."""
    primary = error.sqlite_errorcode & 0xFF  # the higher bytes are the extended code
    return primary in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def _decode(data: bytes) -> str:
    """Decode UTF-8 and replace invalid bytes, so that rollwise can read the other rows."""
    return data.decode(errors="replace")


def _begin_sqlite(connection: Connection) -> None:
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


@contextmanager
def _session(engine: Engine) -> Iterator[Session]:
    try:
        with Session(engine, expire_on_commit=False) as session, session.begin():
            yield session
    except (SQLAlchemyError, UnicodeDecodeError) as error:
        raise _explained("cannot use the history", error, engine.url) from None
    except UnicodeEncodeError:
        raise HistoryError(
            "the text contains characters that cannot be saved; remove these characters"
        ) from None


class HistoryError(InputError):
    """The database cannot be used, or a game in it cannot be read."""


class DiskFullError(HistoryError):
    """The disk of the database is full."""


class NoSuchGameError(HistoryError):
    """The history does not contain the game."""


class GoneOnError(HistoryError):
    """Someone has saved a later version of the game, for example in another window."""

    def __init__(self) -> None:
        super().__init__("the game has gone on in another window")


class NotOwnerError(HistoryError):
    """The game belongs to someone else, in a history that several people share."""


def _explained(problem: str, error: Exception, address: URL) -> HistoryError:
    """Return the error to raise for an error of the database; it says how to fix the cause."""
    cause, file = getattr(error, "orig", None) or error, _file_of(address)
    if _is_disk_full(cause):
        return DiskFullError(f"{problem}: the disk is full; free some disk space, and try again")
    if file is not None and _is_read_only(cause, file):
        return HistoryError(
            f"{problem}: {file} cannot be written; make the file and its folder writable, or give "
            "another file in --database"
        )
    return HistoryError(
        f"{problem}: {reason(error)}; try again, or check the address in --database or "
        "ROLLWISE_DATABASE"
    )


def _is_disk_full(error: BaseException) -> bool:
    return (
        getattr(error, "sqlite_errorcode", None)
        in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_SHMSIZE)  # the second for shared memory
        or getattr(error, "sqlstate", None) == "53100"  # of PostgreSQL
        or (isinstance(error, OSError) and error.errno == errno.ENOSPC)
    )


def _is_read_only(error: BaseException, file: Path) -> bool:
    primary = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return primary == sqlite3.SQLITE_READONLY or (
        primary == sqlite3.SQLITE_CANTOPEN and file.exists() and not os.access(file.parent, os.W_OK)
    )


def reason(error: Exception) -> str:
    """Return the first line of an error message, without the password of a URL."""
    if isinstance(error, UnicodeDecodeError):  # in a message of SQLite
        return "the names of its tables are damaged"
    lines = str(getattr(error, "orig", None) or error).splitlines()
    return re.sub(r"://[^@\s]*@", "://…@", lines[0] if lines else type(error).__name__)
