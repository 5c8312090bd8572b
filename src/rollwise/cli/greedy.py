"""``rollwise greedy``: the dice that a greedy strategy rerolls, with expected scores."""

from __future__ import annotations

import datetime
import sys
from collections import Counter
from pathlib import Path
from typing import Annotated, Any

import typer

from rollwise.cli import flags
from rollwise.cli.common import check_folder, console, empty_table, headed, position_of, write_json
from rollwise.cli.lazy_imports import lazy_imports
from rollwise.errors import InputError, MalformedError, did_you_mean, quoted
from rollwise.game.actions import Keep
from rollwise.game.notation import format_action, format_keep, format_position
from rollwise.game.position import Position
from rollwise.game.records.files import save_record
from rollwise.rules import load_rules

with lazy_imports():
    from rollwise import strategies
    from rollwise.playing import dialogue as dialogues


def greedy(
    dice: Annotated[
        str | None,
        typer.Argument(help="The roll, such as 11366.", show_default="play a whole game"),
    ] = None,
    rolls_left: flags.RollsLeft = None,
    card: flags.Card = None,
    strategy: Annotated[
        str, typer.Option("--strategy", metavar="NAME", help="The greedy strategy.")
    ] = "greedy-step-discounted",
    rules: flags.Rules = "yams",
    output: Annotated[Path | None, flags.writes("the record")] = None,
    top: flags.Top = 8,
    as_json: flags.Json = False,
    quiet: flags.Quiet = False,
) -> None:
    """Ask a greedy strategy which dice to reroll.

    [bold]Examples[/bold]

      rollwise greedy

      rollwise greedy --strategy greedy --rules yahtzee -o game.txt

      rollwise greedy 23456 --rolls-left 1 --card "sixes=18" --rules yams

      rollwise greedy 11366 --strategy greedy --rules yahtzee --json

    A greedy strategy maximizes the score of this turn alone. Without dice, type each roll of a
    game as you play it. greedy-step looks one reroll ahead, greedy looks ahead to the end of the
    turn, and -discounted subtracts a penalty for categories that could score more.
    """
    player = strategies.STRATEGIES[strategy]() if strategy in strategies.STRATEGIES else None
    if not isinstance(player, strategies.Greedy):
        names = [name for name in strategies.STRATEGIES if name.startswith("greedy")]
        hint = did_you_mean(strategy, dict(zip(names, names, strict=True)))
        known = f"The greedy strategies are {', '.join(names)}."
        raise MalformedError(f"Unknown greedy strategy {quoted(strategy)}. {hint or known}")
    check_folder(output)
    game = load_rules(rules)
    if dice is None:
        if as_json or rolls_left is not None or card is not None:
            raise InputError(
                "--json, --rolls-left, and --card need dice, such as: rollwise greedy 11366 --json"
            )

        _talk(dialogues.Dialogue(game, player, datetime.date.today()), player.name, output, quiet)
    elif output is not None:
        raise InputError("--output saves a whole game. Leave out the dice.")
    else:
        _print_options(player, position_of(game, dice, card, rolls_left), top, as_json)


def _talk(dialogue: dialogues.Dialogue, name: str, path: Path | None, quiet: bool) -> None:
    """Read rolls and print advice until the game or the input ends."""
    out, is_terminal = console(), sys.stdin.isatty()
    game = dialogue.game
    out.print(headed(game.rules.title, f": {name}. Type each roll, such as 11366; ? for help."))
    try:
        while not game.is_over:
            line = input(f"{dialogue.due}: " if is_terminal else "")
            if line.strip().lower() in ("q", "quit"):
                break
            before = game.events
            try:
                out.print(dialogue.answer(line))
            except InputError as error:
                out.print(f"{error}")
            if path is not None and game.events != before:
                save_record(dialogue.record, path)
        else:
            out.print(dialogue.answer("card"))
    except (EOFError, KeyboardInterrupt):
        out.print()
    except UnicodeDecodeError:
        raise MalformedError("Standard input is not UTF-8 text. Type or pipe UTF-8 text.") from None
    if path is not None and game.events:
        save_record(dialogue.record, path)  # includes events added just before an interruption
        if not quiet:
            typer.echo(f"saved the game in {path}", err=True)


def _print_options(
    player: strategies.Greedy, position: Position, top: int | None, as_json: bool
) -> None:
    """Print the expected scores of the options of one roll."""
    game = position.rules
    options: list[tuple[float, str, str]] = []
    for action, expected in player.options(position):
        held = action.dice if isinstance(action, Keep) else position.dice
        rolled = tuple((Counter(position.dice) - Counter(held)).elements())
        options.append((expected, format_keep(game, rolled), format_action(game, action)))
    if as_json:
        rows: list[dict[str, Any]] = [
            {"action": action, "reroll": again, "expected": expected}
            for expected, again, action in options[:top]
        ]
        write_json(
            {
                "rules": game.name,
                "strategy": player.name,
                "position": format_position(position),
                "options": rows,
            }
        )
        return

    out = console()
    out.print(headed(game.title, f": {format_position(position)}"))
    best = options[0]
    words = best[2] if best[1] == "-" else f"reroll {best[1]}"
    out.print(
        f"{player.name}: [bold green]{words}[/bold green], expected {best[0]:.4f}\n", markup=True
    )
    table = empty_table("action", "reroll", ">expected")
    for expected, again, words in options[:top]:
        table.add_row(words, again, f"{expected:.4f}")
    out.print(table)
