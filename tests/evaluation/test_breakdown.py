"""Check that the parts of a breakdown add up to an option's value, and reasons to its EV loss."""

import random

import pytest
from hypothesis import given, settings

from games import records
from rollwise import Position, Scorecard, load_rules, solve
from rollwise.evaluation.breakdown import Breakdown, breakdown_of
from rollwise.evaluation.evaluate import evaluate
from rollwise.game.game import Game
from rollwise.reviews.grades import because, main_gains
from rollwise.reviews.review import review
from rollwise.solving.solution import Solution
from rollwise.strategies import Optimal
from small_games import small_rules

YAHTZEE = load_rules("yahtzee")


@pytest.fixture(scope="module")
def parts() -> Breakdown:
    parts = breakdown_of(solve(YAHTZEE))
    assert parts is not None
    return parts


def check(parts: Breakdown, position: Position) -> None:
    """Check that the parts of every option are nonnegative and add up to its value."""
    options = parts.solution.options(position)
    for option, part in zip(
        options, parts.at(position, [option.action for option in options]), strict=True
    ):
        assert sum(part.values()) == pytest.approx(option.value, abs=1e-9)
        assert min(part.values()) >= 0


@settings(max_examples=25)
@given(records(small_rules(saves=True)))
def test_parts_add_up_for_any_rules(record: Game) -> None:
    solution = solve(record.rules, cache=False)
    parts = breakdown_of(solution)
    assert parts is not None
    if record.position is not None:
        check(parts, record.position)
    for player_review in review(record, solution, parts):
        for decision in player_review.decisions:
            assert sum(gain for _, gain in decision.reasons) == pytest.approx(
                decision.loss, abs=1e-7
            )


@pytest.mark.parametrize("left", [0, 1, 2])
@pytest.mark.parametrize(
    "card", ["-", "ones=3,yahtzee=50", "ones=3,yahtzee=50,sixes=18,chance=30,extra-bonus=100"]
)
def test_parts_add_up(parts: Breakdown, card: str, left: int) -> None:
    rng = random.Random(left)
    for _ in range(5):
        dice = tuple(rng.randint(1, 6) for _ in range(5))
        check(parts, Position.of(Scorecard(YAHTZEE, card), dice, left))


def test_means_at_the_start_equal_the_forward_pass(parts: Breakdown) -> None:
    evaluation = evaluate(Optimal(parts.solution), YAHTZEE, cache=True)
    means = dict(zip(parts.names, parts.remaining_T_X[:, 0], strict=True))
    for key, statistics in evaluation.categories.items():
        assert means[key] == pytest.approx(statistics.mean, abs=1e-9)
    assert evaluation.upper_bonus is not None
    assert evaluation.extra_bonus is not None
    assert means["upper-bonus"] == pytest.approx(evaluation.upper_bonus.mean, abs=1e-9)
    assert means["extra-bonus"] == pytest.approx(evaluation.extra_bonus.mean, abs=1e-9)


def test_reasons_in_words(parts: Breakdown) -> None:
    solution: Solution = parts.solution
    (player_review,) = review(Game.parse("66666 chance"), solution, parts)
    (decision,) = player_review.decisions
    assert {name for name, gain in decision.reasons[:2]} == {"extra-bonus", "yahtzee"}
    words = because(YAHTZEE, decision.reasons)
    assert words.startswith("Yahtzee bonus +")
    assert ", but Chance −" in words
    assert [name for name, _ in main_gains(decision.reasons)] == ["extra-bonus", "yahtzee"]
