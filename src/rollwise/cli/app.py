"""The ``rollwise`` command and what all its parts share: bad input ends with one clear sentence."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from rollwise import __version__
from rollwise.cli import (
    advise,
    cache,
    chance,
    compare,
    frontier,
    greedy,
    history,
    match,
    payoff_line,
    play,
    practice,
    report,
    review,
    rules,
    simulate,
    solve,
    sweep,
    tree,
    trivia,
    value,
    verify,
    web,
    worst_game,
)


class _Group(TyperGroup):
    """A group of commands; what goes wrong ends with a sentence on stderr and exit code 2."""

    def make_context(self, *args: Any, **extra: Any) -> Any:
        with _sentences():  # help is printed in here
            return super().make_context(*args, **extra)

    def invoke(self, ctx: Any) -> Any:
        with _sentences():
            return super().invoke(ctx)


@contextmanager
def _sentences() -> Iterator[None]:
    if sys.stdout is None:  # closed by who called
        sys.stdout = Path(os.devnull).open("w")  # noqa: SIM115 - open until Python ends
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except (Exception, SystemExit) as error:
        # rich answers a closed pipe by SystemExit.
        if BrokenPipeError in (type(error), type(error.__context__)):
            _discard_output()
            raise typer.Exit from error  # the reader has seen enough
        sentence = _sentence(error)
        if sentence is None:
            raise
        print(f"error: {sentence}", file=sys.stderr)
        raise typer.Exit(2) from error


def _sentence(error: BaseException) -> str | None:
    from rollwise.errors import InputError

    if isinstance(error, InputError):
        return str(error)
    if isinstance(error, MemoryError):
        return "out of memory; expected a smaller game, or a machine with more"
    if isinstance(error, OSError) and error.strerror:
        if error.filename is None:  # every file is named by who opens it
            _discard_output()
        return f"{error.filename or 'cannot write to standard output'}: {error.strerror}"
    return None


def _discard_output() -> None:
    """Let what is still to be written, also when Python ends, go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


app = typer.Typer(
    cls=_Group,
    no_args_is_help=True,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"rollwise {__version__}")
        raise typer.Exit


@app.callback(
    epilog="""[bold]Examples[/bold]\n
    rollwise advise 11366\n
    rollwise advise 11366 --card "ones=3,full-house=25" --rolls-left 1\n
    rollwise solve --rules yatzy\n
    rollwise rules list"""
)
def _main(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and stop."
        ),
    ] = False,
) -> None:
    """Yahtzee and its relatives, solved exactly: advice, values, published numbers."""


app.command()(advise.advise)
app.command()(value.value)
app.command()(play.play)
app.command()(web.web)
app.command()(review.review)
app.command()(history.proficiency)
app.command()(practice.practice)
app.command()(report.report)
app.command()(report.distribution)
app.command()(solve.solve)
app.command()(compare.compare)
app.command()(simulate.simulate)
app.command()(match.match)
app.command()(sweep.sweep)
app.command()(greedy.greedy)
app.command("payoff-line")(payoff_line.payoff_line)
app.command()(verify.verify)
app.command()(chance.chance)
app.command()(trivia.trivia)
app.command()(tree.tree)
app.command("worst-game")(worst_game.worst_game)
app.add_typer(history.app, name="history")
app.add_typer(frontier.app, name="frontier")
app.add_typer(rules.app, name="rules")
app.add_typer(cache.app, name="cache")
