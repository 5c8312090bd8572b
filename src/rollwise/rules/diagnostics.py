"""The mistakes in rules that the schema rejects, each with its place and a message."""

from collections.abc import Iterator
from itertools import pairwise

from pydantic import ValidationError

from rollwise.errors import quoted
from rollwise.rules.card import CODE, KEY, PRINTS
from rollwise.rules.columns import COLUMN_CODE
from rollwise.rules.validation import Mistake, MistakesError, Place
from rollwise.toml_errors import WORDS, expected

EXPECTED_TEXT = {
    KEY: "lower-case letters, digits, and hyphens, starting with a letter",
    CODE: "1 to 4 lower-case letters and digits",
    COLUMN_CODE: "one lower-case letter",
    PRINTS: "text without control characters",
}
"""A description of the expected string for each regular expression that a field must match."""

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
        if kind in WORDS:
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
