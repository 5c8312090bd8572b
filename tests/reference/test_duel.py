"""Games of two: the fast solver and the reference in fractions agree on every pair of cards."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rollwise.game.position import Position
from rollwise.game.scorecard import Scorecard, State, legal_moves
from rollwise.rules import Rules
from rollwise.solving.place import CardPlace
from rollwise.two_player.reference import DuelReference
from rollwise.two_player.solution import Chances, DuelSolution
from rollwise.two_player.solver import DuelSolver
from small_games import small_rules

ROUNDING = 1e-12


MOST = 12
"""Boxes times dice times the rolls of a turn: what is larger has minutes of fractions."""


def boxes(least: int, most: int) -> st.SearchStrategy[Rules]:
    """Draw a small game of so many boxes, of which the reference can solve all pairs of cards."""

    def is_small(rules: Rules) -> bool:
        number = len(rules.categories)
        work = number * rules.dice * max(map(rules.most_rolls, range(number)))
        return rules.dice < 3 and least <= number <= most and work <= MOST

    return small_rules(saves=True).filter(is_small)


worths = st.sampled_from([Fraction(1, 2), Fraction(1, 2), Fraction(0), Fraction(1)])
"""What a tie is worth."""


def state_of(solution: DuelSolution, place: CardPlace) -> State:
    """Return what the reference calls a card."""
    model, c = solution.model, place.c
    return State(int(model.mask_C[c]), place.lane, bool(model.eligible_C[c]), int(model.saved_C[c]))


def points_of(solution: DuelSolution, place: CardPlace) -> int:
    """Return the points so far of a card, with the upper bonus."""
    return place.score + int(solution.model.bonus_L[place.lane])


def assert_equal(ours: Chances[float] | None, theirs: Chances[Fraction]) -> None:
    """Compare win, tie and loss."""
    assert ours is not None
    for one, exact in zip(ours, theirs, strict=True):
        assert abs(one - float(exact)) < ROUNDING


def pairs_of(solution: DuelSolution) -> list[tuple[int, CardPlace, CardPlace]]:
    """Return the turn, the card of who is to move and the other one, for all open leads.

    Also the leads beside them, if there are any: there one player is sure to win. Of the cards with
    a lead those with the highest scores.
    """
    found = []
    for t, layer in enumerate(solution.layers[:-1]):
        n = len(layer.movers)
        for pair in range(len(layer.start_P)):
            b, a = divmod(pair, n)
            movers, moved = layer.movers, layer.moved
            for lead in range(layer.low_P[pair] - 1, layer.high_P[pair] + 1):
                score = int(min(movers.high_A[a], moved.high_A[b] - lead)) - 1
                if score >= movers.low_A[a] and score + lead >= moved.low_A[b]:
                    card = CardPlace(int(movers.class_A[a]), int(movers.lane_A[a]), score)
                    opponent = CardPlace(int(moved.class_A[b]), int(moved.lane_A[b]), score + lead)
                    found.append((t, card, opponent))
    return found


def assert_agree(rules: Rules, tie: Fraction) -> None:
    """Compare the chances before every turn."""
    solution = DuelSolver(rules, threads=1, cache=False).solve(tie=float(tie))
    reference = DuelReference(rules)
    for t, card, opponent in pairs_of(solution):
        ahead = points_of(solution, card) - points_of(solution, opponent)
        mine, other = state_of(solution, card), state_of(solution, opponent)
        theirs = reference.chances(mine, other, ahead, tie if t % 2 == 0 else 1 - tie)
        assert_equal(solution.chances(card, opponent), theirs)


class TestEveryPair:
    @settings(max_examples=10)
    @given(boxes(1, 2), worths)
    def test_few_games(self, rules: Rules, tie: Fraction) -> None:
        assert_agree(rules, tie)

    @pytest.mark.slow
    @settings(max_examples=200)
    @given(boxes(1, 3), worths)
    def test_many_games(self, rules: Rules, tie: Fraction) -> None:
        assert_agree(rules, tie)


class TestOptions:
    @settings(max_examples=10)
    @given(boxes(1, 2), worths, st.data())
    def test_every_option_of_a_game(self, rules: Rules, tie: Fraction, data: st.DataObject) -> None:
        solver, reference = DuelSolver(rules, threads=1, cache=False), DuelReference(rules)
        whole = solver.solve(tie=float(tie))
        card = opponent = Scorecard.empty(rules)
        rolls = list(rules.every_roll())
        for turn in range(data.draw(st.integers(0, 2 * len(rules.categories) - 1)) + 1):
            worth = tie if turn % 2 == 0 else 1 - tie
            dice = data.draw(st.sampled_from(rolls))
            left = data.draw(st.integers(0, rules.rolls_with(card.saved) - 1))
            state, ahead = card.state.in_turn(rules), card.points - opponent.points
            theirs = reference.options(state, opponent.state, ahead, worth, dice, left)
            position = Position.of(card, dice, left)
            other = CardPlace.of_card(whole.model, opponent)
            from_here = solver.solve(card, opponent, tie=float(worth))
            for ours in (whole.options(position, other), from_here.options(position)):
                assert {option.action for option in ours} == theirs.keys()
                for option in ours:
                    chances = theirs[option.action]
                    assert_equal(option.chances, chances)
                    assert abs(option.value - float(chances.win + worth * chances.tie)) < ROUNDING
            moves = legal_moves(rules, state, dice, left)
            follower = card.fill(data.draw(st.sampled_from(moves)), left)
            card, opponent = opponent, follower
