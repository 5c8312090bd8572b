"""Rule files of small games, and the errors in a rule file."""

import re

import pytest

from rollwise.rules import Rules, RulesError, parse_rules


def game(head: str, *boxes: str, **size: int) -> Rules:
    """Return the rules of a game with these settings and categories.

    The categories get the keys a, b, c, ….

    By default, the game has one die with six faces and two rolls in each turn.
    """
    for word, number in ({"dice": 1, "faces": 6, "rolls": 2} | size).items():
        head = f"{word} = {number}\n{head}"
    tables = [
        f'[[categories]]\nkey = "{key}"\ntitle = "{key.upper()}"\n{category}\n'
        for key, category in zip("abcdefgh", boxes, strict=False)
    ]
    return parse_rules(f'name = "relative"\ntitle = "A relative"\n{head}\n{"".join(tables)}')


ANY = 'pattern = { kind = "any" }\npoints = "total"'
SIXES = 'pattern = { kind = "face", face = 6 }\npoints = "matched"'
PAIR = 'pattern = { kind = "groups", sizes = [2] }\npoints = 9'
UPPER = '\nsection = "upper"'

GAME = """
name = "game"
title = "Game"
dice = 2
faces = 6
rolls = 2
"""
"""The top of a rule file, to which categories are added."""


def mistakes_in(text: str) -> list[str]:
    """Return the errors in a rule file, without line numbers."""
    with pytest.raises(RulesError) as error:
        parse_rules(text)
    return [re.sub(r"^line \d+, ", "", mistake) for mistake in error.value.mistakes]
