"""Recompute the numbers in sentences of the front page and of short guides."""

import json
import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod
from statistics import NormalDist

import pytest

from repository import DOCS, ROOT
from rollwise import (
    Evaluation,
    Keep,
    Option,
    Score,
    evaluate,
    load_rules,
    odds,
    preset_names,
    solve,
    sweep,
)
from rollwise.game.notation import format_action
from rollwise.model.arrays import build
from rollwise.solving.turn_policy import Cards
from rollwise.strategies import OnePage

yahtzee = cache(lambda: solve("yahtzee"))


Roll = tuple[int, ...]
ROLLS = list(combinations_with_replacement(range(1, 7), 5))


def options(roll: Roll, rolls_left: int, card: str = "-") -> list[Option]:
    """Return the options for a roll in Yahtzee, the best one first."""
    position = f"{''.join(map(str, roll))} | rolls-left {rolls_left} | card {card}"
    return list(yahtzee().options(position))


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


def loss(dice: str, action: Keep | Score, rolls_left: int = 0) -> float:
    """Return the EV loss of an action on an empty scorecard of Yahtzee."""
    rated = options(tuple(map(int, dice)), rolls_left)
    return next(option.loss for option in rated if option.action == action)


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
    right = 0
    for roll in ROLLS:
        face = max(roll, key=lambda face: (roll.count(face), face))
        if options(roll, 2)[0].action == Keep((face,) * roll.count(face)):
            right += factorial(5) // prod(map(factorial, Counter(roll).values()))
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
    ("docs/strategy.md", "you lose {:.1f} points, although",
     lambda: loss("26666", Score("four-of-a-kind"))),
    ("docs/strategy.md", "with fives, {:.1f} points",
     lambda: loss("22555", Score("full-house"), 2)),
    ("docs/strategy.md", "with ones, {:.1f} points",
     lambda: loss("11122", Score("full-house"), 2)),
    ("docs/strategy.md", "it costs {:.1f} points", lambda: loss("12446", Score("four-of-a-kind"))),
    ("docs/strategy.md", "zero in Yahtzee costs {:.1f} points",
     lambda: loss("12446", Score("yahtzee"))),
    ("docs/strategy.md", "you lose {:.1f} points if", lambda: loss("66666", Score("sixes"), 2)),
    ("docs/strategy.md", "averages {:.1f} points. A strategy", lambda: mean("greedy")),
    ("docs/strategy.md", "averages {:.1f} points. To see", lambda: mean("one-page")),
    ("README.md", "of 35, perfect play averages {:.1f} instead", lambda: with_bonus(50)),
    ("README.md", "instead of {:.1f} points", lambda: mean("optimal")),
    ("README.md", "reaching them from {:.1f}%", lambda: at_least(300)),
    ("README.md", "greedy play averages {:.1f} points", lambda: mean("greedy")),
    ("README.md", "[one page of rules](docs/one-page.md) {:.1f}.", lambda: mean("one-page")),
    ("docs/which-rules.md", "the value of `yahtzee-plain` is {:.2f}.",
     lambda: solve("yahtzee-plain").value()),
    ("docs/faq.md", "free-choice jokers, it is {:.2f} points", lambda: mean("optimal")),
    ("docs/faq.md",
     "it is {:.2f} points (`rollwise advise`). The rule sheet that comes with the game gives",
     lambda: solve("yahtzee-forced-joker").value()),
    ("docs/faq.md", "and jokers, it is {:.2f} points", lambda: solve("yahtzee-plain").value()),
    ("docs/faq.md", "in each turn averages {:.1f} (", lambda: mean("greedy")),
    ("docs/faq.md", "(one-page.md) averages {:.1f}.", lambda: mean("one-page")),
    ("docs/faq.md", "reaches 200 points in only {:.1f}%", lambda: at_least(200)),
    ("docs/faq.md", "250 points in {:.1f}%", lambda: at_least(250)),
    ("docs/faq.md", "The maximum is {:,.0f} points",
     lambda: played("optimal").distribution.maximum),
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
    ("docs/faq.md", "Chance loses {:.1f} points", lambda: loss("12446", Score("chance"))),
    ("docs/faq.md", "a zero in Yahtzee loses {:.1f} points",
     lambda: loss("12446", Score("yahtzee"))),
    ("docs/faq.md", "only {:.1f} points more per game", lambda: mean("optimal") - mean("one-page")),
    ("docs/faq.md", "in only {:.1f}% of games (`rollwise compare", wins_in_crag),
    ("docs/faq.md", "instead of 35 adds {:.1f} points",
     lambda: with_bonus(50) - with_bonus(35)),
    ("docs/faq.md", "the jokers are worth {:.1f} points",
     lambda: solve("yahtzee").value() - solve("yahtzee-plain").value()),
    ("docs/faq.md", "and the upper bonus {:.1f} (", lambda: with_bonus(35) - with_bonus(0)),
    ("docs/targets-and-risk.md", "reaches 300 points in {:.1f}% of games", lambda: at_least(300)),
    ("docs/targets-and-risk.md", "with the same mean and SD says {:.1f}%",
     lambda: 100 - 100 * NormalDist(mean("optimal"), played("optimal").distribution.sd).cdf(299.5)),
]  # fmt: skip
"""A page, words of it with a place for a number, and the function that computes the number."""


@pytest.mark.parametrize(("page", "words", "number"), CLAIMS, ids=[text for _, text, _ in CLAIMS])
def test_claim(page: str, words: str, number: Callable[[], float]) -> None:
    assert words.format(number()) in " ".join((ROOT / page).read_text("utf-8").split())


RUNS = ((1, 2, 3, 4), (2, 3, 4, 5), (3, 4, 5, 6))
STRATEGY = (DOCS / "strategy.md").read_text("utf-8")


def first_choice(roll: Roll) -> tuple[int, Keep | Score]:
    """Return the line of the first table of the strategy that fits a roll, and its action."""
    runs = [run for run in RUNS if set(run) <= set(roll)]
    number, (face, most) = Counter(roll), Counter(roll).most_common(1)[0]
    high = max((face for face in number if number[face] > 1), default=0)
    if most == 5 or len(runs) == 2:
        return 1, Score("yahtzee" if most == 5 else "large-straight")
    lines = [
        (most >= 3, (face,) * most),
        ((2, 3, 4, 5) in runs, (2, 3, 4, 5)),
        (high >= 3, (high, high)),
        (runs, runs[0] if runs else ()),
        (high == 2, (2, 2)),
        ({3, 4, 5} <= set(roll), (3, 4, 5)),
        (True, (next((face for face in (5, 4) if face in number), 6),)),
    ]
    return next((line, Keep(dice)) for line, (fits, dice) in enumerate(lines, 2) if fits)


def last_choice(roll: Roll) -> str:
    """Return the category in which the second table of the strategy scores a roll."""
    runs = [run for run in RUNS if set(run) <= set(roll)]
    number, (face, most) = Counter(roll), Counter(roll).most_common(1)[0]
    upper = {k: load_rules("yahtzee").keys[k - 1] for k in range(1, 7)}
    if most == 5 or runs:
        return "yahtzee" if most == 5 else ("small-straight", "large-straight")[len(runs) - 1]
    if most == 3 and len(number) == 2:
        return "three-of-a-kind" if roll == (5, 5, 6, 6, 6) else "full-house"
    if most >= 3:
        return "three-of-a-kind" if most == 3 and sum(roll) >= 25 else upper[face]
    low = min((face for face in number if number[face] > 1), default=6)
    if low <= 2:
        return upper[low]
    if sum(roll) >= 20:
        return "chance"
    return "threes" if low == 3 else "ones" if 1 in roll else "chance"


def test_the_first_turn_of_the_strategy() -> None:
    for roll in ROLLS:
        assert options(roll, 2)[0].action == first_choice(roll)[1]
        assert options(roll, 0)[0].action == Score(last_choice(roll))


def test_the_dice_drawn_in_the_strategy() -> None:
    drawn = re.findall(r"^\|.*\| (\S*[⚀-⚅]\S*) \|$", STRATEGY, re.MULTILINE)
    for line, dice in enumerate(drawn, 1):
        roll, kept = (
            tuple("⚀⚁⚂⚃⚄⚅".index(sign) + 1 for sign in signs if sign != "*")
            for signs in (dice, "".join(re.findall(r"\*\*(.*?)\*\*", dice)))
        )
        action = first_choice(roll)[1]
        assert first_choice(roll) == (line, Keep(kept) if kept != roll else action)
    assert line == 8


def test_kickers_and_full_houses_of_the_strategy() -> None:
    kickers = []
    for roll in ROLLS:
        first, *others = options(roll, 2)
        pair = first.action.dice if isinstance(first.action, Keep) else ()
        if len(pair) == 2 and len(set(pair)) == 1:
            beside = [Keep(tuple(sorted((*pair, die)))) for die in set(roll) - set(pair)]
            kickers += [other.loss for other in others if other.action in beside]
        if sorted(Counter(roll).values()) == [2, 3]:
            triple = Counter(roll).most_common(1)[0][0]
            kept = Keep((triple,) * 3) if triple >= 4 else Score("full-house")
            assert options(roll, 1)[0].action == kept
    costs = f"costs between {min(kickers):.1f} and {max(kickers):.1f} points"
    assert costs in STRATEGY


def test_the_first_roll_of_the_page() -> None:
    """The number of first rolls for which ``one-page`` keeps the best dice."""
    model = build(load_rules("yahtzee"))
    empty = Cards.one(model, 0, int(model.first_lane_C[0]))
    losses = []
    for r, point in enumerate(OnePage().turns(empty).keeps[0][0]):
        roll, dice = model.lattice.rolls[r], tuple(model.lattice.points[point])
        losses.append(
            min(
                option.loss
                for option in options(roll, 2)
                if option.action == Keep(dice) or (dice == roll and option.action.kind == "score")
            )
        )
    best = sum(loss < 1e-9 for loss in losses)
    text = " ".join((DOCS / "one-page.md").read_text("utf-8").split())
    assert f"best dice for {best} of the {len(losses)} rolls" in text
    assert f"at most {max(losses):.1f} points" in text


def test_the_cheapest_zero() -> None:
    """Read the claims off the picture, which ``test_game_pages.py`` recomputes."""
    costs = dict(
        json.loads((DOCS / "games" / "figures.json").read_text("utf-8"))["yahtzee"]["zeros"]
    )
    cheapest = [min(costs, key=lambda title: costs[title][turn]) for turn in range(13)]
    assert cheapest == ["Aces"] * 6 + ["Yahtzee"] * 7
    aces, last = costs["Aces"], costs["Yahtzee"]
    said = f"costs {aces[2]:.1f} points in Aces and {last[2]:.1f} points in Yahtzee; in turn 10, "
    assert f"{said}{aces[9]:.1f} and {last[9]:.1f} points." in " ".join(STRATEGY.split())
    start, zero = yahtzee().value(), yahtzee().value("yahtzee=0")
    assert last[0] == pytest.approx(start - zero, abs=0.005)


def test_the_frontier_of_mean_and_sd() -> None:
    """Compute the differences in the text from the table, which a command prints."""
    text = " ".join((DOCS / "targets-and-risk.md").read_text("utf-8").split())
    rows = re.findall(r"\| (\d+|∞) \| ([\d.]+) \| ([\d.]+) \|", text)
    points = {aim: (float(mean), float(sd)) for aim, mean, sd in rows}
    (certain, _), (cautious, sd) = points["23"], points["176"]
    assert f"SD of {sd:.1f} is enough for {cautious - certain:.1f} points more" in text
    (best, wide), (mean, narrow) = points["∞"], points["244"]
    claim = f"for {best - mean:.1f} points less on average, the SD falls from {wide:.1f} to"
    assert f"{claim} {narrow:.1f}." in text


@pytest.mark.slow
def test_the_table_of_strategies() -> None:
    text = (DOCS / "strategies.md").read_text("utf-8")
    rows = re.findall(r"^\| `([\w-]+)` \| ([\d.]+) \| ([\d.]+) \|", text, re.MULTILINE)
    assert len(rows) == 13
    for name, *numbers in rows:
        exact = played(name).distribution
        assert [f"{exact.mean:.4f}", f"{exact.sd:.2f}"] == numbers


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
    card = re.findall(r"`(ones=\S+)`", (DOCS / "mistakes.md").read_text("utf-8"))[0]
    rated = options(tuple(map(int, dice)), int(left), card if dice == "12666" else "-")
    lost = {format_action(yahtzee().rules, option.action): option.loss for option in rated}
    assert lost[better] == 0
    assert cost == f"{lost[common]:.1f}"
