"""Test shell completion of values in the same way as shells request it."""

import os
import subprocess
import sys
from pathlib import Path
from unittest.mock import patch

import pytest

from commands import run
from console import a_game
from rollwise.game.game import Game
from rollwise.history import History
from rollwise.rules import preset_names
from rollwise.strategies import STRATEGIES


def completed(*words: str, **environment: str) -> list[str]:
    """Return the completions of the last word, computed in this process."""
    with patch.dict(os.environ, environment):
        code, out, _ = run("__complete", *words)
    assert code == 0
    return values_of(out)


def values_of(output: str) -> list[str]:
    """Return the values that a shell reads; each has a tab and a description."""
    return [line.partition("\t")[0] for line in output.split("begin\n")[1].splitlines()]


@pytest.mark.parametrize(
    "words",
    [
        ("advise", "--rules", "yatzy-f"),
        ("simulate", "greedy-s"),
        ("advise", "--card", "o"),
    ],
)
def test_no_compiler_is_imported(words: tuple[str, ...]) -> None:
    """Check that a new process completes words without the import of numba, which takes long."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "rollwise", "__complete", *words],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "numba" not in done.stderr
    assert values_of(done.stdout) == completed(*words) != []


@pytest.mark.parametrize("words", [("advise", "--rules"), ("rules", "show"), ("solve", "--rules")])
def test_games(words: tuple[str, ...]) -> None:
    expected = [name for name in preset_names() if name.startswith("yatzy-f")]
    assert completed(*words, "yatzy-f") == expected


def test_cached_games(tmp_path: Path) -> None:
    folder = {"ROLLWISE_CACHE": str(tmp_path)}
    assert completed("cache", "clear", "", **folder) == []
    with patch.dict(os.environ, folder):
        run("solve", "--rules", "micro-yahtzee")
    assert completed("cache", "clear", "mic", **folder) == ["micro-yahtzee"]


def test_rule_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "yahoo.toml").touch()
    monkeypatch.chdir(tmp_path)
    assert completed("advise", "--rules", "yaho") == ["yahoo.toml"]


@pytest.mark.parametrize(
    "words",
    [
        ("compare", "optimal"),
        ("simulate",),
        ("simulate", "--versus"),
        ("play", "--against"),
        ("advise", "--opponent-strategy"),
    ],
)
def test_strategies(words: tuple[str, ...]) -> None:
    expected = [name for name in STRATEGIES if name.startswith("greedy-s")]
    expected.append("greedy-step-discounted:10")
    assert completed(*words, "greedy-s") == expected
    assert completed(*words, "nor") == ["normal:300"]


def test_objectives() -> None:
    assert completed("advise", "--objective", "be") == ["best-case", "beat:optimal", "beat:250"]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("--card", "fu"), ["full-house="]),
        (("--card", "fh"), ["fh="]),
        (("--rules", "yatzy", "--card", "two"), ["twos=", "two-pairs="]),
        (("--card", "ones=3,o"), []),
        (("--card", "twos=4,o"), ["twos=4,ones="]),
        (("--rules", "nosuch", "--card", "on"), []),
        (("--opponent", "si"), ["sixes="]),
    ],
)
def test_categories(words: tuple[str, ...], expected: list[str]) -> None:
    assert completed("advise", *words) == expected


class TestDefaultGame:
    """The user's default game decides the categories."""

    def test_it_is_used(self) -> None:
        assert completed("advise", "--card", "two-", ROLLWISE_RULES="yatzy") == ["two-pairs="]
        assert completed("advise", "--card", "two-") == []

    def test_the_option_comes_first(self) -> None:
        words = ("advise", "--rules", "yatzy", "--card", "two-")
        assert completed(*words, ROLLWISE_RULES="crag") == ["two-pairs="]

    @pytest.mark.parametrize(
        ("words", "expected"),
        [(("--rules", "yatzy-fh5-"), ["yatzy-fh5-tp4"]), (("--card", "o"), [])],
    )
    def test_a_game_that_does_not_exist(self, words: tuple[str, ...], expected: list[str]) -> None:
        assert completed("advise", *words, ROLLWISE_RULES="nosuch") == expected


class TestSavedGames:
    @pytest.fixture
    def database(self, tmp_path: Path) -> str:
        url = f"sqlite:///{tmp_path}/games.sqlite"
        record: Game = a_game("micro-yahtzee")
        with History(url) as history:
            for id in ("aaa111", "aab222"):
                history.save(id, record)
        return url

    @pytest.mark.parametrize("words", [("history", "show"), ("history", "delete")])
    def test_ids(self, words: tuple[str, ...], database: str) -> None:
        assert completed(*words, "aab", ROLLWISE_DATABASE=database) == ["aab222"]

    def test_the_option_database(self, database: str) -> None:
        words = ("history", "show", "--database", database, "")
        assert sorted(completed(*words)) == ["aaa111", "aab222"]

    @pytest.mark.parametrize("name", ["none.sqlite", "bad.sqlite", "mysql://club@localhost/games"])
    def test_no_history(self, name: str, tmp_path: Path) -> None:
        (tmp_path / "bad.sqlite").write_text("not a database")
        url = name if "://" in name else f"sqlite:///{tmp_path}/{name}"
        assert completed("history", "show", "", ROLLWISE_DATABASE=url) == []
        assert [path.name for path in tmp_path.iterdir()] == ["bad.sqlite"]
