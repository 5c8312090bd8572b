"""What can be wrong with a history, and how the reason of a database is told."""

import re

from rollwise.errors import InputError


class HistoryError(InputError):
    """A database that cannot be used, or a game that is not in it."""


class NoSuchGameError(HistoryError):
    """A game that is not kept, or no longer."""


class NotOwnerError(HistoryError):
    """A game that is another's, where several people share a history."""


def reason(error: Exception) -> str:
    """Return the first line of an error, without a password that stands in an address."""
    lines = str(getattr(error, "orig", None) or error).splitlines()
    return re.sub(r"://[^@\s]*@", "://…@", lines[0] if lines else type(error).__name__)
