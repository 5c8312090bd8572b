"""What is written of rules, tables on disk and curious things."""

from typing import Literal

from directives.shapes.base import Shape


class CachedGame(Shape):
    path: str
    game: str
    objective: str
    bytes: int
    used_at: str
    current: bool
    wanted: bool


class Cached(Shape):
    folder: str
    limit: int
    games: list[CachedGame]


class Plan(Shape):
    rules: str
    players: int
    cards: int
    states: int
    memory: int
    disk: int
    core_seconds: float
    seconds_here: float
    seconds: float


class Plans(Shape):
    cores_here: int
    cores: int
    games: list[Plan]


class Preset(Shape):
    name: str
    title: str


class Tree(Shape):
    rules: str
    games: str
    """A number of any length."""
    rarest: str
    likeliest: str
    log10_strategies: float | None
    strategies: str | None


class FirstRoll(Shape):
    dice: str
    action: str
    value: float
    sd: float
    as_good: list[str]


class LastTurn(Shape):
    mean: float
    sd: float
    zero: float


class Trivia(Shape):
    rules: str
    first_turn: dict[str, FirstRoll]
    last_turn: dict[str, LastTurn]


class Published(Shape):
    group: str
    table: str
    rules: str
    what: str
    published: str
    ours: float | str
    difference: float | None
    holds: bool
    slip: str | None
    source: str
    place: str


class WorstTurn(Shape):
    rolls: list[str]
    keeps: list[str]
    category: str
    points: int
    extra: int


class WorstGame(Shape):
    rules: str
    objective: str
    dice: Literal["any", "demonic"]
    total: int
    upper_bonus: int
    turns: list[WorstTurn]
