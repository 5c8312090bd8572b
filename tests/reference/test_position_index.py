"""Check that a position and its indices into the arrays describe the same state."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import at_random, play
from rollwise.game.actions import Score
from rollwise.game.position import Position
from rollwise.game.scorecard import Scorecard, after, legal_moves
from rollwise.model.arrays import build
from rollwise.model.outcomes import FORBIDDEN
from rollwise.model.turn import outcomes_after
from rollwise.playing.bot import Bot
from rollwise.rules import load_rules
from rollwise.solving.position_index import CardIndex, PositionIndex
from rollwise.solving.solution import TOLERANCE
from rollwise.solving.solver import solve
from rollwise.strategies import Greedy
from small_games import small_rules


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Draw a position of a random game with random small rules."""
    rules = draw(small_rules(saves=True))
    seed = draw(st.integers(0, 2**32))
    game = play(rules, ["Player"], seed, at_random(seed), draw(st.integers(1, 40)))
    while game.position is None:
        game.pop()
    return game.position


class TestPlace:
    @settings(max_examples=40)
    @given(positions())
    def test_a_place_identifies_the_position(self, position: Position) -> None:
        rules, state = position.rules, position.state
        model = build(rules)
        place = PositionIndex.of(model, position)
        assert model.mask_C[place.c] == state.filled
        assert model.eligible_C[place.c] == state.eligible
        assert model.saved_C[place.c] == position.saved
        assert place.lane == state.upper
        assert place.score + rules.bonus_at(state.upper) == position.points
        assert model.lattice.rolls[place.roll] == position.dice
        assert place.rerolls == position.rolls_left

    @settings(max_examples=40)
    @given(positions())
    def test_actions_have_the_same_effect_on_the_indices(self, position: Position) -> None:
        rules, state, left = position.rules, position.state, position.rolls_left
        model = build(rules)
        place = PositionIndex.of(model, position)
        option_E_K, after_E_K, lane_E_K = outcomes_after(model, place.c, place.lane)
        moves = {move.category: move for move in legal_moves(rules, state, position.dice, left)}
        for k, option in enumerate(option_E_K[place.end]):
            assert (k in moves) == (option != FORBIDDEN)
            if k in moves:
                assert model.total_points_O[option] == moves[k].points + moves[k].extra
                follower = after(rules, state, moves[k], left)
                c = model.class_of(follower.filled, follower.eligible, follower.saved)
                lane = model.capped_L[lane_E_K[place.end, k]]
                assert (after_E_K[place.end, k], lane) == (c, follower.upper)

    @settings(max_examples=40)
    @given(positions())
    def test_a_card_has_the_indices_of_its_positions(self, position: Position) -> None:
        model = build(position.rules)
        card, place = CardIndex.of_card(model, position.card), PositionIndex.of(model, position)
        assert card == CardIndex(place.c, place.lane, place.score)

    def test_a_full_card_has_indices(self) -> None:
        rules = load_rules("micro-yahtzee")
        game = play(rules, ["Player"], 1, at_random(1))
        model = build(rules)
        assert CardIndex.of_card(model, game.card).c == model.n_classes - 1

    def test_a_card_of_other_rules(self) -> None:
        card = Scorecard.empty(load_rules("yahtzee"))
        with pytest.raises(
            ValueError, match="the scorecard is of yahtzee, but the solution is of yatzy"
        ):
            CardIndex.of_card(build(load_rules("yatzy")), card)


class TestGreedy:
    @settings(max_examples=40)
    @given(positions())
    def test_the_bot_chooses_its_best_option(self, position: Position) -> None:
        values = dict(Greedy().options(position))
        best = max(values.values())
        action = Bot(Greedy(), position.rules).action(position)
        assert values[action] >= best - TOLERANCE
        assert list(values.values()) == sorted(values.values(), reverse=True)


class TestValue:
    @settings(max_examples=15)
    @given(positions())
    def test_scoring_has_the_value_of_the_next_card(self, position: Position) -> None:
        rules, card, left = position.rules, position.card, position.rolls_left
        solution = solve(rules, cache=False, threads=1)
        value_of = {option.action: option.value for option in solution.options(position)}
        for move in legal_moves(rules, position.state, position.dice, left):
            value = solution.value(card.after(move, left))
            assert value == pytest.approx(value_of[Score(rules.keys[move.category])], abs=1e-11)

    def test_from_the_start(self) -> None:
        rules = load_rules("micro-yahtzee")
        solution = solve(rules, cache=False, threads=1)
        assert solution.value(Scorecard.empty(rules)) == solution.value()
