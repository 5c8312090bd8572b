"""``rollwise practice``: spaced repetition of mistakes, the rating test, and the daily puzzle."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from typing import Annotated

from cyclopts import Parameter

from rollwise.cli import flags, streams
from rollwise.errors import InputError, MalformedError, check_extra, quoted
from rollwise.game.notation import parse_action
from rollwise.game.position import Position, format_position
from rollwise.history import (
    History,
    check_name,
    due_mistakes,
    missing_reviews,
    mistakes,
    practiced,
)
from rollwise.playing import practice as practicing
from rollwise.playing.practice import Practice, PracticeQuestion
from rollwise.playing.rating_scale import rating, scale_of
from rollwise.questions.answer import Answer, Block, Data, Hidden
from rollwise.questions.parameters import Count, Game
from rollwise.questions.progress import note
from rollwise.questions.review import Choice
from rollwise.questions.solving import solved
from rollwise.rules import game_of


class Question(Data):
    """A position, with all options, best first."""

    position: str
    then: str | None
    """The action in the game that the position comes from."""
    best: str
    value: float
    options: list[Choice]


class Questions(Answer):
    """Practice questions, which are asked when they are shown."""

    rules: str
    questions: list[Question]
    session: Hidden[Practice | None] = None
    instead: Hidden[str] = ""
    """What to print if there are no questions."""
    rates: Hidden[bool] = False
    """Whether the answers are rated."""

    def show(self) -> Iterator[Block]:
        """Ask the questions; yield the results."""
        if self.session is None:
            yield self.instead
            return
        yield from ask(self.session)
        if self.rates and len(self.session.firsts) == self.session.number:
            yield from _rating(self.session)


def practice(
    *,
    name: flags.Name = None,
    rules: Game = None,
    most: Annotated[Count, Parameter(metavar="N")] = 10,
    every: Annotated[bool, Parameter(name="--all")] = False,
    test: bool = False,
    puzzle: Annotated[
        list[str] | None,
        Parameter(consume_multiple=(0, 1), metavar="[DATE]", show_default="today"),
    ] = None,
    database: flags.Database = None,
) -> Questions:
    """Practice decisions that you got wrong, or the daily puzzle.

    The worst mistakes come first. Keys: 1–5 keep a die, space rolls the others, s and a code
    scores. In a pipe, answer with a line such as keep 66 or score full-house. After a wrong answer,
    a mistake comes back on the next day; after right answers, it comes back after days, weeks, or
    months.

    Parameters
    ----------
    most
        Number of positions.
    every
        Include mistakes that are not due yet.
    test
        Take the rating test of 30 positions.
    puzzle
        Solve the puzzle of this day.

    Examples
    --------
    rollwise practice --name Ada --most 5
    rollwise practice --test
    rollwise practice --puzzle 2026-11-22
    rollwise practice --puzzle 2026-11-22 --json
    """
    check_extra("play", "rollwise practice", "textual", "fsrs")
    if test and puzzle is not None:
        raise MalformedError("--test and --puzzle cannot be combined. Choose one of them.")
    game = game_of(rules)
    if puzzle is not None:
        day, solution = _day(*puzzle), solved(game)
        puzzles = practicing.puzzles_of(solution, [day])
        session = Practice(map(PracticeQuestion, puzzles), solution)
    elif test:
        solution = solved(game)
        session = Practice(
            map(PracticeQuestion, practicing.rating_test_positions(solution)), solution
        )
    else:
        now = datetime.datetime.now(datetime.UTC)
        with History(database, create=False) as history:
            check_name(history, game.name, name)
            due, later = due_mistakes(history, game.name, name, now)
            if every:
                due = mistakes(history, game.name, name)
            if missing := missing_reviews(history, game.name):
                note(missing)
        if not due:
            instead = (
                "There is nothing to practice, because no choice lost 0.2 points or more. To "
                "take the rating test, run: rollwise practice --test"
                if later is None
                else f"No mistake is due before {later.astimezone():%Y-%m-%d}. Use --all to "
                "practice."
            )
            return Questions(rules=game.name, questions=[], instead=instead)

        def keep(answer: practicing.Answer) -> None:
            line = format_position(answer.question.position)
            with History(database, create=False) as history:
                practiced(history, game.name, name, line, well=answer.is_good, now=now)

        questions = [
            PracticeQuestion(Position(game, mistake.position), parse_action(game, mistake.chosen))
            for mistake in due[:most]
        ]
        session = Practice(questions, solved(game), again=True, tell=keep)
    return Questions(**session.as_dict(), session=session, rates=test)


def _day(text: str = "today") -> datetime.date:
    if text == "today":
        return datetime.date.today()
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        raise MalformedError(
            f"--puzzle {quoted(text)} is not a date. Write a date such as 2026-11-22."
        ) from None


def ask(session: Practice) -> Iterator[Block]:
    """Ask all questions, in the terminal or line by line, and yield the number of best answers."""
    if streams.is_interactive():
        from rollwise.terminal.practice import PracticeApp  # textual

        PracticeApp(session).run()
    else:
        yield from _ask_in_lines(session)
    if not session.firsts:
        yield "No positions answered."
        return
    lost = f", {session.loss:.2f} points lost" if session.loss else ""
    yield f"{session.right} of {len(session.firsts)} right{lost}"


def _ask_in_lines(session: Practice) -> Iterator[Block]:
    """Ask questions in a pipe until an empty line or the end of the input."""
    while (question := session.question) is not None:
        yield f"\n{format_position(question.position)}"
        while session.answer is None:
            try:
                text = input("? ").strip()
            except EOFError:
                return
            if not text:
                return
            try:
                session.judge(parse_action(question.position.rules, text))
            except InputError as error:
                yield str(error)
        session.reasons.prepare()
        answer = session.answer
        sentences = (answer.words(), answer.reason(session.reasons), answer.then())
        yield " ".join(filter(None, sentences))
        session.go_on()


def _rating(session: Practice) -> Iterator[Block]:
    scale = scale_of(session.solution, [answer.question.position for answer in session.firsts])
    yield f"Rating: {rating(session.loss, scale)}. EV loss of strategies in these positions:"
    for name, lost in scale.items():
        yield f"  {lost:7.2f}  {name}"
