"""Check that the committed pages of games are what the script of the documentation writes."""

import re
from pathlib import Path

import pytest

import game_pages
from games import QUICK
from games_with_layers import small_maxi
from repository import DOCS
from rollwise.rules import load_rules
from rollwise.solving import values

FOLDER = DOCS / "games"
HEADINGS = [
    "Rules",
    "Size of the game",
    "Optimal play",
    "Distribution",
    "Categories",
    "Openings",
    "Worst case",
    "Sources",
]
PAGES = sorted(path for path in FOLDER.glob("*.md") if path.stem != "README")
SMALL = ("crag", "micro-yahtzee")


@pytest.mark.parametrize(
    "name",
    [name if name in SMALL else pytest.param(name, marks=pytest.mark.slow) for name in QUICK],
)
def test_the_committed_page_is_what_the_script_writes(name: str) -> None:
    page = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    assert game_pages.page_of(load_rules(name)) == page


def test_every_quick_game_has_a_page() -> None:
    assert set(QUICK) <= {path.stem for path in PAGES}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_the_same_headings_on_every_page(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert re.findall("^## (.*)$", text, flags=re.MULTILINE) == HEADINGS


def test_the_index_lists_every_page() -> None:
    listed = re.findall(r"\]\(([a-z0-9-]+)\.md\)", (FOLDER / "README.md").read_text("utf-8"))
    assert sorted(listed) == sorted(path.stem for path in PAGES)


def test_a_page_of_simulated_games(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Check the page of a game with saved rolls, in whose titles a bar breaks no table."""
    monkeypatch.setattr(values, "SMALL", 0)
    monkeypatch.setattr(game_pages, "SIMULATED", 100)
    monkeypatch.setenv("ROLLWISE_CACHE", str(tmp_path))
    rules = small_maxi(4)
    first, *others = rules.categories
    barred = first.model_copy(update={"title": "a|b"})
    text = game_pages.page_of(rules.model_copy(update={"categories": (barred, *others)}))
    assert "numbers marked * come from 100 simulated games" in text
    assert "\n| Category* | Mean |" in text
    assert len(re.findall(r"^\| a\\\|b \|", text, flags=re.MULTILINE)) == 2
    assert "Lowest possible score" not in text
