"""Answering a question by keys or by mouse; the same in a terminal and in a browser."""

from rollwise.errors import InputError
from rollwise.game.actions import Action, Keep
from rollwise.game.notation import format_action
from rollwise.game.position import Position
from rollwise.game.scorecard import Move
from rollwise.playing.codes import DIE_KEYS, match_code
from rollwise.playing.practice import Practice
from rollwise.playing.tray import Tray

NEXT = (" ", "enter", "n", "right")
"""Keys that go on from an answer."""


class Answering:
    """One person's way through a session of practice.

    Parameters
    ----------
    practice : Practice

    Attributes
    ----------
    tray : Tray
        The dice of the question at hand; of an answer by rolling, with those held that were kept.
    code : str or None
        What is typed so far of the code of a box.
    note : str
        What came of the last key, where it has to be said.
    """

    def __init__(self, practice: Practice) -> None:
        self.practice = practice
        self.code: str | None = None
        self.note = ""
        self.tray = self._laid()

    def _laid(self) -> Tray:
        position = self.position
        return Tray() if position is None else Tray().rolled(position.dice)

    @property
    def position(self) -> Position | None:
        """The position at hand; None once all are answered."""
        question = self.practice.question
        return question.position if question else None

    @property
    def to_roll(self) -> int:
        """How many dice an answer by rolling would roll; 0 where none may be."""
        position = self.position
        may = position is not None and "keep" in position.kinds and self.practice.answer is None
        return self.tray.held.count(False) if may else 0

    def possible(self) -> dict[int, Move]:
        """Return what the roll would score, by category."""
        return {} if self.position is None else self.position.possible()

    def press(self, key: str) -> None:
        """Do what a key means.

        Parameters
        ----------
        key : str
            What it types, or ``enter``, ``escape``, ``backspace``, ``right``.
        """
        self.note = ""
        position = self.position
        if position is None:
            return
        if self.practice.answer is not None:
            if key in NEXT:
                self.go_on()
        elif self.code is None and key in DIE_KEYS[: position.rules.dice]:
            self.toggle(DIE_KEYS.index(key))
        elif self.code is None and key in (" ", "r"):
            self.roll()
        elif self.code is not None or (len(key) == 1 and key.isalpha()):
            self._type(position, key)

    def toggle(self, place: int) -> None:
        """Keep a die, or let it go."""
        position = self.position
        if position is None or self.practice.answer is not None:
            return
        if position.rolls_left:
            self.tray = self.tray.toggle(place)
        else:
            self.note = "No roll is left: choose a box."

    def roll(self) -> None:
        """Answer by rolling the dice that are not kept."""
        if self.to_roll:
            self._answer(Keep(self.tray.kept))
        elif self.practice.answer is None:
            self.note = "Nothing to roll: let a die go, or choose a box."

    def choose(self, category: int) -> None:
        """Answer by announcing a box where that is due, else by scoring."""
        if self.position is not None:
            self._answer(self.position.naming(category))

    def go_on(self) -> None:
        """Take the next question."""
        self.practice.go_on()
        self.tray, self.code, self.note = self._laid(), None, ""

    def words(self) -> str:
        """Return the question in words."""
        position = self.position
        if position is None:
            return "All answered."
        turn = position.state.filled.bit_count() + 1
        left = position.rolls_left
        rolls = f"{left} {'roll' if left == 1 else 'rolls'} left" if left else "no roll left"
        boxes, told = position.rules.categories, position.state.announced
        about = "announce a box" if position.awaits_announcement else rolls
        about += "" if told is None else f" for {boxes[told].title}"
        return f"Turn {turn} of {len(boxes)}, {about}: what would you do?"

    def said(self) -> str:
        """Return what is typed, or what came of it; nothing of an answer."""
        if self.code is not None:
            due = self.position is not None and self.position.awaits_announcement
            naming = "Announce" if due else "Score in"
            return f"{naming}: {self.code}_   (Enter when complete, Esc to stop)"
        return self.note

    def _answer(self, action: Action) -> None:
        self.code = None
        if self.position is None or self.practice.answer is not None:
            return
        try:
            self.practice.judge(action)
        except InputError:
            title = format_action(self.position.rules, action)
            self.note = f"{title}: not possible here."

    def _type(self, position: Position, key: str) -> None:
        """Go on with the code of a box; answer as soon as it is clear which one is meant."""
        typed = self.code or ""
        typed = typed[:-1] if key == "backspace" else typed + key if len(key) == 1 else typed
        if key == "escape" or not typed:
            self.code = None
            return
        match = match_code(
            position.rules, typed, filled=position.state.filled, complete=key == "enter"
        )
        if match.category is not None:
            self.choose(match.category)
        else:
            self.code = typed if match.goes_on else None
            self.note = "" if match.goes_on else f"No box has the code {typed!r}."
