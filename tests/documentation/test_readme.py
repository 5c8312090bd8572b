"""The Python of the README and of the page on Python prints what they show."""

import doctest

import pytest

from repository import ROOT


class TestReadme:
    @pytest.mark.parametrize("page", ["README.md", "docs/python.md"])
    def test_the_python_examples_run(self, page: str) -> None:
        failures, tried = doctest.testfile(str(ROOT / page), module_relative=False)
        assert tried >= 5
        assert failures == 0
