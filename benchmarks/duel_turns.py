"""What a turn of several players gives away against exact play of two, by the boxes that are open.

Run ``python benchmarks/duel_turns.py [--boxes 3 4 5] [--positions N]``. Positions are those of
games that best play for points leads to, seeded, with so many open boxes on either card; the
player to move has the chances that exact play of both leaves him, and what his turn gives away
of them is a mean over all dice.
"""

import argparse

import numpy as np

from duel import RULES, card_with
from rollwise.evaluation.forward_by_score import final_distribution
from rollwise.game.position import Position
from rollwise.game.scorecard import Scorecard
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.objectives import beating
from rollwise.solving.place import CardPlace
from rollwise.solving.solver import Solver
from rollwise.strategies import Optimal, TurnPolicy
from rollwise.two_player import policy
from rollwise.two_player.policy import WinPolicy, cards_at
from rollwise.two_player.solver import DuelSolver

SOLVER = Solver(RULES)
DICE = RULES.dice * (1,)
"""Any: solutions start from a position."""


def turns(points: CardSolution, mine: Scorecard, other: Scorecard) -> dict[str, TurnPolicy]:
    """Return how each player plays the turn of one card against another one."""
    places = [CardPlace.of_card(points.model, card) for card in (mine, other)]
    cards = [cards_at(place) for place in places]
    found = {"points": Optimal(points)}
    distribution = final_distribution(Optimal(points), other)
    reply = SOLVER.solve(
        beating([(distribution, 1)]), position=Position.of(mine, DICE, RULES.rolls - 1)
    )
    found["reply"] = Optimal(reply)
    policies = {
        name: player.turn_policy(points.model, places[0].c, places[0].lane, places[0].score)
        for name, player in found.items()
    }
    for name, few in (("normal", 0), ("laws", policy.FEW)):
        play = WinPolicy(points)
        if few:
            play.know_distributions_after(*cards)
        keeps, categories = play.turns(cards[0], play.worths(cards[0], cards[1]))
        policies[name] = TurnPolicy(tuple(keeps[0]), categories[0])
    return policies


def given_away(points: CardSolution, mine: Scorecard, other: Scorecard) -> dict[str, float]:
    """Return what the turn of each player gives away of his chance, in percent."""
    solution = DuelSolver(RULES).solve(mine, other, ties=False)
    model, place = points.model, CardPlace.of_card(points.model, mine)
    every_O = np.arange(len(model.points_O))
    after = WinPolicy(points).after(cards_at(place), every_O)
    chance_O = solution.look_up(1, after, cards_at(CardPlace.of_card(model, other)))
    lost = {}
    for name, turn in turns(points, mine, other).items():
        distribution_O = turn.outcome_probabilities(model, place.c)
        occurs = distribution_O > 0
        lost[name] = 100 * (solution.value() - float(distribution_O[occurs] @ chance_O[occurs]))
    return lost


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boxes", nargs="*", type=int, default=[3, 4, 5])
    parser.add_argument("--positions", type=int, default=30)
    arguments = parser.parse_args()
    points = SOLVER.solve(moments=True)
    for boxes in arguments.boxes:
        rows = []
        for number in range(arguments.positions):
            mine, other = (card_with(boxes, 1000 * boxes + 2 * number + i, points) for i in (0, 1))
            rows.append(given_away(points, mine, other))
        told = []
        for name in ("points", "normal", "laws", "reply"):
            column = np.array([row[name] for row in rows])
            error = column.std() / np.sqrt(len(column))
            told.append(f"{name} {column.mean():.3f} ± {error:.3f} %")
        print(f"{boxes} open boxes each: " + ", ".join(told), flush=True)


if __name__ == "__main__":
    main()
