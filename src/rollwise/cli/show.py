"""Answers on the terminal or in a pipe, as text or as JSON."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterable
from copy import copy
from dataclasses import replace
from itertools import chain
from typing import Any

from rich.cells import cell_len
from rich.console import Console
from rich.table import Column, Table

from rollwise.cli.streams import encodes_unicode
from rollwise.questions.answer import Block, Extra, Ranking, Raw

UNFOLDED = 100_000
"""The width of tables in a pipe, which is more than any table needs."""

NARROW = 60
"""The terminal width below which table columns have less padding."""

MOST, LEAST = 10, 3
"""The largest and the smallest number of rows of a ranking on a terminal."""

PROMPT = 1
"""The number of terminal lines that the shell prompt needs."""


def console() -> Console:
    """Return the console for results: in color on a terminal, plain and wide in a pipe."""
    width = None if sys.stdout.isatty() else UNFOLDED
    # Brackets and colons in a user's titles and paths are not markup.
    return Console(highlight=False, markup=False, emoji=False, width=width)


def write_json(value: Any) -> None:
    """Print a value as a JSON document."""
    ascii_only = not encodes_unicode()
    json.dump(value, sys.stdout, indent=2, ensure_ascii=ascii_only, allow_nan=False)
    print()


def show(blocks: Iterable[Block]) -> None:
    """Print blocks as they are computed."""
    out = console()
    free = out.height - PROMPT if sys.stdout.isatty() else math.inf
    for block in blocks:
        if isinstance(block, Raw):
            print(block)
            continue
        whole = block.table if isinstance(block, Ranking) else block
        if isinstance(whole, Table) and out.width < NARROW:
            whole.padding = (0, 1, 0, 0)
        parts = _fitting(out, block, free) if isinstance(block, Ranking) else [block]
        for part in chain.from_iterable(
            _parts(out, part) if isinstance(part, Table) else [part] for part in parts
        ):
            if free < math.inf:
                free -= _lines(out, part)
            if free >= 0 or not isinstance(part, Extra):
                out.print(part, soft_wrap=getattr(part, "no_wrap", None))
        sys.stdout.flush()


def _lines(out: Console, part: Any) -> int:
    """Return the number of lines that a part takes on the screen."""
    return len(out.render_lines(part))


def _fitting(out: Console, ranking: Ranking, free: float) -> list[Table | str]:
    """Return the rows that fit in the free lines of a terminal, and the number of other rows."""
    whole = ranking.table
    if not sys.stdout.isatty():
        return [whole]
    room = free - sum(_lines(out, line) for line in ranking.below)
    for number in range(MOST, LEAST - 1, -1):
        rows, hidden = _first_rows(whole, number), whole.row_count - number
        if _lines(out, rows) + (hidden > 0) <= room:
            break
    if hidden <= 0 or not ranking.counts_rest:
        return [rows]
    return [rows, f"… and {hidden} more: --top {whole.row_count}"]


def _first_rows(whole: Table, number: int) -> Table:
    """Return the first rows of a table."""
    part = copy(whole)
    part.columns = [copy(column) for column in whole.columns]
    for column in part.columns:
        column._cells = column._cells[:number]
    part.rows = whole.rows[:number]
    return part


def _parts(out: Console, whole: Table) -> list[Table | str]:
    """Return a table, or tables with the same first column if one would break words."""
    first, *others = whole.columns
    if not others or sum(_widths(whole.columns)) + _gaps(whole, len(whole.columns)) <= out.width:
        return [whole]
    groups: list[list[Column]] = []
    for column in others:
        together = [*groups[-1], column] if groups else []
        if together and sum(map(_least, together)) + _gaps(whole, len(together)) <= out.width:
            groups[-1] = together
        else:
            groups.append([first, column])
    parts: list[Table | str] = []
    for columns in groups:
        part = copy(whole)
        part.columns = _narrowed(columns, out.width - _gaps(whole, len(columns)))
        parts += [part, ""]
    return parts[:-1]


def _gaps(whole: Table, columns: int) -> int:
    """Return the number of blanks between columns."""
    _, right, _, left = whole.padding
    return (right + left) * (columns - 1)


def _lines_of(column: Column) -> list[str]:
    return [line for cell in (column.header, *column.cells) for line in str(cell).splitlines()]


def _widths(columns: Iterable[Column]) -> list[int]:
    return [max(map(cell_len, _lines_of(column)), default=0) for column in columns]


def _least(column: Column) -> int:
    """Return the width of the longest word of a column, or its whole width without wrapping."""
    words = _lines_of(column) if column.no_wrap else " ".join(_lines_of(column)).split()
    return max(map(cell_len, words), default=0)


def _narrowed(columns: list[Column], room: int) -> list[Column]:
    """Return columns that fit; the widest that can be wrapped between words becomes narrower.

    A word or number that is wider than the terminal is folded.
    """
    widths, least = _widths(columns), list(map(_least, columns))
    while sum(widths) > room:
        spare = [k for k, width in enumerate(widths) if width > least[k]] or range(len(widths))
        widths[max(spare, key=widths.__getitem__)] -= 1
    numbered = enumerate(zip(columns, widths, least, strict=True))
    return [
        replace(column, width=width, no_wrap=column.no_wrap and width >= low, _index=k)
        for k, (column, width, low) in numbered
    ]
