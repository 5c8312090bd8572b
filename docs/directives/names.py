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
    """Return a section for each module, with every public name of it once."""
    seen: set[int] = set()
    parts = []
    for module, about in MODULES.items():
        parts += [f"## {about}", f"`import {module}`"]
        parts += [entry(module, name, one) for name, one in public(module, seen)]
    return "\n\n".join(parts)


def public(module: str, seen: set[int]) -> Iterator[tuple[str, Any]]:
    """Yield names of a module that were not seen before, with what they stand for."""
    owner = import_module(module)
    listed = getattr(owner, "__all__", None) or [
        name
        for name, one in vars(owner).items()
        if not name.startswith("_") and getattr(one, "__module__", None) == module
    ]
    for name in sorted(listed, key=str.lower):
        one = getattr(owner, name)
        if (inspect.isroutine(one) or inspect.isclass(one)) and id(one) not in seen:
            seen.add(id(one))
            yield name, one


def entry(module: str, name: str, one: Any) -> str:
    """Return the directive that shows the docstring of something public."""
    if inspect.isclass(one):
        told = f".. autoclass:: {module}.{name}\n   :members:"
    else:
        told = f".. autofunction:: {module}.{name}"
    return f"### {name}\n\n```{{eval-rst}}\n{told}\n```"
