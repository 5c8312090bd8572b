"""The layout: game and model never meet, and each room imports only rooms that stand above it."""

from pathlib import Path

import pytest

from architecture import (
    DOOR,
    MODULES,
    PICTURE,
    ROOT,
    arrows,
    imports,
    opened,
    order,
    picture,
    room,
)

RANK = {name: rank for rank, name in enumerate(order())}
RANK[DOOR] = max(RANK[name] for name in opened())


def test_game_and_model_never_meet() -> None:
    assert ("game", "model") not in arrows()
    assert ("model", "game") not in arrows()


def test_the_table_has_every_room_once() -> None:
    assert sorted(order()) == sorted({room(path) for path in MODULES})


def test_few_files_stand_at_the_top() -> None:
    assert len(list(ROOT.glob("*.py"))) <= 7


def test_who_comes_through_the_door_stands_behind_all_that_it_opens() -> None:
    assert ("learning", DOOR) in arrows()
    assert {"game", "laboratory", "reviews"} <= opened()


def test_arrows_point_up() -> None:
    assert [pair for pair in arrows() if RANK[pair[1]] > RANK[pair[0]]] == []


def test_rooms_are_few_and_so_are_their_arrows() -> None:
    assert len(arrows()) <= 110


def test_the_picture_is_drawn_from_the_imports() -> None:
    assert PICTURE.read_text(encoding="utf-8") == picture()


def test_kernels_see_no_rules() -> None:
    for path in (ROOT / "solving" / "kernels").glob("*.py"):
        for name in imports(path):
            assert name.startswith(("solving.kernels.", "model.lattice.", "files.", "fingerprint."))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_modules_stay_readable(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 300
