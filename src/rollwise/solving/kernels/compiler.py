"""How the functions of this folder are compiled, and where compiled code is kept.

A kernel has those it calls inlined, from other files too, so that all code is kept under one key:
a change in any file of the folder makes another one. What is kept under old keys goes with
``rollwise cache clear``.
"""

import hashlib
import logging
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from numba import config, njit
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator

from rollwise.files import compiled_folder

log = logging.getLogger("rollwise")


def key_of(folder: Path) -> str:
    """Return a short hash of all files of a folder of kernels."""
    digest = hashlib.sha256()
    for path in sorted(folder.glob("*.py")):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:16]


@cache
def _say_once(reason: str) -> None:
    log.warning("compiled code is not kept: %s", reason)


class _Locator(_CacheLocator):
    """Tells numba where compiled code is kept, and what has to stay as it is."""

    key = key_of(Path(__file__).parent)

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> "_Locator":
        return cls()

    def get_cache_path(self) -> str:
        return str(compiled_folder() / self.key)

    def get_source_stamp(self) -> str:
        return self.key

    def get_disambiguator(self) -> str:
        return ""  # no two functions of a file have the same name


class _Kept(FunctionCache):
    """Compiled code on disk; done without where that cannot be read or written."""

    class _impl_class(CompileResultCacheImpl):  # noqa: N801 - numba looks for this name
        _locator_classes = (_Locator,)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # damage shows itself in many ways
            with suppress(OSError):
                self.flush()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)
        except OSError as error:
            _say_once(str(error))


def compiled(function: Callable[..., Any]) -> Any:
    """Return a kernel: ``function``, compiled when it is first called.

    nogil: layers are cut into chunks for threads. error_model numpy: no branch for division by
    zero. No fastmath: sums stay in program order.
    """
    kernel = njit(nogil=True, error_model="numpy")(function)
    if not config.DISABLE_JIT:
        kernel._cache = _Kept(function)
    return kernel
