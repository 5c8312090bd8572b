"""``rollwise play``: start or resume a game in the terminal, and print its review."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Annotated

import typer

import rollwise
from rollwise.cli import completion, flags
from rollwise.cli.common import objective_of, solved
from rollwise.cli.lazy_imports import lazy_imports
from rollwise.cli.practice import ask
from rollwise.cli.review import print_review, step_through
from rollwise.errors import InputError, quoted
from rollwise.game.actions import Roll
from rollwise.game.game import Game
from rollwise.game.headers import Headers, fresh_seed
from rollwise.game.records.files import load_game, save_game
from rollwise.rules import Rules, load_rules
from rollwise.settings import default_rules

with lazy_imports():
    from rollwise import history as saved_games
    from rollwise import strategies
    from rollwise.playing import bot, game_summary, rating_scale
    from rollwise.playing import practice as practice_session
    from rollwise.playing import session as sessions
    from rollwise.reviews import review as reviewing
    from rollwise.terminal import app
    from rollwise.two_player import win_probability as win_probabilities


LAST = "last"
"""The value of ``--resume`` for the last unfinished game."""


@dataclass
class OpenGame:
    """A game that is played in the terminal.

    Attributes
    ----------
    saved_at : datetime or None
        The time of its last version in the history; None if the history does not contain it.
    """

    game: Game
    id: str = field(default_factory=lambda: saved_games.new_id())
    saved_at: datetime | None = None

    def __post_init__(self) -> None:
        self._began_here = self.saved_at is None

    @classmethod
    def of(cls, saved: saved_games.SavedGame) -> OpenGame:
        """Return a saved game."""
        return cls(saved.game, saved.id, saved.saved_at)

    def save(self, history: saved_games.History, path: Path | None, resume: str) -> None:
        """Save a version in the history, and in a file if there is a path.

        While a game that began here has no choice, the history does not contain it.

        Raises
        ------
        InputError
            If the game has gone on in another window, or was deleted. The message contains
            ``resume``, the command that resumes the game.
        """
        try:
            if _has_choices(self.game) or not self._began_here:
                self.saved_at = history.save(self.id, self.game, self.saved_at)
            elif self.saved_at is not None:  # all choices were undone
                history.delete(self.id, self.saved_at)
                self.saved_at = None
        except saved_games.GoneOnError:
            raise InputError(
                "The game has gone on in another window, so this version of it was not saved. To "
                f"resume it, run: {resume}"
            ) from None
        except saved_games.NoSuchGameError:
            raise InputError(
                f"There is no saved game {quoted(self.id)} anymore, because someone deleted it. To "
                "start another game, run: rollwise play"
            ) from None
        if path is not None:
            save_game(self.game, path)


def _has_choices(game: Game) -> bool:
    """Return whether a game has an event other than a roll, so that it is worth saving."""
    return any(not isinstance(event, Roll) for event in game.events)


def in_database(command: str, database: str | None) -> str:
    """Return a command with the option for a database, if there is one."""
    return f"{command} --database {shlex.quote(database)}" if database else command


def play(
    against: Annotated[
        list[str] | None,
        typer.Option(
            "--against",
            "-a",
            metavar="STRATEGY",
            help="A computer opponent; repeatable.",
            autocompletion=completion.strategies,
        ),
    ] = None,
    name: Annotated[
        list[str] | None,
        typer.Option("--name", "-n", metavar="NAME", help="The name of a player; repeatable."),
    ] = None,
    rules: flags.RulesOrNone = None,
    objective: flags.ObjectiveOrNone = None,
    tutor: Annotated[
        bool, typer.Option("--tutor", help="Warn before a choice that loses 0.2 points or more.")
    ] = False,
    manual: Annotated[
        bool, typer.Option("--manual", help="Roll real dice and type what they show.")
    ] = False,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed",
            metavar="N",
            min=0,
            max=2**63 - 1,
            help="Seed of the dice.",
            show_default="random",
        ),
    ] = None,
    resume: Annotated[
        str | None,
        typer.Option(
            "--resume",
            metavar="[ID|FILE]",
            help="Resume a game: the last unfinished one, an id, or a file.",
            autocompletion=completion.saved_games,
        ),
    ] = None,
    output: Annotated[Path | None, flags.writes("the record")] = None,
    database: flags.Database = None,
    quiet: flags.Quiet = False,
) -> None:
    """Play in the terminal with hints, undo, and a tutor.

    [bold]Examples[/bold]

      rollwise play --against optimal --tutor

      rollwise play --name Ada --name Ben -o game.txt

      rollwise play --manual --rules yatzy

      rollwise play --resume

    An opponent is any strategy, or duel, which plays to win against one player. Keys: 1–5 keep a
    die, space rolls, s and a code scores, h gives a hint, u undoes, ? helps, and q quits. Every
    game is saved, and you see its review. To list saved games: rollwise history list.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise InputError(
            "rollwise play needs a terminal. Run it without a pipe, or use `rollwise web`."
        )
    creates = resume is None or Path(resume).exists()  # the history of an id must exist
    with saved_games.History(database, create=creates) as history:
        if resume is None:
            chosen = load_rules(rules or default_rules().source)
            dice = None if manual else fresh_seed() if seed is None else seed
            opened = OpenGame(bot.new_game(chosen, name or ["You"], against or [], dice))
        else:
            own_rules = None if rules is None else load_rules(rules)
            opened = game_to_resume(resume, history, own_rules)
            _check_names_no_files(opened.game.headers, against or [], objective)
            if output is None and Path(resume).exists():
                output = Path(resume)
        game, headers = opened.game, opened.game.headers
        tutor, objective = tutor or headers.tutor, objective or headers.objective
        game.headers = headers = replace(headers, tutor=tutor, objective=objective)
        bot.check_duel(game.rules, [headers.bots.get(player) for player in game.players])
        maximized = objective_of(headers.objective, game.rules, quiet=quiet)
        solution = solved(game.rules, maximized, quiet=quiet)
        setup = GameSetup(solution, history, database, output, quiet)
        while _play(opened, setup) == "new":
            opened = OpenGame(bot.another_game(opened.game))


def _check_names_no_files(headers: Headers, against: Sequence[str], objective: str | None) -> None:
    """Check that the record of a game names no file that the command line does not name too."""
    bots = headers.bots.values()
    named = [("strategy", "--against", name) for name in bots if name not in against]
    if objective is None:
        named.append(("objective", "--objective", headers.objective))
    for what, option, name in named:
        if not strategies.is_built_in(name):
            raise InputError(
                f"The record names the {what} {quoted(name)}, which is not built in, and a record "
                f"opens no files. If you trust the file, add {option} {shlex.quote(name)}."
            )


@dataclass(frozen=True)
class GameSetup:
    """The solution of a game, and the locations where the game is saved."""

    solution: rollwise.Solution
    history: saved_games.History
    database: str | None
    path: Path | None
    quiet: bool

    @cached_property
    def scale(self) -> dict[str, float]:
        """The EV loss per game of each reference strategy, if it takes only seconds to compute."""
        return rating_scale.quick_scale(self.solution)


def _play(opened: OpenGame, setup: GameSetup) -> str | None:
    """Play a game, print its review, and return the next step that the player chose."""
    game, solution, history = opened.game, setup.solution, setup.history
    resume = in_database(f"rollwise play --resume {opened.id}", setup.database)
    bots = _bots(game, quiet=setup.quiet)
    session = sessions.Session(game, solution, bots)
    win_probability = next(
        (opponent.win_probability for opponent in bots.values() if opponent.win_probability),
        None,
    )

    def save() -> None:
        opened.save(history, setup.path, resume)

    def reviews_of(game: Game) -> list[rollwise.Review]:
        session.reasons.prepare()
        return reviewing.review(game, solution, session.reasons.parts)

    def say(game: Game) -> Iterator[list[str]]:
        reviews = reviews_of(game)
        yield game_summary.explain_result(reviews)
        people = [review for review in reviews if review.player not in bots]
        yield game_summary.explain_result(
            reviews, rated=game_summary.describe_ratings(people, setup.scale)
        )

    screen = app.PlayApp(
        session,
        save,
        judge=say,
        outlook=(win_probability or win_probabilities.WinProbability(game.rules)).outlook,
    )
    after = screen.run()
    if screen.failure is not None:
        raise screen.failure
    reviews = reviews_of(game)
    if any(review.decisions for review in reviews):
        print_review(game, reviews)
    people = [review for review in reviews if review.player not in bots]
    if game.is_over:
        save()
        history.keep_reviews(opened.id, people, opened.saved_at)
    if setup.path is not None:
        typer.echo(f"saved the game in {setup.path}", err=True)
    if not (game.is_over or setup.quiet):
        if opened.saved_at is None:
            note = "The game is not in the history, because you made no choice."
        else:
            note = f"saved the game in the history as {opened.id}\nTo resume it, run: {resume}"
        typer.echo(note, err=True)
    if after == "review":
        step_through(game, reviews)
    if after == "practice":
        _practice(people, solution)
    return after


def _bots(game: Game, *, quiet: bool) -> dict[str, bot.Bot]:
    """Return the computer opponents of a game by name."""
    return {
        name: bot.Bot.named(
            strategy,
            game.rules,
            lambda objective: solved(game.rules, objective, quiet=quiet),
            game.players.index(name),
            lambda text: objective_of(text, game.rules, quiet=quiet),
        )
        for name, strategy in game.headers.bots.items()
    }


def _practice(people: list[rollwise.Review], solution: rollwise.Solution) -> None:
    """Practice the worst decisions of a game."""
    worst = (decision for review in people for decision in review.worst(10))
    questions = (
        practice_session.PracticeQuestion(decision.position, decision.chosen.action)
        for decision in worst
    )
    ask(practice_session.Practice(questions, solution, again=True))


def game_to_resume(wanted: str, history: saved_games.History, rules: Rules | None) -> OpenGame:
    """Return the game in a file or with an id; for ``LAST``, return the last unfinished game.

    If the history has the same game as the file, return the saved game.

    Raises
    ------
    InputError
        If there is no such game.
    """
    saved = (game for game in history.games() if not game.reason)
    if Path(wanted).exists():
        loaded = load_game(Path(wanted), rules)
        same = (game for game in saved if game.game == loaded)
        return next(map(OpenGame.of, same), OpenGame(loaded))
    if wanted == LAST:
        for game in saved:
            if not game.game.is_over:
                return OpenGame.of(game)
        raise InputError("There is no unfinished game. To start one, run: rollwise play")
    try:
        return OpenGame.of(history.load(wanted))
    except saved_games.NoSuchGameError:
        raise InputError(
            f"There is no file and no saved game named {quoted(wanted)}. To see all games, run: "
            "rollwise history list"
        ) from None
