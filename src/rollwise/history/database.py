"""A database opened for games: SQLite or PostgreSQL, its tables those of this version.

What can be wrong with a history, and how the reason of a database is told.
"""

import os
import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import platformdirs
from sqlalchemy import Connection, Engine, create_engine, event, inspect, make_url, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.orm import Session

from rollwise.errors import InputError, MissingExtraError
from rollwise.files import new_draft, put_in_place, sweep_drafts
from rollwise.history.schema import VERSION

PATIENCE = 10_000
"""Milliseconds that a connection to SQLite waits for others to finish writing."""

LOCK = 0x726F6C6C  # "roll"
"""By this number PostgreSQL knows the lock that a migration holds."""


def default_url() -> str:
    """Return ``$ROLLWISE_DATABASE``, or the file in the user's data folder."""
    chosen = os.environ.get("ROLLWISE_DATABASE")
    if chosen:
        return chosen
    return f"sqlite:///{platformdirs.user_data_path('rollwise') / 'history.sqlite'}"


def _address(url: str) -> URL:
    address = make_url(url)
    kind = address.get_backend_name()
    if kind not in ("sqlite", "postgresql"):
        raise ArgumentError(f"{kind} is neither SQLite nor PostgreSQL")
    return address.set(drivername={"postgresql": "postgresql+psycopg"}.get(kind, kind))


def _file_of(address: URL) -> Path | None:
    """Return the file of SQLite; None of one in memory, and of PostgreSQL."""
    named = address.get_backend_name() == "sqlite" and address.database not in (None, ":memory:")
    return Path(str(address.database)) if named else None


class Database:
    """An open database.

    Parameters
    ----------
    url : str, optional
        As SQLAlchemy writes it; :func:`default_url` unless told.
    create : bool
        Whether it is made if there is none; else one's own is then in memory, and empty.

    Attributes
    ----------
    place : str
        The address, without a password.
    file : Path or None
        Of SQLite.

    Raises
    ------
    HistoryError
        When it cannot be opened, or is of a newer version.
    MissingExtraError
        When its driver is not installed.
    """

    def __init__(self, url: str | None = None, *, create: bool = True) -> None:
        try:
            address = _address(url or default_url())
            self.file = _file_of(address)
            if self.file is not None and create and url is None:
                self.file.parent.mkdir(parents=True, exist_ok=True)
            elif self.file is not None and not create and not self.file.exists():
                if url is not None:
                    raise HistoryError(f"no history in {self.file}: expected one that exists")
                self.file, address = None, make_url("sqlite://")  # in memory, and empty
            elif self.file is not None and not create and self.file.stat().st_size == 0:
                raise HistoryError(f"{self.file} is empty: expected a history, or no file at all")
            self.place = address.render_as_string(hide_password=True)
            self.engine = _engine(address)
            self._bring_up_to_date()
            if self.file is not None:
                sweep_drafts(self.file.parent)  # of copies
        except ModuleNotFoundError as error:
            raise MissingExtraError(
                f"this database needs {error.name}: expected pip install "
                '"rollwise[postgres]", or the driver of another database, before'
            ) from None
        except (ArgumentError, NoSuchModuleError) as error:
            raise HistoryError(
                "expected the address of a database, such as sqlite:///games.sqlite or "
                f"postgresql://user@host/games: {error}"
            ) from None
        except (SQLAlchemyError, OSError) as error:
            raise HistoryError(f"the history cannot be opened: {reason(error)}") from None

    def close(self) -> None:
        """Give up all connections."""
        self.engine.dispose()

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """Open a transaction that reads."""
        with _session(self.engine) as session:
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """Open a transaction that writes: what was done in it is on disk when it ends.

        In SQLite it is the only one from its beginning on; one that first reads could find that
        what it read has changed when it comes to write.
        """
        with _session(self.engine.execution_options(writes=True)) as session:
            yield session

    def copy_to(self, path: Path) -> None:
        """Copy the file of SQLite as it stands, whole or not at all.

        Raises
        ------
        OSError
            When it cannot be written.
        HistoryError
            When it cannot be read.
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
            raise HistoryError(f"the history cannot be copied: {reason(error)}") from None
        finally:
            with suppress(OSError):
                draft.unlink(missing_ok=True)

    def _bring_up_to_date(self) -> None:
        with self.engine.connect() as connection:
            if _version(connection) == VERSION:
                return
        with self.engine.execution_options(writes=True).begin() as connection:
            if connection.dialect.name == "postgresql":
                connection.execute(text(f"SELECT pg_advisory_xact_lock({LOCK})"))
            version = _version(connection)  # another process may have done it meanwhile
            if version == VERSION:
                return
            if version is not None and int(version) > int(VERSION):
                raise HistoryError(
                    f"the history is of version {version}: expected at most {VERSION}, so a newer "
                    "rollwise; nothing was changed"
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
    """Return the version of the tables; None of a database without one."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    version: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return version


def _engine(address: URL) -> Engine:
    engine = create_engine(address, pool_pre_ping=True)
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _careful_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    return engine


def _careful_sqlite(connection: Any, _: Any) -> None:
    """Make a commit wait until it is on disk, and let readers and a writer work side by side."""
    connection.isolation_level = None  # transactions begin where SQLAlchemy says so
    connection.text_factory = _lenient
    for pragma in (f"busy_timeout={PATIENCE}", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")
    end = time.monotonic() + PATIENCE / 1000
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL").fetchall()  # its end is what can fail
            return
        except sqlite3.OperationalError as error:  # SQLite waits for no other that does the same
            if not _is_taken(error) or time.monotonic() > end:
                raise
            time.sleep(0.01)


def _is_taken(error: sqlite3.OperationalError) -> bool:
    """Return whether another connection stands in the way, and not the file."""
    primary = error.sqlite_errorcode & 0xFF  # the bytes above it say more
    return primary in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def _lenient(data: bytes) -> str:
    """Read a damaged text as far as it goes: one bad row hides no other."""
    return data.decode(errors="replace")


def _begin_sqlite(connection: Connection) -> None:
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


@contextmanager
def _session(engine: Engine) -> Iterator[Session]:
    try:
        with Session(engine, expire_on_commit=False) as session, session.begin():
            yield session
    except SQLAlchemyError as error:
        raise HistoryError(f"the history cannot be used: {reason(error)}") from None
    except UnicodeEncodeError:
        raise HistoryError("expected text that can be written down") from None


class HistoryError(InputError):
    """A database that cannot be used, or a game that is not in it."""


class NoSuchGameError(HistoryError):
    """A game that is not kept, or no longer."""


class NotOwnerError(HistoryError):
    """A game that is another's, where several people share a history."""


def reason(error: Exception) -> str:
    """Return the first line of an error, without a password that stands in an address."""
    lines = str(getattr(error, "orig", None) or error).splitlines()
    return re.sub(r"://[^@\s]*@", "://…@", lines[0] if lines else type(error).__name__)
