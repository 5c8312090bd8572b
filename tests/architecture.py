"""The house as its imports tell it: rooms, arrows between them, a picture.

    python tests/architecture.py         # rooms, arrows, who imports whom
    python tests/architecture.py --draw  # docs/images/architecture.svg anew

A *room* is a package or a module at the top of ``src/rollwise``; an *arrow* goes from a room to one
that it imports. The order of the rooms stands in the table of CONTRIBUTING.md alone. A room that
imports names as users do, ``from rollwise import``, stands on the *door*: that is one arrow, and
the room comes after every room that the door opens.
"""

import ast
import re
import sys
from pathlib import Path

HERE = Path(__file__).parent.parent
ROOT = HERE / "src" / "rollwise"
PICTURE = HERE / "docs" / "images" / "architecture.svg"
MODULES = sorted(path for path in ROOT.rglob("*.py") if path != ROOT / "__init__.py")

DOOR = "rollwise"

Arrow = tuple[str, str]


def room(path: Path) -> str:
    """Return the room that a file belongs to."""
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def order() -> list[str]:
    """Return the rooms in the order of CONTRIBUTING.md, those that others stand on first."""
    text = (HERE / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = re.search(r"\| what lives there \|\n\|[ |-]+\n((?:\|.*\n)+)", text)
    assert table is not None
    cells = [row.split("|")[1] for row in table[1].splitlines()]
    names = [name for cell in cells for name in re.findall(r"`(.+?)`", cell)]
    return [name.strip("/").removesuffix(".py") for name in names]


def imports(path: Path) -> set[str]:
    """Return the modules of the package that a file imports, wherever in it; or the door."""
    found = set[str]()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    inside = {name.removeprefix("rollwise.") for name in found if name.startswith("rollwise.")}
    return {name if "." in name else DOOR for name in inside - {"__version__"}}


def opened() -> set[str]:
    """Return the rooms that the door opens."""
    return {name.split(".")[0] for name in imports(ROOT / "__init__.py")} - {DOOR}


def arrows() -> set[Arrow]:
    """Return which rooms import which others."""
    return {
        (room(path), name.split(".")[0])
        for path in MODULES
        for name in imports(path)
        if name.split(".")[0] != room(path)
    }


def essential(found: set[Arrow], names: list[str]) -> set[Arrow]:
    """Return the arrows that no path of others stands for: the transitive reduction."""
    below: dict[str, set[str]] = {}
    for name in names:  # in order: what is imported comes first
        direct = {other for one, other in found if one == name}
        below[name] = direct.union(*(below.get(other, set()) for other in direct))
    return {
        (one, other)
        for one, other in found
        if not any(other in below[via] for start, via in found if start == one and via != other)
    }


def picture() -> str:
    """Return the house as SVG: each room below all that it imports, redundant arrows left out."""
    names = [name for name in order() if name not in ("errors", "files", "fingerprint", "law", "__main__")]
    through = {(a, c) for a, b in arrows() for c in (opened() if b == DOOR else {b})}
    drawn = essential({(a, b) for a, b in through if a in names and b in names}, names)
    floor: dict[str, int] = {}
    for name in names:
        floor[name] = max((floor[other] + 1 for one, other in drawn if one == name), default=0)
    for name in names:  # who stands on nothing, stands just above the first that needs it
        if floor[name] == 0:
            floor[name] = min(floor[one] - 1 for one, other in drawn if other == name)
    width, box, step = 720, 116, 74
    spot: dict[str, tuple[int, int]] = {}
    for level in range(max(floor.values()) + 1):
        above = {
            name: [spot[other][0] for one, other in drawn if one == name]
            for name in names
            if floor[name] == level
        }
        row = sorted(above, key=lambda name: sum(above[name]) / len(above[name] or "-"))
        for i, name in enumerate(row, start=1):
            spot[name] = width * i // (len(row) + 1), 34 + level * step
    height = 20 + step * (max(floor.values()) + 1)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        'font-family="sans-serif" font-size="15" role="img" aria-label="Which package imports '
        'which">',
        "<style>path,rect{stroke:#47566b;fill:none}rect{fill:#eef2f8}text{fill:#17202c;"
        "text-anchor:middle}@media(prefers-color-scheme:dark){path,rect{stroke:#93a4bd}"
        "rect{fill:#1d2733}text{fill:#e6edf5}}</style>",
    ]
    for one, other in sorted(drawn):
        (x, y), (to_x, to_y) = spot[one], spot[other]
        lines.append(
            f'<path d="M{x} {y - 17}C{x} {y - 45} {to_x} {to_y + 45} {to_x} {to_y + 17}"/>'
        )
    for name, (x, y) in spot.items():
        lines.append(f'<rect x="{x - box // 2}" y="{y - 17}" width="{box}" height="34" rx="6"/>')
        lines.append(f'<text x="{x}" y="{y + 5}">{name}</text>')
    return "\n".join([*lines, "</svg>", ""])


def main(draw: bool) -> None:
    """Print every room with what it imports and the counts, or draw the picture."""
    if draw:
        PICTURE.write_text(picture(), encoding="utf-8")
        return
    found, names = arrows(), order()
    for name in names:
        print(f"{name:12} → {', '.join(n for n in [DOOR, *names] if (name, n) in found) or '–'}")
    print(f"{len(names)} rooms, {len(found)} arrows")


if __name__ == "__main__":
    main("--draw" in sys.argv[1:])
