"""The terminal app for practice questions."""

from rich.text import Text

from rollwise.errors import InputError
from rollwise.game.actions import Action, Keep, Score
from rollwise.game.notation import format_action
from rollwise.game.position import Position
from rollwise.playing.category_codes import DIE_KEYS, type_code
from rollwise.playing.practice import ASKED, Answer, Practice
from rollwise.playing.session import HeldDice
from rollwise.terminal import views
from rollwise.terminal.scorecard import scorecard
from rollwise.terminal.screen import ScreenApp

SIGNS = {"best": "●", "excellent": "●", "inaccuracy": "◐", "mistake": "○", "blunder": "○", "": "·"}
"""The symbol of a first answer in the progress bar, by grade."""


NEXT = (" ", "enter", "n", "right")
"""The keys that go to the next question."""


class QuizInput:
    """Keyboard and mouse input of one person who practices.

    Attributes
    ----------
    tray : HeldDice
        The dice of the current question, with the held dice marked.
    code : str or None
        The typed part of the code of a category; None if no code is being typed.
    note : str
        A message about the last key.
    """

    def __init__(self, practice: Practice) -> None:
        self.practice = practice
        self._begin()

    def _begin(self) -> None:
        position = self.position
        self.tray = HeldDice() if position is None else HeldDice().rolled(position.dice)
        self.code: str | None = None
        self.note = ""

    @property
    def position(self) -> Position | None:
        """The current position, or None once all questions are answered."""
        question = self.practice.question
        return question.position if question else None

    def press(self, key: str) -> None:
        """Handle a typed character or ``enter``, ``escape``, ``backspace``, ``right``."""
        self.note = ""
        position = self.position
        if position is None:
            return
        if self.practice.answer is not None:
            if key in NEXT:
                self.practice.go_on()
                self._begin()
        elif self.code is None and key in DIE_KEYS[: position.rules.dice]:
            self.toggle(DIE_KEYS.index(key))
        elif self.code is None and key in (" ", "r"):
            self._roll(position)
        elif self.code is not None or (len(key) == 1 and key.isalpha()):
            self.code, self.note, category = type_code(
                position.rules, self.code or "", key, position.state.filled
            )
            if category is not None:
                self.choose(category)

    def toggle(self, place: int) -> None:
        """Hold or release the die at the index ``place``."""
        position = self.position
        if position is None or self.practice.answer is not None:
            return
        if position.rolls_left:
            self.tray = self.tray.toggle(place)
        else:
            self.note = "No roll is left: choose a category."

    def choose(self, category: int) -> None:
        """Answer by scoring the category."""
        if self.position is not None:
            self._answer(Score(self.position.rules.keys[category]))

    def said(self) -> str:
        """Return the code that is being typed, or the message about the last key."""
        if self.code is not None:
            return f"Score in: {self.code}_   (Enter to confirm, Esc to cancel)"
        return self.note

    def _roll(self, position: Position) -> None:
        if "keep" in position.legal_kinds and not all(self.tray.held):
            self._answer(Keep(self.tray.kept))
        else:
            self.note = "No dice to roll: release a die, or choose a category."

    def _answer(self, action: Action) -> None:
        self.code = None
        if self.position is None or self.practice.answer is not None:
            return
        try:
            self.practice.judge(action)
        except InputError:
            title = format_action(self.position.rules, action)
            self.note = f"Not possible here: {title}."


class PracticeApp(ScreenApp):
    """The app for a series of practice questions."""

    def __init__(self, practice: Practice) -> None:
        super().__init__()
        self.practice, self.answering = practice, QuizInput(practice)
        self.help = False

    @property
    def types(self) -> bool:
        """Whether a letter is part of a category code or closes the help."""
        return self.help or self.answering.code is not None

    def press(self, key: str) -> None:
        """Handle a key."""
        if self.help or (key == "?" and not self.types):
            self.help = not self.help
        else:
            self.answering.press(key)
        self._go_on()

    def action_hold(self, place: int) -> None:
        """Hold or release the die at the index ``place``."""
        self.answering.toggle(place)
        self._go_on()

    def action_choose(self, category: int) -> None:
        """Answer by choosing a category."""
        self.answering.choose(category)
        self._go_on()

    def _go_on(self) -> None:
        if self.practice.question is None:
            self.exit()
            return
        answer = self.practice.answer
        if answer and not answer.is_good and not self.practice.reasons.are_prepared:
            self.run_worker(self._find_reasons, thread=True, exclusive=True)
        self.show()

    def _find_reasons(self) -> None:
        self.practice.reasons.prepare()
        self.call_from_thread(self.show)

    def show(self) -> None:
        """Display the question and, once it is answered, the grade."""
        question, answer = self.practice.question, self.practice.answer
        if question is None:
            return
        position, rules = question.position, question.position.rules
        words = question.situation if answer else f"{question.situation} {ASKED}"
        self.lay(
            {
                "headline": _progress(self.practice, self.width),
                "stage": Text(words, style="bold"),
                "dice": views.dice(rules, self.answering.tray, self.width, short=self.short),
                "advice": self._options(answer) if answer else "",
                "card": self._card(position),
                "message": self._message(answer),
                "keys": views.fitting(_keys(position, answered=answer is not None), self.width, 2),
            }
        )

    def _card(self, position: Position) -> Text | str:
        """Return the scorecard of the question, or the help for the keys."""
        if self.help:
            left = HELP.format(last=DIE_KEYS[position.rules.dice - 1])
            return views.help_columns(left, OTHER_KEYS, self.width) + REMARKS
        possible = {} if self.practice.answer else position.possible()
        return scorecard([position.card], ["You"], 0, possible, self.width, short=self.short)

    def _options(self, answer: Answer) -> Text:
        """Return the best options, with the player's answer marked."""
        return views.options(
            answer.question.position,
            answer.options,
            self.shown,
            marked=answer.chosen,
            points=self.practice.solution.objective.name == "expected",
            width=self.beside,
        )

    def _message(self, answer: Answer | None) -> str:
        if self.help:
            return "Press any key to go back."
        if answer is None:
            return self.answering.said()
        words = f"{answer.words()} {answer.then()}".rstrip()
        return f"{words}\n{answer.reason(self.practice.reasons)}"


def _progress(practice: Practice, width: int) -> Text:
    """Return the number of the question, the grades, and the EV loss so far."""
    row = "".join(SIGNS[mark] for mark in practice.marks())
    answered = len(practice.firsts)
    is_next = practice.answer is None and not practice.is_repeated
    number = f"{answered + is_next} of {practice.number}"
    text = Text(f"{number}   {row}", style="bold", no_wrap=True)
    if practice.is_repeated:
        text.append("   second try", style="not bold")
    if answered:
        text.append(f"   {practice.right} correct", style="not bold")
    if practice.loss:
        text.append(f", {practice.loss:.2f} points lost", style="not bold")
    text.truncate(width, overflow="ellipsis")
    return text


def _keys(position: Position, *, answered: bool) -> str:
    if answered:
        return "space next · ? help · q quit"
    dice = position.rules.dice
    places = f"1-{DIE_KEYS[dice - 1]}" if dice > 1 else "1"
    roll = f"{places} keep · space roll the rest · " if "keep" in position.legal_kinds else ""
    return f"{roll}s and a code: score · ? help · q quit"


HELP = """\
1–{last}      keep or release a die
space r  answer: roll the other dice
s CODE   answer: score, such as s3k
fh, y …  no s needed, unless the code
         starts with a digit or r
"""

OTHER_KEYS = """\
space    next question, once
         you have answered
?        this help
q        quit; answers so far count
"""

REMARKS = """
Each answer is compared with the best option, and you see the reason.
A wrong answer comes back at the end when you practice your mistakes."""
