"""Command groups that import commands lazily and print every error as one sentence on stderr."""

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from functools import cache
from importlib import import_module
from typing import Any, ClassVar, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_group

from rollwise.cli.streams import discard_output, prepare_streams
from rollwise.errors import InputError, LostWorkersError, MalformedError, one_of, quoted


class CommandGroup(TyperGroup):
    """A command group that prints an error as one sentence and sets the exit code."""

    def make_context(self, *args: Any, **extra: Any) -> Any:
        """Parse the arguments, or print help."""
        with _sentences():
            return super().make_context(*args, **extra)

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        with _sentences():
            return super().invoke(ctx)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command with the given name; an error suggests similar names."""
        given = args[0]
        if not given.startswith("-") and given not in self.commands:
            expected = one_of(self.commands, given, "a command")
            raise MalformedError(f"no command {quoted(given)}: expected {expected}")
        return super().resolve_command(ctx, args)


class Command(TyperCommand):
    """A command with options that may be given without a value."""

    VALUES: ClassVar = {"--resume": "last", "--puzzle": "today"}

    def parse_args(self, ctx: Any, args: list[str]) -> Any:
        """Insert the default value after an option without a value, and parse the arguments."""
        words: list[str] = []
        for following, word in enumerate(args, start=1):
            words.append(word)
            if word in self.VALUES and (following == len(args) or args[following].startswith("-")):
                words.append(self.VALUES[word])
        return super().parse_args(ctx, words)


class CommandEntry(NamedTuple):
    """The location and summary of a command.

    Attributes
    ----------
    target : str
        The module in this package and the function or group in it: ``module:name``.
    summary : str
        The first paragraph of the help, so that the list needs no import of the command.
    """

    target: str
    summary: str


Panels = Mapping[str, Mapping[str, CommandEntry]]
"""The commands by panel title and command name."""


class RootGroup(CommandGroup):
    """A command group that imports the module of a command when the command is looked up."""

    panels: ClassVar[Panels]

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands: Any = _LazyCommands(self.panels)

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of all commands."""
        return list(self.commands)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Print help with the summaries of the commands, without importing them."""
        group = copy(self)
        group.commands = {
            name: TyperCommand(name, help=listed.summary, rich_help_panel=panel)
            for panel, commands in self.panels.items()
            for name, listed in commands.items()
        }
        super(RootGroup, group).format_help(ctx, formatter)


class _LazyCommands(Mapping[str, Any]):
    """The commands by name, each imported when it is looked up."""

    def __init__(self, panels: Panels) -> None:
        self._listed = {
            name: (panel, listed.target)
            for panel, commands in panels.items()
            for name, listed in commands.items()
        }

    def __getitem__(self, name: str) -> Any:
        return _load(name, *self._listed[name])

    def __contains__(self, name: object) -> bool:
        return name in self._listed

    def __iter__(self) -> Iterator[str]:
        return iter(self._listed)

    def __len__(self) -> int:
        return len(self._listed)


@cache
def _load(name: str, panel: str, target: str) -> Any:
    """Import and return a command or a command group."""
    module, _, attribute = target.partition(":")
    command = getattr(import_module(f"rollwise.cli.{module}"), attribute)
    app = typer.Typer(rich_markup_mode="rich")
    if isinstance(command, typer.Typer):
        app.add_typer(command, name=name, cls=CommandGroup, rich_help_panel=panel)
    else:
        app.command(name, cls=Command, rich_help_panel=panel)(command)
    return get_group(app).commands[name]


@contextmanager
def _sentences() -> Iterator[None]:
    prepare_streams()
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except (Exception, SystemExit) as error:
        # rich raises SystemExit for a closed pipe.
        if BrokenPipeError in (type(error), type(error.__context__)):
            discard_output()
            raise typer.Exit from error
        sentence = sentence_of(error)
        if sentence is None:
            raise
        print(f"error: {sentence}", file=sys.stderr)
        raise typer.Exit(1 if isinstance(error, LostWorkersError) else 2) from error


def sentence_of(error: BaseException) -> str | None:
    """Return the sentence to print for an error that the user can fix; None for other errors."""
    if isinstance(error, InputError | LostWorkersError):
        return str(error)
    if isinstance(error, MemoryError):
        return "out of memory; expected a smaller game, or a machine with more"
    if isinstance(error, OSError) and error.strerror:
        if error.filename is None:  # an error without a file name is in standard output
            discard_output()
        return f"{error.filename or 'cannot write to standard output'}: {error.strerror}"
    return _of_usage(error)


def _of_usage(error: Any) -> str | None:
    """Return the sentence to print for invalid arguments; None for other errors.

    The errors are recognized by class name, because not all versions of Typer export the classes.
    """
    context: Any = getattr(error, "ctx", None)
    param = getattr(error, "param", None)
    match type(error).__name__:
        case "NoSuchOption":
            params = context.command.get_params(context)
            names = [name for option in params for name in option.opts]
            given = error.option_name
            return f"no option {quoted(given)}: expected {one_of(names, given, 'an option')}"
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
    """Return the expected values of a parameter in words."""
    described = param.type_descriptor
    info = described.parameter_info
    if described.choices:
        return "one of " + ", ".join(str(choice.value) for choice in described.choices)
    kind = "a whole number" if "int" in str(described.annotation) else "a number"
    if info.max is not None:
        return f"{kind} from {info.min} to {info.max}"
    return kind + (f" of {info.min} or more" if info.min is not None else "")


def _got(error: Any) -> str:
    """Return the rejected value in words; empty if the error does not contain the value."""
    errors = getattr(error.__cause__, "errors", None)
    return f", got {quoted(errors()[0]['input'])}" if errors else ""
