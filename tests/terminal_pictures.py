"""Take pictures of the output of a command on terminals of three sizes.

    python tests/terminal_pictures.py FOLDER NAME COMMAND…

For example, ``… pictures roll advise 11366`` writes ``pictures/roll-80x24.png``,
``pictures/roll-40x24.png``, and ``pictures/roll-100x35.png``. The last row has a
prompt, as after a command in a shell.
"""

import sys
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont
from pyte.screens import Char

from terminal_session import Screen

FONTS = Path("/usr/share/fonts/truetype/dejavu")
SIZES = ((80, 24), (40, 24), (100, 35))
WIDTH, HEIGHT = 10, 20
"""The pixels of a character."""

COLORS = {"default": "#e6e6e6", "green": "#57d35a", "cyan": "#4fd0d0", "red": "#ff6b6b"}


def picture(screen: Screen) -> Image.Image:
    """Return the picture of a screen."""
    regular, bold = (
        ImageFont.truetype(FONTS / f"DejaVuSansMono{style}.ttf", 16) for style in ("", "-Bold")
    )
    columns, rows = screen.screen.columns, screen.screen.lines
    image = Image.new("RGB", (columns * WIDTH, rows * HEIGHT), "#14171c")
    draw = ImageDraw.Draw(image)
    for row in range(rows):
        for column in range(columns):
            char: Char = screen.screen.buffer[row][column]
            color = COLORS.get(char.fg, f"#{char.fg}" if len(char.fg) == 6 else "#e6e6e6")
            place = (column * WIDTH, row * HEIGHT)
            draw.text(place, char.data, color, bold if char.bold else regular)
    cursor = screen.screen.cursor
    draw.text((cursor.x * WIDTH, cursor.y * HEIGHT), "$ ▏", "#8899aa", regular)
    return image


if __name__ == "__main__":
    folder, name, *command = sys.argv[1:]
    for columns, rows in SIZES:
        screen = Screen(columns, rows, *command, NO_COLOR="").leaves()
        picture(screen).save(Path(folder) / f"{name}-{columns}x{rows}.png")
