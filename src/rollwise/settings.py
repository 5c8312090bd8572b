"""The settings of the user: the default game, which commands use without ``--rules``."""

import json
import os
from pathlib import Path
from typing import NamedTuple

import platformdirs

from rollwise.errors import InputError, quoted
from rollwise.files import write_atomically
from rollwise.rules import preset_names
from rollwise.toml_files import parse_toml, read_toml

ORIGINAL = "yahtzee"
"""The default game of a user who has not chosen another."""

VARIABLE = "ROLLWISE_RULES"
"""The environment variable that overrides the settings file."""

RESET = "`rollwise rules use --reset`"


class DefaultRules(NamedTuple):
    """The default game.

    Attributes
    ----------
    source : str
        The name of a preset, or the path of a rule file.
    origin : str or None
        The environment variable or the settings file that names the game; None for the original
        default.
    """

    source: str
    origin: str | None = None


def settings_file() -> Path:
    """Return the settings file: ``$ROLLWISE_SETTINGS``, or a file in the user's config folder."""
    chosen = os.environ.get("ROLLWISE_SETTINGS")
    return Path(chosen) if chosen else platformdirs.user_config_path("rollwise") / "settings.toml"


def default_rules() -> DefaultRules:
    """Return the default game.

    Raises
    ------
    InputError
        If the settings file is damaged, or the preset or the rule file does not exist.
    """
    if chosen := os.environ.get(VARIABLE):
        return _existing(DefaultRules(chosen, VARIABLE), f"Change or unset {VARIABLE}.")
    source = _saved_source()
    if source is None:
        return DefaultRules(ORIGINAL)
    fix = f"Choose another game with `rollwise rules use NAME`, or run {RESET}."
    return _existing(DefaultRules(source, str(settings_file())), fix)


def save_default_rules(source: str) -> None:
    """Save the name of a preset, or the path of a rule file, as the default game."""
    path = settings_file()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, f"rules = {json.dumps(source, ensure_ascii=False)}\n".encode())
    except OSError as error:
        raise _unwritable(path, error) from error


def reset_default_rules() -> None:
    """Return to the original default by deleting the settings file."""
    path = settings_file()
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise _unwritable(path, error) from error


def _unwritable(path: Path, error: OSError) -> InputError:
    return InputError(
        f"{path}: cannot save the settings ({error.strerror}). Set ROLLWISE_SETTINGS to "
        "the path of another file."
    )


def _saved_source() -> str | None:
    """Return the default game in the settings file, or None if there is no settings file."""
    path = settings_file()
    try:
        source = parse_toml(read_toml(path)).get("rules")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InputError(
            f"{path}: cannot read the settings ({error.strerror}). Set ROLLWISE_SETTINGS to the "
            "path of another file."
        ) from error
    except ValueError as error:
        raise InputError(f"{path}: cannot read the settings (not TOML). Run {RESET}.") from error
    if not isinstance(source, str):
        raise InputError(
            f"{path}: the settings name no default game (rules = {quoted(source)}). Run {RESET}."
        )
    return source


def _existing(chosen: DefaultRules, fix: str) -> DefaultRules:
    """Return the default game if its preset or its rule file exists."""
    if chosen.source.endswith(".toml"):
        if not Path(chosen.source).is_file():
            raise InputError(
                f"The default game, {chosen.source}, does not exist (set by {chosen.origin}). {fix}"
            )
    elif chosen.source not in preset_names():
        raise InputError(
            f"The default game, {quoted(chosen.source)}, is not in `rollwise rules list` (set by "
            f"{chosen.origin}). {fix}"
        )
    return chosen
