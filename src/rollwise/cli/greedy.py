"""``rollwise greedy``: the dice that a greedy strategy rerolls, with expected scores."""

from __future__ import annotations

import datetime
from collections import Counter
from pathlib import Path
from typing import Annotated, Any

import typer

from rollwise.cli import completion, flags, interactive
from rollwise.cli.common import check_folder, console, empty_table, headed, position_of, write_json
from rollwise.cli.lazy_imports import lazy_imports
from rollwise.errors import InputError, MalformedError, did_you_mean, quoted
from rollwise.game.actions import Keep
from rollwise.game.dice_notation import format_keep
from rollwise.game.game import Game
from rollwise.game.notation import format_action
from rollwise.game.position import Position, format_position
from rollwise.game.records.files import save_game
from rollwise.rules import Rules, load_rules

with lazy_imports():
    from rollwise import strategies
    from rollwise.playing import bot
    from rollwise.playing import dialogue as dialogues


def greedy(
    dice: Annotated[
        str | None,
        typer.Argument(help="The roll, such as 11366.", show_default="play a whole game"),
    ] = None,
    rolls_left: flags.RollsLeft = None,
    card: flags.Card = None,
    strategy: Annotated[
        str,
        typer.Option(
            "--strategy",
            metavar="NAME",
            help="The greedy strategy.",
            autocompletion=completion.strategies,
        ),
    ] = "greedy-step-discounted",
    rules: flags.PresetRules = "yams",
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

    A greedy strategy maximizes the score of this turn alone. Without dice, type each roll of a
    game as you play it. greedy-step looks one reroll ahead, greedy looks ahead to the end of the
    turn, and -discounted subtracts a penalty for categories that could score more. A scale can
    follow, as in greedy-discounted:50.
    """
    player = strategies.named_strategy(strategy) if strategy.startswith("greedy") else None
    if player is None:
        names = [name for name in strategies.STRATEGIES if name.startswith("greedy")]
        names += [form for form in strategies.FORMS if form.startswith("greedy")]
        hint = did_you_mean(strategy, dict(zip(names, names, strict=True)))
        known = f"The greedy strategies are {', '.join(names)}."
        raise MalformedError(f"Unknown greedy strategy {quoted(strategy)}. {hint or known}")
    check_folder(output)
    game = load_rules(rules)
    if dice is None:
        if as_json or rolls_left is not None or card is not None:
            raise InputError(
                "--json, --rolls-left, and --card need dice. For example, run: "
                "rollwise greedy 11366 --json"
            )
        _advise_game(player, game, output, quiet=quiet)
    elif output is not None:
        raise InputError("--output saves a whole game. Leave out the dice.")
    else:
        _print_options(player, position_of(game, dice, card, rolls_left), top, as_json)


def _advise_game(
    player: strategies.Strategy, rules: Rules, output: Path | None, *, quiet: bool
) -> None:
    """Advise a player who types the rolls of a game, and save the game after every change."""
    game = Game(rules, date=datetime.date.today())

    def save() -> None:
        if output is not None:
            save_game(game, output)

    adviser = dialogues.advice_of_bot(bot.Bot(player, rules))
    interactive.talk(game, adviser, player.name, save)
    if output is not None and game.events and not quiet:
        typer.echo(f"saved the game in {output}", err=True)


def _print_options(
    player: strategies.Strategy, position: Position, top: int | None, as_json: bool
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
