"""Playing by keys: the keys of the dice, and from letters typed so far to the box they mean."""

from dataclasses import dataclass

from rollwise.rules import Rules

DIE_KEYS = "1234567890-="
"""The keys of the dice, by place."""


@dataclass(frozen=True)
class CodeMatch:
    """What letters mean.

    Attributes
    ----------
    category : int or None
        The box, once it is clear which.
    goes_on : bool
        Whether further letters may still make a code.
    """

    category: int | None
    goes_on: bool


def code_of(rules: Rules, category: int) -> str:
    """Return what is typed to score in a category: its code, or its key where it has none."""
    return rules.categories[category].code or rules.categories[category].key


def match_code(rules: Rules, typed: str, *, complete: bool = False) -> CodeMatch:
    """Return what the letters typed so far mean.

    A leading s says that a code follows, for codes that begin with a key of another meaning: s1,
    s3k; unless it is part of the code, as in ss.

    Parameters
    ----------
    complete : bool
        Whether nothing more is to come, so that 3 is not the beginning of 3k.
    """
    codes = {code_of(rules, k): k for k in range(len(rules.categories))}
    words = [typed, *([typed[1:]] if typed[:1] == "s" else [])]
    fits = {k for word in words if word for code, k in codes.items() if code.startswith(word)}
    exact = [codes[word] for word in words if word in codes]
    if exact and (complete or len(fits) == 1):
        return CodeMatch(exact[0], goes_on=False)
    if complete and len(fits) == 1:
        return CodeMatch(fits.pop(), goes_on=False)
    return CodeMatch(None, goes_on=(bool(fits) or typed == "s") and not complete)
