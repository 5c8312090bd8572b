"""Where in a rule file a mistake is: by the line, and by the box as its author calls it."""

import re
from collections.abc import Mapping
from typing import Any

HEADER = re.compile(r"\s*\[(\[?)\s*([\w-]+(?:\.[\w-]+)*)\s*\]\]?\s*(?:#.*)?")
FIELD = re.compile(r"\s*([\w-]+(?:\.[\w-]+)*)\s*=")

Place = tuple[str, ...]
"""The steps from the top of the file: ``("categories", "0", "points")``."""


class Places:
    """The places of a rule file.

    Parameters
    ----------
    text : str
        As it is written.
    data : mapping
        What it says.
    """

    def __init__(self, text: str, data: Mapping[str, Any]) -> None:
        self._data = data
        self._lines = dict[Place, int]()
        table: Place = ()
        tables = dict[str, int]()
        for number, line in enumerate(text.splitlines(), start=1):
            header, field = HEADER.fullmatch(line), FIELD.match(line)
            if header is not None and header[2].split(".")[0] in data:
                first, *rest = header[2].split(".")
                if header[1] and not rest:
                    tables[first] = tables.get(first, -1) + 1
                item = [str(tables[first])] if first in tables else []
                table = (first, *item, *rest)
                self._lines.setdefault(table, number)
            elif field is not None:
                self._lines.setdefault((*table, *field[1].split(".")), number)

    def line(self, place: str) -> int:
        """Return the line of a place such as ``categories.0.points``.

        What is missing has the line of the table that lacks it; at the top of a file, 0.
        """
        steps = tuple(place.split("."))
        known = (self._lines.get(steps[:length]) for length in range(len(steps), 0, -1))
        return next(filter(None, known), 0)

    def told(self, place: str) -> str:
        """Return a place in words: ``line 12, ones.points``."""
        line, named = self.line(place), ".".join(self._named(tuple(place.split("."))))
        return f"line {line}, {named}" if line else named

    def _named(self, steps: Place) -> Place:
        """Return the steps with a box by its key, and numbers from 1."""
        counted = tuple(str(int(step) + 1) if step.isdigit() else step for step in steps)
        if counted[0] != "categories" or len(counted) == 1:
            return counted
        box = self._data["categories"][int(steps[1])]
        key = box.get("key") if isinstance(box, dict) else None
        called = key if isinstance(key, str) and re.fullmatch(r"\S{1,40}", key) else ""
        return (called if called.isprintable() and called else f"box {counted[1]}", *counted[2:])
