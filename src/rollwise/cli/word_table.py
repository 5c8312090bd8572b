"""Tables and titles that never break the key of a category or the id of a game."""

from __future__ import annotations

import re
from collections.abc import Iterator
from textwrap import TextWrapper

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

INDENT = (0, 0, 0, 2)
"""The padding of the lines below the first line of a block."""


class WordTable(Table):
    """A table of strings whose columns are at least as wide as their longest word.

    If the terminal is too narrow, each row becomes a block. The block starts with the first cell.
    Each other cell that is not empty follows on a line with its heading.
    """

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Choose the widths of the columns, or print blocks."""
        widths = self._widths(options.max_width)
        if widths is None:
            yield from self._blocks()
            return
        for column, width in zip(self.columns, widths, strict=True):
            column.width = width
        yield from super().__rich_console__(console, options)

    def _widths(self, most: int) -> list[int] | None:
        """Return the widths of the columns, or None if a word would be broken.

        The widest column that can be wrapped becomes narrower until the table fits.
        """
        cells = [
            [_text(cell) for cell in (column.header, *column.cells)] for column in self.columns
        ]
        widths = [max(map(_longest_line, texts)) for texts in cells]
        least = [
            width if column.no_wrap else max(map(_longest_word, texts))
            for column, texts, width in zip(self.columns, cells, widths, strict=True)
        ]
        room = most - self._between * (len(widths) - 1)
        if sum(least) > room:
            return None
        while sum(widths) > room:
            slack = [width - shortest for width, shortest in zip(widths, least, strict=True)]
            wrappable = [k for k, spare in enumerate(slack) if spare > 0]
            widths[max(wrappable, key=lambda k: widths[k])] -= 1
        return widths

    @property
    def _between(self) -> int:
        """The number of blanks between two columns."""
        _, right, _, left = self.padding
        return right + left

    def _blocks(self) -> Iterator[Text | Padding]:
        """Yield the lines of each row as a block."""
        headings = [_text(column.header) for column in self.columns]
        for row in zip(*(column.cells for column in self.columns), strict=True):
            first, *rest = map(_text, row)
            yield Text(first, style="bold")
            for heading, cell in zip(headings[1:], rest, strict=True):
                if cell:
                    yield Padding(Text(f"{heading} {cell}".lstrip()), INDENT)


def _text(cell: object) -> str:
    return cell.plain if isinstance(cell, Text) else str(cell)


def _longest_line(text: str) -> int:
    return max(map(cell_len, text.splitlines()), default=0)


def _longest_word(text: str) -> int:
    return max(map(cell_len, text.split()), default=0)


class _CommaWrapper(TextWrapper):
    """Wraps text between words, and after the commas of a scorecard such as ``ones=3,twos=4``."""

    wordsep_simple_re = re.compile(r"(\s+|(?<=,)(?=\S))")


def wrapped_at_commas(text: str, width: int) -> str:
    """Return text with line breaks between words or after commas."""
    return _CommaWrapper(width, break_on_hyphens=False).fill(text)
