"""Tables on disk: arrays with a header and one checksum over both."""

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
    """A file that is no table, or was altered."""


def _checksum(header: Mapping[str, str], arrays: Mapping[str, NDArray[Any]]) -> str:
    digest = hashlib.sha256(json.dumps(header, sort_keys=True).encode())
    for name in sorted(arrays):
        digest.update(f"{name} {arrays[name].dtype.str} {arrays[name].shape}".encode())
        digest.update(arrays[name].tobytes())
    return digest.hexdigest()


def write_table(path: Path, header: Mapping[str, str], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write a table to a file, completely or not at all."""
    from safetensors.numpy import save

    signed = {"format": FORMAT, **header}
    signed["sha256"] = _checksum(signed, arrays)
    write_atomically(path, save(dict(arrays), signed))


def read_table(path: Path) -> tuple[dict[str, str], dict[str, NDArray[Any]]]:
    """Return the header and the arrays that :func:`write_table` wrote.

    Raises
    ------
    TableError
        When the file is no table, is truncated, or was altered.
    """
    from safetensors import SafetensorError, safe_open

    with path.open("rb"):
        pass  # a missing file is an OSError with its name, not one of safetensors' own
    try:
        with safe_open(path, framework="numpy") as table:
            header = dict(table.metadata() or {})
            arrays = {name: table.get_tensor(name) for name in table.keys()}  # noqa: SIM118
    except (SafetensorError, TypeError, AttributeError) as error:  # the latter: odd data types
        raise TableError(f"{path}: not a whole table: {error}") from error
    if header.get("format") != FORMAT:
        raise TableError(f"{path}: expected a {FORMAT!r}, got {header.get('format')!r:.60}")
    if header.pop("sha256", None) != _checksum(header, arrays):
        raise TableError(f"{path}: not what was written")
    return header, arrays
