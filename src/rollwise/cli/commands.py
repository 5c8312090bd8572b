"""Functions as commands: their arguments and options, their help, and the options for output."""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_args

from annotated_types import Ge, Le
from cyclopts import App, Parameter, Token
from cyclopts.validators import Number

from rollwise.cli import flags
from rollwise.cli.cluster import executor_of
from rollwise.cli.progress import Terminal
from rollwise.cli.show import show, write_json
from rollwise.errors import InputError
from rollwise.questions import (
    QUESTIONS,
    Question,
    answers,
    described,
    parts_of,
    question,
    text_parameters,
)
from rollwise.questions.answer import Answer, exact_numbers
from rollwise.questions.parameters import Game
from rollwise.questions.progress import reporting
from rollwise.settings import default_rules

F = TypeVar("F", bound=Callable[..., Any])

OUTPUTS = {"output", "html", "plot", "diagram"}
"""The parameters whose files commands write."""


def command(function: Callable[..., Any], name: str) -> App:
    """Return the command of a function, with the options for output.

    Every command has --quiet, and those that return an answer have more. Parameters before the star
    are arguments, and the others are options. The help is the docstring, and the command lines
    among its examples.
    """
    told = described(function)
    shown = "\n".join(["Examples", *(f"  {line}" for line in told.examples)])
    epilogue = shown if told.examples else None
    app = App(name=name, help=told.text, help_epilogue=epilogue, help_format="plaintext")
    prints = all(issubclass(kind, Answer) for kind in answers(function))
    app.default(_positional(_printing(function) if prints else function))
    return app


def question_command(name: str) -> App:
    """Return the command of a question."""
    return command(question(name), name.split()[-1])


def extends(name: str) -> Callable[[Question], Question]:
    """Return a decorator that gives a function the help of a question, and its other parameters.

    The function receives these parameters as ``*given`` and ``**options``.
    """
    return lambda function: _extended(function, question(name))


def _extended(call: F, function: Callable[..., Any], *without: str) -> F:
    """Give ``call`` the docstring and the other parameters of a function that it calls."""
    parameters = {
        parameter.name: parameter
        for part in (function, call)
        for parameter in inspect.signature(part, eval_str=True).parameters.values()
        if parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
    }
    chosen = [parameter for name, parameter in parameters.items() if name not in without]
    call.__signature__ = inspect.Signature(chosen)  # type: ignore[attr-defined]
    call.__doc__ = function.__doc__
    return call


def _printing(function: Question) -> Callable[..., None]:
    """Return a function that prints an answer, with the options for the output of answers."""
    workers = inspect.signature(function, eval_str=True).parameters.get("executor")

    def call(
        *given: Any,
        cluster: str | None = None,
        exact: flags.Exact = False,
        as_json: flags.Json = False,
        quiet: flags.Quiet = False,
        **options: Any,
    ) -> None:
        with exact_numbers(exact), executor_of(cluster) as executor:
            if workers is not None:
                options["executor"] = executor
            answer = function(*given, **options)
            if as_json and not answer.shows_json:
                write_json(answer.data())
            elif quiet:
                show(answer.show_quietly())
            else:
                show(answer.show_on_terminal() if sys.stdout.isatty() else answer.show())
        if answer.failed:
            raise SystemExit(1)

    if workers is not None:
        call.__annotations__["cluster"] = _annotated(str | None, *workers.annotation.__metadata__)
    has = {
        "cluster": workers is not None,
        "exact": any(kind.has_fractions for kind in answers(function)),
    }
    return _extended(call, function, *(name for name in has if not has[name]))


def group(name: str, summary: str, commands: Mapping[str, Callable[..., Any]]) -> App:
    """Return the group of the commands of some functions, and of its questions."""
    app = App(name=name, help=summary, help_format="plaintext")
    for subcommand, function in commands.items():
        app.command(command(function, subcommand))
    for member in QUESTIONS:
        if member.startswith(f"{name} "):
            app.command(question_command(member))
    return app


def _positional(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function with ``quiet``, whose arguments cannot be given as options."""
    parameters = inspect.signature(function, eval_str=True).parameters
    adds_quiet, rules = "quiet" not in parameters, parameters.get("rules")
    has_default_game = rules is not None and rules.annotation == Game and rules.default is None

    def call(*given: Any, quiet: flags.Quiet = False, **options: Any) -> Any:
        _check_inputs_stay(dict(zip(parameters, given, strict=False)) | options)
        if has_default_game and options.get("rules") is None:
            options["rules"] = default_rules().source
        with reporting(Terminal(quiet)):
            return function(*given, **options, **({} if adds_quiet else {"quiet": quiet}))

    typed = list(map(_as_typed, text_parameters(_extended(call, function), local=True).values()))
    call.__signature__ = inspect.Signature(typed)  # type: ignore[attr-defined]
    call.__annotations__ = {parameter.name: parameter.annotation for parameter in typed}
    return call


def _check_inputs_stay(values: Mapping[str, Any]) -> None:
    """Raise InputError if a command would write to its input; a resumed game may go on there."""
    read = [values[name] for name in values.keys() - OUTPUTS - {"resume"}]
    for output in filter(None, map(values.get, OUTPUTS)):
        for file in read:
            is_path = isinstance(file, (str, Path)) and str(file).isprintable()
            if is_path and os.path.realpath(file) == os.path.realpath(output):
                raise InputError(f"{output} is the input. Choose another file for the output.")


def _as_typed(parameter: inspect.Parameter) -> inspect.Parameter:
    """Return an argument under its metavar, or an option; numbers have their limits."""
    kind, *notes = parts_of(parameter.annotation)
    added = [Parameter(show_default=False)] if parameter.default is False else []
    if int in (kind, *get_args(kind)):
        added += [Parameter(converter=_whole_number)]
    least: Any = next((note.ge for note in notes if isinstance(note, Ge)), None)
    most: Any = next((note.le for note in notes if isinstance(note, Le)), None)
    if least is not None or most is not None:
        added += [Parameter(validator=Number(gte=least, lte=most))]
    if parameter.kind is parameter.POSITIONAL_OR_KEYWORD:
        parameter = parameter.replace(kind=parameter.POSITIONAL_ONLY)
        metavars = [note.metavar for note in notes if isinstance(note, Parameter) and note.metavar]
        added += [Parameter(name=name) for name in metavars]
    return parameter.replace(annotation=_annotated(kind, *notes, *added))


def _whole_number(kind: Any, tokens: Sequence[Token]) -> int:
    """Return a whole number; cyclopts would round 1.5."""
    return int(tokens[0].value)


def _annotated(kind: Any, *metadata: Any) -> Any:
    """Return an annotated type that is known only at run time."""
    return Annotated[(kind, *metadata)] if metadata else kind
