"""Lazy imports, so that printing help imports neither NumPy nor the compiler.

The imports behave like ``lazy from package import module`` in PEP 810.
"""

import builtins
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType
from typing import Any


@contextmanager
def lazy_imports() -> Iterator[None]:
    """Delay the imports in the body until an attribute of the imported module is first used.

    The body consists of ``from package import module`` statements in a module of this package.
    """
    import_now = builtins.__import__

    def import_later(
        name: str,
        globals: Mapping[str, Any] | None = None,
        locals: Mapping[str, Any] | None = None,
        fromlist: Sequence[str] | None = None,
        level: int = 0,
    ) -> ModuleType:
        """Return a package of lazy modules; if called outside this package, import as usual."""
        if not str((globals or {}).get("__name__")).startswith(__package__ or ""):
            return import_now(name, globals, locals, fromlist or (), level)  # from another thread
        package = ModuleType(name)
        for module in fromlist or ():
            setattr(package, module, _LazyModule(f"{name}.{module}"))
        return package

    builtins.__import__ = import_later
    try:
        yield
    finally:
        builtins.__import__ = import_now


class _LazyModule(ModuleType):
    """A placeholder that imports its module when an attribute is first used."""

    def __getattr__(self, name: str) -> Any:
        return getattr(import_module(self.__name__), name)
