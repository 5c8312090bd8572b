"""Every command with its arguments and options, as the program itself knows them."""

import re
from collections.abc import Iterator
from typing import get_args

from cyclopts import App, Parameter
from cyclopts.argument import Argument

from directives.shapes import DOCUMENTS
from rollwise.cli.app import PANELS, make_app


def commands() -> str:
    """Return a section for each group of commands, with one for each command in it."""
    program = make_app()
    parts = []
    for panel, names in PANELS.items():
        parts.append(f"## {panel}")
        for name in names:
            for words, command in leaves(name, program[name]):
                parts += section(words, command, program.default_parameter)
    return "\n\n".join(parts)


def leaves(words: str, command: App) -> Iterator[tuple[str, App]]:
    """Yield a command, or those of a group, by all their words."""
    if command.default_command is not None:
        yield words, command
    for name in command:
        if not name.startswith("-"):
            yield from leaves(f"{words} {name}", command[name])


def section(words: str, command: App, shared: Parameter | None) -> Iterator[str]:
    """Yield the description of a command: its purpose, usage, parameters, and examples."""
    parameters = list(
        command.assemble_argument_collection(default_parameter=shared, parse_docstring=True)
    )
    usage = " ".join(shape(one) for one in parameters if not is_option(one))
    summary, *paragraphs = command.help.split("\n\n")
    yield f"### rollwise {words}"
    yield escaped(summary)
    yield f"```text\nrollwise {words} {usage} [OPTIONS]\n```".replace("  ", " ")
    yield table(parameters)
    if words in DOCUMENTS:
        yield "[JSON keys](json.md) lists the keys that the command writes with `--json`."
    yield from map(escaped, paragraphs)
    for line in re.findall(r"^  (.+)$", command.help_epilogue or "", re.MULTILINE):
        yield f"```console\n$ {line}\n```"


def is_option(parameter: Argument) -> bool:
    """Return whether a parameter has a name on the command line."""
    return parameter.name.startswith("-")


def shape(argument: Argument) -> str:
    """Return how an argument is written in the usage."""
    return argument.name if argument.required else f"[{argument.name}]"


def table(parameters: list[Argument]) -> str:
    """Return a table of arguments and options."""
    rows = ["| | meaning | default |", "| --- | --- | --- |"]
    for one in sorted(parameters, key=is_option):
        rows.append(f"| {spelled(one)} | {escaped(one.parameter.help or '')} | {default(one)} |")
    return "\n".join(rows)


def spelled(parameter: Argument) -> str:
    """Return the names of an option and what it takes."""
    if not is_option(parameter):
        return f"`{shape(parameter)}`".replace("|", r"\|")
    takes = "" if parameter.hint is bool else f" {word(parameter)}"
    return ", ".join(f"`{name}{takes}`" for name in parameter.names).replace("|", r"\|")


def word(parameter: Argument) -> str:
    """Return what an option takes."""
    kinds = get_args(parameter.hint) or (parameter.hint,)
    names = [kind.__name__.upper() for kind in (int, float, str) if kind in kinds]
    return parameter.parameter.metavar or "|".join(parameter.get_choices() or names)


def default(parameter: Argument) -> str:
    """Return the default in words or as it would be typed."""
    shown, value = parameter.show_default, parameter.field_info.default
    words = shown(value) if callable(shown) else shown
    if isinstance(words, str):
        return words
    return f"`{value}`" if words and not isinstance(value, bool) and value != () else ""


def escaped(text: str) -> str:
    """Return words of the help as Markdown that shows them as they are."""
    return re.sub(r"([_<>\[\]|$*])", r"\\\1", text)
