"""Functions that read and write game records in files, or read them from standard input."""

from pathlib import Path

from rollwise.errors import MalformedError, check_type
from rollwise.files import read_input, write_atomically
from rollwise.game.game import Game
from rollwise.game.headers import MAX_LENGTH
from rollwise.rules import Rules

MAX_BYTES = 4 * MAX_LENGTH
"""The largest file of a game record in bytes."""


def load_game(path: Path, rules: Rules | None = None) -> Game:
    """Load a game from a file, or from standard input if the path is ``-``."""
    try:
        text = read_input(path, MAX_BYTES).decode()
    except UnicodeDecodeError:
        raise MalformedError(f"{path} is not UTF-8 text; save the record as UTF-8") from None
    return Game.parse(text, rules)


def as_game(game: Game | str | Path, rules: Rules | None = None) -> Game:
    """Return a game unchanged; parse a string, or load the file at a path, with these rules."""
    if isinstance(game, Path):
        return load_game(game, rules)
    if isinstance(game, str):
        return Game.parse(game, rules)
    check_type(game, Game, "a Game, the text of a game record, or a Path")
    return game


def save_game(game: Game, path: Path) -> None:
    """Write a game to a file atomically: as JSON if the suffix is ``.json``, otherwise as text."""
    text = game.as_json() if path.suffix == ".json" else str(game)
    write_atomically(path, text.encode())
