"""Test that records open no files."""

from pathlib import Path

import pytest

from commands import run
from rollwise import load_rules
from rollwise.game.game import Game
from rollwise.game.records.files import save_game
from rollwise.history import History
from rollwise.history.transfer import export
from rollwise.strategies import FORMS, STRATEGIES, is_built_in
from rollwise.terminal.screen import ScreenApp

MICRO = load_rules("micro-yahtzee")


class TestRecordsAreData:
    """A record, an export, or a saved game opens no file, unless the command line names it too."""

    EVIL = "open('ran', 'w').close()\nclass Evil:\n    def worth(*_): return 0\n"
    """A strategy that leaves a file when it is imported."""

    @pytest.fixture(autouse=True)
    def evil(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        Path("evil.py").write_text(self.EVIL)
        monkeypatch.setattr("rollwise.cli.streams.is_interactive", lambda: True)
        monkeypatch.setattr(ScreenApp, "run", lambda _: None)

    def resume(self, name: str, *arguments: str) -> tuple[int, str]:
        database = ("--database", "sqlite:///games.sqlite")
        code, _, error = run("play", "--resume", name, *database, *arguments)
        return code, error

    def save(self, name: str, bot: str = "greedy", objective: str = "expected") -> str:
        """Write a record, or the export of a history with its game, and return its name."""
        record = Game(MICRO, "Ada, Bob", seed=5, bots={"Bob": bot}, objective=objective)
        if name == "export.json":
            with History("sqlite:///other.sqlite") as history:
                history.save("id", record)
                Path(name).write_text("\n".join(export(history)))
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
        "bot",
        [
            "optimal:beat:evil.py:Evil",
            "optimal:beat:3*greedy+evil.py:Evil",
            r"\\host\share\evil.py:Evil",
            "optimal:utility:greedy",
        ],
    )
    def test_other_names_with_a_path(self, bot: str) -> None:
        code, error = self.resume(self.save("game.json", bot))
        assert code == 2
        assert "which is not built in, and a record opens no files" in error

    def test_built_in_names(self) -> None:
        numbers = (form.replace("TARGET", "20").replace("SCALE", "0.5") for form in FORMS)
        objectives = ("worst-case", "exponential:1e-3", "mean-variance:-.5", "beat:3*optimal + 20")
        names = ["optimal", "duel", *STRATEGIES, *numbers, *objectives]
        assert all(map(is_built_in, names + [f"optimal:{name}" for name in objectives]))
