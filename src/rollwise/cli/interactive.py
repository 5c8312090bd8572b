"""A dialogue for a game with real dice, for ``advise --interactive`` and ``greedy``."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import typer

from rollwise.cli import play
from rollwise.cli.common import console, headed, objective_of, solved
from rollwise.cli.lazy_imports import lazy_imports
from rollwise.errors import InputError, MalformedError
from rollwise.game.dice_notation import format_dice
from rollwise.game.game import Game
from rollwise.rules import Rules, load_rules
from rollwise.settings import default_rules

with lazy_imports():
    from rollwise import history as saved_games
    from rollwise.playing import bot
    from rollwise.playing import dialogue as dialogues


def advise_interactively(
    rules: str,
    objective: str,
    strategy: str | None,
    names: list[str] | None,
    resume: str | None,
    output: Path | None,
    database: str | None,
    *,
    quiet: bool,
) -> None:
    """Advise the players of a game with real dice, and save the game in the history."""
    creates = resume is None or Path(resume).exists()  # the history of an id must exist
    with saved_games.History(database, create=creates) as history:
        if resume is None:
            today = datetime.now().astimezone().date()
            opened = play.OpenGame(Game(load_rules(rules), names or "Player", date=today))
        elif names:
            raise InputError("A resumed game has its own players. Leave out --name or --resume.")
        else:
            own = None if rules == default_rules().source else load_rules(rules)
            opened = _game_to_resume(resume, history, own)
        game = opened.game
        again = play.in_database(f"rollwise advise --interactive --resume {opened.id}", database)
        adviser = _adviser(game.rules, objective, strategy, quiet=quiet)
        who = strategy or ("optimal" if objective == "expected" else f"optimal for {objective}")
        talk(game, adviser, who, lambda: opened.save(history, output, again), HINT)
        if game.events and not quiet:
            place = f" and in {output}" if output else ""
            typer.echo(f"saved the game in the history as {opened.id}{place}", err=True)
            if game.is_over:
                show = play.in_database(f"rollwise history show {opened.id}", database)
                typer.echo(f"To review it, run: {show} | rollwise review -", err=True)
            else:
                typer.echo(f"To resume it, run: {again}", err=True)


def _adviser(
    rules: Rules, objective: str, strategy: str | None, *, quiet: bool
) -> dialogues.Adviser:
    if strategy is None:
        goal = objective_of(objective, rules, quiet=quiet)
        return dialogues.advice_of_solution(solved(rules, goal, quiet=quiet))
    player = bot.Bot.named(
        strategy,
        rules,
        lambda goal: solved(rules, goal, quiet=quiet),
        0,
        lambda text: objective_of(text, rules, quiet=quiet),
    )
    return dialogues.advice_of_bot(player)


def _game_to_resume(
    wanted: str, history: saved_games.History, rules: Rules | None
) -> play.OpenGame:
    """Return a saved game with real dice; for ``last``, the last unfinished one."""
    if wanted == play.LAST and not Path(wanted).exists():
        saved = (game for game in history.games() if not game.reason)
        for opened in map(play.OpenGame.of, saved):
            if _has_real_dice(opened.game) and not opened.game.is_over:
                return opened
        raise InputError(
            "There is no unfinished game with real dice. To start one, run: "
            "rollwise advise --interactive"
        )
    opened = play.game_to_resume(wanted, history, rules)
    if not _has_real_dice(opened.game):
        raise InputError(
            "This game has virtual dice or computer opponents. To resume it, run: "
            f"rollwise play --resume {shlex.quote(wanted)}"
        )
    return opened


def _has_real_dice(game: Game) -> bool:
    """Return whether people roll all dice of a game."""
    return game.headers.seed is None and not game.headers.bots


HINT = (
    "The dialogue records the advised option. If you did something else, type it, such as keep 6 "
    "or score ones."
)
"""The second line of a dialogue in which people may not follow the advice."""


def talk(
    game: Game, adviser: dialogues.Adviser, name: str, save: Callable[[], None], hint: str = ""
) -> None:
    """Read rolls and print advice until the game or the input ends; save every change.

    The name of the adviser is in the title, and the hint below it.
    """
    out, is_terminal = console(), sys.stdin.isatty()
    dialogue = dialogues.Dialogue(game, adviser)
    roll = format_dice(game.rules, dialogue.example)
    out.print(headed(game.rules.title, f": {name}. Type each roll, such as {roll}; ? for help."))
    if hint:
        out.print(hint)
    saved = game.events
    try:
        if advice := dialogue.advise():
            out.print(advice)
        while not game.is_over:
            if game.events != saved:
                save()
                saved = game.events
            line = input(f"{dialogue.due}: " if is_terminal else "")
            if line.strip().lower() in ("q", "quit"):
                break
            try:
                out.print(dialogue.answer(line))
            except InputError as error:
                out.print(f"{error}")
        else:
            out.print(dialogue.answer("card"))
    except (EOFError, KeyboardInterrupt):
        out.print()
    except UnicodeDecodeError:
        raise MalformedError("Standard input is not UTF-8 text. Type or pipe UTF-8 text.") from None
    finally:
        if game.events != saved:
            save()
