"""Annotated types of the options that only commands have."""

from __future__ import annotations

import shlex
from typing import Annotated

from cyclopts import Parameter

Json = Annotated[bool, Parameter(name="--json", help="Print JSON.")]
Quiet = Annotated[
    bool,
    Parameter(name=("--quiet", "-q"), help="Print only the result, without messages or progress."),
]
"""The option ``--quiet``. Every command has it, so that scripts can always use it."""
Exact = Annotated[bool, Parameter(name="--exact", help="Print fractions.")]
Database = Annotated[
    str | None,
    Parameter(
        name="--database",
        metavar="FILE",
        help="File of saved games.",
        show_default=lambda _: "a file in your data folder",
    ),
]
Name = Annotated[
    str | None,
    Parameter(name=("--name", "-n"), metavar="NAME", help="Only the games of this player."),
]


def repeated(database: str | None) -> str:
    """Return the option ``--database`` as it was given, for a command in a message."""
    return f" --database {shlex.quote(database)}" if database else ""
