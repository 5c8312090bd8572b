"""The scorecard view of the current player, with other players' scores on a wide terminal."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil

from rich.style import Style
from rich.text import Text

from rollwise.game.scorecard import Move, Scorecard, extra_bonus_title
from rollwise.playing.category_codes import code_of
from rollwise.playing.session import Session

WIDTH, CARD_HEIGHT = 78, 11
"""The usual width of the screen in characters, and the usual number of lines for the scorecard."""

NARROW, WIDE = 60, 110
"""The minimum widths of the terminal, in characters, for several columns and for showing other
players."""

OWN, OTHER, MOST = 33, 9, 59
"""The widths in characters of the current player's categories and of another player's points, and
the maximum width of a column."""


def current_scorecard(session: Session, width: int = WIDTH, *, short: bool = False) -> Text:
    """Return the scorecard of the current player, with the points that the roll can score.

    See :func:`scorecard` for ``width`` and ``short``.
    """
    game = session.game
    who = 0 if game.is_over else game.stage.player
    return scorecard(game.stage.cards, game.players, who, session.possible(), width, short=short)


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
    parts = _parts(cards[who], possible)
    is_wide = width >= NARROW or short
    columns = _columns(parts) if is_wide else [[line for part in parts for line in part]]
    together = width >= WIDE and len(players) > 1
    each = min((width if together else min(width, WIDTH)) // len(columns), MOST)
    fitting = (each - OWN) // OTHER if together else 0
    others = [n for n in range(len(players)) if n != who][:fitting]
    if others:
        names = _Line("", "", players[who][: OTHER - 1], lambda card: "", "bold")
        heads = [players[other] for other in others]
        header = [names.text(each, heads) for _ in columns]
    beside = [cards[other] for other in others]
    rows = [header] if others else []
    for number in range(max(map(len, columns))):
        rows.append(
            [
                column[number].text(each, [column[number].of(card) for card in beside])
                if number < len(column)
                else Text(" " * each)
                for column in columns
            ]
        )
    return Text("\n", no_wrap=True).join(Text().join(row) for row in rows)


@dataclass(frozen=True)
class _Line:
    """A line of the scorecard for a category or a sum; ``of`` formats the points of a scorecard."""

    code: str
    title: str
    points: str
    of: Callable[[Scorecard], str]
    style: str = "default"
    action: str = ""

    def text(self, width: int, others: Sequence[str] = ()) -> Text:
        """Return the line, with the points of the players ``others`` on its right."""
        cells = "".join(f"{cell[: OTHER - 1]:>{OTHER}}" for cell in others)
        space = width - 8 - len(self.points) - len(cells)
        line = f"{self.code[:4]:>4} {self.title[:space]:<{space}} {self.points}"
        if not self.code and len(self.title) > space:  # a sum: use the space of the code, too
            title = self.title.replace(" of ", "/").translate({ord("("): "", ord(")"): ""})
            line = f"  {title[: space + 3]:<{space + 3}} {self.points}"
        meta = {"@click": self.action} if self.action else None
        style = Style.parse(self.style) + Style(meta=meta)
        return Text.assemble((line, style), (f"{cells}  ", self.style))


def _parts(shown: Scorecard, possible: Mapping[int, Move]) -> list[list[_Line]]:
    """Return the lines of each section, or of each column of the game if it has several columns."""
    rules = shown.rules
    lines = [_category(shown, k, possible.get(k)) for k in range(len(rules.categories))]
    sections = [c.section for c in rules.categories]
    parts = [[lines[k] for k in column] for column in rules.column_categories]
    if not rules.columns:
        parts = [
            [line for line, section in zip(lines, sections, strict=True) if section == wanted]
            for wanted in ("upper", "lower")
        ]
    if bonus := rules.upper_bonus:
        progress = [f"{total} of {bonus.next_step(total)}" for total in shown.upper_totals]
        title = f"Bonus ({', '.join(progress)})"
        parts[0].append(_sum(shown, title, lambda card: card.upper_bonus))
    if rules.extra_bonus:
        parts[-1].append(_sum(shown, extra_bonus_title(rules), lambda card: card.extra_bonus))
    parts[-1].append(_sum(shown, "Total", lambda card: card.points, "bold"))
    return parts


def _sum(
    shown: Scorecard, title: str, of: Callable[[Scorecard], int], style: str = "default"
) -> _Line:
    return _Line("", title, str(of(shown)), lambda card: str(of(card)), style)


def _columns(parts: list[list[_Line]]) -> list[list[_Line]]:
    """Return one column per part if every part fits on the screen, otherwise equal columns."""
    if max(map(len, parts)) <= CARD_HEIGHT:
        return [part for part in parts if part]
    lines = [line for part in parts for line in part]
    height = ceil(len(lines) / ceil(len(lines) / CARD_HEIGHT))
    return [lines[start : start + height] for start in range(0, len(lines), height)]


def _category(shown: Scorecard, k: int, move: Move | None) -> _Line:
    rules, points = shown.rules, shown.boxes[k]
    title, code = rules.categories[k].title, code_of(rules, k)

    def of(card: Scorecard) -> str:
        return "·" if card.boxes[k] is None else str(card.boxes[k])

    if points is not None:
        return _Line(code, title, str(points), of, "dim")
    if move is None:
        return _Line(code, title, "·", of)
    gain = f"{move.points}+{move.extra}" if move.extra else str(move.points)
    return _Line(code, title, f"[{gain}]", of, action=f"app.choose({k})")
