"""The symmetric equilibrium of a tournament, by exact best responses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import numpy as np
from annotated_types import Ge, Le
from cyclopts import Parameter
from numpy.typing import NDArray

from rollwise.distribution import Distribution
from rollwise.evaluation.evaluate import QUANTILES, evaluate
from rollwise.questions import checks_arguments
from rollwise.questions.answer import Answer, Block, Data, Hidden, table, title
from rollwise.questions.parameters import Game
from rollwise.questions.progress import working
from rollwise.questions.solving import cached_numbers, evaluated, solver_of
from rollwise.rules import Rules, game_of
from rollwise.solving.card_solution import highest_score
from rollwise.solving.objective_parser import MOST_OPPONENTS
from rollwise.solving.objectives import BEST_CASE, ScoreObjective, Values, beating
from rollwise.solving.progress import within
from rollwise.solving.solver import Solver
from rollwise.strategies import Optimal

TOLERANCE, STEPS, ROUNDS = 1e-4, 12, 1000
"""The gain at which the steps end, and the most steps and rounds of fictitious play."""


class Step(Data):
    """A strategy of all players, and the best response to it."""

    mean: float
    """The mean score of the strategy of all players."""
    sd: float
    response_mean: float
    response_sd: float
    share: float
    """The response's expected share of the win."""
    gain: float
    """The share divided by an equal share, minus 1; no strategy gains more."""


class Tournament(Answer):
    """The symmetric equilibrium of a tournament."""

    rules: str
    players: int
    steps: list[Step]
    """The first strategy is play for points; the last one is the equilibrium."""
    tolerance: float
    """The steps end when the gain is at most this."""
    weights: list[float]
    """The probabilities of play for points and of each response in the equilibrium."""
    mean: float
    sd: float
    quantiles: dict[str, int]
    distribution: list[tuple[int, float]]
    """The scores of the equilibrium with their probabilities."""
    game: Hidden[Rules]

    def __repr__(self) -> str:
        gain = f"mean {self.mean:.2f}, gain {self.steps[-1].gain:.4%}"
        return f"<Tournament of {self.players:,} players in {self.rules}: {gain}>"

    def show(self) -> Iterator[Block]:
        """Yield the steps, and what the last one guarantees."""
        yield title(self.game.title, f": tournament of {self.players:,} players")
        yield ""
        rows = table(">step", ">mean", ">SD", ">response mean", ">SD", ">gain")
        for number, step in enumerate(self.steps, start=1):
            cells = (f"{n:.2f}" for n in (step.mean, step.sd, step.response_mean, step.response_sd))
            rows.add_row(str(number), *cells, f"{100 * step.gain:.3g}%")
        yield rows
        yield ""
        low, median, high = (self.quantiles[p] for p in ("0.05", "0.5", "0.95"))
        scores = f"mean {self.mean:.2f}, SD {self.sd:.2f}, 5% {low}, median {median}, 95% {high}"
        unsettled = " (the maximum)" if self.steps[-1].gain > self.tolerance else ""
        yield f"Step {len(self.steps)}{unsettled}: {scores}"
        parts = [f"{p:.1%} response {n}" for n, p in enumerate(self.weights) if p]
        if len(parts) > 1:
            yield f"Mixture: {', '.join(parts)}".replace("response 0", "play for points")
        share, most = (f"{100 * p:.7g}%" for p in (1 / self.players, self.steps[-1].share))
        yield f"If all players use this strategy, each wins {share}."
        yield f"Against these players, no strategy wins more than {most}."


@checks_arguments
def tournament(
    *,
    players: Annotated[int, Ge(2), Le(MOST_OPPONENTS), Parameter(metavar="N")],
    rules: Game = None,
) -> Tournament:
    """Find the equilibrium of a tournament of many players.

    Each player plays a game without seeing the others. The highest score wins, and tied players
    share the win. At first, all play for points. Each step finds the best response to the other
    players and its gain, relative to an equal share of the wins. Then all mix the responses so
    far, until no strategy gains more than 0.01%. Yahtzee takes minutes.

    Parameters
    ----------
    players
        The number of players.
    rules
        A game, its name, or a rule file.

    Examples
    --------
    >>> tournament(players=10, rules="micro-yahtzee")
    <Tournament of 10 players in micro-yahtzee: mean 24.81, gain 0.0000%>

    rollwise tournament --players 1000 --rules crag
    rollwise tournament --players 2 --rules micro-yahtzee --json
    """
    game, steps = game_of(rules), list[Step]()
    points, solver = evaluated("optimal", game).distribution, solver_of(game)
    scores_S = np.arange(highest_score(solver.solve_by_card(BEST_CASE)) + 1)
    plays_R_S = np.array([[points.probability(score) for score in scores_S.tolist()]])
    weights_R = np.ones(1)
    while True:
        everyone = Distribution.of_counts(weights_R @ plays_R_S)
        goal = beating([(everyone, players - 1)], f"step {len(steps) + 1}")
        response_S = _best_response(solver, goal, scores_S)
        response = Distribution.of_counts(response_S)
        share = float(response_S @ goal.utility(scores_S))
        steps.append(
            Step.of(
                everyone,
                response_mean=response.mean,
                response_sd=response.sd,
                share=share,
                gain=max(players * share - 1, 0.0),
            )
        )
        if steps[-1].gain <= TOLERANCE or len(steps) == STEPS:
            break
        plays_R_S = np.vstack([plays_R_S, response_S])
        weights_R = _mixture(plays_R_S, players)
    pairs = zip(everyone.scores.tolist(), everyone.probabilities.tolist(), strict=True)
    return Tournament.of(
        everyone,
        rules=game.name,
        players=players,
        steps=steps,
        tolerance=TOLERANCE,
        weights=weights_R.tolist(),
        quantiles={f"{p:g}": everyone.quantile(p) for p in QUANTILES},
        distribution=list(pairs),
        game=game,
    )


def _best_response(solver: Solver, goal: ScoreObjective, scores_S: NDArray[np.int64]) -> Values:
    """Return the probability of each score of the optimal strategy for an objective."""

    def compute() -> Values:
        with working(f"solving {solver.rules.name} for {goal.name}") as advance:
            solver.progress = within(advance, 0, 0.6)
            best = evaluate(Optimal(solver.solve(goal)), progress=within(advance, 0.6, 1))
        return np.array([best.distribution.probability(score) for score in scores_S.tolist()])

    return cached_numbers(solver.rules, goal.cached_name(scores_S[-1]), compute)


def _mixture(plays_R_S: Values, players: int) -> Values:
    """Return weights of strategies, none of which gains much if all players use this mixture.

    The weights come from fictitious play (G. W. Brown, 1951), which begins with the last strategy.
    """
    rows = np.eye(len(plays_R_S))
    weights_R: Values = rows[-1]
    for number in range(2, ROUNDS):
        everyone = Distribution.of_counts(weights_R @ plays_R_S)
        utility_S = beating([(everyone, players - 1)]).utility(np.arange(plays_R_S.shape[1]))
        shares_R = players * (plays_R_S @ utility_S)
        if shares_R.max() <= 1 + TOLERANCE / 10:
            break
        weights_R = weights_R + (rows[shares_R.argmax()] - weights_R) / number
    return weights_R
