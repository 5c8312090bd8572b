"""Table files: NumPy's ``.npz`` format, with a header as JSON text in the array ``header``.

The zip file has a checksum of each array, which is compared before the array is parsed.
"""

import json
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZIP_STORED, ZipFile

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import InputError
from rollwise.files import check_regular, replacing

HEADER = "header"

Arrays = dict[str, NDArray[Any]]


class TableError(InputError):
    """An error for a file that is not a table, or that has changed since it was written."""


def write_table(path: Path, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write a table atomically; raise OSError if the file cannot be written."""
    with replacing(path) as file:
        np.savez(file, **{HEADER: np.array(json.dumps(header)), **arrays})  # type: ignore[arg-type]


def read_table(path: Path) -> tuple[dict[str, Any], Arrays]:
    """Return the header and the arrays of a table file.

    Raises
    ------
    TableError
        If the file is not a table, is truncated, or has changed since it was written.
    OSError
        If the file cannot be read.
    """
    check_regular(path)
    with path.open("rb") as file:
        try:
            with ZipFile(file) as table:
                if any(member.compress_type != ZIP_STORED for member in table.infolist()):
                    raise ValueError("compressed")
                arrays = {
                    name.removesuffix(".npy"): _parsed(table.read(name))
                    for name in table.namelist()
                }
            header = json.loads(str(arrays.pop(HEADER)))
            if not isinstance(header, dict):
                raise ValueError("no header")
        except Exception as error:  # a damaged zip file fails in a dozen ways
            raise TableError(
                f"{path} is damaged or is not a value table ({error}); delete the file and solve "
                "the game again"
            ) from error
    return header, arrays


def _parsed(content: bytes) -> NDArray[Any]:
    """Return the array of a ``.npy`` file; in contrast to views of the content, it is writable."""
    file = BytesIO(content)
    np.lib.format.read_magic(file)
    shape, fortran_order, dtype = np.lib.format.read_array_header_1_0(file)
    values = np.frombuffer(content, dtype, offset=file.tell())
    return values.reshape(shape, order="F" if fortran_order else "C").copy()
