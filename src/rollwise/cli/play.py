"""``rollwise play``: start or resume a game in the terminal, and print its review."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

from annotated_types import Ge, Le
from cyclopts import Parameter

from rollwise.cli import flags, streams
from rollwise.cli.practice import ask
from rollwise.cli.review import note_saved
from rollwise.cli.show import show
from rollwise.errors import InputError, check_extra, quoted
from rollwise.files import check_output
from rollwise.game.actions import Roll
from rollwise.game.game import Game
from rollwise.game.headers import EXPECTED, fresh_seed
from rollwise.game.records.files import load_game, save_game
from rollwise.history import GoneOnError, History, NoSuchGameError, SavedGame, new_id
from rollwise.playing import bot, game_summary
from rollwise.playing.practice import Practice, PracticeQuestion
from rollwise.playing.rating_scale import quick_scale
from rollwise.playing.session import Session
from rollwise.questions import completion
from rollwise.questions.parameters import GameOfRecord, output
from rollwise.questions.progress import note
from rollwise.questions.review import Reviews
from rollwise.questions.solving import objective_of, player, solved
from rollwise.reviews.review import Review, review
from rollwise.rules import as_rules
from rollwise.settings import default_rules
from rollwise.solving.solution import Solution
from rollwise.strategies import check_names, is_built_in

LAST = "last"
"""The value of ``--resume`` for the last unfinished game."""


@dataclass
class OpenGame:
    """A game that is played in the terminal, and the places where it is saved.

    ``path`` is a file for the record, if there is one, and ``resume`` is the command that resumes
    the game. ``saved_at`` is the time of the last version, or None if the history has no version.
    """

    saved: SavedGame
    history: History
    path: Path | None
    database: str | None

    def __post_init__(self) -> None:
        self.game, self.saved_at = self.saved.game, self.saved.saved_at
        self.resume = f"rollwise play --resume {self.saved.id}{flags.repeated(self.database)}"

    def save(self) -> None:
        """Save a version in the history, and in a file if there is a path.

        While a game that began here has no choice, the history does not contain it.

        Raises
        ------
        InputError
            If the game has gone on in another window, or was deleted.
        """
        id, has_choices = self.saved.id, any(not isinstance(e, Roll) for e in self.game.events)
        try:
            if has_choices or self.saved.saved_at is not None:
                self.saved_at = self.history.save(id, self.game, self.saved_at)
            elif self.saved_at is not None:  # all choices were undone
                self.history.delete(id, self.saved_at)
                self.saved_at = None
        except GoneOnError:
            raise InputError(
                "The game has gone on in another window, so this version of it was not saved. To "
                f"resume it, run: {self.resume}"
            ) from None
        except NoSuchGameError:
            raise InputError(
                f"There is no saved game {quoted(id)} anymore, because someone deleted it. To "
                "start another game, run: rollwise play"
            ) from None
        if self.path is not None:
            save_game(self.game, self.path)


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
    output: Annotated[Path | None, output("the game record")] = None,
    database: flags.Database = None,
) -> None:
    """Play in the terminal with hints, undo, and a tutor.

    An opponent is any strategy, or duel, which plays to win against one player. Keys: 1–5 keep a
    die, space rolls, s and a code scores, h gives a hint, o shows other scorecards, u undoes, ?
    helps, and q quits. Every game is saved, and you see its review. To list saved games, run
    rollwise history list.

    Parameters
    ----------
    against
        A computer opponent; repeatable.
    name
        The name of a player; repeatable.
    objective
        The objective: expected, target:250, beat:greedy, worst-case, …
    tutor
        Warn before an action that loses 0.2 points or more.
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
    check_extra("play", "rollwise play", "textual")
    if not streams.is_interactive():
        raise InputError(
            "rollwise play needs a terminal. Run it without a pipe, or use `rollwise web`."
        )
    wanted = None if resume is None else "".join(resume) or LAST
    if output is None or wanted is None or output.resolve() != Path(wanted).resolve():
        check_output(output, f"continue its game with --resume {shlex.quote(str(output))}")
    check_names(against or [])
    given = None if rules is None else as_rules(rules)
    if wanted is None:
        chosen = as_rules(default_rules().source) if given is None else given
        objective_of(objective or EXPECTED, chosen)
        dice = None if manual else fresh_seed() if seed is None else seed
        game = bot.new_game(chosen, name or ["You"], against or [], dice)
        _check_duel(game)
    elif Path(wanted).exists():
        game = load_game(Path(wanted), given)
        _check_record(game, against or [], objective)
    else:
        game = None
    with History(database, create=game is not None) as history:  # a mistake creates no history
        if game is None:
            assert wanted is not None
            saved = saved_game(wanted, history)
            _check_record(saved.game, against or [], objective)
        else:
            saved = _new(game) if wanted is None else history.add(game)[0]
        game, headers = saved.game, saved.game.headers
        tutor, objective = tutor or headers.tutor, objective or headers.objective
        game.headers = headers = replace(headers, tutor=tutor, objective=objective)
        solution = solved(game.rules, objective_of(headers.objective, game.rules))
        while _play(OpenGame(saved, history, output, database), solution) == "new":
            saved, output = _new(bot.another_game(saved.game)), None


def _new(game: Game) -> SavedGame:
    """Return a game that is not in the history."""
    return SavedGame(new_id(), game, None)


def _check_duel(game: Game) -> None:
    bot.check_duel(game.rules, [game.headers.bots.get(player) for player in game.players])


def _check_record(game: Game, against: Sequence[str], objective: str | None) -> None:
    """Check that a record names no file that the command line does not name too, and its bots."""
    _check_duel(game)
    headers, bots = game.headers, game.headers.bots.values()
    named = [("strategy", "--against", name) for name in bots if name not in against]
    if objective is None:
        named.append(("objective", "--objective", headers.objective))
    for what, option, name in named:
        if not is_built_in(name):
            raise InputError(
                f"The record names the {what} {quoted(name)}, which is not built in, and a record "
                f"opens no files. If you trust the file, add {option} {shlex.quote(name)}."
            )


def _play(opened: OpenGame, solution: Solution) -> str | None:
    """Play a game, print its review, and return the next step that the player chose."""
    game, history = opened.game, opened.history
    bots = {
        name: bot.Bot(player(strategy, game.rules), game.rules, game.players.index(name))
        for name, strategy in game.headers.bots.items()
    }
    session = Session(game, solution, bots)

    from rollwise.terminal.app import Judgment, PlayApp  # textual
    from rollwise.two_player.win_probability import WinProbability  # numba

    def reviews_of(game: Game) -> list[Review]:
        session.reasons.prepare()
        return review(game, solution, session.reasons.parts)

    def judge(game: Game) -> Iterator[Judgment]:
        reviews = reviews_of(game)
        yield Judgment(reviews, game_summary.explain_result(reviews))
        people = [review for review in reviews if review.player not in bots]
        rated = game_summary.describe_ratings(people, quick_scale(solution))
        yield Judgment(reviews, game_summary.explain_result(reviews, rated=rated))

    responding = (opponent.win_probability for opponent in bots.values())
    win_probability = next(filter(None, responding), None) or WinProbability(game.rules)
    strategies = {name: opponent.strategy for name, opponent in bots.items()}
    screen = PlayApp(
        session,
        opened.save,
        judge=judge,
        outlook=lambda game, progress: win_probability.outlook(game, strategies, progress),
    )
    after = screen.run()
    if screen.failure is not None:
        raise screen.failure
    reviews = reviews_of(game) if screen.judgment is None else screen.judgment.reviews
    if any(review.decisions for review in reviews):
        show(Reviews(game=game, reviews=reviews).show())
    people = [review for review in reviews if review.player not in bots]
    if game.is_over or opened.path is not None:
        opened.save()
    if game.is_over:
        history.keep_reviews(opened.saved.id, people, opened.saved_at)
    if opened.path is not None:
        note(f"saved the game in {opened.path}")
    if opened.saved_at is None:
        note("The game is not in the history, because you made no choice.")
    else:
        note_saved(opened.saved.id, opened.database, is_over=game.is_over)
    if after == "practice":
        worst = (decision for review in people for decision in review.worst(10))
        questions = (PracticeQuestion(one.position, one.chosen.action) for one in worst)
        show(ask(Practice(questions, solution, again=True)))
    return after


def saved_game(wanted: str, history: History) -> SavedGame:
    """Return the game with an id; for ``LAST``, return the last unfinished game.

    Raises
    ------
    InputError
        If there is no such game.
    """
    if wanted == LAST:
        for saved in history.games():
            if not saved.reason and not saved.game.is_over:
                return saved
        raise InputError("There is no unfinished game. To start one, run: rollwise play")
    try:
        return history.load(wanted)
    except NoSuchGameError:
        raise InputError(
            f"There is no file and no saved game named {quoted(wanted)}. To see all games, run: "
            "rollwise history list"
        ) from None
