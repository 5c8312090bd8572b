"""``rollwise match``: games of two strategies against each other."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rollwise.cli import flags
from rollwise.cli.common import (
    check_folder,
    console,
    empty_table,
    objective_of,
    player,
    print_tie_rules,
    print_written,
    write_json,
)
from rollwise.cli.lazy_imports import lazy_imports
from rollwise.cli.progress import progress
from rollwise.game.records.files import save_record
from rollwise.rules import load_rules

with lazy_imports():
    from rollwise.playing import bot
    from rollwise.playing import match as matches


def match(
    first: Annotated[str, typer.Argument(help="A strategy, such as optimal or my.py:Mine.")],
    second: Annotated[str, typer.Argument(help="The other one.")],
    games: Annotated[int, typer.Option("--games", metavar="N", min=1, help="How many games.")] = 1,
    transcript: Annotated[
        bool,
        typer.Option("--transcript", help="Print the record of the first game."),
    ] = False,
    output: Annotated[Path | None, flags.writes("the record of the first game")] = None,
    objective: flags.Objective = "expected",
    seed: flags.Seed = 0,
    ties: flags.Ties = flags.TieBreak.MORE_DICE,
    rules: flags.Rules = "yahtzee",
    as_json: flags.Json = False,
    quiet: flags.Quiet = False,
) -> None:
    """Let two strategies play each other, and show the score board.

    [bold]Examples[/bold]

      rollwise match payoff-line greedy --transcript

      rollwise match optimal greedy --transcript | rollwise review -

      rollwise match optimal my.py:Mine --games 1000 --seed 7

      rollwise match duel optimal --rules micro-yahtzee --games 10

    Each has dice of its own; the first named moves first in every game. The strategy duel sees the
    other card, and plays to win. For the exact chances of others: rollwise compare.
    """
    check_folder(output)

    game = load_rules(rules)
    bot.check_duel(game, (first, second))  # before the game is solved
    fewer = ties == flags.TieBreak.FEWER_DICE
    goal = objective_of(objective, game, quiet=quiet)
    first_player, second_player = (
        player(name, game, goal, fewer_dice=fewer, quiet=quiet) for name in (first, second)
    )
    with progress(f"playing {game.name}", quiet) as advance:
        result = matches.play_match(first_player, second_player, game, games, seed, advance)
    if output is not None:
        save_record(result.record(0), output)
        print_written([output], quiet)
    if as_json:
        lines = list(result.transcript(0)) if transcript else None
        write_json({**result.as_dict(), "seed": seed, "transcript": lines})
        return

    out = console()
    if transcript:
        for line in result.transcript(0):
            out.print(line, markup=False)
        out.print()
    if games == 1:
        table = empty_table(game.title, *(f">{name}" for name in result.names))
        rows = result.board(0)
        for title, a, b in rows:
            table.add_row(title, str(a), str(b), style="bold" if title == "Total" else None)
        with out.capture() as board:
            out.print(table)
        for line in board.get().splitlines():  # after a transcript, a comment in the record
            out.print(f"# {line}" if transcript else line, markup=False)
    else:
        win, tie, lost = result.tally()
        tally = f"{result.names[0]} won {win:,}, tied {tie:,}, lost {lost:,}"
        out.print(f"{'# ' * transcript}{games:,} games: {tally}")
    print_tie_rules([first_player.ties, second_player.ties], "# " if transcript else "")
