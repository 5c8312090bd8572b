"""Groups of commands: what goes wrong in one ends with a sentence on stderr and an exit code.

Whatever goes wrong on the command line: one sentence that says what was expected.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar

import typer
from typer.core import TyperCommand, TyperGroup

from rollwise.cli.streams import discard_output, prepare_streams
from rollwise.errors import InputError, LostWorkersError, MalformedError, one_of, quoted


class CommandGroup(TyperGroup):
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


def sentence_of(error: BaseException) -> str | None:
    """Return what is said of an error; None where it is none of the user's."""
    if isinstance(error, InputError | LostWorkersError):
        return str(error)
    if isinstance(error, MemoryError):
        return "out of memory; expected a smaller game, or a machine with more"
    if isinstance(error, OSError) and error.strerror:
        if error.filename is None:  # every file is named by who opens it
            discard_output()
        return f"{error.filename or 'cannot write to standard output'}: {error.strerror}"
    return _of_usage(error)


def _of_usage(error: Any) -> str | None:
    """Return what is said of arguments that do not fit a command's signature.

    Their errors are known by name: the classes are not public in all versions of typer.
    """
    context: Any = getattr(error, "ctx", None)
    param = getattr(error, "param", None)
    match type(error).__name__:
        case "NoSuchOption":
            known = [name for one in context.command.get_params(context) for name in one.opts]
            given = error.option_name
            return f"no option {quoted(given)}: expected {one_of(known, given, 'an option')}"
        case "MissingParameter":
            return f"expected {_name(param)}: see {context.command_path} --help"
        case "BadParameter" if param is not None:
            return f"{_name(param)}: expected {_wanted(param)}{_got(error)}"
        case "BadOptionUsage":
            takes_one = "not take" not in error.message
            return f"{error.option_name}: expected {'a' if takes_one else 'no'} value"
        case "UsageError":
            reason = error.format_message().rstrip(".")
            return (
                f"{reason[:1].lower()}{reason[1:]}: expected as {context.command_path} --help says"
            )
    return None


def _name(param: Any) -> str:
    return str(param.opts[0] if param.param_type_name == "option" else param.metavar or param.name)


def _wanted(param: Any) -> str:
    """Return what the value of a parameter has to be."""
    described = param.type_descriptor
    info = described.parameter_info
    if described.choices:
        return "one of " + ", ".join(str(choice.value) for choice in described.choices)
    kind = "a whole number" if "int" in str(described.annotation) else "a number"
    if info.max is not None:
        return f"{kind} from {info.min} to {info.max}"
    return kind + (f" of {info.min} or more" if info.min is not None else "")


def _got(error: Any) -> str:
    """Return what was given in place of it, where that is known."""
    told = getattr(error.__cause__, "errors", None)
    return f", got {quoted(told()[0]['input'])}" if told else ""
