"""Dialogue for a game with real dice: the players type their rolls, and an adviser responds.

The dialogue with a greedy strategy follows the blog "Greedy AI", whose author asked a program for
advice after every roll.
"""

from collections import Counter
from contextlib import suppress
from typing import NamedTuple, Protocol

from rollwise.errors import IllegalError, MalformedError, counted
from rollwise.game.actions import Action, Keep
from rollwise.game.dice_notation import (
    format_dice,
    format_keep,
    parse_dice,
    parse_keep,
)
from rollwise.game.events import Roll, as_event
from rollwise.game.game import Game
from rollwise.game.notation import VERBS, as_verb, format_action, parse_action
from rollwise.game.position import Position
from rollwise.game.scorecard import Dice, draw_cards
from rollwise.model.dice_lattice import lattice
from rollwise.playing.bot import Bot
from rollwise.reviews.reasons import Reasons
from rollwise.solving.option import Options
from rollwise.solving.solution import Solution

EXPLANATIONS = (
    "the faces of all dice after a roll, or of only the dice that were rolled",
    "other dice were kept than advised",
    "another category was scored than advised",
    "undo the last roll",
    "show the scorecards",
    "quit; the game is saved",
)
"""The explanation of each line that the user can type."""

SHOWN = 5
"""The number of options that the advice of a solution shows."""


class Advice(NamedTuple):
    """The advice for a position.

    Attributes
    ----------
    action : Keep or Score
        The advised action.
    options : str
        Lines that compare the options; empty if the adviser does not compare them.
    note : str
        The end of the sentence that names the advised action.
    """

    action: Action
    options: str = ""
    note: str = ""


class Adviser(Protocol):
    """An adviser for every position of a game."""

    def advise(self, position: Position) -> Advice:
        """Return the advice for a position."""


class SolutionAdviser:
    """The advice of a solution: the best options with their values, and a reason.

    Parameters
    ----------
    solution : Solution
        A solution of the whole game.
    """

    def __init__(self, solution: Solution) -> None:
        self._solution, self._reasons = solution, Reasons(solution)

    def advise(self, position: Position) -> Advice:
        """Return the best option, a table of the best options, and the reason for the best one."""
        options = self._solution.options(position)
        self._reasons.prepare()
        reason = next(self._reasons.sentences(position, options, most=3), "")
        table = str(Options(options[:SHOWN], position, self._solution.objective))
        lines = filter(None, (table, f"{reason}." if reason else ""))
        return Advice(options[0].action, "\n".join(lines))


class StrategyAdviser:
    """The advice of a strategy: its action, with the expected points of the turn if it has them.

    Parameters
    ----------
    bot : Bot
        A computer opponent that follows the strategy.
    """

    def __init__(self, bot: Bot) -> None:
        self._bot = bot

    def advise(self, position: Position) -> Advice:
        """Return the action of the strategy."""
        action = self._bot.action(position)
        # `options` has only one score action, even if the bot's score action is equally good.
        expected = (
            f"; expected points this turn: {value:.4f}"
            for option, value in self._bot.strategy.options(position)
            if option == action or option.kind == action.kind == "score"
        )
        return Advice(action, note=next(expected, ""))


class Dialogue:
    """A game with real dice that is entered roll by roll, while an adviser gives advice.

    The dialogue assumes that the players follow the advice, and adds the advised action to the
    game. The next line is either the next roll or the action that the player took instead.

    Parameters
    ----------
    game : Game
        The game so far. The dialogue changes it.
    adviser : Adviser
    """

    def __init__(self, game: Game, adviser: Adviser) -> None:
        self.game, self._adviser = game, adviser

    @property
    def due(self) -> str:
        """The player, the turn, and the number of the roll to enter next, in words."""
        game = self.game
        rolls = game.rules.rolls_with(game.card.saved)
        number = rolls - game.stage.rolls_left + 1
        words = f"turn {game.turn} of {len(game.rules.keys)}, roll {number} of {rolls}"
        if len(game.players) > 1:
            return f"{game.players[game.stage.player]}, {words}"
        return words.capitalize()

    @property
    def example(self) -> Dice:
        """A roll of the game, as an example of what to type."""
        rolls = lattice(self.game.rules.kinds).rolls
        return rolls[len(rolls) // 4]

    def begin(self) -> str:
        """Return the advice for the last roll of a resumed game; empty if a roll is due."""
        return self._advise()

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
                return self._help()
            case "card", False:
                return draw_cards(self.game.stage.cards, self.game.players)
            case (("u" | "undo"), False):
                return self._take_back()
        if as_verb(verb) in VERBS:
            action = as_event(self.game.rules, line.strip())
            assert not isinstance(action, Roll)
            return self._instead(action)
        if any(character.isalpha() for character in line):
            return self._instead(parse_action(self.game.rules, f"score {line.strip()}"))
        self.game.push(Roll(self._parse_roll(line)))
        return self._advise()

    def _parse_roll(self, text: str) -> Dice:
        """Return all dice after a roll, from all faces or from the faces of the rolled dice."""
        rules, kept = self.game.rules, self.game.stage.kept
        with suppress(MalformedError):
            dice = tuple(sorted((*kept, *parse_keep(rules, text))))
            if rules.is_roll(dice):
                return dice
        return parse_dice(rules, text)

    def _advise(self) -> str:
        """Take the advised action for the current roll, and return the advice in words."""
        position = self.game.position
        if position is None:
            return ""
        advice = self._adviser.advise(position)
        lines = advice.options, f"{self._done(advice.action)}{advice.note}"
        return "\n".join(filter(None, lines))

    def _done(self, action: Action) -> str:
        """Take an action, and return it in words."""
        game, dice, player = self.game, self.game.stage.dice or (), self.game.stage.player
        before = game.card.points
        game.push(action)
        if isinstance(action, Keep):
            rerolled = tuple((Counter(dice) - Counter(action.dice)).elements())
            keep = format_keep(game.rules, action.dice)
            return f"reroll {format_keep(game.rules, rerolled)} (keep {keep})"
        after = game.cards[player].points
        points = counted(after - before, "point")
        return f"{format_action(game.rules, action)}: {points}, {after} in total"

    def _instead(self, action: Action) -> str:
        """Replace the last action with the given action."""
        game = self.game
        if not game.events:
            example = format_dice(game.rules, self.example)
            raise IllegalError(
                f"there is no advice to replace yet; enter a roll first, such as {example}"
            )
        replaced = game.pop()
        try:
            return self._done(action)
        except IllegalError:
            game.push(replaced)
            raise

    def _help(self) -> str:
        """Explain what the user can type, with a roll and a category of this game."""
        rules, roll = self.game.rules, self.example
        keep = tuple(die for die in roll if die == roll[-1])
        lines = (format_dice(rules, roll), f"keep {format_keep(rules, keep)}")
        examples = (*lines, f"score {rules.keys[-1]}", "u", "card", "q")
        width = max(map(len, examples)) + 3
        pairs = zip(examples, EXPLANATIONS, strict=True)
        return "\n".join(example.ljust(width) + explanation for example, explanation in pairs)

    def _take_back(self) -> str:
        """Undo the last roll and the actions after it."""
        while not isinstance(self.game.pop(), Roll):
            pass
        return "Undone."
