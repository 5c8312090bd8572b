"""Whether a history is sound: the file, and every game in it."""

from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import text

from rollwise.history.database import Database, HistoryError
from rollwise.history.games import UnreadableGame
from rollwise.history.store import History


@dataclass(frozen=True)
class Findings:
    """What a check found.

    Attributes
    ----------
    games : int
        Those that were looked at.
    unreadable : list of UnreadableGame
    problems : list of str
        What is wrong with the database itself, in its own words.
    """

    games: int
    unreadable: list[UnreadableGame]
    problems: list[str]

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong."""
        return not self.unreadable and not self.problems


def check(history: History, progress: Callable[[float], None] | None = None) -> Findings:
    """Read everything that is kept, and return what is wrong with it.

    Parameters
    ----------
    progress : callable, optional
        Called with the share that is read, from 0 to 1.
    """
    problems, unreadable, seen = _problems(history.database), list[UnreadableGame](), 0
    try:
        number = history.count()
        for game in history.each():
            seen += 1
            if isinstance(game, UnreadableGame):
                unreadable.append(game)
            if progress:
                progress(seen / max(number, seen))
    except HistoryError as error:
        problems.append(str(error))
    return Findings(seen, unreadable, problems)


def _problems(database: Database) -> list[str]:
    """Return what SQLite says of its own file; PostgreSQL watches over its files itself."""
    if database.engine.dialect.name != "sqlite":
        return []
    try:
        with database.reading() as session:
            pages = [str(row[0]) for row in session.execute(text("PRAGMA integrity_check"))]
            orphans = session.execute(text("PRAGMA foreign_key_check")).all()
    except HistoryError as error:
        return [str(error)]
    found = [page for page in pages if page != "ok"]
    return found + [f"row {row[1]} of {row[0]} belongs to nothing" for row in orphans]
