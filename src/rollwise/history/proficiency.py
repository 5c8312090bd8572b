"""How well one plays, over all games: losses by class, by turn and by box, and the skill estimate.

The luck-adjusted score of a game (value at the start less loss) has the same mean as the score, as
luck has mean zero, and a small part of its variance: so few games say much about skill.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rollwise.history.schema import DecisionRow, PlayedRow
from rollwise.reviews.verdicts import EXCELLENT, VERDICTS


@dataclass(frozen=True)
class Mean:
    """A mean with its standard error; the error is None for fewer than two games."""

    mean: float
    error: float | None

    @classmethod
    def of(cls, values: Sequence[float]) -> "Mean":
        """Return the estimate from independent values, at least one."""
        n = len(values)
        mean = math.fsum(values) / n
        if n < 2:
            return cls(mean, None)
        variance = math.fsum((value - mean) ** 2 for value in values) / (n - 1)
        return cls(mean, math.sqrt(variance / n))

    def __str__(self) -> str:
        return f"{self.mean:.2f}" + ("" if self.error is None else f" ± {self.error:.2f}")


@dataclass(frozen=True)
class Group:
    """Decisions that have something in common: a turn, or the box that was scored.

    Attributes
    ----------
    decisions : int
        Those in which there was something to decide.
    mean_loss : float
        Loss a decision.
    share : float
        Of all that was lost.
    """

    name: str
    decisions: int
    mean_loss: float
    share: float

    def words(self) -> tuple[str, str, str, str]:
        """Return all of it as a line of a table has it, the share in percent."""
        shares = f"{self.mean_loss:.3f}", f"{100 * self.share:.1f}"
        return self.name, str(self.decisions), *shares


@dataclass(frozen=True)
class Proficiency:
    """How well somebody plays.

    Attributes
    ----------
    score, luck_adjusted : Mean
        Mean a game.
    mean_loss : float
        Loss a counted decision.
    tally : dict of str to int
        Counted decisions of each class.
    by_turn, by_category : list of Group
    trend : list of float
        Mean loss a decision of each game, the earliest first.
    """

    games: int
    decisions: int
    score: Mean
    luck_adjusted: Mean
    best_play: float
    mean_loss: float
    tally: dict[str, int]
    by_turn: list[Group]
    by_category: list[Group]
    trend: list[float]

    def as_dict(self) -> dict[str, Any]:
        """Return everything as JSON can hold it."""
        return asdict(self)


def proficiency(played: Sequence[PlayedRow]) -> Proficiency | None:
    """Return how well the games of one set of rules were played; None without games."""
    if not played:
        return None
    counted = [_counted(row) for row in played]
    decisions = [decision for game in counted for decision in game]
    categories = list(dict.fromkeys(decision.category for decision in decisions))
    turns = sorted({decision.turn for decision in decisions})
    loss = math.fsum(decision.loss for decision in decisions)
    verdicts = [decision.verdict for decision in decisions]
    return Proficiency(
        games=len(played),
        decisions=len(decisions),
        score=Mean.of([row.score for row in played]),
        luck_adjusted=Mean.of([row.start - row.loss for row in played]),
        best_play=math.fsum(row.start for row in played) / len(played),
        mean_loss=loss / max(len(decisions), 1),
        tally={verdict: verdicts.count(verdict) for verdict in VERDICTS},
        by_turn=[
            _group(str(turn), (d for d in decisions if d.turn == turn), loss) for turn in turns
        ],
        by_category=sorted(
            (_group(key, (d for d in decisions if d.category == key), loss) for key in categories),
            key=lambda group: -group.share,
        ),
        trend=[
            math.fsum(decision.loss for decision in game) / max(len(game), 1) for game in counted
        ],
    )


def mistakes(played: Iterable[PlayedRow]) -> list[DecisionRow]:
    """Return the decisions worth practising, those that lost most first, each position once."""
    lossy = {
        decision.position: decision
        for row in played
        for decision in row.decisions
        if decision.loss >= EXCELLENT
    }
    return sorted(lossy.values(), key=lambda decision: -decision.loss)


def _counted(row: PlayedRow) -> list[DecisionRow]:
    return [decision for decision in row.decisions if decision.counted]


def _group(name: str, decisions: Iterable[DecisionRow], whole: float) -> Group:
    losses = [decision.loss for decision in decisions]
    loss = math.fsum(losses)
    return Group(name, len(losses), loss / len(losses), loss / whole if whole else 0.0)
