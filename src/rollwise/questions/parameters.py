"""Types of the parameters that several questions share, with their help on the command line."""

from __future__ import annotations

from concurrent.futures import Executor
from pathlib import Path
from typing import Annotated, Literal

from annotated_types import Ge
from cyclopts import Parameter

from rollwise.game.position import CardLike
from rollwise.questions import completion
from rollwise.rules import Rules

GameOfRecord = Annotated[
    str | Rules | None,
    Parameter(
        name="--rules",
        metavar="NAME|FILE.toml",
        help="A game from rollwise rules list, or a rule file.",
        completer=completion.games,
    ),
]
"""Rules that a game record can name instead, as in :data:`Game`."""
Game = Annotated[
    GameOfRecord, Parameter(show_default=lambda source: source or completion.default_game())
]
"""A game by name, by the path of a rule file, or as rules.

None is the game of another argument or Yahtzee, and on the command line the user's default game.
"""
Objective = Annotated[
    str,
    Parameter(
        name="--objective",
        metavar="GOAL",
        help="The objective: expected, target:250, beat:greedy, worst-case, …",
        completer=completion.objectives,
    ),
]
STRATEGY = Parameter(
    name="--strategy",
    metavar="NAME",
    help="The player: optimal, one-page, greedy, normal:300, my.py:Mine, …",
    completer=completion.strategies,
)
Strategy = Annotated[str, STRATEGY]
TieBreak = Annotated[
    Literal["more-dice", "fewer-dice"],
    Parameter(
        name="--tie-break", help="How optimal play breaks ties: keep more dice, or keep fewer."
    ),
]
Card = Annotated[
    CardLike | None,
    Parameter(
        name="--card",
        metavar="CARD",
        help="Filled categories with their points, such as ones=3; - for none.",
        completer=completion.card,
        allow_repeating=False,
    ),
]
RollsLeft = Annotated[int | None, Parameter(metavar="N", help="Rerolls left.", show_default="all")]
Count = Annotated[int, Ge(1)]
Seed = Annotated[
    int, Ge(0), Parameter(metavar="N", help="Seed of the dice; the same seed gives the same games.")
]
Top = Annotated[int | None, Ge(1), Parameter(metavar="N", help="Show only the N best options.")]
Workers = Annotated[
    Executor | None,
    Parameter(
        name="--cluster",
        metavar="ADDRESS|local:N",
        help="Run on a Dask cluster, or in N processes here.",
    ),
]


def output(what: str, *older_names: str) -> Parameter:
    """Return the option ``--output``, whose help says that the file receives ``what``."""
    return Parameter(
        name=("--output", "-o", *older_names), metavar="FILE", help=f"Write {what} to this file."
    )


Picture = Annotated[
    Path | None,
    Parameter(name="--plot", metavar="FILE", help="Also save a plot as .png or .svg."),
]
Pictures = Annotated[
    Path | None, Parameter(name="--plot", metavar="DIR", help="Also save plots in this folder.")
]
