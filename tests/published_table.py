"""The table in ``docs/published.md``: the test for each part of the published sources.

    python tests/published_table.py          # print the table
    python tests/published_table.py --write  # update the page

Each source has a test class in ``tests/published`` with a method for each table of the source. A
picture or a statement without numbers has a method whose docstring describes it.
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
    """Return the test classes that name a source."""
    sys.path.insert(0, str(FOLDER))
    modules = [import_module(path.stem) for path in sorted(FOLDER.glob("test_*.py"))]
    objects = [member for module in modules for member in vars(module).values()]
    with_source = [cls for cls in objects if inspect.isclass(cls) and "source" in vars(cls)]
    return sorted(with_source, key=lambda cls: list(GROUPS).index(vars(cls)["source"]))


def parts(cls: type) -> dict[str, SourceTable | str]:
    """Return the part of the source that each test method covers: a table or a description."""
    tables = read_source(vars(cls)["source"]).tables
    by_method: dict[str, SourceTable | str] = {}
    for name, method in vars(cls).items():
        table = tables.get(name.removeprefix("test_"))
        words = (getattr(method, "__doc__", None) or "").partition("\n")[0].rstrip(".")
        if name.startswith("test_") and (table or words):
            by_method[name] = table or words
    return by_method


def printed() -> str:
    """Return the tables of all sources in Markdown."""
    lines: list[str] = []
    for cls in classes():
        source = read_source(vars(cls)["source"])
        total = sum(map(number, source.tables.values()))
        slips = sum(len(table.slips) for table in source.tables.values())
        path = Path(inspect.getfile(cls)).name
        lines += [
            f"**{source.title}**: {total} figures, {slips} slips; "
            f"`rollwise verify {source.key}`; `{cls.__name__}` in `tests/published/{path}`.",
            "",
            "| part | figures | slips | test |",
            "| --- | --- | --- | --- |",
            *(row(name, part) for name, part in parts(cls).items()),
            "",
        ]
    return "\n" + "\n".join(lines)


def row(name: str, part: SourceTable | str) -> str:
    """Return a table row for a part of a source."""
    if isinstance(part, str):
        return f"| {part} | – | – | `{name}` |"
    return f"| {part.title} | {number(part)} | {len(part.slips) or '–'} | `{name}` |"


def number(table: SourceTable) -> int:
    """Return the number of published numbers in a table."""
    return sum(cell != "-" for cells in table.rows.values() for cell in cells)


if __name__ == "__main__":
    if "--write" in sys.argv:
        page = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(MARK.sub(lambda _: printed(), page), encoding="utf-8")
    else:
        print(printed())
