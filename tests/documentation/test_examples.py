"""Check that the examples print the output that their docstrings show."""

import ast
import re
import runpy
import shutil
import sys
from pathlib import Path

import pytest

from repository import ROOT

EXAMPLES = [path for path in sorted((ROOT / "examples").glob("*.py")) if path.stem != "house_rules"]
"""The examples that show their output; ``test_house_rules.py`` tests the example with a page of its
own."""


def test_there_are_six_examples() -> None:
    assert len(EXAMPLES) == 6


@pytest.mark.parametrize("script", EXAMPLES, ids=lambda path: path.stem)
def test_it_prints_the_output_in_its_docstring(
    script: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    doc = ast.get_docstring(ast.parse(script.read_text(encoding="utf-8"))) or ""
    shown = re.search(
        r"^    \$ python (examples/\S+)(.*)\n((?:(?:    .*)?\n?)*)", doc, re.MULTILINE
    )
    assert shown is not None
    path, arguments, output = shown.groups()
    assert path == f"examples/{script.name}"
    monkeypatch.setattr(sys, "argv", [path, *arguments.split()])
    runpy.run_path(path, run_name="__main__")
    printed = [line.rstrip() for line in capsys.readouterr().out.strip().splitlines()]
    assert printed == [line.removeprefix("    ").rstrip() for line in output.rstrip().splitlines()]
    assert all(Path(name).stat().st_size for name in arguments.split())  # read, or written
