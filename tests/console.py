"""Example commands in the documentation and the help texts, and their output.

Examples run in a folder with the files that they use, and save value tables in a cache of this run.
``cache clear`` has an empty cache of its own, so that the compiled code stays.
Output that differs between runs is masked: seconds, dates, folders, and digits after the ninth.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from unittest.mock import patch

from commands import every_command, run
from games import at_random, play
from repository import DOCS, ROOT
from rollwise.cache_folder import cache_folder, compiled_folder
from rollwise.game.game import Game
from rollwise.history import History
from rollwise.history.transfer import export
from rollwise.reviews.review import Review, review
from rollwise.rules import load_rules

SMALLER = {
    "rollwise solve --rules maxi-yatzy --save": "rollwise solve --rules my-saving-game.toml --save",
}
"""An example that would write 18 GiB to disk, and the smaller example that runs instead."""

AT_THE_TABLE = ("play", "web", "practice", "greedy", "mcp")
"""Interactive commands, which run until the user leaves; ``greedy`` is interactive without dice."""


@dataclass(frozen=True)
class Example:
    """A command line, and the output that a page shows below it."""

    place: str
    line: str
    shown: str = ""

    @property
    def command(self) -> str:
        """The name of the command."""
        words = self.line.split()[1:]
        return next((name for n in (2, 1) if (name := " ".join(words[:n])) in COMMANDS), words[0])

    @property
    def of_reviews(self) -> bool:
        """Whether the command needs saved games with reviews."""
        of_everybody = {"--test", "--puzzle"} & set(self.line.split())
        return self.command in ("history rating", "practice") and not of_everybody

    @property
    def goes_on(self) -> bool:
        """Whether the command waits for input."""
        if {"--json", "--step"} & set(self.line.split()):
            return "--step" in self.line
        if self.command == "greedy":
            return not re.search(r" \d{5}", self.line)
        return self.command in AT_THE_TABLE


COMMANDS = [name for name, _ in every_command()]


def help_examples() -> list[Example]:
    """Return every example of every ``--help``."""
    return [
        Example(name, line)
        for name, command in every_command()
        for line in re.findall(r"^  (rollwise .*)$", str(command.help_epilogue), re.MULTILINE)
    ]


def pages() -> list[Path]:
    """Return the README and every page of the documentation."""
    return [ROOT / "README.md", *sorted(DOCS.rglob("*.md")), ROOT / "benchmarks" / "README.md"]


def page_examples() -> list[Example]:
    """Return every command in the console blocks of the README and the documentation."""
    result = []
    for page in pages():
        for block in re.findall(r"```console\n(.*?)```", page.read_text("utf-8"), re.DOTALL):
            for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                line, _, shown = part.partition("\n")
                result.append(Example(str(page.relative_to(ROOT)), line, shown))
    return result


def block(page: str, name: str, kind: str) -> str:
    """Return the first code block of a page that contains a name."""
    blocks: list[str] = re.findall(
        rf"```{kind}\n(.*?)```", (DOCS / page).read_text("utf-8"), re.DOTALL
    )
    return next(text for text in blocks if name in text)


GAMES = {"u2Kq8fJxPz0a": "yahtzee", "b5Zt1rWq9LmX": "yatzy"}
"""The rules of the saved games, by id."""


@cache
def a_game(rules: str) -> Game:
    """Return a game with random choices."""
    return play(load_rules(rules), ["Ada"], 7, at_random(7))


@cache
def its_review(rules: str) -> list[Review]:
    """Return the reviews of the game from :func:`a_game`."""
    return review(a_game(rules))


@contextmanager
def reader(folder: Path, *, reviewed: bool = False) -> Iterator[None]:
    """Change to a folder with the files and saved games that the examples use."""
    text = (ROOT / "src/rollwise/rules/presets/micro-yahtzee.toml").read_text("utf-8")
    mine = text.replace("micro-yahtzee", "my-game")
    (folder / "my-game.toml").write_text(mine, "utf-8")
    saving = mine.replace("rolls = 1", "rolls = 2\nsaves_rolls = true")
    (folder / "my-saving-game.toml").write_text(saving, "utf-8")
    (folder / "my.py").write_text(block("strategies.md", "class Mine", "python"), "utf-8")
    shutil.copy(ROOT / "examples" / "agent.py", folder)
    (folder / "game.txt").write_text(block("review.md", "Ada, Ben", "text"), "utf-8")
    (folder / "positions.txt").write_text("11366\n66641 | rolls-left 1 | card ones=3\n", "utf-8")
    for decision in (ROOT / "examples" / "decisions").glob("*.toml"):
        shutil.copy(decision, folder)
    file = folder / "history.sqlite"
    with History(file) as history:
        for address, rules in GAMES.items():
            saved_at = history.save(address, a_game(rules))
            if reviewed:
                history.keep_reviews(address, its_review(rules), saved_at)
        (folder / "mine.jsonl").write_text("\n".join(export(history)), "utf-8")
    shutil.copy(folder / "history.sqlite", folder / "club.sqlite")
    settings = {"ROLLWISE_SETTINGS": str(folder / "settings.toml"), "ROLLWISE_RULES": ""}
    variables = {"ROLLWISE_DATABASE": str(file), "COLUMNS": "120", **settings}
    with chdir(folder), patch.dict(os.environ, variables):
        yield


@contextmanager
def cache_of_this_run() -> Iterator[None]:
    """Save value tables in a temporary folder, and compiled code in the user's cache."""
    with tempfile.TemporaryDirectory() as tables:
        folders = {
            "ROLLWISE_CACHE": tables,
            "NUMBA_CACHE_DIR": str(compiled_folder().parent.parent),
        }
        with patch.dict(os.environ, folders):
            yield


@contextmanager
def own_cache(example: Example, folder: Path) -> Iterator[None]:
    """Give an example of ``rollwise cache`` its own, empty cache in a folder."""
    own = str(folder / "cache")
    variables = {"ROLLWISE_CACHE": own, "NUMBA_CACHE_DIR": own}
    with patch.dict(os.environ, variables if example.command.split()[0] == "cache" else {}):
        yield


def output_of(example: Example) -> str:
    """Run an example; return its masked standard output, or standard error if that is empty.

    The example runs in this process, or in a shell if it uses pipes or redirection.
    """
    line = SMALLER.get(example.line, example.line)
    program, *words = shlex.split(line)
    assert program == "rollwise"
    if {"|", "&&", ">"} & set(words):
        rollwise = f'rollwise() {{ {sys.executable} -m rollwise "$@"; }}; set -eo pipefail; '
        done = subprocess.run(
            ["bash", "-c", rollwise + line], capture_output=True, text=True, check=True
        )
        return masked(done.stdout or done.stderr)
    code, out, err = run(*words)
    assert code == 0, (line, err)
    return masked(out or err)


def masked(text: str) -> str:
    """Replace the parts of an output that depend on the run or the machine."""
    text = text.replace(str(cache_folder()), "CACHE").replace(str(Path.cwd()), "FOLDER")
    text = re.sub(r"^.*: compiling once.*\n?", "", text, flags=re.MULTILINE)
    text = re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d", "DATE", text)
    text = re.sub(r"^(seconds +).*", r"\1SECONDS", text, flags=re.MULTILINE)
    text = re.sub(r'("\w*seconds\w*": )[\d.e-]+', r"\1SECONDS", text)
    text = re.sub(r'("cores_here": )\d+', r"\1CORES", text)
    text = re.sub(r"\d+ cores? here", "here", text)
    text = re.sub(r"^(.*? [kMGT]?B .*? [kMGT]?B) .*", r"\1 HOURS", text, flags=re.MULTILINE)
    text = re.sub(r'("from_cache": )\w+', r"\1WHETHER", text)
    text = re.sub(r"-?\d+\.\d{9,}(e[+-]?\d+)?", lambda number: f"{float(number[0]):.9g}", text)
    return "\n".join(line.rstrip() for line in text.strip().splitlines())
