"""What holds of a printed table: a method of a test each."""

from rollwise.studies.published import check_table


def held(group: str, table: str) -> None:
    """Check that every figure of a table is ours, but for its slips, which are not."""
    figures = check_table(group, table)
    assert figures
    assert [figure for figure in figures if figure.missed] == []
