"""Test output to pipes and to terminals with 40 to 250 columns, few features, or odd encodings."""

import re
from pathlib import Path

import pytest

from command_screens import shown
from commands import run
from rollwise.rules import load_rules

SMALL = ("--rules", "micro-yahtzee")
RECORD = "players: Ada, Ben\nrules: micro-yahtzee\n5 double\n4 square\n"


class TestPipes:
    """Check that tables in a pipe are not folded."""

    def test_a_table_is_wide_enough_for_its_cells(self) -> None:
        out = run("rules", "show", "kniffel-extreme")[1]
        for category in load_rules("kniffel-extreme").categories:
            (line,) = [row for row in out.splitlines() if row.startswith(f"{category.title}  ")]
            assert f" {category.key} " in line

    def test_a_table_wider_than_any_screen(self, tmp_path: Path) -> None:
        (game := tmp_path / "game.txt").write_text(RECORD.replace("Ada, Ben", NAMES))
        (line,) = [row for row in run("review", str(game))[1].splitlines() if "points so" in row]
        assert len(line) > 240
        assert line.split() == ["points", "so", "far", "10", "16", *["0"] * 6]


NAMES = ", ".join(f"Someone with as long a name as it may {n}" for n in range(1, 9))


@pytest.mark.parametrize(
    ("columns", "terminal"),
    [
        (40, {}),
        (80, {}),
        (250, {}),
        (40, {"NO_COLOR": "1"}),
        (40, {"TERM": "dumb"}),
        (40, {"encoding": "ascii"}),
        (80, {"encoding": "latin-1"}),
    ],
)
def test_no_letter_is_lost_on_any_terminal(
    columns: int, terminal: dict[str, str], tmp_path: Path
) -> None:
    """Check that a terminal, where tables are folded, shows every letter that a pipe receives."""
    (game := tmp_path / "game.txt").write_text(RECORD)
    for command in (
        ("advise", "4", *SMALL, "--no-explain"),
        ("review", str(game)),
        ("rules", "show", "micro-yahtzee"),
    ):
        text = shown(columns, 200, *command, **terminal)
        assert letters(text) == letters(run(*command)[1])


def letters(text: str) -> list[str]:
    """Return the letters and digits of a string in sorted order, because words may be folded."""
    return sorted(re.findall(r"[A-Za-z0-9]", text))
