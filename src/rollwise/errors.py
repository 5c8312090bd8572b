"""The ways in which input can be wrong. Every message says what was expected."""


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


def quoted(value: object) -> str:
    """Return a value as a message quotes it: in one line, of at most 60 characters."""
    try:
        text = repr(value)
    except ValueError:  # Python prints no number of more than some thousand digits
        return "a huge number"
    return text if len(text) <= 60 else f"{text[:57]}..."
