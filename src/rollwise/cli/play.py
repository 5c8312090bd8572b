"""``rollwise play``: a game at the keyboard, then its review."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rollwise.cli import flags
from rollwise.cli.common import objective_of, solved

if TYPE_CHECKING:
    from collections.abc import Callable

    from rollwise.game.records.record import Record
    from rollwise.playing.session import Session
    from rollwise.reviews.review import Review
    from rollwise.solving.objectives import Objective
    from rollwise.solving.solution import Solution


def play(
    against: Annotated[
        list[str] | None,
        typer.Option("--against", "-a", metavar="STRATEGY", help="An opponent; may be repeated."),
    ] = None,
    name: Annotated[
        list[str] | None,
        typer.Option("--name", "-n", metavar="NAME", help="A person at the keyboard, repeatable."),
    ] = None,
    rules: flags.Rules = "yahtzee",
    objective: flags.Objective = "expected",
    tutor: Annotated[
        bool, typer.Option("--tutor", help="Warn before choices that lose 0.2 points or more.")
    ] = False,
    manual: Annotated[
        bool, typer.Option("--manual", help="Roll real dice, and type in what they show.")
    ] = False,
    seed: Annotated[
        int | None, typer.Option("--seed", min=0, max=2**63 - 1, help="Seed of the dice.")
    ] = None,
    resume: Annotated[
        Path | None, typer.Option("--resume", metavar="FILE", help="Go on with a recorded game.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write the record here.")
    ] = None,
    database: flags.Database = None,
    quiet: flags.Quiet = False,
) -> None:
    """Play at the keyboard, with hints, undo and a tutor; then see the review.

    [bold]Examples[/bold]

      rollwise play

      rollwise play --against optimal --tutor

      rollwise play --name Ada --name Ben -o evening.txt

      rollwise play --manual --rules yatzy

    An opponent is any strategy that rollwise report knows. Keys: 1–5 keep a die, space rolls, s and
    a code scores, h hints, u takes back, ? helps, q leaves. The game is kept, finished or not: see
    rollwise history and rollwise proficiency.
    """
    import datetime

    from rollwise.errors import InputError
    from rollwise.game.records.record import Record, fresh_seed
    from rollwise.history import History, new_id
    from rollwise.playing.robot import Robot, seat_names
    from rollwise.playing.session import Session
    from rollwise.rules import load_rules

    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise InputError("rollwise play needs a terminal: expected a keyboard and a screen")
    seats = seat_names(name or ["You"], against or [])
    if resume is not None:
        from rollwise.game.records.files import load_record

        record = load_record(resume, None if rules == "yahtzee" else load_rules(rules))
    else:
        record = Record(
            load_rules(rules),
            tuple(seats),
            seed=None if manual else fresh_seed() if seed is None else seed,
            date=datetime.date.today(),
        )

    def solve(objective: "Objective") -> "Solution":
        return solved(record.rules, objective, quiet=quiet)

    def read(text: str) -> "Objective":
        return objective_of(text, record.rules, quiet=quiet)

    solution = solve(read(objective))
    robots = {
        number: Robot.named(strategy, record.rules, solve, number, read)
        for number, player in enumerate(record.players)
        if (strategy := seats.get(player)) is not None
    }
    session = Session(record, solution, robots, tutor=tutor)
    kept = {number: robot.strategy.name for number, robot in robots.items()}
    with History(database) as history:
        id = new_id()
        reviews = _play(session, output or resume, lambda record: history.save(id, record, kept))
        if session.game.is_over:
            history.keep_reviews(id, reviews)


def _play(
    session: "Session", path: Path | None, keep: "Callable[[Record], None]"
) -> "list[Review]":
    """Play; print the review of the people at the table, and return it."""
    from rollwise.cli.review import print_review
    from rollwise.evaluation.breakdown import parts_of
    from rollwise.game.records.files import save_record
    from rollwise.reviews.review import review
    from rollwise.terminal.app import PlayApp

    def save(record: "Record") -> None:
        keep(record)
        if path is not None:
            save_record(record, path)

    PlayApp(session, save).run()
    record = session.record
    reviews = review(record, session.solution, parts_of(session.solution))
    people = [one for number, one in enumerate(reviews) if number not in session.robots]
    if any(one.decisions for one in people):
        print_review(record, people)
    if path is not None:
        typer.echo(f"the game stands in {path}", err=True)
    return people
