"""How the functions of this folder are compiled, and where compiled code is kept.

A *kernel* is entered from Python; an *inlined* function is a part of the kernels that call it.
numba would optimise each function and make machine code of it before those that call it, which all
do so again: here LLVM sees a kernel once, with all that it calls.

Compiled code is saved under one key for all kernels of a folder, together with this folder, whose
functions they call: a change in any file makes another key. ``rollwise cache clear`` deletes what
was saved under old keys.

What is not public of numba: the classes of its cache, of its code libraries and of its compiler.
"""

import inspect
import logging
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from llvmlite.binding import create_pass_builder, create_pipeline_tuning_options
from numba import config, njit
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, Flags, compile_extra
from numba.core.registry import cpu_target
from numba.extending import intrinsic

from rollwise.files import compiled_folder
from rollwise.fingerprint import fingerprint

log = logging.getLogger("rollwise")
compiling = logging.getLogger("rollwise.compiling")

Function = TypeVar("Function", bound=Callable[..., Any])

# error_model numpy: no branch for division by zero. No _nrt: arrays are handed in, and numba counts
# no references. No fastmath: sums stay in program order. nogil: threads share the parts of a layer.
OPTIONS = {"error_model": "numpy", "_nrt": False}

UNROLLED = 6
"""Rounds of an inner loop, up to which there is a copy of it for each number: faces of a die."""


def compiled(function: Function) -> Function:
    """Return a kernel: ``function``, compiled when it is first called, or found on disk."""
    if config.DISABLE_JIT:
        return function
    kernel = njit(nogil=True, no_cfunc_wrapper=True, pipeline_class=_Compiler, **OPTIONS)(function)
    kernel._cache = _CompiledCache(function)
    return kernel


def unrolled(function: Function) -> Function:
    """Return ``function`` as a part of kernels, once for each small value of its last argument.

    That is how many rounds its inner loop makes: few and known, they are written out one after the
    other, and what two loops read is read once. It returns nothing.
    """
    return inlined(function, UNROLLED)


def inlined(function: Function, unrolled: int = 0) -> Function:
    """Return ``function`` as a part of all kernels that call it."""
    if config.DISABLE_JIT:
        return function

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
    """The code of an inlined function, with what it calls, as numba wrote it."""

    def add_llvm_module(self, ll_module: Any) -> None:
        self._final_module.link_in(ll_module)

    def finalize(self) -> None:
        for library in dict.fromkeys(self._linking_libraries):
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalized = True


class _KernelLibrary(_InlinedLibrary):
    """The code of a kernel."""

    def finalize(self) -> None:
        super().finalize()
        tuning = create_pipeline_tuning_options(speed_level=3)
        tuning.loop_vectorization = tuning.slp_vectorization = False  # kernels say what is a vector
        passes = create_pass_builder(self._codegen._tm, tuning)
        passes.getModulePassManager().run(self._final_module, passes)
        self._finalize_final_module()


class _Compiler(Compiler):
    """numba's compiler, told where to put the code."""

    def __init__(self, typing: Any, target: Any, library: Any, *rest: Any) -> None:
        library = _KernelLibrary(target.codegen(), "kernel")
        library.enable_object_caching()
        super().__init__(typing, target, library, *rest)


@cache
def _say_once(reason: str) -> None:
    log.warning("compiled code is not kept: %s", reason)


class _Locator(_CacheLocator):
    """Tells numba where compiled code is kept, and what has to stay as it is."""

    def __init__(self, folder: Path) -> None:
        self.key = fingerprint(*sorted({Path(__file__).parent, folder}))

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> "_Locator":
        return cls(Path(py_file).parent)

    def get_cache_path(self) -> str:
        return str(compiled_folder() / self.key)

    def get_source_stamp(self) -> str:
        return self.key

    def get_disambiguator(self) -> str:
        return ""  # no two functions of a file have the same name


class _CompiledCache(FunctionCache):
    """Compiled code on disk; done without where that cannot be read or written."""

    class _impl_class(CompileResultCacheImpl):  # noqa: N801 - numba looks for this name
        _locator_classes = (_Locator,)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            found = super().load_overload(sig, target_context)
        except Exception:  # damage shows itself in many ways
            found = None
            with suppress(OSError):
                self.flush()
        if found is None:
            compiling.info("a kernel is compiled, once")
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)
        except OSError as error:
            _say_once(str(error))
