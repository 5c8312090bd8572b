"""What the cache holds, by game, age and size; and what goes when it holds too much.

Whatever was not used for longest goes first, tables of other versions before those of this one.
What a user asked to keep stays until the cache is cleared, and does not count.

How kept tables are named: after their game, and after everything that their values depend on.
"""

import hashlib
import json
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from rollwise.errors import MalformedError, quoted
from rollwise.files import DRAFT, cache_folder, compiled_folder, sweep_drafts
from rollwise.fingerprint import PACKAGE, fingerprint
from rollwise.rules import Rules
from rollwise.solving.objectives import CardObjective
from rollwise.solving.storage.layer_files import WANTED
from rollwise.solving.storage.stores import in_use
from rollwise.solving.storage.table_file import FORMAT

LIMIT = 5.0
"""Gigabytes that the cache holds unless told."""

OUTDATED = 30 * 86_400.0
"""Seconds after which a table of another version that nobody read goes."""


@dataclass(frozen=True)
class CacheEntry:
    """A solved game in the cache: a table, or a folder of layers; or one of finished jobs.

    Attributes
    ----------
    game, objective : str
        What was solved; the latter is empty where an old version did not say. Of jobs it is
        ``unfinished``, and what they do.
    size : int
        Bytes.
    used : float
        When it was last read or written, in seconds since 1970.
    current : bool
        Whether this version can read it.
    wanted : bool
        Whether the user asked to keep it.
    """

    path: Path
    game: str
    objective: str
    size: int
    used: float
    current: bool
    wanted: bool

    @classmethod
    def of(cls, path: Path) -> "CacheEntry":
        """Return what is at a path.

        Raises
        ------
        OSError
            When it cannot be looked at, or is no longer there.
        """
        inside = list(path.iterdir()) if path.is_dir() else [path]
        stats = [file.stat() for file in inside or [path]]
        game, _, rest = path.stem.partition(".")
        objective, current, _ = rest.rpartition(f".{code()}.")
        return cls(
            path,
            game,
            objective if current else rest.rsplit(".", 2)[0],
            sum(stat.st_size for stat in stats),
            max(stat.st_atime for stat in stats),
            bool(current),
            path / WANTED in inside,
        )

    def delete(self) -> None:
        """Delete it.

        Raises
        ------
        OSError
            When it cannot be deleted.
        """
        if self.path.suffix in (LAYERS, JOBS):
            shutil.rmtree(self.path)
        else:
            self.path.unlink(missing_ok=True)


def entries() -> list[CacheEntry]:
    """Return what the cache holds, what was used last first."""
    return sorted(_entries(), key=lambda entry: -entry.used)


def _entries() -> Iterator[CacheEntry]:
    for ending in (TABLE, LAYERS, JOBS):
        for path in cache_folder().glob(f"[!.]*{ending}"):
            with suppress(OSError):  # another process may just have deleted it
                yield CacheEntry.of(path)


def limit() -> float:
    """Return how many gigabytes the cache may hold: ``$ROLLWISE_CACHE_LIMIT``, or five.

    Raises
    ------
    MalformedError
        When it is no number.
    """
    text = os.environ.get("ROLLWISE_CACHE_LIMIT", str(LIMIT))
    try:
        gigabytes = float(text)
    except ValueError:
        gigabytes = -1.0
    if not gigabytes >= 0:
        raise MalformedError(f"ROLLWISE_CACHE_LIMIT: expected gigabytes, got {quoted(text)}")
    return gigabytes


def make_room(gigabytes: float | None = None, spared: Path | None = None) -> list[CacheEntry]:
    """Delete what killed writers left, what is outdated, and what is beyond the limit.

    Parameters
    ----------
    gigabytes : float, optional
        That may stay; :func:`limit` unless told.
    spared : Path, optional
        Of an entry that stays in any case.

    Returns
    -------
    list of Entry
        Those that went.

    Raises
    ------
    MalformedError
        When the limit is no number.
    """
    most = 1e9 * (limit() if gigabytes is None else gigabytes)
    sweep_drafts(cache_folder())
    held = sorted(_entries(), key=lambda entry: (entry.current, entry.used))
    total = sum(entry.size for entry in held if not entry.wanted)
    gone = list[CacheEntry]()
    for entry in held:
        outdated = not entry.current and entry.used < time.time() - OUTDATED
        if not (outdated or (total > most and not entry.wanted)):
            continue
        if entry.path == spared or in_use(entry.path) or _why_it_stays(entry):
            continue
        gone.append(entry)
        total -= 0 if entry.wanted else entry.size
    return gone


def _why_it_stays(entry: CacheEntry) -> OSError | None:
    """Delete an entry, or return why it cannot be deleted."""
    try:
        entry.delete()
    except OSError as error:
        return error
    return None


def clear() -> tuple[int, list[OSError]]:
    """Delete all kept tables, what killed writers left of some, and compiled code.

    Returns
    -------
    deleted : int
        How many tables there were.
    stayed : list of OSError
        Why others could not be deleted.
    """
    drafts = cache_folder().glob(f".*{TABLE}.*{DRAFT}")
    held = [*entries(), *(CacheEntry.of(draft) for draft in drafts)]
    reasons = [(entry, _why_it_stays(entry)) for entry in held]
    deleted = sum(reason is None and entry.path.suffix != DRAFT for entry, reason in reasons)
    stayed = [reason for _, reason in reasons if reason is not None]
    try:
        shutil.rmtree(compiled_folder())
    except FileNotFoundError:
        pass
    except OSError as error:
        stayed.append(error)
    return deleted, stayed


DEPENDED_ON = ("rules", "model", "solving")
"""The packages whose code the values of a table depend on."""

SHIPPED = PACKAGE / "tables"
"""Where a wheel brings tables of common games, named as kept ones are; a checkout has none."""

TABLE, LAYERS, JOBS = ".safetensors", ".layers", ".jobs"
"""How the names of tables end, of folders of layers, and of folders of finished jobs."""


def code() -> str:
    """Return the fingerprint of the code that solved values depend on."""
    return fingerprint(*(PACKAGE / part for part in DEPENDED_ON))


def path_of(rules: Rules, objective: CardObjective) -> Path:
    """Return where the table for these rules and objective is kept."""
    return named_path(rules, objective.name)


def named_path(rules: Rules, name: str) -> Path:
    """Return where a table of this name for these rules is kept."""
    # Names and sources do not change values, but a table also says what it is a table of.
    says = [name, rules.model_dump(mode="json")]
    digest = hashlib.sha256(json.dumps([FORMAT, *says]).encode()).hexdigest()[:16]
    return cache_folder() / f"{rules.name}.{name}.{code()}.{digest}{TABLE}"


def layers_of(rules: Rules, objective: CardObjective, more: str = "") -> Path:
    """Return the folder where the layers of a game that saves rolls are kept.

    Of its values, or of something ``more`` that goes with them.
    """
    return named_path(rules, objective.name + more).with_suffix(LAYERS)
