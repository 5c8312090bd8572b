"""Measure how much win probability each of several policies loses in one turn.

Run ``python benchmarks/duel_turns.py [--boxes 3 4 5] [--positions N]``. Positions come from seeded
games of optimal play for points, with the given number of open categories on each scorecard. After
the turn, both players play optimally to win. The loss of a turn is the mean over all its rolls. The
script prints the mean loss for each number of open categories.
"""

import argparse

import numpy as np

from duel import RULES, card_with
from rollwise.evaluation.forward_pass_by_score import final_distribution
from rollwise.game.position import Position
from rollwise.game.scorecard import Scorecard
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.objectives import beating
from rollwise.solving.position_index import CardIndex
from rollwise.solving.solver import Solver
from rollwise.strategies import Optimal, TurnPolicy
from rollwise.two_player import policy
from rollwise.two_player.policy import WinPolicy, card_arrays, cards_after
from rollwise.two_player.solver import DuelSolver

SOLVER = Solver(RULES)
DICE = RULES.dice * (1,)
"""Arbitrary dice; they are needed because a solution must start from a position."""


def turns(points: CardSolution, mine: Scorecard, other: Scorecard) -> dict[str, TurnPolicy]:
    """Return the turn policy of each strategy against the scorecard of an opponent."""
    places = [CardIndex.of_card(points.model, card) for card in (mine, other)]
    cards = [card_arrays(place) for place in places]
    strategies = {"points": Optimal(points)}
    distribution = final_distribution(Optimal(points), other)
    response = SOLVER.solve(
        beating([(distribution, 1)]), position=Position.of(mine, DICE, RULES.rolls - 1)
    )
    strategies["reply"] = Optimal(response)
    policies = {
        name: strategy.turn_policy(points.model, places[0].c, places[0].lane, places[0].score)
        for name, strategy in strategies.items()
    }
    for name, few in (("normal", 0), ("laws", policy.DISTRIBUTION_CATEGORIES)):
        win_policy = WinPolicy(points)
        if few:
            win_policy.compute_distributions_after(*cards)
        values = win_policy.outcome_values(cards[0], cards[1])
        keeps, categories = win_policy.turns(cards[0], values)
        policies[name] = TurnPolicy(tuple(keeps[0]), categories[0])
    return policies


def losses(points: CardSolution, mine: Scorecard, other: Scorecard) -> dict[str, float]:
    """Return the win probability that each policy loses in the turn, in percent, by name."""
    solution = DuelSolver(RULES).solve(mine, other, ties=False)
    model, place = points.model, CardIndex.of_card(points.model, mine)
    every_O = np.arange(len(model.points_O))
    after = cards_after(model, card_arrays(place), every_O)
    value_O = solution.look_up(1, after, card_arrays(CardIndex.of_card(model, other)))
    loss = {}
    for name, turn in turns(points, mine, other).items():
        distribution_O = turn.outcome_probabilities(model, place.c)
        occurs = distribution_O > 0
        loss[name] = 100 * (solution.value() - float(distribution_O[occurs] @ value_O[occurs]))
    return loss


def main() -> None:
    """Print a line of mean losses for each number of open categories."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boxes", nargs="*", type=int, default=[3, 4, 5])
    parser.add_argument("--positions", type=int, default=30)
    arguments = parser.parse_args()
    points = SOLVER.solve(moments=True)
    for boxes in arguments.boxes:
        rows = []
        for number in range(arguments.positions):
            mine, other = (card_with(boxes, 1000 * boxes + 2 * number + i, points) for i in (0, 1))
            rows.append(losses(points, mine, other))
        columns = []
        for name in ("points", "normal", "laws", "reply"):
            column = np.array([row[name] for row in rows])
            error = column.std() / np.sqrt(len(column))
            columns.append(f"{name} {column.mean():.3f} ± {error:.3f} %")
        print(f"{boxes} open boxes each: " + ", ".join(columns), flush=True)


if __name__ == "__main__":
    main()
