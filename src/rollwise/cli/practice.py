"""``rollwise practice``: spaced repetition of mistakes, the rating test, and the daily puzzle."""

from __future__ import annotations

import datetime
import sys
from typing import Annotated

import typer

from rollwise.cli import flags
from rollwise.cli.common import console, solved, write_json
from rollwise.cli.lazy_imports import lazy_imports
from rollwise.errors import InputError, MalformedError, quoted
from rollwise.game.notation import parse_action
from rollwise.game.position import Position, format_position
from rollwise.rules import Rules, load_rules

with lazy_imports():
    from rollwise import history as saved_games
    from rollwise.playing import practice as practice_session
    from rollwise.playing import rating_scale
    from rollwise.solving import objectives
    from rollwise.terminal import practice as practice_screen


def practice(
    name: flags.Name = None,
    *,
    rules: flags.Rules,
    most: Annotated[
        int, typer.Option("--most", metavar="N", min=1, help="Number of positions.")
    ] = 10,
    every: Annotated[
        bool, typer.Option("--all", help="Include mistakes that are not due yet.")
    ] = False,
    test: Annotated[
        bool, typer.Option("--test", help="Take the rating test of 30 positions.")
    ] = False,
    puzzle: Annotated[
        str | None,
        typer.Option(
            "--puzzle", metavar="[DATE]", help="Solve the puzzle of this day.", show_default="today"
        ),
    ] = None,
    database: flags.Database = None,
    as_json: flags.Json = False,
    quiet: flags.Quiet = False,
) -> None:
    """Practice decisions that you got wrong, or the daily puzzle.

    [bold]Examples[/bold]

      rollwise practice --name Ada --most 5

      rollwise practice --test

      rollwise practice --puzzle 2026-11-22

      rollwise practice --puzzle 2026-11-22 --json

    The worst mistakes come first. Keys: 1–5 keep a die, space rolls the others, s and a code
    scores. In a pipe, answer with a line such as keep 66 or score full-house. A mistake repeats
    the next day after a wrong answer, and after days, weeks, or months after right answers.
    """
    if test and puzzle is not None:
        raise MalformedError("--test and --puzzle cannot be combined. Choose one of them.")
    game, day = load_rules(rules), None if puzzle is None else _day(puzzle)
    if not test and day is None:
        with saved_games.History(database, create=False) as history:
            saved_games.check_name(history, game.name, name)
            _mistakes(history, game, name, most, every=every, as_json=as_json, quiet=quiet)
        return
    solution = solved(game, objectives.EXPECTED, quiet=quiet)
    positions = (
        practice_session.rating_test_positions(solution)
        if day is None
        else [practice_session.puzzle_of(solution, day)]
    )
    session = practice_session.Practice(map(practice_session.PracticeQuestion, positions), solution)
    if as_json:
        write_json(session.as_dict())
        return
    ask(session)
    if test and len(session.firsts) == session.number:
        _print_rating(session)


def _day(text: str) -> datetime.date:
    if text == "today":
        return datetime.date.today()
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        raise MalformedError(
            f"--puzzle {quoted(text)} is not a date. Write a date such as 2026-11-22."
        ) from None


def _mistakes(
    history: saved_games.History,
    rules: Rules,
    name: str | None,
    most: int,
    *,
    every: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Ask about the mistakes that are due, and save the results."""
    now = datetime.datetime.now(datetime.UTC)
    mistakes, later = saved_games.due_mistakes(history, rules.name, name, now)
    if every:
        mistakes = saved_games.mistakes(history, rules.name, name)
    missing = saved_games.missing_reviews(history, rules.name)
    if missing and not quiet:
        typer.echo(missing, err=True)
    if not mistakes and not as_json:
        console().print(
            "There is nothing to practice, because no choice lost 0.2 points or more. To "
            "take the rating test, run: rollwise practice --test"
            if later is None
            else f"No mistake is due before {later.astimezone():%Y-%m-%d}. Use --all to practice."
        )
        return
    solution = solved(rules, objectives.EXPECTED, quiet=quiet)
    questions = [
        practice_session.PracticeQuestion(
            Position(rules, mistake.position), parse_action(rules, mistake.chosen)
        )
        for mistake in mistakes[:most]
    ]

    def keep(answer: practice_session.Answer) -> None:
        line = format_position(answer.question.position)
        saved_games.practiced(history, rules.name, name, line, well=answer.is_good, now=now)

    session = practice_session.Practice(questions, solution, again=True, tell=keep)
    if as_json:
        write_json(session.as_dict())
    else:
        ask(session)


def ask(session: practice_session.Practice) -> None:
    """Ask all questions, in the terminal or line by line, and print the number of best answers."""
    if sys.stdin.isatty() and sys.stdout.isatty():
        practice_screen.PracticeApp(session).run()
    else:
        _ask_in_lines(session)
    answered = len(session.firsts)
    lost = f", {session.loss:.2f} points lost" if session.loss else ""
    console().print(f"{session.right} of {answered} right{lost}")


def _ask_in_lines(session: practice_session.Practice) -> None:
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


def _print_rating(session: practice_session.Practice) -> None:
    scale = rating_scale.scale_of(
        session.solution, [answer.question.position for answer in session.firsts]
    )
    out = console()
    rating = rating_scale.rating(session.loss, scale)
    out.print(f"Rating: {rating}. EV loss of strategies in these positions:")
    for name, lost in scale.items():
        out.print(f"  {lost:7.2f}  {name}")
