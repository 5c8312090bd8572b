"""A function that checks the published numbers in a table; each table has a test that calls it."""

from rollwise.studies.published import check_table


def held(group: str, table: str) -> None:
    """Check that all published numbers in a table match, except for listed differences."""
    checks = check_table(group, table)
    assert checks
    assert [check for check in checks if check.status == "mismatch"] == []
