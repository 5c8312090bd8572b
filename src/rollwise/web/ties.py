"""Which of several laws a page shows, where play that is equally good has more than one."""

from collections.abc import Iterable, Mapping

from rollwise.web.elements import Tag

TIES = {"more-dice": "keep more dice", "fewer-dice": "keep fewer dice"}
"""What the best play does where two keeps are equally good."""

TIES_OR_ALL = {**TIES, "all": "keep more dice, and what all come to"}
"""Also asked for: between which SDs all that is equally good lies."""


def known_ties(asked: str, offered: Mapping[str, str] = TIES) -> str:
    """Return the rule for ties that an address asks for, or the usual one."""
    return asked if asked in offered else "more-dice"


def tell_ties(rules: Iterable[str | None]) -> None:
    """Say which rules for ties the laws of a page are of."""
    for rule in dict.fromkeys(filter(None, rules)):
        Tag("p", f"Play equally good may have another law; here {rule}.", "soft")
