"""Terminal views of scores, dice, options, and keys, legible without color."""

from collections.abc import Sequence
from itertools import zip_longest

from rich.style import Style
from rich.text import Text

from rollwise.evaluation.breakdown import Gains
from rollwise.game.dice_notation import die_text
from rollwise.game.notation import format_action
from rollwise.game.position import Position
from rollwise.playing.category_codes import DIE_KEYS
from rollwise.playing.session import HeldDice, Session
from rollwise.reviews.reasons import Reasons
from rollwise.rules import Rules
from rollwise.solving.option import Option, format_loss
from rollwise.solving.progress import format_duration
from rollwise.terminal.scorecard import NARROW, WIDTH
from rollwise.two_player.win_probability import WinEstimate

EXPLAINED, DIE = 80, 6
"""The minimum width of the options for showing reasons, and the width of a die."""

BAR, SMALL_BAR, SHORT, GAP = 16, 4, 10, 3
"""The maximum and minimum widths of the win-probability bar, the maximum width of a name, and the
width of the gap on the left."""

LIGHT, OTHER, HEAVY = "╭─╮│╰╯", "┌┄┐┆└┘", "╔═╗║╚╝"
"""The frames of ordinary dice, of dice with another number of faces, and of held dice."""


def headline(session: Session, width: int = WIDTH) -> Text:
    """Return the scores of all players and the title of the rules."""
    game = session.game
    scores = (
        f"{_with_strategy(name, game.headers.bots.get(name))} {card.points}"
        for name, card in zip(game.players, game.cards, strict=True)
    )
    text = Text("   ".join(scores), style="bold", no_wrap=True)
    text.append(f"   {game.rules.title}", style="not bold")
    text.truncate(width, overflow="ellipsis")
    return text


def _with_strategy(name: str, strategy: str | None) -> str:
    """Return a player's name, and a computer opponent's strategy if the name does not show it."""
    return name if strategy is None or name.startswith(strategy) else f"{name} ({strategy})"


def stage(
    session: Session,
    outlook: WinEstimate | None,
    width: int = WIDTH,
    seconds_left: float | None = None,
) -> Text:
    """Return the current step in words, with the win probabilities ``outlook`` if they fit.

    If they are not known yet, ``seconds_left`` is the time until they are.
    """
    text, bar = Text(session.words(), style="bold"), Text()
    columns = width - len(text) - GAP
    if seconds_left is not None:
        bar = Text(f"win probabilities in {format_duration(seconds_left)}", style="not bold")
    elif outlook is not None:
        bar = outlook_bar(session.game.players, outlook, columns)
    if 0 < len(bar) <= columns:
        text.append(" " * (columns + GAP - len(bar))).append(bar)
    return text


def outlook_bar(players: Sequence[str], outlook: WinEstimate, columns: int) -> Text:
    """Return a bar with the win probabilities; ``~`` marks an approximate probability."""
    (name, opponent), (first, second) = (name[:SHORT] for name in players), outlook.shares()
    left, right = f"{name} {first} ", f" {second} {opponent}"
    bar = min(max(columns - len(left) - len(right), SMALL_BAR), BAR)
    filled = round(outlook.value * bar)
    return Text(f"{left}{'█' * filled}{'░' * (bar - filled)}{right}", style="not bold")


def dice(rules: Rules, tray: HeldDice, width: int = WIDTH, *, short: bool = False) -> Text:
    """Return the dice; held dice have a double frame and, unless ``short``, a label.

    If the width is too small for frames, the dice are on one line, and held dice are in brackets.
    """
    columns = [_die(rules, tray, place) for place in range(rules.dice)]
    if rules.dice * DIE > width:
        columns = [([cells[5]], style) for cells, style in columns]
    else:
        columns = [(cells[: 4 if short else 5], style) for cells, style in columns]
    text = Text(no_wrap=True)
    for row in range(len(columns[0][0])):
        text.append("\n" if row else "")
        for cells, style in columns:
            text.append(cells[row], style)
    return text


def _die(rules: Rules, tray: HeldDice, place: int) -> tuple[list[str], Style]:
    """Return the five lines of a die, its short form, and its style."""
    face = die_text(rules, tray.faces[place]) if tray.faces else " "
    held = bool(tray.held) and tray.held[place]
    usual = place < rules.kinds[0][0]
    frame = HEAVY if held else LIGHT if usual else OTHER
    cells = [
        f"  {DIE_KEYS[place]}   ",
        f"{frame[0]}{frame[1] * 3}{frame[2]} ",
        f"{frame[3]}{face:^3}{frame[3]} ",
        f"{frame[4]}{frame[1] * 3}{frame[5]} ",
        " keep " if held else "      ",
        f"[{face}]" if held else f" {face} ",
    ]
    return cells, Style(bold=held, meta={"@click": f"app.hold({place})"})


def options(
    position: Position,
    best_first: Sequence[Option],
    most: int,
    *,
    marked: Option | None = None,
    mark: str = "yours",
    points: bool = True,
    reasons: Reasons | None = None,
    width: int = WIDTH,
) -> Text:
    """Return the best options with their values and EV losses.

    Parameters
    ----------
    position : Position
    best_first : sequence of Option
    most : int
        The maximum number of options to show.
    marked : Option, optional
        An option that is shown in any case, with the word ``mark``.
    points : bool
        Whether the values are expected scores.
    reasons : Reasons, optional
        The source of the categories and bonuses in which the best option gains points, which are
        shown if there is room.
    width : int
        The width in characters.
    """
    shown = list(best_first[:most])
    if marked is not None and marked not in shown:
        shown[-1] = marked
    gains: list[Gains] = [()] * len(shown)
    if reasons is not None and width >= EXPLAINED:
        gains = reasons.of(position, shown)
    words = [format_action(position.rules, option.action) for option in shown]
    wide = max(map(len, ["option", *words]))
    value, loss = ("EV", "EV loss") if points else ("value", "loss")
    text = Text(f"{'option':<{wide}} {value:>7} {loss:>7}"[:width], style="bold", no_wrap=True)
    if reasons is not None and any(gains):
        text.append("  gain of the best option")
    for word, option, gain in zip(words, shown, gains, strict=True):
        line = f"\n{word:<{wide}} {option.value:>7.2f} {format_loss(option):>7}"
        line += f" {mark}" if option == marked else ""
        brief = reasons.briefly(gain, width - len(line) - 2) if reasons is not None else ""
        text.append(f"{line}  {brief}".rstrip()[: width + 1], "not bold")
    return text


def keys(session: Session, width: int = WIDTH) -> str:
    """Return the line that lists the most important keys."""
    game = session.game
    if game.is_over:
        return fitting("r review · p practice · n new · u undo · q quit", width, 1)
    last = DIE_KEYS[game.rules.dice - 1]
    dice = f"1-{last}" if last != "1" else "1"
    if width < NARROW:
        return fitting(f"space {dice} s h o u t q · ? help", width, 1)
    all_visible = len(game.players) == 1 or (len(game.players) == 2 and width >= WIDTH)
    least = "u undo · t tutor" if all_visible else "o others · u undo"
    line = f"space roll · {dice} keep · s score · h hint · {least} · ? help · q quit"
    return fitting(line, width, 2)


def fitting(line: str, width: int, last: int) -> str:
    """Return a line of keys that fits: without the keys before the ``last`` ones, if necessary."""
    items = line.split(" · ")
    while len(" · ".join(items)) > width and len(items) > last:
        del items[-last - 1]
    return " · ".join(items)


def help_text(session: Session, outlook: WinEstimate | None, width: int) -> str:
    """Return the help for the keys."""
    last = DIE_KEYS[session.game.rules.dice - 1]
    bar = BARS[outlook.assumes] if outlook else ""
    return help_columns(HELP.format(last=last), OTHER_KEYS, width) + REMARKS.format(bar=bar)


def help_columns(left: str, right: str, width: int) -> str:
    """Return the keys in two columns, or one below the other if the screen is narrow."""
    if width < NARROW:
        return f"{left}{right}"
    pairs = zip_longest(left.splitlines(), right.splitlines(), fillvalue="")
    return "".join(f"{first:<41}{second}".rstrip() + "\n" for first, second in pairs)


BARS = {
    "win": "The bar shows the win probabilities if both play to win.\n",
    "points": "The bar estimates (~) the win probabilities if both play for points.\n",
    "strategy": "The bar shows the win probabilities if you play for points from now on.\n",
}
"""What the bar of win probabilities assumes about the rest of the game."""

HELP = """\
1–{last}      keep or release a die
space r  roll the other dice
s CODE   score, such as s1, s3k, sfh
fh, y …  no s needed, unless the code
         starts with one of these keys
"""

OTHER_KEYS = """\
h        hint: the best options
u        undo the last choice
t        tutor on or off
o        other players' scorecards
?        this help
q        quit; the game is saved
"""

REMARKS = """
A number in brackets shows what the roll would score in an open category.
The tutor warns before a choice that loses 0.2 points or more on average.
{bar}Undo does not change the dice: the same choice gives the same roll."""
