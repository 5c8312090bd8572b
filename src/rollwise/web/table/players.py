"""Who sits at the table: points so far, and the line of the expected final score beside them."""

from collections.abc import Sequence

from nicegui import ui

from rollwise.two_player.win_probability import WinEstimate
from rollwise.web.elements import Tag

WIDTH, HEIGHT = 64, 20


class Players:
    """A plate for each player, and above those of two the room for a bar of their chances.

    Parameters
    ----------
    names : sequence of str
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self._plates: list[tuple[Tag, Tag, Tag, ui.html, Tag]] = []
        self._chances = Tag("div", classes="chances")
        self._chances.visible = len(names) == 2
        with self._chances:
            self._share = Tag("span")
        with Tag("div", classes="players"):
            for name in names:
                with Tag("div", classes="player") as plate:
                    Tag("span", name, "name")
                    total = Tag("span", classes="total")
                    with Tag("span", classes="expected"):
                        number = Tag("span", title="expected final score, with best play from here")
                        line = ui.html(sanitize=False)
                        chance = Tag("span", classes="chance")
                self._plates.append((plate, total, number, line, chance))

    def show(
        self,
        totals: Sequence[int],
        turn: int | None,
        values: Sequence[list[float]],
        outlook: WinEstimate | None,
    ) -> None:
        """Show the points, whose turn it is, and what is known of the end.

        Parameters
        ----------
        values : sequence of list of float
            How the expected final score of each player went; empty as long as nobody knows.
        outlook : Outlook or None
            What the first of two has to expect.
        """
        for number, (plate, total, expected, line, _) in enumerate(self._plates):
            plate.set(data_turn="true" if number == turn else "false")
            total.text = str(totals[number])
            known = values[number]
            expected.text = f"→ {known[-1]:.1f}" if known else ""
            line.content = drawn(known) if known else ""
        if outlook is not None:
            self._show_chances(outlook)

    def _show_chances(self, outlook: WinEstimate) -> None:
        shares = outlook.shares()
        how = "each answering the other" if outlook.exact else "if both play on for points"
        for (*_, chance), share in zip(self._plates, shares, strict=True):
            chance.text = share
            chance.set(title=f"chance to win, {how}")
        told = ", ".join(map(" ".join, zip(self._names, shares, strict=True)))
        heard = f"Chances to win, {how}: {told}"
        self._chances.set(data_known="true", role="img", aria_label=heard)
        self._share.set(style=f"width: {100 * outlook.value:.1f}%")


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
