"""Atomic file writes, and reads with a size limit."""

import errno
import os
import re
import secrets
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

import platformdirs

from rollwise.errors import InputError, MalformedError

DRAFT = ".draft"
"""The suffix of a draft: an unfinished file, which remains if its writer is killed."""

ABANDONED = 3600.0
"""The number of seconds without a write after which a draft counts as abandoned."""

_DRAFT_NAME = re.compile(rf"\..+\.[0-9a-f]{{8}}{re.escape(DRAFT)}")

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")

IS_WINDOWS = os.name == "nt"

TRIES, PAUSE = 50, 0.1
"""How often Windows is asked to replace a file that another process reads, and the pause between
two tries in seconds."""


def history_file(given: str | Path | None = None) -> Path:
    """Return the file of the history: ``given``, ``$ROLLWISE_DATABASE``, or the default file.

    A file can also have the form ``sqlite:///PATH``.

    Raise InputError if another kind of address is given.
    """
    address = str(given or os.environ.get("ROLLWISE_DATABASE") or "")
    if not address:
        return platformdirs.user_data_path("rollwise") / "history.sqlite"
    path = address.removeprefix("sqlite:///")
    if scheme := _SCHEME.match(path):
        raise InputError(
            f"the history is an SQLite file, not a {scheme[1]} database; give the path of a file "
            "in --database or ROLLWISE_DATABASE"
        )
    return Path(path)


def check_folder(path: Path | None) -> None:
    """Check before a long computation that an output file can be written.

    Raise MalformedError if the folder of the file does not exist, or if the path is a folder.
    """
    if path is None:
        return
    if not path.resolve().parent.is_dir():
        raise MalformedError(
            f"The folder of {path} does not exist. Create it first, or choose another path."
        )
    if path.is_dir():
        raise MalformedError(f"{path} is a folder. Give the path of a file.")


def check_output(path: Path | None, otherwise: str = "add --force", *, force: bool = False) -> None:
    """Check that an output file is new or, with ``force``, only that it can be written.

    This is for files that no computation can restore. ``otherwise`` is the alternative to another
    name.
    """
    check_folder(path)
    if path is not None and path.is_file() and not force:
        raise InputError(f"{path} already exists. Choose another name, or {otherwise}.")


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

    Raise OSError if the file cannot be read, is not a regular file, or is larger than ``most``
    bytes.
    """
    check_regular(path)
    with path.open("rb") as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise OSError(
            errno.EFBIG, f"the file is too large; it can have at most {most:,} bytes", str(path)
        )
    return content


def read_input(path: Path, most: int) -> bytes:
    """Return the content of a file, or of standard input if the path is ``-``.

    Raise MalformedError if standard input is larger than ``most`` bytes; for a file, see
    :func:`read_file`.
    """
    if str(path) != "-":
        return read_file(path, most)
    content = sys.stdin.buffer.read(most + 1)
    if len(content) > most:
        raise MalformedError(f"Standard input is too large; it can have at most {most:,} bytes.")
    return content


def write_atomically(path: Path, *parts: bytes | memoryview) -> None:
    """Replace the content of ``path`` with ``parts``; a crash leaves the old or the new content.

    The content is on disk when the function returns. The folder must exist. A symbolic link stays a
    symbolic link. The content of a device or a pipe is written directly.

    Raise OSError if the folder or the file cannot be written. The error names ``path``.
    """
    try:
        target = _resolved(path)
        if target.exists() and not target.is_file():
            with target.open("wb") as file:
                file.writelines(parts)
        else:
            replace_file(target, *parts)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error


def replace_file(path: Path, *parts: bytes | memoryview, mode: int = 0o666) -> None:
    """Replace a file of rollwise by a new file; ``mode`` is its permissions before the umask.

    A symbolic link, which might lead to a file of another program, is replaced and not followed.
    """
    with replacing(path, mode) as file:
        file.writelines(parts)


@contextmanager
def replacing(path: Path, mode: int = 0o666) -> Iterator[BinaryIO]:
    """Open a draft that replaces ``path`` at the end of the block, as in :func:`replace_file`.

    The content is on disk at the end of the block. An error in the block deletes the draft.
    """
    draft = new_draft(path)
    try:
        with open(draft, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        put_in_place(draft, path)
    except BaseException:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        raise


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
    for draft in folder.glob(f".*{DRAFT}"):
        with suppress(OSError):  # another process might delete the same drafts
            if is_draft(draft.name) and draft.lstat().st_mtime < time.time() - ABANDONED:
                draft.unlink()


def is_draft(name: str) -> bool:
    """Return whether a file name is one that :func:`new_draft` returns."""
    return _DRAFT_NAME.fullmatch(name) is not None


def _resolved(path: Path) -> Path:
    try:
        return path.resolve()
    except RuntimeError:  # a cycle of links, before Python 3.13
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP)) from None
