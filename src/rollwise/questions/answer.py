"""Answers: their data, and the lines and tables that people see."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Self, TypeVar

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    PlainSerializer,
    SerializerFunctionWrapHandler,
    WithJsonSchema,
    model_serializer,
)
from pydantic.json_schema import SkipJsonSchema
from rich.table import Table
from rich.text import Text

from rollwise.notebook import Tabular, html_table


@dataclass(frozen=True)
class Ranking:
    """A table, best row first, of which a terminal shows only the rows that fit.

    Attributes
    ----------
    below : tuple of str
        Lines like those below the table, which should fit too.
    counts_rest : bool
        Whether a line says how many rows the terminal does not show.
    """

    table: Table
    below: tuple[str, ...] = ()
    counts_rest: bool = True


class Extra(str):
    """A line that a terminal shows only if it fits."""


class Raw(str):
    """Text that is printed as it is, without wrapping."""


Block = str | Text | Table | Ranking
"""A line of text or a table; a string is plain text, and an empty string is a blank line."""


def title(head: str, rest: str = "") -> Text:
    """Return a line whose first part is bold."""
    return Text.assemble((head, "bold"), rest)


def table(*headings: str) -> Table:
    """Return a table without rows; a heading that begins with > marks a column of numbers.

    Numbers are right-aligned and never wrapped.
    """
    empty = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for heading in headings:
        number = heading.startswith(">")
        side: Literal["left", "right"] = "right" if number else "left"
        empty.add_column(heading.lstrip(">"), justify=side, no_wrap=number, overflow="fold")
    return empty


_exact: ContextVar[bool] = ContextVar("exact", default=False)


@contextmanager
def exact_numbers(exact: bool = True) -> Iterator[None]:
    """Write numbers as fractions in the body of ``with``."""
    token = _exact.set(exact)
    try:
        yield
    finally:
        _exact.reset(token)


def writes_fractions() -> bool:
    """Return whether this is within :func:`exact_numbers`."""
    return _exact.get()


def format_number(value: Fraction | float) -> str:
    """Return a number with seven digits, or as a fraction within :func:`exact_numbers`."""
    return str(value) if writes_fractions() else f"{float(value):.7g}"


def with_minus(value: object) -> str:
    """Return a value with a minus sign before a negative number."""
    return re.sub(r"^-(?=\d)", "−", str(value))


Number = Annotated[
    Fraction | int | float,
    PlainSerializer(lambda value: str(value) if writes_fractions() else float(value)),
    WithJsonSchema({"anyOf": [{"type": "number"}, {"type": "string"}]}),
]
"""A number that :func:`exact_numbers` writes as a fraction."""

T = TypeVar("T")
if TYPE_CHECKING:
    Hidden = Annotated[T, Field(exclude=True, repr=False)]
    """A field that is not part of the data."""
else:

    class Hidden:
        """A field that is not part of the data, and whose type pydantic does not need."""

        def __class_getitem__(cls, kind: Any) -> Any:
            return Annotated[SkipJsonSchema[Any], Field(exclude=True, repr=False)]


class Data(BaseModel):
    """A part of an answer; a field whose default is None is left out while it is None."""

    # Most answers of a module are never made, and none needs its docstrings before the schema.
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    @classmethod
    def of(cls, source: object, **others: Any) -> Self:
        """Return data whose required fields are attributes of an object, except the others."""
        fields = cls.model_fields.items()
        names = [name for name, field in fields if field.is_required() and name not in others]
        return cls(**{name: getattr(source, name) for name in names}, **others)

    @model_serializer(mode="wrap")
    def _without_missing(self, serialize: SerializerFunctionWrapHandler) -> dict[str, Any]:
        fields = type(self).model_fields
        return {
            name: value
            for name, value in serialize(self).items()
            if value is not None or fields[name].is_required()
        }


class Answer(Data, Tabular):
    """The answer to a question: the fields are its data, and :meth:`show` is for people."""

    has_fractions: ClassVar[bool] = False
    """Whether the answer has numbers that can be written as fractions."""

    json_type: ClassVar[Any] = None
    """The type of :meth:`data` if it is not the answer itself."""

    shows_json: ClassVar[bool] = False
    """Whether :meth:`show` yields JSON, which the command prints in any case."""

    @property
    def failed(self) -> bool:
        """Whether the command ends with exit code 1."""
        return False

    def show(self) -> Iterator[Block]:
        """Yield what people see, from the first line to the last."""
        raise NotImplementedError

    def show_on_terminal(self) -> Iterator[Block]:
        """Yield what people see on a terminal."""
        return self.show()

    def show_quietly(self) -> Iterator[Block]:
        """Yield what people see with ``--quiet``."""
        return self.show()

    def data(self) -> Any:
        """Return the data as JSON data."""
        return self.model_dump(mode="json")

    def rows(self) -> list[dict[str, Any]]:
        """Return the first list in the data as rows, or the data as one row without lists."""
        for name in type(self).model_fields:
            value = getattr(self, name)
            if isinstance(value, list | tuple) and value and isinstance(value[0], Data):
                return [item.model_dump() for item in value]
        return [{key: value for key, value in self.data().items() if not isinstance(value, list)}]

    def __str__(self) -> str:
        from rich.console import Console

        out = Console(width=100_000, highlight=False, markup=False, emoji=False, color_system=None)
        with out.capture() as captured:
            for block in self.show():
                out.print(block.table if isinstance(block, Ranking) else block)
        return captured.get()

    def _repr_html_(self) -> str:
        return "".join(_html(block) for block in self.show())


def _html(block: Block) -> str:
    """Return a block for a notebook."""
    from html import escape  # imported late: only notebooks need it

    if isinstance(block, Ranking):
        block = block.table
    if isinstance(block, Table):
        head = [str(column.header) for column in block.columns]
        rows = zip(*(column.cells for column in block.columns), strict=True)
        return html_table("", [[str(cell) for cell in row] for row in rows], head)
    return f"<p>{escape(str(block))}</p>" if str(block) else ""
