"""``rollwise practice``: spaced repetition of mistakes, the rating test, and the daily puzzle."""

from __future__ import annotations

import datetime
from typing import Annotated

from cyclopts import Parameter

from rollwise.cli import flags, streams
from rollwise.cli.show import console, write_json
from rollwise.errors import InputError, MalformedError, quoted
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
from rollwise.playing.practice import (
    Answer,
    Practice,
    PracticeQuestion,
    puzzle_of,
    rating_test_positions,
)
from rollwise.playing.rating_scale import rating, scale_of
from rollwise.questions.parameters import Count, Game, game_of
from rollwise.questions.progress import note
from rollwise.questions.solving import solved
from rollwise.rules import Rules
from rollwise.terminal.practice import PracticeApp


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
    as_json: flags.Json = False,
) -> None:
    """Practice decisions that you got wrong, or the daily puzzle.

    The worst mistakes come first. Keys: 1–5 keep a die, space rolls the others, s and a code
    scores. In a pipe, answer with a line such as keep 66 or score full-house. A mistake repeats
    the next day after a wrong answer, and after days, weeks, or months after right answers.

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
    if test and puzzle is not None:
        raise MalformedError("--test and --puzzle cannot be combined. Choose one of them.")
    game, day = game_of(rules), None if puzzle is None else _day(*puzzle)
    if not test and day is None:
        with History(database, create=False) as history:
            check_name(history, game.name, name)
            _mistakes(history, game, name, most, every=every, as_json=as_json)
        return
    solution = solved(game)
    positions = rating_test_positions(solution) if day is None else [puzzle_of(solution, day)]
    session = Practice(map(PracticeQuestion, positions), solution)
    if as_json:
        write_json(session.as_dict())
        return
    ask(session)
    if test and len(session.firsts) == session.number:
        _print_rating(session)


def _day(text: str = "today") -> datetime.date:
    if text == "today":
        return datetime.date.today()
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        raise MalformedError(
            f"--puzzle {quoted(text)} is not a date. Write a date such as 2026-11-22."
        ) from None


def _mistakes(
    history: History,
    rules: Rules,
    name: str | None,
    most: int,
    *,
    every: bool,
    as_json: bool,
) -> None:
    """Ask about the mistakes that are due, and save the results."""
    now = datetime.datetime.now(datetime.UTC)
    due, later = due_mistakes(history, rules.name, name, now)
    if every:
        due = mistakes(history, rules.name, name)
    if missing := missing_reviews(history, rules.name):
        note(missing)
    if not due and not as_json:
        console().print(
            "There is nothing to practice, because no choice lost 0.2 points or more. To "
            "take the rating test, run: rollwise practice --test"
            if later is None
            else f"No mistake is due before {later.astimezone():%Y-%m-%d}. Use --all to practice."
        )
        return
    solution = solved(rules)
    questions = [
        PracticeQuestion(Position(rules, mistake.position), parse_action(rules, mistake.chosen))
        for mistake in due[:most]
    ]

    def keep(answer: Answer) -> None:
        line = format_position(answer.question.position)
        practiced(history, rules.name, name, line, well=answer.is_good, now=now)

    session = Practice(questions, solution, again=True, tell=keep)
    if as_json:
        write_json(session.as_dict())
    else:
        ask(session)


def ask(session: Practice) -> None:
    """Ask all questions, in the terminal or line by line, and print the number of best answers."""
    if streams.is_interactive():
        PracticeApp(session).run()
    else:
        _ask_in_lines(session)
    answered = len(session.firsts)
    lost = f", {session.loss:.2f} points lost" if session.loss else ""
    console().print(f"{session.right} of {answered} right{lost}")


def _ask_in_lines(session: Practice) -> None:
    """Ask questions in a pipe until an empty line or the end of the input."""
    out = console()
    while (question := session.question) is not None:
        out.print(f"\n{format_position(question.position)}")
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
                out.print(str(error))
        session.reasons.prepare()
        answer = session.answer
        sentences = (answer.words(), answer.reason(session.reasons), answer.then())
        out.print(" ".join(filter(None, sentences)))
        session.go_on()


def _print_rating(session: Practice) -> None:
    scale = scale_of(session.solution, [answer.question.position for answer in session.firsts])
    out = console()
    out.print(f"Rating: {rating(session.loss, scale)}. EV loss of strategies in these positions:")
    for name, lost in scale.items():
        out.print(f"  {lost:7.2f}  {name}")
