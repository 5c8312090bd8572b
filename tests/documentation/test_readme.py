"""The README and the page on Python show what the programs print."""

import doctest
import re

import pytest

from commands import run
from repository import ROOT


class TestReadme:
    @pytest.mark.parametrize("page", ["README.md", "docs/python.md"])
    def test_the_python_examples_run(self, page: str) -> None:
        failures, tried = doctest.testfile(str(ROOT / page), module_relative=False)
        assert tried >= 5
        assert failures == 0

    def test_the_worked_example_prints_what_it_shows(self) -> None:
        readme = (ROOT / "README.md").read_text(encoding="utf-8")
        blocks = re.findall(r"```console\n\$ rollwise (.*?)\n(.*?)```", readme, flags=re.DOTALL)
        assert blocks
        for command, shown in blocks:
            arguments = re.findall(r'"[^"]*"|\S+', command)
            code, out, _ = run(*[argument.strip('"') for argument in arguments])
            assert code == 0
            assert [line.rstrip() for line in out.strip().splitlines()] == [
                line.rstrip() for line in shown.strip().splitlines()
            ], command
