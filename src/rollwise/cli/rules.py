"""``rollwise rules``: list, show, and check rules, and write a page about a game."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import rollwise
from rollwise.cli import flags
from rollwise.cli.common import check_folder, console, empty_table, headed, write_json
from rollwise.cli.lazy_imports import lazy_imports
from rollwise.cli.progress import progress
from rollwise.errors import InputError
from rollwise.files import write_atomically
from rollwise.rules import Category, load_rules, preset_names
from rollwise.rules.describe import describe, describe_category, describe_size
from rollwise.rules.schema import preset_text

with lazy_imports():
    from rollwise.studies import game_page


app = typer.Typer(no_args_is_help=True, help="List, show and check rules.")


@app.command("list")
def list_rules(as_json: flags.Json = False, quiet: flags.Quiet = False) -> None:
    """List the rules that come with the package.

    [bold]Examples[/bold]

      rollwise rules list

      rollwise rules list --json
    """
    every = [load_rules(name) for name in preset_names()]
    if as_json:
        write_json([{"name": rules.name, "title": rules.title} for rules in every])
        return
    table = empty_table("name", "game", ">dice", ">rolls", ">boxes")
    for rules in every:
        kinds = " + ".join(f"{dice}×{faces}" for dice, faces in rules.kinds)
        counts = (kinds, str(rules.rolls), str(len(rules.categories)))
        table.add_row(rules.name, rules.title, *counts)
    console().print(table)


@app.command()
def show(
    name: Annotated[str, typer.Argument(metavar="NAME|FILE.toml")],
    as_json: flags.Json = False,
    as_toml: Annotated[
        bool, typer.Option("--toml", help="Print the rule file itself, to change a copy of it.")
    ] = False,
    quiet: flags.Quiet = False,
) -> None:
    """Show the rules of a game in a short form.

    [bold]Examples[/bold]

      rollwise rules show yatzy

      rollwise rules show micro-yahtzee --toml

      rollwise rules show my-game.toml --json
    """
    rules = load_rules(name)
    if as_json and as_toml:
        raise InputError("both --json and --toml: expected one of them")
    if as_json:
        write_json(rules.model_dump(mode="json"))
        return
    if as_toml:
        of_preset = name in preset_names()
        text = preset_text(name) if of_preset else Path(name).read_text("utf-8")
        typer.echo(text, nl=False)
        return
    out = console()
    out.print(headed(rules.title, f" ({rules.name})"))
    for line in describe(rules):
        out.print(line)
    for source in rules.sources:
        out.print(f"Source: {source}")
    for dispute in rules.disputed:
        out.print(f"As others tell the rules: {dispute.says}")
    out.print()
    table = empty_table("box", "key", "code", "asks for", "points")
    rows: dict[tuple[str, str, str], list[Category]] = {}
    for title, category in zip(rules.row_titles, rules.categories, strict=True):
        rows.setdefault((title, *describe_category(category)), []).append(category)
    for (title, asks, points), slots in rows.items():
        codes = " ".join(slot.code or "" for slot in slots)
        table.add_row(title, "\n".join(slot.key for slot in slots), codes, asks, points)
    out.print(table)


@app.command()
def page(
    name: Annotated[str, typer.Argument(metavar="NAME|FILE.toml")],
    output: Annotated[Path | None, flags.writes("the page")] = None,
    alone: Annotated[
        bool, typer.Option("--alone", help="Solve no other game: not what its rules are worth.")
    ] = False,
    quiet: flags.Quiet = False,
) -> None:
    """Print a page about a game, in Markdown: rules, size, best play, what the rules are worth.

    [bold]Examples[/bold]

      rollwise rules page crag

      rollwise rules page my-game.toml -o my-game.md

      rollwise rules page micro-yahtzee --alone

    What takes too much memory to be computed of a large game comes from 10,000 simulated games,
    and is marked. With --alone nothing is solved but this game, once: the page is without the worst
    case and what other rules are worth.
    """
    check_folder(output)
    rules = load_rules(name)
    with progress(f"solving {rules.name}", quiet) as advance:
        solution = rollwise.solve(rules, on_disk=True, progress=advance)
        if not solution.is_whole:
            solution = rollwise.solve(rules)  # from the cache, with second moments if available
    with progress(f"playing all games of {rules.name}", quiet) as advance:
        text = game_page.game_page(game_page.page_of(solution, alone=alone, progress=advance))
    if output is None:
        typer.echo(text, nl=False)
    else:
        write_atomically(output, text.encode())


@app.command()
def check(
    file: Annotated[str, typer.Argument(metavar="NAME|FILE.toml")], quiet: flags.Quiet = False
) -> None:
    """Check a rule file: every mistake with its place, exit code 2 if there is one.

    [bold]Examples[/bold]

      rollwise rules check my-game.toml
    """
    rules = load_rules(file)
    if not quiet:
        console().print(f"{file}: no mistakes ({rules.title}: {describe_size(rules)})")
