"""Columns of a game, each with a separate filling order and upper bonus.

The upper-section totals of all columns are encoded as one number, the *upper number*. Each total is
a digit of this number (in a mixed radix), and the last column is the lowest digit. In a game with
one column, the upper number is the upper-section total.
"""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from rollwise.rules.card import Key, Text
from rollwise.rules.patterns import Frozen

MAX_COLUMNS = 6

COLUMN_CODE = r"^[a-z]$"

Order = Literal["free", "card", "upward"]
"""The filling order: any order, from top to bottom, or from bottom to top."""


class Column(Frozen):
    """A column of a game; ``code`` is the prefix of its category codes."""

    key: Key
    code: Annotated[str, StringConstraints(pattern=COLUMN_CODE)]
    title: Annotated[Text, StringConstraints(min_length=1, max_length=30)]
    order: Order = "free"


Columns = Annotated[tuple[Column, ...], Field(max_length=MAX_COLUMNS, strict=False)]
