"""The layout: each part imports only parts that stand above it."""

import ast
from pathlib import Path

import pytest

import rollwise

ROOT = Path(rollwise.__file__).parent

ORDER = [
    ["errors", "files", "law", "frames"],
    ["tables"],
    ["decision"],
    ["rules"],
    ["dice", "scoring", "points", "classes"],
    ["outcomes"],
    ["consistency"],
    ["scorecard"],
    ["position"],
    ["notation", "reference", "model"],
    ["objectives", "goals", "reach", "turn", "kernels", "counts"],
    ["solution"],
    ["card_solution"],
    ["cache", "sweep"],
    ["strategies"],
    ["shares"],
    ["flow"],
    ["spread", "saving"],
    ["card_solver"],
    ["by_score"],
    ["solver"],
    ["advice", "evaluation", "curiosities", "parts"],
    ["published", "plots"],
    ["laboratory"],
    ["game_page"],
    ["game"],
    ["records"],
    ["review"],
    ["playing", "history"],
    ["terminal", "web"],
    ["cli"],
    ["__main__"],
]
RANK = {name: rank for rank, names in enumerate(ORDER) for name in names}
MODULES = sorted(path for path in ROOT.rglob("*.py") if path != ROOT / "__init__.py")


def room(path: Path) -> str:
    """Return the top-level name that a file belongs to."""
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def imports(path: Path) -> set[str]:
    """Return the top-level parts of the package that a file imports, wherever in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.ImportFrom) and node.module:
            if node.module == "rollwise":
                names = [f"rollwise.{alias.name}" for alias in node.names]
            else:
                names = [node.module]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        found |= {name.split(".")[1] for name in names if name.startswith("rollwise.")}
    return found - {"__version__"}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_up(path: Path) -> None:
    mine = room(path)
    for other in imports(path) - {mine}:
        assert RANK[other] <= RANK[mine], f"{mine} imports {other}"


def test_the_reference_knows_none_of_the_fast_parts() -> None:
    fast = {
        "dice",
        "model",
        "classes",
        "outcomes",
        "kernels",
        "turn",
        "reach",
        "solution",
        "solver",
        "objectives",
    }
    seen, fresh = set[str](), {"reference"}
    while fresh:
        seen |= fresh
        paths = [path for path in MODULES if room(path) in fresh]
        fresh = {name for path in paths for name in imports(path)} - seen
    assert not seen & fast


def test_kernels_see_no_rules() -> None:
    for path in MODULES:
        if room(path) == "kernels":
            assert imports(path) <= {"kernels", "dice"}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_modules_stay_readable(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 300
