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
from rollwise.errors import InputError, MalformedError, one_of, quoted
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
        str | None, typer.Argument(help="The hand, such as 11366; without it a whole game.")
    ] = None,
    rolls_left: flags.RollsLeft = None,
    card: flags.Card = None,
    strategy: Annotated[
        str, typer.Option("--strategy", metavar="NAME", help="Which of the greedy strategies.")
    ] = "greedy-step-discounted",
    rules: flags.Rules = "yams",
    output: Annotated[Path | None, flags.writes("the record")] = None,
    top: flags.Top = 8,
    as_json: flags.Json = False,
    quiet: flags.Quiet = False,
) -> None:
    """Ask the greedy player of the blog: which dice to roll again, for this turn alone.

    [bold]Examples[/bold]

      rollwise greedy

      rollwise greedy --strategy greedy --rules yahtzee -o game.txt

      rollwise greedy 11366

      rollwise greedy 23456 --rolls-left 1 --card "sixes=18" --rules yams

      rollwise greedy 11366 --strategy greedy --rules yahtzee --json

    Without dice it is a dialogue for a game at the table: write each hand, and be told which dice
    to roll again, and at last the box. ? helps, u takes back; the game can be reviewed.

    greedy-step looks one reroll ahead, as the blog does, greedy all of them; -discounted has the
    blog's penalty for boxes that could score more, greedy-average one by the mean of each box.
    Keeping all dice is scoring at once. Best for the whole game: rollwise advise.
    """
    player = strategies.STRATEGIES[strategy]() if strategy in strategies.STRATEGIES else None
    if not isinstance(player, strategies.Greedy):
        names = [name for name in strategies.STRATEGIES if name.startswith("greedy")]
        expected = one_of(names, strategy, "a greedy one")
        raise MalformedError(f"no greedy strategy {quoted(strategy)}: expected {expected}")
    check_folder(output)
    game = load_rules(rules)
    if dice is None:
        if as_json or rolls_left is not None or card is not None:
            raise InputError("--json, --rolls-left and --card are of one hand: expected its dice")

        _talk(dialogues.Dialogue(game, player, datetime.date.today()), player.name, output, quiet)
    elif output is not None:
        raise InputError("--output is of a whole game: expected no dice with it")
    else:
        _print_options(player, position_of(game, dice, card, rolls_left), top, as_json)


def _talk(dialogue: dialogues.Dialogue, name: str, path: Path | None, quiet: bool) -> None:
    """Read rolls and print advice until the game or the input ends."""
    out, is_terminal = console(), sys.stdin.isatty()
    game = dialogue.game
    out.print(headed(game.rules.title, f": {name}. Write each hand, such as 11366; ? helps."))
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
        raise MalformedError("standard input: expected text in UTF-8") from None
    if path is not None and game.events:
        save_record(dialogue.record, path)  # includes events added just before an interruption
        if not quiet:
            typer.echo(f"the game stands in {path}", err=True)


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
    words = best[2] if best[1] == "-" else f"roll {best[1]} again"
    out.print(
        f"{player.name}: [bold green]{words}[/bold green], expected {best[0]:.4f}\n", markup=True
    )
    table = empty_table("action", "roll again", ">expected")
    for expected, again, words in options[:top]:
        table.add_row(words, again, f"{expected:.4f}")
    out.print(table)
