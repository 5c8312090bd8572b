"""Check the length of help texts, and that no file mentions old names of commands and options."""

import re
from typing import Any

import pytest
from typer.main import get_command

from commands import every_command, run
from repository import ROOT
from rollwise.cli import app

COMMANDS: dict[str, Any] = {
    " ".join(path): command for path, command in every_command(get_command(app))
}

REPLACED = {
    r"rollwise (value|chance|distribution|trivia|judge|match|plan|proficiency)\b": "its successor",
    r"\bfrontier stopping\b": "frontier restart",
    r"(?<![\w-])--size\b(?!:)": "--estimate",
    r"--bracket\b": "--bounds",
    r"--opponent-plays\b": "--opponent-strategy",
    r"--ties\b(?!-lose)": "--tie-break",
    r"--(no-)?why\b": "--explain",
    r"(?<![\w-])--keep\b(?!-)": "--save",
    r"--spread\b": "--sd",
    r"--dice demonic": "--dice adversarial",
}
"""The current names, by patterns of replaced names."""

FOLDERS = ("src", "docs", "tests", "benchmarks", "examples")
ENDINGS = {".md", ".py", ".toml", ".txt", ".html", ".yml", ".cff"}


@pytest.mark.parametrize("command", COMMANDS)
class TestLimits:
    def test_the_text(self, command: str, monkeypatch: pytest.MonkeyPatch) -> None:
        """Check that at most 4 examples and 8 other lines appear in a terminal of 80 columns."""
        monkeypatch.setenv("COLUMNS", "80")
        text = run(*command.split(), "--help")[1].partition("╭")[0]
        _, *lines = [line.strip() for line in text.splitlines() if line.strip()]
        head, _, rest = "\n".join(lines).partition("\nExamples\n")
        examples = [line for line in rest.splitlines() if line.startswith("rollwise ")]
        assert len(examples) <= 4
        assert len(head.splitlines()) + len(rest.splitlines()) - len(examples) <= 8

    def test_the_summary(self, command: str) -> None:
        summary = COMMANDS[command].help.partition("\n\n")[0].strip()
        assert len(summary.split()) <= 10
        assert summary.endswith(".")

    def test_options(self, command: str) -> None:
        for option in COMMANDS[command].params:
            assert len((option.help or "").split()) <= 12, option.name


def test_no_file_mentions_replaced_names() -> None:
    files = [path for name in FOLDERS for path in (ROOT / name).rglob("*")] + [ROOT / "README.md"]
    found = [
        f"{path.relative_to(ROOT)}: {match[0]}; use {new}"
        for path in files
        if path.suffix in ENDINGS and path.name != "test_help.py"
        for old, new in REPLACED.items()
        for match in re.finditer(old, path.read_text("utf-8"))
    ]
    assert not found
