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


class Estimated(Shape):
    rules: str
    players: int
    classes: int
    entries: int
    memory: int
    disk: int
    core_seconds: float
    seconds_here: float
    seconds: float


class Estimates(Shape):
    cores_here: int
    cores: int
    games: list[Estimated]


class Preset(Shape):
    name: str
    title: str


class DefaultGame(Shape):
    name: str
    title: str
    rules: str
    """The name of a preset, or the path of a rule file."""
    set_by: str | None
    """The environment variable or the settings file; null for the original default."""


class Tree(Shape):
    rules: str
    games: str
    """A number of any length."""
    turn_states: int
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


class Openings(Shape):
    rules: str
    first_turn: dict[str, FirstRoll]
    last_turn: dict[str, LastTurn]


class PublishedNumber(Shape):
    group: str
    table: str
    rules: str
    what: str
    published: str
    ours: float | str
    difference: float | None
    status: Literal["match", "source_error", "unexplained", "mismatch"]
    reason: str | None
    """The explanation of a proved error, or what is known about an unexplained difference."""
    source: str
    place: str


class Published(Shape):
    matches: int
    source_errors: int
    unexplained: int
    mismatches: int
    numbers: list[PublishedNumber]


class WorstTurn(Shape):
    rolls: list[str]
    keeps: list[str]
    category: str
    points: int
    extra: int


class WorstGame(Shape):
    rules: str
    objective: str
    dice: Literal["any", "adversarial"]
    total: int
    upper_bonus: int
    turns: list[WorstTurn]
