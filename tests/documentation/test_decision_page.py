"""Check the pictures and docstrings of the documentation of decision analysis."""

import doctest
import importlib
import pkgutil
import re

import pytest

import rollwise.decision_analysis
from repository import DOCS
from rollwise.decision_analysis import Profiles, Turn, decision_picture


def test_the_picture_is_up_to_date() -> None:
    dot = decision_picture(Turn(Profiles(2), {"11": 1}, dice=3).decision_problem()).dot
    svg = (DOCS / "images" / "three-coins.svg").read_text(encoding="utf-8")
    drawn = [t.replace("&#45;", "-").replace("&gt;", ">") for t in re.findall("<title>(.*)<", svg)]
    nodes = re.findall(r'^ +"(.*?)" \[label', dot, re.MULTILINE)
    arrows = [f"{a}->{b}" for a, b in re.findall(r'"(.*?)" -> "(.*?)"', dot)]
    assert sorted(drawn) == sorted([dot.split()[1], *nodes, *arrows])


@pytest.mark.parametrize(
    "module", [m.name for m in pkgutil.iter_modules(rollwise.decision_analysis.__path__)]
)
def test_docstrings(module: str) -> None:
    result = doctest.testmod(importlib.import_module(f"rollwise.decision_analysis.{module}"))
    assert result.failed == 0
