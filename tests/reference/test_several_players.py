"""Test score distributions from any scorecard, and the best response to several opponents."""

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands import run
from games import at_random, play
from reference_solver import Reference, UtilityReference
from rollwise.distribution import Distribution
from rollwise.errors import InconsistentError
from rollwise.evaluation.evaluate import evaluate, final_distribution
from rollwise.game.actions import Keep
from rollwise.game.position import Position
from rollwise.game.scorecard import Dice, Scorecard, State, after, legal_keeps, legal_moves
from rollwise.rules import Rules
from rollwise.solving.objectives import ScoreObjective, beating, target
from rollwise.solving.solver import solve
from rollwise.strategies import Greedy, Optimal
from small_games import small_rules

ROUNDING = 1e-11

ExactDistribution = Mapping[int, Fraction]

MICRO = ("--rules", "micro-yahtzee")


def without(dice: Dice, kept: Dice) -> Dice:
    """Return the dice of a roll that are not kept."""
    others = list(dice)
    for die in kept:
        others.remove(die)
    return tuple(others)


def mixed(parts: list[tuple[Fraction, ExactDistribution]]) -> dict[int, Fraction]:
    """Return the mixture of weighted distributions."""
    distribution: dict[int, Fraction] = {}
    for weight, part in parts:
        for score, p in part.items():
            distribution[score] = distribution.get(score, Fraction(0)) + weight * p
    return distribution


class OptimalPolicyInFractions:
    """The exact score distribution of optimal play from any state.

    If options are tied, the policy keeps more dice, and then rerolls lower faces. If categories are
    tied, the policy chooses the first in scorecard order.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules, self.reference = rules, Reference(rules)
        self.distribution = lru_cache(maxsize=None)(self._turn)
        self._roll = lru_cache(maxsize=None)(self._best_action)

    def _turn(self, state: State, score: int) -> ExactDistribution:
        if state.filled == (1 << len(self.rules.categories)) - 1:
            return {score: Fraction(1)}
        left = self.rules.rolls_with(state.saved) - 1
        rolls = self.reference.distribution(())
        return mixed([(p, self._roll(state, score, dice, left)) for dice, p in rolls.items()])

    def _best_action(self, state: State, score: int, dice: Dice, left: int) -> ExactDistribution:
        best = self.reference.roll_value(state, dice, left)
        if left:
            if self.reference.roll_value(state, dice, left - 1) == best:
                return self._roll(state, score, dice, left - 1)
            options = self.reference.options(state, dice, left)
            keeps = [keep for keep in legal_keeps(dice) if options[Keep(keep)] == best]
            keep = min(keeps, key=lambda keep: (-len(keep), without(dice, keep)))
            rolls = self.reference.distribution(keep)
            return mixed([(p, self._roll(state, score, d, left - 1)) for d, p in rolls.items()])
        for move in legal_moves(self.rules, state, dice, left):
            if self.reference.scored(state, move, left) == best:
                earned = self.reference.earned(state, move)
                return self.distribution(after(self.rules, state, move, left), score + earned)
        raise AssertionError("one of the moves is the best")


def exact(distribution: Distribution) -> dict[int, Fraction]:
    """Convert the probabilities of a distribution to fractions without rounding."""
    pairs = zip(distribution.scores.tolist(), distribution.probabilities.tolist(), strict=True)
    return {score: Fraction(p) for score, p in pairs}


def share_of_the_win(score: int, others: Sequence[ExactDistribution]) -> Fraction:
    """Return the expected share of the win for a score, given the opponents' distributions."""
    total = Fraction(0)
    for scores in product(*others):
        if score >= max(scores):
            probability = prod(
                (distribution[s] for distribution, s in zip(others, scores, strict=True)),
                start=Fraction(1),
            )
            total += probability / (1 + scores.count(score))
    return total


@st.composite
def tables(draw: st.DrawFn, players: int) -> tuple[Scorecard, ...]:
    """Draw the scorecards of several players of a random small game."""
    rules = draw(small_rules(saves=True))
    seed = draw(st.integers(0, 2**32))
    names = [f"P{number}" for number in range(players)]
    return play(rules, names, seed, at_random(seed), draw(st.integers(0, 40))).stage.cards


class TestFinalDistribution:
    @settings(max_examples=25)
    @given(
        tables(1).filter(lambda cards: not cards[0].rules.stops and not cards[0].rules.other_dice)
    )
    def test_optimal_play_in_fractions(self, cards: tuple[Scorecard]) -> None:
        (card,) = cards
        theirs = OptimalPolicyInFractions(card.rules).distribution(card.state, card.points)
        ours = final_distribution(Optimal(solve(card.rules, cache=False)), card, threads=1)
        scores = {*theirs, *ours.scores.tolist()}
        assert all(
            abs(ours.probability(score) - float(theirs.get(score, 0))) < ROUNDING
            for score in scores
        )

    @settings(max_examples=25)
    @given(tables(1))
    def test_probabilities_and_mean_of_a_distribution(self, cards: tuple[Scorecard]) -> None:
        (card,) = cards
        solution = solve(card.rules, cache=False)
        distribution = final_distribution(Optimal(solution), card, threads=1)
        assert distribution.probabilities.sum() == pytest.approx(1, abs=1e-12)
        if not card.is_full:
            assert distribution.mean == pytest.approx(solution.value(card), abs=1e-9)

    def test_the_solution_of_a_whole_game_for_a_target(self) -> None:
        card, goal = Scorecard("crag", "sixes=18,crag=50"), "target:160"
        position = Position.of(card, next(card.rules.every_roll()), rolls_left=0)
        whole, rest = solve("crag", goal), solve("crag", goal, position=position)
        ours, other = (final_distribution(Optimal(best), card) for best in (whole, rest))
        assert ours.at_least(160) == other.at_least(160) == pytest.approx(rest.value(), abs=1e-12)
        with pytest.raises(InconsistentError, match="does not contain this scorecard"):
            final_distribution(Optimal(rest), Scorecard("crag", "sixes=18,ones=2"))

    @settings(max_examples=10)
    @given(small_rules(saves=True))
    def test_from_an_empty_card(self, rules: Rules) -> None:
        for strategy in (Optimal(solve(rules, cache=False)), Greedy()):
            ours = final_distribution(strategy, Scorecard.empty(rules), threads=1)
            whole = evaluate(strategy, rules, threads=1).distribution
            assert (ours.scores == whole.scores).all()
            assert (ours.probabilities == whole.probabilities).all()

    @settings(max_examples=12)
    @given(tables(1), st.integers(1, 60))
    def test_distribution_for_a_target(self, cards: tuple[Scorecard], score: int) -> None:
        (card,) = cards
        if card.is_full:
            return
        goal = ScoreObjective("goal", utility=target(score).utility)
        roll = Position.of(card, next(iter(card.rules.every_roll())), 0)
        from_card = solve(card.rules, goal, position=roll, threads=1)
        distribution = final_distribution(Optimal(from_card), card, threads=1)
        assert distribution.at_least(score) == pytest.approx(from_card.value(), abs=1e-9)
        whole = final_distribution(Optimal(solve(card.rules, goal, threads=1)), card, threads=1)
        assert distribution.at_least(score) == pytest.approx(whole.at_least(score), abs=1e-9)


class TestBestResponse:
    @pytest.mark.parametrize("opponents", [1, 2])
    @settings(max_examples=10)
    @given(st.data())
    def test_options_against_cards(self, opponents: int, data: st.DataObject) -> None:
        card, *others = data.draw(tables(1 + opponents))
        if card.is_full:
            return
        rules, play = card.rules, Optimal(solve(card.rules, cache=False))
        distributions = [final_distribution(play, other, threads=1) for other in others]
        exact_distributions = [exact(distribution) for distribution in distributions]
        rolls = list(rules.every_roll())
        position = Position.of(
            card, data.draw(st.sampled_from(rolls)), data.draw(st.integers(0, rules.rolls - 1))
        )
        objective = beating([(distribution, 1) for distribution in distributions])
        options = solve(rules, objective, position=position, moments=True, threads=1).options(
            position
        )
        share = lru_cache(maxsize=None)(lambda score: share_of_the_win(score, exact_distributions))
        reference = UtilityReference(rules, share)
        theirs = reference.options_with(
            card.points, position.state, position.dice, position.rolls_left
        )
        assert {option.action for option in options} == theirs.keys()
        for option in options:
            assert abs(option.value - float(theirs[option.action])) < ROUNDING

    def test_two_opponents_are_the_product_of_their_distribution_functions(self) -> None:
        first, second = (
            Distribution(np.array(scores), np.array(probabilities))
            for scores, probabilities in (([3, 5], [0.25, 0.75]), ([4, 8], [0.5, 0.5]))
        )
        scores = np.array([2, 4, 6, 7, 9])
        ties_apart = beating([(first, 1), (second, 1)]).utility(scores[[0, 2, 3, 4]])
        product_of_two = first.up_to(scores) * second.up_to(scores)
        assert ties_apart == pytest.approx(product_of_two[[0, 2, 3, 4]], abs=1e-15)


class TestCommand:
    POSITION = ("advise", "3", *MICRO, "--card", "double=6")

    def options(self, *arguments: str) -> list[dict[str, float]]:
        code, out, err = run(*self.POSITION, *arguments, "--json")
        assert code == 0, err
        options: list[dict[str, float]] = json.loads(out)["options"]
        return options

    def test_a_full_card_is_a_score(self) -> None:
        seen = self.options("--objective", "beat", "--opponent", "double=6,square=9")
        assert seen == self.options("--objective", "beat:15")
        assert seen[0]["value"] == 0.5

    def test_an_empty_card_is_a_whole_game(self) -> None:
        for strategy in ("optimal", "greedy", "optimal:target:20"):
            reply = ("--objective", "beat", "--opponent", "-", "--opponent-strategy", strategy)
            assert self.options(*reply) == self.options("--objective", f"beat:{strategy}")

    def test_opponents_are_printed(self) -> None:
        reply = ("--objective", "beat", "--opponent", "double=6", "--opponent", "square=36")
        code, out, _ = run(*self.POSITION, *reply)
        assert code == 0
        assert (
            "Opponent: scorecard double=6, strategy optimal, expected score 21.17 (SD 12.21)" in out
        )
        assert "probability of winning" in out
        data = json.loads(run(*self.POSITION, *reply, "--json")[1])
        assert [opponent["card"] for opponent in data["opponents"]] == ["double=6", "square=36"]
        assert data["opponents"][0]["mean"] == pytest.approx(6 + 91 / 6)
        # 15 points lose to the second opponent, who has at least 36
        assert data["options"][0]["value"] == 0
