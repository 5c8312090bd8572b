"""The options for a roll against opponents whose scorecards are visible.

If the opponents do not respond to the player, the distributions of their final scores are known.
The player then maximizes the probability of the highest score. A single opponent can instead
respond, as in a two-player game.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rollwise.evaluation.forward_pass_by_score import Opponent, final_distribution
from rollwise.game.position import Position, format_position
from rollwise.game.scorecard import Scorecard, format_card
from rollwise.solving.objective_parser import BEAT as BEAT
from rollwise.solving.objectives import Objective, beating
from rollwise.solving.progress import Progress
from rollwise.strategies import Strategy
from rollwise.two_player.near_optimal import NearOptimal
from rollwise.two_player.solution import DuelOption, DuelSolution

DUEL = "duel"
"""The name of the strategy of an opponent who responds."""


def opponent_at(
    card: Scorecard, plays: str, strategy: Strategy, progress: Progress | None = None
) -> Opponent:
    """Return an opponent who plays on from a scorecard with the strategy named ``plays``."""
    return Opponent(card, plays, final_distribution(strategy, card, progress=progress))


def beat_all(opponents: Sequence[Opponent]) -> Objective:
    """Return the objective of finishing with a higher score than all opponents."""
    return beating([(opponent.distribution, 1) for opponent in opponents])


@dataclass(frozen=True)
class DuelAdvice:
    """The options for a roll against one opponent who responds; ``solution`` has their values."""

    position: Position
    opponent: Scorecard
    solution: DuelSolution | NearOptimal

    @cached_property
    def options(self) -> list[DuelOption]:
        """The legal actions, best first."""
        return self.solution.options(self.position)

    def rows(self, percent: Callable[[float], str]) -> list[tuple[str, ...]]:
        """Return the action, the value, and the probabilities of each option as strings."""
        return [option.as_row(self.position.rules, percent) for option in self.options]

    def as_dict(self, top: int | None = None) -> dict[str, Any]:
        """Return the position and its ``top`` best options (default: all) as JSON."""
        rules = self.position.rules
        return {
            "rules": rules.name,
            "objective": BEAT,
            "position": format_position(self.position),
            "opponents": [{"card": format_card(self.opponent), "plays": DUEL}],
            **exactness(self.solution),
            "options": [option.as_dict(rules) for option in self.options[:top]],
        }


def exactness(solution: DuelSolution | NearOptimal) -> dict[str, Any]:
    """Return whether a solution is exact, and its grid and error if it has a grid, as JSON."""
    if solution.grid is None:
        return {"exact": solution.exact}
    return {"exact": False, "error": solution.error, "grid": solution.grid.as_dict()}
