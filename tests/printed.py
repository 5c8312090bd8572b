"""Check of the published numbers of a table, used by one test method per table."""

from rollwise.studies.published import check_table


def held(group: str, table: str) -> None:
    """Check that all published numbers of a table match, except for the errors in the source."""
    checks = check_table(group, table)
    assert checks
    assert [check for check in checks if check.missed] == []
