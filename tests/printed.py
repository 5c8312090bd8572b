"""What holds of a printed table: a method of a test each."""

from rollwise.studies.published import held_figures


def held(group: str, table: str) -> None:
    """Check that every figure of a table is ours, but for its slips, which are not."""
    figures = held_figures(group, table)
    assert figures
    assert [figure for figure in figures if figure.missed] == []
