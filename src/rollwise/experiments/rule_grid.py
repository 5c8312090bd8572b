"""Clauses of rules that may be varied: how they are named and written, and the games they make.

A clause is a key of the rule file, a box by its own key: ``rolls``, ``upper_bonus.points``,
``full-house.points``, ``small-straight.pattern.length``. A whole part, ``chance`` or ``joker``, is
``on`` or ``off``. Clauses joined by ``+`` have one value.
"""

import hashlib
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from pydantic import ValidationError

from rollwise.errors import MalformedError, TooLargeError, quoted
from rollwise.rules import Rules, RulesError
from rollwise.rules.diagnostics import mistakes

MAX_GAMES = 100_000

SHORT = {"bonus": "upper_bonus.points", "jokers": "joker"}
"""Clauses with a name of their own."""

PARTS = {"upper_bonus": "upper bonus", "extra_bonus": "extra bonus", "joker": "jokers"}
"""What may be left out, beside boxes."""

PLAIN = {"dice", "faces", "other_dice", "rolls", "order", "saves_rolls", "extra_rolls", "announced"}

SAID = {"name", "title", "about", "sources", "disputed"}
"""What is only said of a game, and makes it no other one."""

WORDS: dict[str, Any] = {"on": True, "off": False, "true": True, "false": False}

Clauses = Mapping[str, Sequence[Any]]
"""The values of each clause that is varied, as a rule file has them."""

Values = Mapping[str, Any]
"""One value a clause: what one game of a grid differs in."""


def parse_clause(text: str) -> tuple[str, list[Any]]:
    """Return a clause and its values: ``full-house.points=25,30,total``, ``rolls=1-6``.

    Raises
    ------
    MalformedError
        When it is none.
    """
    clause, equals, listed = text.partition("=")
    if not equals or not clause.strip() or not listed:
        raise MalformedError(
            f"no clause with values {quoted(text)}: expected such as upper_bonus.points=0,35 or "
            "chance=on,off"
        )
    if re.fullmatch(r"[\s0-9,:-]+", listed):
        return clause.strip(), list(parse_range(listed, clause.strip()))
    return clause.strip(), [_parsed(word.strip()) for word in listed.split(",")]


def _parsed(word: str) -> Any:
    if not word:
        raise MalformedError("an empty value: expected a number or a word, such as 25,total")
    return WORDS.get(word, int(word) if re.fullmatch(r"[0-9]{1,9}", word) else word)


def parse_range(text: str, what: str) -> list[int]:
    """Return the whole numbers that a text lists: ``3``, ``0,35``, ``1-6``, ``0-100:25``.

    Raises
    ------
    MalformedError
        When it is no such list.
    """
    numbers: list[int] = []
    for part in text.split(","):
        match = re.fullmatch(r"\s*([0-9]{1,5})(?:-([0-9]{1,5})(?::([1-9][0-9]{0,4}))?)?\s*", part)
        if not match:
            raise MalformedError(
                f"no {what} {text[:40]!r}: expected numbers such as 3, 0,35, 1-6 or 0-100:25"
            )
        first, last, step = (int(group) if group else None for group in match.groups())
        assert first is not None
        numbers += range(first, (first if last is None else last) + 1, step or 1)
    if not numbers:
        raise MalformedError(f"no {what} in {text[:40]!r}: expected the lower number first")
    return numbers


def parse_grid(text: str, where: str = "grid") -> dict[str, list[Any]]:
    """Return the clauses of a grid file: TOML, with a list of values in place of each value.

    Raises
    ------
    MalformedError
        When it is no TOML, or has a clause without a list of values; ``where`` calls it.
    """
    try:
        found = dict(_leaves(tomllib.loads(text)))
    except (ValueError, RecursionError) as error:
        raise MalformedError(f"{where}: not TOML: {error}; expected a grid file") from error
    for clause, values in found.items():
        if not isinstance(values, list) or not values:
            raise MalformedError(f"{where}: {clause}: expected a list of values")
    return found


def _leaves(table: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _leaves(value, f"{above}{key}.")
        else:
            yield above + key, value


def grid(rules: Rules, clauses: Clauses) -> list[dict[str, Any]]:
    """Return every combination of the values, the last clause changing fastest.

    Raises
    ------
    TooLargeError
        When there are more than ``MAX_GAMES``.
    MalformedError, RulesError
        When one of them makes no game, as :func:`vary` says.
    """
    size = 1
    for values in clauses.values():
        size *= len(values)
    if size > MAX_GAMES:
        raise TooLargeError(f"a grid of {size:,} games: expected at most {MAX_GAMES:,}")
    games = [dict(zip(clauses, chosen, strict=True)) for chosen in product(*clauses.values())]
    for game in games:
        vary(rules, game)
    return games


def vary(rules: Rules, values: Values) -> Rules:
    """Return the rules with other values of some clauses.

    A part or a box is left out where a clause of it is ``False`` or ``"off"``, a bonus also where
    its points are 0; its other clauses say nothing then. Higher steps of the upper bonus rise or
    fall by as much as the first one. Where points depend on the roll, those of a roll more are
    those of the last one.

    Raises
    ------
    MalformedError
        When the rules have no such clause, or not the part that it belongs to.
    RulesError
        When the values make no game.
    """
    data = rules.model_dump(mode="json", exclude_none=True, exclude={"disputed"})
    boxes = {box["key"]: box for box in data.pop("categories")}
    for clause, value in values.items():
        for one in clause.split("+"):
            _put(rules, data, boxes, SHORT.get(one, one).split("."), value)
    for box in boxes.values():
        if isinstance(box["points"], list):
            box["points"] = _for_rolls(box["points"], data["rolls"])
    told = ", ".join(f"{clause} = {quoted(value)}" for clause, value in values.items())
    digest = hashlib.sha256(told.encode()).hexdigest()[:8]
    data |= {"name": f"{rules.name[:31]}-{digest}", "categories": list(boxes.values())}
    try:
        return Rules.model_validate(data)
    except ValidationError as error:
        found = [f"{place}: {what}" for place, what in mistakes(data, error)]
        raise RulesError(f"{rules.name} with {told}", found) from error


def _put(
    rules: Rules, data: dict[str, Any], boxes: dict[str, Any], path: list[str], value: Any
) -> None:
    """Put a value in its place."""
    part, *below = path
    if part in PLAIN and not below:
        data[part] = value
        return
    if part not in PARTS and part not in rules.keys:
        raise MalformedError(
            f"no clause {quoted('.'.join(path))} in {rules.name}: expected such as rolls, "
            f"upper_bonus.points or {rules.keys[-1]}.points"
        )
    tables = data if part in PARTS else boxes
    no_bonus = path[1:] == ["points"] and part in PARTS and value == 0
    if len(below) < 2 and (value is False or value == "off" or no_bonus):
        tables.pop(part, None)
    elif part in PARTS and getattr(rules, part) is None:
        raise MalformedError(f"{rules.name} has no {PARTS[part]}: expected it off")
    elif part not in tables:
        return  # another clause left it out
    elif below and not (value is True and len(below) < 2):
        _put_below(tables[part], path, value)
    elif isinstance(value, dict):
        tables[part] = value
    elif value is not True:
        raise MalformedError(f"{part} = {quoted(value)}: expected on or off")


def _put_below(table: dict[str, Any], path: list[str], value: Any) -> None:
    """Put a value in its place in a table of the rules."""
    _, *above, key = path
    higher = table.get("higher", []) if path == ["upper_bonus", "points"] else []
    if higher and isinstance(value, int):
        more = value - table["points"]
        table["higher"] = [step | {"points": step["points"] + more} for step in higher]
    for step in above:
        table = table.get(step, {})
        if not isinstance(table, dict) or not table:
            raise MalformedError(f"no clause {quoted('.'.join(path))}: expected a key of its table")
    table[key] = value


def _for_rolls(points: list[int], rolls: Any) -> list[int]:
    known = rolls if isinstance(rolls, int) else len(points)
    return points[:known] + points[-1:] * min(known - len(points), 20)


def digest_of(rules: Rules) -> str:
    """Return a short hash of what a game is, whatever it is called."""
    return hashlib.sha256(rules.model_dump_json(exclude=SAID).encode()).hexdigest()[:16]


def of_lower_boxes(rules: Rules, clause: str) -> bool:
    """Return whether a clause is about boxes of the lower section alone."""
    lower = {box.key for box in rules.categories if box.section == "lower"}
    return all(one.split(".")[0] in lower for one in clause.split("+"))
