"""Which test holds which part of the published sources, as a table of ``docs/published.md``.

    python tests/published_table.py          # the table
    python tests/published_table.py --write  # the page with the table anew

A class of ``tests/published`` that names its source has a method for each table of it, and for each
picture or statement without figures one whose first line says what it is.
"""

import inspect
import re
import sys
from importlib import import_module
from pathlib import Path

from rollwise.studies.published import GROUPS
from rollwise.studies.published.figures import SourceTable, read_source

FOLDER = Path(__file__).parent / "published"
PAGE = Path(__file__).parent.parent / "docs" / "published.md"
MARK = re.compile(r"(?<=<!-- python tests/published_table.py -->\n).*?(?=<!-- end -->)", re.DOTALL)


def classes() -> list[type]:
    """Return the classes that name a source."""
    sys.path.insert(0, str(FOLDER))
    modules = [import_module(path.stem) for path in sorted(FOLDER.glob("test_*.py"))]
    everything = [one for module in modules for one in vars(module).values()]
    found = [one for one in everything if inspect.isclass(one) and "source" in vars(one)]
    return sorted(found, key=lambda one: list(GROUPS).index(vars(one)["source"]))


def parts(one: type) -> dict[str, SourceTable | str]:
    """Return what each method of a class holds: a table of figures, or something else in words."""
    tables = read_source(vars(one)["source"]).tables
    found: dict[str, SourceTable | str] = {}
    for name, method in vars(one).items():
        table = tables.get(name.removeprefix("test_"))
        words = (getattr(method, "__doc__", None) or "").partition("\n")[0].rstrip(".")
        if name.startswith("test_") and (table or words):
            found[name] = table or words
    return found


def printed() -> str:
    """Return the tables of all sources."""
    lines: list[str] = []
    for one in classes():
        source = read_source(vars(one)["source"])
        figures = sum(map(number, source.tables.values()))
        slips = sum(len(table.slips) for table in source.tables.values())
        path = Path(inspect.getfile(one)).name
        lines += [
            f"**{source.title}**: {figures} figures, {slips} slips; "
            f"`rollwise verify {source.key}`; `{one.__name__}` in `tests/published/{path}`.",
            "",
            "| part | figures | slips | test |",
            "| --- | --- | --- | --- |",
            *(row(name, part) for name, part in parts(one).items()),
            "",
        ]
    return "\n" + "\n".join(lines)


def row(name: str, part: SourceTable | str) -> str:
    """Return a row of the table."""
    if isinstance(part, str):
        return f"| {part} | – | – | `{name}` |"
    return f"| {part.title} | {number(part)} | {len(part.slips) or '–'} | `{name}` |"


def number(table: SourceTable) -> int:
    """Return how many figures a table has."""
    return sum(cell != "-" for cells in table.rows.values() for cell in cells)


if __name__ == "__main__":
    if "--write" in sys.argv:
        page = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(MARK.sub(lambda _: printed(), page), encoding="utf-8")
    else:
        print(printed())
