"""Groups of commands: what goes wrong in one ends with a sentence on stderr and an exit code."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar

import typer
from typer.core import TyperCommand, TyperGroup

from rollwise.cli.sentences import sentence_of
from rollwise.cli.streams import discard_output, prepare_streams
from rollwise.errors import LostWorkersError, MalformedError, one_of, quoted


class Group(TyperGroup):
    """A group of commands that says in our words what is wrong with what was given."""

    def make_context(self, *args: Any, **extra: Any) -> Any:
        """Read what was given, or print help."""
        with _sentences():
            return super().make_context(*args, **extra)

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        with _sentences():
            return super().invoke(ctx)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that is meant; names that are like a wrong one are told."""
        given = args[0]
        if not given.startswith("-") and given not in self.commands:
            expected = one_of(self.commands, given, "a command")
            raise MalformedError(f"no command {quoted(given)}: expected {expected}")
        return super().resolve_command(ctx, args)


class Command(TyperCommand):
    """A command in which an option may stand alone, if there is a value that is then meant."""

    MEANT: ClassVar = {"--resume": "last", "--puzzle": "today"}

    def parse_args(self, ctx: Any, args: list[str]) -> Any:
        """Read what was given."""
        given: list[str] = []
        for place, word in enumerate(args, start=1):
            given.append(word)
            if word in self.MEANT and (place == len(args) or args[place].startswith("-")):
                given.append(self.MEANT[word])
        return super().parse_args(ctx, given)


@contextmanager
def _sentences() -> Iterator[None]:
    prepare_streams()
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except (Exception, SystemExit) as error:
        # rich answers a closed pipe by SystemExit.
        if BrokenPipeError in (type(error), type(error.__context__)):
            discard_output()
            raise typer.Exit from error  # the reader has seen enough
        sentence = sentence_of(error)
        if sentence is None:
            raise
        print(f"error: {sentence}", file=sys.stderr)
        raise typer.Exit(1 if isinstance(error, LostWorkersError) else 2) from error
