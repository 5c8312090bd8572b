"""Shared parts of the practice pages: a session of questions, and its outcome."""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from typing import ParamSpec, TypeVar

from nicegui import ui

from rollwise.errors import InputError
from rollwise.game.notation import format_action, format_dice, parse_action
from rollwise.playing.game_summary import describe_action
from rollwise.playing.practice import Answer, Practice
from rollwise.rules import Rules
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.option import format_loss
from rollwise.web import computations
from rollwise.web.elements import Link, Tag, address, head, table
from rollwise.web.job_queue import BusyError, WorkerError
from rollwise.web.pages.play import NO_SCROLLING
from rollwise.web.practice_view import PracticeView
from rollwise.web.progress_view import show_progress
from rollwise.web.single_flight import InFlight
from rollwise.web.solved_games import SolvedGames

P = ParamSpec("P")
T = TypeVar("T")


async def solved(games: SolvedGames, title: str, rules: Rules) -> CardSolution:
    """Begin the page of a practice session, and return its solved game."""
    head(title, "/practice")
    prepared = await games.prepared.find(rules)
    return await loaded(games.solution, rules) if prepared is None else prepared


async def loaded(ask: Callable[P, InFlight[T]], *args: P.args, **kwargs: P.kwargs) -> T:
    """Await ``ask(...)`` while the page shows the progress, and return the result."""
    with Tag("div", classes="page") as content:
        result = await show_progress(ask, *args, **kwargs)
    content.delete()
    return result


def answer_again(session: Practice, answers: str) -> None:
    """Replay the answers in the URL, up to the first invalid answer."""
    with suppress(InputError):
        for text in filter(None, answers.split(",")):
            if session.question is not None:
                session.judge(parse_action(session.solution.rules, text))
                session.go_on()


def keep_in_address(session: Practice, path: str) -> Callable[[Answer], Awaitable[None]]:
    """Return a function that writes all answers into the URL, from which a reload continues."""
    rules = session.solution.rules

    async def keep(_: Answer) -> None:
        answers = ",".join(format_action(rules, first.chosen.action) for first in session.firsts)
        ui.navigate.history.replace(address(path, rules=rules.name, answers=answers))

    return keep


async def hold(
    games: SolvedGames,
    title: str,
    session: Practice,
    keep: Callable[[Answer], Awaitable[None]],
    finish: Callable[[], Awaitable[None]],
) -> None:
    """Run a practice session by mouse, touch, or keys; call ``finish`` after the last answer.

    Parameters
    ----------
    keep : callable
        Saves an answer.
    finish : callable
        Shows the outcome.
    """
    if session.question is None:
        await finish()
        return

    async def because(answer: Answer) -> str:
        with suppress(BusyError, WorkerError):
            position, action = answer.question.position, answer.chosen.action
            reason = await games.ask(computations.reason, position, action)
            return f"Because of {reason}." if reason else ""
        return ""

    view = PracticeView(session, title, because, keep, finish)
    ui.keyboard(view.press, ignore=["input", "select", "textarea"])
    ui.keyboard(view.press_space, ignore=["input", "select", "textarea", "button"]).on(
        "key", js_handler=NO_SCROLLING
    )


@contextmanager
def outcome(title: str, session: Practice) -> Iterator[None]:
    """Show the outcome of a session; the caller adds content between summary and answers."""
    with Tag("div", classes="page practised", id="content", tabindex="-1"):
        Tag("h1", title)
        Tag("p", f"{session.right} of {session.number} best", "result", role="status")
        with Tag("div", classes="progress", aria_hidden="true"):
            for verdict in session.marks():
                Tag("i", data_verdict=verdict)
        Tag("p", f"{session.loss:.2f} points lost" if session.loss else "Nothing lost.", "lead")
        yield
        Tag("h2", "Answers")
        rows = [_row(answer) for answer in session.firsts]
        table(("dice", "yours", "best", "loss"), rows, numbers=(3,), label="Answers")


def _row(answer: Answer) -> tuple[str, ...]:
    position, rules = answer.question.position, answer.question.position.rules
    actions = (
        describe_action(rules, option.action) for option in (answer.chosen, answer.options[0])
    )
    return (format_dice(rules, position.dice), *actions, format_loss(answer.chosen))


def others(rules: Rules) -> None:
    """Show links to other kinds of practice."""
    with Tag("p", classes="links"):
        Link("Proficiency test", "/test", rules=rules.name)
        Link("Puzzle of the day", "/puzzle", rules=rules.name)
        Link("My mistakes", "/practice", rules=rules.name)
