"""A game judged: what every decision lost, and how lucky every roll was.

With V the value of best play (for the expected score: the expected final score),

* the *loss* of a decision is the value of the best option less that of the one chosen;
* the *luck* of a roll is the value after it less the value before it.

The value before a roll is that of the option chosen last, the value after it that of the best
option now, so that all differences add up: score = value at the start + luck − loss, exactly.
"""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from itertools import chain
from typing import Any

from rollwise.errors import MissingExtraError
from rollwise.game import Game, Roll
from rollwise.notation import format_action, format_dice, format_keep, format_position
from rollwise.position import Position
from rollwise.record import Record
from rollwise.rules import Rules
from rollwise.scorecard import Action, Dice
from rollwise.solution import TIE, Option, Solution

EXCELLENT, INACCURACY, MISTAKE = 0.2, 1.0, 5.0
"""Losses, in points, from which a decision is no longer of the class before."""

LUCKY, VERY_LUCKY = 10.0, 23.0
"""Luck, in points, of about the best tenth and the best fortieth of rolls."""

VERDICTS = ("best", "excellent", "inaccuracy", "mistake", "blunder")
MARKS = {"best": "", "excellent": "", "inaccuracy": "?!", "mistake": "?", "blunder": "??"}


def unit_of(solution: Solution) -> float:
    """Return what counts as one point: 1, or one percent where values are probabilities."""
    return 0.01 if solution.objective.name.startswith(("target", "beat")) else 1.0


def verdict_of(loss: float, unit: float = 1.0) -> str:
    """Return the class of a loss."""
    if loss <= TIE:
        return "best"
    limits = (EXCELLENT, INACCURACY, MISTAKE)
    return VERDICTS[1 + sum(loss >= limit * unit for limit in limits)]


@dataclass(frozen=True)
class DecisionReview:
    """One decision judged.

    Attributes
    ----------
    turn, number : int
        The player's turn, and the roll in it that the decision follows; both from 1.
    options : tuple of Option
        All legal actions, best first.
    chosen : Option
    verdict : str
        One of ``VERDICTS``.
    """

    turn: int
    number: int
    position: Position
    options: tuple[Option, ...]
    chosen: Option
    verdict: str

    @property
    def best(self) -> Option:
        """The best option, the first if there are several."""
        return self.options[0]

    @property
    def loss(self) -> float:
        """What the choice gave away; 0 for a best one."""
        return 0.0 if self.chosen.best else self.chosen.loss

    @property
    def counted(self) -> bool:
        """Whether there was something to decide: not all options were equally good."""
        return not all(option.best for option in self.options)


@dataclass(frozen=True)
class RollReview:
    """One roll judged.

    Attributes
    ----------
    kept : tuple of int
        The dice that were not rolled.
    before, after : float
        The value of the game before and after it.
    words : str
        ``lucky``, ``very unlucky`` and so on; empty for an ordinary roll.
    """

    turn: int
    number: int
    kept: Dice
    dice: Dice
    before: float
    after: float
    words: str

    @property
    def luck(self) -> float:
        """What the roll brought."""
        return self.after - self.before


@dataclass(frozen=True)
class Review:
    """How one player played a game.

    Attributes
    ----------
    start : float
        The value of the game before its first roll.
    score : int
        The points so far; of a finished game the final score.
    value : float
        The value of the game as it stands; of a finished one its final score, for the objective of
        the expected score.
    """

    rules: Rules
    objective: str
    unit: float
    player: str
    start: float
    score: int
    is_over: bool
    decisions: tuple[DecisionReview, ...]
    rolls: tuple[RollReview, ...]

    @property
    def value(self) -> float:
        """The value of the game as it stands: that of the last option chosen, or of the roll."""
        last_roll = self.rolls[-1] if self.rolls else None
        if last_roll is None:
            return self.start
        decided = len(self.decisions) == len(self.rolls)
        return self.decisions[-1].chosen.value if decided else last_roll.after

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

    def line(self) -> list[float]:
        """Return the value at the start, and after every roll and every choice."""
        steps = [self.start]
        for number, roll in enumerate(self.rolls):
            steps.append(roll.after)
            if number < len(self.decisions):
                steps.append(self.decisions[number].chosen.value)
        return steps

    def as_dict(self) -> dict[str, Any]:
        """Return everything as JSON can hold it."""
        rules = self.rules
        return {
            "rules": rules.name,
            "objective": self.objective,
            "player": self.player,
            "is_over": self.is_over,
            "score": self.score,
            "start": self.start,
            "value": self.value,
            "luck": self.luck,
            "loss": self.loss,
            "luck_adjusted": self.luck_adjusted,
            "decisions_counted": len(self.counted),
            "mean_loss": self.mean_loss,
            "share_best": self.share_best,
            "tally": self.tally(),
            "line": self.line(),
            "decisions": [
                {
                    "turn": one.turn,
                    "roll": one.number,
                    "position": format_position(one.position),
                    "chosen": format_action(rules, one.chosen.action),
                    "best": format_action(rules, one.best.action),
                    "value": one.chosen.value,
                    "loss": one.loss,
                    "verdict": one.verdict,
                    "counted": one.counted,
                    "options": [
                        {
                            "action": format_action(rules, option.action),
                            "value": option.value,
                            "loss": option.loss,
                        }
                        for option in one.options
                    ],
                }
                for one in self.decisions
            ],
            "rolls": [
                {
                    "turn": one.turn,
                    "roll": one.number,
                    "kept": format_keep(rules, one.kept),
                    "dice": format_dice(rules, one.dice),
                    "before": one.before,
                    "after": one.after,
                    "luck": one.luck,
                    "words": one.words,
                }
                for one in self.rolls
            ],
        }

    def frame(self, library: str | None = None) -> Any:
        """Return one row a decision as a data frame.

        Parameters
        ----------
        library : {"polars", "pandas"}, optional
            The first of them that is installed unless told.

        Raises
        ------
        MissingExtraError
            When it is not installed.
        """
        rows = [
            {
                "player": self.player,
                "turn": one.turn,
                "roll": one.number,
                "position": format_position(one.position),
                "chosen": format_action(self.rules, one.chosen.action),
                "best": format_action(self.rules, one.best.action),
                "value": one.chosen.value,
                "loss": one.loss,
                "verdict": one.verdict,
                "counted": one.counted,
                "luck": roll.luck,
            }
            for one, roll in zip(self.decisions, self.rolls, strict=False)
        ]
        columns = {key: [row[key] for row in rows] for key in rows[0]} if rows else {}
        for name in (library,) if library else ("polars", "pandas"):
            with suppress(ImportError):
                return import_module(name).DataFrame(columns)
        missing = library or "polars or pandas"
        raise MissingExtraError(f"data frames need {missing}: expected pip install {missing}")


def review(game: Record | Game, solution: Solution) -> list[Review]:
    """Return how every player played a game, in the order of play.

    Raises
    ------
    ValueError
        When the solution is of another game.
    """
    judges = [_Judge(player, solution) for player in range(len(game.players))]
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
    return [judge.review(replay) for judge in judges]


class _Judge:
    """Follows one player through a game."""

    def __init__(self, player: int, solution: Solution) -> None:
        self.player, self.solution, self.unit = player, solution, unit_of(solution)
        self.value = self.start = solution.value()
        self.decisions: list[DecisionReview] = []
        self.rolls: list[RollReview] = []
        self.options: tuple[Option, ...] = ()

    def see(self, game: Game, turn: int, kept: Dice) -> None:
        """Judge the roll on the table."""
        position = game.position
        assert position is not None
        self.position, self.options = position, tuple(self.solution.options(position))
        number = self.solution.rules.rolls - position.rolls_left
        after = self.options[0].value
        words = luck_words((after - self.value) / self.unit)
        self.rolls.append(RollReview(turn, number, kept, position.dice, self.value, after, words))

    def judge(self, action: Action) -> None:
        """Judge what was done with it."""
        roll = self.rolls[-1]
        chosen = next(option for option in self.options if option.action == action)
        verdict = verdict_of(chosen.loss, self.unit)
        self.decisions.append(
            DecisionReview(roll.turn, roll.number, self.position, self.options, chosen, verdict)
        )
        self.value = chosen.value

    def review(self, game: Game) -> Review:
        """Return everything seen and judged."""
        card = game.stage.cards[self.player]
        return Review(
            game.rules, self.solution.objective.name, self.unit, game.players[self.player],
            self.start, card.points, card.is_full, tuple(self.decisions), tuple(self.rolls),
        )  # fmt: skip


def luck_words(luck: float) -> str:
    """Return how lucky a roll was in words; nothing for an ordinary one."""
    for limit, words in ((VERY_LUCKY, "very "), (LUCKY, "")):
        if abs(luck) >= limit:
            return words + ("lucky" if luck > 0 else "unlucky")
    return ""


def worst_of(reviews: Iterable[Review], number: int = 3) -> list[tuple[Review, DecisionReview]]:
    """Return the decisions of several reviews that lost most."""
    lossy = chain.from_iterable(((one, worst) for worst in one.worst(number)) for one in reviews)
    return sorted(lossy, key=lambda pair: -pair[1].loss)[:number]
