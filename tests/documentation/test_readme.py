"""The Python of the README, of the page on Python and of a lesson prints what they show."""

import doctest

import pytest

from repository import ROOT


class TestReadme:
    @pytest.mark.parametrize(
        "page",
        [
            "README.md",
            "docs/python.md",
            "docs/duel.md",
            "docs/cluster.md",
            "docs/lessons/one-die.md",
        ],
    )
    def test_the_python_examples_run(self, page: str) -> None:
        failures, tried = doctest.testfile(str(ROOT / page), module_relative=False)
        assert tried >= 5
        assert failures == 0
