"""Check that the site is self-contained, searchable, and accessible.

The tests read the folder that ``--site`` names, which ``.ci/run`` has built without warnings.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Request, expect

import rollwise
from repository import DOCS
from rollwise import solve
from rollwise.cli.app import PANELS
from waiting import PATIENCE

DESKTOP, PHONE = {"width": 1200, "height": 850}, {"width": 390, "height": 844}
LOOKED_AT = (
    "index", "faq", "play", "server", "rules", "how-it-works", "reference/commands",
    "decision-analysis", "lessons/two-players", "games/yahtzee",
)  # fmt: skip


class DisplayedValues(HTMLParser):
    """The links of a page, the files that it loads, and its anchors."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.places: set[str] = set()
        self.feed(page.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        self.places |= {attributes.get("id") or "", attributes.get("name") or ""}
        if tag == "a" and attributes.get("href"):
            self.links.append(attributes["href"] or "")
        elif tag == "link" and attributes.get("rel") in ("stylesheet", "icon", "preload"):
            self.loads.append(attributes.get("href") or "")
        elif attributes.get("src"):
            self.loads.append(attributes["src"] or "")


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, DisplayedValues]:
    """Return every page of the site, parsed."""
    return {page: DisplayedValues(page) for page in site.rglob("*.html")}


class TestWhole:
    def test_every_page_of_the_documentation_is_there(self, site: Path) -> None:
        for page in DOCS.rglob("*.md"):
            assert (site / page.relative_to(DOCS)).with_suffix(".html").exists(), page

    def test_internal_links_are_valid(self, pages: dict[Path, DisplayedValues]) -> None:
        broken = []
        for page, reading in pages.items():
            for link in reading.links:
                parts = urlsplit(link)
                if parts.scheme:
                    continue
                target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
                place = unquote(parts.fragment)
                if not target.exists() or (place and place not in pages[target].places):
                    broken.append((page.name, link))
        assert broken == []

    def test_nothing_is_loaded_from_other_sites(
        self, site: Path, pages: dict[Path, DisplayedValues]
    ) -> None:
        loads = [load for reading in pages.values() for load in reading.loads]
        assert len(loads) > len(pages)
        assert [load for load in loads if urlsplit(load).netloc] == []
        for sheet in site.rglob("*.css"):
            text = sheet.read_text("utf-8")
            assert re.findall(r"@import[^;]*//|url\([\"']?(?:https?:)?//[^)]*\)", text) == []


class TestReference:
    def test_every_command(self, site: Path) -> None:
        text = (site / "reference" / "commands.html").read_text("utf-8")
        for panel in PANELS.values():
            for name in panel:
                assert f"<h3>rollwise {name}" in text

    def test_every_public_name(self, pages: dict[Path, DisplayedValues], site: Path) -> None:
        folder = site / "reference" / "python"
        places = {place for path in folder.iterdir() for place in pages[path].places}
        modules = {"errors", "frontier", "plots"}
        assert {
            f"rollwise.{name}" for name in set(dir(rollwise)) - {"__version__"} - modules
        } <= places
        assert {
            "rollwise.errors.InputError",
            "rollwise.questions.frontier.targets",
            "rollwise.experiments.plots.save_report",
            "rollwise.learning.agents.Agent",
        } <= places

    def test_every_first_roll(self, site: Path) -> None:
        text = (site / "opening-book.html").read_text("utf-8")
        assert len(re.findall(r"<tr class=\"row-(?:odd|even)\"><td>", text)) == 252
        options = solve("yahtzee").options("11366")[:3]
        words = [
            "keep 66",
            f"{options[0].value:.2f}",
            *(f"−{option.loss:.2f}" for option in options[1:]),
        ]
        row = text.partition("<p>11366</p>")[2].partition("</tr>")[0]
        assert all(word in row for word in words), row

    @pytest.mark.slow
    def test_the_manual_page(self, tmp_path: Path) -> None:
        command = [sys.executable, "-m", "sphinx", "-qW", "-b", "man", str(DOCS), str(tmp_path)]
        subprocess.run(command, check=True)
        assert "rollwise advise" in (tmp_path / "rollwise.1").read_text("utf-8")


@pytest.fixture
def foreign_requests(browser: Browser) -> Iterator[list[str]]:
    """Yield the list of requests to other machines, which must stay empty."""
    wrong: list[str] = []
    yield wrong
    assert wrong == []


class TestInABrowser:
    @pytest.mark.parametrize("word", ["joker", "solve"])
    def test_search(
        self, browser: Browser, site: Path, foreign_requests: list[str], word: str
    ) -> None:
        page = browser.new_page()
        page.set_default_timeout(1000 * PATIENCE)
        page.on("request", lambda request: note(request, foreign_requests))
        page.goto(f"{(site / 'search.html').as_uri()}?q={word}")
        results = page.locator("#search-results li a")
        expect(results.first).to_be_visible(timeout=1000 * PATIENCE)
        page.close()

    @pytest.mark.parametrize("paper", ["A4", "Letter"])
    def test_the_cheat_sheet_prints_on_one_page(
        self, browser: Browser, site: Path, paper: str
    ) -> None:
        page = browser.new_page()
        page.goto((site / "one-page.html").as_uri())
        pdf = page.pdf(format=paper, prefer_css_page_size=True)
        assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == 1
        landscape = re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf)
        assert landscape is not None
        width, height = (float(side) * 96 / 72 - 53 for side in landscape.groups())
        assert width > height
        page.set_viewport_size({"width": int(width), "height": int(height)})
        page.emulate_media(media="print")
        assert page.evaluate(
            "[document.documentElement, ...document.querySelectorAll('.table-wrapper')]"
            ".every(part => part.scrollWidth <= part.clientWidth)"
        )
        page.close()

    @pytest.mark.parametrize(
        ("name", "size", "scheme"),
        [
            *((name, PHONE, "light") for name in LOOKED_AT),
            *((name, DESKTOP, "dark") for name in ("index", "faq")),
        ],
    )
    def test_accessibility(
        self,
        browser: Browser,
        site: Path,
        foreign_requests: list[str],
        name: str,
        size: dict[str, int],
        scheme: str,
    ) -> None:
        page = browser.new_page(viewport=size, color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
        page.set_default_timeout(1000 * PATIENCE)
        page.on("request", lambda request: note(request, foreign_requests))
        page.goto((site / f"{name}.html").as_uri())
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        violations = Axe().run(page).response["violations"]
        serious = [
            violation["id"]
            for violation in violations
            if violation["impact"] in ("serious", "critical")
        ]
        page.close()
        assert serious == []


def note(request: Request, foreign_requests: list[str]) -> None:
    """Game a request to another machine."""
    if not request.url.startswith(("file:", "data:")):
        foreign_requests.append(request.url)
