"""Check the width, the options, and the length of help texts."""

import re

import pytest

from commands import every_command, is_option, parameters, run

COMMANDS = dict(every_command())


@pytest.mark.parametrize("command", COMMANDS)
class TestLimits:
    def test_a_terminal_of_80_columns(self, command: str, monkeypatch: pytest.MonkeyPatch) -> None:
        """Check that no line is wider, and that all options and at most 4 examples are shown."""
        monkeypatch.setenv("COLUMNS", "80")
        code, text, _ = run(*command.split(), "--help")
        assert code == 0
        assert max(map(len, text.splitlines())) <= 80
        options = [option for option in parameters(COMMANDS[command]) if is_option(option)]
        names = {name for option in options for name in option.names}
        assert names <= set(re.findall(r"(?<![\w-])--?[\w-]+", text))
        head, _, examples = text.partition("\nExamples\n")
        _, *lines = [line for line in head.partition("╭")[0].splitlines() if line.strip()]
        assert len(lines) <= 8
        assert 1 <= len(re.findall(r"^ +(?:\w+=\S+ )?rollwise ", examples, re.MULTILINE)) <= 4

    def test_the_summary(self, command: str) -> None:
        summary = COMMANDS[command].help.partition("\n\n")[0]
        assert len(summary.split()) <= 10
        assert summary.endswith(".")

    def test_parameters(self, command: str) -> None:
        for parameter in parameters(COMMANDS[command]):
            words = (parameter.parameter.help or "").split()
            assert 1 <= len(words) <= 12, parameter.name


@pytest.mark.parametrize("group", ["frontier", "history", "rules"])
def test_a_group_needs_a_command(group: str) -> None:
    code, text, error = run(group)
    assert (code, error) == (2, "")
    assert f"rollwise {group} COMMAND" in text


def test_help_and_version_without_hyphens() -> None:
    assert run("help") == run("--help")
    assert run("help", "history", "list") == run("history", "list", "--help")
    assert run("version") == run("--version")
