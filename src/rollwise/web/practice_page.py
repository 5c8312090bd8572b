"""What the pages of practice share: a session held, and what came of it."""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import TypeVar

from nicegui import ui

from rollwise.errors import InputError
from rollwise.game.notation import format_action, format_dice, parse_action
from rollwise.playing.ending import in_words
from rollwise.playing.practice import Answer, Practice
from rollwise.rules import Rules
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.option import format_loss
from rollwise.web.elements import Link, Tag, address, head, table
from rollwise.web.jobs import made
from rollwise.web.line import BusyError, WorkerError
from rollwise.web.made_once import InFlight
from rollwise.web.pages.play import NO_SCROLLING
from rollwise.web.practice_view import PracticeView
from rollwise.web.solved import SolvedGames

T = TypeVar("T")


async def solved(games: SolvedGames, title: str, rules: Rules) -> CardSolution:
    """Begin the page of a session, and return its game solved."""
    head(title, "/practice")
    found = await games.prepared.find(rules)
    if found is not None:
        return found
    return await waited_for(partial(games.solution, rules))


async def waited_for(make: Callable[[], InFlight[T]]) -> T:
    """Return what a session needs, and show meanwhile how it goes."""
    with Tag("div", classes="page") as room:
        found = await made(make)
    room.delete()
    return found


def answer_again(session: Practice, answers: str) -> None:
    """Answer what an address says was answered, up to what is no answer."""
    with suppress(InputError):
        for text in filter(None, answers.split(",")):
            if session.question is not None:
                session.judge(parse_action(session.solution.rules, text))
                session.go_on()


def keep_in_address(session: Practice, path: str) -> Callable[[Answer], Awaitable[None]]:
    """Return what writes all answers into the address: loaded again, the page goes on there."""
    rules = session.solution.rules

    async def keep(_: Answer) -> None:
        told = ",".join(format_action(rules, first.chosen.action) for first in session.firsts)
        ui.navigate.history.replace(address(path, rules=rules.name, answers=told))

    return keep


async def hold(
    games: SolvedGames,
    title: str,
    session: Practice,
    keep: Callable[[Answer], Awaitable[None]],
    finish: Callable[[], Awaitable[None]],
) -> None:
    """Hold a session: ask its questions by mouse, touch or keys; if all are answered, finish."""
    if session.question is None:
        await finish()
        return

    async def because(answer: Answer) -> str:
        with suppress(BusyError, WorkerError):
            reason = await games.reason(answer.question.position, answer.chosen.action)
            return f"Because of {reason}." if reason else ""
        return ""

    view = PracticeView(session, title, because, keep, finish)
    ui.keyboard(view.press, ignore=["input", "select", "textarea"])
    ui.keyboard(view.press_space, ignore=["input", "select", "textarea", "button"]).on(
        "key", js_handler=NO_SCROLLING
    )


@contextmanager
def outcome(title: str, session: Practice) -> Iterator[None]:
    """Show what came of a session, and room for what follows."""
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
    actions = (in_words(rules, option.action) for option in (answer.chosen, answer.options[0]))
    return (format_dice(rules, position.dice), *actions, format_loss(answer.chosen))


def others(rules: Rules) -> None:
    """Show what else can be practised."""
    with Tag("p", classes="links"):
        Link("Proficiency test", "/test", rules=rules.name)
        Link("Puzzle of the day", "/puzzle", rules=rules.name)
        Link("My mistakes", "/practice", rules=rules.name)
