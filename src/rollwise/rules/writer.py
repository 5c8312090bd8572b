"""Functions that write rule files: complete files, and commented templates with a base."""

import json
from collections.abc import Iterator
from typing import Any

from rollwise.rules.fields import RuleFields
from rollwise.rules.inheritance import DESCRIPTION, RuleTable


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


def differences(stated: RuleTable) -> Iterator[str]:
    """Yield the differences between a valid rule file and its base, one line for each."""
    for key, value in stated.items():
        if key in DESCRIPTION or key == "base":
            continue
        if key == "categories":
            for category in value:
                changes = {part: item for part, item in category.items() if part != "key"}
                yield f"{category['key']}: {_assignments(changes)}"
        elif isinstance(value, dict):
            yield f"{key}: {_assignments(value)}"
        else:
            yield _assignments({key: value})


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
# The file states only the differences. To change a value, remove the # before its line, and before
# the line of its table in [brackets].
#
# Check the file:     rollwise rules check {file}
# Show the rules:     rollwise rules show {file}
# Solve the game:     rollwise solve --rules {file}
# Make it default:    rollwise rules use {file}

base = {base}
name = {name}
title = {written_title}
#about = "What is special."
#sources = ["Our house rules"]

# Remove categories by their keys, or one of the tables upper_bonus, extra_bonus, and joker.
#remove = []

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
    """Return a commented rule file that has a base and does not differ from it yet.

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
        values="\n".join(_commented(data)),
        last=toml_value(data["categories"][-1]["key"]),
    )


def _commented(data: RuleTable) -> Iterator[str]:
    """Yield the rules of a base as comments, with only the points of each category."""
    yield "# The values of the base:"
    rules = {
        key: value for key, value in data.items() if key not in DESCRIPTION and key != "categories"
    }
    for line in _lines(rules):
        yield f"#{line}" if line else ""
    yield ""
    yield "# The categories, with their points. Title, code, and pattern can differ, too."
    for category in data["categories"]:
        yield ""
        yield "#[[categories]]"
        yield f"#key = {toml_value(category['key'])}"
        yield f"#points = {toml_value(category['points'])}"
    yield ""
