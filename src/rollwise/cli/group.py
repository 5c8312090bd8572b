"""Command groups that import commands lazily and print every error as one sentence on stderr."""

import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from functools import cache
from importlib import import_module
from typing import Any, ClassVar, NamedTuple

import typer
from rich.console import Console
from rich.table import Table
from typer.core import TyperCommand, TyperGroup
from typer.main import get_group

from rollwise.cli.streams import discard_output, prepare_streams
from rollwise.errors import (
    InputError,
    LostWorkersError,
    MalformedError,
    did_you_mean,
    quoted,
    visible,
)


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

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Print help with paragraphs as wide as the terminal, and examples on adjacent lines."""
        group = copy(self)
        group.help = _reflowed(self.help or "")
        super(CommandGroup, group).format_help(ctx, formatter)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command with the given name; an error suggests similar names."""
        given = args[0]
        if not given.startswith("-") and given not in self.commands:
            suggestion = self.suggestion(given)
            hint = suggestion or f"Run '{ctx.command_path} --help' for a list of commands."
            raise MalformedError(f"Unknown command {quoted(given)}. {hint}")
        return super().resolve_command(ctx, args)

    def suggestion(self, given: str) -> str:
        """Return a sentence that suggests a similar command, or an empty string without one."""
        return did_you_mean(given, {name: name for name in self.commands})


class Command(TyperCommand):
    """A command whose help fills the terminal, and whose options can omit their value."""

    VALUES: ClassVar = {"--resume": "last", "--puzzle": "today"}

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Print help with paragraphs as wide as the terminal, and examples on adjacent lines."""
        command = copy(self)
        command.help = _reflowed(self.help or "")
        super(Command, command).format_help(ctx, formatter)

    def parse_args(self, ctx: Any, args: list[str]) -> Any:
        """Insert the default value after an option without a value, and parse the arguments."""
        words: list[str] = []
        for following, word in enumerate(args, start=1):
            words.append(word)
            if word in self.VALUES and (following == len(args) or args[following].startswith("-")):
                words.append(self.VALUES[word])
        try:
            return super().parse_args(ctx, words)
        except InputError:  # the default game does not exist
            if not ctx.resilient_parsing:
                raise
            return []  # a shell can still complete the line


class CommandEntry(NamedTuple):
    """The location and summary of a command.

    Attributes
    ----------
    target : str
        The module in this package and the function or group in it: ``module:name``.
    summary : str
        The first paragraph of the help, so that the list needs no import of the command.
    keywords : tuple of str
        Words that users might type instead of the name; an error suggests the command for them.
    """

    target: str
    summary: str
    keywords: tuple[str, ...] = ()


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

    def suggestion(self, given: str) -> str:
        """Return the sentence that suggests commands by name or by keyword."""
        listed = [item for commands in self.panels.values() for item in commands.items()]
        words = {word: name for name, entry in listed for word in entry.keywords}
        by_name = super().suggestion(given)
        by_word = did_you_mean(given, words)
        return by_word if given.lower() in words else by_name or by_word

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Print the commands by panel, without importing them, and the options in one line."""
        out = Console(highlight=False)
        usage = f"[bold]Usage:[/bold] {ctx.command_path} COMMAND [OPTIONS]"
        names = [max(option.opts, key=len) for option in self.get_params(ctx)]
        options = f"[bold]Options:[/bold] {'  '.join(names)}"
        out.print(usage, (self.help or "").replace("\n\n", "\n"), options, sep="\n")
        width = max(len(name) for name in self.commands)
        for panel, commands in self.panels.items():
            out.print(f"\n[bold]{panel}[/bold]")
            table = Table.grid(padding=(0, 2, 0, 0))
            table.add_column(width=width + 2)
            for name, entry in commands.items():
                table.add_row(f"  [cyan]{name}[/cyan]", entry.summary)
            out.print(table)


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
        for subcommand in command.registered_commands:
            subcommand.cls = Command
        app.add_typer(command, name=name, cls=CommandGroup, rich_help_panel=panel)
    else:
        app.command(name, cls=Command, rich_help_panel=panel)(command)
    return get_group(app).commands[name]


def _reflowed(text: str) -> str:
    """Join the lines of each paragraph, and remove the blank lines between examples."""
    examples = re.sub(r"\n\n(?=  +(?:[A-Z_]+=\S+ )?rollwise )", "\n", text.strip())
    return re.sub(r"(?<=\S)\n(?=[^\s\[])", " ", examples)


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
        print(f"error: {visible(sentence)}", file=sys.stderr)
        raise typer.Exit(1 if isinstance(error, LostWorkersError) else 2) from error


def sentence_of(error: BaseException) -> str | None:
    """Return the sentence to print for an error that the user can fix, or None for other errors."""
    if isinstance(error, InputError | LostWorkersError):
        return str(error)
    if isinstance(error, MemoryError):
        return "Out of memory. Choose a smaller game, or use a machine with more memory."
    if isinstance(error, OSError) and error.strerror:
        if error.filename is None:  # an error without a file name is in standard output
            discard_output()
            return f"cannot write the output: {error.strerror}. Write to another file or pipe."
        return f"{error.filename}: {_of_file(error)}"
    return _of_usage(error)


def _of_file(error: OSError) -> str:
    """Return the sentence to print, after the path, for a file that cannot be read or written."""
    match error:
        case FileNotFoundError():
            return "no such file or folder. Check the path."
        case IsADirectoryError():
            return "the path is a folder. Give the path of a file."
        case NotADirectoryError() | FileExistsError():
            return "part of the path is a file, not a folder. Choose another path."
        case PermissionError():
            return "permission denied. Change the permissions, or choose another path."
    return str(error.strerror)


def _of_usage(error: Any) -> str | None:
    """Return the sentence to print for invalid arguments, or None for other errors.

    The errors are recognized by class name, because not all versions of Typer export the classes.
    """
    context: Any = getattr(error, "ctx", None)
    see = f"Run '{context.command_path} --help' for help." if context else ""
    param = getattr(error, "param", None)
    match type(error).__name__:
        case "NoSuchOption":
            params = context.command.get_params(context)
            names = {name: name for option in params for name in option.opts}
            hint = did_you_mean(error.option_name, names) or see
            if re.fullmatch(r"-\d", error.option_name):
                hint = "Write dice without a hyphen, such as 11366."
            return f"Unknown option {quoted(error.option_name)}. {hint}"
        case "MissingParameter":
            return f"Missing {_name(param).removesuffix('...')}. {see}"
        case "BadParameter" if param is not None:
            return f"{_name(param)} must be {_wanted(param)}{_got(error)}."
        case "BadOptionUsage":
            needs = "takes no" if "not take" in error.message else "needs a"
            return f"{error.option_name} {needs} value. {see}".rstrip()
        case "UsageError":
            message = error.format_message().rstrip(".")
            extra = re.fullmatch(r"Got unexpected extra arguments?(?:\(s\))? \((.*)\)", message)
            if extra is None:
                return f"{message}. {see}"
            params = context.command.get_params(context)
            options = {name for option in params for name in option.opts}
            fix = f"Perhaps you mean: --strategy {extra[1]}" if "--strategy" in options else see
            return f"Unexpected argument {extra[1]!r}. {fix}"
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
    """Return the rejected value in words, or an empty string if the error does not contain it."""
    errors = getattr(error.__cause__, "errors", None)
    return f", not {quoted(errors()[0]['input'])}" if errors else ""
