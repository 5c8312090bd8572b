"""The screen of a command in a pseudo-terminal."""

import pyte

from terminals import Terminal


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

    def leaves(self, code: int = 0) -> "Screen":
        """Wait until the command ends, check its exit code, and return the screen."""
        assert self.ended() == code, self.text
        return self
