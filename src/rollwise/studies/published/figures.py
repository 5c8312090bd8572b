"""Tables of published numbers, each beside the number that rollwise computes.

Each source has a module. For each table of the source, the module has a function that yields the
rows of the table: the name of the row, the number as printed, and the number computed from scratch.
The decorator :func:`table` registers the function. The functions at the end of this module cache
the solutions and evaluations that several tables need.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import Literal, cast

from rollwise.evaluation.evaluate import Evaluation, evaluate
from rollwise.game.dice_notation import parse_dice
from rollwise.game.scorecard import Move, Scorecard, legal_moves
from rollwise.rules import load_rules
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.solver import Solver
from rollwise.strategies import Optimal

SOURCES: Mapping[str, str] = {
    "huber": "W. Huber, answer on stats.stackexchange.com (2015)",
    "verhoeff": "T. Verhoeff, Optimal Solitaire Yahtzee Strategies (2003 or later)",
    "blog": "the blog Greedy AI, about Yahtzee with friends on New Year's Eve",
    "mince": (
        "M. Mince, Using Markov Chains and Probabilistic Modeling to Play Yahtzee (Pomona College)"
    ),
    "programs": "other programs",
}
"""The title of each source, by the name of its module."""

ComputedValue = int | float | Fraction | str | tuple[int, ...] | tuple[str, ...]
"""A computed number or word, or a tuple of alternatives that are all correct."""

Reasons = str | Mapping[str, str]
"""Why a printed number is wrong; in a row with several numbers, by column.

A plain string explains a proved error in the source.
"""


class Unexplained(str):
    """What is known about a difference whose cause is not known."""

    __slots__ = ()


Row = (
    tuple[str, str, ComputedValue | Sequence[ComputedValue]]
    | tuple[str, str, ComputedValue | Sequence[ComputedValue], Reasons]
)
"""The name of a row, the number as printed, the computed number, and the reason if they differ.

If the table has columns, a row has a printed and a computed number for each column. Spaces separate
the printed numbers, with ``-`` where there is nothing to compare.
"""

Status = Literal["match", "source_error", "unexplained", "mismatch"]
"""How a published number compares with the computed number.

* ``match``: they agree to the last printed digit;
* ``source_error``: they differ, and the source is proved to be wrong;
* ``unexplained``: they differ, the difference is listed, and its cause is not known;
* ``mismatch``: they differ but no difference is listed, or they agree although one is listed.
"""


@dataclass(frozen=True)
class Table:
    """A registered table; see :func:`table`."""

    group: str
    key: str
    title: str
    rows: Callable[[], Iterable[Row]]
    rules: str | None = ""
    columns: tuple[str, ...] = ()
    cut: bool = False
    games: int | None = None

    @property
    def source(self) -> str:
        """The title of the source."""
        return SOURCES[self.group]

    def checks(self) -> Iterator["Check"]:
        """Yield a check for each published number."""
        for row, printed, computed, *reasons in self.rows():
            columns = self.columns or ("",)
            texts = printed.split() if self.columns else [printed]
            values = cast(Sequence[ComputedValue], computed if self.columns else [computed])
            listed = reasons[0] if reasons else {}
            for column, text, value in zip(columns, texts, values, strict=True):
                if text != "-":
                    reason = listed if isinstance(listed, str) else listed.get(column)
                    yield Check(self, row, column, text, value, reason)


@dataclass(frozen=True)
class Check:
    """A published number, and the computed number or word that is compared with it."""

    table: Table
    row: str
    column: str
    published: str
    ours: ComputedValue
    reason: str | None = None

    @property
    def what(self) -> str:
        """The names of the row and the column, or of the column if the row is a game."""
        return self.column if self.table.rules is None else f"{self.row} {self.column}".strip()

    @property
    def rules(self) -> str:
        """The name of the game; empty if the number is about dice alone."""
        return self.row if self.table.rules is None else self.table.rules

    @property
    def difference(self) -> float | None:
        """The computed number minus the published number, or None for words and tuples."""
        if isinstance(self.ours, str | tuple):
            return None
        return float(Fraction(self.ours) - Fraction(self.published))

    @property
    def matches(self) -> bool:
        """Whether the numbers match to the last printed digit."""
        if isinstance(self.ours, tuple):
            return self.published in map(str, self.ours)
        if isinstance(self.ours, str):
            return self.published == self.ours
        difference, unit = Fraction(self.ours) - Fraction(self.published), self._unit()
        if self.table.cut and 0 <= difference < unit:
            return True
        return abs(difference) <= unit / 2 + self._error()

    @property
    def status(self) -> Status:
        """How the published number compares with the computed number."""
        if self.matches != (self.reason is None):
            return "mismatch"
        if isinstance(self.reason, Unexplained):
            return "unexplained"
        return "source_error" if self.reason else "match"

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
            numerator, denominator = Fraction(self.ours).as_integer_ratio()
            return f"{Decimal(numerator) / denominator:.{digits}e}"
        return f"{float(self.ours):.{digits}f}"

    def _unit(self) -> Fraction:
        """Return one unit of the last printed digit, or 0 if both numbers are exact."""
        if "/" in self.published or (self.published.isdigit() and not isinstance(self.ours, float)):
            return Fraction(0)
        exponent = Decimal(self.published).as_tuple().exponent
        assert isinstance(exponent, int)
        return Fraction(10) ** exponent

    def _error(self) -> Fraction:
        """Return three standard errors of a simulated frequency, in percentage points."""
        if self.table.games is None or isinstance(self.ours, str | tuple):
            return Fraction(0)
        probability = float(self.ours) / 100
        return Fraction(100 * 3 * (probability * (1 - probability) / self.table.games) ** 0.5)


TABLES: dict[str, dict[str, Table]] = {key: {} for key in SOURCES}
"""The registered tables, by the key of the source and the key of the table."""

Rows = Callable[[], Iterator[Row]]
"""A function that yields the rows of a table."""

Computed = Mapping[str, ComputedValue] | Mapping[str, Sequence[ComputedValue]]
"""The computed numbers of each row."""


def table(
    title: str,
    *,
    rules: str | None = "",
    columns: tuple[str, ...] = (),
    cut: bool = False,
    games: int | None = None,
) -> Callable[[Rows], Rows]:
    """Register a function that yields the rows of a table of a source.

    The names of the module and of the function are the keys of the source and of the table, and
    ``title`` names the page, table, or section in the source. ``rules`` is the name of the game. It
    is empty if the numbers are about dice alone, and None if the name of each row is the name of
    its game. A table that is ``cut`` might have truncated numbers instead of rounded ones. If the
    source estimated percentages by simulation, ``games`` is the number of games.
    """

    def register(rows: Rows) -> Rows:
        group = rows.__module__.rpartition(".")[2]
        key = rows.__name__
        TABLES[group][key] = Table(group, key, title, rows, rules, columns, cut, games)
        return rows

    return register


def rows_of(
    printed: str, computed: Computed, reasons: Mapping[str, Reasons] | None = None
) -> Iterator[Row]:
    """Yield the rows of a printed table (:func:`split_rows`) beside the computed numbers."""
    for row, numbers in split_rows(printed):
        yield row, numbers, computed[row], (reasons or {}).get(row, {})


def split_rows(printed: str) -> list[tuple[str, str]]:
    """Return the name and the numbers of each row of a printed table.

    A colon follows the name of a row, and line breaks or semicolons separate the rows.
    """
    rows = (text.partition(": ") for text in printed.replace("\n", ";").split(";") if text.strip())
    return [(row.strip(), numbers.strip()) for row, _, numbers in rows]


def printed_move(card: Scorecard, dice: str, category: str) -> Move | None:
    """Return the move of a printed turn, or None if the rules do not allow it."""
    rules = card.rules
    try:
        k, roll = rules.category_index(category), parse_dice(rules, dice)
    except ValueError:
        return None
    moves = legal_moves(rules, card.state, roll)
    return next((move for move in moves if move.category == k), None)


@cache
def solution(rules: str) -> CardSolution:
    """Solve a preset for the expected score. Only for Yahtzee are SDs of values published."""
    return Solver(load_rules(rules)).solve_by_card(moments=rules == "yahtzee")


@cache
def optimal_evaluation(rules: str, *, fewer_dice: bool = False) -> Evaluation:
    """Evaluate optimal play of a preset.

    Among tied options, the player keeps more dice, or fewer dice if ``fewer_dice`` is true.
    """
    strategy = Optimal(solution(rules), fewer_dice=fewer_dice)
    return evaluate(strategy, strategy.solution.rules, cache=True)
