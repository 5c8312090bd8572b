"""Dialogue for a game with real dice: the player types the rolls, and a strategy responds.

The dialogue with a greedy strategy follows the blog "Greedy AI", whose author asked a program for
advice after every roll.
"""

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress

from rollwise.errors import IllegalError, InputError, MalformedError, counted
from rollwise.game.actions import Action, Event, Keep, Roll
from rollwise.game.dice_notation import (
    format_dice,
    format_keep,
    parse_dice,
    parse_keep,
)
from rollwise.game.game import Game
from rollwise.game.notation import VERBS, as_verb, format_action, parse_action
from rollwise.game.scorecard import Dice
from rollwise.model.dice_lattice import lattice
from rollwise.playing.bot import Bot
from rollwise.reviews.reasons import Reasons
from rollwise.solving.option import Options
from rollwise.strategies import Optimal, Strategy

EXPLANATIONS = (
    "the faces of all dice after a roll, or of only the dice that were rolled",
    "other dice were kept than advised",
    "another category was scored than advised",
    "undo the last line",
    "show the scorecard",
    "quit",
)
"""The explanation of each line that the user can type."""

SHOWN = 5
"""The number of options that the advice of a solution shows."""


class Dialogue:
    """A game of one player with real dice, entered roll by roll, while a strategy gives advice.

    The dialogue changes the game: it assumes that the player follows the advice, and adds the
    advised action. The next line is either the next roll or the action that the player took
    instead.
    """

    def __init__(self, game: Game, strategy: Strategy) -> None:
        self.game, self._bot = game, Bot(strategy, game.rules)
        self._earlier: list[Sequence[Event]] = []
        self._reasons = Reasons(strategy.solution) if isinstance(strategy, Optimal) else None

    @property
    def due(self) -> str:
        """The turn and the number of the roll to enter next, in words."""
        game = self.game
        rolls = game.rules.rolls_with(game.card.saved)
        number = rolls - game.stage.rolls_left + 1
        return f"Turn {game.turn} of {len(game.rules.keys)}, roll {number} of {rolls}"

    @property
    def example(self) -> Dice:
        """A roll of the game, as an example of what to type."""
        rolls = lattice(self.game.rules.kinds).rolls
        return rolls[len(rolls) // 4]

    def answer(self, line: str) -> str:
        """Process a line of input and return the response; an invalid line changes nothing."""
        if line.strip().lower() in ("u", "undo"):
            return self._take_back()
        before = self.game.events
        response = self._answer(line)
        if self.game.events != before:
            self._earlier.append(before)
        return response

    def _answer(self, line: str) -> str:
        verb, *rest = line.split() or [""]
        match verb.lower(), bool(rest):
            case (("?" | "help"), False):
                return self._help()
            case "card", False:
                return str(self.game.card)
        if any(character.isalpha() for character in line):
            action = line if as_verb(verb) in VERBS else f"score {line}"
            return self._instead(parse_action(self.game.rules, action.strip()))
        self.game.push(Roll(self._parse_roll(line)))
        try:
            return self._advise()
        except InputError:  # the strategy cannot play this game
            self.game.pop()
            raise

    def _advise(self) -> str:
        """Take the advised action, and return the advice in words.

        Optimal play compares the best options by their values, and gives a reason. Other strategies
        tell the expected points of the turn, if they know them.
        """
        position = self.game.position
        assert position is not None
        if self._reasons is None:
            expected = self._bot.strategy.options(position)
            note = f"; expected points this turn: {expected[0][1]:.4f}" if expected else ""
            return self._done(self._bot.action(position)) + note
        solution = self._reasons.solution
        options = solution.options(position)
        self._reasons.prepare()
        lines = [str(Options(options[:SHOWN], position, solution.objective))]
        lines += [f"{reason}." for reason in self._reasons.sentences(position, options, most=3)][:1]
        return "\n".join([*lines, self._done(options[0].action)])

    def _parse_roll(self, text: str) -> Dice:
        """Return all dice after a roll, from all faces or from the faces of the rolled dice."""
        rules, kept = self.game.rules, self.game.stage.kept
        with suppress(MalformedError):
            dice = tuple(sorted((*kept, *parse_keep(rules, text))))
            if rules.is_roll(dice):
                return dice
        return parse_dice(rules, text)

    def _done(self, action: Action) -> str:
        """Take an action, and return it in words."""
        game, dice = self.game, self.game.stage.dice or ()
        before = game.card.points
        game.push(action)
        if isinstance(action, Keep):
            rerolled = tuple((Counter(dice) - Counter(action.dice)).elements())
            keep = format_keep(game.rules, action.dice)
            return f"reroll {format_keep(game.rules, rerolled)} (keep {keep})"
        after = game.card.points
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
        """Undo the last line: a roll with the advised action, or another action than advised."""
        if not self._earlier:
            raise IllegalError("there is nothing to undo, because the game has just begun")
        while self.game.events:
            self.game.pop()
        for event in self._earlier.pop():
            self.game.push(event)
        return "Undone."
