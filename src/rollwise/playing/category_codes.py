"""Keys for dice and commands, and the codes that a player types to choose a category."""

from typing import NamedTuple

from rollwise.rules import Rules
from rollwise.rules.sheet import MAX_SLOTS

DIE_KEYS = "1234567890-="
"""The key of each die, from left to right."""

COMMAND_KEYS = "rhuot?"
"""The keys for a roll, a hint, undo, the tutor, and help.

The key o shows all options in the browser, and other scorecards in the terminal.
"""

ENTER = "⏎"
"""The sign of the Enter key in a code."""


class CodeMatch(NamedTuple):
    """The category that typed characters select, if any, and whether more might complete a code."""

    category: int | None
    goes_on: bool


def code_of(rules: Rules, category: int) -> str:
    """Return the code of a category, or its key if it has no code.

    If a category can be filled several times, all its slots have the same code.
    """
    first = rules.categories[first_slot(rules, category)]
    return first.code or first.key


def typed_code(rules: Rules, category: int) -> str:
    """Return the keys to type to score in a category, such as ``fh``, ``s3k``, or ``s3⏎``.

    A leading s is needed if the code begins with the key of a die or a command. Enter (⏎) is needed
    if the code is the beginning of another code.
    """
    code = code_of(rules, category)
    typed = f"s{code}" if _means_something_else(code) else code
    is_clear = match_code(rules, typed).category == first_slot(rules, category)
    return typed if is_clear else f"{typed}{ENTER}"


def _means_something_else(code: str) -> bool:
    """Return whether a code begins with the key of a die or of a command."""
    return code[0] in f"{DIE_KEYS}{COMMAND_KEYS}"


def first_slot(rules: Rules, category: int) -> int:
    """Return the index of the first slot of the category that the slot ``category`` belongs to.

    A category that can be filled several times has numbered slots in the rule file. Any other
    category is itself the first slot.
    """
    key, after = rules.categories[category].key, rules.categories[category].after
    name = key.rpartition("-")[0]
    slots = [name, *(f"{name}-{number}" for number in range(2, MAX_SLOTS + 1))]
    if after is None or key not in slots or after != slots[slots.index(key) - 1]:
        return category
    return first_slot(rules, rules.category_index(after))


def match_code(rules: Rules, typed: str, *, filled: int = 0, complete: bool = False) -> CodeMatch:
    """Return the category that the typed characters select, and whether more might follow.

    A leading s is allowed before every code, and needed if the code begins with the key of a die
    or a command: ``s1``, ``s3k``. In ``ss``, the first s is part of the code. A code with several
    slots selects the next slot that is open in the bit mask ``filled``. After complete input, ``3``
    selects the code ``3`` even if there is also a code ``3k``.
    """
    codes: dict[str, int] = {}
    for k in range(len(rules.categories)):
        slot = codes.get(code := code_of(rules, k))
        if slot is None or filled >> slot & 1:
            codes[code] = k
    words = [typed, *([typed[1:]] if typed[:1] == "s" else [])]
    matching = {k for word in words if word for code, k in codes.items() if code.startswith(word)}
    if typed == "s":
        matching |= {k for code, k in codes.items() if _means_something_else(code)}
    exact = [codes[word] for word in words if word in codes]
    if exact and (complete or len(matching) == 1):
        return CodeMatch(exact[0], goes_on=False)
    if complete and len(matching) == 1:
        return CodeMatch(matching.pop(), goes_on=False)
    return CodeMatch(None, goes_on=(bool(matching) or typed == "s") and not complete)


def type_code(
    rules: Rules, typed: str, key: str, filled: int
) -> tuple[str | None, str, int | None]:
    """Return the input after one more key, a message, and the category once it is unambiguous.

    The key is a typed character, or ``enter``, ``escape``, ``backspace``. The input is None once it
    is complete or canceled; the message says that no category has this code.
    """
    code = edit_text(typed, key) or None
    if code is None:
        return None, "", None
    match = match_code(rules, code, filled=filled, complete=key == "enter")
    if match.goes_on:
        return code, "", None
    note = "" if match.category is not None else f"No open category has the code {code!r}."
    return None, note, match.category


def edit_text(typed: str, key: str) -> str | None:
    """Return the typed input after one more key, or None if Escape cancels it."""
    if key == "escape":
        return None
    if key == "backspace":
        return typed[:-1]
    return typed + key if len(key) == 1 and key.isprintable() else typed
