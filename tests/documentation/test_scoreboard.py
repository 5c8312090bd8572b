"""Check that the scoreboard in the documentation is the output of its script."""

import pytest

from scoreboard import MARK, PAGE, printed


@pytest.mark.slow
def test_the_table_is_up_to_date() -> None:
    table = MARK.search(PAGE.read_text("utf-8"))
    assert table is not None
    assert table[0] == printed()
