"""An exact solver for roll-and-keep dice games, such as Yahtzee and its variants.

``dir(rollwise)`` lists the public names. ``help(rollwise.solve)`` describes the function ``solve``.
A name is imported when it is first used, so that ``import rollwise`` and ``rollwise --help`` are
fast.

Examples
--------
>>> from rollwise import solve
>>> solution = solve("crag")
>>> solution
<Solution of crag for expected: 149.8475932 from the start>
>>> best = solution.options("336")[0]
>>> best.action, round(best.value, 2)
(Keep((6,)), 147.08)
"""

import re

from rollwise import errors as errors

__version__ = "0.1.0"

# The public names are listed once, in the stub that type checkers read.
_MODULES = {
    name: module
    for module, name in re.findall(
        r"^from (\S+) import (\w+) as",
        __spec__.loader.get_data(f"{__file__}i").decode(),
        re.MULTILINE,
    )
}
__all__ = list(_MODULES)


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(__import__(_MODULES[name], fromlist=[name]), name)


def __dir__() -> list[str]:
    return sorted(["__version__", *__all__])
