"""Generate the table in ``docs/published.md``: the test for each part of the published sources.

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
    """Return the part of the source that each test method covers, as a table or a description."""
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
        tables = source.tables.values()
        errors = sum(len(table.source_errors) for table in tables)
        unexplained = sum(len(table.unexplained) for table in tables)
        path = Path(inspect.getfile(cls)).name
        lines += [
            f"**{source.title}**: {counted(sum(map(number, tables)), 'number')}, "
            f"{counted(errors, 'proved error')}, {unexplained} unexplained; "
            f"`rollwise verify {source.key}`; `{cls.__name__}` in `tests/published/{path}`.",
            "",
            "| part | numbers | errors | unexplained | test |",
            "| --- | --- | --- | --- | --- |",
            *(row(name, part) for name, part in parts(cls).items()),
            "",
        ]
    return "\n" + "\n".join(lines)


def counted(count: int, noun: str) -> str:
    """Return a count with its noun in the singular or plural."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def row(name: str, part: SourceTable | str) -> str:
    """Return a table row for a part of a source."""
    if isinstance(part, str):
        return f"| {part} | – | – | – | `{name}` |"
    cells = number(part), len(part.source_errors) or "–", len(part.unexplained) or "–"
    return f"| {part.title} | {' | '.join(map(str, cells))} | `{name}` |"


def number(table: SourceTable) -> int:
    """Count the published numbers in a table."""
    return sum(cell != "-" for cells in table.rows.values() for cell in cells)


if __name__ == "__main__":
    if "--write" in sys.argv:
        page = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(MARK.sub(lambda _: printed(), page), encoding="utf-8")
    else:
        print(printed())
