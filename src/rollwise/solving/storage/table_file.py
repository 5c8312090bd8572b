"""Table files, each with a header, arrays, and a checksum of both.

A table can be renamed, except to the name of a cache entry: the name says what the table contains.
"""

import hashlib
import json
import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from rollwise.errors import InputError
from rollwise.files import ENTRY_NAME, check_regular, write_own

FAMILY = "rollwise table"
"""The beginning of the format of tables of all versions."""

FORMAT = f"{FAMILY} 2"

MAX_HEADER = 1 << 24
"""The largest header of a table in bytes."""


class TableError(InputError):
    """An error for a file that is not a table, or that has changed since it was written."""


def _checksum(header: Mapping[str, str], arrays: Mapping[str, NDArray[Any]]) -> str:
    digest = hashlib.sha256(json.dumps(header, sort_keys=True).encode())
    for name in sorted(arrays):
        digest.update(f"{name} {arrays[name].dtype.str} {arrays[name].shape}".encode())
        digest.update(arrays[name].tobytes())
    return digest.hexdigest()


def write_table(path: Path, header: Mapping[str, str], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write a table to a file atomically.

    Raises
    ------
    OSError
        If the file cannot be written, or if the path is a symbolic link.
    """
    from safetensors.numpy import save

    signed = {"format": FORMAT, "name": path.name, **header}
    signed["sha256"] = _checksum(signed, arrays)
    write_own(path, save(dict(arrays), signed))


def is_table(path: Path) -> bool:
    """Return whether a file is a table of any version of rollwise, by its header alone.

    A symbolic link is not a table. The time of the last access does not change, if the system
    permits.
    """
    try:
        if not stat.S_ISREG(path.lstat().st_mode):
            return False
        with open(path, "rb", opener=_open_unnoticed) as file:
            length = int.from_bytes(file.read(8), "little")
            header = json.loads(file.read(length)) if length <= MAX_HEADER else {}
        return str(header["__metadata__"]["format"]).startswith(FAMILY)
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return False


def _open_unnoticed(path: str, flags: int) -> int:
    """Open a file without a change of its access time; only its owner can, and only on Linux."""
    try:
        return os.open(path, flags | getattr(os, "O_NOATIME", 0))
    except PermissionError:
        return os.open(path, flags)


def read_table(path: Path) -> tuple[dict[str, str], dict[str, NDArray[Any]]]:
    """Return the header and the arrays of a table file.

    Raises
    ------
    TableError
        If the file is not a table, is truncated, or has changed since it was written, or if it has
        the name of a cache entry but was written under another name.
    """
    from safetensors import SafetensorError, safe_open

    check_regular(path)
    with path.open("rb"):
        pass  # raises an OSError with the file name if the file is missing, unlike safetensors
    try:
        with safe_open(path, framework="numpy") as table:
            header = dict(table.metadata() or {})
            arrays = {name: table.get_tensor(name) for name in table.keys()}  # noqa: SIM118
    # safetensors raises TypeError or AttributeError for unknown data types.
    except (SafetensorError, TypeError, AttributeError) as error:
        raise TableError(
            f"{path} is not a complete value table ({error}); delete the file and solve the "
            "game again"
        ) from error
    if header.get("format") != FORMAT:
        raise TableError(
            f"{path} has the format {header.get('format')!r:.60}, not {FORMAT!r}; solve the game "
            "again with this version of rollwise"
        )
    if header.pop("sha256", None) != _checksum(header, arrays):
        raise TableError(
            f"{path} is damaged, because its checksum does not match; delete the file and solve "
            "the "
            "game again"
        )
    if ENTRY_NAME.fullmatch(path.name) and header.get("name") != path.name:
        raise TableError(
            f"{path} was written as {header.get('name')}; delete the file and solve the game again"
        )
    return header, arrays
