"""What is written of how strategies and objectives fare."""

from typing import Any

from directives.shapes.base import Matrix, Quantiles, Shape
from rollwise.evaluation.evaluate import CategoryStatistics


class Extreme(Shape):
    score: int
    probability: float


class Reached(Shape):
    score: int
    at_least: float
    exactly: float
    normal_at_least: float


class Brief(Shape):
    mean: float
    sd: float
    none: float
    """The probability of nothing."""


class Report(Shape):
    rules: str
    strategy: str
    ties: str | None
    mean: float
    sd: float
    skewness: float
    median: int
    mode: int
    quantiles: Quantiles
    minimum: Extreme
    maximum: Extreme
    tie: float
    categories: dict[str, CategoryStatistics]
    upper_bonus: Brief | None
    extra_bonus: Brief | None
    alike: Brief | None
    jokers: Brief | None
    bonus_and_alike: Matrix | None
    distribution: list[tuple[int, float]]
    """Scores with their probabilities."""
    at: list[Reached] | None = None
    """With --at: the probabilities of the scores."""


class Lost(Shape):
    total: float
    error: float
    by_turn: list[float]
    by_decision: list[float]
    by_category: dict[str, float]


class Compared(Shape):
    strategy: str
    exact: bool
    mean: float
    error: float
    sd: float
    quantiles: Quantiles
    lost: Lost


class Outcome(Shape):
    win: float
    tie: float
    lose: float


class Estimate(Shape):
    mean: float
    error: float


class Comparison(Shape):
    rules: str
    optimum: float
    games: int
    seed: int
    strategies: list[Compared]
    matrix: list[list[Outcome]]
    paired_differences: list[list[Estimate]]


class Simulation(Shape):
    rules: str
    strategy: str
    games: int
    seed: int
    mean: float
    error: float
    sd: float
    quantiles: Quantiles
    minimum: int
    maximum: int
    categories: dict[str, float]
    upper_bonus: float
    extra_bonus: float


class Match(Shape):
    rules: str
    players: tuple[str, str]
    win: int
    tie: int
    lose: int
    scores: list[tuple[int, int]]
    seed: int
    transcript: list[str] | None


class Cell(Shape):
    rolls: int
    bonus: int
    """Points of the upper bonus."""
    jokers: bool
    mean: float
    sd: float | None
    ties: str | None
    bonus_reached: float | None
    """The probability of an upper bonus."""
    varied: dict[str, bool | int | str | list[Any] | dict[str, Any]]
    """The clauses that are varied, with the values of this game."""


class Sweep(Shape):
    rules: str
    strategy: str
    objective: str
    cells: list[Cell]


class Target(Shape):
    target: int
    best: float
    expected_play: float


class Targets(Shape):
    targets: list[Target]


class FrontierPoint(Shape):
    aim: float
    mean: float
    sd: float


class Frontier(Shape):
    frontier: list[FrontierPoint]


class Attempts(Shape):
    turns: float
    games: float
    success: float
    turns_a_game: float


class Stopping(Shape):
    score: int
    giving_up: Attempts
    never: Attempts
