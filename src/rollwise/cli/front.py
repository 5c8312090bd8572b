"""The command line, which prints every error as one sentence on stderr."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
import textwrap
from collections.abc import Iterable
from typing import Any, get_args

from cyclopts import App, CycloptsError, exceptions
from cyclopts.argument import Argument
from cyclopts.validators import Number

from rollwise.cli.app import ENTRIES, make_app
from rollwise.cli.streams import discard_output, prepare_streams
from rollwise.errors import InputError, LostWorkersError, did_you_mean, quoted, visible


class Hyphen(str):
    """A lone hyphen, which is a value: no dice, an empty scorecard, or standard input.

    Cyclopts takes text that starts with a hyphen for an option.
    """

    def startswith(self, *_: object) -> bool:
        """Return that this is no option."""
        return False


def main(tokens: list[str] | None = None) -> None:
    """Run the command line; exit with code 2 and one sentence on stderr for bad input."""
    prepare_streams()
    words = _as_options(sys.argv[1:] if tokens is None else tokens)
    given = [Hyphen(word) if word == "-" else word for word in words]
    try:
        try:
            app = make_app(summaries=given[:1] not in [[name] for name in ENTRIES])
            app(given)
            if len(given) == 1 and given[0] in ENTRIES and not app[given[0]].default_command:
                raise SystemExit(2)  # a group needs a command; cyclopts has printed the help
        finally:
            sys.stdout.flush()
    except (Exception, SystemExit) as error:
        # rich raises SystemExit for a closed pipe.
        if BrokenPipeError in (type(error), type(error.__context__)):
            discard_output()
            return
        sentence = sentence_of(error)
        if sentence is None:
            raise
        print(_in_lines(f"error: {visible(sentence)}"), file=sys.stderr)
        raise SystemExit(1 if isinstance(error, LostWorkersError) else 2) from error


def _as_options(words: list[str]) -> list[str]:
    """Return words with an option instead of the command ``help`` or ``version``."""
    match words:
        case ["help", *command]:
            return [*command, "--help"]
        case ["version"]:
            return ["--version"]
    return words


def _in_lines(message: str) -> str:
    """Return a message whose lines fit on a terminal without breaking a word or a command."""
    if not sys.stderr.isatty():
        return message
    whole = re.sub("(?<=run: ).*", lambda command: command[0].replace(" ", "\xa0"), message)
    filled = (
        textwrap.fill(
            line,
            shutil.get_terminal_size().columns,
            break_long_words=False,
            break_on_hyphens=False,
        )
        for line in whole.splitlines()
    )
    return "\n".join(filled).replace("\xa0", " ")


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
    return _of_usage(error) if isinstance(error, CycloptsError) else None


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


def _of_usage(error: CycloptsError) -> str:
    """Return the sentence to print for invalid arguments."""
    path = " ".join(["rollwise", *(error.command_chain or ())])
    see = f"Run '{path} --help' for help."
    app, argument = error.app or App(), error.argument
    given = (error.unused_tokens or [""])[0]
    match error:
        case exceptions.UnknownOptionError():
            names = (name for option in error.argument_collection for name in option.names)
            return _of_option(error.token.keyword or error.token.value, names, see)
        case exceptions.RepeatArgumentError():
            name = error.token.keyword
            return f"{name} is given twice. Write all in one, such as {name} ones=3,twos=6"
        case exceptions.UnknownCommandError() if given.startswith("-"):
            return _of_option(given, app, see)
        case exceptions.UnusedCliTokensError() if not any(name[0] != "-" for name in app):
            options = {name for one in app.assemble_argument_collection() for name in one.names}
            for option in {"--compare", "--strategy"} & options:
                see = f"Perhaps you mean: {option} {given}"
            if path == "rollwise duel" and given.isdecimal():
                see = (
                    f"For the best move with these dice, run: rollwise advise {given} "
                    "--objective beat --opponent CARD --opponent-strategy duel"
                )
            return f"Unexpected argument {given!r}. {see}"
        case exceptions.UnusedCliTokensError() | exceptions.UnknownCommandError():
            hint = _similar_command(given, app) or f"Run '{path} --help' for a list of commands."
            if path == "rollwise" and given.isdecimal():
                advise = shlex.join(["rollwise", "advise", *(error.unused_tokens or ())])
                hint = f"For the best move, run: {advise}"
            return f"Unknown command {quoted(given)}. {hint}"
        case exceptions.MissingArgumentError() if argument is not None:
            if argument.field_info.is_keyword:
                return f"{error.keyword or argument.name} needs a value. {see}"
            return f"Missing {argument.name.removesuffix('...')}. {see}"
    token = getattr(error, "token", None) or (argument.tokens[-1] if argument else None)
    if argument is not None and token is not None:
        name = token.keyword or argument.name
        if bool in (argument.hint, *get_args(argument.hint)):
            return f"{name} takes no value. {see}"
        return f"{name} must be {_wanted(argument)}, not {quoted(token.value)}."
    return str(error)


def _of_option(given: str, names: Iterable[str], see: str) -> str:
    """Return the sentence to print for an option that does not exist."""
    option, known = given.partition("=")[0], {name: name for name in names if name[0] == "-"}
    if option in known:
        return f"{option} takes no value. {see}"
    if re.match(r"-\d", given):
        see = "Write dice without a hyphen, such as 11366."
    return f"Unknown option {quoted(option)}. {did_you_mean(option, known) or see}"


def _similar_command(given: str, app: App) -> str:
    """Return the sentence that suggests commands by name or, for the program, by keyword."""
    by_name = did_you_mean(given, {name.lstrip("-"): name for name in app})
    if "rollwise" not in app.name:
        return by_name
    words = {word: name for name, entry in ENTRIES.items() for word in entry.keywords}
    by_word = did_you_mean(given, words)
    return by_word if given.lower() in words else by_name or by_word


def _wanted(argument: Argument) -> str:
    """Return the expected values of a parameter in words."""
    if choices := argument.get_choices():
        return "one of " + ", ".join(choices)
    kind = "a whole number" if "int" in str(argument.hint) else "a number"
    limits: Any = argument.parameter.validator
    for limit in limits:
        if isinstance(limit, Number):
            if limit.lte is not None:
                return f"{kind} from {limit.gte} to {limit.lte}"
            return f"{kind} of {limit.gte} or more"
    return kind
