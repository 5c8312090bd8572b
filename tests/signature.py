"""Compute regression hashes of all results, bit for bit.

    python tests/signature.py [GAME …]

A change that alters results must update the hashes. For every preset that is solved in seconds, the
hash covers:

* the values and second moments of all states,
* the exact score distribution of the optimal strategy,
* the options at every decision of some random games,
* the best probability of a target, and
* for the smallest games, one objective of each other kind.

``signature.txt`` contains the expected hashes, which depend neither on threads nor on the
processor. Means of distributions are excluded, because NumPy's order of summation depends on the
processor.
"""

import hashlib
import random
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from rollwise.distribution import Distribution
from rollwise.evaluation.evaluate import Evaluation, evaluate
from rollwise.game.game import Game, fair_roll
from rollwise.game.notation import format_action
from rollwise.rules import Rules, load_rules
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.objective_parser import parse_objective
from rollwise.solving.solution import Solution
from rollwise.solving.solver import Solver, solve
from rollwise.strategies import Greedy, Optimal, Strategy

RECORDED = Path(__file__).with_suffix(".txt")
SMALL = ("crag", "generala", "micro-yahtzee", "yacht", "yamb-down", "yamb-up")
TARGETS = (*SMALL, "yahtzee", "balut")
OTHERS = ("best-case", "exponential:0.01", "mean-variance:0.01", "beat:100")
GAMES = 2
"""The number of random games whose options are hashed."""


def options(solution: Solution) -> Iterator[str]:
    """Yield every option at the decisions of random games; its numbers have all their digits."""
    source = random.Random(1)
    for seed in range(GAMES):
        game = Game(solution.rules)
        while not game.is_over:
            game.push(fair_roll(game, seed))
            while (position := game.position) is not None:
                for option in solution.options(position):
                    numbers = (option.value, option.loss, option.expected, option.sd)
                    digits = (None if number is None else number.hex() for number in numbers)
                    yield " ".join(
                        map(str, (format_action(solution.rules, option.action), *digits))
                    )
                game.push(source.choice(game.legal_actions()))


def distributions(evaluation: Evaluation) -> Iterator[str]:
    """Yield every probability of an evaluation, with all its digits."""
    for distribution in vars(evaluation).values():
        if isinstance(distribution, Distribution):
            yield f"{distribution.scores.tolist()} {distribution.probabilities.tolist()}"
    if evaluation.bonus_and_alike is not None:
        yield f"{evaluation.bonus_and_alike.tolist()}"
    for key, row in evaluation.categories.items():
        yield f"{key} {row.zero.hex()} {row.first_scored} {row.first_zero}"


def table_signature(solution: CardSolution) -> str:
    """Return a hash of the bits of all values of a solution."""
    arrays = [solution.table_C_L]
    if solution.moments:
        arrays += [solution.moments.mean_C_L, solution.moments.second_C_L]
    digest = hashlib.sha256()
    for array in arrays:
        digest.update(np.ascontiguousarray(array, dtype="<f8").tobytes())
    return digest.hexdigest()


def parts(rules: Rules, threads: int | None) -> Iterator[str]:
    """Yield all results for a game as strings.

    If ``threads`` is None, results are read from the cache if they are available.
    """
    cached = threads is None
    solution = Solver(rules, cache=cached, threads=threads).solve_by_card(moments=True)
    yield table_signature(solution)
    yield from options(solution)
    strategies: list[Strategy] = [Optimal(solution)]
    if rules.name in SMALL:
        strategies.append(Greedy())
    for strategy in strategies:
        yield from distributions(evaluate(strategy, rules, cache=cached, threads=threads))
    if rules.name in TARGETS:
        goal = f"target:{round(solution.value())}"
        objectives = (goal, *(OTHERS if rules.name in SMALL else ()))
        for objective in map(parse_objective, objectives):
            other = solve(rules, objective, cache=False, threads=threads)
            yield f"{objective.name} {other.value().hex()}"
            yield from options(other)


def game_signature(rules: Rules, threads: int | None = None) -> str:
    """Return the hash of a game as 16 hexadecimal digits."""
    digest = hashlib.sha256()
    for part in parts(rules, threads):
        digest.update(part.encode() + b"\n")
    return digest.hexdigest()[:16]


def recorded() -> dict[str, str]:
    """Return the expected hash of each game."""
    words = RECORDED.read_text(encoding="utf-8").split()
    return dict(zip(words[::2], words[1::2], strict=True))


def main(names: list[str]) -> int:
    """Print the hash of each game; return 1 if a hash differs from the recorded hash."""
    expected, changed = recorded(), 0
    for name in names or expected:
        ours = game_signature(load_rules(name))
        changed |= ours != expected[name]
        print(f"{name:26} {ours}{'' if ours == expected[name] else ' changed'}", flush=True)
    return changed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
