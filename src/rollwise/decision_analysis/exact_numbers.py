"""Exact numbers in TOML files: whole numbers, decimals, and fractions such as ``"1/3"``."""

import re
from decimal import Decimal
from fractions import Fraction

from rollwise.errors import InputError, quoted

MAX_DIGITS = 30
"""The maximum number of digits before or after the decimal point."""


def parse_decimal(text: str) -> Fraction | str:
    """Parse a decimal number as a Fraction; this is a ``parse_float`` function for `tomllib`.

    An invalid or huge number is returned unchanged, because `exact_number` rejects it later.

    Examples
    --------
    >>> parse_decimal("0.1")
    Fraction(1, 10)
    """
    plain = re.fullmatch(r"[-+]?[0-9_]{1,30}(\.[0-9_]{1,30})?([eE][-+]?[0-9]{1,2})?", text)
    number = Decimal(text) if plain else None
    return text if number is None or abs(number.adjusted()) >= MAX_DIGITS else Fraction(number)


def exact_number(value: object) -> Fraction | None:
    """Return a number of a file as a Fraction, or None if the value is not a number.

    Examples
    --------
    >>> exact_number("1/3"), exact_number(7), exact_number("seven")
    (Fraction(1, 3), Fraction(7, 1), None)
    """
    if isinstance(value, Fraction):
        return value
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**MAX_DIGITS:
        return Fraction(value)
    if isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,30}/0*[1-9][0-9]{0,29}", value):
        return Fraction(value)
    return None


def parse_number(text: str) -> Fraction:
    """Parse a number from the command line.

    Raises
    ------
    ValueError
        If the text is not a whole number, a decimal, or a fraction.

    Examples
    --------
    >>> parse_number("-2.5"), parse_number("1/3")
    (Fraction(-5, 2), Fraction(1, 3))
    """
    number = exact_number(parse_decimal(text))
    if number is None:
        raise InputError(f"{quoted(text)} is not a number; use a number such as 2, 0.5, or 1/3")
    return number
