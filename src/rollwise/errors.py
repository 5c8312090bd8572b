"""Exceptions for invalid input, whose messages describe the expected input.

Examples
--------
>>> parse_dice("yahtzee", "1136")
Traceback (most recent call last):
rollwise.errors.MalformedError: expected 5 dice with faces 1 to 6, got 4 in '1136'
"""

import re
from collections.abc import Collection, Mapping
from importlib import import_module
from math import inf
from numbers import Integral

__all__ = [
    "IllegalError",
    "InconsistentError",
    "InputError",
    "LostWorkersError",
    "MalformedError",
    "MissingExtraError",
    "TooLargeError",
]
__dir__ = __all__.copy  # the names that completion offers


class InputError(ValueError):
    """Invalid input; the command line prints the message and exits with code 2."""


class MalformedError(InputError):
    """A string that does not describe dice, an action, a scorecard, or a position."""


class IllegalError(InputError):
    """Well-formed input that the rules forbid, such as scoring in a filled category."""


class InconsistentError(InputError):
    """A scorecard or position that no game can reach."""


class MissingExtraError(InputError):
    """A feature that needs libraries that are not installed."""


class TooLargeError(InputError):
    """A game, or a picture of a game, that exceeds a size limit."""


class LostWorkersError(RuntimeError):
    """Parallel work that cannot continue because workers died or the scheduler is unavailable."""


def check_extra(extra: str, feature: str, *libraries: str) -> None:
    """Raise MissingExtraError unless the libraries of an extra can be imported.

    ``feature``, such as ``drawing plots``, is what needs them.
    """
    for library in libraries:
        try:
            import_module(library)
        except ImportError as error:
            is_missing = isinstance(error, ModuleNotFoundError)
            state = "is not installed" if is_missing else f"cannot be imported ({error})"
            raise MissingExtraError(
                f"{feature} needs {library.partition('.')[0]}, which {state}; in the folder of "
                f'your rollwise checkout, run: pip install ".[{extra}]"'
            ) from error


def quoted(value: object) -> str:
    """Return the repr of a value for an error message, shortened to 60 characters."""
    try:
        text = repr(value)
    except ValueError:  # Python refuses to print integers of several thousand digits
        return "a huge number"
    return text if len(text) <= 60 else f"{text[:57]}..."


def check_type(value: object, types: type | tuple[type, ...], expected: str) -> None:
    """Raise InputError unless a value has one of the types; ``expected`` describes these values."""
    if not isinstance(value, types):
        raise InputError(f"expected {expected}, got {quoted(value)}")


def check_count(value: object, what: str, least: int = 1, most: float = inf) -> None:
    """Raise InputError unless a value is a whole number from ``least`` to ``most``."""
    if type(value) is bool or not isinstance(value, Integral) or not least <= int(value) <= most:
        limits = f"of at least {least}" if most == inf else f"from {least} to {most}"
        raise InputError(f"{what} must be a whole number {limits}, not {quoted(value)}")


def check_memory(need: str, size: int, limit: int, fix: str) -> None:
    """Raise TooLargeError if a size exceeds the limit in bytes.

    The message begins with ``need``, such as ``yahtzee needs about``, and ends with ``fix``.
    """
    if size > limit:
        raise TooLargeError(
            f"{need} {size / 2**30:,.1f} GiB, and the limit is {limit >> 30} GiB of memory; {fix}"
        )


def visible(text: str) -> str:
    """Return a text with escape sequences instead of control characters.

    A terminal would execute control characters, or reverse the direction of the text. Line breaks
    and tabs stay.
    """
    return _CONTROL.sub(lambda match: match[0].encode("unicode_escape").decode(), text)


_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun, such as ``1 game`` or ``1,000 games``."""
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"


def one_of(known: Collection[str], given: str, what: str) -> str:
    """Return the part of an error message that suggests known names for an unknown name.

    It lists the names similar to ``given``, or all names if none is similar. ``what`` describes a
    valid name, such as ``a category``.
    """
    from difflib import get_close_matches  # only needed for a mistyped name

    near = get_close_matches(given[:60], known, n=3, cutoff=0.6)
    return f"{what}, perhaps {' or '.join(near)}" if near else f"one of {', '.join(known)}"


def did_you_mean(given: str, known: Mapping[str, str]) -> str:
    """Return a sentence that suggests a valid name, or an empty string if no name is similar.

    ``known`` maps each known word to the name to suggest.
    """
    from difflib import get_close_matches  # only needed for a mistyped name

    word = given[:60].lower()
    near = [word] if word in known else get_close_matches(word, known, n=3, cutoff=0.6)
    names = dict.fromkeys(known[word] for word in near)
    return f"Did you mean {' or '.join(map(repr, names))}?" if names else ""
