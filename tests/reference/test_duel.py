"""Check that the fast two-player solver agrees with the exact reference solver in every state."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from duel_reference import DuelReference
from rollwise.game.position import Position
from rollwise.game.scorecard import Scorecard, State, legal_moves
from rollwise.rules import Rules
from rollwise.solving.position_index import CardIndex
from rollwise.two_player.solution import Chances, DuelSolution
from rollwise.two_player.solver import DuelSolver
from small_games import small_rules

ROUNDING = 1e-12

MAX_WORK = 12
"""The maximum of categories × dice × rolls; the reference solver takes minutes for larger games."""


def categories(least: int, most: int) -> st.SearchStrategy[Rules]:
    """Draw a game with ``least`` to ``most`` categories that the reference solver can solve."""

    def is_small(rules: Rules) -> bool:
        number = len(rules.categories)
        work = number * rules.dice * max(map(rules.most_rolls, range(number)))
        return rules.dice < 3 and least <= number <= most and work <= MAX_WORK

    return small_rules(saves=True).filter(is_small)


tie_values = st.sampled_from([Fraction(1, 2), Fraction(1, 2), Fraction(0), Fraction(1)])


def state_of(solution: DuelSolution, place: CardIndex) -> State:
    """Return the state of a scorecard in the form that the reference solver uses."""
    model, c = solution.model, place.c
    return State(int(model.mask_C[c]), place.lane, bool(model.eligible_C[c]), int(model.saved_C[c]))


def points_of(solution: DuelSolution, place: CardIndex) -> int:
    """Return the points so far on a scorecard, including the upper bonus."""
    return place.score + int(solution.model.bonus_L[place.lane])


def assert_equal(ours: Chances[float] | None, theirs: Chances[Fraction]) -> None:
    """Check that the probabilities of a win, a tie, and a loss equal the exact probabilities."""
    assert ours is not None
    for probability, exact in zip(ours, theirs, strict=True):
        assert abs(probability - float(exact)) < ROUNDING


def states_of(solution: DuelSolution) -> list[tuple[int, CardIndex, CardIndex]]:
    """Return every two-player state: the turn, the mover's scorecard, and the other scorecard.

    The states cover all score differences with an open result. They also cover the next difference
    on each side, where the winner is certain. The scores are as high as the difference allows.
    """
    states = []
    for t, layer in enumerate(list(solution.layers)[:-1]):
        n = len(layer.movers)
        for pair in range(len(layer.start_P)):
            b, a = divmod(pair, n)
            movers, moved = layer.movers, layer.moved
            for ahead in range(layer.low_P[pair] - 1, layer.high_P[pair] + 1):
                score = int(min(movers.high_A[a], moved.high_A[b] - ahead)) - 1
                if score >= movers.low_A[a] and score + ahead >= moved.low_A[b]:
                    card = CardIndex(int(movers.class_A[a]), int(movers.lane_A[a]), score)
                    opponent = CardIndex(int(moved.class_A[b]), int(moved.lane_A[b]), score + ahead)
                    states.append((t, card, opponent))
    return states


def assert_agree(rules: Rules, tie: Fraction) -> None:
    """Check that both solvers agree on the probabilities before every turn."""
    solution = DuelSolver(rules, threads=1, cache=False).solve(tie=float(tie))
    reference = DuelReference(rules)
    for t, card, opponent in states_of(solution):
        ahead = points_of(solution, card) - points_of(solution, opponent)
        mine, other = state_of(solution, card), state_of(solution, opponent)
        theirs = reference.chances(mine, other, ahead, tie if t % 2 == 0 else 1 - tie)
        assert_equal(solution.chances(card, opponent), theirs)


class TestEveryState:
    @settings(max_examples=5)
    @given(categories(1, 2), tie_values)
    def test_few_games(self, rules: Rules, tie: Fraction) -> None:
        assert_agree(rules, tie)

    @pytest.mark.slow
    @settings(max_examples=100)
    @given(categories(1, 3), tie_values)
    def test_many_games(self, rules: Rules, tie: Fraction) -> None:
        assert_agree(rules, tie)


class TestOptions:
    @settings(max_examples=5)
    @given(categories(1, 2), tie_values, st.data())
    def test_every_option_of_a_game(self, rules: Rules, tie: Fraction, data: st.DataObject) -> None:
        solver, reference = DuelSolver(rules, threads=1, cache=False), DuelReference(rules)
        whole = solver.solve(tie=float(tie))
        card = opponent = Scorecard.empty(rules)
        rolls = list(rules.every_roll())
        for turn in range(data.draw(st.integers(0, 2 * len(rules.categories) - 1)) + 1):
            tie_value = tie if turn % 2 == 0 else 1 - tie
            dice = data.draw(st.sampled_from(rolls))
            left = data.draw(st.integers(0, rules.rolls_with(card.saved) - 1))
            state, ahead = card.state.in_turn(rules), card.points - opponent.points
            theirs = reference.options(state, opponent.state, ahead, tie_value, dice, left)
            position = Position.of(card, dice, left)
            other = CardIndex.of_card(whole.model, opponent)
            from_here = solver.solve(card, opponent, tie=float(tie_value))
            for ours in (whole.options(position, other), from_here.options(position)):
                assert {option.action for option in ours} == theirs.keys()
                for option in ours:
                    chances = theirs[option.action]
                    assert_equal(option.chances, chances)
                    assert (
                        abs(option.value - float(chances.win + tie_value * chances.tie)) < ROUNDING
                    )
            moves = legal_moves(rules, state, dice, left)
            follower = card.after(data.draw(st.sampled_from(moves)), left)
            card, opponent = opponent, follower
