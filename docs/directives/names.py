"""Every public name of the library, from its docstring."""

import inspect
from collections.abc import Iterator
from importlib import import_module
from typing import Any

MODULES = {
    "rollwise": "Games, solutions, strategies, reviews",
    "rollwise.solving.objectives": "Objectives",
    "rollwise.strategies": "Strategies",
    "rollwise.questions.frontier": "Frontiers: rollwise.frontier",
    "rollwise.experiments.plots": "Plots: rollwise.plots",
    "rollwise.decision_analysis": "Decision analysis",
    "rollwise.errors": "Errors",
}
"""The public modules, and what they are about."""


def names() -> str:
    """Return a section for each module, with the docstring of every public name of it once."""
    seen: set[int] = set()
    parts = []
    for module, about in MODULES.items():
        parts += [f"## {about}", f"`import {module}`"]
        for name, one in public(module, seen):
            kind = "autoclass" if inspect.isclass(one) else "autofunction"
            members = "\n   :members:" if inspect.isclass(one) else ""
            told = f".. {kind}:: {module}.{name}{members}"
            parts.append(f"### {name}\n\n```{{eval-rst}}\n{told}\n```")
    return "\n\n".join(parts)


def public(module: str, seen: set[int]) -> Iterator[tuple[str, Any]]:
    """Yield names of a module that were not seen before, with what they stand for."""
    owner = import_module(module)
    for name in sorted(owner.__all__, key=str.lower):
        one = getattr(owner, name)
        if (inspect.isroutine(one) or inspect.isclass(one)) and id(one) not in seen:
            seen.add(id(one))
            yield name, one
