"""Read the dependencies between packages from their imports.

    python tests/architecture.py         # print every package with the packages that it imports
    python tests/architecture.py --draw  # update docs/images/architecture.svg

The table in CONTRIBUTING.md lists each package after the packages that it imports. A package that
uses ``from rollwise import`` depends on every package that defines a public name.
"""

import ast
import re
import sys
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent.parent
ROOT = HERE / "src" / "rollwise"
PICTURE = HERE / "docs" / "images" / "architecture.svg"
MODULES = sorted(path for path in ROOT.rglob("*.py") if path != ROOT / "__init__.py")

PUBLIC = "rollwise"
"""The name that stands for all public names, as if they were a package."""

NOT_DRAWN = (
    "errors",
    "files",
    "toml_files",
    "toml_errors",
    "cache_folder",
    "distribution",
    "settings",
    "__main__",
)

Import = tuple[str, str]
"""The name of the importing package, and the name of the imported package."""


def package(path: Path) -> str:
    """Return the top-level package or module of a file."""
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def order() -> list[str]:
    """Return the packages in the order of CONTRIBUTING.md, each after the packages it imports."""
    text = (HERE / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = re.search(r"\| what it contains \|\n\|[ |-]+\n((?:\|.*\n)+)", text)
    assert table is not None
    cells = [row.split("|")[1] for row in table[1].splitlines()]
    names = [name for cell in cells for name in re.findall(r"`(.+?)`", cell)]
    return [name.strip("/").removesuffix(".py") for name in names]


@cache
def imported_names(path: Path) -> frozenset[str]:
    """Return all names that a file imports from rollwise, as ``module.name``."""
    names = set[str]()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
    inside = {name.removeprefix("rollwise.") for name in names if name.startswith("rollwise")}
    of_package = {name for name in inside if "." in name or (ROOT / name).is_dir()}
    return frozenset(of_package | ({PUBLIC} if inside - of_package - {"__version__"} else set()))


def packages_of_public_names() -> set[str]:
    """Return the packages that define public names."""
    return {name.split(".")[0] for name in imported_names(ROOT / "__init__.pyi")} - {PUBLIC}


def package_imports() -> set[Import]:
    """Return all pairs of an importing package and an imported package."""
    return {
        (package(path), name.split(".")[0])
        for path in MODULES
        for name in imported_names(path)
        if name.split(".")[0] != package(path)
    }


def module_imports() -> dict[str, set[str]]:
    """Return the modules that each module imports, by their dotted names."""
    paths = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in MODULES}
    modules = {name.removesuffix(".__init__"): path for name, path in paths.items()}

    def module_of(name: str) -> str:
        return name if name in modules else name.rpartition(".")[0]

    return {
        module: {module_of(name) for name in imported_names(path)} & set(modules) - {module}
        for module, path in modules.items()
    }


def import_cycles() -> list[set[str]]:
    """Return the sets of modules that import each other, directly or indirectly."""
    reached = module_imports()
    for through in reached:  # the transitive closure, by Warshall's algorithm
        for names in reached.values():
            if through in names:
                names |= reached[through]
    cycles = (
        {other for other in names if module in reached[other]} for module, names in reached.items()
    )
    return [set(cycle) for cycle in dict.fromkeys(frozenset(cycle) for cycle in cycles) if cycle]


def essential(pairs: set[Import], names: list[str]) -> set[Import]:
    """Return the transitive reduction: the imports that no chain of other imports implies."""
    below: dict[str, set[str]] = {}
    for name in names:  # each package comes after the packages that it imports
        direct = {other for importer, other in pairs if importer == name}
        below[name] = direct.union(*(below.get(other, set()) for other in direct))
    return {
        (importer, other)
        for importer, other in pairs
        if not any(
            other in below[via] for start, via in pairs if start == importer and via != other
        )
    }


def picture() -> str:
    """Return the SVG picture, with each package above the packages that it imports."""
    names = [name for name in order() if name not in NOT_DRAWN]
    public = packages_of_public_names()
    pairs = {(a, c) for a, b in package_imports() for c in (public if b == PUBLIC else {b})}
    drawn = essential({(a, b) for a, b in pairs if a in names and b in names}, names)
    level: dict[str, int] = {}
    for name in names:
        level[name] = max((level[other] + 1 for user, other in drawn if user == name), default=0)
    for name in names:  # draw a package without imports just below the first package that uses it
        users = [level[user] - 1 for user, other in drawn if other == name]
        if level[name] == 0 and users:
            level[name] = min(users)
    width, box, step = 720, 136, 74
    center: dict[str, tuple[int, int]] = {}
    for number in range(max(level.values()) + 1):
        above = {
            name: [center[other][0] for user, other in drawn if user == name]
            for name in names
            if level[name] == number
        }
        row = sorted(above, key=lambda name: sum(above[name]) / len(above[name] or "-"))
        for i, name in enumerate(row, start=1):
            center[name] = width * i // (len(row) + 1), 34 + number * step
    height = 20 + step * (max(level.values()) + 1)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        'font-family="sans-serif" font-size="14" role="img" aria-label="Which package imports '
        'which">',
        "<style>path,rect{stroke:#47566b;fill:none}rect{fill:#eef2f8}text{fill:#17202c;"
        "text-anchor:middle}@media(prefers-color-scheme:dark){path,rect{stroke:#93a4bd}"
        "rect{fill:#1d2733}text{fill:#e6edf5}}</style>",
    ]
    for user, other in sorted(drawn):
        (x, y), (to_x, to_y) = center[user], center[other]
        lines.append(
            f'<path d="M{x} {y - 17}C{x} {y - 45} {to_x} {to_y + 45} {to_x} {to_y + 17}"/>'
        )
    for name, (x, y) in center.items():
        lines.append(f'<rect x="{x - box // 2}" y="{y - 17}" width="{box}" height="34" rx="6"/>')
        lines.append(f'<text x="{x}" y="{y + 5}">{name}</text>')
    return "\n".join([*lines, "</svg>", ""])


def main(draw: bool) -> None:
    """Print every package with the packages that it imports, or update the picture."""
    if draw:
        PICTURE.write_text(picture(), encoding="utf-8")
        return
    pairs, names = package_imports(), order()
    for name in names:
        imported = ", ".join(n for n in [PUBLIC, *names] if (name, n) in pairs)
        print(f"{name:17} → {imported or '–'}")
    print(f"{len(names)} packages and modules at the top, {len(pairs)} imports between them")


if __name__ == "__main__":
    main("--draw" in sys.argv[1:])
