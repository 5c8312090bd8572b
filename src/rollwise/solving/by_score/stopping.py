"""Giving up early: the fewest turns until a score is reached, when a game may be begun anew.

A player who wants a score of T plays game after game, gives up one that goes badly between turns,
and is done when his points, with the upper bonus once it is earned, reach T. With a price q for a
turn and a reward of 1 for T an attempt is worth P - q E(turns), and giving up is worth nothing. At
the price where beginning is worth nothing too, q = P / E(turns) is the highest such ratio, and 1/q
is the expected number of all turns played.

The price is found by Dinkelbach's method: the ratio of the best attempt at one price is the next
price. It rises to the solution, faster than linearly.

References
----------
T. Verhoeff, Optimal Solitaire Yahtzee Strategies (1999), "Optimal premature stopping" as a
challenge. W. Dinkelbach, On nonlinear fractional programming (1967).
"""

from dataclasses import dataclass, replace

from rollwise.errors import MalformedError
from rollwise.rules import Rules
from rollwise.solving.by_score.solver import solve_by_score
from rollwise.solving.cards import solve_cards
from rollwise.solving.objectives import BEST_CASE, target
from rollwise.solving.progress import Progress

ROUNDING = 1e-12


@dataclass(frozen=True)
class Attempts:
    """How long it takes to reach a score.

    Attributes
    ----------
    score : int
    success : float
        Probability that one attempt reaches it.
    turns_an_attempt : float
        Expected turns of one attempt, ended by success, by giving up or by a full card.
    turns, games : float
        Expected turns and attempts until success.
    patient_success, patient_turns : float
        The best probability when every game is played to its end, and the expected turns then.
    """

    score: int
    success: float
    turns_an_attempt: float
    patient_success: float
    patient_turns: float

    @property
    def turns(self) -> float:
        """Expected turns until success."""
        return self.turns_an_attempt / self.success

    @property
    def games(self) -> float:
        """Expected attempts until success."""
        return 1 / self.success


def fewest_turns(
    rules: Rules,
    score: int,
    *,
    cache: bool = True,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Attempts:
    """Return how soon a score can be reached when games may be given up between turns.

    Parameters
    ----------
    progress : callable, optional
        Called with the done share of each of a few rounds.

    Raises
    ------
    MalformedError
        When no game reaches the score.
    """
    highest = int(solve_cards(rules, BEST_CASE, cache=cache, threads=threads).value())
    if not 1 <= score <= highest:
        raise MalformedError(f"expected a score from 1 to {highest}, got {score}")
    patient = solve_by_score(
        rules, target(score), keep=False, cache=cache, threads=threads, progress=progress
    ).value()
    turns = len(rules.categories)
    price = patient / turns
    success, length = patient, float(turns)
    while True:
        objective = replace(target(score), price=price, floor=0.0, plays_on=False)
        solution = solve_by_score(
            rules, objective, turns=True, keep=False, cache=cache, threads=threads,
            progress=progress,
        )  # fmt: skip
        worth = solution.value()
        if worth <= ROUNDING * price:
            return Attempts(score, success, length, patient, turns / patient)
        length = float(solution.turns_at_start()[-1])
        success = worth + price * length
        if success / length <= price * (1 + ROUNDING):
            return Attempts(score, success, length, patient, turns / patient)
        price = success / length
