"""The payoff line with custom payoffs from a file."""

import json
from pathlib import Path

import numpy as np
import pytest

from commands import run
from rollwise.errors import InputError
from rollwise.evaluation.evaluate import evaluate
from rollwise.experiments.simulation import simulate
from rollwise.game.actions import Keep
from rollwise.game.position import Position
from rollwise.rules import load_rules
from rollwise.strategies import PayoffLine, parse_strategy
from rollwise.strategies.payoff_file import read_custom_payoffs
from rollwise.strategies.payoff_regression import payoffs

YAHTZEE = load_rules("yahtzee")


def written(folder: Path, text: str) -> Path:
    path = folder / "line.toml"
    path.write_text(text, "utf-8")
    return path


def test_payoffs_replace_those_of_the_paper() -> None:
    custom = (("sixes", 30.0), ("large-straight", 60.0))
    usual, changed = (payoffs(YAHTZEE, "corrected", payoff) for payoff in ((), custom))
    expected = {YAHTZEE.keys[p.category]: p.payoff for p in usual.whole_turns()}
    # The complete payoff is given, so no part of the bonus is added to the sixes.
    expected |= {"sixes": 30 / 375, "large-straight": 60 / 375}
    points = changed.whole_turns()
    assert {YAHTZEE.keys[p.category]: p.payoff for p in points} == expected
    # The line is the least-squares line of the new points, from the normal equations.
    x, y = (np.array([getattr(p, name) for p in points]) for name in ("payoff", "probability"))
    slope = ((x - x.mean()) @ (y - y.mean())) / ((x - x.mean()) @ (x - x.mean()))
    assert changed.line.slope == pytest.approx(slope, abs=1e-12)
    assert changed.line.intercept == pytest.approx(y.mean() - slope * x.mean(), abs=1e-12)


def test_the_payoffs_of_the_paper_change_nothing() -> None:
    usual = payoffs(YAHTZEE, "corrected")
    custom = tuple(
        (YAHTZEE.keys[point.category], point.payoff * usual.best_total)
        for point in usual.whole_turns()
        if YAHTZEE.categories[point.category].section == "upper"
        or isinstance(YAHTZEE.categories[point.category].points, int)
    )
    assert len(custom) == 10
    distributions = [
        evaluate(strategy, "yahtzee").distribution
        for strategy in (PayoffLine(), PayoffLine(custom=custom))
    ]
    assert distributions[0].mean == pytest.approx(distributions[1].mean, abs=1e-12)


def test_the_strategy_goes_for_the_category_farthest_above_the_line(tmp_path: Path) -> None:
    path = written(tmp_path, "full-house = 2\nthrees = 40\nyahtzee = 90\n")
    strategy = parse_strategy(f"payoff-line:{path}")
    assert isinstance(strategy, PayoffLine)
    assert strategy.name == f"payoff-line:{path}"
    plan = payoffs(YAHTZEE, "corrected", read_custom_payoffs(path))
    differs = 0
    for dice in ("11166", "12266", "13345", "33366", "24456"):
        roll = tuple(map(int, dice))
        points = [
            plan.point(k, roll, 2)
            for k, category in enumerate(YAHTZEE.categories)
            if category.key != "chance" and (k >= 6 or k + 1 in roll)
        ]
        heights = [p.probability - plan.line.slope * p.payoff for p in points]
        best = points[heights.index(max(heights))]
        assert strategy.action(Position("yahtzee", dice)) == Keep(best.keep)
        differs += strategy.action(Position("yahtzee", dice)) != PayoffLine().action(
            Position("yahtzee", dice)
        )
    assert differs


def test_payoffs_make_other_games_possible(tmp_path: Path) -> None:
    code, _, error = run("payoff-line", "--rules", "yatzy")
    assert code == 2
    assert "or give its payoff in a file" in error
    lines = "one-pair = 10\ntwo-pairs = 18\nfull-house = 21\n"
    path = written(tmp_path, lines + "small-straight = 15\nlarge-straight = 20\n")
    command = ("payoff-line", "--rules", "yatzy", "--payoffs", str(path), "--json")
    code, out, _ = run(*command)
    assert code == 0
    points = {point["category"]: point["raw_value"] for point in json.loads(out)["points"]}
    assert points["two-pairs"] == 18
    assert simulate(f"payoff-line:{path}", "yatzy", 200, 1).scores_N.mean() > 100


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sixes = 24\nyahtzee = 'x'\n", "line 2: expected a number of points"),
        ("sixes = inf\n", "line 1: expected a number of points"),
        ("sixes = -1\n", "line 1: expected a number of points"),
        ("sixes = true\n", "line 1: expected a number of points"),
        ("[sixes]\npoints = 3\n", "line 1: expected a number of points"),
        ("sixes = 24\nsixes = 25\n", "not TOML"),
        ("", "has no payoff"),
        ("sixties = 24\n", "'sixties', which is not a category of yahtzee: expected a category"),
        ("chance = 24\n", "any roll fits this category"),
    ],
)
def test_errors(text: str, message: str, tmp_path: Path) -> None:
    path = written(tmp_path, text)
    code, out, error = run("payoff-line", "--payoffs", str(path))
    assert (code, out) == (2, "")
    assert message in error
    with pytest.raises(InputError, match=message.split(":")[0].replace("'", ".")):
        payoffs(YAHTZEE, "corrected", read_custom_payoffs(path))


def test_a_missing_file() -> None:
    code, _, error = run("report", "--strategy", "payoff-line:none.toml")
    assert code == 2
    assert "none.toml: no such file or folder. Check the path." in error
