"""Who sits at the table: points so far, and the line of the expected final score beside them."""

from collections.abc import Sequence

from nicegui import ui

from rollwise.web.elements import Tag

WIDTH, HEIGHT = 64, 20


class Players:
    """A plate for each player.

    Parameters
    ----------
    names : sequence of str
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._plates: list[tuple[Tag, Tag, Tag, ui.html]] = []
        with Tag("div", classes="players"):
            for name in names:
                with Tag("div", classes="player") as plate:
                    Tag("span", name, "name")
                    total = Tag("span", classes="total")
                    with Tag("span", classes="expected") as expected:
                        number = Tag("span")
                        line = ui.html(sanitize=False)
                self._plates.append((plate, total, number, line))
                expected.set(title="expected final score, with best play from here")

    def show(self, totals: Sequence[int], turn: int | None, values: Sequence[list[float]]) -> None:
        """Show the points, whose turn it is, and how the expected final score went, if known."""
        for number, (plate, total, expected, line) in enumerate(self._plates):
            plate.set(data_turn="true" if number == turn else "false")
            total.text = str(totals[number])
            known = values[number]
            expected.text = f"→ {known[-1]:.1f}" if known else "→ …"
            line.content = drawn(known) if known else ""


def drawn(values: Sequence[float]) -> str:
    """Return numbers as a line, in SVG; the scale is that of the numbers, but 40 at least."""
    middle, span = (max(values) + min(values)) / 2, max(max(values) - min(values), 40.0)
    step = WIDTH / max(len(values) - 1, 1)
    points = " ".join(
        f"{number * step:.1f},{HEIGHT / 2 - (value - middle) / span * (HEIGHT - 4):.1f}"
        for number, value in enumerate(values)
    )
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" aria-hidden="true">'
        f'<polyline points="{points}" fill="none" stroke="currentColor" stroke-width="2"/></svg>'
    )
