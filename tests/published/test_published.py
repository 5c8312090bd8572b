"""Test the comparison of published numbers with computed numbers."""

from dataclasses import replace
from fractions import Fraction

import pytest

from rollwise.errors import IllegalError
from rollwise.studies.published import GROUPS, Check, checks
from rollwise.studies.published.figures import SourceTable, compare_figures, read_source


def check(published: str, ours: object, **marks: object) -> Check:
    plain = Check("group", "table", "", "what", published, 0, "source", "place")
    return replace(plain, ours=ours, **marks)  # type: ignore[arg-type]


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
    def test_rounded(self, published: str, ours: object, matches: bool) -> None:
        checked = check(published, ours)
        assert checked.matches is matches
        assert checked.status == ("match" if matches else "mismatch")
        listed = replace(checked, source_error="why")
        assert listed.status == ("mismatch" if matches else "source_error")
        assert listed.reason == "why"
        listed = replace(checked, unexplained="what")
        assert listed.status == ("mismatch" if matches else "unexplained")
        assert listed.reason == "what"

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
    def test_formatted_ours(self, published: str, ours: object, shown: str) -> None:
        assert check(published, ours).formatted_ours() == shown

    def test_words_have_no_difference(self) -> None:
        assert check("01", ("0", "01")).difference is None
        assert check("0.75", Fraction(1, 2)).difference == -0.25


class TestTables:
    @pytest.mark.parametrize("group", GROUPS)
    def test_every_table_is_computed(self, group: str) -> None:
        assert list(read_source(group).tables) == sorted(
            GROUPS[group], key=list(read_source(group).tables).index
        )

    def test_wrong_rows_or_columns_are_an_error(self) -> None:
        source = read_source("blog")
        table = SourceTable("t", "title", {"row": ("1", "2")}, columns=("a", "b"))
        assert [figure.what for figure in compare_figures(source, table, {"row": [1, 2]})] == [
            "row a",
            "row b",
        ]
        with pytest.raises(ValueError, match="the rows must be"):
            compare_figures(source, table, {"other": [1, 2]})
        with pytest.raises(ValueError, match="shorter"):
            compare_figures(source, table, {"row": [1]})
        listed = replace(table, source_errors={"row c": "why"})
        with pytest.raises(ValueError, match="differences are listed for missing numbers"):
            compare_figures(source, listed, {"row": [1, 2]})
        twice = replace(table, source_errors={"row a": "why"}, unexplained={"row a": "what"})
        with pytest.raises(ValueError, match="a difference is listed twice"):
            compare_figures(source, twice, {"row": [1, 2]})

    def test_progress_counts_tables(self) -> None:
        seen: list[float] = []
        assert list(checks(["blog"], seen.append))
        assert seen == pytest.approx([1 / 5, 2 / 5, 3 / 5, 4 / 5, 1])

    def test_no_such_group(self) -> None:
        with pytest.raises(
            IllegalError, match="the groups are huber, verhoeff, blog, mince, programs"
        ):
            list(checks(["nobody"]))
