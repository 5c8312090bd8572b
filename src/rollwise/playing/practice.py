"""A session of practice: positions one by one, each answer judged at once.

Answering a question by keys or by mouse; the same in a terminal and in a browser.

Positions for everybody: a proficiency test that is always the same, and a puzzle of the day.

Both come from games of best play, whose dice a seed decides. What tells players apart are positions
in which the best option is ahead of the next by little, and those in which it is ahead by much: the
first are hard and cost little, the second are easy and cost dearly. So each is chosen by that gap,
which is exact.
"""

import datetime
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from rollwise.errors import IllegalError, InputError
from rollwise.game.actions import Action, Keep
from rollwise.game.game import Game, fair_roll
from rollwise.game.notation import format_action, format_position
from rollwise.game.position import Position
from rollwise.game.scorecard import Move
from rollwise.playing.codes import DIE_KEYS, match_code
from rollwise.playing.session import Tray
from rollwise.reviews.decisions import TOLD
from rollwise.reviews.grades import MARKS, because, format_points, verdict_of
from rollwise.reviews.reasons import Reasons
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


GAPS = (0.25, 0.5, 1.0, 2.0, 4.0)
"""Points by which the best option is to be ahead of the next, one position of each a game."""

NUMBER, SEEDS = 30, 60
"""Positions of the test, and of how many games at most: those of small games are soon all asked."""

PUZZLE_GAP = 1.0
"""Of the puzzle of the day."""


def positions_of_the_test(solution: Solution) -> list[Position]:
    """Return the positions of the proficiency test of a game.

    Of the games of best play with the dice of seed 1, 2, … each gives one position for every gap of
    ``GAPS``: that whose gap is nearest to it. They are asked in the order of the game, each once;
    a game with few positions has a shorter test.
    """
    found: dict[Position, None] = {}
    for seed in range(1, SEEDS + 1):
        if len(found) >= NUMBER:
            break
        decisions = list(_decisions(solution, seed))
        chosen = {_nearest(decisions, gap * solution.objective.point) for gap in GAPS}
        found.update(dict.fromkeys(p for p, _ in decisions if p in chosen))
    return list(found)[:NUMBER]


def puzzle_of(solution: Solution, date: datetime.date) -> Position:
    """Return the puzzle of a day: seed YYYYMMDD, the gap nearest to ``PUZZLE_GAP``."""
    decisions = list(_decisions(solution, int(f"{date:%Y%m%d}")))
    return _nearest(decisions, PUZZLE_GAP * solution.objective.point)


def _decisions(solution: Solution, seed: int) -> Iterator[tuple[Position, float]]:
    """Yield the positions of a game of best play, and how far the best is ahead of the next."""
    game = Game(solution.rules)
    while not game.is_over:
        if (position := game.position) is None:
            game.push(fair_roll(game, seed))
            continue
        options = solution.options(position)
        yield position, next((option.loss for option in options if not option.best), 0.0)
        game.push(options[0].action)


def _nearest(decisions: list[tuple[Position, float]], gap: float) -> Position:
    """Return the first position whose gap is nearest to one; the last place have those without."""
    return min(decisions, key=lambda one: (one[1] == 0, abs(one[1] - gap)))[0]
