"""The cache: folders of results that can be computed again, their size limit, and their deletion.

Each version of the code has a folder of its own, named after the version and a hash of the source
files, and compiled code has another one. A file ``CACHEDIR.TAG`` marks these folders. Nothing
outside them is ever listed, changed, or deleted, and symbolic links are not followed, so the cache
can be inside a folder of another program.

An *entry* is a file or a folder in the folder of a version. When the cache is full, entries of
other versions are deleted first, then the least recently used entries. Entries of other versions
are also deleted after 30 days without use. Entries that the user asked to keep do not count toward
the limit, and they are not deleted when the cache is full.
"""

import errno
import hashlib
import os
import shutil
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import platformdirs

from rollwise.errors import MalformedError, did_you_mean, quoted
from rollwise.files import delete_drafts, is_draft, replace_file

PACKAGE = Path(__file__).parent

SHIPPED = PACKAGE / "tables"
"""The folder of solved tables in a wheel; a checkout does not have it."""

NUMERIC = ("rules", "model", "solving", "strategies", "evaluation", "two_player")
"""The packages whose code the cached results depend on."""

TAG = "CACHEDIR.TAG"
"""The file that marks a folder of the cache; backups leave out a folder with this file."""

SIGNATURE = (
    b"Signature: 8a477f597d28d172789f06886806bc55\n"
    b"# rollwise has created this folder, and can delete everything in it at any time.\n"
    b"# For information about cache folder tags, see https://bford.info/cachedir/\n"
)

WANTED = "wanted"
"""The name of the file that marks an entry as requested by the user."""

RULES_HASH = "@"
"""The sign between the name of a game and the hash of its rules."""

LIMIT = 5.0
"""The default limit of the cache, in gigabytes."""

OUTDATED = 30 * 86_400.0
"""The number of seconds after which an unused entry of another version is deleted."""


@cache
def code_hash(*folders: Path) -> str:
    """Return a hash of the source files of some folders; default: of the numeric packages.

    The presets do not count, because the name of each result contains a hash of its rules.
    """
    digest = hashlib.sha256()
    for folder in folders or [PACKAGE / name for name in NUMERIC]:
        for path in sorted([*folder.rglob("*.py"), *folder.glob("*.toml")]):
            content = path.read_bytes()
            digest.update(f"{path.relative_to(folder).as_posix()} {len(content)} ".encode())
            digest.update(content)
    return digest.hexdigest()[:16]


def cache_folder() -> Path:
    """Return ``$ROLLWISE_CACHE/rollwise``, or the user's cache folder without the variable."""
    chosen = os.environ.get("ROLLWISE_CACHE")
    return Path(chosen) / "rollwise" if chosen else platformdirs.user_cache_path("rollwise")


def current_folder() -> Path:
    """Return the folder for the results of this version of the code."""
    version = sys.modules["rollwise"].__version__  # no import, which would be circular
    return cache_folder() / f"{version}-{code_hash()}"


def compiled_folder() -> Path:
    """Return the folder of compiled code, in ``$NUMBA_CACHE_DIR`` or in the cache."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    return (Path(chosen) / "rollwise" if chosen else cache_folder()) / "kernels"


def is_own(folder: Path) -> bool:
    """Return whether a folder is marked as a folder of the cache."""
    try:
        return not folder.is_symlink() and (folder / TAG).read_bytes() == SIGNATURE
    except OSError:
        return False


def make_own(folder: Path) -> None:
    """Create a folder of the cache, and mark it, unless it exists.

    Raises
    ------
    OSError
        If the folder cannot be created, or contains files and is not marked.
    """
    if is_own(folder):
        return
    folder.mkdir(parents=True, exist_ok=True)
    foreign = folder.is_symlink() or not all(is_draft(path.name) for path in folder.iterdir())
    if not foreign:
        replace_file(folder / TAG, SIGNATURE)
    elif not is_own(folder):  # another process might just have marked it
        raise OSError(errno.ENOTEMPTY, "the folder contains files of others", str(folder))


def _own_folders(root: Path) -> list[Path]:
    try:
        return [path for path in root.iterdir() if is_own(path)]
    except OSError:
        return []


@dataclass(frozen=True)
class CacheEntry:
    """An entry of the cache: a file, or a folder with files.

    Attributes
    ----------
    path : Path
    game, rules_hash, objective : str
        The name of the game, the hash of its rules, and the name of the result, from the name of
        the file.
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
    rules_hash: str
    objective: str
    size: int
    used: float
    current: bool
    wanted: bool

    @classmethod
    def of(cls, path: Path) -> "CacheEntry":
        """Return the entry at a path; raise OSError if it cannot be read or no longer exists."""
        inside = list(path.iterdir()) if path.is_dir() else [path]
        stats = [file.lstat() for file in inside or [path]]
        names, _, rest = path.stem.partition(".")
        game, _, rules_hash = names.partition(RULES_HASH)
        return cls(
            path,
            game,
            rules_hash,
            rest.rpartition(".")[0].replace("=", ":"),
            sum(stat.st_size for stat in stats),
            max(stat.st_atime for stat in stats),
            path.parent == current_folder(),
            path / WANTED in inside,
        )

    @property
    def version(self) -> str:
        """The name of the game with the hash of its rules."""
        return self.game + f"{RULES_HASH}{self.rules_hash}" * bool(self.rules_hash)


def entries() -> list[CacheEntry]:
    """Return the entries of the cache, most recently used first."""
    found = []
    for folder in _own_folders(cache_folder()):
        for path in folder.iterdir() if folder != compiled_folder() else ():
            if path.name != TAG and not path.name.startswith(".") and not path.is_symlink():
                with suppress(OSError):  # another process might just have deleted it
                    found.append(CacheEntry.of(path))
    return sorted(found, key=lambda entry: -entry.used)


def note_use(path: Path) -> None:
    """Set the access time of a file to the current time, if the file system permits."""
    with suppress(OSError):
        os.utime(path, ns=(time.time_ns(), path.stat().st_mtime_ns))


def limit() -> float:
    """Return the limit of the cache in gigabytes: ``$ROLLWISE_CACHE_LIMIT``, or ``LIMIT``.

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
    for folder in _own_folders(cache_folder()):
        delete_drafts(folder)
    candidates = sorted(entries(), key=lambda entry: (entry.current, entry.used))
    total = sum(entry.size for entry in candidates if not entry.wanted)
    deleted = list[CacheEntry]()
    for entry in candidates:
        outdated = not entry.current and entry.used < time.time() - OUTDATED
        is_beyond = total > most and not entry.wanted
        if entry.path != spared and (outdated or is_beyond) and not _delete(entry.path):
            deleted.append(entry)
            total -= 0 if entry.wanted else entry.size
    return deleted


def clear() -> tuple[int, list[OSError]]:
    """Delete all folders of the cache, and compiled code.

    Returns
    -------
    deleted : int
        The number of deleted entries.
    stayed : list of OSError
        One error for each item that could not be deleted.
    """
    before, stayed = len(entries()), list[OSError]()
    for folder in {*_own_folders(cache_folder()), *_own_folders(compiled_folder().parent)}:
        errors = [
            error
            for path in folder.iterdir()
            if path.name != TAG and (error := _delete(path)) is not None
        ]
        # The tag goes last, so that an interrupted deletion can be repeated.
        stayed += errors or filter(None, [_delete(folder)])
    return before - len(entries()), stayed


def clear_game(name: str) -> tuple[list[CacheEntry], list[OSError]]:
    """Delete the entries of all games with a name, or of one ``NAME@HASH``.

    Returns
    -------
    deleted : list of CacheEntry
        The deleted entries.
    stayed : list of OSError
        One error for each entry that could not be deleted.

    Raises
    ------
    MalformedError
        If there is no such entry.
    """
    found = entries()
    chosen = [entry for entry in found if name in (entry.game, entry.version)]
    if not chosen:
        hint = did_you_mean(name, {entry.game: entry.game for entry in found})
        hint = hint or "Run 'rollwise cache' for a list."
        raise MalformedError(f"There are no saved value tables of {quoted(name)}. {hint}")
    errors = [(entry, _delete(entry.path)) for entry in chosen]
    deleted = [entry for entry, error in errors if error is None]
    return deleted, [error for _, error in errors if error]


def _delete(path: Path) -> OSError | None:
    """Delete a file, a link, or a folder with its files; return the error if this fails."""
    try:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
    except FileNotFoundError:  # another process deletes the same files
        return None
    except OSError as error:
        return error
    return None
