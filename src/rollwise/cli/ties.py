"""Which of equally good keeps the best play takes, as the command line asks for it."""

from enum import StrEnum
from typing import Annotated

import typer


class Ties(StrEnum):
    """Of keeps equally good, the one that is taken."""

    MORE_DICE = "more-dice"
    FEWER_DICE = "fewer-dice"


TiesOption = Annotated[
    Ties,
    typer.Option(
        "--ties",
        help="Of keeps with equal values best play takes that with more dice or with fewer. What a "
        "target or the like leaves open, the expected score decides.",
    ),
]
