"""The scoreboard is what its script prints."""

import pytest

from scoreboard import MARK, PAGE, printed


@pytest.mark.slow
def test_the_table_is_what_is_printed() -> None:
    found = MARK.search(PAGE.read_text("utf-8"))
    assert found is not None
    assert found[0] == printed()
