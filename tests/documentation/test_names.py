"""Check that the files and objects that the documentation and the docstrings name exist."""

import re
from importlib import import_module
from inspect import getmembers
from pathlib import Path
from pkgutil import resolve_name
from types import ModuleType

import pytest

import rollwise
from repository import DOCS, ROOT

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.glob("*.md"))]
MODULES = sorted((ROOT / "src").rglob("*.py"))
OF_A_READER = ("my.py", "NAME.py")
"""Files that readers write themselves."""


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_files_named_on_a_page(page: Path) -> None:
    places = (ROOT, ROOT / "src" / "rollwise", ROOT / "tests", ROOT / "tests" / "published")
    for name in re.findall(r"`([\w/-]+\.py)`", page.read_text(encoding="utf-8")):
        if not name.endswith(OF_A_READER):
            assert any((place / name).exists() for place in places), name


def exists(name: str) -> bool:
    """Return whether a module, an object in it, or a field of a class has this name."""
    try:
        resolve_name(name)
    except (ImportError, AttributeError):
        owner, _, field = name.rpartition(".")
        return field in getattr(resolve_name(owner), "__annotations__", ())
    return True


def test_objects_named_in_docstrings() -> None:
    named = {
        name
        for path in MODULES
        for name in re.findall(r":\w+:`~?(rollwise[\w.]+)`", path.read_text(encoding="utf-8"))
    }
    assert len(named) > 20
    assert [name for name in sorted(named) if not exists(name)] == []


def test_public_modules_show_only_their_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(DOCS)
    from directives.names import MODULES as PUBLIC

    modules = [import_module(name) for name in PUBLIC]
    values = [value for _, value in getmembers(rollwise)]
    assert {value for value in values if isinstance(value, ModuleType)} <= set(modules)
    for module in set(modules) - {rollwise}:
        assert dir(module) == sorted(module.__all__)
        assert [name for name in module.__all__ if not hasattr(module, name)] == []
