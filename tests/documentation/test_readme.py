"""Check that the Python examples of the README, pages, and a lesson print the output shown."""

import doctest
import re
from pathlib import Path

import pytest

from repository import DOCS, ROOT

LESSON = DOCS / "lessons" / "one-die.md"  # the others run while the site is built
PAGES = [
    page
    for page in (ROOT / "README.md", *sorted(DOCS.glob("*.md")), LESSON)
    if "\n>>> " in page.read_text("utf-8")
]


def test_pages_with_python_are_found() -> None:
    assert {"README.md", "decision-analysis.md", "one-die.md"} < {page.name for page in PAGES}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_python_examples_run(page: Path) -> None:
    blocks = "\n".join(re.findall(r"```python\n((?:.*\n)*?)```", page.read_text("utf-8")))
    shown = doctest.DocTestParser().get_doctest(blocks, {}, page.name, None, 0)
    assert len(shown.examples) >= 5
    assert doctest.DocTestRunner().run(shown).failed == 0
