"""Folders of the user, atomic file writes, and reads with a size limit."""

import errno
import os
import re
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

_DRAFT_NAME = re.compile(rf"\..+\.[0-9a-f]{{8}}{re.escape(DRAFT)}(-journal|-wal|-shm)?")
"""The name of a draft; the last group is for the files that SQLite adds to a database."""

_HASHES = r"\.[0-9a-f]{16}\.[0-9a-f]{16}"

ENTRY_NAME = re.compile(rf"[^.].*{_HASHES}(_\d+)*\.(safetensors|layers|jobs)")
"""The name of a cache entry: a game, a quantity, and the hashes of the code and of the rules."""

_COMPILED = "compiled"

_FINGERPRINT_NAME = re.compile(r"fingerprint\.[0-9a-f]{16}")

IS_WINDOWS = os.name == "nt"

TRIES, PAUSE = 50, 0.1
"""How often Windows is asked to replace a file that another process reads, and the pause between
two tries in seconds."""


def cache_folder() -> Path:
    """Return the folder of the cache.

    This is ``$ROLLWISE_CACHE``, or its subfolder ``rollwise`` if it contains files, but none of
    rollwise. Without the variable, it is the user's cache folder.
    """
    chosen = os.environ.get("ROLLWISE_CACHE")
    if not chosen:
        return platformdirs.user_cache_path("rollwise")
    folder = Path(chosen)
    return folder / "rollwise" if _belongs_to_others(folder) else folder


def _belongs_to_others(folder: Path) -> bool:
    """Return whether a folder contains files, but none of rollwise."""
    others = False
    try:
        with os.scandir(folder) as items:
            for item in items:
                if ENTRY_NAME.fullmatch(item.name) or _DRAFT_NAME.fullmatch(item.name):
                    return False
                if item.name == _COMPILED and is_compiled_folder(Path(item.path)):
                    return False
                others = True
    except OSError:  # a missing folder is created by the first write; errors are reported there
        return False
    return others


def compiled_folder() -> Path:
    """Return the folder of compiled code, in ``$NUMBA_CACHE_DIR`` or in the cache folder."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    return Path(chosen) / "rollwise" if chosen else cache_folder() / _COMPILED


def is_compiled_folder(folder: Path) -> bool:
    """Return whether rollwise has saved a fingerprint of its code in a folder."""
    try:
        return any(_FINGERPRINT_NAME.fullmatch(path.name) for path in folder.iterdir())
    except OSError:
        return False


def delete_compiled(folder: Path) -> None:
    """Delete fingerprints and compiled code in a folder, and the folder if nothing else remains.

    Raises
    ------
    OSError
        If a file cannot be deleted.
    """
    if folder.is_symlink() or not folder.is_dir():
        return
    for path in folder.iterdir():
        if _FINGERPRINT_NAME.fullmatch(path.name) or is_draft(path.name):
            path.unlink(missing_ok=True)
        elif re.fullmatch(r"[0-9a-f]{16}", path.name) and not path.is_symlink():
            for code in path.glob("*.nb[ic]*"):  # code, drafts, and indexes of old versions
                code.unlink(missing_ok=True)
            _remove_if_empty(path)
    _remove_if_empty(folder)


def _remove_if_empty(folder: Path) -> None:
    try:
        folder.rmdir()
    except OSError as error:
        if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
            raise


def database_url() -> str:
    """Return ``$ROLLWISE_DATABASE``, or the URL of the SQLite file in the user's data folder."""
    chosen = os.environ.get("ROLLWISE_DATABASE")
    return chosen or f"sqlite:///{platformdirs.user_data_path('rollwise') / 'history.sqlite'}"


def check_regular(path: Path) -> None:
    """Raise OSError unless a path leads to a regular file: other files might never end."""
    try:
        mode = path.stat().st_mode
    except ValueError:  # NUL, or half of a character
        reason = "not the name of a file, because of its characters"
        raise OSError(errno.EINVAL, reason, str(path)) from None
    if not stat.S_ISREG(mode):
        reason = "not a regular file; give a file, not a folder, pipe, or device"
        raise OSError(errno.EINVAL, reason, str(path))


def read_file(path: Path, most: int) -> bytes:
    """Return the content of a regular file of at most ``most`` bytes.

    Raises
    ------
    OSError
        If the file cannot be read, is not a regular file, or is larger than ``most`` bytes.
    """
    check_regular(path)
    with path.open("rb") as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise OSError(
            errno.EFBIG, f"the file is too large; it can have at most {most:,} bytes", str(path)
        )
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


def write_own(path: Path, *parts: bytes | memoryview, mode: int = 0o666) -> None:
    """Replace a file of rollwise, or a pipe in its place, as :func:`write_atomically` does.

    Parameters
    ----------
    mode : int
        The permissions of the file, before the umask.

    Raises
    ------
    OSError
        If the file cannot be written, or if the path is a symbolic link, which might lead to a file
        of another program.
    """
    if path.is_symlink():
        raise OSError(errno.ELOOP, f"{path.name} is a symbolic link; delete the link", str(path))
    try:
        _replace(path, parts, mode)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error


def new_draft(target: Path) -> Path:
    """Return a unique path in the folder of ``target`` for a draft that will replace it."""
    return target.with_name(f".{target.name}.{secrets.token_hex(4)}{DRAFT}")


def put_in_place(draft: Path, target: Path) -> None:
    """Rename a draft to its final name so that the rename survives a crash."""
    for tries_left in range(TRIES if IS_WINDOWS else 1)[::-1]:
        try:
            draft.replace(target)
            break
        except PermissionError:  # on Windows also while another process reads the target
            if not tries_left:
                raise
            time.sleep(PAUSE)
    if hasattr(os, "O_DIRECTORY"):  # elsewhere a folder cannot be synced
        folder = os.open(target.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def delete_drafts(folder: Path) -> None:
    """Delete the drafts that killed writers left in a folder."""
    for draft in folder.glob(f".*{DRAFT}*"):  # SQLite adds files with longer names to a draft
        with suppress(OSError):  # another process might delete the same drafts
            if is_draft(draft.name) and draft.lstat().st_mtime < time.time() - ABANDONED:
                draft.unlink()


def is_draft(name: str) -> bool:
    """Return whether a file name is one that :func:`new_draft` returns."""
    return _DRAFT_NAME.fullmatch(name) is not None


def note_use(path: Path) -> None:
    """Set the access time of a file to the current time, if the file system permits."""
    with suppress(OSError):
        os.utime(path, ns=(time.time_ns(), path.stat().st_mtime_ns))


def _resolved(path: Path) -> Path:
    try:
        return path.resolve()
    except RuntimeError:  # a cycle of links, before Python 3.13
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP)) from None


def _replace(target: Path, parts: tuple[bytes | memoryview, ...], mode: int = 0o666) -> None:
    draft = new_draft(target)
    try:
        with open(draft, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            file.writelines(parts)
            file.flush()
            os.fsync(file.fileno())
        put_in_place(draft, target)
    except BaseException:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        raise
