"""Practice questions about positions: grading, the rating test, and the daily puzzle.

:class:`Practice` asks questions one by one and grades each answer immediately. The rating test and
the daily puzzle have the same positions for everyone.

These positions come from games of optimal play with seeded dice. Each position is selected by its
gap, the exact difference in value between the best option and the first worse option. Positions
with a small gap are hard, but a mistake costs little. Positions with a large gap are easy, but a
mistake costs much. Both kinds are needed to distinguish players.
"""

import datetime
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, cast

from rollwise.errors import IllegalError, counted
from rollwise.game.actions import Action
from rollwise.game.game import Game, fair_roll
from rollwise.game.notation import format_action
from rollwise.game.position import Position, format_position
from rollwise.reviews.decision_review import OPTION_FIELDS
from rollwise.reviews.grades import MARKS, because, format_points, verdict_of
from rollwise.reviews.reasons import Reasons
from rollwise.solving.option import Option
from rollwise.solving.solution import Solution

ASKED = "What would you do?"


@dataclass(frozen=True)
class PracticeQuestion:
    """A position in which the player must choose an action.

    ``then`` is the action that the player took, if the position comes from a game.
    """

    position: Position
    then: Action | None = None

    @property
    def situation(self) -> str:
        """The turn and the rolls left, in words."""
        position, left = self.position, self.position.rolls_left
        turn = position.state.filled.bit_count() + 1
        rolls = f"{counted(left, 'roll')} left" if left else "no rolls left"
        return f"Turn {turn} of {len(position.rules.categories)}, {rolls}."

    def as_dict(self, options: Sequence[Option]) -> dict[str, Any]:
        """Return the question with its options, best first, as JSON data."""
        return {
            "position": format_position(self.position),
            "then": None if self.then is None else format_action(self.position.rules, self.then),
            "best": format_action(self.position.rules, options[0].action),
            "value": options[0].value,
            "options": [option.as_dict(self.position.rules, OPTION_FIELDS) for option in options],
        }


@dataclass(frozen=True)
class Answer:
    """An answer with its grade, one of ``VERDICTS``; ``options`` are all options, best first."""

    question: PracticeQuestion
    options: list[Option]
    chosen: Option
    verdict: str

    @property
    def loss(self) -> float:
        """The EV loss of the answer, or 0 if the answer is a best option."""
        return 0.0 if self.chosen.best else self.chosen.loss

    @property
    def is_good(self) -> bool:
        """Whether the EV loss of the answer is too small to count as an inaccuracy."""
        return MARKS[self.verdict] == ""

    def words(self) -> str:
        """Return the grade in words."""
        rules, shown = self.question.position.rules, (self.chosen, self.options[0])
        chosen, best = (format_action(rules, option.action) for option in shown)
        if self.chosen.best:
            return f"Correct: {chosen}."
        loss = format_points(self.loss).removeprefix("+")
        if self.is_good:
            return f"Good: {chosen} loses {loss}. Best: {best}."
        return f"{chosen} loses {loss} ({self.verdict}). Best: {best}."

    def reason(self, reasons: Reasons) -> str:
        """Return a sentence about the main advantages of the best option over the answer.

        The sentence names categories and bonuses. It is empty if the answer is a best option, or if
        the reasons are not prepared.
        """
        position = self.question.position
        gains = reasons.of(position, [self.options[0], self.chosen])[1]
        causes = because(position.rules, gains)
        return f"The best option gains: {causes}." if causes else ""

    def then(self) -> str:
        """Return a sentence about the action in the game, or an empty string without an action."""
        position, then = self.question.position, self.question.then
        return (
            "" if then is None else f"In the game you chose: {format_action(position.rules, then)}."
        )


class Practice:
    """A series of practice questions, asked one by one and graded with a solution.

    If ``again``, each question is repeated at the end until its answer is good. ``tell`` is called
    with the first answer to each question.

    Attributes
    ----------
    number : int
        The number of questions, not counting repetitions.
    firsts : list of Answer
        The first answer to each question; only first answers count.
    answer : Answer or None
        The answer to the current question.
    """

    def __init__(
        self,
        questions: Iterable[PracticeQuestion],
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
    def question(self) -> PracticeQuestion | None:
        """The current question, or None once all questions are answered."""
        return self._ahead[0] if self._ahead else None

    @property
    def is_repeated(self) -> bool:
        """Whether the current question was asked before."""
        return self._passed >= self.number

    @property
    def right(self) -> int:
        """The number of first answers that were best options."""
        return sum(first.chosen.best for first in self.firsts)

    @property
    def loss(self) -> float:
        """The total EV loss of all first answers."""
        return sum(first.loss for first in self.firsts)

    def as_dict(self) -> dict[str, Any]:
        """Return all questions with their solutions as JSON data."""
        solution = self.solution
        questions = [one.as_dict(solution.options(one.position)) for one in self._ahead]
        return {"rules": solution.rules.name, "questions": questions}

    def marks(self) -> list[str]:
        """Return the grade of each first answer, with an empty string for each open question."""
        verdicts = [first.verdict for first in self.firsts]
        return verdicts + [""] * (self.number - len(verdicts))

    def judge(self, action: Action) -> Answer:
        """Return the graded answer to the current question; a second answer is ignored."""
        if self.answer is None:
            question = self._ahead[0]
            options = self.solution.options(question.position)
            chosen = next((option for option in options if option.action == action), None)
            if chosen is None:
                raise IllegalError("this action is not legal here; choose another action")
            verdict = verdict_of(chosen.loss, self.solution.objective.point)
            self.answer = Answer(question, options, chosen, verdict)
            if not self.is_repeated:
                self.firsts.append(self.answer)
                self._tell(self.answer)
        return self.answer

    def go_on(self) -> None:
        """Go to the next question if the current question is answered."""
        if self.answer is None:
            return
        question = self._ahead.popleft()
        self._passed += 1
        if self._again and not self.answer.is_good:
            self._ahead.append(question)
        self.answer = None


GAPS = (0.25, 0.5, 1.0, 2.0, 4.0)
"""The gaps of the positions in the rating test, in points. Each game contributes at most one
position per gap."""

NUMBER, SEEDS = 30, 60
"""The maximum number of positions in the rating test, and the maximum number of simulated games. In
small games, positions soon repeat."""

PUZZLE_GAP = 1.0
"""The gap of the daily puzzle, in points."""

Decision = tuple[Position, float]
"""A position and its gap."""


def rating_test_positions(solution: Solution) -> list[Position]:
    """Return the positions in the rating test for a game.

    The positions come from simulated games of optimal play with the seeds 1, 2, 3, …. From each
    game, the test takes the positions whose gaps are nearest to the gaps in ``GAPS``. The positions
    are in the order of play, without repetitions. For a game with few positions, the test is
    shorter.
    """
    test: dict[Position, None] = {}
    for seed in range(1, SEEDS + 1):
        if len(test) >= NUMBER:
            break
        (decisions,) = _decisions(solution, [seed])
        selected = {_nearest(decisions, gap * solution.objective.point) for gap in GAPS}
        test.update(dict.fromkeys(p for p, _ in decisions if p in selected))
    return list(test)[:NUMBER]


def puzzles_of(solution: Solution, dates: Iterable[datetime.date]) -> list[Position]:
    """Return the position of the daily puzzle for each date.

    The puzzle is the position with the gap nearest to ``PUZZLE_GAP`` in the game with the seed
    YYYYMMDD.
    """
    games = _decisions(solution, [int(f"{date:%Y%m%d}") for date in dates])
    return [_nearest(decisions, PUZZLE_GAP * solution.objective.point) for decisions in games]


def _decisions(solution: Solution, seeds: Sequence[int]) -> list[list[Decision]]:
    """Return all decisions in games of optimal play, one game for each seed.

    The games are played together, because a solution computes many positions faster.
    """
    games = [Game(solution.rules) for _ in seeds]
    decisions: list[list[Decision]] = [[] for _ in seeds]
    while going := [n for n, game in enumerate(games) if not game.is_over]:
        for n in going:
            if games[n].position is None:
                games[n].push(fair_roll(games[n], seeds[n]))
        positions = [cast("Position", games[n].position) for n in going]
        for n, position, options in zip(
            going, positions, solution.options_each(positions), strict=True
        ):
            gap = next((option.loss for option in options if not option.best), 0.0)
            decisions[n].append((position, gap))
            games[n].push(options[0].action)
    return decisions


def _nearest(decisions: list[Decision], gap: float) -> Position:
    """Return the first position whose gap is nearest to ``gap``; avoid gaps of 0 if possible."""
    return min(decisions, key=lambda decision: (decision[1] == 0, abs(decision[1] - gap)))[0]
