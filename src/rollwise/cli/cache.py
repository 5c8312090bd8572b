"""``rollwise cache``: list and delete the cached value tables of solved games."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from typing import Annotated

from annotated_types import Ge
from cyclopts import Parameter

from rollwise import cache_folder as cache
from rollwise.cli import flags
from rollwise.cli.commands import command
from rollwise.cli.show import console, write_json
from rollwise.errors import counted
from rollwise.questions.answer import table


def contents(
    *,
    limit: Annotated[float | None, Ge(0), Parameter(metavar="GB")] = None,
    as_json: flags.Json = False,
    quiet: flags.Quiet = False,
) -> None:
    """List or delete the value tables saved on disk.

    The default limit is 5 GB. Tables saved with solve --save do not count and are never deleted
    automatically.

    Parameters
    ----------
    limit
        First delete the least recently used tables above this size.

    Examples
    --------
    rollwise cache
    rollwise cache --limit 1
    ROLLWISE_CACHE_LIMIT=20 rollwise solve --rules maxi-yatzy
    """
    if limit is not None:
        cache.evict(limit)
    found = cache.entries()
    most = cache.limit() if limit is None else limit
    if as_json:
        games = [_as_dict(entry) for entry in found]
        write_json({"folder": str(cache.cache_folder()), "limit": int(1e9 * most), "games": games})
        return

    rows = table("game", "objective", ">MB", "last used", "")
    for entry in found:
        when = f"{datetime.fromtimestamp(entry.used):%Y-%m-%d %H:%M}"
        note = "" if entry.current else "from another version"
        note = "saved on request" if entry.current and entry.wanted else note
        rows.add_row(entry.game, entry.objective, f"{entry.size / 1e6:.1f}", when, note)
    if found:
        console().print(rows)
    if quiet:
        return
    total = sum(entry.size for entry in found) / 1e9
    print(f"{total:.2f} GB in {cache.cache_folder()} (limit: {most:g} GB)")


def _as_dict(entry: cache.CacheEntry) -> dict[str, object]:
    return {
        "path": str(entry.path),
        "game": entry.game,
        "objective": entry.objective,
        "bytes": entry.size,
        "used_at": datetime.fromtimestamp(entry.used, UTC).isoformat(timespec="seconds"),
        "current": entry.current,
        "wanted": entry.wanted,
    }


def path() -> None:
    """Print the folder with the saved tables.

    Examples
    --------
    rollwise cache path
    """
    print(cache.cache_folder())


def clear(*, quiet: flags.Quiet = False) -> None:
    """Delete all saved tables and the compiled code.

    Examples
    --------
    rollwise cache clear
    """
    count, failures = cache.clear()
    if not quiet:
        print(f"deleted {counted(count, 'table')} in {cache.cache_folder()}")
    for error in failures:
        print(f"error: cannot delete {error.filename}: {error.strerror}", file=sys.stderr)
    if failures:
        raise SystemExit(2)


app = command(contents, "cache")
for subcommand in (path, clear):
    app.command(command(subcommand, subcommand.__name__))
