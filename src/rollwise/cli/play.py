"""``rollwise play``: start or resume a game in the terminal, and print its review."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
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
from rollwise.game.events import Roll
from rollwise.game.records.files import load_record, save_record
from rollwise.game.records.record import Record, Setting, fresh_seed
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
    robots : mapping of int to str
        The strategies of the computer opponents, by player index.
    saved_at : datetime or None
        The time of its last version in the history; None if the history does not contain it.
    """

    record: Record
    robots: Mapping[int, str]
    id: str = field(default_factory=lambda: saved_games.new_id())
    saved_at: datetime | None = None

    def __post_init__(self) -> None:
        self._began_here = self.saved_at is None

    @classmethod
    def of(cls, game: saved_games.SavedGame) -> OpenGame:
        """Return a saved game."""
        return cls(game.record, game.robots, game.id, game.saved_at)

    def save(
        self, history: saved_games.History, record: Record, path: Path | None, resume: str
    ) -> None:
        """Save a version in the history, and in a file if there is a path.

        While a game that began here has no choice, the history does not contain it.

        Raises
        ------
        InputError
            If the game has gone on in another window, or was deleted. The message contains
            ``resume``, the command that resumes the game.
        """
        try:
            if _has_choices(record) or not self._began_here:
                self.saved_at = history.save(self.id, record, self.robots, self.saved_at)
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
            save_record(record, path)


def _has_choices(record: Record) -> bool:
    """Return whether a game has an event other than a roll, so that it is worth saving."""
    return any(not isinstance(event, Roll) for event in record.events)


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
    with saved_games.History(database) as history:
        if resume is None:
            chosen = load_rules(rules or default_rules().source)
            game = _new_game(chosen, name, against, seed, Setting(), manual=manual)
        else:
            own_rules = None if rules is None else load_rules(rules)
            game = game_to_resume(resume, history, own_rules, against or [])
            _check_names_no_files(game, against or [], objective)
            if output is None and Path(resume).exists():
                output = Path(resume)
        game = _with_options(game, objective, tutor=tutor)
        played, setting = game.record.rules, game.record.setting
        bot.check_duel(played, [game.robots.get(n) for n, _ in enumerate(game.record.players)])
        maximized = objective_of(setting.objective, played, quiet=quiet)
        setup = GameSetup(solved(played, maximized, quiet=quiet), history, database, output, quiet)
        while _play(game, setup) == "new":
            names = [n for i, n in enumerate(game.record.players) if i not in game.robots]
            robots = list(game.robots.values())
            game = _new_game(played, names, robots, None, setting, manual=manual)


def _new_game(
    rules: Rules,
    people: list[str] | None,
    opponents: list[str] | None,
    seed: int | None,
    setting: Setting,
    *,
    manual: bool,
) -> OpenGame:
    seats = bot.seat_names(people or ["You"], opponents or [])
    dice = None if manual else fresh_seed() if seed is None else seed
    robots = {number: robot for number, robot in enumerate(seats.values()) if robot is not None}
    setting = replace(setting, robots=robots)
    today = datetime.now().astimezone().date()
    record = Record(rules, tuple(seats), seed=dice, date=today, setting=setting)
    return OpenGame(record, robots)


def _check_names_no_files(game: OpenGame, against: Sequence[str], objective: str | None) -> None:
    """Check that the record of a game names no file that the command line does not name too."""
    named = [("strategy", "--against", robot) for robot in game.robots.values()]
    named = [part for part in named if part[2] not in against]
    if objective is None:
        named.append(("objective", "--objective", game.record.setting.objective))
    for what, option, name in named:
        if not strategies.is_built_in(name):
            raise InputError(
                f"The record names the {what} {quoted(name)}, which is not built in, and a record "
                f"opens no files. If you trust the file, add {option} {shlex.quote(name)}."
            )


def _with_options(game: OpenGame, objective: str | None, *, tutor: bool) -> OpenGame:
    """Return the game with the tutor and objective settings from the command line."""
    old = game.record
    setting = replace(
        old.setting,
        robots=game.robots,
        tutor=tutor or old.setting.tutor,
        objective=objective or old.setting.objective,
    )
    return replace(game, record=Record.of(old.game(), old.seed, old.date, setting))


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


def _play(game: OpenGame, setup: GameSetup) -> str | None:
    """Play a game, print its review, and return the next step that the player chose."""
    rules, solution, history = game.record.rules, setup.solution, setup.history
    resume = in_database(f"rollwise play --resume {game.id}", setup.database)
    robots = _robots(game, quiet=setup.quiet)
    session = sessions.Session(game.record, solution, robots)
    win_probability = next(
        (opponent.win_probability for opponent in robots.values() if opponent.win_probability),
        None,
    )

    def save(record: Record) -> None:
        game.save(history, record, setup.path, resume)

    def reviews_of(record: Record) -> list[rollwise.Review]:
        session.reasons.prepare()
        return reviewing.review_with(solution, record, session.reasons.parts)

    def say(record: Record) -> Iterator[list[str]]:
        reviews = reviews_of(record)
        yield game_summary.explain_result(reviews)
        people = [review for number, review in enumerate(reviews) if number not in robots]
        yield game_summary.explain_result(
            reviews, rated=game_summary.describe_ratings(people, setup.scale)
        )

    screen = app.PlayApp(
        session,
        save,
        judge=say,
        outlook=(win_probability or win_probabilities.WinProbability(rules)).outlook,
    )
    after = screen.run()
    if screen.failure is not None:
        raise screen.failure
    record = session.record
    reviews = reviews_of(record)
    if any(review.decisions for review in reviews):
        print_review(record, reviews)
    people = [review for number, review in enumerate(reviews) if number not in robots]
    if record.is_over:
        save(record)
        history.keep_reviews(game.id, people)
    if setup.path is not None:
        typer.echo(f"saved the game in {setup.path}", err=True)
    if not (record.is_over or setup.quiet):
        if game.saved_at is None:
            note = "The game is not in the history, because you made no choice."
        else:
            note = f"saved the game in the history as {game.id}\nTo resume it, run: {resume}"
        typer.echo(note, err=True)
    if after == "review":
        step_through(record, reviews)
    if after == "practice":
        _practice(people, solution)
    return after


def _robots(game: OpenGame, *, quiet: bool) -> dict[int, bot.Bot]:
    """Return the computer opponents of a game by player index."""
    rules = game.record.rules
    return {
        number: bot.Bot.named(
            strategy,
            rules,
            lambda objective: solved(rules, objective, quiet=quiet),
            number,
            lambda text: objective_of(text, rules, quiet=quiet),
        )
        for number, strategy in game.robots.items()
    }


def _practice(people: list[rollwise.Review], solution: rollwise.Solution) -> None:
    """Practice the worst decisions of a game."""
    worst = (decision for review in people for decision in review.worst(10))
    questions = (
        practice_session.PracticeQuestion(decision.position, decision.chosen.action)
        for decision in worst
    )
    ask(practice_session.Practice(questions, solution, again=True))


def game_to_resume(
    wanted: str, history: saved_games.History, rules: Rules | None, against: Sequence[str] = ()
) -> OpenGame:
    """Return the game in a file or with an id; for ``LAST``, return the last unfinished game.

    If the history has a game with the same record as the file, return the saved game. If the record
    names no computer opponents, infer them from the players' names: a player is a computer opponent
    if the name is the name of a strategy or of an opponent in ``against``.

    Raises
    ------
    InputError
        If there is no such game.
    """
    saved = (game for game in history.games() if isinstance(game, saved_games.SavedGame))
    if Path(wanted).exists():
        record = load_record(Path(wanted), rules)
        for game in saved:
            if game.record == record:
                return OpenGame.of(game)
        if record.setting.robots:
            return OpenGame(record, record.setting.robots)
        strategy_by_name = {name: name for name in ("optimal", "duel", *strategies.STRATEGIES)}
        strategy_by_name |= {
            name: robot for name, robot in bot.seat_names(["You"], against).items() if robot
        }
        robots = {
            number: strategy_by_name[name]
            for number, name in enumerate(record.players)
            if name in strategy_by_name
        }
        return OpenGame(record, robots)
    if wanted == LAST:
        for game in saved:
            if not game.record.is_over:
                return OpenGame.of(game)
        raise InputError("There is no unfinished game. To start one, run: rollwise play")
    try:
        return OpenGame.of(history.load(wanted))
    except saved_games.NoSuchGameError:
        raise InputError(
            f"There is no file and no saved game named {quoted(wanted)}. To see all games, run: "
            "rollwise history list"
        ) from None
