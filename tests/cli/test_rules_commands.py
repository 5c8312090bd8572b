"""Test ``rollwise rules new``, ``show``, and ``use``, and the default game."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from commands import data_of, error_of, printed, run
from rollwise.rules import load_rules
from rollwise.settings import DefaultRules, default_rules, settings_file

TINY = "micro-yahtzee"
ORIGINAL = "Default game: Yahtzee, free-choice jokers (yahtzee)\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Change to an empty folder; the settings file is in a folder that does not exist."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ROLLWISE_SETTINGS", str(tmp_path / "config" / "settings.toml"))
    return tmp_path


class TestNew:
    def test_a_file_that_every_command_understands(self, folder: Path) -> None:
        made = run("rules", "new", "my-game.toml", "--base", TINY)
        assert made == (0, "", "wrote my-game.toml\n")
        text = (folder / "my-game.toml").read_text("utf-8")
        for line in re.findall("^#.*   (rollwise .*)$", text, re.MULTILINE):
            printed(*line.split()[1:])
        rules = load_rules("my-game.toml")
        assert (rules.title, rules.categories) == ("My game", load_rules(TINY).categories)
        assert {path.name for path in folder.iterdir()} == {"config", "my-game.toml"}

    def test_force_overwrites(self, folder: Path) -> None:
        (folder / "mine.toml").write_text("mine")
        assert run("rules", "new", "mine.toml", "--force", "-q") == (0, "", "")
        assert load_rules("mine.toml").keys == load_rules("yahtzee").keys

    def test_the_default_game_is_the_base(self) -> None:
        run("rules", "use", "yatzy")
        run("rules", "new", "mine.toml")
        assert load_rules("mine.toml").keys == load_rules("yatzy").keys

    def test_a_file_as_the_base(self, folder: Path) -> None:
        (folder / "sub").mkdir()
        run("rules", "new", "house.toml", "--base", TINY)
        run("rules", "new", "sub/guest.toml", "--base", "house.toml")
        assert 'base = "../house.toml"' in (folder / "sub" / "guest.toml").read_text()
        assert load_rules("sub/guest.toml").keys == load_rules(TINY).keys

    @pytest.mark.parametrize(
        ("file", "name", "title"),
        [
            ("yahtzee.toml", "my-yahtzee", "My yahtzee"),
            ("Our House (2).toml", "our-house-2", "Our house 2"),
            ("2.toml", "my-2", "My 2"),
            ("☃.toml", "my-game", "My game"),
            (f"{'long-' * 20}.toml", "-".join(["long"] * 8), "Long " + " ".join(["long"] * 7)),
        ],
    )
    def test_names_from_the_file_name(self, file: str, name: str, title: str) -> None:
        run("rules", "new", file)
        rules = load_rules(file)
        assert (rules.name, rules.title) == (name, title)

    def test_control_characters(self, folder: Path) -> None:
        assert "control characters" in error_of("rules", "new", "x\n.toml")
        assert not list(folder.iterdir())


def test_a_changed_number_changes_the_game(folder: Path) -> None:
    run("rules", "new", "ours.toml", "--base", "yahtzee")
    assert printed("rules", "check", "ours.toml").endswith("\nThe same as yahtzee.\n")
    text = (folder / "ours.toml").read_text("utf-8")
    (folder / "ours.toml").write_text(text.replace("\npoints = 35\n", "\npoints = 50\n"), "utf-8")
    lines = "\nDiffers from yahtzee:\n  upper_bonus: points = 50\n"
    for command in ("check", "show"):
        assert lines in printed("rules", command, "ours.toml")
    assert printed("rules", "check", "yahtzee").count("\n") == 1


class TestShow:
    def test_the_differences_and_the_full_rules(self) -> None:
        out = printed("rules", "show", "yahtzee-forced-joker")
        assert out.startswith("Yahtzee (rule sheet) (yahtzee-forced-joker)\n")
        assert '\nDiffers from yahtzee:\n  joker: policy = "forced"\n' in out
        assert "Large Straight   large-straight   ls" in out
        assert "Differs from" not in printed("rules", "show", "yahtzee")

    def test_both_forms_as_files(self, folder: Path) -> None:
        for option in ("--toml", "--full"):
            text = printed("rules", "show", "yahtzee-1956", option)
            assert ('base = "yahtzee"' in text) == (option == "--toml")
            (folder / "written.toml").write_text(text, "utf-8")
            assert load_rules("written.toml") == load_rules("yahtzee-1956")


class TestUse:
    def test_a_preset(self) -> None:
        assert printed("rules", "use") == ORIGINAL
        line = (
            f"Default game: Yahtzee (rule sheet) (yahtzee-forced-joker), set by {settings_file()}\n"
        )
        assert run("rules", "use", "yahtzee-forced-joker") == (0, line, "")
        assert run("rules", "use") == (0, line, "")
        assert default_rules() == ("yahtzee-forced-joker", str(settings_file()))
        for _ in range(2):
            assert printed("rules", "use", "--reset") == ORIGINAL

    def test_a_file_from_any_folder(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        run("rules", "new", "mine.toml", "--base", TINY)
        run("rules", "use", "mine.toml")
        monkeypatch.chdir("/")
        assert default_rules().source == str(folder / "mine.toml")
        assert data_of("solve", "-q")["rules"] == "mine"

    def test_json(self) -> None:
        assert data_of("rules", "use", TINY) == {
            "name": TINY, "title": "Micro Yahtzee", "rules": TINY, "set_by": str(settings_file()),
        }  # fmt: skip

    def test_quiet(self) -> None:
        assert run("rules", "use", TINY, "-q") == (0, "", "")
        assert "Micro Yahtzee" in printed("rules", "use", "-q")

    def test_precedence(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def game(*option: str) -> str:
            return str(data_of("advise", "4", *option)["rules"])

        run("rules", "use", TINY)
        assert game() == TINY
        run("rules", "new", "other.toml", "--base", TINY)
        monkeypatch.setenv("ROLLWISE_RULES", "other.toml")
        assert game() == "other"
        assert default_rules() == DefaultRules("other.toml", "ROLLWISE_RULES")
        assert game("--rules", TINY) == TINY
        run("rules", "use", "--reset")
        printed("advise", "11366", "--rules", "yahtzee")
        note = run("rules", "use", "yatzy")[2]
        assert note == "ROLLWISE_RULES overrides the new default, yatzy.\n"

    def test_commands_with_another_default_keep_it(self) -> None:
        run("rules", "use", "yatzy")
        assert "Micro Yahtzee" in printed("tree")
        assert data_of("greedy", "11366") == data_of("greedy", "11366", "--rules", "yams")

    def test_help_shows_the_default_game(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("COLUMNS", "200")
        assert "[default: yahtzee]" in printed("advise", "--help")
        run("rules", "use", "yatzy-tp4")
        assert "[default: yatzy-tp4]" in printed("advise", "--help")
        settings_file().write_bytes(b"\xff")
        assert "[default: see rollwise rules use]" in printed("advise", "--help")

    @pytest.mark.parametrize("name", ["yatsy", "none.toml", ""])
    def test_an_unknown_game_changes_nothing(self, name: str) -> None:
        error_of("rules", "use", name)
        assert not settings_file().exists()

    @pytest.mark.parametrize("damage", [b"\xff", b"rules = ", b"rules = 3", b"", b"a = 1"])
    def test_a_damaged_settings_file(self, damage: bytes) -> None:
        settings_file().parent.mkdir()
        settings_file().write_bytes(damage)
        for command in ("advise 11366", "rules use"):
            error = error_of(*command.split())
            assert error.startswith(str(settings_file()))
            assert error.endswith("Run `rollwise rules use --reset`.")
        assert printed("rules", "use", "--reset") == ORIGINAL

    def test_a_file_that_vanished(self, folder: Path) -> None:
        run("rules", "new", "mine.toml", "--base", TINY)
        run("rules", "use", "mine.toml")
        (folder / "mine.toml").unlink()
        assert error_of("advise", "4") == (
            f"The default game, {folder / 'mine.toml'}, does not exist (set by {settings_file()}). "
            "Choose another game with `rollwise rules use NAME`, or run `rollwise rules use "
            "--reset`."
        )
        printed("advise", "4", "--rules", TINY)

    def test_settings_in_the_config_folder(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("ROLLWISE_SETTINGS")
        assert settings_file().parts[-2:] == ("rollwise", "settings.toml")


def test_importing_the_options_reads_no_settings(folder: Path) -> None:
    """Check that the default game is looked up when a command runs, not on import."""
    settings_file().parent.mkdir()
    settings_file().write_bytes(b"\xff")
    program = "import rollwise.questions.advise"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run([sys.executable, "-c", program], check=True, env=environment)
