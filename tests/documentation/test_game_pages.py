"""Check the figures and the pages of games, which are written when the site is built."""

import json
import re
from pathlib import Path

import pytest

import game_figures
from directives import game_pages
from games import QUICK
from games_with_layers import small_maxi
from rollwise.rules import load_rules, preset_names
from rollwise.rules.families import by_family
from rollwise.solving import values

FIGURES = json.loads(game_pages.FIGURES.read_text("utf-8"))
HEADINGS = [
    "Rules", "Variants", "Optimal play", "Distribution", "Categories", "Openings",
    "Extreme scores", "Size of the game", "Sources",
]  # fmt: skip
QUICKEST = ("crag", "yamb-up")


@pytest.mark.parametrize(
    "name",
    [name if name in QUICKEST else pytest.param(name, marks=pytest.mark.slow) for name in QUICK],
)
def test_figures_are_what_the_script_computes(name: str) -> None:
    figures = game_figures.figures_of(load_rules(name))
    assert json.loads(json.dumps(figures)) == FIGURES[name]


def test_every_preset_is_on_the_page_of_its_family() -> None:
    assert sorted(FIGURES) == sorted(preset_names())
    families = by_family(preset_names())
    assert sorted(name for names in families.values() for name in names) == sorted(preset_names())
    for family, names in families.items():
        page = game_pages.page_of(family, FIGURES)
        headings = re.findall("^## (.*)$", page, flags=re.MULTILINE)
        assert headings == [title for title in HEADINGS if title != "Variants" or len(names) > 1]
        assert page.count("<svg") == ("histogram" in FIGURES[names[0]])
        assert all(f"\n| `{name}` |" in page for name in names if len(names) > 1)


def test_figures_of_simulated_games(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Check the page of a game with saved rolls, in whose titles a bar breaks no table."""
    rules = small_maxi(4)
    first, *others = rules.categories
    barred = first.model_copy(update={"title": "a|b"})
    rules = rules.model_copy(update={"name": "crag", "categories": (barred, *others)})
    monkeypatch.setenv("ROLLWISE_CACHE", str(tmp_path))
    monkeypatch.setattr(values, "SMALL", 0)
    monkeypatch.setattr(game_figures, "SIMULATED", 100)
    monkeypatch.setattr(game_pages, "load_rules", lambda name: rules)
    page = game_pages.page_of("crag", {"crag": game_figures.figures_of(rules)})
    assert "Numbers marked * come from 100 simulated games" in page
    assert page.count("\n| a\\|b |") == 2
    assert "Lowest score" not in page
