"""The settings of the user: the default game, which commands use without ``--rules``."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import platformdirs

from rollwise.errors import InputError
from rollwise.files import write_atomically
from rollwise.rules import DEFAULT, preset_names
from rollwise.toml_files import parse_toml, read_toml

VARIABLE = "ROLLWISE_RULES"
"""The environment variable that overrides the settings file."""

RESET = "`rollwise rules use --reset`"


class DefaultRules(NamedTuple):
    """The default game: the name of a preset, or the path of a rule file.

    ``origin`` is the environment variable or the settings file that names the game, or None.
    """

    source: str
    origin: str | None = None


def settings_file() -> Path:
    """Return the settings file: ``$ROLLWISE_SETTINGS``, or a file in the user's config folder."""
    chosen = os.environ.get("ROLLWISE_SETTINGS")
    return Path(chosen) if chosen else platformdirs.user_config_path("rollwise") / "settings.toml"


def default_rules() -> DefaultRules:
    """Return the default game.

    Raise InputError if the settings file is damaged, or the preset or the rule file does not exist.
    """
    if chosen := os.environ.get(VARIABLE):
        game, fix = DefaultRules(chosen, VARIABLE), f"Change or unset {VARIABLE}."
    elif saved := _saved_source():
        game = DefaultRules(saved, str(settings_file()))
        fix = f"Choose another game with `rollwise rules use NAME`, or run {RESET}."
    else:
        return DefaultRules(DEFAULT)
    is_file = game.source.endswith(".toml")
    if not (Path(game.source).is_file() if is_file else game.source in preset_names()):
        raise InputError(
            f"The default game, {game.source}, does not exist (set by {game.origin}). {fix}"
        )
    return game


def save_default_rules(source: str) -> None:
    """Save the name of a preset, or the path of a rule file, as the default game."""
    with _access("save") as path:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, f"rules = {json.dumps(source, ensure_ascii=False)}\n".encode())


def reset_default_rules() -> None:
    """Return to the original default by deleting the settings file."""
    with _access("save") as path:
        path.unlink(missing_ok=True)


def _saved_source() -> str | None:
    """Return the default game in the settings file, or None if there is no settings file."""
    source = None
    with _access("read") as path:
        try:
            source = parse_toml(read_toml(path)).get("rules")
        except FileNotFoundError:
            return None
        except ValueError:  # not TOML
            pass
    if not source or not isinstance(source, str):
        raise InputError(f"{path} does not name a default game. Run {RESET}.")
    return source


@contextmanager
def _access(verb: str) -> Iterator[Path]:
    """Yield the path of the settings file, and explain errors of the system."""
    path = settings_file()
    try:
        yield path
    except OSError as error:
        raise InputError(
            f"{path}: cannot {verb} the settings ({error.strerror}). Set ROLLWISE_SETTINGS to the "
            "path of another file."
        ) from error
