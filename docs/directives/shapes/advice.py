"""The JSON for positions: options, values, and win probabilities of two players."""

from typing import Literal

from directives.shapes.base import Shape


class Option(Shape):
    action: str
    kind: Literal["keep", "score"]
    value: float
    """Of the whole game if this is done, in the units of the objective."""
    loss: float
    best: bool
    expected: float
    """The expected final score."""
    sd: float | None
    """Of the final score; null where it is not known."""
    reasons: dict[str, float] | None = None
    """With --explain: points that the best option has more, by box and bonus."""


class Opponent(Shape):
    card: str
    plays: str
    mean: float
    sd: float


class Advice(Shape):
    rules: str
    objective: str
    position: str
    options: list[Option]
    opponents: list[Opponent] | None = None


class DuelOption(Shape):
    action: str
    kind: Literal["keep", "score"]
    value: float
    win: float
    tie: float
    lose: float
    best: bool


class DuelOpponent(Shape):
    card: str
    plays: Literal["duel"]


class Grid(Shape):
    difference: int
    upper: int
    fine_difference: int
    fine_upper: int


class DuelAdvice(Shape):
    rules: str
    objective: Literal["beat"]
    position: str
    opponents: list[DuelOpponent]
    exact: bool
    error: float | None = None
    """Only with a grid."""
    grid: Grid | None = None
    options: list[DuelOption]


class Value(Shape):
    rules: str
    card: str
    value: float
    sd: float | None
    objective: str
    opponents: list[Opponent] | None = None


class Solved(Shape):
    rules: str
    objective: str
    value: float
    sd: float | None
    states: int
    seconds: float
    from_cache: bool


class Duel(Shape):
    rules: str
    card: str
    opponent: str
    ties_lose: bool
    value: float | None
    win: float | None
    tie: float | None
    lose: float | None
    exact: bool
    error: float | None = None
    """Only with a grid."""
    grid: Grid | None = None


class DuelSize(Shape):
    rules: str
    card: str
    opponent: str
    ties_lose: bool
    exact: bool
    pairs: int
    lanes: int
    bytes: int
    seconds: float


class Hand(Shape):
    action: str
    reroll: str
    expected: float


class Greedy(Shape):
    rules: str
    strategy: str
    position: str
    options: list[Hand]
