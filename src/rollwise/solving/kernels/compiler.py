"""The just-in-time compiler of kernels (Numba), and the cache of compiled code.

Python calls *kernels*. An *inlined* function becomes part of the kernels that call it. By default,
Numba optimizes each function separately, and again for each of its callers. With this module, LLVM
optimizes each kernel once, together with all functions that it calls.

All kernels of a folder are cached under one key. The key depends on all files of their folder and
of this folder, because kernels inline functions of this folder. ``rollwise cache clear`` deletes
code under old keys.

This module uses private classes of Numba: its cache, its code library, and its compiler.
"""

import hashlib
import inspect
import logging
import os
import pickle
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numba
from llvmlite.binding import create_pass_builder, create_pipeline_tuning_options
from numba import njit
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, Flags, compile_extra
from numba.core.registry import cpu_target
from numba.core.serialize import dumps
from numba.extending import intrinsic

from rollwise.cache_folder import code_hash, compiled_folder, make_own
from rollwise.files import replace_file

log = logging.getLogger("rollwise")
compiling = logging.getLogger("rollwise.compiling")

Function = TypeVar("Function", bound=Callable[..., Any])

# error_model "numpy" avoids a branch at each division. Without _nrt, Numba counts no references,
# because kernels allocate no arrays. Without fastmath, sums have a fixed order. With nogil, several
# threads compute parts of a layer.
OPTIONS = {"error_model": "numpy", "_nrt": False}

SUM = hashlib.sha256().digest_size

UNROLLED = 6
"""The highest trip count for which an inner loop is unrolled: six, as a die has six faces."""


def compiled(function: Function) -> Function:
    """Return ``function`` as a kernel, compiled or loaded from the cache on its first call."""
    kernel = njit(nogil=True, no_cfunc_wrapper=True, pipeline_class=_Compiler, **OPTIONS)(function)
    kernel._cache = _CompiledCache(function)
    return kernel


def unrolled(function: Function) -> Function:
    """Return ``function`` as an inlined function with unrolled inner loops.

    The last argument of the function must be the trip count of its inner loops. Each trip count up
    to ``UNROLLED`` gets a copy of the function in which the count is constant. LLVM can then merge
    the reads of two loops. The function must return None.
    """
    return inlined(function, UNROLLED)


def inlined(function: Function, unrolled: int = 0) -> Function:
    """Return ``function`` inlined into its callers, with up to ``unrolled`` unrolled trips."""

    def definition(typing: Any, *types: Any) -> tuple[Any, Callable[..., Any]]:
        target = cpu_target.target_context
        flags = Flags()
        flags.error_model, flags.nrt = OPTIONS["error_model"], OPTIONS["_nrt"]
        flags.forceinline = True
        flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        library = _InlinedLibrary(target.codegen(), function.__name__)
        part = compile_extra(typing, target, function, types, None, flags, {}, library)

        def call(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            context.active_code_library.add_linking_library(library)
            return context.call_internal(builder, part.fndesc, signature, arguments)

        def call_for_each(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            *rest, rounds = arguments
            general, end = (builder.append_basic_block(name) for name in ("general", "end"))
            choice = builder.switch(rounds, general)
            for number in range(1, unrolled + 1):
                choice.add_case(number, builder.append_basic_block(f"rounds{number}"))
            for value, block in [*choice.cases, (rounds, general)]:
                builder.position_at_end(block)
                call(context, builder, signature, [*rest, value])
                builder.branch(end)
            builder.position_at_end(end)
            return context.get_dummy_value()

        return part.signature, call_for_each if unrolled else call

    names = ["typing", *inspect.signature(function).parameters]
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    definition.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [inspect.Parameter(name, kind) for name in names]
    )
    return intrinsic(definition)


class _InlinedLibrary(JITCodeLibrary):
    """The unoptimized code of an inlined function and of the functions that it calls."""

    def add_llvm_module(self, ll_module: Any) -> None:
        self._final_module.link_in(ll_module)

    def finalize(self) -> None:
        for library in dict.fromkeys(self._linking_libraries):
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalized = True


class _KernelLibrary(_InlinedLibrary):
    """The optimized code of a kernel."""

    def finalize(self) -> None:
        super().finalize()
        tuning = create_pipeline_tuning_options(speed_level=3)
        tuning.loop_vectorization = tuning.slp_vectorization = False  # vectors are explicit
        passes = create_pass_builder(self._codegen._tm, tuning)
        passes.getModulePassManager().run(self._final_module, passes)
        self._finalize_final_module()


class _Compiler(Compiler):
    """The Numba compiler, which uses the code library for kernels."""

    def __init__(self, typing: Any, target: Any, library: Any, *rest: Any) -> None:
        library = _KernelLibrary(target.codegen(), "kernel")
        library.enable_object_caching()
        super().__init__(typing, target, library, *rest)


@cache
def _warn_once(reason: str) -> None:
    log.warning(
        "cannot save compiled code: %s; set %s to a folder that you can write to",
        reason,
        "NUMBA_CACHE_DIR" if os.environ.get("NUMBA_CACHE_DIR") else "ROLLWISE_CACHE",
    )


class _Locator(_CacheLocator):
    """The cache folder of compiled code, and the key of its source."""

    def __init__(self, folder: Path) -> None:
        self.key = code_hash(*sorted({Path(__file__).parent, folder}))
        self._path = compiled_folder() / self.key

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> "_Locator":
        return cls(Path(py_file).parent)

    def ensure_cache_path(self) -> None:
        make_own(self._path.parent)
        super().ensure_cache_path()

    def get_cache_path(self) -> str:
        return str(self._path)

    def get_source_stamp(self) -> str:
        return self.key

    def get_disambiguator(self) -> str:
        return ""  # no two functions of a file have the same name


class _CodeFiles:
    """The compiled code of a kernel: one file for each signature, with a checksum.

    Damaged code could crash the process, so it is compiled again. The checksum covers the name of
    the file, which contains a hash of the signature.
    """

    def __init__(self, folder: Path, kernel: str) -> None:
        self._folder, self._kernel = folder, kernel

    def load(self, key: Any) -> Any:
        path = self._path(key)
        try:
            content = path.read_bytes()
        except OSError:
            return None
        checksum, code = content[:SUM], content[SUM:]
        if checksum != _checksum(path, code):
            log.warning("%s is damaged; compiling it again", path)
            return None
        return pickle.loads(code)

    def save(self, key: Any, data: Any) -> None:
        path, code = self._path(key), dumps(data)
        replace_file(path, _checksum(path, code), code)

    def _path(self, key: Any) -> Path:
        digest = hashlib.sha256(repr((numba.__version__, key)).encode()).hexdigest()[:16]
        return self._folder / f"{self._kernel}.{digest}.nbc"


def _checksum(path: Path, code: bytes) -> bytes:
    return hashlib.sha256(path.name.encode() + code).digest()


class _CompiledCache(FunctionCache):
    """The cache of compiled code; kernels run even if it cannot be read or written."""

    class _impl_class(CompileResultCacheImpl):  # noqa: N801 - numba looks for this name
        _locator_classes = (_Locator,)

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._cache_file = _CodeFiles(Path(self.cache_path), self._impl.filename_base)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            code = super().load_overload(sig, target_context)
        except Exception:  # written with another version of a library
            code = None
        if code is None:
            compiling.info("compiling a kernel; this happens only once")
        return code

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)
        except OSError as error:
            _warn_once(str(error.strerror))
