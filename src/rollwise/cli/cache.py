"""``rollwise cache``: list and delete the cached value tables of solved games."""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Annotated

from annotated_types import Ge
from cyclopts import Parameter

from rollwise import cache_folder as cache
from rollwise.cli import flags
from rollwise.cli.commands import command
from rollwise.errors import counted
from rollwise.questions import completion
from rollwise.questions.answer import Answer, Block, Data, Raw, table


class CachedTable(Data):
    """A value table."""

    path: str
    game: str
    version: str
    """The name with a hash of the rules, which differs if other rules have the same name."""
    objective: str
    bytes: int
    used_at: str
    current: bool
    """Whether this version of rollwise can read the table."""
    wanted: bool
    """Whether solve --save wrote the table."""


class CachedTables(Answer):
    """The value tables, most recently used first."""

    folder: str
    limit: int | None
    """The limit in bytes; null if it is infinite."""
    games: list[CachedTable]

    def show(self) -> Iterator[Block]:
        """Yield the tables, their size, and the limit."""
        yield from self.show_quietly()
        size = sum(game.bytes for game in self.games)
        most = math.inf if self.limit is None else self.limit
        yield Raw(f"{size / 1e9:.2f} GB in {self.folder} (limit: {most / 1e9:g} GB)")

    def show_quietly(self) -> Iterator[Block]:
        """Yield the tables."""
        rows = table("game", "objective", ">MB", "last used", "")
        shared = Counter(name for name, _ in {(game.game, game.version) for game in self.games})
        for game in self.games:
            name = game.version if shared[game.game] > 1 else game.game
            when = f"{datetime.fromisoformat(game.used_at).astimezone():%Y-%m-%d %H:%M}"
            note = "saved on request" if game.wanted else ""
            note = note if game.current else "from another version"
            rows.add_row(name, game.objective, f"{game.bytes / 1e6:.1f}", when, note)
        if self.games:
            yield rows


def contents(
    *, limit: Annotated[float | None, Ge(0), Parameter(metavar="GB")] = None
) -> CachedTables:
    """List or delete the value tables saved on disk.

    The default limit is 5 GB. Value tables saved with solve --save do not count and are never
    deleted automatically. If games with the same name have different rules, their names end with @
    and a hash of the rules.

    Parameters
    ----------
    limit
        First delete the least recently used value tables above this size.

    Examples
    --------
    rollwise cache
    rollwise cache --limit 1
    ROLLWISE_CACHE_LIMIT=20 rollwise solve --rules maxi-yatzy
    """
    if limit is not None:
        cache.evict(limit)
    games = [
        CachedTable.of(
            entry,
            path=str(entry.path),
            bytes=entry.size,
            used_at=datetime.fromtimestamp(entry.used, UTC).isoformat(timespec="seconds"),
        )
        for entry in cache.entries()
    ]
    most = cache.limit() if limit is None else limit
    in_bytes = int(1e9 * most) if math.isfinite(most) else None
    return CachedTables(folder=str(cache.cache_folder()), limit=in_bytes, games=games)


def path() -> None:
    """Print the folder with the saved value tables.

    Examples
    --------
    rollwise cache path
    """
    print(cache.cache_folder())


def clear(
    name: Annotated[
        str | None, Parameter(metavar="NAME", completer=completion.cached_games)
    ] = None,
    *,
    quiet: flags.Quiet = False,
) -> None:
    """Delete the saved value tables of a game, or everything.

    Parameters
    ----------
    name
        A game from rollwise cache; default: all, and compiled code.

    Examples
    --------
    rollwise cache clear
    rollwise cache clear maxi-yatzy
    """
    if name is None:
        count, failures = cache.clear()
        deleted = counted(count, "table")
    else:
        tables, failures = cache.clear_game(name)
        size = sum(entry.size for entry in tables)
        deleted = f"{counted(len(tables), 'table')} of {name} ({size / 1e6:,.1f} MB)"
    if not quiet:
        print(f"deleted {deleted} in {cache.cache_folder()}")
    for error in failures:
        print(f"error: cannot delete {error.filename}: {error.strerror}", file=sys.stderr)
    if failures:
        raise SystemExit(2)


app = command(contents, "cache")
for subcommand in (path, clear):
    app.command(command(subcommand, subcommand.__name__))
