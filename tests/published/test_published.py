"""Check every published number, and test the comparison with computed numbers."""

import re
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from rollwise.errors import IllegalError
from rollwise.studies.published import SOURCES, TABLES, Check, Status, checks
from rollwise.studies.published.figures import ComputedValue, Row, Table, Unexplained

ROOT = Path(__file__).parents[2]
LONG = {"dlangk_tails", "dlangk_categories", "spread"}
"""The tables that need the evaluation of whole games of Yatzy."""


@pytest.mark.parametrize(
    "table",
    [
        pytest.param(table, id=f"{group}-{key}", marks=pytest.mark.slow if key in LONG else ())
        for group, tables in TABLES.items()
        for key, table in tables.items()
    ],
)
def test_numbers(table: Table) -> None:
    """The numbers of a table match, except for listed differences; altered numbers do not."""
    found = list(table.checks())
    assert found
    assert [check for check in found if check.status == "mismatch"] == []
    if not table.cut and not table.games:
        alterable = [check for check in found if not isinstance(check.ours, tuple)]
        changed = [
            replace(check, published=corrected(check) if check.reason else altered(check.published))
            for check in alterable
        ]
        assert [check for check in changed if check.status != "mismatch"] == []


def altered(printed: str) -> str:
    """Return a number that differs by one unit of its last digit, or a word with a letter more."""
    number = re.fullmatch(r"(.*\d)(e-?\d+)?", printed)
    if number is None:
        return f"{printed}x"
    digits, exponent = number.groups()
    last = int(digits[-1])
    return f"{digits[:-1]}{last + 1 if last < 9 else last - 1}{exponent or ''}"


def corrected(check: Check) -> str:
    """Return the computed number, rounded like the published number."""
    if isinstance(check.ours, str) or "/" in check.published:
        return str(check.ours)
    assert not isinstance(check.ours, tuple)
    mantissa, exponent, _ = check.published.partition("e")
    digits = len(mantissa.partition(".")[2])
    return f"{float(check.ours):.{digits}{exponent or 'f'}}"


@pytest.mark.slow
def test_stated_counts() -> None:
    page = (ROOT / "docs" / "published.md").read_text("utf-8")
    total = Counter[Status]()
    for key, title in SOURCES.items():
        count = Counter[Status](check.status for check in checks([key]))
        numbers = [count[status] for status in ("match", "source_error", "unexplained")]
        row = [title, f"`rollwise verify {key}`", count.total(), *numbers]
        assert f"| {' | '.join(map(str, row))} |" in page
        total += count
    numbers_match = f"numbers from four texts and several programs: {total['match']} match"
    assert f"{total.total():,} {numbers_match}" in page
    front = " ".join((ROOT / "README.md").read_text("utf-8").split())
    assert f"{total.total():,} published numbers" in front
    assert f"has {total['source_error']} errors in the publications" in front


def check(published: str, ours: ComputedValue, **options: Any) -> Check:
    """Return a check of a number in a table with the given options."""
    (checked,) = Table(
        "blog", "table", "title", lambda: [("row", published, ours)], **options
    ).checks()
    return checked


class TestCheck:
    @pytest.mark.parametrize(
        ("published", "ours", "matches"),
        [
            ("0.83", 0.8333, True),
            ("0.83", 0.8251, True),
            ("0.83", 0.8351, False),
            ("61", 60.7, True),
            ("252", 252, True),
            ("252", 253, False),
            ("3/4", Fraction(6, 8), True),
            ("3/4", Fraction(2, 3), False),
            ("1.7e170", 172 * 10**168, True),
            ("1.7e170", 18 * 10**169, False),
            ("01", ("0", "01"), True),
            ("1", ("0", "01"), False),
            ("248", (247, 248), True),
            ("sixes", "sixes", True),
            ("sixes", "ones", False),
        ],
    )
    def test_rounded(self, published: str, ours: ComputedValue, matches: bool) -> None:
        checked = check(published, ours)
        assert checked.matches is matches
        assert checked.status == ("match" if matches else "mismatch")
        listed = replace(checked, reason="why")
        assert listed.status == ("mismatch" if matches else "source_error")
        listed = replace(checked, reason=Unexplained("what"))
        assert listed.status == ("mismatch" if matches else "unexplained")

    def test_cut(self) -> None:
        third = Fraction(1, 3)
        assert check("0.3333", third, cut=True).matches
        assert check("0.666", 2 * third, cut=True).matches
        assert not check("0.666", 2 * third).matches
        assert check("0.667", 2 * third, cut=True).matches
        assert not check("0.668", 2 * third, cut=True).matches

    def test_simulated(self) -> None:
        # Three standard errors of a probability of 1/2 in 10,000 games are 1.5 percentage points.
        assert check("50", 51.9, games=10_000).matches
        assert not check("50", 52.1, games=10_000).matches

    @pytest.mark.parametrize(
        ("published", "ours", "shown"),
        [
            ("0.83", 0.8333333, "0.83333"),
            ("786432", 786432, "786,432"),
            ("3/4", Fraction(3, 4), "3/4"),
            ("7776", Fraction(7744), "7,744"),
            ("1.7e170", 172 * 10**168, "1.7200e+170"),
            ("0", ("0", "1"), "0 or 1"),
            ("yes", "no", "no"),
        ],
    )
    def test_formatted_ours(self, published: str, ours: ComputedValue, shown: str) -> None:
        assert check(published, ours).formatted_ours() == shown

    def test_words_have_no_difference(self) -> None:
        assert check("01", ("0", "01")).difference is None
        assert check("0.75", Fraction(1, 2)).difference == -0.25


class TestTable:
    def test_columns(self) -> None:
        def rows() -> list[Row]:
            return [("row", "1 - 5", [1, 2, 3], {"c": "why"})]

        table = Table("blog", "key", "title", rows, columns=("a", "b", "c"))
        found = [(check.what, check.published, check.status) for check in table.checks()]
        assert found == [("row a", "1", "match"), ("row c", "5", "source_error")]
        with pytest.raises(ValueError, match="longer"):
            list(replace(table, columns=("a", "b")).checks())

    def test_rows_that_are_games(self) -> None:
        def rows() -> list[Row]:
            return [("yatzy", "1", [1])]

        (check,) = Table("programs", "key", "title", rows, None, ("mean",)).checks()
        assert (check.rules, check.what) == ("yatzy", "mean")


def test_progress_counts_tables() -> None:
    seen: list[float] = []
    assert list(checks(["blog"], seen.append))
    assert seen == pytest.approx([1 / 4, 2 / 4, 3 / 4, 1])


def test_no_such_source() -> None:
    with pytest.raises(IllegalError, match="the groups are huber, verhoeff, blog, mince, programs"):
        list(checks(["nobody"]))
