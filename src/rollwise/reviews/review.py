"""A game judged: what every decision lost, and how lucky every roll was.

With V the value of best play (for the expected score: the expected final score),

* the *loss* of a decision is the value of the best option less that of the one chosen;
* the *luck* of a roll is the value after it less the value before it.

The value before a roll is that of the option chosen last, the value after it that of the best
option now, so that all differences add up: score = value at the start + luck − loss, exactly.

What one player saw and did, judged one event after another.

A game judged as it was played: one decision after another, with the cards of all players.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rollwise.evaluation.breakdown import Breakdown, parts_of
from rollwise.game.actions import Action, Announce, Keep
from rollwise.game.events import Roll
from rollwise.game.game import Game
from rollwise.game.position import Position
from rollwise.game.records.files import as_record
from rollwise.game.records.record import Record
from rollwise.game.scorecard import Dice, Scorecard
from rollwise.notebook import data_frame, html_table
from rollwise.reviews.decisions import COLUMNS, DecisionReview, RollReview, line_of
from rollwise.reviews.grades import VERDICTS, format_points, luck_words, verdict_of
from rollwise.rules import Rules
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.option import Option
from rollwise.solving.solution import Solution
from rollwise.solving.solver import solve


class Judge:
    """Follows one player through a game."""

    def __init__(self, player: int, solution: Solution, parts: Breakdown | None) -> None:
        self.player, self.solution, self.parts = player, solution, parts
        self.point = solution.objective.point
        self.value = self.start = solution.value()
        self.decisions: list[DecisionReview] = []
        self.rolls: list[RollReview] = []
        self.options: tuple[Option, ...] = ()

    def see(self, game: Game, turn: int, kept: Dice) -> None:
        """Judge the roll on the table."""
        position = self.look(game)
        rolls = self.solution.rules.rolls_with(position.state.saved)
        number = rolls - position.rolls_left
        after = self.options[0].value
        words = luck_words((after - self.value) / self.point)
        self.rolls.append(RollReview(turn, number, kept, position.dice, self.value, after, words))

    def look(self, game: Game) -> Position:
        """Find out what every choice is worth that is due, and return where."""
        position = game.position
        assert position is not None
        self.position, self.options = position, tuple(self.solution.options(position))
        return position

    def judge(self, action: Action) -> None:
        """Judge what was done with it."""
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


@dataclass(frozen=True)
class Review:
    """How one player played a game.

    Attributes
    ----------
    rules : Rules
    objective : str
        The name of what the values are of.
    point : float
        What of it counts as one point: 0.01 of a probability.
    player : str
    start : float
        The value of the game before its first roll.
    score : int
        The points so far; of a finished game the final score.
    is_over : bool
        Whether the game is finished.
    decisions : tuple of DecisionReview
    rolls : tuple of RollReview
        Of all turns, also one that no decision followed.
    value : float
        The value of the game as it stands; of a finished one its final score, for the objective of
        the expected score.
    sd : float or None
        Standard deviation of the final score of best play, where the solution has moments.
    best_with_same_dice : int or None
        The score of best play with the dice that the player had, once somebody asked for it
        (:func:`rollwise.reviews.hindsight.with_same_dice`).

    Examples
    --------
    >>> (one,) = review(Record("micro-yahtzee", "Ada", "roll 6; score square"))
    >>> one.score, [decision.loss for decision in one.decisions]
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
    best_with_same_dice: int | None = None

    @property
    def value(self) -> float:
        """The value of the game as it stands: that of the last option chosen, or of the roll."""
        return self.line()[-1]

    @property
    def steps(self) -> list[RollReview | DecisionReview]:
        """All rolls and decisions in the order of play."""
        both: list[RollReview | DecisionReview] = [*self.rolls, *self.decisions]
        return sorted(both, key=lambda one: (one.turn, one.number))  # a roll before what follows it

    @property
    def loss(self) -> float:
        """What all decisions gave away."""
        return sum(decision.loss for decision in self.decisions)

    @property
    def luck(self) -> float:
        """What all rolls brought."""
        return sum(roll.luck for roll in self.rolls)

    @property
    def luck_adjusted(self) -> float:
        """The score with ordinary luck: value at the start less loss."""
        return self.start - self.loss

    @property
    def counted(self) -> list[DecisionReview]:
        """The decisions in which there was something to decide."""
        return [decision for decision in self.decisions if decision.counted]

    @property
    def mean_loss(self) -> float:
        """Loss a counted decision; 0 where there is none."""
        return self.loss / max(len(self.counted), 1)

    @property
    def share_best(self) -> float:
        """Share of best choices among the counted decisions; 1 where there is none."""
        counted = self.counted
        best = sum(decision.chosen.best for decision in counted)
        return best / len(counted) if counted else 1.0

    def worst(self, number: int = 3) -> list[DecisionReview]:
        """Return the decisions that lost most, without best ones."""
        lossy = [decision for decision in self.decisions if decision.loss > 0]
        return sorted(lossy, key=lambda decision: -decision.loss)[:number]

    def tally(self) -> dict[str, int]:
        """Return how many counted decisions were of each class."""
        verdicts = [decision.verdict for decision in self.counted]
        return {verdict: verdicts.count(verdict) for verdict in VERDICTS}

    def facts(self) -> dict[str, str]:
        """Return the headline numbers but the score in words, by name."""
        same = self.best_with_same_dice
        return {
            "value at the start": f"{self.start:.2f}",
            "luck": format_points(self.luck),
            "lost by decisions": format_points(-self.loss),
            **({} if self.is_over else {self._value_name: f"{self.value:.2f}"}),
            "luck-adjusted score": f"{self.luck_adjusted:.2f}",
            **({} if same is None else {"best play with the same dice": str(same)}),
            "mean loss a decision": f"{self.mean_loss:.3f}",
            "best decisions": f"{self.share_best:.0%} of {len(self.counted)}",
        }

    @property
    def _value_name(self) -> str:
        return "expected final score" if self.objective == "expected" else "value now"

    def line(self) -> list[float]:
        """Return the value at the start, and after every roll and every choice."""
        return [self.start, *(step.after for step in self.steps)]

    def line_by_turn(self) -> list[float]:
        """Return the value at the start, after every turn, and amid the last if it goes on."""
        after = [one.after for one in self.decisions if one.chosen.action.kind == "score"]
        begun = max((roll.turn for roll in self.rolls), default=0)
        return [self.start, *after, *([self.value] if begun > len(after) else [])]

    def table(self) -> list[tuple[str, ...]]:
        """Return a line a decision as people read it; ``COLUMNS`` says what stands in it."""
        return [line_of(one) for one in self.decisions]

    def __repr__(self) -> str:
        return f"<Review of {self.player} in {self.rules.name}: {self._told}>"

    def _repr_html_(self) -> str:
        caption = f"{self.player}, {self.rules.title}: {self._told}"
        return html_table(caption, self.table(), COLUMNS)

    @property
    def _told(self) -> str:
        lost, luck = format_points(-self.loss), format_points(self.luck)
        return f"score {self.score}, luck {luck}, lost by decisions {lost}"

    def as_dict(self) -> dict[str, Any]:
        """Return everything as JSON can hold it."""
        return {
            "rules": self.rules.name,
            "objective": self.objective,
            "player": self.player,
            "is_over": self.is_over,
            "score": self.score,
            "start": self.start,
            "value": self.value,
            "luck": self.luck,
            "loss": self.loss,
            "luck_adjusted": self.luck_adjusted,
            "best_with_same_dice": self.best_with_same_dice,
            "decisions_counted": len(self.counted),
            "mean_loss": self.mean_loss,
            "share_best": self.share_best,
            "tally": self.tally(),
            "line": self.line(),
            "decisions": [one.as_dict() for one in self.decisions],
            "rolls": [one.as_dict(self.rules) for one in self.rolls],
        }

    def frame(self, library: str | None = None) -> Any:
        """Return one row a decision as a data frame of the library named, or of one installed."""
        rows = []
        for one in self.decisions:
            row = {
                key: value
                for key, value in one.as_dict().items()
                if key not in ("options", "reasons")
            }
            rows.append({"player": self.player, **row, "luck": one.luck})
        return data_frame(rows, library)


def review(
    game: Record | Game | str | Path,
    solution: Solution | None = None,
    parts: Breakdown | None = None,
) -> list[Review]:
    """Return how every player played a game, in the order of play.

    Parameters
    ----------
    game : Record, Game, str or Path
        As text a record, as a path the file of one.
    solution : Solution, optional
        Of the game; unless told the best play for the expected score, with reasons for what was
        lost.
    parts : Breakdown, optional
        Of the solution: then decisions that lost something get their reasons.

    Raises
    ------
    InputError
        When the text or the file is no record.
    ValueError
        When the solution is of another game.

    Examples
    --------
    >>> review(Record("micro-yahtzee", "Ada", "roll 6; score square"))
    [<Review of Ada in micro-yahtzee: score 36, luck +17.06, lost by decisions 0.00>]
    """
    game = as_record(game)
    if solution is None:
        solution = solve(game.rules)
        parts = parts_of(solution)
    judges = [Judge(player, solution, parts) for player in range(len(game.players))]
    replay = Game(game.rules, game.players)
    for event in game.events:
        judge = judges[replay.stage.player]
        if isinstance(event, Roll):
            turn, kept = replay.turn, replay.stage.kept
            replay.push(event)
            judge.see(replay, turn, kept)
        else:
            judge.judge(event)
            replay.push(event)
            if isinstance(event, Announce):
                judge.look(replay)
    return [_reviewed(judge, replay) for judge in judges]


def _reviewed(judge: Judge, game: Game) -> Review:
    card, solution = game.stage.cards[judge.player], judge.solution
    return Review(
        game.rules,
        solution.objective.name,
        judge.point,
        game.players[judge.player],
        judge.start,
        card.points,
        card.is_full,
        tuple(judge.decisions),
        tuple(judge.rolls),
        sd=solution.sd() if isinstance(solution, CardSolution) else None,
    )


@dataclass(frozen=True)
class DecisionStep:
    """One decision where it was made.

    Attributes
    ----------
    number : int
        Among all of the game, from 1.
    player : int
    cards : tuple of Scorecard
        Of all players, after what was decided.
    """

    number: int
    player: int
    decision: DecisionReview
    cards: tuple[Scorecard, ...]

    @property
    def kept(self) -> list[bool]:
        """Which dice of the roll were kept, in their order; all of them where a box was named."""
        action, dice = self.decision.chosen.action, self.decision.roll.dice
        left = list(action.dice if isinstance(action, Keep) else dice)
        kept = []
        for die in dice:
            kept.append(die in left)
            if die in left:
                left.remove(die)
        return kept


def steps_through(record: Record, reviews: Sequence[Review]) -> list[DecisionStep]:
    """Return every decision of a game in the order of play."""
    each = [iter(one.decisions) for one in reviews]
    game, steps = Game(record.rules, record.players), list[DecisionStep]()
    for event in record.events:
        player = game.stage.player
        game.push(event)
        if not isinstance(event, Roll):
            steps.append(DecisionStep(len(steps) + 1, player, next(each[player]), game.stage.cards))
    return steps
