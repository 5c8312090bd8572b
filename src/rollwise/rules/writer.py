"""Functions that write rule files: complete files, and commented templates with a base."""

import json
from collections.abc import Iterator
from typing import Any

from rollwise.rules.fields import RuleFields
from rollwise.rules.inheritance import DESCRIPTION, RuleTable
from rollwise.rules.schema import RuleFile


def toml_value(value: Any) -> str:
    """Return a value as one line of TOML."""
    if isinstance(value, dict):
        return f"{{ {_assignments(value)} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(toml_value, value))}]"
    text = json.dumps(value, ensure_ascii=False)
    return text.replace("\x7f", "\\u007f")  # the only character that JSON permits and TOML does not


def written_out(data: RuleTable) -> str:
    """Return the complete data of a valid rule file in TOML format, without a base."""
    return "\n".join(_lines(data)) + "\n"


def differences(file: RuleFile) -> Iterator[str]:
    """Yield what differs between a rule file and its base, if it has one, as lines of text."""
    if file.base is not None:
        name = file.stated["base"]
        lines = list(_differing(file.stated, file.base.data))
        yield f"Differs from {name}:" if lines else f"The same as {name}."
        yield from (f"  {line}" for line in lines)


def _differing(stated: RuleTable, base: RuleTable) -> Iterator[str]:
    own = {key: value for key, value in stated.items() if key not in {"base", *DESCRIPTION}}
    categories = own.pop("categories", [])
    inherited = {**base, "remove": []}
    for key, value in own.items():
        if isinstance(value, dict):
            yield from _changes(key, value, base.get(key, {}))
        elif value != inherited.get(key):
            yield _assignments({key: value})
    known = {category["key"]: category for category in base["categories"]}
    for category in categories:
        yield from _changes(category["key"], category, known.get(category["key"], {}))


def _changes(name: str, table: RuleTable, base: RuleTable) -> Iterator[str]:
    """Yield a line with the values of a table that differ from the base, if there are any."""
    changed = {key: table[key] for key in table if key != "key" and table[key] != base.get(key)}
    if changed:
        yield f"{name}: {_assignments(changed)}"


def _assignments(table: RuleTable) -> str:
    return ", ".join(f"{key} = {toml_value(value)}" for key, value in table.items())


def _lines(data: RuleTable) -> Iterator[str]:
    keys = [key for key in RuleFields.model_fields if key in data]
    tables = [key for key in keys if _is_table(data[key])]
    plain = [key for key in keys if key not in tables]
    for key in plain:
        if key == "dice":
            yield ""
        yield f"{key} = {_text(data[key]) if key == 'about' else toml_value(data[key])}"
    for key in tables:
        value = data[key]
        for table in value if isinstance(value, list) else [value]:
            yield ""
            yield f"[[{key}]]" if isinstance(value, list) else f"[{key}]"
            yield from _fields(key, table)


def _is_table(value: object) -> bool:
    """Return whether a value is written as a ``[table]`` or as several ``[[tables]]``."""
    return isinstance(value[0] if isinstance(value, list) and value else value, dict)


def _fields(header: str, table: RuleTable) -> Iterator[str]:
    """Yield the lines of a table; the categories of a rule variant follow as separate tables."""
    below = [key for key in table if key == "categories"]
    for key, value in table.items():
        if key not in below:
            yield f"{key} = {toml_value(value)}"
    for key in below:
        for category in table[key]:
            yield ""
            yield f"[[{header}.{key}]]"
            yield from _fields(f"{header}.{key}", category)


def _text(text: str) -> str:
    """Return a string in TOML; a string of several lines keeps its line breaks."""
    if "\n" not in text:
        return toml_value(text)
    lines = "\n".join(toml_value(line)[1:-1] for line in text.split("\n"))
    return f'"""\n{lines}"""'


TEMPLATE = """\
# {title}: a game that differs from {base_title}.
#
# Below are the values of {base_title}. Change a value to change the game. You can
# delete the lines that you do not change: they are then inherited from the base.
#
# Check the file:     rollwise rules check {file}
# Show the rules:     rollwise rules show {file}
# Solve the game:     rollwise solve --rules {file}
# Make it default:    rollwise rules use {file}

base = {base}
name = {name}
title = {written_title}
about = ""
sources = []

# To remove a category, or one of the tables upper_bonus, extra_bonus, and joker, name it here, such
# as remove = [{last}], and delete its table below.
remove = []
{values}
# To add a category, write a table with a new key. Without the line "before" it comes last.
#
#     [[categories]]
#     key = "two-pairs"
#     title = "Two Pairs"
#     pattern = {{ kind = "groups", sizes = [2, 2] }}
#     points = "total"
#     before = {last}
"""


def template(data: RuleTable, *, file: str, base: str, name: str, title: str) -> str:
    """Return a rule file that has a base and states its values, so that users can change them.

    ``data`` is the complete data of the base. ``file`` is the name of the new file, for the
    commands in its comments.
    """
    return TEMPLATE.format(
        title=title,
        base_title=data["title"],
        file=file,
        base=toml_value(base),
        name=toml_value(name),
        written_title=toml_value(title),
        values="\n".join(_values(data)),
        last=toml_value(data["categories"][-1]["key"]),
    )


def _values(data: RuleTable) -> Iterator[str]:
    """Yield the rules of a base, with only the points of each category."""
    yield from _lines(
        {key: value for key, value in data.items() if key not in {"categories", *DESCRIPTION}}
    )
    yield ""
    yield "# The categories, with their points. Title, code, and pattern can differ, too."
    for category in data["categories"]:
        yield ""
        yield "[[categories]]"
        yield f"key = {toml_value(category['key'])}"
        yield f"points = {toml_value(category['points'])}"
    yield ""
