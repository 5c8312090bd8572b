"""Check the length, the references, and the numbers of the paper."""

import re

import yaml

from repository import ROOT
from rollwise.rules import preset_names

PAPER = ROOT / "paper"
HEAD, BODY = (PAPER / "paper.md").read_text("utf-8").split("---\n", 2)[1:]


def test_the_length_is_within_the_limits_of_the_journal() -> None:
    assert 250 <= len(BODY.split()) <= 1_000


def test_the_head_and_the_sections_are_complete() -> None:
    head = yaml.safe_load(HEAD)
    assert {"title", "tags", "authors", "affiliations", "date", "bibliography"} == set(head)
    assert {author["affiliation"] for author in head["authors"]} == {
        affiliation["index"] for affiliation in head["affiliations"]
    }
    sections = re.findall(r"^# (.+)$", BODY, re.MULTILINE)
    assert {"Summary", "Statement of need", "References"} <= set(sections)


def test_the_text_cites_every_entry_of_the_bibliography() -> None:
    entries = re.findall(r"^@\w+\{(\w+),$", (PAPER / "paper.bib").read_text("utf-8"), re.MULTILINE)
    assert len(entries) == len(set(entries))
    assert set(re.findall(r"@(\w+)", BODY)) == set(entries)


def test_the_numbers_are_those_of_the_documentation() -> None:
    assert f"{len(preset_names())} games and variants" in BODY
    tested = (ROOT / "README.md").read_text("utf-8")
    results = (ROOT / "docs" / "results.md").read_text("utf-8")
    for number in re.findall(r"\d+\.\d{2,}", BODY):
        assert number in tested + results, number
