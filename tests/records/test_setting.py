"""Test the settings in a game record: computer opponents, tutor, and objective."""

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from commands import run
from rollwise import load_rules, solve
from rollwise.cli.play import game_to_resume
from rollwise.errors import InputError
from rollwise.game.game import Game
from rollwise.game.records.files import save_game
from rollwise.history import History
from rollwise.playing.session import Session
from rollwise.strategies import FORMS, STRATEGIES, is_built_in
from rollwise.terminal.screen import ScreenApp

MICRO = load_rules("micro-yahtzee")
PLAYERS = ("Ada", "optimal beat greedy", "greedy")
SETTING = Setting({1: "optimal:beat:greedy", 2: "greedy"}, tutor=True, objective="target:20")
RECORD = Game(MICRO, PLAYERS, "roll 5", seed=3, setting=SETTING)
HEAD = "rules: micro-yahtzee\nplayers: Ada, Ben\n"


def test_settings_are_read_back() -> None:
    assert Game.parse(str(RECORD)) == RECORD
    assert Game.parse(RECORD.as_json()) == RECORD
    assert "robots: optimal beat greedy: optimal:beat:greedy; greedy: greedy" in str(RECORD)


def test_defaults_are_not_written() -> None:
    plain = Game(MICRO, PLAYERS, "roll 5")
    for text in (str(plain), plain.as_json()):
        assert not any(word in text for word in ("robots", "tutor", "objective"))
    assert Game.parse(str(plain)).setting == Setting()


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("robots: greedy", "line 3: expected a player and a strategy, such as Ben: greedy, got"),
        ("robots: Cy: greedy", "line 3: robots: no player has the name 'Cy'; use Ada or Ben"),
        ("tutor: yes", "line 3: expected on or off, got 'yes'"),
        ("tutor: on\ntutor: on", "line 4: tutor appears twice"),
    ],
)
def test_invalid_settings(line: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        Game.parse(f"{HEAD}{line}\n5 double\n")


def test_a_session_keeps_the_settings() -> None:
    session = Session(RECORD, solve(MICRO))
    assert session.tutor
    assert session.game == RECORD
    session.tutor = False
    assert session.game.setting == Setting(SETTING.robots, False, SETTING.objective)


def test_a_game_continues_from_its_file(tmp_path: Path) -> None:
    """Check that a resumed game has its computer opponents without further options."""
    path = tmp_path / "evening.txt"
    save_game(RECORD, path)
    with History(
        f"sqlite:///{tmp_path}/other.sqlite"
    ) as history:  # the game is not in this history
        game = game_to_resume(str(path), history, None)
    assert game.robots == SETTING.robots
    assert game.record == RECORD


class TestRecordsAreData:
    """A record, an export, or a saved game opens no file, unless the command line names it too."""

    EVIL = "open('ran', 'w').close()\nclass Evil:\n    def worth(*_): return 0\n"
    """A strategy that leaves a file when it is imported."""

    @pytest.fixture(autouse=True)
    def evil(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        Path("evil.py").write_text(self.EVIL)
        terminal = SimpleNamespace(isatty=lambda: True)
        streams = SimpleNamespace(stdin=terminal, stdout=terminal)
        monkeypatch.setattr("rollwise.cli.play.sys", streams)
        monkeypatch.setattr(ScreenApp, "run", lambda _: None)

    def resume(self, name: str, *arguments: str) -> tuple[int, str]:
        database = ("--database", "sqlite:///games.sqlite")
        code, _, error = run("play", "--resume", name, *database, *arguments)
        return code, error

    def save(self, name: str, robot: str = "greedy", objective: str = "expected") -> str:
        """Write a record, or the export of a history with its game, and return its name."""
        record = Game(MICRO, "Ada, Bob", "", 5, None, Setting({1: robot}, objective=objective))
        if name == "export.json":
            with History("sqlite:///other.sqlite") as history:
                history.save("id", record, {1: robot})
                Path(name).write_text(json.dumps(history.export()))
        else:
            save_game(record, Path(name))
        return name

    @pytest.mark.parametrize("name", ["game.txt", "game.json", "export.json"])
    def test_a_strategy_file_runs_only_if_the_command_names_it(self, name: str) -> None:
        self.save(name, "evil.py:Evil")
        if name == "export.json":
            assert run("history", "import", name, "--database", "sqlite:///games.sqlite")[0] == 0
            name = "id"
        code, error = self.resume(name)
        assert code == 2
        assert error == (
            "error: The record names the strategy 'evil.py:Evil', which is not built in, and a "
            "record opens no files. If you trust the file, add --against evil.py:Evil.\n"
        )
        assert self.resume(name, "--against", "greedy")[0] == 2
        assert not Path("ran").exists()
        assert self.resume(name, "--against", "evil.py:Evil")[0] == 0
        assert Path("ran").exists()

    def test_objectives(self) -> None:
        name = self.save("game.txt", objective="beat:evil.py:Evil")
        code, error = self.resume(name)
        assert code == 2
        assert "If you trust the file, add --objective beat:evil.py:Evil." in error
        assert not Path("ran").exists()
        assert self.resume(name, "--objective", "beat:evil.py:Evil")[0] == 0
        assert Path("ran").exists()

    @pytest.mark.parametrize(
        "robot",
        [
            "optimal:beat:evil.py:Evil",
            "optimal:beat:3*greedy+evil.py:Evil",
            r"\\host\share\evil.py:Evil",
            "optimal:utility:greedy",
        ],
    )
    def test_other_names_with_a_path(self, robot: str) -> None:
        code, error = self.resume(self.save("game.json", robot))
        assert code == 2
        assert "which is not built in, and a record opens no files" in error

    def test_built_in_names(self) -> None:
        numbers = (form.replace("TARGET", "20").replace("SCALE", "0.5") for form in FORMS)
        objectives = ("worst-case", "exponential:1e-3", "mean-variance:-.5", "beat:3*optimal + 20")
        names = ["optimal", "duel", *STRATEGIES, *numbers, *objectives]
        assert all(map(is_built_in, names + [f"optimal:{name}" for name in objectives]))
