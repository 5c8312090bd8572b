"""The dice as they lie at the table."""

from dataclasses import dataclass

from rollwise.game.actions import Keep, Score
from rollwise.game.events import Event, Roll
from rollwise.game.scorecard import Dice


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
