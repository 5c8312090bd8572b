"""The ways in which input can be wrong. Every message says what was expected.

Examples
--------
>>> parse_dice("yahtzee", "1136")
Traceback (most recent call last):
rollwise.errors.MalformedError: expected 5 dice with faces 1 to 6, got 4 in '1136'
"""

from collections.abc import Collection


class InputError(ValueError):
    """Input that cannot be used; the command line prints it and ends with exit code 2."""


class MalformedError(InputError):
    """Text that is no dice, keep, action, card or position at all."""


class IllegalError(InputError):
    """Well-formed, but not allowed here: a filled category, a keep of dice that were not rolled."""


class InconsistentError(InputError):
    """A card or a position that no game can reach."""


class MissingExtraError(InputError):
    """A part of the package that needs libraries which are not installed."""


class TooLargeError(InputError):
    """A game, or a picture of one, beyond what fits."""


class LostWorkersError(RuntimeError):
    """Work on other processes that cannot go on: workers die, or their scheduler is gone."""


def quoted(value: object) -> str:
    """Return a value as a message quotes it: in one line, of at most 60 characters."""
    try:
        text = repr(value)
    except ValueError:  # Python prints no number of more than some thousand digits
        return "a huge number"
    return text if len(text) <= 60 else f"{text[:57]}..."


def one_of(known: Collection[str], given: str, what: str) -> str:
    """Return what was expected in place of a name that nothing has.

    Parameters
    ----------
    known : collection of str
        All names there are: those like the given one are named, or all if none is.
    given : str
    what : str
        What all of them are, such as ``a box of yahtzee``.
    """
    from difflib import get_close_matches  # whoever mistypes nothing needs it not

    near = get_close_matches(given[:60], known, n=3, cutoff=0.6)
    return f"{what}, perhaps {' or '.join(near)}" if near else f"one of {', '.join(known)}"
