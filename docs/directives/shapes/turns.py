"""What is written of single turns, by ``odds`` and ``payoff-line``."""

from typing import Any

from directives.shapes.base import Matrix, Number, Shape


class Keep(Shape):
    keep: str
    chance: Number | None = None
    mean: Number | None = None
    best: bool


class TurnRoll(Shape):
    roll: str
    first: Number
    """The probability of this first roll."""
    payoffs: list[Number]
    """After each roll, from the first to the last."""
    best: list[list[str]]
    """What may be kept after each roll but the last."""


class Matrices(Shape):
    keeps: list[str]
    rolls: list[str]
    options: list[list[Number]]
    """The probability of each roll after each keep."""
    available: list[list[int]]


class Turn(Shape):
    target: str
    faces: int
    dice: int
    rolls: int
    chance: Number | None = None
    """Of a target; of a payoff its mean instead."""
    mean: Number | None = None
    states: list[TurnRoll]
    matrices: Matrices | None = None


class TurnKeeps(Shape):
    target: str
    faces: int
    dice: int
    rolls: int
    hand: str
    rolls_left: int
    keeps: list[Keep]


class TurnSimulated(Shape):
    target: str
    faces: int
    dice: int
    rolls: int
    games: int
    seed: int
    chance: float | None = None
    mean: float | None = None
    standard_error: float
    policy: str
    """The dice that the simulated player keeps."""


class Line(Shape):
    slope: float
    intercept: float


class Point(Shape):
    category: str
    payoff: float
    probability: float
    exact: float
    raw_value: float
    raw_payoff: float
    weight: float
    state: int | None = None
    distance: float = 0.0
    keep: str = ""


class ExpectedRolls(Shape):
    state: int
    """The target: this state or a higher one."""
    from_states: list[float]
    """The expected number of further rolls from each state."""
    from_start: float
    """The expected number of rolls from the beginning, including the first."""
    exactly: str
    """The same number as a fraction."""


class Chain(Shape):
    chain: str
    states: list[int]
    matrix: Matrix
    first_roll: list[float]
    after_all_rolls: list[float]
    expected_rolls: list[ExpectedRolls]
    paper: dict[str, Any] | None
    """The matrix and both distributions with the errors of the paper, where it prints them.

    is_inferred is true if entry (1, 1) of the matrix is not printed, but inferred from the printed
    distribution after all rolls.
    """
    from_state: dict[str, Any] | None
    """With --state: the state, the number of rolls, and the probabilities after them."""


class PayoffLine(Shape):
    rules: str
    variant: str
    line: Line
    position: str | None
    action: str | None
    points: list[Point]
    chains: list[Chain]
