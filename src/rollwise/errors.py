"""Exceptions for invalid input, whose messages describe the expected input.

Examples
--------
>>> parse_dice("yahtzee", "1136")
Traceback (most recent call last):
rollwise.errors.MalformedError: expected 5 dice with faces 1 to 6, got 4 in '1136'
"""

from collections.abc import Collection


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


def quoted(value: object) -> str:
    """Return the repr of a value for an error message, shortened to 60 characters."""
    try:
        text = repr(value)
    except ValueError:  # Python refuses to print integers of several thousand digits
        return "a huge number"
    return text if len(text) <= 60 else f"{text[:57]}..."


def one_of(known: Collection[str], given: str, what: str) -> str:
    """Return the part of an error message that suggests valid names for an unknown name.

    Parameters
    ----------
    known : collection of str
        All valid names. The result lists the names similar to ``given``, or all names if none is
        similar.
    given : str
        The unknown name.
    what : str
        A description of a valid name, such as ``a category``.
    """
    from difflib import get_close_matches  # only needed for a mistyped name

    near = get_close_matches(given[:60], known, n=3, cutoff=0.6)
    return f"{what}, perhaps {' or '.join(near)}" if near else f"one of {', '.join(known)}"
