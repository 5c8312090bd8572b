"""Exceptions for unusable input. Every message says what was expected.

Examples
--------
>>> parse_dice("yahtzee", "1136")
Traceback (most recent call last):
rollwise.errors.MalformedError: expected 5 dice with faces 1 to 6, got 4 in '1136'
"""

from collections.abc import Collection


class InputError(ValueError):
    """Input that rollwise cannot use; the command line prints it and exits with code 2."""


class MalformedError(InputError):
    """Text that does not describe dice, a keep, an action, a scorecard, or a position."""


class IllegalError(InputError):
    """Well-formed input that the rules forbid here, such as scoring in a filled category."""


class InconsistentError(InputError):
    """A scorecard or position that no game can reach."""


class MissingExtraError(InputError):
    """A feature that needs libraries that are not installed."""


class TooLargeError(InputError):
    """A game, or a picture of one, that exceeds a size limit."""


class LostWorkersError(RuntimeError):
    """Parallel work that cannot go on, because workers die or their scheduler is gone."""


def quoted(value: object) -> str:
    """Return the repr of a value for a message: one line of at most 60 characters."""
    try:
        text = repr(value)
    except ValueError:  # Python refuses to print integers of several thousand digits
        return "a huge number"
    return text if len(text) <= 60 else f"{text[:57]}..."


def one_of(known: Collection[str], given: str, what: str) -> str:
    """Return the part of a message that lists the names expected in place of an unknown one.

    Parameters
    ----------
    known : collection of str
        All valid names. The result lists those similar to ``given``, or all if none is similar.
    given : str
        The unknown name.
    what : str
        What the names are, such as ``a box of yahtzee``.
    """
    from difflib import get_close_matches  # only needed for a mistyped name

    near = get_close_matches(given[:60], known, n=3, cutoff=0.6)
    return f"{what}, perhaps {' or '.join(near)}" if near else f"one of {', '.join(known)}"
