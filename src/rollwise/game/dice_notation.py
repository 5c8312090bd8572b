"""Numbers, dice, keeps and boxes as text."""

import re
from collections.abc import Iterable, Sequence

from rollwise.errors import IllegalError, MalformedError, quoted
from rollwise.rules import Rules, RulesLike, as_rules

MAX_LENGTH = 2_000
"""Longer texts are refused unread."""

NONE = "-"
BETWEEN_KINDS = "+"
PIPS = str.maketrans("⚀⚁⚂⚃⚄⚅", "123456")


def check_length(text: str) -> None:
    """Refuse a text that is too long to be read.

    Raises
    ------
    MalformedError
    """
    if len(text) > MAX_LENGTH:
        raise MalformedError(f"expected at most {MAX_LENGTH} characters, got {len(text)}")


def read_number(text: str, what: str) -> int:
    """Return a whole number of 0 or more; ``what`` it is, for the message.

    Raises
    ------
    MalformedError
    """
    if not re.fullmatch(r"[0-9]{1,6}", text):
        raise MalformedError(f"expected {what} as a whole number up to 999999, got {quoted(text)}")
    return int(text)


def _symbols(rules: Rules, text: str, expected: str) -> tuple[int, ...]:
    check_length(text)
    parts = text.translate(PIPS).split(BETWEEN_KINDS)
    symbols: list[int] = []
    for part, known in zip(parts, rules.symbol_of_number, strict=False):
        words = part.replace(",", " ").split()
        # One digit a die, with or without separators, as long as digits suffice; else numbers.
        tokens = "".join(words) if _are_digits(known) else [w.lstrip("0") or "0" for w in words]
        try:
            symbols += [known[token] for token in tokens]
        except KeyError:
            raise MalformedError(f"expected {expected}, got {quoted(text)}") from None
    if len(parts) > len(rules.kinds) or not symbols:
        raise MalformedError(f"expected {expected}, got {quoted(text)}")
    return tuple(sorted(symbols))


def _are_digits(numbers: Iterable[str]) -> bool:
    return max(map(len, numbers)) == 1


def parse_dice(rules: RulesLike, text: str) -> tuple[int, ...]:
    """Return the roll that a text shows, sorted: ``11366``, ``6 1 3 1 6``, ``1,1,3,6,6``.

    Dice of other kinds follow a plus: ``12345+7``.

    Parameters
    ----------
    rules : Rules, str or Path
        Of the game, or the name of a preset.
    text : str

    Raises
    ------
    MalformedError
        When it is no roll of this game.

    Examples
    --------
    >>> parse_dice("yahtzee", "6 1 3 1 6")
    (1, 1, 3, 6, 6)
    """
    rules = as_rules(rules)
    expected = _in_words(rules)
    dice = _symbols(rules, text, expected)
    if not rules.is_roll(dice):
        number = "+".join(str(len(rules.of_kind(dice, kind))) for kind in range(len(rules.kinds)))
        raise MalformedError(f"expected {expected}, got {number} in {quoted(text)}")
    return dice


def _in_words(rules: Rules) -> str:
    return rules.dice_in_words + (f" after a {BETWEEN_KINDS}" if rules.other_dice else "")


def format_dice(rules: RulesLike, dice: Sequence[int]) -> str:
    """Return dice as text, sorted; commas between them where faces have two digits.

    Parameters
    ----------
    rules : Rules, str or Path
        Of the game, or the name of a preset.
    dice : sequence of int
        Faces; those of other kinds of dice follow those of the usual ones.

    Examples
    --------
    >>> format_dice("yahtzee", (6, 1, 3, 1, 6))
    '11366'
    """
    rules = as_rules(rules)
    parts = []
    for kind, known in enumerate(rules.symbol_of_number):
        numbers = map(str, rules.shown(rules.of_kind(sorted(dice), kind)))
        parts.append(("" if _are_digits(known) else ",").join(numbers))
    return BETWEEN_KINDS.join(parts)


def spaced_dice(rules: Rules, dice: Sequence[int]) -> str:
    """Return dice as text, spaces between those of one kind."""
    kinds = (rules.shown(rules.of_kind(dice, kind)) for kind in range(len(rules.kinds)))
    return f" {BETWEEN_KINDS} ".join(" ".join(map(str, numbers)) for numbers in kinds)


def die_text(rules: Rules, die: int) -> str:
    """Return what one die shows; after a plus for a die of another kind."""
    number = str(rules.shown((die,))[0])
    return number if die <= rules.faces else BETWEEN_KINDS + number


def parse_keep(rules: RulesLike, text: str) -> tuple[int, ...]:
    """Return the dice that a text keeps, sorted; ``-`` keeps none, ``+7`` one of another kind.

    Parameters
    ----------
    rules : Rules, str or Path
        Of the game, or the name of a preset.
    text : str

    Raises
    ------
    MalformedError
        When it is no keep of this game.

    Examples
    --------
    >>> parse_keep("yahtzee", "66")
    (6, 6)
    """
    rules = as_rules(rules)
    if text.strip() == NONE:
        return ()
    expected = f"- or up to {_in_words(rules)}"
    dice = _symbols(rules, text, expected)
    if min(rules.missing(dice)) < 0:
        raise MalformedError(f"expected {expected}, got {len(dice)} in {quoted(text)}")
    return dice


def format_keep(rules: RulesLike, dice: Sequence[int]) -> str:
    """Return a keep as text; ``-`` for none.

    Parameters
    ----------
    rules : Rules, str or Path
        Of the game, or the name of a preset.
    dice : sequence of int
        The faces kept.

    Examples
    --------
    >>> format_keep("yahtzee", (6, 6))
    '66'
    """
    return format_dice(rules, dice) if dice else NONE


def contains(dice: Sequence[int], some: Sequence[int]) -> bool:
    """Return whether some dice are among others."""
    return all(some.count(die) <= dice.count(die) for die in set(some))


def check_keep(rules: Rules, dice: Sequence[int], keep: Sequence[int]) -> None:
    """Check that a keep is part of a roll.

    Raises
    ------
    IllegalError
        When it is not.
    """
    if not contains(dice, keep):
        raise IllegalError(
            f"cannot keep {format_keep(rules, keep)} of {format_dice(rules, dice)}: expected dice "
            f"of the roll"
        )


def parse_category(rules: Rules, word: str) -> int:
    """Return the index of the category with this key or code.

    Raises
    ------
    MalformedError
        When no category is called that.
    """
    try:
        return rules.category_index(word)
    except ValueError as error:
        raise MalformedError(str(error)) from None


def parse_scores(text: str) -> list[int]:
    """Return the scores of a list such as ``150,200,250``.

    Raises
    ------
    MalformedError
        When it is no list of whole numbers.
    """
    check_length(text)
    return [read_number(word, "scores") for word in re.split(r"\s*,\s*|\s+", text.strip())]
