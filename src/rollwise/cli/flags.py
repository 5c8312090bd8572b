"""Annotated types of the options that several commands share."""

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from rollwise.cli import completion
from rollwise.errors import InputError
from rollwise.settings import default_rules


class TieBreak(StrEnum):
    """A rule for choosing between equally good dice to keep in optimal play."""

    MORE_DICE = "more-dice"
    FEWER_DICE = "fewer-dice"


def writes(what: str, *older_names: str) -> Any:
    """Return the option ``--output``, whose help says that the file receives ``what``."""
    names = ("--output", "-o", *older_names)
    return typer.Option(*names, metavar="FILE", help=f"Write {what} to this file.")


class _DefaultGame:
    """The user's default game, looked up when a command runs and when its help is printed."""

    def __init__(self, *, listed: bool = False) -> None:
        self._listed = listed  # for an option that can be repeated

    def __call__(self) -> str | list[str]:
        source = default_rules().source
        return [source] if self._listed else source

    def __str__(self) -> str:
        try:
            return default_rules().source
        except InputError:
            return "see rollwise rules use"


def _rules(default: Callable[[], str | list[str]] | None = None) -> Any:
    return typer.Option(
        "--rules",
        metavar="NAME|FILE.toml",
        default_factory=default,
        help="A game from rollwise rules list, or a rule file.",
        autocompletion=completion.games,
    )


_OBJECTIVE = typer.Option(
    "--objective",
    metavar="GOAL",
    help="What to play for: expected, target:250, beat:greedy, worst-case, …",
    autocompletion=completion.objectives,
)
Rules = Annotated[str, _rules(_DefaultGame())]
"""``--rules`` with the user's default game."""
SeveralRules = Annotated[list[str], _rules(_DefaultGame(listed=True))]
"""``--rules`` that can be repeated, with the user's default game."""
PresetRules = Annotated[str, _rules()]
"""``--rules`` of a command with another default."""
RulesOrNone = Annotated[str | None, _rules()]
Objective = Annotated[str, _OBJECTIVE]
ObjectiveOrNone = Annotated[str | None, _OBJECTIVE]
Strategy = Annotated[
    str,
    typer.Option(
        "--strategy",
        metavar="NAME",
        help="The player: optimal, one-page, greedy, normal:300, my.py:Mine, …",
        autocompletion=completion.strategies,
    ),
]
Card = Annotated[
    str | None,
    typer.Option(
        "--card",
        metavar="CARD",
        help="Filled categories with their points, such as ones=3; - for none.",
        autocompletion=completion.card,
    ),
]
Seed = Annotated[
    int,
    typer.Option(
        "--seed", metavar="N", min=0, help="Seed of the dice; the same seed gives the same games."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Quiet = Annotated[
    bool, typer.Option("--quiet", "-q", help="Print only the result, without messages or progress.")
]
"""The option ``--quiet``. Every command has it, so that scripts can always use it."""
Workers = Annotated[
    int | None,
    typer.Option("--workers", metavar="N", min=1, help="Run in N processes on this machine."),
]
Cluster = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS|local:N",
        help="Run on a Dask cluster: a scheduler's address, or N local processes.",
    ),
]
Database = Annotated[
    str | None,
    typer.Option(
        "--database",
        metavar="FILE",
        help="File of saved games.",
        show_default="a file in your data folder",
    ),
]
Name = Annotated[
    str | None, typer.Option("--name", "-n", metavar="NAME", help="Only the games of this player.")
]
RollsLeft = Annotated[
    int | None,
    typer.Option("--rolls-left", metavar="N", help="Rerolls left.", show_default="all"),
]
Top = Annotated[
    int | None, typer.Option("--top", metavar="N", min=1, help="Show only the N best options.")
]
Picture = Annotated[
    Path | None, typer.Option("--plot", metavar="FILE", help="Also save a plot as .png or .svg.")
]
Pictures = Annotated[
    Path | None, typer.Option("--plot", metavar="DIR", help="Also save plots in this folder.")
]
TieBreakOption = Annotated[
    TieBreak,
    typer.Option(
        "--tie-break",
        help="How optimal play breaks ties: keep more dice, or keep fewer.",
    ),
]
