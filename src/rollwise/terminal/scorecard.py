"""The scorecard view of one player, beside the points of other players if they fit."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil

from rich.style import Style
from rich.text import Text

from rollwise.game.scorecard import Move, Scorecard, extra_bonus_title
from rollwise.playing.category_codes import code_of

WIDTH, CARD_HEIGHT = 78, 11
"""The usual width of the screen in characters, and the usual number of lines for the scorecard."""

NARROW = 60
"""The minimum width of the terminal, in characters, for several columns."""

TITLE, CELL, MOST = 15, 8, 59
"""The widths in characters of a title and of a player's points if the points of several players are
side by side, and the maximum width of a column."""

SHORTEST = 4
"""The minimum width of a title; a narrower column has only codes."""


def scorecard(
    cards: Sequence[Scorecard],
    players: Sequence[str],
    who: int,
    possible: Mapping[int, Move],
    width: int = WIDTH,
    *,
    short: bool = False,
) -> Text:
    """Return the scorecard of a player, with the points of other players if there is room.

    Parameters
    ----------
    cards : sequence of Scorecard
        The scorecards of all players.
    players : sequence of str
        The names of all players.
    who : int
        The index of the player.
    possible : mapping of int to Move
        The legal moves for the current roll, by category.
    width : int
        The width of the terminal in characters.
    short : bool
        Whether a narrow terminal is too low for one column; then titles are shortened.
    """
    parts = _parts(cards, who, possible)
    is_wide = width >= NARROW or short
    columns = _columns(parts) if is_wide else [[line for part in parts for line in part]]
    shown = _shown(len(players), who, width // len(columns))
    each = min((width if len(shown) > 1 else min(width, WIDTH)) // len(columns), MOST)
    if len(shown) > 1:
        names = _Line("", "", [name[: CELL - 1] for name in players], "bold")
        columns = [[names, *column] for column in columns]
    blank = Text(" " * each)
    return Text("\n", no_wrap=True).join(
        Text().join(
            column[row].text(each, shown) if row < len(column) else blank for column in columns
        )
        for row in range(max(map(len, columns)))
    )


def _shown(number: int, who: int, column: int) -> list[int]:
    """Return the players whose points fit into a column; ``who`` is first unless all fit."""
    fitting = max((column - 7 - TITLE) // CELL, 1)
    order = [who, *(player for player in range(number) if player != who)]
    return sorted(order) if fitting >= number else order[:fitting]


@dataclass(frozen=True)
class _Line:
    """A line of the scorecard for a category or a sum, with the points of each player."""

    code: str
    title: str
    points: Sequence[str]
    style: str = "default"
    action: str = ""

    def text(self, width: int, shown: Sequence[int]) -> Text:
        """Return the line with the points of the players ``shown``."""
        cells = [self.points[player] for player in shown]
        points = "".join(f"{cell:>{CELL}}" for cell in cells) if cells[1:] else f" {cells[0]}"
        space, rest = width - 7 - len(points), max(width - 1 - len(points), 0)
        title = self.title.replace(" of ", "/").translate({ord("("): "", ord(")"): ""})
        if space < SHORTEST:
            head = f"{self.code[:4]:>2}" if self.code else title
            line = f"{head[:rest]:<{rest}}{points} "
        elif not self.code and len(self.title) > space:  # a sum: use the space of the code, too
            line = f"  {title[: space + 3]:<{space + 3}}{points}  "
        else:
            line = f"{self.code[:4]:>4} {self.title[:space]:<{space}}{points}  "
        meta = {"@click": self.action} if self.action else None
        return Text(line, Style.parse(self.style) + Style(meta=meta))


def _parts(cards: Sequence[Scorecard], who: int, possible: Mapping[int, Move]) -> list[list[_Line]]:
    """Return the lines of each section, or of each column of the game if it has several columns."""
    own, rules = cards[who], cards[who].rules
    lines = [_category(cards, who, k, possible.get(k)) for k in range(len(rules.categories))]
    sections = [c.section for c in rules.categories]
    parts = [[lines[k] for k in column] for column in rules.column_categories]
    if not rules.columns:
        parts = [
            [line for line, section in zip(lines, sections, strict=True) if section == wanted]
            for wanted in ("upper", "lower")
        ]

    def add(part: int, title: str, of: Callable[[Scorecard], int], style: str = "default") -> None:
        parts[part].append(_Line("", title, [str(of(card)) for card in cards], style))

    if bonus := rules.upper_bonus:
        progress = [f"{total} of {bonus.next_step(total)}" for total in own.upper_totals]
        add(0, f"Bonus ({', '.join(progress)})", lambda card: card.upper_bonus)
    if rules.extra_bonus:
        add(-1, extra_bonus_title(rules), lambda card: card.extra_bonus)
    add(-1, "Total", lambda card: card.points, "bold")
    return parts


def _columns(parts: list[list[_Line]]) -> list[list[_Line]]:
    """Return one column per part if every part fits on the screen, otherwise equal columns."""
    if max(map(len, parts)) <= CARD_HEIGHT:
        return [part for part in parts if part]
    lines = [line for part in parts for line in part]
    height = ceil(len(lines) / ceil(len(lines) / CARD_HEIGHT))
    return [lines[start : start + height] for start in range(0, len(lines), height)]


def _category(cards: Sequence[Scorecard], who: int, k: int, move: Move | None) -> _Line:
    rules = cards[who].rules
    points = ["·" if card.boxes[k] is None else str(card.boxes[k]) for card in cards]
    title, code = rules.categories[k].title, code_of(rules, k)
    if move is None:
        filled = cards[who].boxes[k] is not None
        return _Line(code, title, points, "dim" if filled else "default")
    points[who] = f"[{move.points}+{move.extra}]" if move.extra else f"[{move.points}]"
    return _Line(code, title, points, action=f"app.choose({k})")
