"""Annotated types of the options that several commands share."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.models import OptionInfo

from rollwise.cli import completion
from rollwise.errors import InputError
from rollwise.settings import ORIGINAL, default_rules


class TieBreak(StrEnum):
    """A rule by which optimal play chooses between equally good dice to keep."""

    MORE_DICE = "more-dice"
    FEWER_DICE = "fewer-dice"


def writes(what: str, *older_names: str) -> Any:
    """Return the option ``--output``, whose help says that the file receives ``what``."""
    names = ("--output", "-o", *older_names)
    return typer.Option(*names, metavar="FILE", help=f"Write {what} to this file.")


class _DefaultRules:
    """The user's default game, looked up when a command runs or when its help is printed."""

    def __call__(self) -> str:
        return default_rules().source

    def __str__(self) -> str:
        try:
            return self()
        except InputError:
            return "see rollwise rules use"


class _RulesOption(OptionInfo):
    """The option ``--rules``; the default ``yahtzee`` of a command means the default game."""

    def __setattr__(self, name: str, value: Any) -> None:
        is_default = (name, value) == ("default", ORIGINAL)
        super().__setattr__(name, _DefaultRules() if is_default else value)


_RULES = _RulesOption(
    default=...,
    param_decls=("--rules",),
    metavar="NAME|FILE.toml",
    help="A game from rollwise rules list, or a rule file.",
    autocompletion=completion.games,
)
_OBJECTIVE = typer.Option(
    "--objective",
    metavar="GOAL",
    help="What to play for: expected, target:250, beat:greedy, worst-case, …",
    autocompletion=completion.objectives,
)
Rules = Annotated[str, _RULES]
RulesOrNone = Annotated[str | None, _RULES]
Objective = Annotated[str, _OBJECTIVE]
ObjectiveOrNone = Annotated[str | None, _OBJECTIVE]
Strategy = Annotated[
    str,
    typer.Option(
        "--strategy",
        metavar="NAME",
        help="The player: optimal, one-page, greedy, random, my.py:Mine, …",
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
"""Every command has this option, so that scripts can always use it."""
Workers = Annotated[
    int | None,
    typer.Option(
        "--workers", metavar="N", min=1, help="Run on a local Dask cluster of N processes."
    ),
]
Scheduler = Annotated[
    str | None,
    typer.Option(
        "--scheduler", metavar="tcp://…", help="Run on the Dask cluster of this scheduler."
    ),
]
Cluster = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS|local:N",
        help="Run on a Dask cluster: a scheduler's address, or N local processes.",
    ),
]
Store = Annotated[
    str | None,
    typer.Option(
        "--store",
        metavar="URL",
        help="Save all states in this folder or object store (s3://bucket/…).",
    ),
]
Database = Annotated[
    str | None,
    typer.Option(
        "--database",
        metavar="URL",
        help="Database of saved games.",
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
