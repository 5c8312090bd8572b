"""Check that fingerprints keep cached results valid only if an edit does not change the meaning."""

from pathlib import Path

import pytest

from rollwise.fingerprint import PACKAGE, fingerprint

MODULE = '''
"""How a table is solved."""

import numpy as np

from rollwise.model.lattice import points

LIMIT = 5


def solve(rolls: int, faces: int = 6) -> float:
    """Return the value."""
    total, weight = 0.0, 1
    for dice in points(rolls):  # all of them

        def share(value: float) -> float:
            return value * weight

        total += share(np.maximum(dice, faces))
    return total
'''
OTHER = "def points(rolls):\n    return range(rolls)\n"

WORDING = [
    ('"""How a table is solved."""', '"""How a value table is solved."""'),
    ('    """Return the value."""\n', ""),
    ("  # all of them", ""),
    ("\n\nLIMIT", "\nLIMIT"),
    ("dice", "roll"),
    ("weight", "factor"),
    ("total", "result"),
]

MEANING = [
    ("LIMIT = 5", "LIMIT = 6"),
    ("LIMIT", "MOST"),
    ("total, weight = 0.0, 1", "weight, total = 0.0, 1"),
    ("return value * weight", "return value * total"),
    ("return value * weight", "return value + weight"),
    ("np.maximum", "np.minimum"),
    ("faces)", "rolls)"),
    ("faces", "sides"),
    ("faces: int = 6", "faces: int = 8"),
    ("import points", "import edges as points"),
    ("points(rolls)", "share(rolls)"),
]


def edited(old: str, new: str) -> str:
    """Return the module with one edit."""
    assert old in MODULE
    return MODULE.replace(old, new)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder that contains two modules; fingerprints are saved in another folder."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "compiled"))
    code = tmp_path / "code"
    code.mkdir()
    (code / "solver.py").write_text(MODULE)
    (code / "lattice.py").write_text(OTHER)
    return code


def fingerprint_of(folder: Path) -> str:
    fingerprint.cache_clear()
    first = fingerprint(folder)
    fingerprint.cache_clear()
    assert fingerprint(folder) == first, "read back from the saved one"
    return first


@pytest.mark.parametrize(("old", "new"), WORDING)
def test_wording_does_not_count(folder: Path, old: str, new: str) -> None:
    before = fingerprint_of(folder)
    (folder / "solver.py").write_text(edited(old, new))
    assert fingerprint_of(folder) == before


@pytest.mark.parametrize(("old", "new"), MEANING)
def test_meaning_counts(folder: Path, old: str, new: str) -> None:
    before = fingerprint_of(folder)
    (folder / "solver.py").write_text(edited(old, new))
    assert fingerprint_of(folder) != before


def test_names_of_modules_do_not_count(folder: Path) -> None:
    before = fingerprint_of(folder)
    (folder / "solver.py").rename(folder / "table_solver.py")
    (folder / "lattice.py").rename(folder / "graph.py")
    text = MODULE.replace("rollwise.model.lattice", "rollwise.solving.graph")
    (folder / "table_solver.py").write_text(text)
    assert fingerprint_of(folder) == before


def test_an_import_from_another_module_counts(folder: Path) -> None:
    (folder / "twin.py").write_text(OTHER.replace("range(rolls)", "range(2 * rolls)"))
    before = fingerprint_of(folder)
    (folder / "solver.py").write_text(MODULE.replace("model.lattice", "model.twin"))
    assert fingerprint_of(folder) != before


def test_names_of_inner_functions_do_not_hide_outer_variables(folder: Path) -> None:
    def module(result: str) -> str:
        return (
            "def f(a):\n    b, c = a\n    def g(b):\n        d = 1\n        def h():\n"
            f"            e = 2\n            return {result}\n        return h\n    return g\n"
        )

    keys = set()
    for result in "abcde":
        (folder / "solver.py").write_text(module(result))
        keys.add(fingerprint_of(folder))
    assert len(keys) == 5


def test_data_counts_only_if_requested(folder: Path) -> None:
    (folder / "page.toml").write_text("points = 1")
    keys = [fingerprint(folder), fingerprint(folder, suffixes=(".py", ".toml"))]
    fingerprint.cache_clear()
    (folder / "page.toml").write_text("points = 2")
    assert fingerprint(folder) == keys[0]
    assert fingerprint(folder, suffixes=(".py", ".toml")) != keys[1]


def test_an_unwritable_folder_is_ignored(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = fingerprint_of(folder)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(folder / "solver.py"))
    assert fingerprint_of(folder) == before


def test_a_changed_docstring_keeps_the_keys_of_the_package(tmp_path: Path) -> None:
    parts = [PACKAGE / part for part in ("rules", "model", "solving")]
    before = fingerprint(*parts)
    for part in parts:
        for path in part.rglob("*.py"):
            copy = tmp_path / path.relative_to(PACKAGE)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(path.read_text().replace('"""', '"""Reworded. ', 1))
    assert fingerprint(*(tmp_path / part.name for part in parts)) == before


@pytest.mark.parametrize("damage", [b"", b"0123", b"../../somewhere!", b"\xff" * 16])
def test_a_damaged_saved_fingerprint_is_computed_again(folder: Path, damage: bytes) -> None:
    before = fingerprint_of(folder)
    (saved,) = (folder.parent / "compiled").rglob("fingerprint.*")
    saved.write_bytes(damage)
    assert fingerprint_of(folder) == before
