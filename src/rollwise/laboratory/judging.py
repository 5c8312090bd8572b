"""An agent judged: what its decisions give away, and how much less luck has to do with that."""

from dataclasses import dataclass
from typing import Any

from rollwise.laboratory.losses import Losses, losses
from rollwise.rules import Rules
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.progress import Progress
from rollwise.strategies import Strategy


@dataclass(frozen=True, eq=False)
class Judgement:
    """What some games say of a player.

    Attributes
    ----------
    optimum : float
        The highest expected score there is.
    """

    rules: Rules
    agent: str
    seed: int
    optimum: float
    losses: Losses

    @property
    def worth(self) -> float:
        """The expected score: the optimum less the points lost, with the same standard error."""
        return self.optimum - self.losses.total

    @property
    def raw_mean(self) -> float:
        """The mean of the scores themselves."""
        return float(self.losses.scores_N.mean())

    @property
    def raw_error(self) -> float:
        """The standard error of the mean score."""
        return float(self.losses.scores_N.std() / self.losses.games**0.5)

    @property
    def raw_games(self) -> int | None:
        """How many games would tell as much by their scores alone; None if nothing is unknown.

        The error of a mean falls with the root of the number of games.
        """
        error = self.losses.error
        return round(self.losses.games * (self.raw_error / error) ** 2) if error else None

    def as_dict(self) -> dict[str, Any]:
        """Return everything as JSON can hold it."""
        lost = self.losses
        return {
            "rules": self.rules.name,
            "agent": self.agent,
            "games": lost.games,
            "seed": self.seed,
            "optimum": self.optimum,
            "worth": self.worth,
            "raw": {"mean": self.raw_mean, "error": self.raw_error, "games": self.raw_games},
            "lost": lost.as_dict(self.rules),
        }


def judge(
    agent: Strategy,
    solution: CardSolution,
    games: int = 1000,
    seed: int = 0,
    *,
    threads: int = 1,
    progress: Progress | None = None,
) -> Judgement:
    """Judge a player by its decisions in some games.

    Parameters
    ----------
    solution : CardSolution
        Of the game for the expected score.
    games : int
        How many, 2 or more.
    progress : callable, optional
        Called with the done share of the work, from 0 to 1, after each turn.

    Raises
    ------
    IllegalError
        When it plays what the rules forbid.
    """
    lost = losses(agent, solution, games, seed, threads, progress)
    return Judgement(solution.rules, agent.name, seed, solution.value(), lost)
