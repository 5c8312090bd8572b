"""Reviews of games: the EV loss of every decision and the luck of every roll.

The value of a state is its value with optimal play: by default, the expected final score.

* The *EV loss* of a decision is the value of the best option minus the value of the chosen option.
* The *luck* of a roll is the value after the roll minus the value before it.

The value before a roll is the value of the option chosen last. The value after a roll is the value
of the best option for that roll. All differences therefore add up exactly:
score = value at the start + luck − EV loss.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from rollwise.errors import InputError
from rollwise.evaluation.breakdown import Breakdown, breakdown_of
from rollwise.game.actions import Action, Roll
from rollwise.game.game import Game
from rollwise.game.scorecard import Scorecard
from rollwise.game.stage import Stage
from rollwise.reviews.decision_review import DecisionReview, RollReview, table_row
from rollwise.reviews.grades import VERDICTS, Verdict, format_points, luck_words, verdict_of
from rollwise.rules import Rules
from rollwise.solving.option import Option
from rollwise.solving.solution import Solution
from rollwise.solving.solver import solve


@dataclass(frozen=True)
class Review:
    """The review of one player's game.

    Attributes
    ----------
    rules : Rules
    objective : str
        The name of the objective that defines the values.
    point : float
        The EV loss that is graded like one point: 0.01 if values are probabilities, otherwise 1.
    player : str
    start : float
        The value of the game before its first roll.
    score : int
        The points so far; the final score if the game is finished.
    is_over : bool
        Whether the game is finished.
    decisions : tuple of DecisionReview
    rolls : tuple of RollReview
        The rolls of all turns, including a last roll that no decision followed.
    value : float
        The current value of the game. For the expected score, the value of a finished game is its
        final score.
    sd : float or None
        The SD of the final score with optimal play; None if the solution has no second moments.

    Examples
    --------
    >>> (ada,) = review(Game("micro-yahtzee", "Ada", "roll 6; score square"))
    >>> ada.score, [decision.loss for decision in ada.decisions]
    (36, [0.0])
    """

    rules: Rules
    objective: str
    point: float
    player: str
    start: float
    score: int
    is_over: bool
    decisions: tuple[DecisionReview, ...]
    rolls: tuple[RollReview, ...]
    sd: float | None = None

    @property
    def value(self) -> float:
        """The current value of the game, after the last decision or roll."""
        return self.line()[-1]

    @property
    def steps(self) -> list[RollReview | DecisionReview]:
        """All rolls and decisions in the order of play."""
        steps: list[RollReview | DecisionReview] = [*self.rolls, *self.decisions]
        return sorted(steps, key=lambda step: (step.turn, step.number))  # rolls first

    @property
    def loss(self) -> float:
        """The total EV loss of all decisions."""
        return sum(decision.loss for decision in self.decisions)

    @property
    def luck(self) -> float:
        """The sum of the luck of all rolls."""
        return sum(roll.luck for roll in self.rolls)

    @property
    def luck_adjusted(self) -> float:
        """The score with average luck: the value at the start minus the EV loss."""
        return self.start - self.loss

    @property
    def counted(self) -> list[DecisionReview]:
        """The decisions that mattered because some options were worse than others."""
        return [decision for decision in self.decisions if decision.counted]

    @property
    def mean_loss(self) -> float:
        """The EV loss per counted decision, or 0 if no decision is counted."""
        return self.loss / max(len(self.counted), 1)

    @property
    def share_best(self) -> float:
        """The fraction of counted decisions that are best, or 1 if no decision is counted."""
        counted = self.counted
        best = sum(decision.chosen.best for decision in counted)
        return best / len(counted) if counted else 1.0

    def worst(self, number: int = 3) -> list[DecisionReview]:
        """Return the ``number`` decisions with the largest EV losses."""
        lossy = [decision for decision in self.decisions if decision.loss > 0]
        return sorted(lossy, key=lambda decision: -decision.loss)[:number]

    def tally(self) -> dict[Verdict, int]:
        """Return the number of counted decisions of each grade."""
        verdicts = [decision.verdict for decision in self.counted]
        return {verdict: verdicts.count(verdict) for verdict in VERDICTS}

    def facts(self) -> dict[str, str]:
        """Return the headline numbers except the score, as a mapping from names to strings."""
        return {
            "value at the start": f"{self.start:.2f}",
            "luck": format_points(self.luck),
            "lost through choices": format_points(-self.loss),
            **({} if self.is_over else {self._value_name: f"{self.value:.2f}"}),
            "luck-adjusted score": f"{self.luck_adjusted:.2f}",
            "average loss per choice": f"{self.mean_loss:.3f}",
            "best choices": f"{self.share_best:.0%} of {len(self.counted)}",
        }

    @property
    def _value_name(self) -> str:
        return "expected final score" if self.objective == "expected" else "value now"

    def line(self) -> list[float]:
        """Return the value at the start, then after every roll and every decision."""
        return [self.start, *(step.after for step in self.steps)]

    def line_by_turn(self) -> list[float]:
        """Return the value at the start and after every turn, including an unfinished turn."""
        decisions = (step for step in self.decisions if step.chosen.action.kind == "score")
        after = [decision.after for decision in decisions]
        turns = max((roll.turn for roll in self.rolls), default=0)
        return [self.start, *after, *([self.value] if turns > len(after) else [])]

    def table(self) -> list[tuple[str, ...]]:
        """Return :func:`table_row` of each decision."""
        return [table_row(decision) for decision in self.decisions]

    def __repr__(self) -> str:
        return f"<Review of {self.player} in {self.rules.name}: {self._summary}>"

    @property
    def _summary(self) -> str:
        lost, luck = format_points(-self.loss), format_points(self.luck)
        return f"score {self.score}, luck {luck}, lost through choices {lost}"


def review(
    game: Game,
    solution: Solution | None = None,
    parts: Breakdown | None = None,
) -> list[Review]:
    """Review a game, and return one review per player, in the order of play.

    Parameters
    ----------
    game : Game
    solution : Solution, optional
        The solved game. By default, rollwise solves the game for the expected score and finds the
        reasons for each EV loss.
    parts : Breakdown, optional
        The breakdown of the values of the solution; it gives the reasons for each EV loss.

    Raises
    ------
    InputError
        If the game begins at a position.
    ValueError
        If the solution belongs to another game.

    Examples
    --------
    >>> review(Game("micro-yahtzee", "Ada", "roll 6; score square"))
    [<Review of Ada in micro-yahtzee: score 36, luck +17.06, lost through choices 0.00>]
    """
    if game.start is not None:
        raise InputError(
            "a game that begins at a position cannot be reviewed, because its first turns are "
            "unknown; start the game with the name of its rules"
        )
    if solution is None:
        solution = solve(game.rules)
        parts = breakdown_of(solution)
    reviewers = [_Reviewer(player, solution, parts) for player in range(len(game.players))]
    for before, event, after in game.steps:
        reviewer = reviewers[before.player]
        if isinstance(event, Roll):
            reviewer.add_roll(before, after)
        else:
            reviewer.add_decision(event)
    return [reviewer.review(game) for reviewer in reviewers]


class _Reviewer:
    """A reviewer of the rolls and decisions of one player, event by event."""

    def __init__(self, player: int, solution: Solution, parts: Breakdown | None) -> None:
        self.player, self.solution, self.parts = player, solution, parts
        self.point = solution.objective.point
        self.value = self.start = solution.value()
        self.decisions: list[DecisionReview] = []
        self.rolls: list[RollReview] = []
        self.options: tuple[Option, ...] = ()

    def add_roll(self, before: Stage, after: Stage) -> None:
        """Review a roll, given the stages of the game before and after it."""
        position = after.position
        assert position is not None
        self.position, self.options = position, tuple(self.solution.options(position))
        rolls = self.solution.rules.rolls_with(position.state.saved)
        number = rolls - position.rolls_left
        best = self.options[0].value
        words = luck_words((best - self.value) / self.point)
        self.rolls.append(
            RollReview(before.turn, number, before.kept, position.dice, self.value, best, words)
        )

    def add_decision(self, action: Action) -> None:
        """Review the action that was chosen from the stored options."""
        chosen = next(option for option in self.options if option.action == action)
        verdict, reasons = verdict_of(chosen.loss, self.point), self._reasons(chosen)
        self.decisions.append(
            DecisionReview(self.rolls[-1], self.position, self.options, chosen, verdict, reasons)
        )
        self.value = chosen.value

    def _reasons(self, chosen: Option) -> tuple[tuple[str, float], ...]:
        if chosen.best or self.parts is None:
            return ()
        return self.parts.gains(self.position, self.options[0].action, [chosen.action])[0]

    def review(self, game: Game) -> Review:
        """Return the review of the player, whose scorecard is in ``game``."""
        card, solution = game.cards[self.player], self.solution
        return Review(
            game.rules,
            solution.objective.name,
            self.point,
            game.players[self.player],
            self.start,
            card.points,
            card.is_full,
            tuple(self.decisions),
            tuple(self.rolls),
            sd=solution.sd(),
        )


@dataclass(frozen=True)
class DecisionStep:
    """One decision and the scorecards after it.

    Attributes
    ----------
    number : int
        The number of the decision in the game, counting from 1.
    player : int
    cards : tuple of Scorecard
        The scorecards of all players after the decision.
    """

    number: int
    player: int
    decision: DecisionReview
    cards: tuple[Scorecard, ...]


def steps_through(game: Game, reviews: Sequence[Review]) -> list[DecisionStep]:
    """Return every decision of a game in the order of play."""
    decisions = [iter(review.decisions) for review in reviews]
    steps: list[DecisionStep] = []
    for before, event, after in game.steps:
        if not isinstance(event, Roll):
            decision = next(decisions[before.player])
            steps.append(DecisionStep(len(steps) + 1, before.player, decision, after.cards))
    return steps
