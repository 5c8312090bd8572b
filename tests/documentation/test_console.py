"""Run every example of ``--help`` and every console block of the documentation."""

import os
import re
import shlex
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from console import (
    Example,
    help_examples,
    masked,
    output_of,
    own_cache,
    page_examples,
    pages,
    reader,
)
from repository import DOCS
from servers import serving
from terminals import Terminal

HELP, PAGES = help_examples(), page_examples()
LONG = re.compile(
    r"--objective|compare optimal|compare greedy|frontier|report|simulate --|sweep|my\.py|verify$|"
    r"rating|yatzy --json|review -|yatzy --at|pocket --|--players 2 --rules yacht"
)
"""A pattern that matches examples that take many seconds."""

SERVED = re.compile(r"^rollwise web |--cluster tcp|--grid ")
"""A pattern that matches commands that need a server (tested below) or a cluster
(``test_guides.py``), or take minutes (``test_house_rules.py`` runs a part of these commands)."""

ENDING = [example for example in HELP if not example.goes_on]


def named(examples: list[Example]) -> list[object]:
    """Return examples as test parameters; slow examples are marked."""
    parameters: list[object] = []
    for example in examples:
        name = f"{example.place}: {example.line}"
        marks = [pytest.mark.slow] if LONG.search(name) else []
        parameters.append(pytest.param(example, id=name, marks=marks))
    return parameters


class TestHelp:
    @pytest.mark.slow
    @pytest.mark.parametrize("example", named(ENDING))
    def test_it_runs(self, example: Example) -> None:
        assert answer(example.line, example.of_reviews) or " -o " in example.line


class TestPages:
    @pytest.mark.parametrize(
        "example", named([example for example in PAGES if not example.goes_on])
    )
    def test_it_prints_the_output_on_the_page(self, example: Example) -> None:
        assert answer(example.line, False) == masked(example.shown)

    def test_commands_are_in_console_blocks(self) -> None:
        texts = [page.read_text("utf-8") for page in pages()]
        shown = sum(len(re.findall(r"^\$ ", text, re.MULTILINE)) for text in texts)
        assert len(PAGES) == shown >= 15

    @pytest.mark.slow
    @pytest.mark.parametrize(
        "line",
        [
            line.partition("  #")[0]
            for page in sorted(DOCS.glob("*.md"))
            for block in re.findall(r"```sh\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
            for line in block.splitlines()
            if line.startswith("rollwise ") and not SERVED.search(line)
        ],
    )
    def test_other_commands_run(self, line: str) -> None:
        assert answer(line, False)


@cache
def answer(line: str, reviewed: bool) -> str:
    """Run a command line in a new folder, and return its output.

    The result is cached, because several pages can show the same line.
    """
    example = Example("", line)
    with (
        TemporaryDirectory() as name,
        reader(folder := Path(name), reviewed=reviewed),
        own_cache(example, folder),
    ):
        return output_of(example)


def at_the_table(line: str) -> Terminal:
    """Start a command in a terminal of 120 by 40 characters, without a browser."""
    return Terminal(*shlex.split(line)[1:], columns=120, rows=40, BROWSER="true")


LEFT = {
    "play": ("q quit", "q", ""),
    "practice": ("q quit", "q", "0 of 0 right"),
    "review": ("q quit", "q", ""),
    "greedy": ("roll 1 of 3: ", "q\n", ""),
}
"""For each command: the words that it prints before it waits, the keys that leave it, and its last
words."""


@pytest.mark.slow
class TestInteractive:
    """Tests of commands that wait for input, in a terminal, and of servers."""

    EXAMPLES = tuple(example for example in HELP if example.goes_on)

    @pytest.mark.parametrize(
        "example",
        [
            example
            for example in {example.line: example for example in EXAMPLES}.values()
            # Resuming needs a saved game: tests/playing/test_terminal.py.
            if example.command in LEFT and "--resume" not in example.line
        ],
        ids=lambda example: example.line,
    )
    @pytest.mark.pty
    def test_it_can_be_left(self, example: Example, tmp_path: Path) -> None:
        waits, typed, says = LEFT[example.command]
        with reader(tmp_path, reviewed=example.of_reviews):
            terminal = at_the_table(example.line)
            terminal.wait_for(waits)
            terminal.type(typed)
            terminal.wait_for(says)
            assert terminal.ended() == 0

    @pytest.mark.parametrize(
        "line",
        dict.fromkeys(
            [example.line for example in EXAMPLES if example.command == "web"]
            + re.findall(r"^rollwise web .*", (DOCS / "server.md").read_text("utf-8"), re.MULTILINE)
        ),
    )
    def test_web(self, line: str, tmp_path: Path) -> None:
        """Check that a server starts with the options of a command, except its port."""
        options = shlex.split(re.sub(r" --port \d+", "", line))[2:]
        with reader(tmp_path), serving(os.environ["ROLLWISE_DATABASE"], tmp_path, *options):
            pass

    @pytest.mark.parametrize("example", [example for example in PAGES if example.goes_on])
    @pytest.mark.pty
    def test_a_dialogue_of_a_page(self, example: Example, tmp_path: Path) -> None:
        """Check that the prompts and responses appear as the page shows them."""
        with reader(tmp_path):
            terminal = at_the_table(example.line)
            for line in example.shown.splitlines():
                prompt, colon, typed = line.partition(" of 3: ")
                terminal.wait_for((prompt + colon).rstrip())
                if typed:
                    terminal.type(f"{typed}\n")
            terminal.type("q\n")
            assert terminal.ended() == 0
