"""The tokens: contrast of text, and no other values of colors in the style sheets."""

import re
from itertools import product

import pytest

from repository import ROOT
from rollwise.style import style, token

CONTRAST = 4.5
"""The least contrast of text, from WCAG 2.2, criterion 1.4.3."""

SHEETS = [path for path in (ROOT / "src").rglob("*.css") if path.stem != "tokens"]
PAGES = list((ROOT / "src").rglob("*.html"))

LITERAL = re.compile(r"#[0-9a-f]{3,8}\b(?=[^{}]*[;}])|\b(?:rgb|hsl|oklch)a?\(")

GROUNDS = ("ground", "paper", "band on ground", "band on paper")
TEXTS = [
    *product(("ink", "faint", "accent", "mine", "best", "good", "warn", "bad"), GROUNDS),
    *product(("ink", "faint", "mine", "best"), ("best-band", "turn")),
    *product(("on-felt", "faint-on-felt", "ring"), ("felt", "felt-low", "glass on felt")),
    ("on-gold", "gold"),
]

Color = tuple[float, float, float, float]


def color(name: str, is_dark: bool) -> Color:
    """Return the red, green, blue, and alpha of a token, or of one token on another."""
    upper, _, lower = name.partition(" on ")
    value = token(upper)[is_dark and len(token(upper)) > 1]
    if value.startswith("#"):
        red, green, blue = (float(int(value[i : i + 2], 16)) for i in (1, 3, 5))
        return red, green, blue, 1
    red, green, blue, alpha = map(float, re.findall(r"[\d.]+", value))
    below = color(lower, is_dark)
    over = [alpha * a + (1 - alpha) * b for a, b in zip((red, green, blue), below, strict=False)]
    return over[0], over[1], over[2], 1


def luminance(color: Color) -> float:
    """Return the relative luminance of a color, as defined by WCAG."""
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (value / 255 for value in color[:3])
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(text: str, ground: str, is_dark: bool) -> float:
    """Return the contrast of a token on another, from 1 to 21."""
    low, high = sorted(luminance(color(name, is_dark)) for name in (text, ground))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("is_dark", [False, True])
def test_all_text_has_enough_contrast(is_dark: bool) -> None:
    contrasts = {pair: contrast(*pair, is_dark) for pair in TEXTS}
    assert {pair: number for pair, number in contrasts.items() if number < CONTRAST} == {}


def test_only_the_tokens_have_values_of_colors() -> None:
    texts = {path.name: path.read_text("utf-8") for path in SHEETS}
    for path in PAGES:
        inline = re.findall("<style>(.*?)</style>", path.read_text("utf-8"), re.DOTALL)
        texts[path.name] = "".join(inline)
    assert {name: found for name, text in texts.items() if (found := LITERAL.findall(text))} == {}


def test_every_token_is_used_and_every_use_has_a_token() -> None:
    texts = [style("tokens"), *(path.read_text("utf-8") for path in (*SHEETS, *PAGES))]
    text = "\n".join(texts)
    declared = set(re.findall(r"(?<![\w(-])--([a-z0-9-]+):", text))
    used = set(re.findall(r"var\(--([a-z0-9-]+)", text))
    names = set(re.findall(r"--([a-z0-9-]+):", style("tokens")))
    assert names <= used
    assert used - declared <= {"stacks", "rows", "cells", "across", "columns", "dice"}  # by scripts
