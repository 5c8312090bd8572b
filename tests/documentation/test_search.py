"""Check that searches of the site find a right page among the first three."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

SEARCHES = (Path(__file__).parent / "searches.txt").read_text("utf-8")
"""Three lists of searches, each with the pages that answer it."""

FIRST = """  // the page shows the results from the last to the first
  queries => queries.map(query => {
    const found = Search._performSearch(...Search._parseQuery(query)).reverse();
    return found.slice(0, 3).map(([page]) => page);
  })
"""


@pytest.mark.parametrize("group", SEARCHES.split("\n\n"), ids=["first", "second", "third"])
def test_most_searches_find_their_page(browser: Browser, site: Path, group: str) -> None:
    searches = dict(line.split(": ") for line in group.splitlines())
    page = browser.new_page()
    page.goto((site / "search.html").as_uri())
    page.wait_for_function("Search.hasIndex()")
    results = page.evaluate(FIRST, list(searches))
    page.close()
    missed = {
        query: first
        for (query, right), first in zip(searches.items(), results, strict=True)
        if not set(right.split()) & set(first)
    }
    assert len(searches) - len(missed) >= 28, missed
