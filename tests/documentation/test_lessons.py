"""Test the lessons, which run during the build: wrong numbers stop it, and pictures are drawn."""

import re
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

from repository import DOCS

LESSON = """
>>> kept = [["6", "6", "66"], ["", "44", "44"]]
>>> def many():
...     return len(kept)
>>> many()
2

<!-- picture: policy(kept, ["166", "446"], range(3), across="lead", down="roll", alt="1 < 2") -->

>>> kept = []
>>> many()
0
"""


@pytest.fixture(scope="module")
def run() -> Callable[[str, str], str]:
    """Return the function that runs a lesson, from the documentation's folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(DOCS))
        from directives.lessons import run
    return run


def test_a_picture_uses_the_values_at_its_place(run: Callable[[str, str], str]) -> None:
    html = run(LESSON, "lessons/one")
    assert "<!--" not in html
    assert html.count("<svg") == 1
    assert 'aria-label="1 &lt; 2"' in html
    for words in (">66<", ">44<", ">lead<", ">446<"):
        assert words in html
    assert run(LESSON, "lessons/one") == html


@pytest.mark.parametrize("shown", ["2\n", "0\n"])
def test_a_wrong_number_is_an_error(run: Callable[[str, str], str], shown: str) -> None:
    with pytest.raises(ValueError, match=r"lessons/one does not print what it shows"):
        run(LESSON.replace(f"many()\n{shown}", "many()\n3\n"), "lessons/one")


@pytest.mark.parametrize(
    "page", sorted((DOCS / "lessons").glob("*.md")), ids=lambda page: page.stem
)
def test_each_states_its_audience_and_ends_with_solutions(page: Path) -> None:
    text = page.read_text("utf-8")
    for words in ("*For whom:*", "*Time:*", "*Before it:*", "## Exercises", "## Solutions"):
        assert words in text
    tasks, solutions = text.split("## Exercises")[1].split("## Solutions")
    assert tasks.count("\n1. ") == solutions.count("\n1. ") == 1
    assert tasks.count("\n3. ") == solutions.count("\n3. ") == 1


def test_imports_of_lessons_exist() -> None:
    text = "\n".join(page.read_text("utf-8") for page in (DOCS / "lessons").glob("*.md"))
    imports = re.findall(r">>> from (rollwise[\w.]+) import (\w+)", text)
    assert len(imports) > 3
    for module, name in imports:
        assert hasattr(import_module(module), name)
