"""JSON as its standard has it, and small: measured before anything is made of it."""

import json
import math
import re
from typing import Any, NoReturn

from rollwise.errors import MalformedError

MAX_SIGNS = 20_000
"""Commas, colons and brackets, those in texts among them: a text of a game has some thousands."""

MAX_KEYS = 64
"""Of one object."""

HALF_CHARACTER = re.compile(rb"\\u[dD][89a-fA-F]")


def check_json(body: bytes) -> None:
    """Check that a body is JSON that can be read at once.

    Raises
    ------
    MalformedError
        When it is no JSON, of which NaN, Infinity, numbers that no float holds, halves of
        characters and keys that are there twice are no part; or when it holds too much.
    """
    if sum(map(body.count, (b",", b":", b"[", b"{"))) > MAX_SIGNS:
        raise MalformedError(f"expected JSON of at most {MAX_SIGNS:,} parts")
    try:
        text = body.decode()
        data = json.loads(
            text, object_pairs_hook=_object, parse_constant=_no_number, parse_float=_float
        )
        if HALF_CHARACTER.search(body):
            json.dumps(data, ensure_ascii=False).encode()
    except MalformedError:
        raise
    except UnicodeError:
        raise MalformedError("expected text of whole characters, in UTF-8") from None
    except RecursionError:
        raise MalformedError("expected JSON of fewer levels") from None
    except ValueError as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else "a number too long"
        raise MalformedError(f"expected JSON: {reason}") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(pairs) > MAX_KEYS:
        raise MalformedError(f"expected objects of at most {MAX_KEYS} keys, got {len(pairs):,}")
    found = dict(pairs)
    if len(found) < len(pairs):
        raise MalformedError("expected every key of an object once")
    return found


def _no_number(word: str) -> NoReturn:
    raise MalformedError(f"expected numbers, got {word}")


def _float(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise MalformedError(f"expected numbers that a float holds, got {digits:.20}")
    return number
