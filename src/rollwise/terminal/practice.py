"""The terminal app for practice questions."""

from rich.text import Text

from rollwise.game.position import Position
from rollwise.playing.category_codes import DIE_KEYS
from rollwise.playing.practice import Answer, Practice, QuizInput
from rollwise.terminal import views
from rollwise.terminal.scorecard import scorecard
from rollwise.terminal.screen import ScreenApp

SIGNS = {"best": "●", "excellent": "●", "inaccuracy": "◐", "mistake": "○", "blunder": "○", "": "·"}
"""Symbols of first answers in the progress bar, by grade."""


class PracticeApp(ScreenApp):
    """The app for a series of practice questions.

    Parameters
    ----------
    practice : Practice
    """

    def __init__(self, practice: Practice) -> None:
        super().__init__()
        self.practice, self.answering = practice, QuizInput(practice)

    @property
    def types(self) -> bool:
        """Whether typed letters are read as a category code."""
        return self.answering.code is not None

    def press(self, key: str) -> None:
        """Handle a key."""
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
        answer, reasons = self.practice.answer, self.practice.reasons
        if answer and not answer.is_good and not reasons.are_prepared(answer.question.position):
            self.run_worker(self._find_reasons, thread=True, exclusive=True)
        self.show()

    def _find_reasons(self) -> None:
        assert self.practice.answer is not None
        self.practice.reasons.prepare(self.practice.answer.question.position)
        self.call_from_thread(self.show)

    def show(self) -> None:
        """Display the question and, once it is answered, the grade."""
        position, answer = self.answering.position, self.practice.answer
        if position is None:
            return
        rules, card = position.rules, position.card
        possible = {} if answer else self.answering.possible()
        self.lay(
            {
                "headline": _progress(self.practice, self.width),
                "stage": Text(self.answering.words(), style="bold"),
                "dice": views.dice(rules, self.answering.tray),
                "advice": self._options(answer) if answer else "",
                "card": scorecard([card], ["You"], 0, possible, self.width) if card else "",
                "message": self._message(answer),
                "keys": _keys(position, answered=answer is not None),
            }
        )

    def _options(self, answer: Answer) -> Text:
        """Return the best options, with the player's answer marked."""
        rules = answer.question.position.rules
        return views.options(rules, answer.options, answer.chosen, "yours", self.shown)

    def _message(self, answer: Answer | None) -> str:
        if answer is None:
            return self.answering.said()
        words = f"{answer.words()} {answer.then()}".rstrip()
        return f"{words}\n{answer.reason(self.practice.reasons)}"


def _progress(practice: Practice, width: int) -> Text:
    """Return the progress bar with the grades, the score, and the EV loss so far."""
    row = "".join(SIGNS[mark] for mark in practice.marks())
    answered = len(practice.firsts)
    text = Text(f"{row}   {practice.right} of {answered} right", style="bold", no_wrap=True)
    if practice.loss:
        text.append(f", {practice.loss:.2f} points lost", style="not bold")
    if practice.is_repeated:
        text.append("   once more", style="not bold")
    text.truncate(width, overflow="ellipsis")
    return text


def _keys(position: Position, *, answered: bool) -> str:
    if answered:
        return "space next · q leave"
    dice = position.rules.dice
    places = f"1-{DIE_KEYS[dice - 1]}" if dice > 1 else "1"
    roll = f"{places} keep · space roll the others · " if "keep" in position.legal_kinds else ""
    naming = "announce" if position.awaits_announcement else "score"
    return f"{roll}s and a code {naming} · q leave"
