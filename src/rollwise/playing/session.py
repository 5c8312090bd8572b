"""A game at the table: people and robots, dice that lie where they fell, undo, hints, a tutor.

The dice as they lie at the table.

The tutor: what is said before a choice that loses something.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from rollwise.errors import IllegalError
from rollwise.game.actions import Action, Keep, Score
from rollwise.game.events import Event, Roll
from rollwise.game.game import Game, fair_roll
from rollwise.game.notation import die_text, format_action
from rollwise.game.position import Position
from rollwise.game.records.record import Record
from rollwise.game.scorecard import Dice, Move
from rollwise.playing.bot import Bot
from rollwise.playing.ending import result_of
from rollwise.reviews.grades import EXCELLENT, verdict_of
from rollwise.reviews.reasons import Reasons
from rollwise.solving.option import Option
from rollwise.solving.solution import Solution


@dataclass(frozen=True)
class Caution:
    """What the tutor says before a choice that loses something.

    Attributes
    ----------
    chosen, best : Option
    verdict : str
    """

    chosen: Option
    best: Option
    verdict: str


def caution(options: Sequence[Option], action: Action, point: float) -> Caution | None:
    """Return what there is to say about a choice; None of one that loses next to nothing.

    Parameters
    ----------
    options : sequence of Option
        All there are, best first.
    point : float
        What a point is worth in the unit of their values.
    """
    chosen = next((option for option in options if option.action == action), None)
    if chosen is None or chosen.loss < EXCELLENT * point:
        return None
    return Caution(chosen, options[0], verdict_of(chosen.loss, point))


@dataclass(frozen=True)
class Tray:
    """The dice as they lie: they keep their places while others are rolled.

    Attributes
    ----------
    faces : tuple of int
        In the order of their places; empty before the first roll of a turn.
    held : tuple of bool
        Which of them the player means to keep.
    """

    faces: Dice = ()
    held: tuple[bool, ...] = ()

    @property
    def kept(self) -> Dice:
        """The dice held, sorted."""
        return tuple(sorted(f for f, h in zip(self.faces, self.held, strict=True) if h))

    def toggle(self, place: int) -> "Tray":
        """Return the tray with one die held that was not, or the other way round."""
        held = tuple(h != (i == place) for i, h in enumerate(self.held))
        return Tray(self.faces, held)

    def hold(self, kept: Dice) -> "Tray":
        """Return the tray with exactly these dice held, the first of equal ones."""
        wanted, held = list(kept), []
        for face in self.faces:
            held.append(face in wanted)
            if held[-1]:
                wanted.remove(face)
        return Tray(self.faces, tuple(held))

    def rolled(self, dice: Dice) -> "Tray":
        """Return the tray after the dice that are not held were rolled."""
        if not self.faces:
            return Tray(dice, (False,) * len(dice))
        fresh = list(dice)
        for face in self.kept:
            fresh.remove(face)
        faces = tuple(
            face if held else fresh.pop(0) for face, held in zip(self.faces, self.held, strict=True)
        )
        return Tray(faces, self.held)

    def after(self, event: Event, dice: Dice) -> "Tray":
        """Return the tray after an event, after which these dice lie on the table."""
        match event:
            case Roll():
                return self.rolled(dice)
            case Keep():
                return self if self.kept == tuple(sorted(event.dice)) else self.hold(event.dice)
            case Score():
                return Tray()
        return self


TAKEN_BACK = "Taken back."


class Session:
    """A game played at one table.

    Parameters
    ----------
    record : Record
        The game so far; without a seed the dice are rolled by hand and typed in.
    solution : Solution or None
        For hints and the tutor; without it there are none, and it may come later.
    robots : mapping of int to Bot or None
        Players, by number, that are no people; None for one who is asked elsewhere.
    tutor : bool
        Whether choices that lose something are warned of.

    Attributes
    ----------
    solution : Solution or None
    looked_up : callable or None
        Returns the options at a position of a solution that would take too long here; none as long
        as they are not there yet.
    advice_to_come : bool
        Whether somebody is getting the solution, or options, that are not there yet.
    news : str
        What happened last, in words.
    """

    def __init__(
        self,
        record: Record,
        solution: Solution | None,
        robots: Mapping[int, Bot | None] | None = None,
        *,
        tutor: bool = False,
    ) -> None:
        self.solution, self.seed, self.date = solution, record.seed, record.date
        self.looked_up: Callable[[Position], list[Option]] | None = None
        self.advice_to_come = False
        self.robots = dict(robots or {})
        self.tutor, self._setting = tutor or record.setting.tutor, record.setting
        self.game = Game(record.rules, record.players)
        self._trays = [Tray()]
        self.news = ""
        for event in record.events:
            self._push(event)

    @cached_property
    def reasons(self) -> Reasons:
        """The reasons of options, once somebody prepares them; only where there is a solution."""
        assert self.solution is not None
        return Reasons(self.solution)

    @property
    def tray(self) -> Tray:
        """The dice as they lie."""
        return self._trays[-1]

    @property
    def record(self) -> Record:
        """The game so far."""
        game = self.game
        setting = replace(self._setting, tutor=self.tutor)
        return Record.of(game, self.seed, self.date, setting)

    @property
    def position(self) -> Position | None:
        """The decision that is due."""
        return self.game.position

    @property
    def roll_number(self) -> int:
        """Which roll of the turn lies on the table; 0 before the first."""
        return self._rolls - self.game.stage.rolls_left

    @property
    def _rolls(self) -> int:
        """How many rolls this turn has, saved or extra ones among them."""
        return self.game.rules.rolls_with(self.game.card.saved)

    @property
    def is_robots_turn(self) -> bool:
        """Whether the next choice or roll is a robot's."""
        return not self.game.is_over and self.game.stage.player in self.robots

    @property
    def awaits_typed_dice(self) -> bool:
        """Whether a roll of real dice is due, whoever's turn it is: somebody has to type it in."""
        return self.seed is None and self.game.awaits_roll

    @property
    def robot_may_play(self) -> bool:
        """Whether :meth:`robot_step` can go on."""
        return self.is_robots_turn and not self.awaits_typed_dice

    @property
    def to_roll(self) -> int:
        """How many dice rolling now would roll; 0 where a turn begins, or none is left."""
        return sum(not held for held in self.tray.held) if self._may_keep else 0

    @property
    def _may_keep(self) -> bool:
        return "keep" in self.game.next_kinds

    @property
    def may_roll(self) -> bool:
        """Whether the player may roll now: a first roll, or those dice that are not held."""
        return self.game.awaits_roll or (self._may_keep and not all(self.tray.held))

    @property
    def awaits_announcement(self) -> bool:
        """Whether a box has to be announced before anything else."""
        return "announce" in self.game.next_kinds

    def words(self) -> str:
        """Return whose turn it is, and which roll lies on the table."""
        game, rules = self.game, self.game.rules
        if game.is_over:
            return f"The game is over: {result_of(game)}"
        who = f", {game.players[game.stage.player]}" if len(game.players) > 1 else ""
        turn = f"Turn {game.turn} of {len(rules.categories)}{who}"
        if not self.roll_number:
            saved = f" ({rules.saved_words}: {game.card.saved})" if game.card.saved else ""
            return f"{turn}: roll the dice{saved}"
        left = game.stage.rolls_left
        rest = f"{left} left" if left else "the last: score it"
        if self.awaits_announcement:
            rest = "announce a box"
        elif game.stage.announced is not None:
            rest += f", for {rules.categories[game.stage.announced].title}"
        if left and rules.extra_rolls and game.card.saved:
            rest += ", one of them extra" if left > 1 else ", an extra one"
        return f"{turn}: roll {self.roll_number} of {self._rolls}, {rest}"

    def possible(self) -> dict[int, Move]:
        """Return what the roll on the table would score, by category."""
        return {} if self.position is None else self.position.possible()

    def toggle(self, place: int) -> None:
        """Hold a die, or let it go.

        Raises
        ------
        IllegalError
            When there is no such die, or none may be rolled again.
        """
        if not 0 <= place < len(self.tray.faces) or self.game.awaits_roll:
            raise IllegalError("no die to hold: expected a roll first")
        if not self.game.stage.rolls_left:
            raise IllegalError("no roll is left: expected a score")
        self._trays[-1] = self.tray.toggle(place)

    def hold(self, kept: Dice) -> None:
        """Hold exactly these dice."""
        self._trays[-1] = self.tray.hold(kept)

    def intended(self) -> Keep | None:
        """Return the keep that rolling now would make; None before a first roll."""
        return None if self.game.awaits_roll else Keep(self.tray.kept)

    def roll(self, dice: Sequence[int] | None = None) -> None:
        """Roll the dice that are not held.

        Parameters
        ----------
        dice : sequence of int, optional
            What all dice on the table show, if they are rolled by hand.

        Raises
        ------
        IllegalError
            When no roll is left, nothing is to be rolled, or the dice are not those held.
        """
        before = len(self.game.events)
        try:
            if (keep := self.intended()) is not None:
                self._push(keep)
            if dice is None and self.seed is None:
                raise IllegalError("these dice are rolled by hand: expected what they show")
            self._push(fair_roll(self.game, self.seed or 0) if dice is None else Roll(tuple(dice)))
        except IllegalError:
            while len(self.game.events) > before:
                self._pop()
            raise

    def do(self, action: Action) -> None:
        """Make a choice: announce a box, score, or hold these dice and roll the others.

        Raises
        ------
        IllegalError
            When it cannot be made here.
        """
        if isinstance(action, Keep):
            self.hold(action.dice)
            self.roll()
        else:
            self._push(action)

    def undo(self) -> None:
        """Take back the last choice of a person, and all that followed.

        Raises
        ------
        IllegalError
            When nobody has chosen anything yet.
        """
        game, taken = Game(self.game.rules, self.game.players, self.game.events), 0
        while game.events:
            event = game.pop()
            taken += 1
            if not isinstance(event, Roll) and game.stage.player not in self.robots:
                for _ in range(taken):
                    self._pop()
                self.news = TAKEN_BACK
                return
        raise IllegalError("nothing to undo: no choice was made yet")

    def options(self) -> list[Option]:
        """Return all options here, best first; none where no decision is due, or none are known."""
        if self.position is None or self.solution is None:
            return []
        return (self.looked_up or self.solution.options)(self.position)

    def caution(self, action: Action) -> Caution | None:
        """Return what the tutor has to say about a choice; None if he is content, or off."""
        if not self.tutor or self.solution is None:
            return None
        return caution(self.options(), action, self.solution.objective.point)

    def robot_step(self, action: Action | None = None) -> Event:
        """Let the robot whose turn it is roll or choose once; return what happened.

        Parameters
        ----------
        action : Announce, Keep or Score, optional
            What it chooses, of one who was asked elsewhere.

        Raises
        ------
        IllegalError
            When it is no robot's turn, or dice rolled by hand are missing.
        """
        if not self.is_robots_turn:
            raise IllegalError("expected the turn of a robot")
        game = self.game
        if game.awaits_roll:
            if self.seed is None:
                raise IllegalError("these dice are rolled by hand: expected what they show")
            self._push(fair_roll(game, self.seed))
        else:
            if action is None:
                robot = self.robots[game.stage.player]
                assert robot is not None
                action = robot.choose(game)
            if isinstance(action, Keep):
                self.hold(action.dice)
            self._push(action)
        return self.game.events[-1]

    def _push(self, event: Event) -> None:
        name, rules = self.game.players[self.game.stage.player], self.game.rules
        self.game.push(event)
        what = (
            f"rolled {' '.join(die_text(rules, die) for die in event.dice)}"
            if isinstance(event, Roll)
            else format_action(rules, event)
        )
        self.news = f"{name}: {what}."
        self._trays.append(self.tray.after(event, self.game.stage.dice or ()))

    def _pop(self) -> None:
        self.game.pop()
        self._trays.pop()
