"""Table files: arrays with a header, and a checksum of both."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from rollwise.errors import InputError
from rollwise.files import write_atomically

FORMAT = "rollwise table 2"


class TableError(InputError):
    """An error for a file that is not a table, or that has changed since it was written."""


def _checksum(header: Mapping[str, str], arrays: Mapping[str, NDArray[Any]]) -> str:
    digest = hashlib.sha256(json.dumps(header, sort_keys=True).encode())
    for name in sorted(arrays):
        digest.update(f"{name} {arrays[name].dtype.str} {arrays[name].shape}".encode())
        digest.update(arrays[name].tobytes())
    return digest.hexdigest()


def write_table(path: Path, header: Mapping[str, str], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write a table to a file atomically."""
    from safetensors.numpy import save

    signed = {"format": FORMAT, **header}
    signed["sha256"] = _checksum(signed, arrays)
    write_atomically(path, save(dict(arrays), signed))


def read_table(path: Path) -> tuple[dict[str, str], dict[str, NDArray[Any]]]:
    """Return the header and the arrays of a table file.

    Raises
    ------
    TableError
        If the file is not a table, is truncated, or has changed.
    """
    from safetensors import SafetensorError, safe_open

    with path.open("rb"):
        pass  # raises an OSError with the file name if the file is missing, unlike safetensors
    try:
        with safe_open(path, framework="numpy") as table:
            header = dict(table.metadata() or {})
            arrays = {name: table.get_tensor(name) for name in table.keys()}  # noqa: SIM118
    # safetensors raises TypeError or AttributeError for unknown data types.
    except (SafetensorError, TypeError, AttributeError) as error:
        raise TableError(f"{path}: not a whole table: {error}") from error
    if header.get("format") != FORMAT:
        raise TableError(f"{path}: expected a {FORMAT!r}, got {header.get('format')!r:.60}")
    if header.pop("sha256", None) != _checksum(header, arrays):
        raise TableError(f"{path}: not what was written")
    return header, arrays
