"""Annotated types of the options that several commands share."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer


class TieBreak(StrEnum):
    """A rule by which optimal play chooses between equally good dice to keep."""

    MORE_DICE = "more-dice"
    FEWER_DICE = "fewer-dice"


def writes(what: str, *older_names: str) -> Any:
    """Return the option ``--output``, whose help says that the file receives ``what``."""
    names = ("--output", "-o", *older_names)
    return typer.Option(*names, metavar="FILE", help=f"Write {what} here.")


_RULES = typer.Option(
    "--rules", metavar="NAME|FILE.toml", help="A name out of rollwise rules list, or a file."
)
_OBJECTIVE = typer.Option(
    "--objective",
    metavar="GOAL",
    help="What to play for: expected, worst-case, best-case, target:SCORE, beat:OPPONENTS, "
    "utility:FILE, exponential:RISK, mean-variance:AVERSION or least-variance.",
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
        help="The player: optimal, one-page, greedy, random, … or FILE.py:CLASS.",
    ),
]
Card = Annotated[
    str | None,
    typer.Option("--card", metavar="CARD", help="Filled boxes with their points; - for none."),
]
Seed = Annotated[
    int,
    typer.Option("--seed", metavar="N", min=0, help="Seed of the dice: one seed, the same games."),
]
Json = Annotated[bool, typer.Option("--json", help="Write JSON, for programs.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No messages and no progress.")]
"""Every command has this option, so that scripts can always use it."""
Workers = Annotated[
    int | None,
    typer.Option("--workers", metavar="N", min=1, help="Run on a Dask cluster of N processes."),
]
Scheduler = Annotated[
    str | None,
    typer.Option("--scheduler", metavar="tcp://…", help="Run on the cluster of this scheduler."),
]
Cluster = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS|local:N",
        help="Run on the Dask cluster of this scheduler, or on one of N processes here.",
    ),
]
Store = Annotated[
    str | None,
    typer.Option(
        "--store",
        metavar="URL",
        help="Keep all cards in this folder or object store (s3://bucket/…), layer by layer.",
    ),
]
Database = Annotated[
    str | None,
    typer.Option(
        "--database", metavar="URL", help="Where games are kept; a file of yours unless told."
    ),
]
Name = Annotated[
    str | None, typer.Option("--name", "-n", metavar="NAME", help="Only the games of this person.")
]
RollsLeft = Annotated[
    int | None,
    typer.Option("--rolls-left", metavar="N", help="Rerolls left; all of them unless told."),
]
Top = Annotated[
    int | None, typer.Option("--top", metavar="N", min=1, help="Only the N best options.")
]
Picture = Annotated[
    Path | None, typer.Option("--plot", metavar="FILE", help="Also draw: .png or .svg.")
]
Pictures = Annotated[
    Path | None, typer.Option("--plot", metavar="DIR", help="Also write pictures here.")
]
Ties = Annotated[
    TieBreak,
    typer.Option(
        "--ties",
        help="Of keeps with equal values best play takes that with more dice or with fewer. What a "
        "target or the like leaves open, the expected score decides.",
    ),
]
