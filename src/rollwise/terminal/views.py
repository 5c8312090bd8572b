"""Terminal views of scores, dice, options, and keys, legible without color."""

from collections.abc import Sequence

from rich.style import Style
from rich.text import Text

from rollwise.game.dice_notation import die_text
from rollwise.game.notation import format_action
from rollwise.playing.category_codes import DIE_KEYS
from rollwise.playing.session import HeldDice, Session
from rollwise.rules import Rules
from rollwise.solving.option import Option, format_loss
from rollwise.terminal.scorecard import NARROW, WIDTH
from rollwise.two_player.win_probability import WinEstimate

ADVICE, EXPLAINED = 43, 80
"""The usual width of the options, and their minimum width for showing reasons."""

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


def stage(session: Session, outlook: WinEstimate | None, width: int = WIDTH) -> Text:
    """Return the current step in words, with the win probabilities ``outlook`` if they fit."""
    text = Text(session.words(), style="bold")
    if outlook is not None:
        columns = width - len(text) - GAP
        bar = outlook_bar(session.game.players, outlook, columns)
        if len(bar) <= columns:
            text.append(" " * (columns + GAP - len(bar))).append(bar)
    return text


def outlook_bar(players: Sequence[str], outlook: WinEstimate, columns: int) -> Text:
    """Return a bar with the win probabilities; ``~`` marks an approximate probability."""
    (name, opponent), (first, second) = (name[:SHORT] for name in players), outlook.shares()
    left, right = f"{name} {first} ", f" {second} {opponent}"
    bar = min(max(columns - len(left) - len(right), SMALL_BAR), BAR)
    filled = round(outlook.value * bar)
    return Text(f"{left}{'█' * filled}{'░' * (bar - filled)}{right}", style="not bold")


def dice(rules: Rules, tray: HeldDice, *, short: bool = False) -> Text:
    """Return the dice; held dice have a double frame and, unless ``short``, a label."""
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
    for number, row in enumerate(rows[:4] if short else rows):
        text.append("\n" if number else "")
        for cell, style in row:
            text.append(cell, style)
    return text


def advice(
    session: Session,
    options: list[Option],
    most: int = 4,
    doubted: Option | None = None,
    width: int = ADVICE,
) -> Text:
    """Return the best options with their values and EV losses, and the doubted option.

    A wide screen also shows the categories and bonuses in which the best option gains points.

    Parameters
    ----------
    session : Session
    options : list of Option
        Best first.
    most : int
        The maximum number of options to show.
    doubted : Option, optional
        The option that the tutor warned about.
    width : int
        The width in characters.
    """
    rules, position = session.game.rules, session.position
    words = [format_action(rules, option.action) for option in options]
    wide = max(map(len, words))
    points = session.solution is not None and session.solution.objective.name == "expected"
    text = _heading(wide, points=points)
    gains = session.reasons.of(position, options) if position else []
    reasons = dict(zip(map(id, options), gains, strict=True)) if width >= EXPLAINED else {}
    if any(reasons.values()):
        text.append("  gain of the best option")
    shown = options[:most]
    if doubted is not None and doubted not in shown:
        shown[-1] = doubted
    for option in shown:
        action = format_action(rules, option.action)
        yours = " yours" if option == doubted else ""
        line = f"\n{action:<{wide}} {option.value:>7.2f} {format_loss(option):>7}{yours}"
        text.append(line, "not bold")
        if reason := session.reasons.briefly(reasons.get(id(option), ()), width - len(line) - 2):
            text.append(f"  {reason}", "not bold")
    hidden = len(options) - len(shown)
    if hidden and most > 4:
        text.append(f"\n… and {hidden} more", "not bold")
    return text


def _heading(wide: int, *, points: bool) -> Text:
    value, loss = ("EV", "EV loss") if points else ("value", "loss")
    return Text(f"{'option':<{wide}} {value:>7} {loss:>7}", style="bold", no_wrap=True)


def options(
    rules: Rules,
    best_first: Sequence[Option],
    chosen: Option,
    mark: str,
    most: int,
    *,
    points: bool = True,
) -> Text:
    """Return the best options with their values and EV losses; ``mark`` marks the chosen option.

    ``points`` says whether the values are expected scores.
    """
    shown = list(best_first[:most])
    if chosen not in shown:
        shown[-1] = chosen
    words = [format_action(rules, option.action) for option in shown]
    wide = max(map(len, ["option", *words]))
    text = _heading(wide, points=points)
    for word, option in zip(words, shown, strict=True):
        line = f"\n{word:<{wide}} {option.value:>7.2f} {format_loss(option):>7}"
        text.append(f"{line} {mark}" if option == chosen else line, "not bold")
    return text


def keys(session: Session, width: int = WIDTH) -> str:
    """Return the line that lists the keys."""
    rules = session.game.rules
    if session.game.is_over:
        if width < NARROW:
            return "r review · p practice · n new · q quit"
        return "r review · p practice mistakes · n new game · u undo · q quit"
    dice = f"1-{DIE_KEYS[rules.dice - 1]}" if rules.dice > 1 else "1"
    if width < NARROW:
        return f"space {dice} s h u t q · ? help"
    return f"space roll · {dice} keep · s score · h hint · u undo · t tutor · ? help · q quit"


def help_text(rules: Rules) -> str:
    """Return the help for the keys."""
    return HELP.format(last=DIE_KEYS[rules.dice - 1])


HELP = """\
1–{last}      keep or release a die           h   hint: the best options
space r  roll the other dice             u   undo the last choice
s CODE   score, such as s1, s3k, sfh     t   tutor on or off
fh, y …  no s needed, unless the code    ?   this help
         starts with one of these keys   q   quit; the game is saved

A number in brackets shows what the roll would score in an open category.
The tutor warns before a choice that loses 0.2 points or more on average.
The bar shows the win probabilities if both play to win; ~ marks an estimate.
Undo does not change the dice: the same choice gives the same roll."""
