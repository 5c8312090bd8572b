"""A table of options that fits on the terminal."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field

from rich.console import Console
from rich.table import Table
from rich.text import Text

from rollwise.cli.common import console, empty_table

MOST = 10
"""The maximum number of options on a terminal, unless ``--top`` asks for more."""

LEAST = 3
"""The number of options on a terminal that has no room for more."""

PROMPT = 1
"""The number of terminal lines that the shell prompt needs."""


@dataclass
class OptionTable:
    """The options at a position, best first, and the lines above them.

    Attributes
    ----------
    head : list of Text or str
        The lines above the table.
    headings : sequence of str
    rows : sequence of sequences of str
        The cells of each option.
    best : sequence of bool
        Whether each option is the best option or tied with it.
    """

    head: list[Text | str]
    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    best: Sequence[bool]
    out: Console = field(default_factory=console, init=False)

    def print(self, top: int | None, *, quiet: bool, reserved: int = 0) -> float:
        """Print the options, and return the number of lines that are free on the screen.

        Parameters
        ----------
        top : int, optional
            The number of options (default: all options in a pipe, and the options that fit on a
            terminal).
        quiet : bool
            Whether to print only the table.
        reserved : int
            The number of lines to leave free on a terminal.
        """
        head = [] if quiet else [*self.head, ""]
        free = self.out.height - PROMPT - self.lines(*head) if sys.stdout.isatty() else math.inf
        table = self._table(len(self.rows)) if top is None else self._table(top)
        if top is None and free != math.inf:
            table = self._fitting(free - reserved)
        for line in head:
            self.out.print(line)
        self.out.print(table)
        hidden = len(self.rows) - table.row_count
        if hidden and not quiet:
            self.out.print(f"… and {hidden} more: --top {len(self.rows)}")
        sys.stdout.flush()
        return free - self.lines(table) - (hidden > 0)

    def _fitting(self, free: float) -> Table:
        """Return the largest table of ``LEAST`` to ``MOST`` options that fits in ``free`` lines.

        If none fits, return the table of ``LEAST`` options.
        """
        for number in range(MOST, LEAST, -1):
            table = self._table(number)
            if self.lines(table) + (len(self.rows) > number) <= free:
                return table
        return self._table(LEAST)

    def _table(self, number: int) -> Table:
        """Return a table of the first ``number`` options."""
        first, *numbers = self.headings
        table = empty_table(first, *(f">{heading}" for heading in numbers))
        for row, best in list(zip(self.rows, self.best, strict=True))[:number]:
            table.add_row(*row, style="green" if best else None)
        return table

    def lines(self, *parts: Text | str | Table) -> int:
        """Return the number of lines that the parts take on the screen."""
        return sum(len(self.out.render_lines(part)) for part in parts)
