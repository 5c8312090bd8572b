"""What is written of games that were played."""

from typing import Literal

from directives.shapes.base import Shape


class Told(Shape):
    action: str
    value: float
    loss: float


Verdict = Literal["best", "excellent", "inaccuracy", "mistake", "blunder"]


class Decision(Shape):
    turn: int
    roll: int
    position: str
    chosen: str
    best: str
    value: float
    loss: float
    verdict: Verdict
    counted: bool
    reasons: dict[str, float]
    options: list[Told]


class Roll(Shape):
    turn: int
    roll: int
    kept: str
    dice: str
    before: float
    after: float
    luck: float
    words: str


class Reviewed(Shape):
    rules: str
    objective: str
    player: str
    is_over: bool
    score: int
    start: float
    value: float
    luck: float
    loss: float
    luck_adjusted: float
    best_with_same_dice: float | None
    decisions_counted: int
    mean_loss: float
    share_best: float
    tally: dict[Verdict, int]
    line: list[float]
    decisions: list[Decision]
    rolls: list[Roll]


class WorkerFunction(Shape):
    position: str
    then: str | None
    best: str
    value: float
    options: list[Told]


class Practice(Shape):
    rules: str
    questions: list[WorkerFunction]


class Saved(Shape):
    id: str
    saved_at: str | None
    rules: str
    is_over: bool
    scores: dict[str, int]


class Unreadable(Shape):
    id: str
    saved_at: str | None
    unreadable: str


class Checked(Shape):
    games: int
    unreadable: list[Unreadable]
    damaged_reviews: list[str]
    reviewed: list[str]
    not_reviewed: dict[str, str]
    problems: list[str]
