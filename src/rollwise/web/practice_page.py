"""What the pages of practice share: a session held, and what came of it."""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial

from nicegui import ui

from rollwise.game.notation import format_dice
from rollwise.playing.practice import Answer, Practice
from rollwise.playing.wording import in_words
from rollwise.rules import Rules
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.option import format_loss
from rollwise.web.elements import Link, Tag, head, table
from rollwise.web.jobs import made
from rollwise.web.line import BusyError, WorkerError
from rollwise.web.pages.play import NO_SCROLLING
from rollwise.web.practice_view import PracticeView
from rollwise.web.solved import SolvedGames


async def keep_nothing(_: Answer) -> None:
    """Forget an answer."""


async def solved(games: SolvedGames, title: str, rules: Rules) -> CardSolution:
    """Begin the page of a session, and return its game solved."""
    head(title, "/practice")
    with Tag("div", classes="page") as room:
        solution = await made(partial(games.solution, rules))
    room.delete()
    return solution


def hold(
    games: SolvedGames,
    title: str,
    session: Practice,
    keep: Callable[[Answer], Awaitable[None]],
    finish: Callable[[], Awaitable[None]],
) -> None:
    """Hold a session: ask its questions by mouse, touch or keys."""

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
