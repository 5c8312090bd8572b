"""Check that tables and titles never break a word."""

import pytest
from rich.console import Console

from rollwise.cli.common import empty_table
from rollwise.cli.word_table import wrapped_at_commas

ROWS = [
    ("yatzy-pair-in-two-pairs", "Yatzy, a pair may score in Two Pairs", "15"),
    ("crag", "Crag", "13"),
]
WORDS = [word for row in ROWS for cell in row for word in cell.split()]


def printed(width: int) -> list[str]:
    """Return the lines of a table on a console of the given width."""
    table = empty_table("name", "game", ">categories")
    for row in ROWS:
        table.add_row(*row)
    console = Console(width=width)
    with console.capture() as capture:
        console.print(table)
    return [line.rstrip() for line in capture.get().splitlines()]


@pytest.mark.parametrize("width", range(24, 90))
def test_words_stay_whole(width: int) -> None:
    lines = printed(width)
    assert max(map(len, lines)) <= width
    words = {word for line in lines for word in line.split()}
    assert set(WORDS) <= words


def test_columns_of_a_wide_table() -> None:
    assert [line.split()[0] for line in printed(90)] == ["name", "yatzy-pair-in-two-pairs", "crag"]


def test_blocks_of_a_narrow_table() -> None:
    assert printed(30) == [
        "yatzy-pair-in-two-pairs",
        "  game Yatzy, a pair may score",
        "  in Two Pairs",
        "  categories 15",
        "crag",
        "  game Crag",
        "  categories 13",
    ]


def test_a_scorecard_is_wrapped_after_commas() -> None:
    text = "Yahtzee: card ones=3,three-of-a-kind=22,full-house=25"
    assert wrapped_at_commas(text, 30).splitlines() == [
        "Yahtzee: card ones=3,",
        "three-of-a-kind=22,",
        "full-house=25",
    ]
    assert wrapped_at_commas(text, 1000) == text
