"""Printed figures beside ours: a file of what a source prints, and what is held against it.

Each source has a file ``NAME.toml`` of its tables, figure by figure as printed, and a module
``NAME.py`` with a function for each table that computes them from scratch.

Games that many figures are about: each is solved, and played out, once.
"""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import cache
from importlib import resources
from typing import Any

from rollwise.evaluation.evaluate import Evaluation, evaluate
from rollwise.rules import load_rules
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.solver import solve
from rollwise.strategies import Optimal, RandomCategory

Ours = int | float | Fraction | str | tuple[int, ...] | tuple[str, ...]
"""A number or a word; several of them where each is as right as the others."""

Rows = Mapping[str, Sequence[Ours]]
"""What we have for a table: its rows by name, each with a figure for every column."""

ERRORS = 3
"""Standard errors that a share of simulated games may be off."""


@dataclass(frozen=True)
class SourceTable:
    """What a source prints in one place.

    Attributes
    ----------
    key, title : str
        The title is that of the page, table or section.
    rules : str
        Name of the game, empty where the figures belong to dice alone.
    columns : tuple of str
    rows : dict of str to tuple of str
        The figures as printed; ``-`` where the source has none.
    slips : dict of str to str
        By row and column, why the figure there is wrong.
    cut : bool
        Whether digits beyond the last one may be cut off and not only rounded away.
    games : int or None
        Simulated games that shares in percent come from.
    rows_are_rules : bool
        Whether each row is named by its game.
    """

    key: str
    title: str
    rows: dict[str, tuple[str, ...]]
    rules: str = ""
    columns: tuple[str, ...] = ("",)
    slips: dict[str, str] = field(default_factory=dict)
    cut: bool = False
    games: int | None = None
    rows_are_rules: bool = False


Compute = Callable[[SourceTable], Rows]
"""What computes a table from scratch."""


@dataclass(frozen=True)
class Source:
    """A text with figures: its key, in words, and its tables."""

    key: str
    title: str
    tables: dict[str, SourceTable]


@dataclass(frozen=True)
class Check:
    """One printed figure and ours.

    Attributes
    ----------
    group, table, rules, what, source, place : str
        Key of the source and of its table; the game, if any; row and column; the source and the
        place in it.
    published : str
        As it was printed.
    ours : int, float, Fraction, str or a tuple of these
    cut : bool
        See :class:`SourceTable`.
    games : int or None
        See :class:`SourceTable`.
    slip : str or None
        Why the printed figure is wrong, where it is.
    """

    group: str
    table: str
    rules: str
    what: str
    published: str
    ours: Ours
    source: str
    place: str
    cut: bool = False
    games: int | None = None
    slip: str | None = None

    @property
    def difference(self) -> float | None:
        """Ours less the published number; None for words, and where ours are several."""
        if isinstance(self.ours, str | tuple):
            return None
        return float(_exact(self.ours) - Fraction(self.published))

    @property
    def holds(self) -> bool:
        """Whether ours is the printed figure, to the last digit that it has."""
        if isinstance(self.ours, tuple):
            return self.published in map(str, self.ours)
        if isinstance(self.ours, str):
            return self.published == self.ours
        difference, unit = _exact(self.ours) - Fraction(self.published), self._unit()
        if self.cut and 0 <= difference < unit:
            return True
        return abs(difference) <= unit / 2 + self._error()

    @property
    def missed(self) -> bool:
        """Whether a figure does not hold that should, or one holds that is said to be a slip."""
        return self.holds == (self.slip is not None)

    def formatted_ours(self) -> str:
        """Return ours with more digits than the printed figure, a count with all of its own."""
        match self.ours:
            case tuple():
                return " or ".join(map(str, self.ours))
            case str():
                return self.ours
            case int() | Fraction(denominator=1) if "e" not in self.published:
                return f"{int(self.ours):,}"
        if "/" in self.published:
            return str(self.ours)
        digits = len(self.published.partition("e")[0].partition(".")[2]) + 3
        if "e" in self.published:
            return (
                f"{Decimal(_exact(self.ours).numerator) / _exact(self.ours).denominator:.{digits}e}"
            )
        return f"{float(self.ours):.{digits}f}"

    def as_dict(self) -> dict[str, Any]:
        """Return the check as JSON can hold it."""
        plain = isinstance(self.ours, int | float)
        return {
            "group": self.group,
            "table": self.table,
            "rules": self.rules,
            "what": self.what,
            "published": self.published,
            "ours": self.ours if plain else self.formatted_ours(),
            "difference": self.difference,
            "holds": self.holds,
            "slip": self.slip,
            "source": self.source,
            "place": self.place,
        }

    def _unit(self) -> Fraction:
        """Return one unit of the last printed digit; none where both are exact."""
        if "/" in self.published or (self.published.isdigit() and not isinstance(self.ours, float)):
            return Fraction(0)
        exponent = Decimal(self.published).as_tuple().exponent
        assert isinstance(exponent, int)
        return Fraction(10) ** exponent

    def _error(self) -> Fraction:
        """Return what a simulated share may be off, in percent."""
        if self.games is None or isinstance(self.ours, str | tuple):
            return Fraction(0)
        share = float(self.ours) / 100
        return Fraction(100 * ERRORS * (share * (1 - share) / self.games) ** 0.5)


def read_source(key: str) -> Source:
    """Return a source out of its file."""
    path = resources.files("rollwise.studies.published").joinpath(f"{key}.toml")
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    tables = [_table(entry) for entry in data["table"]]
    return Source(key, data["source"], {table.key: table for table in tables})


def held(source: Source, table: SourceTable, ours: Rows) -> list[Check]:
    """Return each printed figure of a table beside ours.

    Raises
    ------
    ValueError
        When ours are other rows or columns than are printed, or a slip is none of them.
    """
    if ours.keys() != table.rows.keys():
        raise ValueError(f"{source.key}, {table.key}: expected the rows {list(table.rows)}")
    checks = []
    unused = set(table.slips)
    for row, printed in table.rows.items():
        for column, text, value in zip(table.columns, printed, ours[row], strict=True):
            if text == "-":
                continue
            place = f"{row} {column}".strip()
            unused.discard(place)
            rules, what = (row, column) if table.rows_are_rules else (table.rules, place)
            checks.append(
                Check(
                    group=source.key,
                    table=table.key,
                    rules=rules,
                    what=what,
                    published=text,
                    ours=value,
                    source=source.title,
                    place=table.title,
                    cut=table.cut,
                    games=table.games,
                    slip=table.slips.get(place),
                )
            )
    if unused:
        raise ValueError(f"{source.key}, {table.key}: no such figures: {sorted(unused)}")
    return checks


def _table(entry: dict[str, Any]) -> SourceTable:
    rows = {
        name: tuple(cells.split() if isinstance(cells, str) else cells)
        for name, cells in entry.pop("rows").items()
    }
    columns = tuple(entry.pop("columns", ("",)))
    return SourceTable(rows=rows, columns=columns, **entry)


def _exact(number: float | Fraction) -> Fraction:
    return Fraction(number)


WITH_SPREAD = "yahtzee"
"""The game whose values are printed with ±."""


@cache
def solution(rules: str) -> CardSolution:
    """Return the best play of a preset for the expected score."""
    return solve(load_rules(rules), moments=rules == WITH_SPREAD)


@cache
def best_play(rules: str, *, fewer_dice: bool = False) -> Evaluation:
    """Return how the best play fares; of equal keeps that with more dice is taken unless told."""
    strategy = Optimal(solution(rules), fewer_dice=fewer_dice)
    return evaluate(strategy, strategy.solution.rules, cache=True)


@cache
def random_play(rules: str) -> Evaluation:
    """Return how one roll in any open category fares."""
    return evaluate(RandomCategory(), load_rules(rules), cache=True)
