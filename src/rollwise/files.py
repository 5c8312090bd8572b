"""Cache folders, atomic file writes, and reads with a size limit."""

import errno
import os
import secrets
import stat
import time
from contextlib import suppress
from pathlib import Path

import platformdirs

DRAFT = ".draft"
"""The suffix of a draft: an unfinished file, which remains if its writer is killed."""

ABANDONED = 3600.0
"""The number of seconds without a write after which a draft counts as abandoned."""


def cache_folder() -> Path:
    """Return the folder of the cache: ``$ROLLWISE_CACHE``, or the user's cache folder."""
    chosen = os.environ.get("ROLLWISE_CACHE")
    return Path(chosen) if chosen else platformdirs.user_cache_path("rollwise")


def compiled_folder() -> Path:
    """Return the folder of compiled code, in ``$NUMBA_CACHE_DIR`` or in the cache folder."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    return Path(chosen) / "rollwise" if chosen else cache_folder() / "compiled"


def read_file(path: Path, most: int) -> bytes:
    """Return the content of a regular file of at most ``most`` bytes.

    Raises
    ------
    OSError
        If the file cannot be read, is not a regular file, or is larger than ``most`` bytes.
    """
    if not stat.S_ISREG(path.stat().st_mode):
        raise OSError(errno.EINVAL, "expected a file, no folder, pipe or device", str(path))
    with path.open("rb") as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise OSError(errno.EFBIG, f"larger than {most} bytes", str(path))
    return content


def write_atomically(path: Path, *parts: bytes | memoryview) -> None:
    """Replace the content of ``path`` with ``parts``; a crash leaves the old or the new content.

    The content is on disk when the function returns. The folder must exist. A symbolic link stays a
    symbolic link. The content of a device or a pipe is written directly.

    Raises
    ------
    OSError
        If the folder or the file cannot be written. The error names ``path``.
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
    """Return a unique path in the folder of ``target`` for a draft that will replace it."""
    return target.with_name(f".{target.name}.{secrets.token_hex(4)}{DRAFT}")


def put_in_place(draft: Path, target: Path) -> None:
    """Rename a draft to its final name so that the rename survives a crash."""
    draft.replace(target)
    if hasattr(
        os, "O_DIRECTORY"
    ):  # not on every platform; a rename is on disk only after the folder is synced
        folder = os.open(target.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def delete_drafts(folder: Path) -> None:
    """Delete the drafts that killed writers left in a folder."""
    for draft in folder.glob(f".*{DRAFT}*"):  # SQLite adds files with longer names to a draft
        with suppress(OSError):  # another process may delete the same drafts
            if draft.stat().st_mtime < time.time() - ABANDONED:
                draft.unlink()


def note_use(path: Path) -> None:
    """Set the access time of a file to the current time, if the file system permits."""
    with suppress(OSError):
        os.utime(path, ns=(time.time_ns(), path.stat().st_mtime_ns))


def _resolved(path: Path) -> Path:
    try:
        return path.resolve()
    except RuntimeError:  # a cycle of links, before Python 3.13
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP)) from None


def _replace(target: Path, parts: tuple[bytes | memoryview, ...]) -> None:
    draft = new_draft(target)
    try:
        with draft.open("xb") as file:  # unlike a temporary file, it has normal permissions
            file.writelines(parts)
            file.flush()
            os.fsync(file.fileno())
        put_in_place(draft, target)
    except BaseException:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        raise
