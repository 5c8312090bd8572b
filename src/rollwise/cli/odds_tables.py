"""Output of ``rollwise odds``: tables that fit the terminal, and JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rich.console import Console

from rollwise.cli.common import console, empty_table, write_json
from rollwise.cli.lazy_imports import lazy_imports
from rollwise.errors import InputError, counted

with lazy_imports():
    from rollwise import decision_analysis


TEXT_STATES, JSON_STATES = 40, 1_000
"""The maximum numbers of distinct rolls, in text and in JSON, for which all values and best dice to
keep are printed."""

GAP = 2
"""The number of spaces between columns."""

Number = float | Fraction

Column = Sequence[str]
"""The heading and the cells of a column."""


def measure_of(target: str) -> str:
    """Return what is computed: ``mean`` if the target names a payoff, or else ``chance``."""
    return "mean" if decision_analysis.is_payoff(target) else "chance"


@dataclass(frozen=True)
class TurnRequest:
    """A request for values in a turn, and the format of the output.

    Attributes
    ----------
    target
        The target or the payoff.
    measure
        What is computed: ``chance``, the probability of a target, or ``mean``, the expected payoff.
    faces, dice, rolls
        The numbers of faces per die, of dice, and of rolls in the turn.
    hand
        The current dice; None if they are not given.
    rolls_left
        The number of rerolls left.
    exact, as_json
        Whether to print fractions, and whether to print JSON.
    """

    target: str
    measure: str
    faces: int
    dice: int
    rolls: int
    hand: str | None
    rolls_left: int
    exact: bool
    as_json: bool

    @property
    def head(self) -> dict[str, Any]:
        """The first fields of the JSON output."""
        sizes = {"faces": self.faces, "dice": self.dice, "rolls": self.rolls}
        return {"target": self.target, **sizes}

    @property
    def title(self) -> str:
        """The title of the text output."""
        return f"{self.heading.capitalize()} of {self.target}"

    @property
    def heading(self) -> str:
        """The name of the measure in text."""
        return "probability" if self.measure == "chance" else self.measure

    @property
    def sizes(self) -> str:
        """The numbers of dice, faces, and rolls in words."""
        return f"{counted(self.rolls, 'roll')} of {self.dice} dice with {self.faces} faces"

    @property
    def current_roll(self) -> str:
        """The current dice and the number of rerolls left, in words."""
        start = f" from {self.hand}" if self.hand else ""
        return f"{start} with {counted(self.rolls_left, 'roll')} left"

    def number(self, value: Number) -> float | str:
        """Return a value for JSON: a number, or a fraction as a string."""
        return str(value) if self.exact else float(value)

    def text(self, value: Number) -> str:
        """Return a value for a table; a probability below 1 is never printed as 1."""
        if self.exact:
            return str(value)
        text = f"{float(value):.7g}"
        return ">0.9999999" if text == "1" and value < 1 else text


def write_turn(question: TurnRequest, turn: decision_analysis.Turn, *, matrices: bool) -> None:
    """Print the value of a turn, and the values of all rolls if there are few rolls."""
    number, text = question.number, question.text
    most = JSON_STATES if question.as_json else TEXT_STATES
    shown = len(turn.states) <= most
    if matrices and not shown:
        raise InputError(
            f"--matrices would list {len(turn.states):,} rolls; the limit is {most:,}. Use fewer "
            "dice or faces."
        )
    lefts = list(range(turn.rolls - 1, -1, -1)) if shown else []
    payoffs = [turn.payoffs(left) for left in lefts]
    moves = [turn.moves(left) for left in lefts if left]
    first = turn.outcomes(turn.start) if shown else {}
    if question.as_json:
        rows = [
            {
                "roll": state,
                "first": number(p),
                "payoffs": [number(x[state]) for x in payoffs],
                "best": [list(best[state]) for best in moves],
            }
            for state, p in first.items()
        ]
        data = {**question.head, question.measure: number(turn.value), "states": rows}
        if matrices:
            options, available = _matrices(turn)
            data["matrices"] = {
                "keeps": turn.options,
                "rolls": turn.states,
                "options": [[number(p) for p in row] for row in options],
                "available": available,
            }
        write_json(data)
        return
    out = console()
    out.print(f"{question.title} in {question.sizes}: {text(turn.value)}")
    if not shown:
        return
    values = [["first", *map(text, first.values())]]
    values += [
        [f"after {i}", *(text(x[state]) for state in first)] for i, x in enumerate(payoffs, 1)
    ]
    best = [
        [f"best after {i}", *(" or ".join(keeps[state]) for state in first)]
        for i, keeps in enumerate(moves, 1)
    ]
    write_rolls(out, ["roll", *first], values, best)
    if matrices:
        for heading, matrix in zip(_MATRICES, _matrices(turn), strict=True):
            out.print(f"\n{heading}")
            cells = [
                [keep, *map(text, row)] for keep, row in zip(turn.options, matrix, strict=True)
            ]
            write_columns(out, list(zip(("keep", *turn.states), *cells, strict=True)))


def keeps_data(
    question: TurnRequest, ranked: Sequence[decision_analysis.KeepOption]
) -> dict[str, Any]:
    """Return the value of each set of dice to keep, best first, as JSON-serializable data."""
    notation = decision_analysis.Multisets(question.faces)
    rows = [
        {
            "keep": f"keep {notation.format(item.keep)}",
            question.measure: question.number(item.value),
            "best": item.best,
        }
        for item in ranked
    ]
    now = {"hand": question.hand, "rolls_left": question.rolls_left}
    return {**question.head, **now, "keeps": rows}


def write_keeps(question: TurnRequest, ranked: Sequence[decision_analysis.KeepOption]) -> None:
    """Print the value of each set of dice to keep, best first."""
    data = keeps_data(question, ranked)
    if question.as_json:
        write_json(data)
        return
    names = [row["keep"] for row in data["keeps"]]
    best = [name for name, item in zip(names, ranked, strict=True) if item.best]
    summary = f"equally good: {', '.join(best)}" if len(best) > 1 else f"best: {best[0]}"
    out = console()
    out.print(f"{question.title}{question.current_roll}; {summary}")
    values = (question.text(item.value) for item in ranked)
    marks = ("best" if item.best else "" for item in ranked)
    write_columns(out, [["keep", *names], [question.heading, *values], ["", *marks]])


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


_MATRICES = (
    "Options: probability of each roll, by the dice that were kept",
    "Available: 1 if the roll contains the dice to keep",
)


def _matrices(
    turn: decision_analysis.Turn,
) -> tuple[list[list[Number]], list[list[Number]]]:
    """Return two matrices, indexed by dice to keep and by roll.

    The first matrix has the probability of each roll after keeping the dice. In the second matrix,
    an entry is 1 if the roll contains the dice to keep, otherwise 0.
    """
    options = turn.decision_problem().options.values()
    return (
        [[ends.get(state, 0) for state in turn.states] for ends in options],
        [[int(state in ends) for state in turn.states] for ends in options],
    )
