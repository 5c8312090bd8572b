"""``rollwise rules``: list, show, and check rules, write rule files, and set the default game."""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path
from typing import Annotated

import typer

from rollwise.cli import completion, flags
from rollwise.cli.common import (
    check_folder,
    console,
    empty_table,
    headed,
    print_written,
    write_json,
)
from rollwise.errors import InputError, quoted
from rollwise.files import write_atomically
from rollwise.rules import Category, load_rules, preset_names
from rollwise.rules.describe import describe, describe_category, describe_size
from rollwise.rules.loader import load_rule_file
from rollwise.rules.schema import RuleFile
from rollwise.rules.writer import differences, template, written_out
from rollwise.settings import (
    ORIGINAL,
    VARIABLE,
    default_rules,
    reset_default_rules,
    save_default_rules,
)

MAX_NAME = 40
"""The maximum length of the name of a game."""

app = typer.Typer(no_args_is_help=True, help="List, show, and check rules.")


@app.command("list")
def list_rules(as_json: flags.Json = False, quiet: flags.Quiet = False) -> None:
    """List the games that come with rollwise.

    [bold]Examples[/bold]

      rollwise rules list

      rollwise rules list --json
    """
    every = [load_rules(name) for name in preset_names()]
    if as_json:
        write_json([{"name": rules.name, "title": rules.title} for rules in every])
        return
    table = empty_table("name", "game", ">dice", ">rolls", ">categories")
    for rules in every:
        kinds = " + ".join(f"{dice}×{faces}" for dice, faces in rules.kinds)
        counts = (kinds, str(rules.rolls), str(len(rules.categories)))
        table.add_row(rules.name, rules.title, *counts)
    console().print(table)


@app.command()
def show(
    name: Annotated[str, typer.Argument(metavar="NAME|FILE.toml", autocompletion=completion.games)],
    as_json: flags.Json = False,
    as_toml: Annotated[bool, typer.Option("--toml", help="Print the rule file itself.")] = False,
    full: Annotated[
        bool, typer.Option("--full", help="Print the complete rule file, without a base.")
    ] = False,
    quiet: flags.Quiet = False,
) -> None:
    """Show the rules of a game.

    [bold]Examples[/bold]

      rollwise rules show yatzy

      rollwise rules show yahtzee-forced-joker --toml

      rollwise rules show yahtzee-forced-joker --full

      rollwise rules show my-game.toml --json

    If a rule file has a base, the command shows the differences and the complete rules.
    """
    file = load_rule_file(name)
    if as_json + as_toml + full > 1:
        raise InputError("Choose one of --json, --toml, and --full.")
    if as_json:
        write_json(file.rules.model_dump(mode="json"))
    elif as_toml:
        typer.echo(file.text, nl=False)
    elif full:
        typer.echo(written_out(file.data), nl=False)
    else:
        _print_rules(file)


def _print_rules(file: RuleFile) -> None:
    """Print rules in words: remarks, differences from the base, and the categories."""
    rules, out = file.rules, console()
    out.print(headed(rules.title, f" ({rules.name})"))
    for line in describe(rules):
        out.print(line)
    for source in rules.sources:
        out.print(f"Source: {source}")
    for dispute in rules.disputed:
        out.print(f"Rule variant: {dispute.says}")
    if file.base is not None:
        out.print(f"\nDiffers from {file.base}:")
        for line in differences(file.stated):
            out.print(f"  {line}")
    out.print()
    table = empty_table("category", "key", "code", "needs", "points")
    rows: dict[tuple[str, str, str], list[Category]] = {}
    for title, category in zip(rules.row_titles, rules.categories, strict=True):
        rows.setdefault((title, *describe_category(category)), []).append(category)
    for (title, asks, points), slots in rows.items():
        codes = " ".join(slot.code or "" for slot in slots)
        table.add_row(title, "\n".join(slot.key for slot in slots), codes, asks, points)
    out.print(table)


@app.command()
def new(
    written: Annotated[Path, typer.Argument(metavar="FILE.toml", help="The file to write.")],
    base: Annotated[
        str | None,
        typer.Option(
            "--base",
            metavar="NAME|FILE.toml",
            help="The game to change; by default, the game of rollwise rules use.",
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False,
    quiet: flags.Quiet = False,
) -> None:
    """Write a commented rule file that changes a game.

    [bold]Examples[/bold]

      rollwise rules new my-yahtzee.toml

      rollwise rules new my-yatzy.toml --base yatzy
    """
    if written.suffix != ".toml":
        raise InputError(
            f"{written} is not a name for a rule file. Choose a name that ends in .toml."
        )
    check_folder(written)
    _check_printable(written)
    if written.exists() and not force:
        raise InputError(f"{written} already exists. Choose another name, or add --force.")
    base = default_rules().source if base is None else base
    data = load_rule_file(base).data
    if base.endswith(".toml"):
        base = _path_of_base(os.path.realpath(base), os.path.realpath(written))
    text = template(data, file=shlex.quote(str(written)), base=base, **_names_of(written))
    write_atomically(written, text.encode())
    print_written([written], quiet)


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


@app.command()
def use(
    name: Annotated[str | None, typer.Argument(metavar="[NAME|FILE.toml]")] = None,
    reset: Annotated[
        bool, typer.Option("--reset", help=f"Reset the default game to {ORIGINAL}.")
    ] = False,
    as_json: flags.Json = False,
    quiet: flags.Quiet = False,
) -> None:
    """Set the default game, or print it.

    [bold]Examples[/bold]

      rollwise rules use

      rollwise rules use yahtzee-forced-joker

      rollwise rules use my-game.toml

      rollwise rules use --reset

    Commands use the default game without the option --rules; greedy and tree have other defaults.
    The environment variable ROLLWISE_RULES overrides the default game.
    """
    if name is not None and reset:
        raise InputError("Choose a game or --reset, not both.")
    if reset:
        reset_default_rules()
    elif name is not None:
        rules = load_rules(name)
        _check_printable(Path(name).resolve())
        save_default_rules(str(Path(name).resolve()) if name.endswith(".toml") else name)
        if os.environ.get(VARIABLE) and not quiet:
            typer.echo(f"{VARIABLE} overrides the new default, {rules.name}.", err=True)
    source, origin = default_rules()
    rules = load_rules(source)
    if as_json:
        write_json({"name": rules.name, "title": rules.title, "rules": source, "set_by": origin})
    elif not quiet or not (reset or name):
        by = f", set by {origin}" if origin else ""
        console().print(f"Default game: {rules.title} ({source}){by}")


@app.command()
def check(
    file: Annotated[str, typer.Argument(metavar="NAME|FILE.toml", autocompletion=completion.games)],
    quiet: flags.Quiet = False,
) -> None:
    """Find the mistakes in a rule file.

    [bold]Examples[/bold]

      rollwise rules check my-game.toml

    The command prints all invalid values with their lines or, if all values are valid, all
    contradictions between them. The exit code is 2 if there is a mistake.
    """
    rules = load_rules(file)
    if not quiet:
        console().print(f"{file}: no mistakes ({rules.title}: {describe_size(rules)})")
