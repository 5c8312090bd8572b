"""The page of published figures: its table is that of the tests, and no part has none."""

from published_table import MARK, PAGE, classes, parts, printed
from rollwise.studies.published import GROUPS
from rollwise.studies.published.figures import read_source

TEXT = PAGE.read_text(encoding="utf-8")


def test_the_table_is_that_of_the_tests() -> None:
    (shown,) = MARK.findall(TEXT)
    assert shown == printed()


def test_each_source_has_one_class_and_each_table_one_method() -> None:
    found = {vars(one)["source"]: parts(one) for one in classes()}
    assert len(found) == len(classes())
    assert set(found) == set(GROUPS)
    for source, methods in found.items():
        tables = read_source(source).tables
        assert {f"test_{key}" for key in tables} <= set(methods)


def test_every_slip_is_of_a_source_that_the_page_speaks_of() -> None:
    for group in GROUPS:
        assert f"rollwise verify {group}" in TEXT
