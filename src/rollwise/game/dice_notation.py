"""Parsers and formatters for dice, dice to keep, categories, and numbers."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from rollwise.errors import IllegalError, MalformedError, did_you_mean, quoted
from rollwise.rules import Rules, RulesLike, as_rules

MAX_LENGTH = 2_000
"""The maximum length of an input string."""

NONE = "-"
BETWEEN_KINDS = "+"
PIPS = str.maketrans("⚀⚁⚂⚃⚄⚅", "123456")


def check_length(text: str, most: int = MAX_LENGTH, what: str = "text") -> None:
    """Raise MalformedError if a string has more than ``most`` characters."""
    if len(text) > most:
        raise MalformedError(f"the {what} has {len(text):,} characters; use at most {most:,}")


def read_number(text: str, what: str) -> int:
    """Parse a whole number from 0 to 999999; ``what`` names the number in the error message."""
    if not re.fullmatch(r"[0-9]{1,6}", text):
        raise MalformedError(f"{what} must be a whole number from 0 to 999999, not {quoted(text)}")
    return int(text)


def _symbols(rules: Rules, text: str, expected: str) -> tuple[int, ...]:
    check_length(text)
    parts = text.translate(PIPS).split(BETWEEN_KINDS)
    symbols: list[int] = []
    for part, symbol_of in zip(parts, rules.symbol_of_number, strict=False):
        words = part.replace(",", " ").split()
        # Single digits need no separators; larger numbers do.
        tokens = (
            "".join(words)
            if _are_single_digits(symbol_of)
            else [w.lstrip("0") or "0" for w in words]
        )
        try:
            symbols += [symbol_of[token] for token in tokens]
        except KeyError:
            raise MalformedError(f"expected {expected}, got {quoted(text)}") from None
    if len(parts) > len(rules.kinds) or not symbols:
        raise MalformedError(f"expected {expected}, got {quoted(text)}")
    return tuple(sorted(symbols))


def _are_single_digits(numbers: Iterable[str]) -> bool:
    return max(map(len, numbers)) == 1


def parse_dice(rules: RulesLike, text: str) -> tuple[int, ...]:
    """Parse a roll such as ``11366``, ``6 1 3 1 6``, or ``1,1,3,6,6``, and return it sorted.

    Dice of other kinds follow a plus sign: ``12345+7``.

    Parameters
    ----------
    rules : Rules, str, or Path
        The rules of the game, or the name of a preset.
    text : str

    Raises
    ------
    MalformedError
        If the string is not a roll of this game.

    Examples
    --------
    >>> parse_dice("yahtzee", "6 1 3 1 6")
    (1, 1, 3, 6, 6)
    """
    rules = as_rules(rules)
    expected = _dice_in_words(rules)
    dice = _symbols(rules, text, expected)
    if not rules.is_roll(dice):
        number = "+".join(str(len(rules.of_kind(dice, kind))) for kind in range(len(rules.kinds)))
        raise MalformedError(f"expected {expected}, got {number} in {quoted(text)}")
    return dice


def _dice_in_words(rules: Rules) -> str:
    if not rules.other_dice:
        return rules.dice_in_words
    example = format_dice(rules, next(iter(rules.every_roll())))
    return f"{rules.dice_in_words} after a {BETWEEN_KINDS}, such as {example}"


def format_dice(rules: RulesLike, dice: Sequence[int]) -> str:
    """Return the sorted dice as a string, with commas between them if any face has two digits.

    Parameters
    ----------
    rules : Rules, str, or Path
        The rules of the game, or the name of a preset.
    dice : sequence of int
        The symbols of the dice; ordinary dice come before dice of other kinds.

    Examples
    --------
    >>> format_dice("yahtzee", (6, 1, 3, 1, 6))
    '11366'
    """
    rules = as_rules(rules)
    parts = []
    for kind, symbol_of in enumerate(rules.symbol_of_number):
        numbers = map(str, rules.shown(rules.of_kind(sorted(dice), kind)))
        parts.append(("" if _are_single_digits(symbol_of) else ",").join(numbers))
    return BETWEEN_KINDS.join(parts)


def spaced_dice(rules: Rules, dice: Sequence[int]) -> str:
    """Return dice as a string, with spaces between the dice."""
    kinds = (rules.shown(rules.of_kind(dice, kind)) for kind in range(len(rules.kinds)))
    return f" {BETWEEN_KINDS} ".join(" ".join(map(str, numbers)) for numbers in kinds)


def die_text(rules: Rules, die: int) -> str:
    """Return the number that a die shows, with a plus sign in front unless the die is ordinary."""
    number = str(rules.shown((die,))[0])
    return number if die <= rules.faces else BETWEEN_KINDS + number


def parse_keep(rules: RulesLike, text: str) -> tuple[int, ...]:
    """Parse the dice to keep, and return them sorted.

    ``-`` means that no dice are kept. ``+7`` means that a die of another kind, which shows 7, is
    kept.

    Parameters
    ----------
    rules : Rules, str, or Path
        The rules of the game, or the name of a preset.
    text : str

    Raises
    ------
    MalformedError
        If the string does not contain dice of this game, or contains more dice than a roll has.

    Examples
    --------
    >>> parse_keep("yahtzee", "66")
    (6, 6)
    """
    rules = as_rules(rules)
    if text.strip() == NONE:
        return ()
    expected = f"{NONE} for no dice, or at most {_dice_in_words(rules)}"
    dice = _symbols(rules, text, expected)
    if min(rules.missing(dice)) < 0:
        raise MalformedError(f"expected {expected}, got {len(dice)} in {quoted(text)}")
    return dice


def is_dice(text: str) -> bool:
    """Return whether a string is written as dice to keep, whether or not the game has the dice."""
    return text.strip() == NONE or not any(map(str.isalpha, text))


def format_keep(rules: RulesLike, dice: Sequence[int]) -> str:
    """Return the dice to keep as a string, or ``-`` if there are none.

    Parameters
    ----------
    rules : Rules, str, or Path
        The rules of the game, or the name of a preset.
    dice : sequence of int
        The symbols of the dice to keep.

    Examples
    --------
    >>> format_keep("yahtzee", (6, 6))
    '66'
    """
    return format_dice(rules, dice) if dice else NONE


def contains(dice: Sequence[int], part: Sequence[int]) -> bool:
    """Return whether ``dice`` contains all dice of ``part``."""
    return all(part.count(die) <= dice.count(die) for die in set(part))


def check_keep(rules: Rules, dice: Sequence[int], keep: Sequence[int]) -> None:
    """Raise IllegalError if the dice to keep are not part of the roll."""
    if not contains(dice, keep):
        raise IllegalError(
            f"cannot keep {format_keep(rules, keep)} from the roll {format_dice(rules, dice)}; "
            "keep only dice of the roll"
        )


COMMON_CODES = {
    "three-of-a-kind": ("3x", "3oak", "toak"),
    "four-of-a-kind": ("4x", "4oak", "foak"),
    "small-straight": ("sm", "sst"),
    "large-straight": ("lg", "lst"),
    "yahtzee": ("ya", "yt", "yz", "5x"),
    "chance": ("c",),
}
"""Abbreviations on printed scorecards other than the codes of the rules, by category key."""

SHORT_WORDS = {"two": "2", "three": "3", "four": "4", "five": "5", "small": "sm", "large": "lg"}
"""Short forms of words in titles, as in 3 of a kind."""


def parse_category(rules: Rules, word: str, others: Iterable[str] = ()) -> int:
    """Return the index of the category with the given key, code, title, or common abbreviation.

    Case does not matter, and spaces are equivalent to hyphens: ``Small Straight``. An upper
    category can be written as its face with an s, such as ``3s``. If no category has this name, the
    error also suggests ``others``.
    """
    try:
        return rules.category_index(word)
    except ValueError:
        pass
    index = _category_names(rules).get(plain_name(word))
    if index is None:
        raise MalformedError(unknown_category(rules, word, others))
    return index


def plain_name(name: str) -> str:
    """Return a name in lower case, with a hyphen for each space or sign between the words."""
    return "-".join(re.findall(r"\w+", name.casefold().replace("_", "-")))


@lru_cache(100)
def _category_names(rules: Rules) -> dict[str, int]:
    """Return the category that each unambiguous name means; a key takes precedence, then a code."""
    titles = [plain_name(category.title) for category in rules.categories]
    names = {title: k for k, title in enumerate(titles) if titles.count(title) == 1}
    for title, k in list(names.items()):
        short = (SHORT_WORDS.get(word, word) for word in title.split("-"))
        names.setdefault("-".join(short), k)
    for k, key in enumerate(rules.keys):
        for code in COMMON_CODES.get(key, ()):
            names.setdefault(code, k)
    for face in range(1, rules.faces + 1):
        upper = rules.upper_categories(face)
        if len(upper) == 1:
            names.setdefault(f"{face}s", upper[0])
    codes = {c.code.casefold(): k for k, c in enumerate(rules.categories) if c.code is not None}
    return names | codes | {key.casefold(): k for k, key in enumerate(rules.keys)}


def unknown_category(rules: Rules, word: str, others: Iterable[str] = ()) -> str:
    """Return the error message for a word that is not a category, with a suggestion.

    ``others`` are words that are valid in addition to the categories.
    """
    titles = {plain_name(category.title): category.key for category in rules.categories}
    names = {name: name for name in (*rules.keys, *others)}
    fix = did_you_mean(plain_name(word), titles | names)
    if not fix:
        codes = [f"{c.title} ({c.code or c.key})" for c in rules.categories]
        fix = f"Use one of {', '.join([*codes, *others])}."
    return f"unknown category {quoted(word)} in {rules.name}. {fix}"


def parse_scores(text: str) -> list[int]:
    """Parse a list of scores such as ``150,200,250``."""
    check_length(text)
    return [read_number(word, "a score") for word in re.split(r"\s*,\s*|\s+", text.strip())]
