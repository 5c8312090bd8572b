"""Compare the screens of ``tests/terminal_session.py`` with the saved screens."""

import pytest

from terminal_session import SAVED, SIZES, screens


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_each_screen_equals_the_saved_one(size: tuple[int, int]) -> None:
    files = SAVED.glob(f"*-{size[0]}x{size[1]}.txt")
    saved = {path.name: path.read_text("utf-8") for path in files}
    assert screens(*size, saved) == saved
