"""Functions that read and write game records in files, or read them from standard input."""

import sys
from pathlib import Path

from rollwise.errors import MalformedError, check_type
from rollwise.files import read_file, write_atomically
from rollwise.game.game import Game
from rollwise.game.records.as_json import format_record_json, parse_record_json
from rollwise.game.records.as_text import parse_record
from rollwise.game.records.record import MAX_LENGTH, Record, check_from_start, format_record
from rollwise.rules import Rules

MAX_BYTES = 4 * MAX_LENGTH
"""The largest file of a game record in bytes."""


def read_record(text: str, rules: Rules | None = None) -> Record:
    """Parse a game record: in JSON form if the string starts with a brace, else in text form.

    A byte order mark at the beginning is ignored.
    """
    text = text.removeprefix("\ufeff")
    parse = parse_record_json if text.lstrip().startswith("{") else parse_record
    return parse(text, rules)


def load_record(path: Path, rules: Rules | None = None) -> Record:
    """Load a game record from a file, or from standard input if the path is ``-``.

    Raises
    ------
    InputError
        If the file is not a valid record. The message names the location and the reason.
    OSError
        If the file cannot be read.
    """
    from_input = str(path) == "-"
    data = sys.stdin.buffer.read(MAX_BYTES) if from_input else read_file(path, MAX_BYTES)
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise MalformedError(f"{path} is not UTF-8 text; save the record as UTF-8") from None
    return read_record(text, rules)


def as_record(game: Record | Game | str | Path) -> Record | Game:
    """Return a record or a game unchanged; parse a string, or load the file at a path.

    Raises
    ------
    InputError
        If ``game`` is not a game record, or begins at a position.
    """
    if isinstance(game, Path):
        return load_record(game)
    if isinstance(game, str):
        return read_record(game)
    check_type(game, (Record, Game), "a Record, a Game, the text of a record, or a Path")
    if isinstance(game, Game):
        check_from_start(game)
    return game


def save_record(record: Record, path: Path) -> None:
    """Write a record to a file atomically: as JSON if the suffix is ``.json``, otherwise as text.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    form = format_record_json if path.suffix == ".json" else format_record
    write_atomically(path, form(record).encode())
