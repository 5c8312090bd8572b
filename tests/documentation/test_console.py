"""Every example of every ``--help`` and every console block of the documentation, run and compared.

What examples of the help print is kept in ``help``; ``python tests/console.py --write`` writes it.
"""

import re
import shlex
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from commands import run
from console import (
    CLUB,
    KEPT,
    Example,
    digested,
    help_examples,
    kept,
    masked,
    output_of,
    page_examples,
    pages,
    reader,
)
from databases import free_port, postgres
from repository import DOCS
from terminals import Terminal
from waiting import PATIENCE, wait_until

HELP, PAGES = help_examples(), page_examples()
LONG = re.compile(
    r"--objective|compare optimal|compare greedy|frontier|report|simulate --|sweep|my\.py|verify$|"
    r"worst-game|proficiency|yatzy --json|review -|yatzy --at|pocket --|--players 2 --rules yacht|"
    r"questions\.md"
)
"""What is in examples that take many seconds, or are many."""

SERVED = re.compile(r"^rollwise web |--scheduler |--cluster tcp|--grid ")
"""What is run where there is a server (below), or a cluster (``test_guides.py``), and what takes
minutes (a part of it is run by ``test_house_rules.py``)."""

ENDING = [one for one in HELP if not one.goes_on and CLUB not in one.line]


def named(examples: list[Example]) -> list[object]:
    """Return examples as parameters; those that take long are slow."""
    parameters: list[object] = []
    for example in examples:
        name = f"{example.place}: {example.line}"
        marks = [pytest.mark.slow] if LONG.search(name) else []
        if "&& dot " in name:
            marks.append(pytest.mark.needs("dot"))
        parameters.append(pytest.param(example, id=name, marks=marks))
    return parameters


class TestHelp:
    @pytest.mark.parametrize("example", named(ENDING))
    def test_it_prints_what_is_kept(self, example: Example) -> None:
        printed = answer(example.line, example.of_reviews)
        assert digested(printed) == kept(example.place)[example.line]

    def test_what_is_kept_is_of_the_help(self) -> None:
        places = {one.place.replace(" ", "-"): one.place for one in ENDING}
        files = sorted(KEPT.glob("*.txt"))
        found = [(places[path.stem], line) for path in files for line in kept(places[path.stem])]
        assert sorted(found) == sorted({(one.place, one.line) for one in ENDING})

    @pytest.mark.slow
    @pytest.mark.needs("initdb")
    def test_the_games_of_a_club(self, tmp_path: Path) -> None:
        (example,) = [one for one in HELP if CLUB in one.line and not one.goes_on]
        with postgres() as address, reader(tmp_path):
            code, out, _ = run(*shlex.split(example.line.replace(CLUB, address))[1:])
        assert code == 0
        assert out.split() == ["game", "saved", "rules", "players"]


class TestPages:
    @pytest.mark.parametrize("example", named([one for one in PAGES if not one.goes_on]))
    def test_it_prints_what_is_shown(self, example: Example) -> None:
        assert answer(example.line, False) == masked(example.shown)

    def test_commands_stand_in_console_blocks(self) -> None:
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
    """Return what a line prints in a folder of its own; several pages may show the same line."""
    example = Example("", line)
    with (
        TemporaryDirectory() as name,
        reader(folder := Path(name), reviewed=reviewed),
        own_cache(example, folder),
    ):
        return output_of(example)


@contextmanager
def own_cache(example: Example, folder: Path) -> Iterator[None]:
    """Give an example that clears the cache one of its own."""
    with pytest.MonkeyPatch.context() as patch:
        if example.command == "cache clear":
            for name in ("ROLLWISE_CACHE", "NUMBA_CACHE_DIR"):
                patch.setenv(name, str(folder / "cache"))
        yield


def at_the_table(line: str) -> Terminal:
    """Return a command in a terminal of 120 by 40; nobody looks at the browser that it opens."""
    return Terminal(*shlex.split(line)[1:], columns=120, rows=40, BROWSER="true")


LEFT = {
    "play": ("q leave", "q", ""),
    "practice": ("q leave", "q", "0 of 0 right"),
    "review": ("q leave", "q", ""),
    "greedy": ("roll 1 of 3: ", "q\n", ""),
}
"""What each waits with, how one leaves it, and what it then says."""


class TestAtTheTable:
    """Commands that wait for somebody, in a terminal."""

    EXAMPLES = tuple(one for one in HELP if one.goes_on)

    @pytest.mark.parametrize(
        "example",
        [
            pytest.param(one, marks=[] if one.command == "greedy" else [pytest.mark.slow])
            for one in {one.line: one for one in EXAMPLES}.values()
            # What is resumed has to have begun: tests/playing/test_evening.py.
            if one.command in LEFT and "--resume" not in one.line
        ],
        ids=lambda one: one.line,
    )
    def test_one_can_leave(self, example: Example, tmp_path: Path) -> None:
        waits, typed, says = LEFT[example.command]
        with reader(tmp_path, reviewed=example.of_reviews):
            terminal = at_the_table(example.line)
            terminal.wait_for(waits)
            terminal.type(typed)
            terminal.wait_for(says)
            assert terminal.ended() == 0

    @pytest.mark.slow
    @pytest.mark.parametrize(
        "line",
        [
            pytest.param(line, marks=[pytest.mark.needs("initdb")] if CLUB in line else [])
            for line in dict.fromkeys(
                [one.line for one in EXAMPLES if one.command == "web"]
                + re.findall(
                    r"^rollwise web .*", (DOCS / "server.md").read_text("utf-8"), re.MULTILINE
                )
            )
        ],
    )
    def test_web(self, line: str, tmp_path: Path) -> None:
        port = free_port()
        with reader(tmp_path):
            if CLUB in line:
                with postgres() as address:
                    self.serve(f"{line.replace(CLUB, address)} --port {port}", port)
            else:
                self.serve(f"{line} --port {port}", port)

    def serve(self, line: str, port: int) -> None:
        terminal = at_the_table(line)

        def answers() -> bool:
            assert terminal.process.poll() is None, terminal.text
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/rules", timeout=PATIENCE):
                    return True
            except OSError:
                return False

        try:
            wait_until(answers)
        finally:
            terminal.process.terminate()
            terminal.ended()

    @pytest.mark.parametrize("example", [one for one in PAGES if one.goes_on])
    def test_a_dialogue_of_a_page(self, example: Example, tmp_path: Path) -> None:
        """Each prompt that is shown comes, and what is typed after it has the shown answer."""
        with reader(tmp_path):
            terminal = at_the_table(example.line)
            for line in example.shown.splitlines():
                prompt, colon, typed = line.partition(" of 3: ")
                terminal.wait_for((prompt + colon).rstrip())
                if typed:
                    terminal.type(f"{typed}\n")
            terminal.type("q\n")
            assert terminal.ended() == 0
