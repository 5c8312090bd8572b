"""The mistakes in rules that the schema rejects, each with its place and a message."""

from collections.abc import Iterator
from itertools import pairwise
from typing import get_args

from pydantic import ValidationError

from rollwise.errors import did_you_mean, quoted
from rollwise.rules.card import CODE, KEY, PRINTS, ExtraBonus, Joker, UpperBonus
from rollwise.rules.columns import COLUMN_CODE, Column
from rollwise.rules.dice import OtherDice
from rollwise.rules.fields import RuleFields
from rollwise.rules.patterns import Frozen, Pattern
from rollwise.rules.sheet import Entry
from rollwise.rules.validation import Mistake, MistakesError, Place
from rollwise.rules.variants import Dispute
from rollwise.toml_errors import WORDS, expected

EXPECTED_TEXT = {
    KEY: "lower-case letters, digits, and hyphens, starting with a letter",
    CODE: "1 to 4 lower-case letters and digits",
    COLUMN_CODE: "one lower-case letter",
    PRINTS: "text without control characters",
}
"""A description of the expected string for each regular expression that a field must match."""

PATTERNS: tuple[type[Frozen], ...] = get_args(get_args(Pattern)[0])

TABLES: dict[str, tuple[str, set[str]]] = {
    "": ("the top of the file", {"base", "remove", *RuleFields.model_fields}),
    "upper_bonus": ("[upper_bonus]", {*UpperBonus.model_fields}),
    "extra_bonus": ("[extra_bonus]", {*ExtraBonus.model_fields}),
    "joker": ("[joker]", {*Joker.model_fields}),
    "other_dice": ("[[other_dice]]", {*OtherDice.model_fields}),
    "columns": ("[[columns]]", {*Column.model_fields}),
    "categories": ("[[categories]]", {"before", *Entry.model_fields}),
    "pattern": ("pattern = { … }", {key for kind in PATTERNS for key in kind.model_fields}),
    "disputed": ("[[disputed]]", {*Dispute.model_fields}),
}
"""The header and the keys of each table of a rule file, by the name of the table."""

KINDS = {"any", "face", "groups", "run", "faces", "among", "sum", "either"}


def mistakes(error: ValidationError) -> Iterator[Mistake]:
    """Yield every invalid field, or every contradiction if all fields are valid."""
    # A union reports an error for each branch, so branches of the same place are joined.
    messages_at: dict[Place, list[str]] = {}
    got: dict[Place, str] = {}
    for part in error.errors(include_url=False):
        kind, value, context = part["type"], part["input"], part.get("ctx", {})
        if isinstance(reason := context.get("error"), MistakesError):
            yield from reason.mistakes
            continue
        place = _place(part["loc"])
        if kind == "extra_forbidden":
            message = _unknown_key(place)
        elif kind in WORDS:
            message = WORDS[kind]
        else:
            is_text = kind == "string_pattern_mismatch"
            message = EXPECTED_TEXT[context["pattern"]] if is_text else expected(kind, context)
            got[place] = str(len(value)) if kind == "too_short" and value else quoted(value)
        messages_at.setdefault(place, []).append(message)
    around = {place[:length] for place in messages_at for length in range(len(place))}
    for place, messages in messages_at.items():
        if place in around:
            continue  # the type is correct, and the error is in a part of the value
        message = " or ".join(dict.fromkeys(messages))
        yield place, f"expected {message}, got {got[place]}" if place in got else message


def _unknown_key(place: Place) -> str:
    """Return the message for a key that is in the wrong table, or misspelled."""
    *above, key = map(str, place)
    table = next((step for step in reversed(above) if step in TABLES), "")
    homes = [header for name, (header, keys) in TABLES.items() if key in keys and name != table]
    if homes:
        return f"belongs to {' or '.join(homes)}; move it there"
    fix = did_you_mean(key, {known: known for known in TABLES[table][1] - {key}})
    return f"{WORDS['extra_forbidden']}. {fix}" if fix else WORDS["extra_forbidden"]


def _place(steps: Place) -> Place:
    # Drop the branch names that a union adds ("points.int", "pattern.groups").
    return tuple(
        step
        for before, step in pairwise(("", *steps))
        if not (
            before == "points"
            or (step in KINDS and (before == "pattern" or isinstance(before, int)))
        )
    )
