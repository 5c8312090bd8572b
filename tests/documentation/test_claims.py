"""Recompute the numbers in sentences of the front page and of short guides."""

import re
from collections.abc import Callable
from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod

import pytest

from repository import DOCS, ROOT
from rollwise import Evaluation, Keep, Score, evaluate, odds, preset_names, solve, sweep
from rollwise.game.notation import format_action


@cache
def played(strategy: str) -> Evaluation:
    """Return the exact evaluation of a strategy in Yahtzee."""
    return evaluate(strategy, "yahtzee")


def mean(strategy: str) -> float:
    """Return the exact expected score of a strategy in Yahtzee."""
    return played(strategy).distribution.mean


def bonus() -> float:
    """Return the probability of the upper-section bonus in optimal play, in percent."""
    earned = played("optimal").upper_bonus
    assert earned is not None
    return 100 * earned.at_least(1)


def at_least(points: int) -> float:
    """Return how often optimal play for points reaches a score, in percent."""
    return 100 * played("optimal").distribution.at_least(points)


def loss(category: str) -> float:
    """Return the EV loss of a zero for the final roll 12446 on an empty scorecard of Yahtzee."""
    options = solve("yahtzee").options("12446 | rolls-left 0")
    return next(option.loss for option in options if option.action == Score(category))


@cache
def with_bonus(points: int) -> float:
    """Return the value of Yahtzee with another upper-section bonus."""
    (cell,) = sweep(vary=[f"upper_bonus.points={points}"], rules="yahtzee", find="mean").cells
    return cell.mean


def one_turn(target: str) -> float:
    """Return the probability of a target in one turn, in percent."""
    return 100 * float(odds(target).chance or 0)


def most_frequent() -> float:
    """Return how often it is optimal to keep the most frequent number of a first roll, in %."""
    solution, right = solve("yahtzee"), 0
    for dice in combinations_with_replacement(range(1, 7), 5):
        face = max(dice, key=lambda face: (dice.count(face), face))
        if solution.options(dice)[0].action == Keep((face,) * dice.count(face)):
            right += 120 // prod(factorial(dice.count(face)) for face in {*dice})
    return 100 * right / 6**5


def wins_in_crag() -> float:
    """Return how often optimal play beats the greedy strategy in Crag, in percent."""
    scores = [evaluate(name, "crag").distribution for name in ("optimal", "greedy")]
    return 100 * scores[0].against(scores[1])[0]


CLAIMS: list[tuple[str, str, Callable[[], float]]] = [
    ("README.md", "and {:.0f} other dice games", lambda: len(preset_names()) - 3),
    ("docs/index.md", "and {:.0f} other dice games", lambda: len(preset_names()) - 3),
    ("docs/comparison.md", "| {:.0f} presets, and rule files |", lambda: len(preset_names())),
    ("docs/learning.md", "**{:.4f}** | `rollwise solve`", lambda: mean("optimal")),
    ("docs/learning.md", "{:.4f} | `rollwise report --strategy one-page`",
     lambda: mean("one-page")),
    ("docs/learning.md", "{:.4f} | `rollwise report --strategy greedy-average`",
     lambda: mean("greedy-average")),
    ("docs/learning.md", "**{:.4f}** | `rollwise solve --rules yahtzee-plain`",
     lambda: solve("yahtzee-plain").value()),
    ("docs/learning.md", "**{:.4f}** | `rollwise solve --rules yatzy`",
     lambda: solve("yatzy").value()),
    ("docs/strategy.md", "Optimal play scores {:.1f} points", lambda: mean("optimal")),
    ("docs/strategy.md", "earns the bonus of 35 points in {:.1f}% of games", bonus),
    ("docs/strategy.md", "optimal play scores {:.1f} points in it on average",
     lambda: played("optimal").categories["chance"].mean),
    ("docs/strategy.md", "here it costs {:.1f} points", lambda: loss("four-of-a-kind")),
    ("docs/strategy.md", "a zero in Yahtzee costs {:.1f} points", lambda: loss("yahtzee")),
    ("docs/strategy.md", "averages {:.1f} points. A strategy", lambda: mean("greedy")),
    ("docs/strategy.md", "averages {:.1f} points. To find", lambda: mean("one-page")),
    ("README.md", "of 35, perfect play averages {:.1f} instead", lambda: with_bonus(50)),
    ("README.md", "instead of {:.1f} points", lambda: mean("optimal")),
    ("README.md", "reach them from {:.1f}%", lambda: at_least(300)),
    ("README.md", "greedy play averages {:.1f} points", lambda: mean("greedy")),
    ("README.md", "[one page of rules](docs/one-page.md) {:.1f}.", lambda: mean("one-page")),
    ("docs/which-rules.md", "the value of `yahtzee-plain` is {:.2f}.",
     lambda: solve("yahtzee-plain").value()),
    ("docs/faq.md", "free-choice jokers, it is {:.2f} points", lambda: mean("optimal")),
    ("docs/faq.md", "it is {:.2f} points (`rollwise advise`). The rules in the box give the same",
     lambda: solve("yahtzee-forced-joker").value()),
    ("docs/faq.md", "and jokers, it is {:.2f} points", lambda: solve("yahtzee-plain").value()),
    ("docs/faq.md", "in each turn averages {:.1f} (", lambda: mean("greedy")),
    ("docs/faq.md", "(one-page.md) averages {:.1f}.", lambda: mean("one-page")),
    ("docs/faq.md", "reaches 200 points in only {:.1f}%", lambda: at_least(200)),
    ("docs/faq.md", "250 points in {:.1f}%", lambda: at_least(250)),
    ("docs/faq.md", "It is {:,.0f} points", lambda: played("optimal").distribution.maximum),
    ("docs/faq.md", "about once in {:.0f} × 10¹⁹ games",
     lambda: 1e-19 / played("optimal").distribution.at_least(1575)),
    ("docs/faq.md", "at least {:.0f} points, whatever",
     lambda: solve("yahtzee", "worst-case").value()),
    ("docs/faq.md", "for points, {:.1f}% of games reach 300", lambda: at_least(300)),
    ("docs/faq.md", "{:.1f}% for a Yahtzee", lambda: one_turn("yahtzee")),
    ("docs/faq.md", "{:.1f}% for a large straight", lambda: one_turn("large-straight")),
    ("docs/faq.md", "{:.1f}% for a small straight", lambda: one_turn("small-straight")),
    ("docs/faq.md", "{:.1f}% for a full house", lambda: one_turn("full-house")),
    ("docs/faq.md", "scores a Yahtzee in {:.1f}% of games",
     lambda: 100 * (1 - played("optimal").categories["yahtzee"].zero)),
    ("docs/faq.md", "optimal for {:.1f}% of first rolls", most_frequent),
    ("docs/faq.md", "Chance loses {:.1f} points", lambda: loss("chance")),
    ("docs/faq.md", "a zero in Yahtzee loses {:.1f} points", lambda: loss("yahtzee")),
    ("docs/faq.md", "only {:.1f} points more per game", lambda: mean("optimal") - mean("one-page")),
    ("docs/faq.md", "in only {:.1f}% of games (`rollwise compare", wins_in_crag),
    ("docs/faq.md", "instead of 35 adds {:.1f} points",
     lambda: with_bonus(50) - with_bonus(35)),
    ("docs/faq.md", "the jokers are worth {:.1f} points",
     lambda: solve("yahtzee").value() - solve("yahtzee-plain").value()),
    ("docs/faq.md", "and the upper bonus {:.1f} (", lambda: with_bonus(35) - with_bonus(0)),
]  # fmt: skip
"""A page, words of it with a place for a number, and the function that computes the number."""


@pytest.mark.parametrize(("page", "words", "number"), CLAIMS, ids=[text for _, text, _ in CLAIMS])
def test_claim(page: str, words: str, number: Callable[[], float]) -> None:
    assert words.format(number()) in " ".join((ROOT / page).read_text("utf-8").split())


@pytest.mark.parametrize("run", [(1, 2, 3, 4), (2, 3, 4, 5), (3, 4, 5, 6)])
def test_four_dice_of_a_straight_on_the_first_roll(run: tuple[int, ...]) -> None:
    """Section 4 of the strategy: keep 2345, but prefer a pair of threes or higher to the others."""
    for die in range(1, 7):
        if die not in (run[0] - 1, run[-1] + 1):  # a large straight
            pair = die in run and die >= 3 and run != (2, 3, 4, 5)
            best = solve("yahtzee").options((*run, die))[0].action
            assert best == Keep((die, die) if pair else run)


@pytest.mark.slow
def test_a_target_of_300_points() -> None:
    text = " ".join((DOCS / "faq.md").read_text("utf-8").split())
    value = 100 * solve("yahtzee", "target:300").value()
    assert f"[play for 300 points](objectives.md), {value:.1f}% do" in text
    assert f" to {value:.1f}%" in (ROOT / "README.md").read_text("utf-8")


def mistakes() -> list[list[str]]:
    """Return the rows of the table of mistakes, without the reasons."""
    lines = (DOCS / "mistakes.md").read_text("utf-8").splitlines()
    rows = [line.strip("| ").split(" | ") for line in lines if line.startswith("| ")]
    return [row[:-1] for row in rows[2:]]


@pytest.mark.parametrize("row", mistakes(), ids=" ".join)
def test_mistake(row: list[str]) -> None:
    """Check the better choice and the cost of a mistake in the table of mistakes."""
    dice, left, common, better, cost = row
    card = re.findall(r"`(ones=\S+)`", (DOCS / "mistakes.md").read_text("utf-8"))
    late = f" | card {card[0]}" if dice == "12666" else ""
    options = solve("yahtzee").options(f"{dice} | rolls-left {left}{late}")
    lost = {format_action(solve("yahtzee").rules, option.action): option.loss for option in options}
    assert lost[better] == 0
    assert cost == f"{lost[common]:.1f}"
