"""A session in Python: a custom strategy, a game, options, a review, an evaluation, and a plot.

It passes pyright in strict mode:

    $ python examples/notebook.py
    greedy wins 11 of 20 games against HighFaces
    HighFaces scores 25.06 points, optimal play 25.94
    best option for a 6: score square
    6 plots
"""

from pathlib import Path
from tempfile import TemporaryDirectory

from rollwise import (
    Card,
    Game,
    Position,
    compare,
    evaluate,
    format_action,
    frontier,
    match,
    odds,
    plots,
    review,
    simulate,
    solve,
    sweep,
)

RULES = "micro-yahtzee"


class HighFaces:
    """Keep high faces, and score them in the category with more points."""

    def keep(self, card: Card, dice: tuple[int, ...], rolls_left: int) -> list[int]:
        """Return the dice to keep."""
        return [face for face in dice if face >= 5]

    def score(self, card: Card, dice: tuple[int, ...]) -> str:
        """Return the category of a final roll."""
        return max(card.choices(dice), key=lambda key: card.points(dice, key))


def play() -> Game:
    """Return a game with the best option in each position."""
    solution = solve(RULES)
    game = Game(RULES, "Ada")
    for roll in (3, 6):
        game.push(f"roll {roll}")
        assert game.position is not None
        game.push(solution.options(game.position)[0].action)
    return game


if __name__ == "__main__":
    solution, strategy = solve(RULES), HighFaces()
    played = match("greedy", strategy, RULES, games=20, seed=1)
    evaluation = evaluate(strategy, RULES)
    best = solution.options(Position(RULES, dice=6, card={"double": 4}))[0]
    print(f"greedy wins {played.tally()[0]} of {played.number} games against HighFaces")
    mean = evaluation.distribution.mean
    print(f"HighFaces scores {mean:.2f} points, optimal play {solution.value():.2f}")
    print(f"best option for a 6: {format_action(RULES, best.action)}")
    assert review(play())[0].loss == 0
    frame = compare([strategy, solution, "greedy"], games=100, rules=RULES).frame()
    assert len(frame) == 3
    assert len(sweep(rolls="1-2", rules=RULES).frame()) == 2
    assert float(odds("yahtzee")) < frontier.targets(at=[30], rules=RULES).targets[0].best
    assert max(simulate(HighFaces, rules=RULES, games=50).frame()["score"]) <= 48
    with TemporaryDirectory() as folder:
        print(len(plots.save_report(evaluation, Path(folder))), "plots")
