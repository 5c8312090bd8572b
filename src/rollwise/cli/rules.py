"""``rollwise rules``: write and check rule files, and set the default game."""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from rollwise.cli import flags
from rollwise.cli.show import console, show, write_json
from rollwise.errors import InputError, quoted
from rollwise.files import check_output, write_atomically
from rollwise.questions import completion
from rollwise.questions.progress import note
from rollwise.rules import DEFAULT, load_rules, preset_names
from rollwise.rules.describe import describe_size
from rollwise.rules.loader import load_rule_file
from rollwise.rules.writer import differences, template
from rollwise.settings import (
    VARIABLE,
    default_rules,
    reset_default_rules,
    save_default_rules,
)

MAX_NAME = 40
"""The maximum length of the name of a game."""


def new(
    file: Path,
    *,
    base: Annotated[str | None, Parameter(metavar="NAME|FILE.toml")] = None,
    force: bool = False,
) -> None:
    """Write a commented rule file that changes a game.

    Parameters
    ----------
    file
        The file to write.
    base
        The game to change; by default, what rollwise rules use prints.
    force
        Replace an existing file.

    Examples
    --------
    rollwise rules new my-yahtzee.toml
    rollwise rules new my-yatzy.toml --base yatzy
    """
    if file.suffix != ".toml":
        raise InputError(f"{file} is not a name for a rule file. Choose a name that ends in .toml.")
    _check_printable(file)
    check_output(file, force=force)
    base = default_rules().source if base is None else base
    data = load_rule_file(base).data
    if base.endswith(".toml"):
        base = _path_of_base(os.path.realpath(base), os.path.realpath(file))
    text = template(data, file=shlex.quote(str(file)), base=base, **_names_of(file))
    write_atomically(file, text.encode())
    note(f"wrote {file}")


def _check_printable(path: Path) -> None:
    """Raise InputError if a path has characters that a rule file or a settings file cannot have."""
    if not str(path).isprintable():
        raise InputError(f"The path {quoted(str(path))} has control characters. Rename the file.")


def _path_of_base(base: str, written: str) -> str:
    """Return the path of a base relative to the folder of a new rule file."""
    if base == written:
        raise InputError(f"{written} cannot be its own base. Choose another file name.")
    try:
        return Path(os.path.relpath(base, Path(written).parent)).as_posix()
    except ValueError:  # on another drive of Windows
        return Path(base).as_posix()


def _names_of(path: Path) -> dict[str, str]:
    """Return the name and the title of the game in a new rule file."""
    words = re.findall("[a-z0-9]+", path.stem.lower())
    name = "-".join(words)[:MAX_NAME]
    if name in preset_names() or not name[:1].isalpha():
        name = f"my-{name or 'game'}"[:MAX_NAME]
    return {"name": name.rstrip("-"), "title": name.replace("-", " ").strip().capitalize()}


def use(
    name: Annotated[
        str | None,
        Parameter(metavar="NAME|FILE.toml", help="The game.", completer=completion.games),
    ] = None,
    *,
    reset: Annotated[bool, Parameter(help=f"Reset the default game to {DEFAULT}.")] = False,
    as_json: flags.Json = False,
    quiet: flags.Quiet = False,
) -> None:
    """Set the default game, or print it.

    Without the option --rules, commands use the default game; greedy and tree have other defaults.
    The environment variable ROLLWISE_RULES overrides the default game.

    Examples
    --------
    rollwise rules use
    rollwise rules use yahtzee-forced-joker
    rollwise rules use my-game.toml
    rollwise rules use --reset
    """
    if name is not None and reset:
        raise InputError("Choose a game or --reset, not both.")
    if reset:
        reset_default_rules()
    elif name is not None:
        rules = load_rules(name)
        _check_printable(Path(name).resolve())
        save_default_rules(str(Path(name).resolve()) if name.endswith(".toml") else name)
        if os.environ.get(VARIABLE):
            note(f"{VARIABLE} overrides the new default, {rules.name}.")
    source, origin = default_rules()
    rules = load_rules(source)
    if as_json:
        write_json({"name": rules.name, "title": rules.title, "rules": source, "set_by": origin})
    elif not quiet or not (reset or name):
        by = f", set by {origin}" if origin else ""
        console().print(f"Default game: {rules.title} ({source}){by}")


def check(
    file: Annotated[
        str,
        Parameter(metavar="NAME|FILE.toml", help="The rule file.", completer=completion.games),
    ],
    *,
    quiet: flags.Quiet = False,
) -> None:
    """Find the mistakes in a rule file.

    The command prints all invalid values with their lines or, if all values are valid, all
    contradictions between them. The exit code is 2 if there is a mistake. If there is none, the
    command prints the differences from the base.

    Examples
    --------
    rollwise rules check my-game.toml
    """
    checked = load_rule_file(file)
    if not quiet:
        size = describe_size(checked.rules)
        show([f"{file}: no mistakes ({checked.rules.title}: {size})", *differences(checked)])


COMMANDS = {"new": new, "use": use, "check": check}
