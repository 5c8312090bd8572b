"""Check that durations in the documentation refer to the measurements in benchmarks/README.md."""

import re
import runpy
from pathlib import Path
from typing import Any

import pytest

from repository import DOCS, ROOT

PAGES = [ROOT / "README.md", *sorted(DOCS.glob("*.md"))]
TABLES = (ROOT / "benchmarks" / "README.md").read_text(encoding="utf-8")
DURATION = re.compile(
    r"\b(milliseconds?|seconds|minutes|hours|(half|tenth of|third of|fraction of|about) a second)\b"
)
NO_WAITS = (
    "In 15 minutes you get advice",  # the time of a reader
    "| try it in 15 minutes |",  # likewise
    "Yahtzee strategy in five minutes",  # the title of a page
    "Each lesson takes 30 to 40 minutes",  # likewise
    "`Retry-After`",
    "| promise | test | cases |",  # limits of the server
    "seconds until the head of a request arrives",  # a limit of the server
    "`python benchmarks/web.py --attack`",  # the duration of an attack
    "The browser offers those that need",
    "On two cores, Generala takes",  # beside a table of the solved games
    "sweep over the rest of the game for each position",
    "100,000 games each way took 7.2 minutes",  # the page shows the timed command
    "prints the table in 62 seconds",  # the page shows the timed command
    "The bounds for Crag took 67 seconds",  # beside a table with the timed command
    "In Yahtzee, the interval is 48.035",  # the command of the same table
    "0.87 to 0.94 microseconds per state",  # the page shows the command
    "56 seconds\nfor the 384 games",  # likewise
    "`python benchmarks/sweep.py`",
    "`mean`, `sd`, `bonus_reached`",  # the name of a column
    "That took 325 seconds on one core",  # the page shows the timed command
    "105 minutes of processor time",  # the page shows the timed command
    "run reads a layer once to check it",  # 18.4 GiB, only for users who save layers
)
"""The paragraphs with durations that are not waiting times of common commands."""


@pytest.fixture(scope="module")
def waits() -> dict[str, Any]:
    """Return the globals of the script that measures waiting times."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "benchmarks")
        return runpy.run_path(str(ROOT / "benchmarks" / "waits.py"))


def test_the_table_matches_the_script(waits: dict[str, Any]) -> None:
    section = TABLES.partition("## What people wait for")[2].partition("\n## ")[0]
    (first, *_) = re.findall(r"(?:^\|.*\n)+", section, flags=re.MULTILINE)
    table = first.splitlines()
    assert table[:2] == waits["head"]()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in table[2:]]
    assert [tuple(row[:2]) for row in cells] == [waits["label"](name) for name in waits["COMMANDS"]]
    name = next(iter(waits["COMMANDS"]))
    new_row = f"| {' | '.join(waits['label'](name))} | 1.00 s |"
    lines = waits["written"](TABLES, name, new_row).splitlines()
    changed = [
        after for before, after in zip(TABLES.splitlines(), lines, strict=True) if after != before
    ]
    assert changed in ([new_row], [new_row, waits["caption"]()])
    limits = [f"{most:g} s" if most else "" for _, most in waits["COMMANDS"].values()]
    assert [row[-2] for row in cells] == limits
    assert [bool(row[-1]) for row in cells] == [
        name in waits["PEERS"] for name in waits["COMMANDS"]
    ]


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_every_duration_links_to_its_measurement(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    text = re.sub(r"^#.*", "", text, flags=re.MULTILINE)  # headings state reading times
    for paragraph in re.split(r"\n\s*\n", text):
        if DURATION.search(paragraph) and not any(words in paragraph for words in NO_WAITS):
            assert "benchmarks/README.md" in paragraph, paragraph
