"""Tables of published numbers, and their comparison with computed numbers.

Each source has a file ``NAME.toml``, which contains its tables as printed, and a module
``NAME.py``, which contains a function for each table that computes the numbers from scratch. The
functions at the end of this module cache the solutions and evaluations that several tables need.
"""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import cache
from importlib import resources
from typing import Any, Literal

from rollwise.evaluation.evaluate import Evaluation, evaluate
from rollwise.game.dice_notation import parse_dice
from rollwise.game.scorecard import Move, Scorecard, legal_moves
from rollwise.rules import Rules, load_rules
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.solver import solve
from rollwise.strategies import Optimal, RandomCategory

ComputedValue = int | float | Fraction | str | tuple[int, ...] | tuple[str, ...]
"""A computed number or word, or a tuple of alternatives that are all correct."""

Rows = Mapping[str, Sequence[ComputedValue]]
"""A computed table: the entries of each row (one per column), by the name of the row."""

ERRORS = 3
"""The tolerance for published simulation results, in standard errors."""

IMPOSSIBLE = "impossible"
"""The computed entry for a printed turn that the rules do not allow."""

FOLDER = resources.files("rollwise.studies.published")
"""The folder with the file of each source."""

Status = Literal["match", "source_error", "unexplained", "mismatch"]
"""How a published number compares with the computed number.

* ``match``: they agree to the last printed digit;
* ``source_error``: they differ, and the source is proved to be wrong;
* ``unexplained``: they differ, the difference is listed, and its cause is not known;
* ``mismatch``: they differ but no difference is listed, or they agree although one is listed.
"""


@dataclass(frozen=True)
class SourceTable:
    """A table of published numbers.

    Attributes
    ----------
    key, title : str
        The key in the file, and the title of the page, table, or section in the source.
    rules : str
        The name of the game; empty if the numbers are about dice alone.
    columns : tuple of str
        The names of the columns.
    rows : dict of str to tuple of str
        The numbers as printed; ``-`` where the source has none.
    source_errors : dict of str to str
        The explanation of each proved error in the source, by row and column.
    unexplained : dict of str to str
        What is known about each difference whose cause is not known, by row and column.
    cut : bool
        Whether the source might truncate numbers instead of rounding them.
    games : int or None
        The number of simulated games from which the source estimated percentages; None if exact.
    rows_are_rules : bool
        Whether the name of a row is the name of its game.
    """

    key: str
    title: str
    rows: dict[str, tuple[str, ...]]
    rules: str = ""
    columns: tuple[str, ...] = ("",)
    source_errors: dict[str, str] = field(default_factory=dict)
    unexplained: dict[str, str] = field(default_factory=dict)
    cut: bool = False
    games: int | None = None
    rows_are_rules: bool = False


Compute = Callable[[SourceTable], Rows]
"""A function that computes a table from scratch."""


@dataclass(frozen=True)
class Source:
    """A publication: its key, its title, and its tables."""

    key: str
    title: str
    tables: dict[str, SourceTable]


@dataclass(frozen=True)
class Check:
    """A published number, and the computed number that is compared with it.

    Attributes
    ----------
    group, table : str
        The key of the source, and the key of its table.
    rules : str
        The name of the game; empty if the number is about dice alone.
    what : str
        The names of the row and the column.
    source, place : str
        The title of the source, and the title of the table.
    published : str
        The number as printed.
    ours : int, float, Fraction, str, or tuple
        The computed number or word, or a tuple of alternatives that are all correct.
    cut : bool
        See :class:`SourceTable`.
    games : int or None
        See :class:`SourceTable`.
    source_error : str or None
        The explanation of a proved error in the source.
    unexplained : str or None
        What is known about a difference whose cause is not known.
    """

    group: str
    table: str
    rules: str
    what: str
    published: str
    ours: ComputedValue
    source: str
    place: str
    cut: bool = False
    games: int | None = None
    source_error: str | None = None
    unexplained: str | None = None

    @property
    def difference(self) -> float | None:
        """The computed number minus the published number, or None for words and tuples."""
        if isinstance(self.ours, str | tuple):
            return None
        return float(_exact(self.ours) - Fraction(self.published))

    @property
    def matches(self) -> bool:
        """Whether the numbers match to the last printed digit."""
        if isinstance(self.ours, tuple):
            return self.published in map(str, self.ours)
        if isinstance(self.ours, str):
            return self.published == self.ours
        difference, unit = _exact(self.ours) - Fraction(self.published), self._unit()
        if self.cut and 0 <= difference < unit:
            return True
        return abs(difference) <= unit / 2 + self._error()

    @property
    def reason(self) -> str | None:
        """The explanation of a listed difference, or None if no difference is listed."""
        return self.source_error or self.unexplained

    @property
    def status(self) -> Status:
        """How the published number compares with the computed number."""
        if self.matches != (self.reason is None):
            return "mismatch"
        if self.source_error:
            return "source_error"
        return "unexplained" if self.unexplained else "match"

    def formatted_ours(self) -> str:
        """Return the computed number with three more digits than the published number.

        Whole numbers are returned with all their digits.
        """
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
        """Return the check as JSON-compatible data."""
        plain = isinstance(self.ours, int | float)
        return {
            "group": self.group,
            "table": self.table,
            "rules": self.rules,
            "what": self.what,
            "published": self.published,
            "ours": self.ours if plain else self.formatted_ours(),
            "difference": self.difference,
            "status": self.status,
            "reason": self.reason,
            "source": self.source,
            "place": self.place,
        }

    def _unit(self) -> Fraction:
        """Return one unit of the last printed digit, or 0 if both numbers are exact."""
        if "/" in self.published or (self.published.isdigit() and not isinstance(self.ours, float)):
            return Fraction(0)
        exponent = Decimal(self.published).as_tuple().exponent
        assert isinstance(exponent, int)
        return Fraction(10) ** exponent

    def _error(self) -> Fraction:
        """Return the tolerance for a simulated frequency, in percentage points."""
        if self.games is None or isinstance(self.ours, str | tuple):
            return Fraction(0)
        probability = float(self.ours) / 100
        return Fraction(100 * ERRORS * (probability * (1 - probability) / self.games) ** 0.5)


def read_source(key: str) -> Source:
    """Read a source from its file."""
    data = tomllib.loads(FOLDER.joinpath(f"{key}.toml").read_text(encoding="utf-8"))
    tables = [_table(entry) for entry in data["table"]]
    return Source(key, data["source"], {table.key: table for table in tables})


def compare_figures(source: Source, table: SourceTable, ours: Rows) -> list[Check]:
    """Compare each published number of a table with the computed number.

    Raises
    ------
    ValueError
        If the rows or columns of the tables differ, or if a difference is listed twice, or for a
        number that the table does not have.
    """
    if ours.keys() != table.rows.keys():
        raise ValueError(f"{source.key}, {table.key}: the rows must be {list(table.rows)}")
    checks = []
    if table.source_errors.keys() & table.unexplained.keys():
        raise ValueError(f"{source.key}, {table.key}: a difference is listed twice")
    unused = {*table.source_errors, *table.unexplained}
    for row, printed in table.rows.items():
        for column, text, value in zip(table.columns, printed, ours[row], strict=True):
            if text == "-":
                continue
            place = f"{row} {column}".strip()
            unused.discard(place)
            rules, name = (row, column) if table.rows_are_rules else (table.rules, place)
            checks.append(
                Check(
                    group=source.key,
                    table=table.key,
                    rules=rules,
                    what=name,
                    published=text,
                    ours=value,
                    source=source.title,
                    place=table.title,
                    cut=table.cut,
                    games=table.games,
                    source_error=table.source_errors.get(place),
                    unexplained=table.unexplained.get(place),
                )
            )
    if unused:
        raise ValueError(
            f"{source.key}, {table.key}: differences are listed for missing numbers: "
            f"{sorted(unused)}"
        )
    return checks


def printed_move(card: Scorecard, dice: str, category: str) -> Move | None:
    """Return the move of a printed turn, or None if the rules do not allow it."""
    rules = card.rules
    try:
        k, roll = rules.category_index(category), parse_dice(rules, dice)
    except ValueError:
        return None
    moves = legal_moves(rules, card.state, roll)
    return next((move for move in moves if move.category == k), None)


def is_roll(rules: Rules, dice: str) -> bool:
    """Return whether a printed entry is a roll of all dice."""
    try:
        parse_dice(rules, dice)
    except ValueError:
        return False
    return True


def formula(text: str, value: int, expected: int) -> str:
    """Return a formula if it has the expected value, otherwise a note that it does not."""
    return text if value == expected else f"{expected}, not {text}"


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
"""The game for which a source publishes the standard deviations of values."""


@cache
def solution(rules: str) -> CardSolution:
    """Solve a preset for the expected score."""
    return solve(load_rules(rules), moments=rules == WITH_SPREAD)


@cache
def optimal_evaluation(rules: str, *, fewer_dice: bool = False) -> Evaluation:
    """Evaluate optimal play of a preset.

    Among tied options, the player keeps more dice, or fewer dice if ``fewer_dice`` is true.
    """
    strategy = Optimal(solution(rules), fewer_dice=fewer_dice)
    return evaluate(strategy, strategy.solution.rules, cache=True)


@cache
def random_evaluation(rules: str) -> Evaluation:
    """Evaluate the strategy that scores each first roll in a random open category."""
    return evaluate(RandomCategory(), load_rules(rules), cache=True)
