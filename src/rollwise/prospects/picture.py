"""Pictures in the DOT language, which Graphviz lays out.

The DOT text needs nothing but this module; SVG and PNG need the ``graph`` extra and Graphviz.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from rollwise.errors import InputError, MissingExtraError
from rollwise.files import write_atomically
from rollwise.prospects.arrows import Number

MAX_NODES = 200
"""Larger pictures are refused: nobody can read them, and laying them out takes minutes."""


@dataclass(frozen=True)
class Picture:
    """A picture; a notebook shows it as it is.

    Attributes
    ----------
    dot
        What to draw, in the DOT language.
    """

    dot: str = field(repr=False)

    def svg(self) -> str:
        """Return the picture as SVG.

        Raises
        ------
        MissingExtraError
            When the ``graph`` extra or Graphviz is not installed.
        """
        return self._render("svg").decode()

    def png(self) -> bytes:
        """Return the picture as PNG; raises as `svg` does."""
        return self._render("png")

    def save(self, path: str | Path) -> None:
        """Write the picture to a file, as its ending says: ``.dot``, ``.svg`` or ``.png``.

        Raises
        ------
        ValueError
            When the ending is another.
        MissingExtraError
            When the picture needs something that is not installed.
        OSError
            When the file cannot be written.
        """
        path = Path(path)
        match path.suffix:
            case ".dot":
                write_atomically(path, self.dot.encode())
            case ".svg":
                write_atomically(path, self.svg().encode())
            case ".png":
                write_atomically(path, self.png())
            case _:
                raise InputError(
                    f"{path.name!r} is no picture file; expected an ending .svg, .png or .dot"
                )

    def _repr_svg_(self) -> str:
        return self.svg()

    def _render(self, form: str) -> bytes:
        try:
            import graphviz
        except ImportError as error:
            raise MissingExtraError(
                'pictures of graphs need graphviz: expected pip install "rollwise[graph]" before'
            ) from error
        try:
            picture: bytes = graphviz.Source(self.dot).pipe(format=form)
        except graphviz.ExecutableNotFound as error:
            raise MissingExtraError(
                "pictures need the program dot; install Graphviz, https://graphviz.org/download"
            ) from error
        return picture


def check_size(nodes: int) -> None:
    """Raise ValueError when a picture has more than `MAX_NODES` nodes."""
    if nodes > MAX_NODES:
        raise InputError(f"a picture of {nodes:,} nodes; expected at most {MAX_NODES}")


def short(number: Number) -> str:
    """Return a number for a label: a fraction as long as it is short, else four digits."""
    if isinstance(number, Fraction) and abs(number) < 1_000 and number.denominator < 10_000:
        return str(number)
    return f"{float(number):.4g}"


def dot_string(*lines: str) -> str:
    """Return lines as one DOT string."""
    escaped = (line.replace("\\", "\\\\").replace('"', '\\"') for line in lines)
    return '"' + "\\n".join(escaped) + '"'
