"""Check that the committed pages of games are the output of the command."""

import re
from pathlib import Path

import pytest

from commands import run
from games import QUICK
from games_with_layers import small_maxi, small_yamb
from repository import DOCS, ROOT
from rollwise.model import classes
from rollwise.solving import values
from rollwise.solving.solver import Solver, solve
from rollwise.studies import game_page

FOLDER = DOCS / "games"
HEADINGS = [
    "Rules",
    "Size of the game",
    "Optimal play",
    "Distribution",
    "Categories",
    "Openings",
    "Worst case",
    "Effect of each rule",
    "Sources",
]
PAGES = sorted(path for path in FOLDER.glob("*.md") if path.stem != "README")
SMALL = ("crag", "micro-yahtzee")


@pytest.mark.parametrize(
    "name",
    [name if name in SMALL else pytest.param(name, marks=pytest.mark.slow) for name in QUICK],
)
def test_the_committed_page_is_what_the_command_prints(name: str) -> None:
    code, out, _ = run("rules", "page", name)
    assert code == 0
    assert out == (FOLDER / f"{name}.md").read_text(encoding="utf-8")


def test_every_quick_game_has_a_page() -> None:
    assert set(QUICK) <= {path.stem for path in PAGES}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_the_same_headings_on_every_page(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert re.findall("^## (.*)$", text, flags=re.MULTILINE) == HEADINGS


def test_the_index_lists_every_page() -> None:
    listed = re.findall(r"\]\(([a-z0-9-]+)\.md\)", (FOLDER / "README.md").read_text("utf-8"))
    assert sorted(listed) == sorted(path.stem for path in PAGES)


def test_a_page_of_one_solution() -> None:
    code, out, _ = run("rules", "page", "micro-yahtzee", "--alone")
    full = (FOLDER / "micro-yahtzee.md").read_text(encoding="utf-8").splitlines()
    assert code == 0
    head, *lines = [line for line in out.splitlines() if line not in full]
    assert head == (
        "Printed by `rollwise rules page micro-yahtzee --alone`. "
        "All numbers are exact, not simulated."
    )
    assert not lines
    assert re.findall("^## (.*)$", out, flags=re.MULTILINE) == [
        heading for heading in HEADINGS if heading != "Effect of each rule"
    ]


def test_a_page_of_a_rule_file(tmp_path: Path) -> None:
    """Check that the page names the command with the file, which works when pasted."""
    path = tmp_path / "house.toml"
    path.write_text('base = "micro-yahtzee"\nname = "house"\ntitle = "House"\n')
    assert f"`rollwise rules page {path} --alone`" in run("rules", "page", str(path), "--alone")[1]


def test_a_page_from_saved_layers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Check that the page uses only one solution."""
    rules = small_maxi(4)
    monkeypatch.setattr(values, "SMALL", 0)
    monkeypatch.setattr(game_page, "SIMULATED", 100)
    monkeypatch.setenv("ROLLWISE_CACHE", str(tmp_path))
    solution = Solver(rules).solve(on_disk=True)
    monkeypatch.setattr(game_page, "solve", None)
    text = game_page.game_page(game_page.page_of(solution, alone=True))
    assert "numbers marked * come from 100 simulated games" in text
    assert f"Expected score **{solution.value():.6f}**, standard deviation " in text
    assert "\n| Category* | Mean |" in text
    assert "which always show the roll with the lowest expected score: " in text
    assert "Guaranteed score" not in text


def test_a_page_of_a_game_too_large_for_a_value_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Check that the page leaves out the worst case, which needs a table, but has rule variants."""
    rules = small_yamb()
    value = solve(rules, cache=False).value()
    monkeypatch.setattr(classes, "MAX_JOINT", 1000)
    monkeypatch.setattr(game_page, "SIMULATED", 100)
    text = game_page.game_page(game_page.page_of(solve(rules, on_disk=True)))
    assert f"Printed by `rollwise rules page {rules.name}`." in text
    assert f"Expected score **{value:.6f}**" in text
    assert re.findall("^## (.*)$", text, flags=re.MULTILINE) == HEADINGS
    assert "Guaranteed score" not in text


def test_a_page_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    assert run("rules", "page", "micro-yahtzee", "-o", str(path))[0] == 0
    assert path.read_text(encoding="utf-8") == run("rules", "page", "micro-yahtzee")[1]


def test_a_bar_in_a_title_breaks_no_table(tmp_path: Path) -> None:
    preset = "src/rollwise/rules/presets/micro-yahtzee.toml"
    text = (ROOT / preset).read_text(encoding="utf-8")
    rules = tmp_path / "barred.toml"
    rules.write_text(text.replace('title = "', 'title = "a|b '), encoding="utf-8")
    code, out, _ = run("rules", "page", str(rules))
    assert code == 0
    rows = [line for line in out.splitlines() if line.startswith("| a")]
    assert rows
    assert all(line.startswith("| a\\|b ") for line in rows)
