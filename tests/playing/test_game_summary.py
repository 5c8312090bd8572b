"""Check sentences about a game and its result against the review of the game."""

from statistics import mean, stdev

import pytest

from rollwise import load_rules
from rollwise.evaluation.evaluate import evaluate
from rollwise.game.game import Game, fair_roll
from rollwise.playing.bot import Bot
from rollwise.playing.game_summary import (
    describe_ratings,
    explain_result,
)
from rollwise.playing.rating_scale import (
    SCALE,
    quick_scale,
    rating,
    scale_of_games,
)
from rollwise.reviews.review import review
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.solver import Solver, solve
from rollwise.strategies import STRATEGIES

MICRO = load_rules("micro-yahtzee")
GREEDY = Bot(STRATEGIES["greedy"](), MICRO)


@pytest.fixture(scope="module")
def solution() -> CardSolution:
    return Solver(MICRO).solve_by_card()


def greedy_game(seed: int, players: tuple[str, ...] = ("Ada",)) -> Game:
    game = Game(MICRO, players, seed=seed)
    while not game.is_over:
        due = game.position
        game.push(fair_roll(game, seed) if due is None else GREEDY.action(due))
    return game


def test_the_scale_is_the_mean_loss_of_each_strategy(solution: CardSolution) -> None:
    losses = [review(greedy_game(seed), solution)[0].loss for seed in range(400)]
    scale = scale_of_games(solution)
    error = stdev(losses) / len(losses) ** 0.5
    assert abs(mean(losses) - scale["Medium"]) < 4 * error
    assert list(scale.values()) == sorted(scale.values())
    for name, words in SCALE.items():
        assert scale[words] == pytest.approx(
            solution.value() - evaluate(STRATEGIES[name](), MICRO).distribution.mean, abs=1e-12
        )


def test_the_scale_is_computed_once(
    solution: CardSolution, monkeypatch: pytest.MonkeyPatch
) -> None:
    scale = scale_of_games(solution)
    monkeypatch.setattr("rollwise.evaluation.policy_value.mean_of", None)
    assert scale_of_games(solution) == scale
    assert quick_scale(solution) == {"random play": scale["random play"]}


def test_ratings_need_a_scale(solution: CardSolution) -> None:
    reviews = review(greedy_game(3, ("Ada", "Ben")), solution)
    scale = quick_scale(solution)
    rated = describe_ratings(reviews, scale)
    assert rated == f"Ada: {rating(reviews[0].loss, scale)}; Ben: {rating(reviews[1].loss, scale)}"
    assert [
        line for line in explain_result(reviews, rated=rated) if line not in explain_result(reviews)
    ] == [rated]
    assert describe_ratings(reviews, {}) == ""
    assert quick_scale(solve(MICRO, "target:30")) == {}
