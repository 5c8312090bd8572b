"""What the table, the card and advice look like in a terminal of 80 by 24, without colour too."""

from dataclasses import dataclass
from math import ceil

from rich.style import Style
from rich.text import Text

from rollwise.game.notation import die_text, format_action
from rollwise.game.scorecard import Scorecard
from rollwise.playing.codes import DIE_KEYS, code_of
from rollwise.playing.session import Session
from rollwise.rules import Rules
from rollwise.solving.option import Option, format_loss

WIDTH, CARD_HEIGHT = 78, 11
"""Columns of the usual screen, and the lines left there for the card below dice and words."""

NARROW = 60
"""With fewer columns the boxes of a card stand in one."""

LIGHT, OTHER, HEAVY = "╭─╮│╰╯", "┌┄┐┆└┘", "╔═╗║╚╝"
"""Frames of the usual dice, of those of another kind, and of held ones."""


def headline(session: Session, width: int = WIDTH) -> Text:
    """Return the rules and everybody's score."""
    game = session.game
    scores = (
        f"{name} {card.points}" for name, card in zip(game.players, game.stage.cards, strict=True)
    )
    text = Text("   ".join(scores), style="bold", no_wrap=True)
    text.append(f"   {game.rules.title}", style="not bold")
    text.truncate(width, overflow="ellipsis")
    return text


def dice(session: Session) -> Text:
    """Return the dice in their places; held ones have a double frame and say so."""
    rules, tray = session.game.rules, session.tray
    rows: list[list[tuple[str, Style]]] = [[], [], [], [], []]
    for place in range(rules.dice):
        face = die_text(rules, tray.faces[place]) if tray.faces else " "
        held = bool(tray.held) and tray.held[place]
        usual = place < rules.kinds[0][0]
        frame = HEAVY if held else LIGHT if usual else OTHER
        style = Style(bold=held, meta={"@click": f"app.hold({place})"})
        cells = [
            f"  {DIE_KEYS[place]}   ",
            f"{frame[0]}{frame[1] * 3}{frame[2]} ",
            f"{frame[3]}{face:^3}{frame[3]} ",
            f"{frame[4]}{frame[1] * 3}{frame[5]} ",
            " keep " if held else "      ",
        ]
        for row, cell in zip(rows, cells, strict=True):
            row.append((cell, style))
    text = Text(no_wrap=True)
    for number, row in enumerate(rows):
        text.append("\n" if number else "")
        for cell, style in row:
            text.append(cell, style)
    return text


def card(session: Session, width: int = WIDTH) -> Text:
    """Return the card of the player whose turn it is, with what the roll would score."""
    game, rules = session.game, session.game.rules
    shown = game.card
    if game.is_over and len(game.players) == 1:
        shown = game.stage.cards[0]
    upper = [k for k, c in enumerate(rules.categories) if c.section == "upper"]
    lower = [k for k, c in enumerate(rules.categories) if c.section == "lower"]
    left = [_box(session, shown, k) for k in upper]
    right = [_box(session, shown, k) for k in lower]
    if rules.upper_bonus:
        points = f"{shown.upper} of {rules.upper_bonus.next_step(shown.upper)}"
        left.append(_Line("", f"Bonus ({points})", str(shown.upper_bonus)))
    if rules.extra_bonus:
        right.append(_Line("", "Extra bonus", str(shown.extra_bonus)))
    right.append(_Line("", "Total", str(shown.points), "bold"))
    columns = _columns(left, right) if width >= NARROW else [[*left, *right]]
    width = min(width, WIDTH) // len(columns)
    text = Text(no_wrap=True)
    for number in range(max(map(len, columns))):
        text.append("\n" if number else "")
        for column in columns:
            text.append_text(
                column[number].text(width) if number < len(column) else Text(" " * width)
            )
    return text


@dataclass(frozen=True)
class _Line:
    """A line of the card: a box, or a sum."""

    code: str
    title: str
    worth: str
    style: str = "default"
    action: str = ""

    def text(self, width: int) -> Text:
        room = width - 8 - len(self.worth)
        line = f"{self.code[:4]:>4} {self.title[:room]:<{room}} {self.worth}  "
        meta = {"@click": self.action} if self.action else None
        return Text(line, style=Style.parse(self.style) + Style(meta=meta))


def _columns(left: list[_Line], right: list[_Line]) -> list[list[_Line]]:
    """Return a column a section if both fit in the height, else as many even ones as needed."""
    if max(len(left), len(right)) <= CARD_HEIGHT:
        return [left, right]
    lines = [*left, *right]
    height = ceil(len(lines) / ceil(len(lines) / CARD_HEIGHT))
    return [lines[start : start + height] for start in range(0, len(lines), height)]


def _box(session: Session, shown: Scorecard, k: int) -> _Line:
    rules, points = session.game.rules, shown.boxes[k]
    title, code = rules.categories[k].title, code_of(rules, k)
    if points is not None:
        return _Line(code, title, str(points), "dim")
    move = session.possible().get(k)
    if move is None:
        return _Line(code, title, "·")
    worth = f"{move.points}+{move.extra}" if move.extra else str(move.points)
    return _Line(code, title, f"[{worth}]", action=f"app.score({k})")


def advice(
    session: Session, options: list[Option], most: int = 4, doubted: Option | None = None
) -> Text:
    """Return the best options with their values and losses, and the one that was doubted."""
    text = Text("best play           value   loss", style="bold", no_wrap=True)
    shown = options[:most]
    if doubted is not None and doubted not in shown:
        shown[-1] = doubted
    for option in shown:
        action = format_action(session.game.rules, option.action).removeprefix("score ")
        yours = " yours" if option == doubted else ""
        line = f"\n{action:<18}{option.value:>7.2f} {format_loss(option):>6}{yours}"
        text.append(line, "not bold")
    return text


def keys(rules: Rules, *, is_over: bool = False) -> str:
    """Return the line of keys."""
    if is_over:
        return "r review · p practise what was lost · n new game · u undo · q leave"
    dice = f"1-{DIE_KEYS[rules.dice - 1]}"
    return f"space roll · {dice} keep · s score · h hint · u undo · t tutor · ? help · q leave"


def help_text(rules: Rules) -> str:
    """Return what the keys do."""
    return HELP.format(last=DIE_KEYS[rules.dice - 1])


HELP = """\
1–{last}      keep a die, or let it go        h   hint: the best options
space r  roll the dice not kept          u   undo the last choice
s CODE   score, such as s1, s3k, sfh     t   tutor on or off
fh, y …  score, where the code begins    ?   this help
         with no other key               q   leave

A number in brackets is what the roll would score in an open box. The tutor
warns before a choice that loses 0.2 points or more. Undo never changes the
dice: the same choice sees the same roll."""
