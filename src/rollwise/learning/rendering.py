"""Rendering of a game as text or as a picture."""

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import counted, missing_extra
from rollwise.game.notation import format_dice
from rollwise.learning.games import Games

RENDER_MODES = "ansi", "rgb_array"

SIZE = 18
"""The font size in pixels; all other sizes are proportional to it."""

PIPS = {
    1: "4", 2: "08", 3: "048", 4: "0268", 5: "02468", 6: "023568",
}  # fmt: skip
"""The positions of the pips of each number, numbered from 0 in rows of three from the top left."""

PAPER, INK, DIE = (250, 248, 243), (23, 32, 44), (255, 255, 255)


def draw(games: Games, n: int, mode: str | None) -> str | NDArray[np.uint8] | None:
    """Return game n as text or as a picture, or None if there is no render mode."""
    if mode is None:
        return None
    return text(games, n) if mode == "ansi" else picture(games, n)


def text(games: Games, n: int) -> str:
    """Return the dice and the scorecard of game n as text."""
    dice = format_dice(games.rules, games.model.lattice.rolls[games.states.dice.roll_N[n]])
    return f"dice {dice}, {_left(games, n)}\n{games.card(n)}\n"


def _left(games: Games, n: int) -> str:
    if games.states.over_N[n]:
        return "the game is over"
    left = int(games.states.left_N[n])
    return f"{counted(left, 'roll')} left"


def picture(games: Games, n: int) -> NDArray[np.uint8]:
    """Return a picture of the dice and the scorecard of game n.

    The picture is a uint8 array of shape (height, width, 3).

    Raises
    ------
    MissingExtraError
        If pillow is not installed.
    """
    try:
        from PIL import Image, ImageDraw, ImageFont
    except ImportError:
        raise missing_extra("drawing games", "Pillow", "learn") from None
    lines = [_left(games, n), "", *str(games.card(n)).splitlines()]
    width = max(map(len, lines)) + 2
    shown = games.rules.shown(games.model.lattice.rolls[games.states.dice.roll_N[n]])
    across = max(2 * SIZE * (len(shown) + 1), SIZE * width * 3 // 5)
    down = 3 * SIZE + (len(lines) + 1) * SIZE * 4 // 3
    image = Image.new("RGB", (across, down), PAPER)
    pen, font = ImageDraw.Draw(image), ImageFont.load_default(SIZE)
    for d, number in enumerate(shown):
        left, top, side = SIZE + 2 * SIZE * d, SIZE, SIZE * 3 // 2
        pen.rounded_rectangle((left, top, left + side, top + side), SIZE // 4, DIE, INK, 2)
        if number in PIPS:
            for position in map(int, PIPS[number]):
                x, y = (left + side * (1 + column) // 4 for column in (position % 3, 0))
                y = top + side * (1 + position // 3) // 4
                pen.ellipse((x - 2, y - 2, x + 2, y + 2), INK)
        else:
            pen.text((left + side / 2, top + side / 2), str(number), INK, font, anchor="mm")
    for number, line in enumerate(lines):
        y = 3 * SIZE + number * SIZE * 4 // 3
        name, _, points = line.rpartition("  ")
        pen.text((SIZE, y), (name or points).strip(), INK, font)
        if name:
            pen.text((across - SIZE, y), points.strip(), INK, font, anchor="ra")
    return np.asarray(image)
