"""The README shows what the programs print."""

import doctest
import re

from commands import run
from repository import ROOT


class TestReadme:
    def test_the_python_example_runs(self) -> None:
        failures, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
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
