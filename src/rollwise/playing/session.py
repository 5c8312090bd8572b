"""A game in progress with people and computer opponents: held dice, undo, and a tutor."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate

from rollwise.errors import IllegalError
from rollwise.game.actions import Action, Event, Keep, Roll, Score
from rollwise.game.dice_notation import die_text
from rollwise.game.game import Game, fair_roll
from rollwise.game.notation import format_action
from rollwise.game.position import Position
from rollwise.game.scorecard import Dice, Move
from rollwise.game.stage import GameStep
from rollwise.playing.bot import Bot
from rollwise.playing.game_summary import describe_result
from rollwise.reviews.grades import EXCELLENT, verdict_of
from rollwise.reviews.reasons import Reasons
from rollwise.solving.option import Option
from rollwise.solving.solution import Solution


@dataclass(frozen=True)
class HeldDice:
    """The dice in display order: a held die does not move when the other dice are rolled.

    There are no faces before the first roll of a turn.
    """

    faces: Dice = ()
    held: tuple[bool, ...] = ()

    @property
    def kept(self) -> Dice:
        """The held dice, sorted."""
        return tuple(sorted(f for f, h in zip(self.faces, self.held, strict=True) if h))

    def toggle(self, place: int) -> "HeldDice":
        """Return the dice with the die at the index ``place`` held or released."""
        held = tuple(h != (i == place) for i, h in enumerate(self.held))
        return HeldDice(self.faces, held)

    def hold(self, kept: Dice) -> "HeldDice":
        """Return the dice with only the given faces held; of equal dice, the leftmost are held."""
        wanted, held = list(kept), []
        for face in self.faces:
            held.append(face in wanted)
            if held[-1]:
                wanted.remove(face)
        return HeldDice(self.faces, tuple(held))

    def rolled(self, dice: Dice) -> "HeldDice":
        """Return the dice after a roll; ``dice`` are the faces of all dice, including held dice."""
        if not self.faces:
            return HeldDice(dice, (False,) * len(dice))
        fresh = list(dice)
        for face in self.kept:
            fresh.remove(face)
        faces = tuple(
            face if held else fresh.pop(0) for face, held in zip(self.faces, self.held, strict=True)
        )
        return HeldDice(faces, self.held)

    def after(self, event: Event) -> "HeldDice":
        """Return the faces and the held dice after an event."""
        match event:
            case Roll():
                return self.rolled(event.dice)
            case Keep():
                return self if self.kept == event.dice else self.hold(event.dice)
            case Score():
                return HeldDice()


@dataclass(frozen=True)
class TutorWarning:
    """The tutor's warning that an action has an EV loss; ``verdict`` is its grade."""

    chosen: Option
    best: Option
    verdict: str


TAKEN_BACK = "Undone."


class Session:
    """A game in progress, which the session continues.

    If the game has no seed, the players roll real dice and type in the faces. The solution for
    hints and the tutor can be set later. ``bots`` are the computer opponents by name, unless their
    actions are computed elsewhere. What is not allowed now raises an IllegalError.

    ``lookup_options`` returns the options at a position, and is set if computing them in the
    session would take too long. Its list is empty while the options are not available.
    ``is_advice_pending`` says whether the solution or options are being computed, and ``news`` is
    the last event in words.
    """

    def __init__(
        self,
        game: Game,
        solution: Solution | None,
        bots: Mapping[str, Bot] | None = None,
    ) -> None:
        self.solution, self.bots = solution, dict(bots or {})
        self.lookup_options: Callable[[Position], list[Option]] | None = None
        self.is_advice_pending = False
        self.restart(game)

    def restart(self, game: Game) -> None:
        """Continue another version of the game."""
        self.game, self.news = game, ""
        first = HeldDice() if game.start is None else HeldDice().rolled(game.start.dice)
        self._trays = list(accumulate(game.events, HeldDice.after, initial=first))

    @cached_property
    def reasons(self) -> Reasons:
        """The reasons why options are better than others; requires a solution."""
        assert self.solution is not None
        return Reasons(self.solution)

    @property
    def tray(self) -> HeldDice:
        """The dice in display order, with the held dice marked."""
        return self._trays[-1]

    @property
    def tutor(self) -> bool:
        """Whether the tutor warns about actions with an EV loss."""
        return self.game.headers.tutor

    @tutor.setter
    def tutor(self, is_on: bool) -> None:
        self.game.headers = replace(self.game.headers, tutor=is_on)

    @property
    def _seed(self) -> int | None:
        return self.game.headers.seed

    @property
    def position(self) -> Position | None:
        """The current decision, or None if a roll is due or the game is over."""
        return self.game.position

    @property
    def roll_number(self) -> int:
        """The number of the current roll of the turn, or 0 before the first roll."""
        return self._rolls - self.game.stage.rolls_left

    @property
    def _rolls(self) -> int:
        """The number of rolls of this turn, including saved rolls."""
        return self.game.rules.rolls_with(self.game.card.saved)

    @property
    def is_bots_turn(self) -> bool:
        """Whether a computer opponent must roll or act next."""
        return not self.game.is_over and self.game.mover in self.game.headers.bots

    @property
    def awaits_typed_dice(self) -> bool:
        """Whether someone must type in a roll of real dice, for a person or a computer opponent."""
        return self._seed is None and self.game.awaits_roll

    @property
    def bot_may_play(self) -> bool:
        """Whether :meth:`bot_step` is possible."""
        return self.is_bots_turn and not self.awaits_typed_dice

    @property
    def _may_keep(self) -> bool:
        return "keep" in self.game.next_kinds

    @property
    def may_roll(self) -> bool:
        """Whether the player can make the first roll, or reroll at least one die."""
        return self.game.awaits_roll or (self._may_keep and not all(self.tray.held))

    def words(self) -> str:
        """Return the turn, the player, and the current roll in words."""
        game, rules = self.game, self.game.rules
        if game.is_over:
            return f"Game over: {describe_result(game)}"
        number = f"{game.turn} of {len(rules.categories)}"
        name = game.mover
        whose = "Your" if name == "You" else f"{name}'s"
        turn = f"{whose} turn ({number})" if len(game.players) > 1 else f"Turn {number}"
        if not self.roll_number:
            saved = f" ({rules.saved_name}: {game.card.saved})" if game.card.saved else ""
            return f"{turn}: roll the dice{saved}"
        left = game.stage.rolls_left
        roll = f"roll {self.roll_number} of {self._rolls}" if left else "last roll"
        rest = "" if left else ", choose a category"
        if left and rules.extra_rolls and game.card.saved:
            rest += f" ({'one extra roll' if left > 1 else 'extra roll'} left)"
        return f"{turn}: {roll}{rest}"

    def possible(self) -> dict[int, Move]:
        """Return the legal moves for the current roll, by category."""
        return {} if self.position is None else self.position.possible()

    def toggle(self, place: int) -> None:
        """Hold or release the die at the index ``place``."""
        if not 0 <= place < len(self.tray.faces) or self.game.awaits_roll:
            raise IllegalError("roll the dice before you keep any")
        if not self.game.stage.rolls_left:
            raise IllegalError("no roll is left; choose a category")
        self._trays[-1] = self.tray.toggle(place)

    def hold(self, kept: Dice) -> None:
        """Hold exactly the given faces."""
        self._trays[-1] = self.tray.hold(kept)

    def intended(self) -> Keep | None:
        """Return the action that keeps the held dice, or None before the first roll."""
        return None if self.game.awaits_roll else Keep(self.tray.kept)

    def roll(self, dice: Sequence[int] | None = None) -> None:
        """Roll the dice that are not held; ``dice`` are the faces of all dice if they are real."""
        before = len(self.game.events)
        try:
            if (keep := self.intended()) is not None:
                self._push(keep)
            if dice is None and self._seed is None:
                raise IllegalError("roll your dice and enter their faces")
            self._push(fair_roll(self.game, self._seed or 0) if dice is None else Roll(tuple(dice)))
        except IllegalError:
            while len(self.game.events) > before:
                self._pop()
            raise

    def do(self, action: Action) -> None:
        """Take an action: score a category, or keep dice and roll the others."""
        if isinstance(action, Keep):
            self.hold(action.dice)
            self.roll()
        else:
            self._push(action)

    def push(self, event: Event) -> None:
        """Add an event, and roll the other dice after a keep, unless the players roll real dice."""
        if isinstance(event, Roll) and self._seed is not None:
            raise IllegalError("this game rolls its own dice")
        self._push(event)
        if isinstance(event, Keep) and self._seed is not None:
            self._push(fair_roll(self.game, self._seed))

    def undo(self) -> None:
        """Undo the last action of a person and all events after it."""
        steps = self.undoable()
        if not steps:
            raise IllegalError("there is nothing to undo yet")
        for _ in steps:
            self._pop()
        self.news = TAKEN_BACK

    def undoable(self) -> list[GameStep]:
        """Return the steps that :meth:`undo` would undo, latest first; the last is a person's."""
        steps, game = list[GameStep](), self.game
        for step in reversed(game.steps):
            steps.append(step)
            is_choice = not isinstance(step.event, Roll)
            if is_choice and game.players[step.before.player] not in game.headers.bots:
                return steps
        return []

    def options(self) -> list[Option]:
        """Return all options, best first, or an empty list if none are due or available."""
        if self.position is None or self.solution is None:
            return []
        return (self.lookup_options or self.solution.options)(self.position)

    def caution(self, action: Action) -> TutorWarning | None:
        """Return the tutor's warning about an action, or None if there is no warning."""
        if not self.tutor or self.solution is None:
            return None
        return caution(self.options(), action, self.solution.objective.point)

    def bot_step(self, action: Action | None = None) -> Event:
        """Let the computer opponent roll or act, and return the event.

        ``action`` is its action, if it was computed elsewhere.
        """
        if not self.is_bots_turn:
            raise IllegalError("it is not the turn of a computer opponent")
        game = self.game
        if game.awaits_roll:
            if self._seed is None:
                raise IllegalError("roll your dice and enter their faces")
            self._push(fair_roll(game, self._seed))
        else:
            if action is None:
                action = self.bots[game.mover].choose(game)
            if isinstance(action, Keep):
                self.hold(action.dice)
            self._push(action)
        return self.game.events[-1]

    def _push(self, event: Event) -> None:
        name, rules, player = self.game.mover, self.game.rules, self.game.stage.player
        self.game.push(event)
        event = self.game.events[-1]
        if isinstance(event, Roll):
            description = f"rolled {' '.join(die_text(rules, die) for die in event.dice)}"
        else:
            description = format_action(rules, event)
        if isinstance(event, Score):
            points = self.game.cards[player].boxes[rules.category_index(event.category)]
            description += f" for {points}"
        self.news = f"{name}: {description}."
        self._trays.append(self.tray.after(event))

    def _pop(self) -> None:
        self.game.pop()
        self._trays.pop()


def caution(options: Sequence[Option], action: Action, point: float) -> TutorWarning | None:
    """Return a warning about an action, or None if its EV loss is negligible or it is illegal.

    ``options`` are all options, best first. ``point`` is the EV loss that is graded like one point:
    0.01 for probabilities, otherwise 1.
    """
    chosen = next((option for option in options if option.action == action), None)
    if chosen is None or chosen.loss < EXCELLENT * point:
        return None
    return TutorWarning(chosen, options[0], verdict_of(chosen.loss, point))
