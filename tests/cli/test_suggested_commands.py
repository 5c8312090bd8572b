"""Every command that a message suggests works when a user pastes it.

``SUGGESTIONS`` has an entry for each string in the source code that names a command, with a way to
get the message. A new string without an entry fails a test.
"""

import ast
import re
import shlex
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from commands import run
from console import a_game
from repository import ROOT
from rollwise import errors, settings
from rollwise.cli import play
from rollwise.cli.app import PANELS
from rollwise.game.records.record import Record
from rollwise.history import History
from rollwise.notebook import data_frame
from rollwise.rules import load_rules
from rollwise.solving.card_solution import STATE_MISSING
from rollwise.solving.storage.layer_files import DamagedError
from rollwise.two_player import win_probability
from rollwise.two_player.win_probability import Limit
from rollwise.web.size_limits import preparing
from terminals import Terminal

SOURCE = ROOT / "src" / "rollwise"
NAMES = [name for commands in PANELS.values() for name in commands]
SUGGESTION = re.compile(rf"rollwise (?:{'|'.join(NAMES)})\b(?! \d\b)|pip install|[Rr]un:? '?\{{\}}")
"""Matches a string that names a command; a placeholder is in braces."""

COMMAND = re.compile(
    r"`((?:rollwise|pip) [^`]*)`|Run '([^']*)'|[Rr]un:? ((?:rollwise|pip) .*?)(?: \(|$)"
)
"""Matches a command in a message."""

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
REQUIREMENTS = {*(f".[{extra}]" for extra in EXTRAS), "polars", "pandas"}

PLACEHOLDERS = {"NAME": "yatzy", "FILE.json": "mine.json", "ID": "game1"}
"""Words of a command that users replace."""

MICRO = "--rules micro-yahtzee"
RESUME = "rollwise advise --interactive --resume ID"
REVIEW = "rollwise history show ID | rollwise review -"
UNFINISHED = Record("micro-yahtzee", "You", "roll 6; score square", seed=1)
BEAT = "--objective beat --opponent-strategy duel"


def message_of(line: str, **variables: str) -> str:
    """Return the output of a command, on standard output or standard error."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in variables.items():
            patch.setenv(name, value)
        _, out, err = run(*shlex.split(line))
    return err or out


def on_terminal(line: str) -> str:
    """Return the output of a command on a terminal."""
    terminal = Terminal(*shlex.split(line), columns=200)
    assert terminal.ended() == 2
    return terminal.text.strip()


def saved(content: str) -> str:
    """Save settings, and return the message of a command that reads them."""
    Path("other.toml").write_text(content)
    return message_of("report", ROLLWISE_SETTINGS="other.toml")


def of_a_dialogue(typed: str) -> str:
    """Return the messages of a dialogue for real dice in which these lines are typed."""
    messages = run("advise", "--interactive", *shlex.split(MICRO), typed=typed)[2]
    return re.sub(r"(--resume|show) \S+", r"\1 ID", messages)


def with_virtual_dice() -> str:
    """Return the message of a dialogue that cannot resume a game with virtual dice."""
    with History() as history:
        history.save("virtual", UNFINISHED)
    return message_of("advise --interactive --resume virtual")


def left() -> str:
    """Return what ``rollwise play`` says about an unfinished game that it saved."""
    with History() as history:
        history.save("virtual", UNFINISHED)
    return play._how_to_resume("virtual", UNFINISHED, None)


def import_of(content: str) -> str:
    """Return the message of an import of a file that is not an export."""
    Path("list.json").write_text(content)
    return message_of("history import list.json")


def new_rule_file() -> str:
    """Return the commands in the comments of a new rule file."""
    assert run("rules", "new", "my.toml")[0] == 0
    lines = re.findall(r"rollwise .*", Path("my.toml").read_text("utf-8"))
    return "\n".join(f"Run: {line}" for line in lines)


def exact_answer() -> str:
    """Return the note after an estimate that could be exact."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(win_probability, "ADVICE", Limit(236))  # Micro Yahtzee has 237
        return message_of(f"advise 4 {MICRO} {BEAT} --opponent -")


def big_game() -> str:
    """Return the message of the website about a game that it cannot solve."""
    return f"run: {preparing(load_rules('maxi-yatzy'))}"


def without_matplotlib() -> str:
    """Return the message of ``rollwise compare --plot`` if matplotlib is not installed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "matplotlib.figure", None)
        return message_of("compare greedy --plot x.svg")


def without_fastapi() -> str:
    """Return the message of ``rollwise web`` if fastapi is not installed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("importlib.util.find_spec", lambda name: None)
        return message_of("web")


def without_data_frames() -> str:
    """Return the message of a function that needs a library of data frames."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("polars", "pandas"):
            patch.setitem(sys.modules, name, None)
        with pytest.raises(errors.MissingExtraError) as caught:
            data_frame([{"a": 1}])
    return str(caught.value)


SUGGESTIONS: list[tuple[str, Callable[[], str], str]] = [
    (
        "cli/flags.py",
        lambda: message_of("advise --help", ROLLWISE_RULES="nosuch", COLUMNS="200").replace(
            "see rollwise rules use]", "`rollwise rules use`"
        ),
        "rollwise rules use",
    ),
    ("cli/greedy.py", lambda: message_of("greedy --json"), "rollwise greedy 11366 --json"),
    ("cli/group.py", lambda: message_of("xyzzy"), "rollwise --help"),
    ("cli/group.py", lambda: message_of("history xyzzy"), "rollwise history --help"),
    ("cli/history.py", lambda: message_of("history delete"), "rollwise history list"),
    ("cli/history.py", lambda: import_of("{"), "rollwise history export FILE.json"),
    (
        "cli/opponents.py",
        lambda: message_of(f"advise {MICRO} {BEAT} --opponent square=16 --card double=6"),
        "rollwise duel --rules micro-yahtzee --card double=6 --opponent square=16",
    ),
    ("cli/opponents.py", exact_answer, "rollwise duel --rules micro-yahtzee --card - --opponent -"),
    (
        "cli/chain_tables.py",
        lambda: message_of("payoff-line --state 99"),
        "rollwise payoff-line",
    ),
    (
        "cli/interactive.py",
        lambda: message_of("advise --interactive --resume"),
        "rollwise advise --interactive",
    ),
    ("cli/interactive.py", with_virtual_dice, "rollwise play --resume virtual"),
    *[("cli/interactive.py", lambda: of_a_dialogue("6\n"), RESUME)] * 2,
    *[("cli/interactive.py", lambda: of_a_dialogue("6\n5\n"), REVIEW)] * 2,
    ("cli/mcp.py", lambda: "Run 'rollwise mcp'", "rollwise mcp"),
    ("cli/play.py", left, "rollwise play --resume virtual"),
    ("cli/play.py", lambda: message_of("play"), "rollwise web"),
    ("cli/play.py", lambda: on_terminal("play --resume"), "rollwise play"),
    ("cli/play.py", lambda: on_terminal("play --resume nosuch"), "rollwise history list"),
    ("cli/practice.py", lambda: message_of("practice"), "rollwise practice --test"),
    ("cli/rating.py", lambda: message_of("rating"), "rollwise play"),
    ("cli/web.py", without_fastapi, 'pip install ".[web]"'),
    ("errors.py", without_matplotlib, 'pip install ".[plot]"'),
    ("history/store.py", lambda: message_of("history show nosuch"), "rollwise history list"),
    ("history/transfer.py", lambda: import_of("[]"), "rollwise history export FILE.json"),
    ("notebook.py", without_data_frames, "pip install polars"),
    ("rules/loader.py", lambda: message_of("solve --rules nosuch"), "rollwise rules list"),
    ("rules/writer.py", new_rule_file, "rollwise rules check my.toml"),
    ("settings.py", lambda: saved("rules = 3"), "rollwise rules use --reset"),
    ("settings.py", lambda: saved("rules ="), "rollwise rules use --reset"),
    ("settings.py", lambda: settings.RESET, "rollwise rules use --reset"),
    ("settings.py", lambda: saved('rules = "nosuch"'), "rollwise rules use NAME"),
    (
        "settings.py",
        lambda: message_of("report", ROLLWISE_RULES="nosuch"),
        "rollwise rules list",
    ),
    ("solving/card_solution.py", lambda: STATE_MISSING, "rollwise solve --save"),
    (
        "solving/storage/layer_files.py",
        lambda: str(DamagedError("x", 1, 1)),
        "rollwise solve --save",
    ),
    ("web/live_games.py", big_game, "rollwise solve --rules maxi-yatzy --save"),
    ("web/size_limits.py", big_game, "rollwise solve --rules maxi-yatzy --save"),
]  # fmt: skip
"""The file of each string that names a command, a way to get it, and one of its commands."""


class Test:
    """The suggestions in a folder with a saved game, and with a small default game."""

    @pytest.fixture(autouse=True)
    def _user(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        monkeypatch.setenv("ROLLWISE_SETTINGS", str(tmp_path / "settings.toml"))
        monkeypatch.setenv("ROLLWISE_DATABASE", f"sqlite:///{tmp_path}/games.sqlite")
        monkeypatch.setenv("ROLLWISE_CACHE", str(tmp_path / "cache"))

    @pytest.mark.parametrize(
        ("message", "command"),
        [
            pytest.param(message, command, id=f"{file}: {command}")
            for file, message, command in SUGGESTIONS
        ],
    )
    def test_it_works(
        self, message: Callable[[], str], command: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        commands = commands_in(message())
        assert command in commands
        with History() as history:
            history.save("game1", a_game("micro-yahtzee"))
        for line in commands:
            self.runs(line, monkeypatch)

    def runs(self, line: str, monkeypatch: pytest.MonkeyPatch) -> None:
        line, _, reader = line.partition(" | ")
        program, *words = shlex.split(
            " ".join(PLACEHOLDERS.get(word, word) for word in line.split())
        )
        if program == "pip":
            assert words[0] == "install"
            assert words[1] in REQUIREMENTS
        elif words == ["play"]:
            terminal = Terminal("play", "--rules", "micro-yahtzee", columns=120, rows=40)
            terminal.wait_for("q quit")
            terminal.type("q")
            assert terminal.ended() == 0
        elif words in (["web"], ["mcp"]):  # test_console.py and test_mcp.py start servers
            assert run(*words, "--help")[0] == 0
        elif words == ["play", "--resume", "virtual"]:
            terminal = Terminal(*words, columns=120, rows=40)
            terminal.wait_for("q quit")
            terminal.type("q")
            assert terminal.ended() == 0
        elif reader:
            code, record, _ = run(*words)
            assert code == 0
            assert run(*shlex.split(reader)[1:], typed=record)[0] == 0
        elif "maxi-yatzy" in words:  # takes minutes
            assert run(*words, "--estimate")[0] == 0
        else:
            if "--save" in words:
                monkeypatch.setenv("ROLLWISE_RULES", "micro-yahtzee")
            assert run(*words)[0] == 0, line

    def test_all_are_listed(self) -> None:
        in_source = Counter(file for file, _ in suggestions_in_source())
        assert in_source == Counter(file for file, _, _ in SUGGESTIONS), sorted(
            suggestions_in_source()
        )


class TestExtras:
    """Messages about libraries that are not installed."""

    def test_every_extra_exists(self) -> None:
        calls = [
            node
            for path in SOURCE.rglob("*.py")
            for node in ast.walk(ast.parse(path.read_text("utf-8")))
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("missing_extra")
        ]
        extras = [ast.literal_eval(call.args[2]) for call in calls]
        assert len(extras) >= 7
        assert set(extras) <= set(EXTRAS)

    def test_the_command_is_for_a_checkout(self) -> None:
        message = str(errors.missing_extra("drawing plots", "matplotlib", "plot"))
        assert commands_in(message) == ['pip install ".[plot]"']
        assert "in the folder of your rollwise checkout" in message


def commands_in(message: str) -> list[str]:
    """Return the commands in a message."""
    found = (match for line in message.splitlines() for match in COMMAND.finditer(line.strip()))
    return [next(filter(None, match.groups())) for match in found]


def suggestions_in_source() -> Iterator[tuple[str, str]]:
    """Yield the file and the text of each string that names a command, except help texts."""
    for path in sorted(SOURCE.rglob("*.py")):
        for text in strings_in(ast.parse(path.read_text("utf-8"))):
            if SUGGESTION.search(text):
                yield path.relative_to(SOURCE).as_posix(), text


def strings_in(node: ast.AST) -> Iterator[str]:
    """Yield the strings in code, with {} for placeholders, without docstrings and help texts."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.JoinedStr):
            yield "".join(
                str(part.value) if isinstance(part, ast.Constant) else "{}" for part in child.values
            )
        elif isinstance(child, ast.Constant) and isinstance(child.value, str):
            yield child.value
        elif not is_text_for_help(child):
            yield from strings_in(child)


def is_text_for_help(node: ast.AST) -> bool:
    """Return whether a part of the code is a docstring or the help of an option."""
    if isinstance(node, ast.keyword):
        return node.arg == "help"
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
