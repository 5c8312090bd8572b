"""One hash over what the program computes, bit for bit: a change that alters it has to say so.

    python tests/signature.py [GAME …]

For every preset that is solved in seconds: the values of all cards and their second moments, the
exact law of best play, the options at every decision of some random games, and the best chance of a
target; of the smallest games also an objective of each other kind. The last line is the hash over
all games, whatever the number of threads.
"""

import hashlib
import random
import sys
from collections.abc import Iterator

from rollwise.evaluation.evaluate import evaluate
from rollwise.game.game import Game, fair_roll
from rollwise.game.notation import format_action
from rollwise.rules import Rules, load_rules, preset_names
from rollwise.solving.card_solution import signature
from rollwise.solving.objective_text import parse_objective
from rollwise.solving.solution import Solution
from rollwise.solving.solver import solve
from rollwise.strategies import Greedy, Optimal, Strategy

LARGE = ("maxi-yatzy", "maxi-yatzy-no-saving", "kniffel-extreme", "kniffel-extreme-no-chips")
SMALL = ("crag", "generala", "micro-yahtzee", "yacht", "yamb-down", "yamb-up")
TARGETS = (*SMALL, "yahtzee", "kismet", "balut")
OTHERS = ("best-case", "exponential:0.01", "mean-variance:0.01", "beat:100")
GAMES = 2
"""Random games whose decisions are asked for."""


def options(solution: Solution) -> Iterator[str]:
    """Yield every option at the decisions of random games, with all digits of its value."""
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


def parts(rules: Rules, threads: int | None) -> Iterator[str]:
    """Yield what is computed of a game, as text."""
    solution = solve(rules, moments=True, cache=False, threads=threads)
    yield signature(solution)
    yield from options(solution)
    strategies: list[Strategy] = [Optimal(solution)]
    if rules.name in SMALL:
        strategies.append(Greedy())
    for strategy in strategies:
        yield repr(evaluate(strategy, rules, threads=threads).as_dict())
    if rules.name in TARGETS:
        goal = f"target:{round(solution.value())}"
        objectives = (goal, *(OTHERS if rules.name in SMALL else ()))
        for objective in map(parse_objective, objectives):
            other = solve(rules, objective, cache=False, threads=threads)
            yield f"{objective.name} {other.value().hex()}"
            yield from options(other)


def game_signature(rules: Rules, threads: int | None = None) -> str:
    """Return the hash of one game."""
    digest = hashlib.sha256()
    for part in parts(rules, threads):
        digest.update(part.encode() + b"\n")
    return digest.hexdigest()


def main(names: list[str]) -> None:
    """Print the hash of each game, and the one over all."""
    total = hashlib.sha256()
    for name in names:
        mine = game_signature(load_rules(name))
        total.update(mine.encode())
        print(f"{name:26} {mine[:16]}", flush=True)
    print(f"{'signature':26} {total.hexdigest()}")


if __name__ == "__main__":
    main(sys.argv[1:] or [name for name in preset_names() if name not in LARGE])
