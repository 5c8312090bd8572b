"""The entries of the disk cache: names, sizes, and eviction.

The name of a table contains its game and a hash of everything that its values depend on. When the
cache is full, entries of other versions are deleted first, then the least recently used entries.
Entries of other versions are also deleted after 30 days without use. Entries that the user asked to
keep do not count toward the limit, and they are not deleted when the cache is full.

The folder might contain files of other programs. An entry is recognized by its name, and a table
also by its header. Files that are not recognized, and symbolic links, are never listed, counted, or
deleted.
"""

import hashlib
import json
import os
import re
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from rollwise.errors import MalformedError, quoted
from rollwise.files import (
    ENTRY_NAME,
    cache_folder,
    compiled_folder,
    delete_compiled,
    delete_drafts,
    is_draft,
)
from rollwise.fingerprint import PACKAGE, fingerprint
from rollwise.rules import Rules
from rollwise.solving.objectives import CardObjective
from rollwise.solving.storage.layer_files import WANTED
from rollwise.solving.storage.stores import LOCK, in_use
from rollwise.solving.storage.table_file import FORMAT, is_table

LIMIT = 5.0
"""The default limit of the cache, in gigabytes."""

OUTDATED = 30 * 86_400.0
"""The number of seconds after which an unused entry of another version is deleted."""

DEPENDED_ON = ("rules", "model", "solving")
"""The packages whose code the values of a table depend on."""

TABLE, LAYERS, JOBS = ".safetensors", ".layers", ".jobs"
"""The suffixes of tables, of folders of layers, and of folders of job results."""

_PART_NAME = {
    LAYERS: re.compile(rf"layer-\d{{2,}}\.\d{{4,}}\.npy|{LOCK}|{WANTED}"),
    JOBS: re.compile(r"\d{6,}"),
}
"""The names of the files in a folder of layers or of job results."""


def code_fingerprint() -> str:
    """Return the fingerprint of the code that solved values depend on."""
    return fingerprint(*(PACKAGE / part for part in DEPENDED_ON))


def table_path(rules: Rules, objective: CardObjective) -> Path:
    """Return the path of the cached table for these rules and this objective."""
    return named_path(rules, objective.name)


def named_path(rules: Rules, name: str) -> Path:
    """Return the path of the cached table with the given name for these rules."""
    # Names and sources do not change values, but a table also records the game it belongs to.
    identity = [name, rules.model_dump(mode="json")]
    digest = hashlib.sha256(json.dumps([FORMAT, *identity]).encode()).hexdigest()[:16]
    readable = name.replace(":", "=")  # Windows reserves the colon
    return cache_folder() / f"{rules.name}.{readable}.{code_fingerprint()}.{digest}{TABLE}"


def layers_folder(rules: Rules, objective: CardObjective) -> Path:
    """Return the folder of the cached layers of a game."""
    return named_path(rules, objective.name).with_suffix(LAYERS)


@dataclass(frozen=True)
class CacheEntry:
    """An entry of the cache: a table, a folder of layers, or a folder of job results.

    Attributes
    ----------
    path : Path
        The file or the folder.
    game, objective : str
        The names of the game and the objective. The objective is empty if an old version did not
        record it. For job results, ``game`` is ``unfinished``, and ``objective`` is the name of the
        function.
    size : int
        The size in bytes.
    used : float
        The time of the last access, in seconds since 1970.
    current : bool
        Whether this version of the package can read the entry.
    wanted : bool
        Whether the user asked to keep the entry.
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
        """Return the cache entry at a path.

        Raises
        ------
        OSError
            If the entry cannot be read, or no longer exists.
        """
        inside = list(path.iterdir()) if path.is_dir() else [path]
        stats = [file.stat() for file in inside or [path]]
        game, _, rest = path.stem.partition(".")
        objective, current, _ = rest.rpartition(f".{code_fingerprint()}.")
        return cls(
            path,
            game,
            (objective if current else rest.rsplit(".", 2)[0]).replace("=", ":"),
            sum(stat.st_size for stat in stats),
            max(stat.st_atime for stat in stats),
            bool(current),
            path / WANTED in inside,
        )

    def delete(self) -> None:
        """Delete the file or the folder of the entry."""
        if self.path.suffix in (LAYERS, JOBS):
            delete_folder(self.path)
        else:
            self.path.unlink(missing_ok=True)


def delete_folder(folder: Path) -> None:
    """Delete a folder of layers or of job results.

    Raises
    ------
    OSError
        If a file cannot be deleted, or if the folder contains files of other programs. Those files
        stay.
    """
    for path in folder.iterdir():
        if _is_part(path):
            path.unlink(missing_ok=True)
    folder.rmdir()


def _is_part(path: Path) -> bool:
    """Return whether a path is a file that rollwise wrote to a folder of layers or job results."""
    return bool(_PART_NAME[path.parent.suffix].fullmatch(path.name)) or is_draft(path.name)


def _is_own(path: Path) -> bool:
    """Return whether a path is an entry that rollwise wrote."""
    if not ENTRY_NAME.fullmatch(path.name) or path.is_symlink():
        return False
    if path.suffix == TABLE:
        return is_table(path)
    return path.is_dir() and all(map(_is_part, path.iterdir()))


def entries() -> list[CacheEntry]:
    """Return the entries of the cache, most recently used first."""
    return sorted(_entries(), key=lambda entry: -entry.used)


def _entries() -> Iterator[CacheEntry]:
    for ending in (TABLE, LAYERS, JOBS):
        for path in cache_folder().glob(f"[!.]*{ending}"):
            with suppress(OSError):  # another process might just have deleted it
                if _is_own(path):
                    yield CacheEntry.of(path)


def limit() -> float:
    """Return the limit of the cache in gigabytes.

    This is the environment variable ``ROLLWISE_CACHE_LIMIT`` if it is set, otherwise ``LIMIT``.

    Raises
    ------
    MalformedError
        If the variable is negative or is not a number.
    """
    text = os.environ.get("ROLLWISE_CACHE_LIMIT", str(LIMIT))
    try:
        gigabytes = float(text)
    except ValueError:
        gigabytes = -1.0
    if not gigabytes >= 0:
        raise MalformedError(
            f"ROLLWISE_CACHE_LIMIT is {quoted(text)}; set it to a number of gigabytes, such as 5"
        )
    return gigabytes


def evict(gigabytes: float | None = None, spared: Path | None = None) -> list[CacheEntry]:
    """Delete drafts of killed processes, outdated entries, and entries beyond the limit.

    Parameters
    ----------
    gigabytes : float, optional
        The limit of the cache; default: :func:`limit`.
    spared : Path, optional
        The path of an entry that is not deleted.

    Returns
    -------
    list of CacheEntry
        The deleted entries.
    """
    most = 1e9 * (limit() if gigabytes is None else gigabytes)
    delete_drafts(cache_folder())
    candidates = sorted(_entries(), key=lambda entry: (entry.current, entry.used))
    total = sum(entry.size for entry in candidates if not entry.wanted)
    deleted = list[CacheEntry]()
    for entry in candidates:
        outdated = not entry.current and entry.used < time.time() - OUTDATED
        if not (outdated or (total > most and not entry.wanted)):
            continue
        if entry.path == spared or in_use(entry.path) or _deletion_error(entry):
            continue
        deleted.append(entry)
        total -= 0 if entry.wanted else entry.size
    return deleted


def _deletion_error(entry: CacheEntry) -> OSError | None:
    """Delete an entry, and return the error if the deletion fails."""
    try:
        entry.delete()
    except OSError as error:
        return error
    return None


def clear() -> tuple[int, list[OSError]]:
    """Delete all entries, drafts of killed processes, and compiled code.

    Returns
    -------
    deleted : int
        The number of deleted entries.
    stayed : list of OSError
        One error for each item that could not be deleted.
    """
    present = entries()
    reasons = [_deletion_error(entry) for entry in present]
    stayed = [reason for reason in reasons if reason is not None]
    for draft in cache_folder().glob(".*"):
        try:
            if is_draft(draft.name):
                draft.unlink(missing_ok=True)
        except OSError as error:
            stayed.append(error)
    try:
        delete_compiled(compiled_folder())
    except OSError as error:
        stayed.append(error)
    return reasons.count(None), stayed
