"""Where files are kept; files that are written whole or not at all."""

import errno
import os
import secrets
import stat
import time
from contextlib import suppress
from pathlib import Path

import platformdirs

DRAFT = ".draft"
"""How the names of files in the making end; a killed writer leaves one."""

ABANDONED = 3600.0
"""Seconds after which a draft that nobody writes to is one that a killed writer left."""


def cache_folder() -> Path:
    """Return the folder of the cache: ``$ROLLWISE_CACHE``, or the user's cache folder."""
    chosen = os.environ.get("ROLLWISE_CACHE")
    return Path(chosen) if chosen else platformdirs.user_cache_path("rollwise")


def compiled_folder() -> Path:
    """Return the folder of compiled code: ``$NUMBA_CACHE_DIR``, or one beside solved tables."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    return Path(chosen) / "rollwise" if chosen else cache_folder() / "compiled"


def read_file(path: Path, most: int) -> bytes:
    """Return what a file holds, one that ends: no pipe, and no device.

    Raises
    ------
    OSError
        When it cannot be read, is no file, or holds more than ``most`` bytes.
    """
    if not stat.S_ISREG(path.stat().st_mode):
        raise OSError(errno.EINVAL, "expected a file, no folder, pipe or device", str(path))
    with path.open("rb") as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise OSError(errno.EFBIG, f"larger than {most} bytes", str(path))
    return content


def write_atomically(path: Path, *parts: bytes | memoryview) -> None:
    """Write ``parts`` to ``path``; a reader, even after a crash, sees all of them or the old file.

    On return they are on disk. The folder has to be there. A link stays a link; a device or a pipe
    is written to as it is.

    Raises
    ------
    OSError
        When the folder or the file cannot be written; it names ``path``.
    """
    try:
        target = _resolved(path)
        if target.exists() and not target.is_file():
            with target.open("wb") as file:
                file.writelines(parts)
        else:
            _replace(target, parts)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error


def new_draft(target: Path) -> Path:
    """Return a name beside ``target`` for what will replace it; no two writers have the same."""
    return target.with_name(f".{target.name}.{secrets.token_hex(4)}{DRAFT}")


def put_in_place(draft: Path, target: Path) -> None:
    """Give a draft that is on disk its name, for good.

    Raises
    ------
    OSError
        When that cannot be done.
    """
    draft.replace(target)
    if hasattr(os, "O_DIRECTORY"):  # not on every platform; a name is on disk once its folder is
        folder = os.open(target.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def sweep_drafts(folder: Path) -> None:
    """Delete what killed writers left of files in a folder."""
    for draft in folder.glob(f".*{DRAFT}*"):  # SQLite puts files of its own beside one
        with suppress(OSError):  # another process may be sweeping
            if draft.stat().st_mtime < time.time() - ABANDONED:
                draft.unlink()


def note_use(path: Path) -> None:
    """Note that a file was read just now; where that cannot be written it is done without."""
    with suppress(OSError):
        os.utime(path, ns=(time.time_ns(), path.stat().st_mtime_ns))


def _resolved(path: Path) -> Path:
    try:
        return path.resolve()
    except RuntimeError:  # links that go round in a circle, before Python 3.13
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP)) from None


def _replace(target: Path, parts: tuple[bytes | memoryview, ...]) -> None:
    draft = new_draft(target)
    try:
        with draft.open("xb") as file:  # unlike a temporary file it is as readable as any
            file.writelines(parts)
            file.flush()
            os.fsync(file.fileno())
        put_in_place(draft, target)
    except BaseException:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        raise
