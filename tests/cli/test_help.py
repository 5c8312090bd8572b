"""Check the width, the options, and the length of help texts."""

import re
from typing import Any

import pytest
from typer.main import get_command

from commands import every_command, run
from rollwise.cli import app

COMMANDS: dict[str, Any] = {
    " ".join(path): command for path, command in every_command(get_command(app))
}


@pytest.mark.parametrize("command", COMMANDS)
class TestLimits:
    def test_a_terminal_of_80_columns(self, command: str, monkeypatch: pytest.MonkeyPatch) -> None:
        """Check that no line is wider, and that all options and at most 4 examples are shown."""
        monkeypatch.setenv("COLUMNS", "80")
        code, text, _ = run(*command.split(), "--help")
        assert code == 0
        assert max(map(len, text.splitlines())) <= 80
        options = [
            option for option in COMMANDS[command].params if option.param_type_name == "option"
        ]
        names = {name for option in options for name in (*option.opts, *option.secondary_opts)}
        assert names <= set(re.findall(r"(?<![\w-])--?[\w-]+", text))
        _, *lines = [line.strip() for line in text.partition("╭")[0].splitlines() if line.strip()]
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
