"""Check the pictures and docstrings of the documentation of decision analysis."""

import doctest
import importlib
import pkgutil
import re

import pytest

import rollwise.decision_analysis
from repository import DOCS
from rollwise.decision_analysis import Profiles, Turn, decision_picture
from rollwise.decision_analysis.examples import oil_wildcatter

PICTURES = {
    "three-coins": decision_picture(Turn(Profiles(2), {"11": 1}, dice=3).decision_problem()),
    "oil-wildcatter": oil_wildcatter().picture(),
}


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_are_up_to_date(name: str) -> None:
    dot = PICTURES[name].dot
    svg = (DOCS / "images" / f"{name}.svg").read_text(encoding="utf-8")
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
