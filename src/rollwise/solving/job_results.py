"""Results of jobs on disk until all of them are there: whoever lost its workers goes on from them.

They stand in a folder that is named after a hash of the work: of what is called with what, and of
all code of the package. Work that hangs on code from elsewhere has no such name and is not kept. A
file is a checksum of a result with its place, and the result as Python pickles it.
"""

import hashlib
import io
import logging
import pickle
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from rollwise.files import cache_folder, write_atomically
from rollwise.fingerprint import PACKAGE, fingerprint
from rollwise.solving.cache_contents import make_room
from rollwise.solving.cache_names import JOBS, code

log = logging.getLogger("rollwise")

KNOWN = {"rollwise", "numpy", *sys.stdlib_module_names}
"""Where code may come from: the package is part of the name, the others do not change results."""

SUM = hashlib.sha256().digest_size


class JobResults:
    """Results of jobs, by number.

    Parameters
    ----------
    work : callable
    jobs : list of tuple
        What it is called with.

    Attributes
    ----------
    folder : Path or None
        None where they cannot be kept.
    """

    def __init__(self, work: Callable[..., Any], jobs: list[tuple[Any, ...]]) -> None:
        self.folder: Path | None = None
        told = io.BytesIO()
        try:
            _Telling(told).dump((work, jobs))
        except (pickle.PicklingError, TypeError, AttributeError, RecursionError):
            return
        digest = hashlib.sha256(fingerprint(PACKAGE).encode() + told.getvalue()).hexdigest()[:16]
        name = f"unfinished.{work.__name__.replace('_', '-')}.{code()}.{digest}{JOBS}"
        self.folder = cache_folder() / name

    @property
    def fate(self) -> str:
        """What becomes of them if not all are there, in words."""
        if self.folder is None or not self.folder.exists():
            return "nothing is kept"
        return "what is done is kept, and the same again goes on from there"

    def read(self) -> dict[int, Any]:
        """Return all that are kept and whole, by the numbers of their jobs."""
        found = {}
        for path in sorted(self.folder.glob("[0-9]*")) if self.folder else []:
            try:
                content = path.read_bytes()
            except OSError:  # another process has them all, and needs none of them any more
                continue
            if content[:SUM] == self._sum(path, content[SUM:]):
                found[int(path.name)] = pickle.loads(content[SUM:])
            else:
                log.warning("%s is not what was written, computing it again", path)
        return found

    def write(self, number: int, result: Any) -> None:
        """Keep a result; where that cannot be done it is said and done without."""
        if self.folder is None:
            return
        path, content = self.folder / f"{number:06}", pickle.dumps(result)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            write_atomically(path, self._sum(path, content), content)
        except OSError as error:
            log.warning("a finished job could not be kept: %s", error)
            return
        make_room(spared=self.folder)

    def drop(self) -> None:
        """Delete all, when nothing is missing any more."""
        if self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)

    def _sum(self, path: Path, content: bytes) -> bytes:
        return hashlib.sha256(f"{path.parent.name}/{path.name}".encode() + content).digest()


class _Telling(pickle.Pickler):
    """Tells work in the same bytes in every process, and refuses what the bytes do not tell."""

    def reducer_override(self, told: Any) -> Any:
        module = getattr(told, "__module__", None) or "builtins"
        if isinstance(told, type) or callable(told):
            if module.partition(".")[0] not in KNOWN:
                raise pickle.PicklingError(f"code of {module}")
        elif isinstance(told, BaseModel):  # its own pickle has sets, which have no order
            return type(told), (told.model_dump_json(),)
        return NotImplemented
