"""``rollwise greedy``: the question of this name, or without dice a dialogue with any strategy."""

from __future__ import annotations

import datetime
import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from rollwise.cli import flags
from rollwise.cli.show import console, show, write_json
from rollwise.errors import InputError, MalformedError
from rollwise.files import check_folder
from rollwise.questions import question
from rollwise.questions.answer import title
from rollwise.questions.parameters import Card, Game, RollsLeft, Strategy, Top, game_of, output
from rollwise.questions.progress import note
from rollwise.questions.solving import player
from rollwise.rules import Rules


def greedy(
    dice: Annotated[
        str | None,
        Parameter(show_default="play a whole game"),
    ] = None,
    *,
    rolls_left: RollsLeft = None,
    card: Card = None,
    strategy: Strategy = "greedy-step-discounted",
    rules: Game = "yams",
    output: Annotated[Path | None, output("the record")] = None,
    top: Top = 8,
    as_json: flags.Json = False,
) -> None:
    """Ask a greedy strategy which dice to reroll.

    A greedy strategy maximizes the score of this turn alone. Without dice, type each roll of a
    game as you play it; then any strategy can advise you. greedy-step looks one reroll ahead,
    greedy looks ahead to the end of the turn, and -discounted subtracts a penalty for categories
    that could score more. A scale can follow, as in greedy-discounted:50.

    Parameters
    ----------
    dice
        The roll, such as 11366.

    Examples
    --------
    rollwise greedy
    rollwise greedy --strategy optimal --rules yahtzee -o game.txt
    rollwise greedy 23456 --rolls-left 1 --card "sixes=18" --rules yams
    """
    check_folder(output)
    if dice is None:
        if as_json or rolls_left is not None or card is not None:
            raise InputError(
                "--json, --rolls-left, and --card need dice. For example, run: "
                "rollwise greedy 11366 --json"
            )
        _advise_game(strategy, rules, output)
    elif output is not None:
        raise InputError("--output saves a whole game. Leave out the dice.")
    else:
        answer = question("greedy")(
            dice, rolls_left=rolls_left, card=card, strategy=strategy, rules=rules, top=top
        )
        if as_json:
            write_json(answer.data())
        else:
            show(answer.show())


def _advise_game(name: str, source: str | Rules | None, output: Path | None) -> None:
    """Advise a player who types the rolls of a game, and save the game after every change."""
    from rollwise.game.dice_notation import format_dice
    from rollwise.game.game import Game
    from rollwise.game.records.files import save_game
    from rollwise.playing import bot
    from rollwise.playing import dialogue as dialogues
    from rollwise.strategies import Optimal, check_needs_no_opponent

    rules = game_of(source)
    strategy = player(name, rules)
    check_needs_no_opponent(strategy)
    if isinstance(strategy, Optimal):
        adviser = dialogues.advice_of_solution(strategy.solution)
    else:
        adviser = dialogues.advice_of_bot(bot.Bot(strategy, rules))
    game = Game(rules, date=datetime.date.today())
    dialogue = dialogues.Dialogue(game, adviser)
    out, is_terminal = console(), sys.stdin.isatty()
    roll = format_dice(rules, dialogue.example)
    out.print(title(rules.title, f": {name}. Type each roll, such as {roll}; ? for help."))
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
            finally:  # also after an interrupt
                if output is not None and game.events != before:
                    save_game(game, output)
        else:
            out.print(dialogue.answer("card"))
    except (EOFError, KeyboardInterrupt):
        out.print()
    except UnicodeDecodeError:
        raise MalformedError("Standard input is not UTF-8 text. Type or pipe UTF-8 text.") from None
    if output is not None and game.events:
        note(f"saved the game in {output}")
