"""Lazy imports: the help of a command waits neither for numpy nor for the compiler.

They do what ``lazy from package import module`` of PEP 810 does.
"""

import builtins
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType
from typing import Any


@contextmanager
def lazy_imports() -> Iterator[None]:
    """Import the modules that the body names only when one of their attributes is first used.

    The body consists of ``from package import module`` statements.
    """
    import_now = builtins.__import__
    builtins.__import__ = _import_later
    try:
        yield
    finally:
        builtins.__import__ = import_now


def _import_later(
    name: str,
    globals: object = None,
    locals: object = None,
    fromlist: Sequence[str] | None = None,
    level: int = 0,
) -> ModuleType:
    """Return a package that has a lazy module for each of the names imported from it."""
    package = ModuleType(name)
    for module in fromlist or ():
        setattr(package, module, _LazyModule(f"{name}.{module}"))
    return package


class _LazyModule(ModuleType):
    """Stands for a module; the first use of an attribute imports it."""

    def __getattr__(self, name: str) -> Any:
        return getattr(import_module(self.__name__), name)
