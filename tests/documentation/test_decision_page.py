"""The documentation of decision analysis, run: Python blocks, commands, pictures, docstrings."""

import doctest
import importlib
import pkgutil
import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

import rollwise.prospects
from repository import DOCS
from rollwise.cli import app
from rollwise.cli.chance import chance
from rollwise.prospects import profile_turn, prospect_picture
from rollwise.prospects.examples import oil_wildcatter

PAGE = (DOCS / "decision-analysis.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"```console\n\$ (.*)\n((?:.*\n)*?)```", PAGE)


def lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip().splitlines()]


def test_python_blocks() -> None:
    blocks = "\n".join(re.findall(r"```python\n((?:.*\n)*?)```", PAGE))
    page = doctest.DocTestParser().get_doctest(blocks, {}, "decision-analysis.md", None, 0)
    assert len(page.examples) > 20
    result = doctest.DocTestRunner().run(page)
    assert result.failed == 0


@pytest.mark.parametrize(("command", "shown"), COMMANDS)
def test_commands(
    command: str, shown: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ((name, payoffs),) = re.findall(r"```toml\n# (.*)\n((?:.*\n)*?)```", PAGE)
    (tmp_path / name).write_text(payoffs, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    program, *words = shlex.split(command)
    assert program == "rollwise"
    result = CliRunner().invoke(app, words)
    assert lines(result.output) == lines(shown)


def test_every_kind_of_block_was_found() -> None:
    assert len(COMMANDS) == PAGE.count("\n$ rollwise") >= 9


def test_every_example_of_the_help_is_on_the_page() -> None:
    """So that its output is compared, too."""
    examples = re.findall(r"^ +(rollwise .*)$", chance.__doc__ or "", re.MULTILINE)
    assert len(examples) >= 8
    assert set(examples) <= {command for command, _ in COMMANDS}


PICTURES = {
    "three-coins": prospect_picture(profile_turn("11", faces=2, dice=3).prospect()),
    "oil-wildcatter": oil_wildcatter().picture(),
}


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_are_fresh(name: str) -> None:
    dot = PICTURES[name].dot
    svg = (DOCS / "images" / f"{name}.svg").read_text(encoding="utf-8")
    drawn = [t.replace("&#45;", "-").replace("&gt;", ">") for t in re.findall("<title>(.*)<", svg)]
    nodes = re.findall(r'^ +"(.*?)" \[label', dot, re.MULTILINE)
    arrows = [f"{a}->{b}" for a, b in re.findall(r'"(.*?)" -> "(.*?)"', dot)]
    assert sorted(drawn) == sorted([dot.split()[1], *nodes, *arrows])


@pytest.mark.parametrize(
    "module", [m.name for m in pkgutil.iter_modules(rollwise.prospects.__path__)]
)
def test_docstrings(module: str) -> None:
    result = doctest.testmod(importlib.import_module(f"rollwise.prospects.{module}"))
    assert result.failed == 0
