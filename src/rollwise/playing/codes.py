"""Playing by keys: the keys of the dice, and from letters typed so far to the box they mean."""

from dataclasses import dataclass

from rollwise.rules import Rules
from rollwise.rules.slots import MAX_SLOTS

DIE_KEYS = "1234567890-="
"""The keys of the dice, by place."""

COMMAND_KEYS = "rhut?"
"""The keys that roll, show a hint, take back, switch the tutor and show what keys do."""


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
    """Return what is typed to score in a category: its code, or its key where it has none.

    All slots of a category that is filled several times are called by its one name.
    """
    box = rules.categories[first_slot(rules, category)]
    return box.code or box.key


def typed_code(rules: Rules, category: int) -> str:
    """Return all that has to be typed to score in a category: ``fh``, ``s3k``, ``s3⏎``.

    A leading s where the code begins with a key of another meaning; Enter, as ⏎, where it is the
    beginning of another one.
    """
    code = code_of(rules, category)
    typed = f"s{code}" if _means_something_else(code) else code
    is_clear = match_code(rules, typed).category == first_slot(rules, category)
    return typed if is_clear else f"{typed}⏎"


def _means_something_else(code: str) -> bool:
    """Return whether a code begins with the key of a die or of a command."""
    return code[0] in f"{DIE_KEYS}{COMMAND_KEYS}"


def first_slot(rules: Rules, category: int) -> int:
    """Return the first of the slots that a box is one of, as rule files number them.

    That is the box itself where its category is filled once.
    """
    key, after = rules.categories[category].key, rules.categories[category].after
    name = key.rpartition("-")[0]
    slots = [name, *(f"{name}-{number}" for number in range(2, MAX_SLOTS + 1))]
    if after is None or key not in slots or after != slots[slots.index(key) - 1]:
        return category
    return first_slot(rules, rules.category_index(after))


def match_code(rules: Rules, typed: str, *, filled: int = 0, complete: bool = False) -> CodeMatch:
    """Return what the letters typed so far mean.

    A leading s says that a code follows, for codes that begin with a key of another meaning: s1,
    s3k; unless it is part of the code, as in ss.

    Parameters
    ----------
    filled : int
        Bit mask of the filled categories: of several slots the next open one is meant.
    complete : bool
        Whether nothing more is to come, so that 3 is not the beginning of 3k.
    """
    codes: dict[str, int] = {}
    for k in range(len(rules.categories)):
        before = codes.get(code := code_of(rules, k))
        if before is None or filled >> before & 1:
            codes[code] = k
    words = [typed, *([typed[1:]] if typed[:1] == "s" else [])]
    fits = {k for word in words if word for code, k in codes.items() if code.startswith(word)}
    if typed == "s":
        fits |= {k for code, k in codes.items() if _means_something_else(code)}
    exact = [codes[word] for word in words if word in codes]
    if exact and (complete or len(fits) == 1):
        return CodeMatch(exact[0], goes_on=False)
    if complete and len(fits) == 1:
        return CodeMatch(fits.pop(), goes_on=False)
    return CodeMatch(None, goes_on=(bool(fits) or typed == "s") and not complete)
