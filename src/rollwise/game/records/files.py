"""Functions that read and write game records in files, or read them from standard input."""

import sys
from pathlib import Path

from rollwise.errors import MalformedError, check_type
from rollwise.files import read_file, write_atomically
from rollwise.game.game import Game
from rollwise.game.headers import MAX_LENGTH
from rollwise.rules import Rules

MAX_BYTES = 4 * MAX_LENGTH
"""The largest file of a game record in bytes."""


def load_game(path: Path, rules: Rules | None = None) -> Game:
    """Load a game from a file, or from standard input if the path is ``-``."""
    from_input = str(path) == "-"
    data = sys.stdin.buffer.read(MAX_BYTES) if from_input else read_file(path, MAX_BYTES)
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise MalformedError(f"{path} is not UTF-8 text; save the record as UTF-8") from None
    return Game.parse(text, rules)


def as_game(game: Game | str | Path) -> Game:
    """Return a game unchanged; parse a string, or load the file at a path."""
    if isinstance(game, Path):
        return load_game(game)
    if isinstance(game, str):
        return Game.parse(game)
    check_type(game, Game, "a Game, the text of a game record, or a Path")
    return game


def save_game(game: Game, path: Path) -> None:
    """Write a game to a file atomically: as JSON if the suffix is ``.json``, otherwise as text."""
    text = game.as_json() if path.suffix == ".json" else str(game)
    write_atomically(path, text.encode())
