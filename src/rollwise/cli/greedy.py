"""``rollwise greedy``: the question of this name, or without dice a dialogue with any strategy."""

from __future__ import annotations

import datetime
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from rollwise.cli.commands import extends
from rollwise.errors import InputError, MalformedError
from rollwise.files import check_output
from rollwise.questions import question
from rollwise.questions.answer import Answer, Block, Hidden, title
from rollwise.questions.greedy import GAME, STRATEGY
from rollwise.questions.parameters import output
from rollwise.questions.progress import note
from rollwise.questions.solving import player
from rollwise.rules import Rules, game_of

NEEDS_DICE = (
    "--json, --rolls-left, and --card need dice. For example, run: rollwise greedy 11366 --json"
)


class _Dialogue(Answer):
    """The advice to a player who types the rolls of a game."""

    strategy: Hidden[str]
    rules: Hidden[Rules]
    output: Hidden[Path | None]

    def data(self) -> Any:
        """Refuse to be JSON."""
        raise InputError(NEEDS_DICE)

    def show(self) -> Iterator[Block]:
        """Read lines and yield the responses; save the game after every change."""
        from rollwise.game.dice_notation import format_dice
        from rollwise.game.game import Game
        from rollwise.game.records.files import save_game
        from rollwise.playing.dialogue import Dialogue
        from rollwise.strategies import check_needs_no_opponent

        check_needs_no_opponent(self.strategy)
        strategy = player(self.strategy, self.rules)
        game = Game(self.rules, date=datetime.date.today())
        dialogue = Dialogue(game, strategy)
        roll = format_dice(self.rules, dialogue.example)
        head = f": {self.strategy}. Type each roll, such as {roll}; ? for help."
        yield title(self.rules.title, head)
        try:
            while not game.is_over:
                line = input(f"{dialogue.due}: " if sys.stdin.isatty() else "")
                if line.strip().lower() in ("q", "quit"):
                    break
                before = game.events
                try:
                    yield dialogue.answer(line)
                except InputError as error:
                    yield str(error)
                finally:  # also after an interrupt
                    if self.output is not None and game.events != before:
                        save_game(game, self.output)
            else:
                yield dialogue.answer("card")
        except (EOFError, KeyboardInterrupt):
            yield ""
        except UnicodeDecodeError:
            raise MalformedError(
                "Standard input is not UTF-8 text. Type or pipe UTF-8 text."
            ) from None
        if self.output is not None and game.events:
            note(f"saved the game in {self.output}")


@extends("greedy")
def greedy(
    dice: Annotated[str | None, Parameter(show_default="play a whole game")] = None,
    *,
    output: Annotated[Path | None, output("the game record")] = None,
    **options: Any,
) -> Answer:
    """Advise on a roll, or on a whole game."""
    check_output(output, "delete the file")
    if dice is None:
        if options.keys() & {"rolls_left", "card"}:
            raise InputError(NEEDS_DICE)
        name, rules = options.get("strategy", STRATEGY), game_of(options.get("rules", GAME))
        return _Dialogue(strategy=name, rules=rules, output=output)
    if output is not None:
        raise InputError("--output saves a whole game. Leave out the dice.")
    return question("greedy")(dice, **options)
