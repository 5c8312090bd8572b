"""Check that the page and the files of the study of house rules are up to date."""

import re
import runpy
import sys
import tomllib
from pathlib import Path

import polars as pl
import pytest

from repository import DOCS, ROOT
from rollwise import sweep
from rollwise.experiments.rule_grid import parse_grid, text_of

PAGE = (DOCS / "house-rules.md").read_text(encoding="utf-8")
GRID = ROOT / "examples" / "house_rules.toml"
CLAUSES = parse_grid(GRID.read_text(encoding="utf-8"))


def printed(
    arguments: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> str:
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(sys, "argv", arguments)
    runpy.run_path(arguments[0], run_name="__main__")
    return "\n".join(line.rstrip() for line in capsys.readouterr().out.strip().splitlines())


COMMANDS = [line.split() for line in re.findall(r"^python (examples/.*)$", PAGE, re.MULTILINE)]


def test_numbers_in_the_text_are_what_the_script_prints(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    outputs = [
        printed([word for word in command if not word.endswith(".svg")], capsys, monkeypatch)
        for command in COMMANDS
    ]
    sections = ("## What matters", "## Two, three", "## The effect on luck", "## Repeat")
    places = [PAGE.index(section) for section in sections]
    for output, start, end in zip(outputs, places[:-1], places[1:], strict=True):
        numbers = set(re.findall(r"\d+\.\d+", PAGE[start:end]))
        assert numbers <= set(re.findall(r"\d+\.\d+", output))
        assert len(numbers) >= 2


@pytest.mark.slow
def test_the_picture_is_the_one_that_the_script_draws(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    words = re.compile(r"<text.*?>(.*?)</text>", re.DOTALL)
    (command,) = [line for line in COMMANDS if line[-1].endswith(".svg")]
    printed([*command[:-1], str(tmp_path / "a.svg")], capsys, monkeypatch)
    drawn, committed = tmp_path / "a.svg", ROOT / command[-1]
    texts = [words.findall(path.read_text(encoding="utf-8")) for path in (drawn, committed)]
    assert texts[0] == texts[1]
    assert len(texts[0]) > 40


def test_the_page_shows_the_grid() -> None:
    (shown,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    assert parse_grid(shown) == CLAUSES
    assert tomllib.loads(shown) == tomllib.loads(GRID.read_text(encoding="utf-8"))


@pytest.mark.parametrize(("file", "number"), [("house_rules", 5000), ("house_rules_sd", 300)])
def test_the_files_have_the_results_of_a_sweep(file: str, number: int) -> None:
    frame = pl.read_parquet(ROOT / "examples" / f"{file}.parquet")
    row = frame.row(number, named=True)
    clauses = [f"{name}={text_of(value)}" for name, value in row.items() if name in CLAUSES]
    (cell,) = sweep(vary=clauses, rules="yahtzee").cells
    statistics = row.keys() & {"mean", "sd", "bonus_reached"}
    assert {name: getattr(cell, name) for name in statistics} == {
        name: row[name] for name in statistics
    }
