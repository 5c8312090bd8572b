"""Every command with its arguments and options, as the program itself knows them."""

import re
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Any

import typer

from directives.shapes import DOCUMENTS
from rollwise.cli.app import PANELS, app

KEPT = Path(__file__).parents[2] / "tests" / "documentation" / "help"
"""What the examples of the help print, as the tests hold it."""

LONGEST = 30
"""So many lines of what an example prints are shown."""


def commands() -> str:
    """Return a section for each group of commands, with one for each command in it."""
    program = typer.main.get_command(app)
    parts = []
    for panel, names in PANELS.items():
        parts.append(f"## {panel}")
        for name in names:
            for words, command in leaves(name, program.commands[name]):  # type: ignore[attr-defined]
                parts += section(words, command)
    return "\n\n".join(parts)


def leaves(words: str, command: Any) -> Iterator[tuple[str, Any]]:
    """Yield a command, or those of a group, by all their words."""
    inner = getattr(command, "commands", None)
    if inner is None:
        yield words, command
    else:
        for name, one in inner.items():
            yield from leaves(f"{words} {name}", one)


def section(words: str, command: Any) -> Iterator[str]:
    """Yield the description of a command: its usage, parameters, purpose, and examples."""
    arguments = [one for one in command.params if one.param_type_name == "argument"]
    options = [one for one in command.params if one.param_type_name == "option"]
    usage = " ".join(shape(one) for one in arguments)
    yield f"### rollwise {words}"
    text, _, rest = (command.help or "").partition("[bold]Examples[/bold]")
    yield escaped(text.strip())
    yield f"```text\nrollwise {words} {usage} [OPTIONS]\n```".replace("  ", " ")
    yield table([*arguments, *options])
    if words in DOCUMENTS:
        anchor = f"rollwise-{words.replace(' ', '-')}"
        yield f"What it writes with `--json` has [a schema](json.md#{anchor})."
    paragraphs = [part for part in rest.strip("\n").split("\n\n") if part.strip()]
    yield from (escaped(part) for part in paragraphs if not part.startswith("  "))
    known = printed(words)
    for line in (part.strip() for part in paragraphs if part.startswith("  ")):
        yield f"```console\n$ {line}\n{known.get(line, '')}".rstrip() + "\n```"


def shape(argument: Any) -> str:
    """Return how an argument is written in the usage."""
    name = argument.metavar or argument.name.upper()
    return name if argument.required else f"[{name}]"


def table(params: list[Any]) -> str:
    """Return a table of arguments and options."""
    rows = ["| | meaning | default |", "| --- | --- | --- |"]
    for one in params:
        rows.append(f"| {spelled(one)} | {escaped(one.help or '')} | {default(one)} |")
    return "\n".join(rows)


def spelled(param: Any) -> str:
    """Return the names of an option and what it takes."""
    if param.param_type_name == "argument":
        return f"`{shape(param)}`".replace("|", r"\|")
    names = [*param.opts, *param.secondary_opts]
    word = param.metavar or choices(param.type_descriptor.annotation)
    takes = "" if param.is_flag else f" {word}"
    return ", ".join(f"`{name}{takes}`" for name in names).replace("|", r"\|")


def choices(kind: Any) -> str:
    """Return what an option takes that has no word for it."""
    if issubclass(kind, Enum):
        return "|".join(str(one.value) for one in kind)
    return str(kind.__name__).upper()


def default(param: Any) -> str:
    """Return the default in words or as it would be typed."""
    if isinstance(param.show_default, str):
        return param.show_default
    value = getattr(param.default, "value", param.default)
    if value is None or isinstance(value, bool) or callable(value) or value == ():
        return ""
    return f"`{value}`"


def escaped(text: str) -> str:
    """Return words of the help as Markdown that shows them as they are."""
    text = re.sub(r"\[/?bold\]", "**", text)
    return re.sub(r"(?<!\*)([_<>\[\]|$]|\*(?!\*))(?!\*)", r"\\\1", text)


def printed(words: str) -> dict[str, str]:
    """Return what examples of a command print, those that print little."""
    path = KEPT / f"{words.replace(' ', '-')}.txt"
    text = path.read_text("utf-8") if path.exists() else ""
    parts = (part.partition("\n") for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:])
    return {
        line: shown.strip("\n") for line, _, shown in parts if len(shown.splitlines()) <= LONGEST
    }
