"""Where files are kept; files that are written whole or not at all."""

import os
import secrets
from pathlib import Path

import platformdirs

DRAFT = ".draft"
"""How the names of files in the making end; a killed writer leaves one."""


def cache_folder() -> Path:
    """Return the folder of the cache: ``$ROLLWISE_CACHE``, or the user's cache folder."""
    chosen = os.environ.get("ROLLWISE_CACHE")
    return Path(chosen) if chosen else platformdirs.user_cache_path("rollwise")


def compiled_folder() -> Path:
    """Return the folder of compiled code: ``$NUMBA_CACHE_DIR``, or one beside solved tables."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    return Path(chosen) / "rollwise" if chosen else cache_folder() / "compiled"


def write_atomically(path: Path, content: bytes) -> None:
    """Write ``content`` to ``path``; a reader, even after a crash, sees all of it or the old file.

    Folders are made as needed. A link stays a link; a device or a pipe is written to as it is.

    Raises
    ------
    OSError
        When the folder or the file cannot be written; it names ``path``.
    """
    try:
        target = path.resolve()
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.exists() and not target.is_file():
            target.write_bytes(content)
        else:
            _replace(target, content)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error


def _replace(target: Path, content: bytes) -> None:
    draft = target.with_name(f".{target.name}.{secrets.token_hex(4)}{DRAFT}")
    try:
        with draft.open("xb") as file:  # unlike a temporary file it is as readable as any
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(target)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
