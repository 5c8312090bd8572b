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

from annotated_types import Ge, Le
from cyclopts import Parameter

from rollwise.cli import flags, streams
from rollwise.cli.practice import ask
from rollwise.cli.review import step_through
from rollwise.cli.show import show
from rollwise.errors import InputError, quoted
from rollwise.game.actions import Roll
from rollwise.game.game import Game
from rollwise.game.headers import Headers, fresh_seed
from rollwise.game.records.files import load_game, save_game
from rollwise.history import GoneOnError, History, NoSuchGameError, SavedGame, new_id
from rollwise.playing import bot, game_summary
from rollwise.playing.practice import Practice, PracticeQuestion
from rollwise.playing.rating_scale import quick_scale
from rollwise.playing.session import Session
from rollwise.questions import completion
from rollwise.questions.parameters import GameOfRecord, game_of, output
from rollwise.questions.progress import note
from rollwise.questions.review import Reviews
from rollwise.questions.solving import objective_of, solved
from rollwise.reviews.review import Review, review
from rollwise.rules import Rules, as_rules
from rollwise.solving.solution import Solution
from rollwise.strategies import is_built_in
from rollwise.terminal.app import PlayApp
from rollwise.two_player.win_probability import WinProbability

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
    id: str = field(default_factory=new_id)
    saved_at: datetime | None = None

    def __post_init__(self) -> None:
        self._began_here = self.saved_at is None

    @classmethod
    def of(cls, saved: SavedGame) -> OpenGame:
        """Return a saved game."""
        return cls(saved.game, saved.id, saved.saved_at)

    def save(self, history: History, path: Path | None, resume: str) -> None:
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
        except GoneOnError:
            raise InputError(
                "The game has gone on in another window, so this version of it was not saved. To "
                f"resume it, run: {resume}"
            ) from None
        except NoSuchGameError:
            raise InputError(
                f"There is no saved game {quoted(self.id)} anymore, because someone deleted it. To "
                "start another game, run: rollwise play"
            ) from None
        if path is not None:
            save_game(self.game, path)


def _has_choices(game: Game) -> bool:
    """Return whether a game has an event other than a roll, so that it is worth saving."""
    return any(not isinstance(event, Roll) for event in game.events)


def play(
    *,
    against: Annotated[
        list[str] | None,
        Parameter(name=("--against", "-a"), metavar="STRATEGY", completer=completion.strategies),
    ] = None,
    name: Annotated[list[str] | None, Parameter(name=("--name", "-n"), metavar="NAME")] = None,
    rules: GameOfRecord = None,
    objective: Annotated[
        str | None, Parameter(metavar="GOAL", completer=completion.objectives)
    ] = None,
    tutor: bool = False,
    manual: bool = False,
    seed: Annotated[
        int | None, Ge(0), Le(2**63 - 1), Parameter(metavar="N", show_default="random")
    ] = None,
    resume: Annotated[
        list[str] | None,
        Parameter(consume_multiple=(0, 1), metavar="[ID|FILE]", completer=completion.saved_games),
    ] = None,
    output: Annotated[Path | None, output("the record")] = None,
    database: flags.Database = None,
) -> None:
    """Play in the terminal with hints, undo, and a tutor.

    An opponent is any strategy, or duel, which plays to win against one player. Keys: 1–5 keep a
    die, space rolls, s and a code scores, h gives a hint, u undoes, ? helps, and q quits. Every
    game is saved, and you see its review. To list saved games: rollwise history list.

    Parameters
    ----------
    against
        A computer opponent; repeatable.
    name
        The name of a player; repeatable.
    objective
        What to play for: expected, target:250, beat:greedy, worst-case, …
    tutor
        Warn before a choice that loses 0.2 points or more.
    manual
        Roll real dice and type what they show.
    seed
        Seed of the dice.
    resume
        Resume a game: the last unfinished one, an id, or a file.

    Examples
    --------
    rollwise play --against optimal --tutor
    rollwise play --name Ada --name Ben -o game.txt
    rollwise play --manual --rules yatzy
    rollwise play --resume
    """
    if not streams.is_interactive():
        raise InputError(
            "rollwise play needs a terminal. Run it without a pipe, or use `rollwise web`."
        )
    wanted = None if resume is None else "".join(resume) or LAST
    creates = wanted is None or Path(wanted).exists()  # the history of an id must exist
    with History(database, create=creates) as history:
        if wanted is None:
            chosen = game_of(rules)
            dice = None if manual else fresh_seed() if seed is None else seed
            opened = OpenGame(bot.new_game(chosen, name or ["You"], against or [], dice))
        else:
            opened = game_to_resume(wanted, history, None if rules is None else as_rules(rules))
            _check_names_no_files(opened.game.headers, against or [], objective)
            if output is None and Path(wanted).exists():
                output = Path(wanted)
        game, headers = opened.game, opened.game.headers
        tutor, objective = tutor or headers.tutor, objective or headers.objective
        game.headers = headers = replace(headers, tutor=tutor, objective=objective)
        bot.check_duel(game.rules, [headers.bots.get(player) for player in game.players])
        solution = solved(game.rules, objective_of(headers.objective, game.rules))
        setup = GameSetup(solution, history, database, output)
        while _play(opened, setup) == "new":
            opened = OpenGame(bot.another_game(opened.game))


def _check_names_no_files(headers: Headers, against: Sequence[str], objective: str | None) -> None:
    """Check that the record of a game names no file that the command line does not name too."""
    bots = headers.bots.values()
    named = [("strategy", "--against", name) for name in bots if name not in against]
    if objective is None:
        named.append(("objective", "--objective", headers.objective))
    for what, option, name in named:
        if not is_built_in(name):
            raise InputError(
                f"The record names the {what} {quoted(name)}, which is not built in, and a record "
                f"opens no files. If you trust the file, add {option} {shlex.quote(name)}."
            )


@dataclass(frozen=True)
class GameSetup:
    """The solution of a game, and the locations where the game is saved."""

    solution: Solution
    history: History
    database: str | None
    path: Path | None

    @cached_property
    def scale(self) -> dict[str, float]:
        """The EV loss per game of each reference strategy, if it takes only seconds to compute."""
        return quick_scale(self.solution)


def _play(opened: OpenGame, setup: GameSetup) -> str | None:
    """Play a game, print its review, and return the next step that the player chose."""
    game, solution, history = opened.game, setup.solution, setup.history
    database = f" --database {shlex.quote(setup.database)}" if setup.database else ""
    resume = f"rollwise play --resume {opened.id}{database}"
    bots = _bots(game)
    session = Session(game, solution, bots)
    win_probability = next(
        (opponent.win_probability for opponent in bots.values() if opponent.win_probability),
        None,
    )

    def save() -> None:
        opened.save(history, setup.path, resume)

    def reviews_of(game: Game) -> list[Review]:
        session.reasons.prepare()
        return review(game, solution, session.reasons.parts)

    def say(game: Game) -> Iterator[list[str]]:
        reviews = reviews_of(game)
        yield game_summary.explain_result(reviews)
        people = [review for review in reviews if review.player not in bots]
        yield game_summary.explain_result(
            reviews, rated=game_summary.describe_ratings(people, setup.scale)
        )

    screen = PlayApp(
        session,
        save,
        judge=say,
        outlook=(win_probability or WinProbability(game.rules)).outlook,
    )
    after = screen.run()
    if screen.failure is not None:
        raise screen.failure
    reviews = reviews_of(game)
    if any(review.decisions for review in reviews):
        show(Reviews(game=game, reviews=reviews).show())
    people = [review for review in reviews if review.player not in bots]
    if game.is_over:
        save()
        history.keep_reviews(opened.id, people, opened.saved_at)
    if setup.path is not None:
        print(f"saved the game in {setup.path}", file=sys.stderr)
    if not game.is_over:
        if opened.saved_at is None:
            note("The game is not in the history, because you made no choice.")
        else:
            note(f"saved the game in the history as {opened.id}\nTo resume it, run: {resume}")
    if after == "review":
        step_through(Reviews(game=game, reviews=reviews))
    if after == "practice":
        _practice(people, solution)
    return after


def _bots(game: Game) -> dict[str, bot.Bot]:
    """Return the computer opponents of a game by name."""
    return {
        name: bot.Bot.named(
            strategy,
            game.rules,
            lambda objective: solved(game.rules, objective),
            game.players.index(name),
            lambda text: objective_of(text, game.rules),
        )
        for name, strategy in game.headers.bots.items()
    }


def _practice(people: list[Review], solution: Solution) -> None:
    """Practice the worst decisions of a game."""
    worst = (decision for review in people for decision in review.worst(10))
    questions = (PracticeQuestion(decision.position, decision.chosen.action) for decision in worst)
    show(ask(Practice(questions, solution, again=True)))


def game_to_resume(wanted: str, history: History, rules: Rules | None) -> OpenGame:
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
    except NoSuchGameError:
        raise InputError(
            f"There is no file and no saved game named {quoted(wanted)}. To see all games, run: "
            "rollwise history list"
        ) from None
