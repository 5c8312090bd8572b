"""An integrity check of the history: the database file and every saved game."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from sqlalchemy import text

from rollwise.history.database import Database, HistoryError
from rollwise.history.games import UnreadableGame
from rollwise.history.store import History


@dataclass(frozen=True)
class Findings:
    """The result of a check.

    Attributes
    ----------
    games : int
        The number of games that were read.
    unreadable : list of UnreadableGame
        The saved games that cannot be read.
    damaged_reviews : list of str
        The ids of the games with damaged reviews.
    problems : list of str
        The problems that the database itself reports.
    """

    games: int
    unreadable: list[UnreadableGame]
    damaged_reviews: list[str]
    problems: list[str]

    @property
    def sound(self) -> bool:
        """Whether the check found no problems."""
        return not self.unreadable and not self.damaged_reviews and not self.problems


def check(history: History, progress: Callable[[float], None] | None = None) -> Findings:
    """Read the whole database, and return the problems found.

    Parameters
    ----------
    progress : callable, optional
        Called with the fraction of games read, from 0 to 1.
    """
    problems, unreadable, games = _problems(history.database), list[UnreadableGame](), 0
    damaged_reviews = list[str]()
    try:
        number = history.count()
        for game in history.each():
            games += 1
            if isinstance(game, UnreadableGame):
                unreadable.append(game)
            if progress:
                progress(games / max(number, games))
        damaged_reviews = history.damaged_reviews()
    except HistoryError as error:
        problems.append(str(error))
    return Findings(games, unreadable, damaged_reviews, problems)


def _problems(database: Database) -> list[str]:
    """Return the problems that SQLite finds in its file; empty for PostgreSQL."""
    if database.engine.dialect.name != "sqlite":
        return []
    try:
        with database.reading() as session:
            pages = [str(row[0]) for row in session.execute(text("PRAGMA integrity_check"))]
            orphans = session.execute(text("PRAGMA foreign_key_check")).all()
    except HistoryError as error:
        return [str(error)]
    problems = [page for page in pages if page != "ok"]
    if problems:
        _rebuild_indexes(database)
    return problems + [f"row {row[1]} of table {row[0]} refers to a missing row" for row in orphans]


def _rebuild_indexes(database: Database) -> None:
    """Rebuild all indexes from the tables, unless the tables are damaged too."""
    with suppress(HistoryError), database.writing() as session:
        session.execute(text("REINDEX"))
