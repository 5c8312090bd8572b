"""The greedy player's dialogue: a hand in, which dice to roll again or the box to score in out.

Source: the blog "Greedy AI", whose program its author asked at the table, hand by hand.
"""

import datetime
from collections import Counter

from rollwise.errors import IllegalError
from rollwise.game.actions import Action, Keep
from rollwise.game.dice_notation import format_keep, parse_dice
from rollwise.game.events import Roll, as_event
from rollwise.game.game import Game
from rollwise.game.notation import format_action
from rollwise.game.records.record import Record
from rollwise.game.scorecard import draw_cards
from rollwise.playing.bot import Bot
from rollwise.rules import Rules
from rollwise.strategies import Greedy

HELP = """\
11366          the hand: what all dice show
keep 66        to keep other dice than advised
score chance   to score elsewhere than advised
u              take back the last hand
card           show the card
q              leave; the game is kept"""


class Dialogue:
    """A game at a table whose dice are told hand by hand, with the advice of a greedy player.

    The advice is taken as followed: what is kept or scored is pushed at once, and the next line is
    the next hand, or something else that was done.

    Parameters
    ----------
    rules : Rules
    player : Greedy
    date : datetime.date, optional
        Of the record.
    """

    def __init__(self, rules: Rules, player: Greedy, date: datetime.date | None = None) -> None:
        self.game = Game(rules)
        self._player, self._robot, self._date = player, Bot(player, rules), date

    @property
    def record(self) -> Record:
        """The game so far."""
        game = self.game
        return Record(game.rules, game.players, game.events, None, self._date)

    @property
    def due(self) -> str:
        """Which hand is to be told next, in words."""
        game = self.game
        rolls = game.rules.rolls_with(game.card.saved)
        number = rolls - game.stage.rolls_left + 1
        return f"Turn {game.turn} of {len(game.rules.keys)}, roll {number} of {rolls}"

    def answer(self, line: str) -> str:
        """Do what a line says; return what there is to say to it.

        Raises
        ------
        InputError
            When it says nothing that can be done here; the game is then as before.
        """
        verb, *rest = line.split() or [""]
        match verb.lower(), bool(rest):
            case (("?" | "help"), False):
                return HELP
            case "card", False:
                return draw_cards(self.game.stage.cards)
            case (("u" | "undo"), False):
                return self._take_back()
            case (("keep" | "score"), _):
                return self._instead(line.strip())
        self.game.push(Roll(parse_dice(self.game.rules, line)))
        return self._advise()

    def _advise(self) -> str:
        """Follow the advice for the hand that was told, and return it."""
        position = self.game.position
        assert position is not None
        action = self._robot.action(position)
        options = self._player.options(position)
        # Of boxes as good as each other the options name one, not always the same.
        expected = next(
            worth for one, worth in options if one == action or one.kind == action.kind == "score"
        )
        return f"{self._done(action)}, expected {expected:.4f}"

    def _done(self, action: Action) -> str:
        """Push an action; return it in words."""
        game, dice = self.game, self.game.stage.dice or ()
        before = game.card.points
        game.push(action)
        if isinstance(action, Keep):
            again = tuple((Counter(dice) - Counter(action.dice)).elements())
            kept = format_keep(game.rules, action.dice)
            return f"roll {format_keep(game.rules, again)} again (keep {kept})"
        after = game.card.points
        return f"{format_action(game.rules, action)}: {after - before} points, {after} in all"

    def _instead(self, text: str) -> str:
        """Do something else than what was advised."""
        action = as_event(self.game.rules, text)
        if not self.game.events:
            raise IllegalError("nothing is advised yet: expected a hand, such as 11366")
        advised = self.game.pop()
        try:
            assert not isinstance(action, Roll)
            return self._done(action)
        except IllegalError:
            self.game.push(advised)
            raise

    def _take_back(self) -> str:
        self.game.pop()  # the action
        self.game.pop()  # its hand
        return "Taken back."
