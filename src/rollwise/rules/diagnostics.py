"""Error reports for rule files, with the location of every error."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from rollwise.errors import quoted
from rollwise.rules.card import CODE, KEY, PRINTS, Category
from rollwise.rules.columns import COLUMN_CODE, Column
from rollwise.rules.dice import OtherDice
from rollwise.rules.validation import contradictions
from rollwise.toml_errors import WORDS, expected

Part = TypeVar("Part", bound=BaseModel)

EXPECTED_TEXT = {
    KEY: "lower-case letters, digits, and hyphens, starting with a letter",
    CODE: "1 to 4 lower-case letters and digits",
    COLUMN_CODE: "one lower-case letter",
    PRINTS: "text without control characters",
}
"""A description of the expected string for each regular expression that a field must match."""

KINDS = {"any", "face", "groups", "run", "faces", "among", "sum", "either"}


def mistakes(data: Mapping[str, Any], error: ValidationError) -> Iterator[tuple[str, str]]:
    """Yield the location and the text of every error in rules that the schema rejected."""
    yield from _broken_fields(error)
    yield from _broken_pairs(data)


def _broken_fields(error: ValidationError) -> Iterator[tuple[str, str]]:
    # A union reports an error for each branch, so branches of the same location are joined.
    messages_at: dict[str, list[str]] = {}
    got: dict[str, str] = {}
    for part in error.errors(include_url=False):
        kind, value, context = part["type"], part["input"], part.get("ctx", {})
        place = _place(part["loc"])
        if not place:
            continue  # a contradiction between parts, which _broken_pairs reports
        if kind in WORDS:
            message = WORDS[kind]
        else:
            message = _expected(kind, context)
            got[place] = str(len(value)) if kind == "too_short" and value else quoted(value)
        messages_at.setdefault(place, []).append(message)
    places = sorted(messages_at)
    for place, messages in messages_at.items():
        first = bisect_left(places, f"{place}.")
        if any(other.startswith(f"{place}.") for other in places[first : first + 1]):
            continue  # the type is correct, and the error is in a part of the value
        message = " or ".join(dict.fromkeys(messages))
        yield place, f"expected {message}, got {got[place]}" if place in got else message


def _expected(kind: str, context: Mapping[str, Any]) -> str:
    if kind == "string_pattern_mismatch":
        return EXPECTED_TEXT[context["pattern"]]
    return expected(kind, context)


def _place(steps: tuple[int | str, ...]) -> str:
    # Drop the branch names that a union adds ("points.int", "pattern.groups").
    return ".".join(
        str(step)
        for before, step in pairwise(("", *steps))
        if not (
            before == "points"
            or (step in KINDS and (before == "pattern" or isinstance(before, int)))
        )
    )


def _broken_pairs(data: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    listed = data.get("categories")
    sound, repaired, intact, unread = {}, {}, {}, []
    for index, raw in enumerate(listed if isinstance(listed, list) else []):
        category = _valid(Category, raw)
        if category is not None:
            sound[index] = category
            continue
        unread.append(raw if isinstance(raw, dict) else {})
        if (category_and_fields := _repaired(index, unread[-1])) is not None:
            repaired[index], intact[index] = category_and_fields
    if not isinstance(listed, list):
        unread.append({})
    of_game = (pair for pair in _between(data, sound, unread) if not _category_field(pair[0]))
    of_categories = _between(data, dict(sorted((sound | repaired).items())), unread)
    yield from of_game
    for place, mistake in of_categories:
        if field := _category_field(place):
            number, part = field
            if number in sound or part in intact[number]:
                yield place, mistake


def _category_field(place: str) -> tuple[int, str] | None:
    """Return the category index and the field of a location, or None for other locations."""
    steps = place.split(".")
    return (int(steps[1]), steps[2]) if steps[0] == "categories" else None


def _repaired(index: int, raw: Mapping[str, Any]) -> tuple[Category, set[str]] | None:
    """Return a repaired category, and the names of the fields that were valid.

    Defaults replace the invalid fields. Return None if the valid fields contradict each other.
    """
    try:
        Category.model_validate(raw)
    except ValidationError as error:
        broken = {str(part["loc"][0]) for part in error.errors() if part["loc"]}
    own = {part: value for part, value in raw.items() if part not in broken}
    one_die = {"kind": "groups", "sizes": [1]}
    defaults = {"key": f"box-{index}-", "title": "?", "pattern": one_die, "points": "total"}
    category = _valid(Category, defaults | own)
    return None if category is None else (category, set(own))


def _between(
    data: Mapping[str, Any],
    categories: Mapping[int, Category],
    unread: Sequence[Mapping[str, Any]],
) -> Iterator[tuple[str, str]]:
    parts = {place: data.get(place) for place in ("extra_bonus", "joker")}
    keys = {place: part.get("box") for place, part in parts.items() if isinstance(part, dict)}
    return contradictions(
        categories,
        dice=_count(data.get("dice")),
        faces=_count(data.get("faces")),
        other_dice=_sound(OtherDice, data.get("other_dice")),
        rolls=_count(data.get("rolls")),
        order=data.get("order", "free"),
        saves_rolls=data.get("saves_rolls", False),
        extra_rolls=data.get("extra_rolls", 0),
        columns=_sound(Column, data.get("columns")),
        forces_jokers=isinstance(parts["joker"], dict)
        and parts["joker"].get("policy") in ("forced", "lower"),
        upper_bonus="upper_bonus" in data,
        boxes={place: key for place, key in keys.items() if isinstance(key, str)},
        unread=unread,
    )


def _sound(kind: type[Part], raw: object) -> list[Part]:
    parts = (_valid(kind, part) for part in (raw if isinstance(raw, list) else []))
    return [part for part in parts if part is not None]


def _count(raw: object) -> int | None:
    return raw if isinstance(raw, int) and not isinstance(raw, bool) and raw > 0 else None


def _valid(kind: type[Part], raw: object) -> Part | None:
    try:
        return kind.model_validate(raw)
    except ValidationError:
        return None
