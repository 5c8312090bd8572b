"""Durations in the documentation refer to the measurements in benchmarks/README.md."""

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
    "`Retry-After`",
    "seconds until the head of a request is there",  # limits of a server
    "`python benchmarks/web.py --attack`",  # how long clients attacked
    "The browser offers those that need",
    "On two quiet cores Generala so takes",  # with the table of what was solved before it
    "sweep over the rest of the game for each position",
    "100,000 games each way took 7.2 minutes",  # with the command that was timed beside it
    "prints them; 62 seconds of CPU time",  # with the command that was timed beside it
    "in 67 seconds of CPU time",  # in the same way
    "`rollwise duel --rules yahtzee --bracket --games 20`",  # the command that was timed
    "microseconds a lead. Of 7 boxes",  # with the command that prints it beside it
    "56 seconds for the\n384 of these games",  # in the same way
    "`python benchmarks/sweep.py`",
    "`mean`, `sd`, `bonus_reached`",  # the name of a column
    "That took 325 seconds of one processor",  # with the command that was timed beside it
    "105 minutes of processor time",  # with the command that was timed beside it
    "run reads a layer once to check it",  # 18.4 GiB of them: for whoever keeps them
)
"""Paragraphs with durations that are not the waiting times of common commands."""


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
    text = re.sub(r"^#.*", "", text, flags=re.MULTILINE)  # the time of a reader
    for paragraph in re.split(r"\n\s*\n", text):
        if DURATION.search(paragraph) and not any(words in paragraph for words in NO_WAITS):
            assert "benchmarks/README.md" in paragraph, paragraph
