"""Compiled code of the environments: many games, each a step further."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from rollwise.solving.kernels.compiler import compiled, key_of

Function = TypeVar("Function", bound=Callable[..., Any])

KEY = key_of(Path(__file__).parent)


def kept_apart(function: Function) -> Function:
    """Return a kernel of this folder, kept under a name that changes with any file of it."""
    function.__qualname__ += f"_{KEY}"
    return compiled(function)
