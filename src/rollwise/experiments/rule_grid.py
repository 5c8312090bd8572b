"""Grids of rule variants: parameters of a rule file, their values, and the games they define.

A parameter (a *clause* of the rules) is a key of the rule file, such as ``rolls`` or
``upper_bonus.points``. The clauses of a category begin with its key, as in ``full-house.points`` or
``small-straight.pattern.length``. A category or another part of the rules, such as ``joker``, is
also a clause, with the value ``on`` or ``off``. Clauses joined by ``+`` share one value.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from rollwise.errors import MalformedError, TooLargeError, did_you_mean, quoted
from rollwise.rules import Rules, RulesError
from rollwise.rules.diagnostics import mistakes
from rollwise.rules.validation import in_words
from rollwise.toml_files import parse_toml, read_toml

MAX_GAMES = 100_000

SHORT = {"bonus": "upper_bonus.points", "jokers": "joker"}
"""The short names of some clauses."""

PARTS = {"upper_bonus": "upper bonus", "extra_bonus": "five-of-a-kind bonus", "joker": "jokers"}
"""The parts of the rules, besides categories, that can be removed, and their names in messages."""

PLAIN = {"dice", "faces", "other_dice", "rolls", "order", "saves_rolls", "extra_rolls"}
"""The clauses that have a simple value at the top level of the rule file."""

DESCRIPTION = {"name", "title", "about", "sources", "disputed"}
"""The keys that describe a game without changing how it is played."""

WORDS: dict[str, Any] = {"on": True, "off": False, "true": True, "false": False}

Clauses = Mapping[str, Sequence[Any]]
"""The list of values of each varied clause; a value has the same form as in a rule file."""

Values = Mapping[str, Any]
"""One value per varied clause, which defines one game of a grid."""


def parse_clause(text: str) -> tuple[str, str]:
    """Split ``full-house.points=25,30,total`` into the clause and its values."""
    clause, equals, values = (part.strip() for part in text.partition("="))
    if not (clause and equals and values):
        raise MalformedError(
            f"cannot read {quoted(text)}; write a rule and its values, such as "
            "upper_bonus.points=0,35 or chance=on,off"
        )
    return clause, values


def parse_values(clause: str, text: str) -> list[Any]:
    """Parse the values of a clause: ``25,30,total``, ``on,off``, ``1-6``, or ``0-100:25``."""
    if re.fullmatch(r"[\s0-9,:-]*", text):
        return _parse_numbers(clause, text)
    return [_parse_value(word.strip()) for word in text.split(",")]


def _parse_value(word: str) -> Any:
    if not word:
        raise MalformedError(
            "a value is empty; write a number or a word for each value, such as 25,total"
        )
    return WORDS.get(word, int(word) if re.fullmatch(r"[0-9]{1,9}", word) else word)


def _parse_numbers(clause: str, text: str) -> list[int]:
    numbers: list[int] = []
    for part in text.split(","):
        match = re.fullmatch(r"\s*([0-9]{1,5})(?:-([0-9]{1,5})(?::([1-9][0-9]{0,4}))?)?\s*", part)
        if not match:
            raise MalformedError(
                f"{clause}: expected numbers such as 3, 0,35, 1-6, or 0-100:25, got {quoted(text)}"
            )
        first, last, step = (int(group) if group else None for group in match.groups())
        assert first is not None
        numbers += range(first, (first if last is None else last) + 1, step or 1)
    if not numbers:
        raise MalformedError(
            f"{clause}: the range {quoted(text)} is empty; write the lower number first"
        )
    return numbers


def read_grid(path: str | Path) -> dict[str, list[Any]]:
    """Read a grid file, and return the values of each clause."""
    try:
        return parse_grid(read_toml(path))
    except OSError as error:
        raise MalformedError(
            f"{path}: cannot read the grid file ({error.strerror}). Check the path."
        ) from error
    except MalformedError as error:
        raise MalformedError(f"{path}: {error}") from error


def parse_grid(text: str) -> dict[str, list[Any]]:
    """Parse a grid file: TOML in the form of a rule file, with a list instead of each value."""
    clauses = dict(_leaves(parse_toml(text)))
    for clause, values in clauses.items():
        if not isinstance(values, list) or not values:
            raise MalformedError(f"{clause} needs a list of values, such as [0, 35]")
    return clauses


def _leaves(table: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _leaves(value, f"{above}{key}.")
        else:
            yield above + key, value


def text_of(value: Any) -> str:
    """Return a value as text, as in ``--vary``."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return value if isinstance(value, str) else json.dumps(value)


def grid(rules: Rules, clauses: Clauses) -> list[dict[str, Any]]:
    """Return all combinations of the values of the clauses; the last clause changes fastest.

    Check that each combination is a valid game, and that there are at most ``MAX_GAMES``.
    """
    size = prod(map(len, clauses.values()))
    if size > MAX_GAMES:
        raise TooLargeError(
            f"the grid has {size:,} games; it can have at most {MAX_GAMES:,}, so vary fewer rules"
        )
    games = [dict(zip(clauses, chosen, strict=True)) for chosen in product(*clauses.values())]
    for game in games:
        vary(rules, game)
    return games


def vary(rules: Rules, values: Values) -> Rules:
    """Return the rules with new values for some clauses.

    If a part, a category, or one of its clauses has the value ``False`` or ``"off"``, the part or
    category is removed. A bonus with 0 points is also removed. All other clauses of a removed part
    or category are ignored. Higher steps of the upper bonus change by the same amount as the first
    step. If points depend on the number of rolls, additional rolls score the same as the last roll.
    """
    data = rules.model_dump(mode="json", exclude_none=True, exclude={"disputed"})
    categories = {category["key"]: category for category in data.pop("categories")}
    for clause, value in values.items():
        for key in clause.split("+"):
            _set(rules, data, categories, SHORT.get(key, key).split("."), value)
    for category in categories.values():
        if isinstance(category["points"], list):
            category["points"] = _for_rolls(category["points"], data["rolls"])
    changes = ", ".join(f"{clause} = {quoted(value)}" for clause, value in values.items())
    digest = hashlib.sha256(changes.encode()).hexdigest()[:8]
    data |= {"name": f"{rules.name[:31]}-{digest}", "categories": list(categories.values())}
    try:
        return Rules.model_validate(data)
    except ValidationError as error:
        problems = list(map(in_words, mistakes(error)))
        raise RulesError(f"{rules.name} with {changes}", problems) from error


def _set(
    rules: Rules, data: dict[str, Any], categories: dict[str, Any], path: list[str], value: Any
) -> None:
    """Set the value of the clause at ``path`` in the data of the rules."""
    part, *below = path
    if part in PLAIN and not below:
        data[part] = value
        return
    if part not in PARTS and part not in rules.keys:
        known = {key: ".".join([key, *below]) for key in (*PLAIN, *PARTS, *rules.keys)}
        fix = did_you_mean(part, known) or (
            f"Use a key such as rolls, upper_bonus.points, or {rules.keys[-1]}.points."
        )
        raise MalformedError(f"{rules.name} has no rule {quoted('.'.join(path))}. {fix}")
    tables = data if part in PARTS else categories
    no_bonus = path[1:] == ["points"] and part in PARTS and value == 0
    if len(below) < 2 and (value is False or value == "off" or no_bonus):
        tables.pop(part, None)
    elif part in PARTS and getattr(rules, part) is None:
        raise MalformedError(
            f"{rules.name} has no {PARTS[part]} to change; add the table {part} in a rule file, or "
            f"leave out {'.'.join(path)}"
        )
    elif part not in tables:
        return  # another clause has removed the part
    elif below and not (value is True and len(below) < 2):
        _set_below(tables[part], path, value)
    elif isinstance(value, dict):
        tables[part] = value
    elif value is not True:
        raise MalformedError(f"{part} cannot be {quoted(value)}; write on or off")


def _set_below(table: dict[str, Any], path: list[str], value: Any) -> None:
    """Set the value of the clause at ``path`` in ``table``, which is a part of the rules."""
    _, *above, key = path
    higher = table.get("higher", []) if path == ["upper_bonus", "points"] else []
    if higher and isinstance(value, int):
        increase = value - table["points"]
        table["higher"] = [step | {"points": step["points"] + increase} for step in higher]
    for step in above:
        table = table.get(step, {})
        if not isinstance(table, dict) or not table:
            raise MalformedError(
                f"unknown rule {quoted('.'.join(path))}; use a key of a rule file, such as "
                "upper_bonus.points"
            )
    table[key] = value


def _for_rolls(points: list[int], rolls: Any) -> list[int]:
    """Return the points by number of rolls, shortened or extended to ``rolls`` rolls."""
    number = rolls if isinstance(rolls, int) else len(points)
    return points[:number] + points[-1:] * min(number - len(points), 20)


def digest_of(rules: Rules) -> str:
    """Return a short hash of the rules that ignores the name and the description of the game."""
    return hashlib.sha256(rules.model_dump_json(exclude=DESCRIPTION).encode()).hexdigest()[:16]
