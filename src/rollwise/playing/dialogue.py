"""Dialogue for a game with real dice, in which a greedy strategy gives advice.

Source: the blog "Greedy AI", whose author asked a program for advice after every roll.
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
    """A game with real dice that is entered roll by roll, while a greedy strategy gives advice.

    The dialogue assumes that the player follows the advice, and adds the advised action to the
    game. The next line is either the next roll or the action that the player took instead.

    Parameters
    ----------
    rules : Rules
    player : Greedy
    date : datetime.date, optional
        The date for the game record.
    """

    def __init__(self, rules: Rules, player: Greedy, date: datetime.date | None = None) -> None:
        self.game = Game(rules)
        self._player, self._bot, self._date = player, Bot(player, rules), date

    @property
    def record(self) -> Record:
        """The game so far."""
        game = self.game
        return Record(game.rules, game.players, game.events, None, self._date)

    @property
    def due(self) -> str:
        """The turn and the number of the roll to enter next, in words."""
        game = self.game
        rolls = game.rules.rolls_with(game.card.saved)
        number = rolls - game.stage.rolls_left + 1
        return f"Turn {game.turn} of {len(game.rules.keys)}, roll {number} of {rolls}"

    def answer(self, line: str) -> str:
        """Process a line of input and return the response.

        Raises
        ------
        InputError
            If the line cannot be parsed or is not legal here. The game does not change.
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
        """Take the advised action for the current roll, and return it in words."""
        position = self.game.position
        assert position is not None
        action = self._bot.action(position)
        options = self._player.options(position)
        # `options` has only one score action, even if the bot's score action is equally good.
        expected = next(
            value
            for option, value in options
            if option == action or option.kind == action.kind == "score"
        )
        return f"{self._done(action)}, expected {expected:.4f}"

    def _done(self, action: Action) -> str:
        """Take an action, and return it in words."""
        game, dice = self.game, self.game.stage.dice or ()
        before = game.card.points
        game.push(action)
        if isinstance(action, Keep):
            rerolled = tuple((Counter(dice) - Counter(action.dice)).elements())
            keep = format_keep(game.rules, action.dice)
            return f"roll {format_keep(game.rules, rerolled)} again (keep {keep})"
        after = game.card.points
        return f"{format_action(game.rules, action)}: {after - before} points, {after} in all"

    def _instead(self, text: str) -> str:
        """Replace the advised action with the given action."""
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
        self.game.pop()  # its roll
        return "Taken back."
