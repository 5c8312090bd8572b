"""Draw dice that a page writes as characters: ``⚀⚀⚂**⚅⚅**`` rerolls 1 1 3 and keeps 6 6.

The repository shows the characters. The site shows a picture in its colors, light or dark.
"""

import re
from typing import Any

from sphinx.application import Sphinx

FACES = "⚀⚁⚂⚃⚄⚅"
DICE = re.compile(rf"(?:\*\*[{FACES}]+\*\*|[{FACES}])+")
LOW, MIDDLE, HIGH = 6, 12, 18
DIAGONAL, OTHER = ((LOW, LOW), (HIGH, HIGH)), ((LOW, HIGH), (HIGH, LOW))
SIDES, CENTER = ((LOW, MIDDLE), (HIGH, MIDDLE)), ((MIDDLE, MIDDLE),)
PIPS = (CENTER, DIAGONAL, DIAGONAL + CENTER, DIAGONAL + OTHER, DIAGONAL + OTHER + CENTER,
        DIAGONAL + OTHER + SIDES)  # fmt: skip
"""The centers of the pips of each face, on a die with sides of 24."""

OUTLINE = '<rect x="1" y="1" width="22" height="22" rx="5"/>'


def picture(dice: re.Match[str]) -> str:
    """Return dice as SVG, with a description for readers who cannot see them."""
    roll: list[tuple[int, str]] = []
    for number, signs in enumerate(dice[0].split("**")):  # every second part is to keep
        kind = "keep" if number % 2 else "reroll" if "**" in dice[0] else "any"
        roll += [(FACES.index(sign), kind) for sign in signs]
    label = " ".join(str(face + 1) for face, _ in roll)
    if kept := [str(face + 1) for face, kind in roll if kind == "keep"]:
        label += f"; keep {' '.join(kept)}"
    drawn = ""
    for place, (face, kind) in enumerate(roll):
        pips = "".join(f'<circle cx="{x}" cy="{y}" r="2.3"/>' for x, y in PIPS[face])
        drawn += f'<g class="{kind}" transform="translate({28 * place} 0)">{OUTLINE}{pips}</g>'
    box = f"0 0 {28 * len(roll) - 4} 24"
    return f'<svg class="dice" viewBox="{box}" role="img" aria-label="{label}">{drawn}</svg>'


def draw(app: Sphinx, page: str, source: list[str]) -> None:
    """Replace the dice of a page."""
    source[0] = DICE.sub(picture, source[0])


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.connect("source-read", draw)
    return {"parallel_read_safe": True}
