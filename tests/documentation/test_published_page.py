"""Check that the table of published numbers is up to date, and every part has a test."""

from published_table import MARK, PAGE, classes, parts, printed
from rollwise.studies.published import GROUPS
from rollwise.studies.published.figures import read_source

TEXT = PAGE.read_text(encoding="utf-8")


def test_the_table_matches_the_tests() -> None:
    (shown,) = MARK.findall(TEXT)
    assert shown == printed()


def test_each_source_has_one_class_and_each_table_one_method() -> None:
    by_source = {vars(cls)["source"]: parts(cls) for cls in classes()}
    assert len(by_source) == len(classes())
    assert set(by_source) == set(GROUPS)
    for source, methods in by_source.items():
        tables = read_source(source).tables
        assert {f"test_{key}" for key in tables} <= set(methods)


def test_the_page_mentions_every_source() -> None:
    for group in GROUPS:
        assert f"rollwise verify {group}" in TEXT
