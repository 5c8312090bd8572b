"""Check the length, the references, and the numbers of the paper."""

import re

from repository import ROOT
from rollwise.rules import preset_names

PAPER = ROOT / "paper"
BODY = (PAPER / "paper.md").read_text("utf-8").split("---\n", 2)[2]


def test_the_length_is_within_the_limits_of_the_journal() -> None:
    assert 250 <= len(BODY.split()) <= 1_000


def test_the_text_cites_every_entry_of_the_bibliography() -> None:
    entries = re.findall(r"^@\w+\{(\w+),$", (PAPER / "paper.bib").read_text("utf-8"), re.MULTILINE)
    assert set(re.findall(r"@(\w+)", BODY)) == set(entries)


def test_the_numbers_are_those_of_the_documentation() -> None:
    assert f"{len(preset_names())} games and variants" in BODY
    tested = (ROOT / "README.md").read_text("utf-8")
    comparison = (ROOT / "docs" / "comparison.md").read_text("utf-8")
    for number in re.findall(r"\d+\.\d{2,}", BODY):
        assert number in tested + comparison, number
