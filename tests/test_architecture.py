"""Check that packages import only packages listed above them, and no imports form a cycle."""

from architecture import (
    MODULES,
    PICTURE,
    PUBLIC,
    ROOT,
    import_cycles,
    imported_names,
    order,
    package,
    package_imports,
    packages_of_public_names,
    picture,
)

RANK = {name: rank for rank, name in enumerate(order())}
RANK[PUBLIC] = max(RANK[name] for name in packages_of_public_names())


def test_game_and_model_never_import_each_other() -> None:
    assert ("game", "model") not in package_imports()
    assert ("model", "game") not in package_imports()


def test_every_package_is_listed_once() -> None:
    assert sorted(order()) == sorted({package(path) for path in MODULES})


def test_packages_import_only_packages_listed_above_them() -> None:
    assert [pair for pair in package_imports() if RANK[pair[1]] > RANK[pair[0]]] == []


def test_users_of_public_names_come_after_the_packages_of_these_names() -> None:
    assert ("cli", PUBLIC) in package_imports()
    assert {"game", "experiments", "reviews"} <= packages_of_public_names()


def test_no_module_imports_itself_through_others() -> None:
    assert import_cycles() == []


def test_kernels_know_no_rules() -> None:
    known = ("cache_folder.", "files.", "model.dice_lattice.", "solving.kernels.", "solving.rows.")
    for path in (ROOT / "solving" / "kernels").glob("*.py"):
        for name in imported_names(path):
            assert name.startswith(known)


def test_the_picture_is_drawn_from_the_imports() -> None:
    assert PICTURE.read_text(encoding="utf-8") == picture()
