"""Output of ``rollwise odds``: tables that fit the terminal, and JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rich.console import Console

from rollwise.cli.common import console, empty_table
from rollwise.cli.lazy_imports import lazy_imports
from rollwise.errors import InputError, counted

with lazy_imports():
    from rollwise import decision_analysis


TEXT_STATES, JSON_STATES = 40, 1_000
"""The maximum numbers of distinct rolls, in text and in JSON, for which all values and best dice to
keep are printed."""

GAP = 2
"""The number of spaces between columns."""

Column = Sequence[str]
"""The heading and the cells of a column."""


@dataclass(frozen=True)
class OddsPrinter:
    """Odds as JSON and as text; with ``exact``, numbers are fractions.

    With ``matrices``, the values of a turn include its option matrices, which are indexed by dice
    to keep and by roll. The first has the probability of each roll after keeping the dice, and the
    second has 1 if the roll contains the dice to keep, and otherwise 0.
    """

    odds: decision_analysis.Odds
    exact: bool
    matrices: bool

    @property
    def title(self) -> str:
        """The measure and the target."""
        return f"{self._measure.capitalize()} of {self.odds.target}"

    @property
    def _measure(self) -> str:
        return "probability" if self.odds.is_probability else "mean"

    def data(self) -> dict[str, Any]:
        """Return the odds, and the values of all rolls if there are few, for JSON."""
        turn, number = self.odds.turn, str if self.exact else float
        data = self.odds.as_dict(exact=self.exact)
        if self.odds.keeps or self.odds.estimate is not None:
            return data
        shown = self._shows_rolls(JSON_STATES)
        lefts = range(turn.rolls - 1, -1, -1) if shown else ()
        payoffs = [turn.payoffs(left) for left in lefts]
        moves = [turn.moves(left) for left in lefts if left]
        data["states"] = [
            {
                "roll": roll,
                "first": number(p),
                "payoffs": [number(x[roll]) for x in payoffs],
                "best": [list(best[roll]) for best in moves],
            }
            for roll, p in (turn.outcomes(turn.start) if shown else {}).items()
        ]
        if self.matrices:
            options, available = self._matrices()
            data["matrices"] = {
                "keeps": turn.options,
                "rolls": turn.states,
                "options": [[number(p) for p in row] for row in options],
                "available": available,
            }
        return data

    def print(self) -> None:
        """Print the odds."""
        odds, turn, estimate, out = self.odds, self.odds.turn, self.odds.estimate, console()
        sizes = f"{turn.dice} dice with {turn.notation.faces} faces"
        whole = f"{self.title} in {counted(turn.rolls, 'roll')} of {sizes}"
        if estimate is not None:
            error = f"with a standard error of {estimate.standard_error:.2g}"
            until = " until the target is reached" if odds.is_probability else ""
            out.print(f"{whole}: {estimate.mean:.4g} {error}")
            out.print(
                f"In {estimate.turns:,} simulated turns (seed {estimate.seed}), the player keeps "
                f"{estimate.policy}{until}.\nOptimal play is at least as good."
            )
        elif odds.keeps:
            names = [row["keep"] for row in odds.as_dict()["keeps"]]
            best = [name for name, item in zip(names, odds.keeps, strict=True) if item.best]
            summary = f"equally good: {', '.join(best)}" if len(best) > 1 else f"best: {best[0]}"
            start = f" from {odds.hand}" if odds.hand else ""
            left = counted(odds.rolls_left, "roll")
            out.print(f"{self.title}{start} with {left} left; {summary}")
            values = (self._text(item.value) for item in odds.keeps)
            marks = ("best" if item.best else "" for item in odds.keeps)
            write_columns(out, [["keep", *names], [self._measure, *values], ["", *marks]])
        else:
            shown = self._shows_rolls(TEXT_STATES)
            out.print(f"{whole}: {self._text(turn.value)}")
            if shown:
                self._print_rolls(out)

    def _print_rolls(self, out: Console) -> None:
        turn, text = self.odds.turn, self._text
        first = turn.outcomes(turn.start)
        values = [["first", *map(text, first.values())]]
        best = []
        for i in range(1, turn.rolls + 1):
            x = turn.payoffs(turn.rolls - i)
            values.append([f"after {i}", *(text(x[roll]) for roll in first)])
            if i < turn.rolls:
                keeps = turn.moves(turn.rolls - i)
                best.append([f"best after {i}", *(" or ".join(keeps[roll]) for roll in first)])
        write_rolls(out, ["roll", *first], values, best)
        if self.matrices:
            headings = (
                "Options: probability of each roll, by the dice that were kept",
                "Available: 1 if the roll contains the dice to keep",
            )
            for heading, matrix in zip(headings, self._matrices(), strict=True):
                rows = zip(turn.options, matrix, strict=True)
                cells = [("keep", *turn.states), *((keep, *map(text, row)) for keep, row in rows)]
                out.print(f"\n{heading}")
                write_columns(out, list(zip(*cells, strict=True)))

    def _text(self, value: Fraction | int) -> str:
        """Return a value for a table; a probability below 1 is never printed as 1."""
        if self.exact:
            return str(value)
        text = f"{float(value):.7g}"
        return ">0.9999999" if text == "1" and value < 1 else text

    def _shows_rolls(self, most: int) -> bool:
        rolls = len(self.odds.turn.states)
        if self.matrices and rolls > most:
            raise InputError(
                f"--matrices would list {rolls:,} rolls; the limit is {most:,}. Use fewer dice or "
                "faces."
            )
        return rolls <= most

    def _matrices(self) -> tuple[list[list[Fraction | int]], list[list[Fraction | int]]]:
        rolls = self.odds.turn.states
        outcomes = [self.odds.turn.outcomes(option) for option in self.odds.turn.options]
        return (
            [[ends.get(roll, 0) for roll in rolls] for ends in outcomes],
            [[int(roll in ends) for roll in rolls] for ends in outcomes],
        )


def write_rolls(
    out: Console, names: Column, values: Sequence[Column], best: Sequence[Column]
) -> None:
    """Print the values and best dice to keep of all rolls in as few tables as possible.

    If one table is too wide for the terminal, values and dice to keep get separate tables. Each of
    these tables has a row for each state of the dice or for each roll of the turn, whichever needs
    fewer tables.
    """
    if len(blocks([names, *values, *best], out.width)) == 1:
        write_columns(out, [names, *values, *best])
        return
    for columns in (values, best):
        if columns:
            upright = [names, *columns]
            turned = list(zip(*upright, strict=True))
            write_columns(out, min(upright, turned, key=lambda c: len(blocks(c, out.width))))


def write_columns(out: Console, columns: Sequence[Column]) -> None:
    """Print columns in as many tables as the terminal width requires.

    Every table begins with the first column. Cells that are still too wide are folded, never cut.
    """
    for block in blocks(columns, out.width):
        table = empty_table(*(heading for heading, *_ in block))
        for column in table.columns:
            column.overflow = "fold"
        for cells in list(zip(*block, strict=True))[1:]:
            table.add_row(*cells)
        out.print()
        out.print(table)


def blocks(columns: Sequence[Column], width: int) -> list[list[Column]]:
    """Split columns into tables of limited width that all begin with the first column.

    The first column gets at most half of the width, and is folded if it needs more.
    """
    key, *others = columns
    tables: list[list[Column]] = []
    room = 0
    for column in others:
        room -= GAP + max(map(len, column))
        if room < 0 or not tables:
            tables.append([key])
            room = width - min(width // 2, max(map(len, key))) - GAP - max(map(len, column))
        tables[-1].append(column)
    return tables
