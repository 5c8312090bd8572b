"""The best scale of the penalty of a greedy strategy, by exact evaluation of many scales.

The strategy ``greedy-discounted:S`` discounts points by a penalty with the scale S. A change of S
changes the expected score only where it changes a decision, so the expected score is a piecewise
constant function of S. In a game such as Yahtzee it has very many pieces. The search evaluates a
grid of scales exactly, and refines the grid around its best scales. For the best scale it finds the
interval in which no decision changes.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, exp, log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import MalformedError, one_of
from rollwise.evaluation.evaluate import evaluate
from rollwise.evaluation.policy_value import mean_of, policy_of
from rollwise.model.arrays import build
from rollwise.rules import Rules, RulesLike, as_rules
from rollwise.solving.progress import Progress
from rollwise.strategies import SCALED, Greedy
from rollwise.strategies.greedy import SCALE, discounting

GRID = (0.0, *(2 ** (k / 4) for k in range(57)), float(SCALE))
"""The first scales: 0, four for each factor of 2 from 1 to 16,384, and the scale of the source."""

SHOWN = (0.0, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, float(SCALE), 256.0, 1024.0, 16384.0)
"""The scales of the grid that ``rollwise greedy --best-scale`` prints."""

STEP = log(2) / 4
"""The logarithm of the ratio of neighbors in the grid."""

REFINED = 3
"""The number of scales around which the grid is refined."""

PARTS = 8
"""The number of parts into which a refinement divides the steps beside a scale."""

RESOLUTION = 1e-3
"""The largest relative step of the finest grid around the best scale."""

NARROW = 1e-7
"""The relative error of the ends of the best interval."""


@dataclass(frozen=True)
class BestScale:
    """The best scale that a search found.

    Attributes
    ----------
    rules : Rules
    strategy : str
        The name of the strategy, without its scale.
    scale : float
        The best scale: the shortest decimal from ``low`` to ``high``.
    low, high : float
        At both scales, all decisions are the same as at ``scale``. Each is within a relative
        distance of ``NARROW`` of a scale at which a decision differs, or is an end of the grid.
    mean, sd : float
        The exact expected score and SD of the strategy with this scale.
    means : dict of float to float
        The exact expected score for every scale that was evaluated, in ascending order.
    default : float
        The exact expected score with the scale of the source, ``SCALE``.
    greedy : float
        The exact expected score of the same strategy without a penalty.
    """

    rules: Rules
    strategy: str
    scale: float
    low: float
    high: float
    mean: float
    sd: float
    means: dict[float, float]
    default: float
    greedy: float

    def as_dict(self) -> dict[str, Any]:
        """Return the result as JSON-compatible data."""
        return {
            "rules": self.rules.name,
            "strategy": self.strategy,
            "scale": self.scale,
            "low": self.low,
            "high": self.high,
            "mean": self.mean,
            "sd": self.sd,
            "default": {"scale": SCALE, "mean": self.default},
            "greedy": self.greedy,
            "resolution": RESOLUTION,
            "scales": [{"scale": scale, "mean": mean} for scale, mean in self.means.items()],
        }


def best_scale(
    rules: RulesLike, strategy: str = "greedy-discounted", *, progress: Progress | None = None
) -> BestScale:
    """Search for the scale of the penalty with the highest expected score.

    Every scale is evaluated exactly, but not all scales are evaluated: an interval between two
    scales of the finest grid can have a higher expected score.

    Parameters
    ----------
    rules : Rules, str, or Path
        The game, or the name of a preset.
    strategy : {"greedy-discounted", "greedy-step-discounted"}
    progress : callable, optional
        Called with the completed fraction of the work, from 0 to 1.

    Raises
    ------
    MalformedError
        If the strategy has no scale.

    Examples
    --------
    >>> result = best_scale("micro-yahtzee")
    >>> round(result.mean, 6), round(result.low, 4), round(result.high, 4)
    (25.944444, 9.8222, 23.0831)
    """
    if strategy not in SCALED:
        raise MalformedError(
            f"{strategy} has no scale; use {one_of(list(SCALED), strategy, 'a name')}"
        )
    game, ahead = as_rules(rules), SCALED[strategy]
    means: dict[float, float] = {}
    rounds = ceil(log(STEP / RESOLUTION) / log(PARTS))
    work = len(GRID) + rounds * REFINED * 2 * (PARTS - 1)

    def player(scale: float) -> Greedy:
        return discounting(strategy, f"{scale:.9f}", ahead)

    def add(scale: float) -> None:
        scale = round(scale, 9)  # names have up to nine decimals
        if scale not in means:
            means[scale] = mean_of(policy_of(player(scale), game))
            if progress:
                progress(min(len(means) / work, 1.0))

    for scale in GRID:
        add(scale)
    step = STEP
    while step > RESOLUTION:
        for best in sorted(means, key=means.__getitem__)[-REFINED:]:
            for part in range(1 - PARTS, PARTS):
                add(best * exp(step * part / PARTS))
        step /= PARTS
    best = max(means, key=means.__getitem__)
    low, high = _interval(best, sorted(means), lambda scale: _decisions(player(scale), game))
    scale = _shortest(low, high)
    distribution = evaluate(player(scale), game).distribution
    return BestScale(
        rules=game,
        strategy=strategy,
        scale=scale,
        low=low,
        high=high,
        mean=distribution.mean,
        sd=distribution.sd,
        means=dict(sorted(means.items())),
        default=means[float(SCALE)],
        greedy=mean_of(policy_of(Greedy(ahead=ahead), game)),
    )


Decisions = tuple[NDArray[np.uint16], NDArray[np.uint8]]


def _decisions(player: Greedy, rules: Rules) -> Decisions:
    """Return all decisions of a strategy, in all classes with open categories."""
    model = build(rules)
    classes = np.arange(int(model.layer_starts[-2]))
    return player.choices_at(model, classes, classes * 0, classes * 0)


def _interval(
    best: float, scales: list[float], decisions_at: Callable[[float], Decisions]
) -> tuple[float, float]:
    """Return the ends of the interval around ``best`` with the same decisions."""
    keeps, categories = decisions_at(best)

    def same(scale: float) -> bool:
        other_keeps, other_categories = decisions_at(scale)
        return np.array_equal(keeps, other_keeps) and np.array_equal(categories, other_categories)

    def end(outward: list[float]) -> float:
        inside = best
        for outside in outward:
            if same(outside):
                inside = outside
                continue
            while abs(outside - inside) > NARROW * best:
                middle = (inside + outside) / 2
                inside, outside = (middle, outside) if same(middle) else (inside, middle)
            break
        return inside

    at = scales.index(best)
    return end(scales[:at][::-1]), end(scales[at + 1 :])


def _shortest(low: float, high: float) -> float:
    """Return a number from ``low`` to ``high`` with the fewest decimals."""
    power = 1.0
    while (number := ceil(low * power) / power) > high:
        power *= 10
    return number
