"""Play a session in a pseudo-terminal, and compare the screen after each step.

    python tests/terminal_session.py          # play the session; print which screens have changed
    python tests/terminal_session.py --write  # also save the screens in tests/playing/screens

Two people and a computer opponent play micro-yahtzee. The session covers a hint, the tutor, undo,
leaving, resuming, the end of the game, practice, the history, and the review step by step. Dates
and ids are masked because they differ between runs.
"""

import os
import re
import select
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pyte

from terminals import Terminal

SAVED = Path(__file__).parent / "playing" / "screens"
SIZES = ((80, 24), (120, 40))
SILENCE = 0.5
"""The seconds without output after which a screen is complete; a screen can arrive in pieces."""


class _Screens(pyte.Screen):  # type: ignore[misc]
    """A terminal screen that clears its alternate screen when a program leaves it."""

    def reset_mode(self, *modes: int, **kind: bool) -> None:
        """Switch off terminal modes."""
        super().reset_mode(*modes, **kind)
        if 1049 in modes:
            self.reset()


class Screen(Terminal):
    """A command in a pseudo-terminal, and its screen."""

    def __init__(self, columns: int, rows: int, *arguments: str, **environment: str) -> None:
        super().__init__(*arguments, columns=columns, rows=rows, **environment)
        self.screen = _Screens(columns, rows)
        self.stream = pyte.ByteStream(self.screen)

    @property
    def text(self) -> str:
        """The text on the screen without trailing blanks."""
        return "\n".join(line.rstrip() for line in self.screen.display).rstrip() + "\n"

    def hear(self, output: bytes) -> None:
        """Feed the output of the command to the screen."""
        self.stream.feed(output)

    def with_words(self, *words: str) -> "Screen":
        """Wait until all words are on the screen, and return the screen."""
        self.wait_for(*words)
        return self

    def leaves(self, code: int = 0) -> "Screen":
        """Wait until the command ends, check its exit code, and return the screen."""
        assert self.ended() == code, self.text
        return self

    def shows(self, saved: str | None) -> str:
        """Return the masked text once it equals ``saved``.

        If ``saved`` is None, return the masked text once the output stops.
        """
        if self.process.returncode is None:
            if saved is not None:
                self.until(lambda: masked(self.text) == saved, f"this to come:\n{saved}")
            while select.select([self.main], [], [], SILENCE if saved is None else 0)[0]:
                self.hear(os.read(self.main, 65536))
        return masked(self.text)


def session(columns: int, rows: int, folder: Path) -> Iterator[tuple[str, Screen]]:
    """Play the session; yield the name of each step and the screen after it."""
    database = {"ROLLWISE_DATABASE": f"sqlite:///{folder}/history.sqlite"}
    game = folder / "session.txt"

    def rollwise(*words: str) -> Screen:
        return Screen(columns, rows, *words, **database)

    people = ("--name", "Ada", "--name", "Ben", "--against", "greedy")
    screen = rollwise(
        "play", *people, "--rules", "micro-yahtzee", "--seed", "10", "--tutor", "-o", str(game)
    )
    yield "01-begin", screen.with_words("Ada's turn (1 of 2): roll the dice", "q quit")
    screen.type(" ")
    yield "02-roll", screen.with_words("last roll", "[36]")
    screen.type("h")
    yield "03-hint", screen.with_words("EV loss", "rather than")
    screen.type("d")
    yield "04-tutor", screen.with_words("score double loses", "p play anyway")
    screen.type("\r")
    yield "04-enter-is-no-response", screen.with_words("Nothing is scored yet. p play anyway")
    screen.type("b")
    yield "05-beside-the-best", screen.with_words("yours", "rather than")
    screen.type("dp")
    yield "06-played", screen.with_words("Ben's turn (1 of 2): roll the dice", "Ada 12")
    screen.type("u")
    yield "07-undone", screen.with_words("Ada's turn (1 of 2): last roll", "Ada 0")
    assert "score" not in game.read_text()  # the file changes immediately
    screen.type("dp")
    screen.wait_for("Ben's turn (1 of 2): roll the dice")
    screen.type("q")
    yield "08-left", screen.leaves()
    # Resuming needs no options, because the record contains the computer opponent and the tutor.
    screen = rollwise("play", "--resume")
    yield "09-resumed", screen.with_words("Ben's turn (1 of 2): roll the dice", "q quit")
    screen.type(" ")
    screen.wait_for("last roll", "[8]")
    screen.type("d")
    yield "10-after-the-bot", screen.with_words("Ada's turn (2 of 2): roll the dice", "Medium: ")
    for name in ("Ada", "Ben"):
        screen.wait_for(f"{name}'s turn (2 of 2): roll the dice")
        screen.type(" ")
        screen.wait_for(f"{name}'s turn (2 of 2): last roll")
        screen.type("s")
    yield (
        "11-end",
        screen.with_words("Game over", "best was", "Ben: perfect"),
    )
    screen.type("p")
    yield "12-practice", screen.with_words("no rolls left. What would you do?", "1 of 1", "q quit")
    screen.type("s")
    yield (
        "13-right",
        screen.with_words("Correct: score square. In the game you chose: score double."),
    )
    screen.type(" ")
    screen.with_words("1 of 1 right").leaves()
    yield "14-nothing-to-resume", rollwise("play", "--resume").leaves(2)
    yield "15-history", rollwise("history", "list").leaves()
    screen = rollwise("review", str(game), "--step")
    yield "16-review", screen.with_words("1 of 1", "The best option gains", "q quit")
    screen.type("q")
    screen.leaves()


def masked(text: str) -> str:
    """Replace the parts of a screen text that differ between runs."""
    text = re.sub(r"^\S{12}(?= +\d{4}-)", "ADDRESS     ", text, flags=re.MULTILINE)
    text = re.sub(r"\d{4}-\d\d-\d\d( \d\d:\d\d)?", "20YY-MM-DD", text)
    text = re.sub(r"--resume \S{12}$", "--resume ID", text, flags=re.MULTILINE)
    return re.sub(r"^saved the game in .*\n(?:\S*session\.txt\n)?", "", text, flags=re.MULTILINE)


def screens(columns: int, rows: int, saved: dict[str, str]) -> dict[str, str]:
    """Return the masked screen after each step, by the name of its file.

    Parameters
    ----------
    saved : dict of str to str
        The expected screens. If a screen is missing, the result has the first unchanging screen.
    """
    texts = {}
    with tempfile.TemporaryDirectory() as folder:
        for step, screen in session(columns, rows, Path(folder)):
            name = f"{step}-{columns}x{rows}.txt"
            texts[name] = screen.shows(saved.get(name))
    return texts


def main(write: bool) -> None:
    """Play the session in terminals of all sizes; print which screens changed, or save them."""
    for size in SIZES:
        for name, text in screens(*size, {}).items():
            path = SAVED / name
            before = path.read_text("utf-8") if path.exists() else ""
            print(f"{name}{'' if before == text else '  NEW'}")
            if write:
                path.write_text(text, "utf-8")


if __name__ == "__main__":
    main("--write" in sys.argv[1:])
