"""A session of practice: positions one by one, each answer judged at once."""

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from rollwise.errors import IllegalError
from rollwise.game.actions import Action
from rollwise.game.notation import format_action, format_position
from rollwise.game.position import Position
from rollwise.reviews.decisions import TOLD
from rollwise.reviews.reasons import Reasons
from rollwise.reviews.verdicts import MARKS, because, format_points, verdict_of
from rollwise.rules import Rules
from rollwise.solving.option import Option
from rollwise.solving.solution import Solution

Say = Callable[[Rules, Action], str]
"""How an action is said."""


@dataclass(frozen=True)
class Question:
    """A position to be answered.

    Attributes
    ----------
    position : Position
    then : Announce, Keep or Score, optional
        What was done there in the game that it is from.
    options : list of Option, optional
        All of the position, best first, where they were looked up beforehand.
    """

    position: Position
    then: Action | None = None
    options: list[Option] | None = field(default=None, compare=False)

    def as_dict(self, solution: Solution) -> dict[str, Any]:
        """Return the question with its answer, as JSON can hold it."""
        options = solution.options(self.position)
        return {
            "position": format_position(self.position),
            "then": None if self.then is None else format_action(self.position.rules, self.then),
            "best": format_action(self.position.rules, options[0].action),
            "value": options[0].value,
            "options": [option.as_dict(self.position.rules, TOLD) for option in options],
        }


@dataclass(frozen=True)
class Answer:
    """An answer, judged.

    Attributes
    ----------
    options : list of Option
        All of the position, best first.
    chosen : Option
    verdict : str
        One of ``VERDICTS``.
    """

    question: Question
    options: list[Option]
    chosen: Option
    verdict: str

    @property
    def loss(self) -> float:
        """What the answer gives away; 0 of a best one."""
        return 0.0 if self.chosen.best else self.chosen.loss

    @property
    def is_good(self) -> bool:
        """Whether it gives away nothing worth speaking of."""
        return MARKS[self.verdict] == ""

    def words(self, say: Say = format_action) -> str:
        """Return the judgement, its actions as they are said at the table or typed."""
        rules = self.question.position.rules
        chosen, best = (say(rules, option.action) for option in (self.chosen, self.options[0]))
        if self.chosen.best:
            return f"Right: {chosen}."
        loss, mark = format_points(self.loss).removeprefix("+"), MARKS[self.verdict]
        if self.is_good:
            return f"Good: {chosen} loses {loss}; best is {best}."
        return f"{chosen} {mark} loses {loss}; best is {best}."

    def reason(self, reasons: Reasons) -> str:
        """Return what the best option has more of than the answer, by box and bonus.

        Empty for a best answer, and as long as nobody has prepared the reasons.
        """
        position = self.question.position
        gains = reasons.of(position, [self.options[0], self.chosen])[1]
        told = because(position.rules, gains)
        return f"Because of {told}." if told else ""

    def then(self, say: Say = format_action) -> str:
        """Return what was done there in the game; empty of a position of no game."""
        position, then = self.question.position, self.question.then
        return "" if then is None else f"In the game it was {say(position.rules, then)}."


class Practice:
    """Questions, one after the other.

    Parameters
    ----------
    questions : iterable of Question
    solution : Solution
        That answers are judged by.
    again : bool
        Whether what was not answered well is asked once more at the end, until it is.
    tell : callable, optional
        Called with every first answer to a question.

    Attributes
    ----------
    number : int
        Of all questions.
    firsts : list of Answer
        The first answers: those that count.
    answer : Answer or None
        To the question at hand, once there is one.
    """

    def __init__(
        self,
        questions: Iterable[Question],
        solution: Solution,
        *,
        again: bool = False,
        tell: Callable[[Answer], None] = lambda answer: None,
    ) -> None:
        self._ahead = deque(questions)
        self.number, self.solution = len(self._ahead), solution
        self._again, self._tell = again, tell
        self.reasons = Reasons(solution)
        self.firsts: list[Answer] = []
        self._passed = 0
        self.answer: Answer | None = None

    @property
    def question(self) -> Question | None:
        """The question at hand; None once all are answered."""
        return self._ahead[0] if self._ahead else None

    @property
    def is_repeated(self) -> bool:
        """Whether the question at hand was asked before."""
        return self._passed >= self.number

    @property
    def right(self) -> int:
        """How many first answers were best."""
        return sum(first.chosen.best for first in self.firsts)

    @property
    def loss(self) -> float:
        """What all first answers gave away."""
        return sum(first.loss for first in self.firsts)

    def as_dict(self) -> dict[str, Any]:
        """Return all questions with their answers, as JSON can hold them."""
        told = [question.as_dict(self.solution) for question in self._ahead]
        return {"rules": self.solution.rules.name, "questions": told}

    def marks(self) -> list[str]:
        """Return the verdict of each first answer, and an empty word for what is still to come."""
        verdicts = [first.verdict for first in self.firsts]
        return verdicts + [""] * (self.number - len(verdicts))

    def judge(self, action: Action) -> Answer:
        """Answer the question at hand; a second answer changes nothing.

        Raises
        ------
        IllegalError
            When the action cannot be done there.
        """
        if self.answer is None:
            question = self._ahead[0]
            options = question.options or self.solution.options(question.position)
            chosen = next((option for option in options if option.action == action), None)
            if chosen is None:
                raise IllegalError("That is not allowed here: expected another action")
            verdict = verdict_of(chosen.loss, self.solution.objective.point)
            self.answer = Answer(question, options, chosen, verdict)
            if not self.is_repeated:
                self.firsts.append(self.answer)
                self._tell(self.answer)
        return self.answer

    def go_on(self) -> None:
        """Take the next question, if the one at hand is answered."""
        if self.answer is None:
            return
        asked = self._ahead.popleft()
        self._passed += 1
        if self._again and not self.answer.is_good:
            self._ahead.append(asked)
        self.answer = None
