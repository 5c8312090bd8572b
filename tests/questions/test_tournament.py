"""Test equilibria of tournaments against fractions, simulated tournaments, and known numbers."""

import re
from collections.abc import Callable, Mapping
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands import printed
from reference_solver import UtilityReference
from repository import DOCS
from rollwise.distribution import Distribution
from rollwise.errors import InputError
from rollwise.evaluation.evaluate import evaluate
from rollwise.questions import tournament as module
from rollwise.questions.solving import keeping
from rollwise.questions.tournament import Tournament, tournament
from rollwise.rules import Rules, parse_rules
from rollwise.solving.objectives import beating
from rollwise.solving.solver import solve
from rollwise.strategies import Optimal
from small_games import small_rules

MOST = 10**10

DIE = """
name = "die"
title = "Die"
dice = 1
faces = 5
rolls = 2
[[categories]]
key = "any"
title = "Any"
pattern = { kind = "any" }
points = "total"
"""
"""A game in which the best responses of four players never settle."""

Exact = Mapping[int, Fraction]


def exact(answer: Tournament) -> Exact:
    """Return the distribution of an equilibrium without rounding."""
    return {score: Fraction(p) for score, p in answer.distribution}


def share_against(others: Exact, opponents: int) -> Callable[[int], Fraction]:
    """Return the function from a score to the share of the win, which lists all results."""

    @cache
    def share(score: int) -> Fraction:
        below = sum((p for s, p in others.items() if s < score), Fraction(0))
        equal, total = others.get(score, Fraction(0)), Fraction(0)
        for results in product((0, 1), repeat=opponents):
            ties = sum(results)
            total += below ** (opponents - ties) * equal**ties / (1 + ties)
        return total

    return share


@cache
def die() -> Tournament:
    return tournament(players=4, rules=parse_rules(DIE))


@cache
def crag(players: int) -> Tournament:
    return tournament(players=players, rules="crag")


class TestFractions:
    def test_every_strategy_of_one_die(self) -> None:
        """Check shares against all 32 sets of faces that a player can keep."""
        answer = die()
        policies = [
            {
                face: Fraction(keeps[face - 1], 5) + Fraction(5 - sum(keeps), 25)
                for face in range(1, 6)
            }
            for keeps in product((0, 1), repeat=5)
        ]
        for_points = {face: Fraction(2 if face < 3 else 7, 25) for face in range(1, 6)}
        assert for_points in policies
        first, *_, last = answer.steps
        for step, everyone in ((first, for_points), (last, exact(answer))):
            share = share_against(everyone, 3)
            best = max(sum(p * share(s) for s, p in policy.items()) for policy in policies)
            assert step.share == pytest.approx(float(best), rel=1e-13)
            assert step.gain == pytest.approx(4 * float(best) - 1, abs=1e-13)
        assert last.gain < answer.tolerance
        assert len([weight for weight in answer.weights if weight]) == 2

    @settings(max_examples=5)
    @given(small_rules(saves=True), st.sampled_from([2, 3, 6]))
    def test_no_strategy_of_a_small_game_gains_more(self, rules: Rules, players: int) -> None:
        with keeping(False):
            answer = tournament(players=players, rules=rules)
        reference = UtilityReference(rules, share_against(exact(answer), players - 1))
        assert abs(answer.steps[-1].share - float(reference.value_with(0))) < 1e-11
        assert answer.steps[-1].gain <= answer.tolerance


@pytest.mark.parametrize(("players", "games"), [(2, 100_000), (10, 100_000), (1_000, 10_000)])
def test_simulated_tournaments(players: int, games: int) -> None:
    """Check that a response wins its share of tournaments, and each other player the rest."""
    others = evaluate("optimal", "crag").distribution
    goal = beating([(others, players - 1)])
    mine = evaluate(Optimal(solve("crag", goal))).distribution
    random = np.random.default_rng(1)
    my_G = random.choice(mine.scores, games, p=mine.probabilities)
    share_G = np.zeros(games)
    for part in np.split(np.arange(games), 10):
        size = len(part), players - 1
        their_G_N = random.choice(others.scores, size, p=others.probabilities)
        ties_G = (their_G_N == my_G[part, None]).sum(axis=1)
        share_G[part] = (their_G_N.max(axis=1) <= my_G[part]) / (1 + ties_G)
    error = share_G.std() / np.sqrt(games)
    assert crag(players).steps[0].share == pytest.approx(share_G.mean(), abs=3.5 * error)


class TestCrag:
    def test_two_players(self) -> None:
        first, second = crag(2).steps
        assert first.share == pytest.approx(0.500543457, abs=5e-10)
        assert second.gain == pytest.approx(2.9e-5, abs=5e-7)

    def test_a_thousand_players(self) -> None:
        gains = [step.gain for step in crag(1_000).steps]
        assert gains == pytest.approx([0.5705, 1.067e-2, 8.86e-5], rel=1e-3)
        assert crag(1_000).mean < 146 < evaluate("optimal", "crag").distribution.mean

    def test_the_most_players(self) -> None:
        answer = crag(MOST)
        assert answer.steps[-1].gain < answer.tolerance
        assert answer.steps[0].gain == pytest.approx(10.4383, abs=1e-4)
        others = Distribution(*map(np.array, zip(*answer.distribution, strict=True)))
        shares = beating([(others, MOST - 1)]).utility(others.scores)
        assert float(shares @ others.probabilities) == pytest.approx(1 / MOST, rel=1e-13)


def test_the_table_of_the_guide() -> None:
    row = re.compile(r"^\| ([\d,]+) \| ([\d.]+%) \| ([\d.]+) \| ([\d.]+) \|$", re.MULTILINE)
    rows = row.findall((DOCS / "targets-and-risk.md").read_text("utf-8"))
    assert len(rows) == 4
    for players, gain, mean, sd in rows:
        answer = crag(int(players.replace(",", "")))
        assert gain == f"{100 * answer.steps[0].gain:.3g}%"
        assert (mean, sd) == (f"{answer.mean:.2f}", f"{answer.sd:.2f}")


def test_shares_of_most_opponents_in_80_digits() -> None:
    """Check shares against ten billion opponents whose highest scores are rare."""
    probabilities = 10.0 ** -np.arange(16)
    others = Distribution(np.arange(16), probabilities / probabilities.sum())
    half = MOST // 2
    for opponents in ([(others, MOST - 1)], [(others, half), (others, half - 1)]):
        shares = beating(opponents).utility(np.arange(17)).tolist()
        assert shares[-1] == 1
        with localcontext(prec=80):
            above = Decimal(0)
            for score in range(15, 4, -1):
                equal = Decimal(float(others.probabilities[score]))
                up_to, below = ((1 - p) ** MOST for p in (above, above + equal))
                assert shares[score] == pytest.approx(
                    float((up_to - below) / MOST / equal), rel=1e-12
                )
                above += equal


class TestOneDie:
    def test_text(self, tmp_path: Path) -> None:
        (rules := tmp_path / "die.toml").write_text(DIE)
        lines = printed("tournament", "--players", "4", "--rules", str(rules)).splitlines()
        assert lines[0] == "Die: tournament of 4 players"
        assert lines[-4:] == [
            "Step 3: mean 3.52, SD 1.42, 5% 1, median 4, 95% 5",
            "Mixture: 60.9% response 1, 39.1% response 2",
            "If all players use this strategy, each wins 25%.",
            "Against these players, no strategy wins more than 25.00007%.",
        ]
        assert "\n".join(lines) == str(die()).strip()

    def test_data(self) -> None:
        data = die().data()
        assert sum(data["weights"]) == pytest.approx(1)
        assert sum(p for _, p in data["distribution"]) == pytest.approx(1)
        assert [row["gain"] for row in die().rows()] == [step.gain for step in die().steps]

    def test_responses_that_do_not_settle(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(module, "STEPS", 2)
        answer = tournament(players=4, rules=parse_rules(DIE))
        assert len(answer.steps) == 2
        assert "Step 2 (the maximum): mean 3.60" in str(answer)
        assert str(answer).endswith("no strategy wins more than 25.13408%.\n")

    def test_responses_are_cached(self, monkeypatch: pytest.MonkeyPatch) -> None:
        first = die()
        monkeypatch.setattr(module, "evaluate", None)
        assert tournament(players=4, rules=parse_rules(DIE)) == first


@pytest.mark.parametrize("players", [1, MOST + 1, 2.5, "3", True])
def test_wrong_numbers_of_players(players: int) -> None:
    with pytest.raises(InputError, match="players must be a whole number from 2 to 10000000000"):
        tournament(players=players)
