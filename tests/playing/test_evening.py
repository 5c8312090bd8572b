"""A whole evening in a terminal, screen by screen, as ``tests/evening.py`` plays it."""

import pytest

from evening import KEPT, SIZES, screens


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_each_screen_shows_what_is_kept(size: tuple[int, int]) -> None:
    kept = {path.name: path.read_text("utf-8") for path in KEPT.glob(f"*-{size[0]}x{size[1]}.txt")}
    assert screens(*size, kept) == kept
