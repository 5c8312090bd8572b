"""Test points that depend on the roll number; the best points of this roll and later rolls count.

The tests compare the model with a game in which players can keep all dice. After that, the next
roll has the same dice, and the points depend on the number of the roll that the player scores.
"""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference_solver import Chance, Reference, best, mean, worst
from rollwise.evaluation.evaluate import evaluate
from rollwise.game.actions import Action, Keep, Score
from rollwise.game.game import Game
from rollwise.game.position import Position
from rollwise.game.records.as_text import RecordError
from rollwise.game.scorecard import Dice, State, legal_keeps, legal_moves
from rollwise.reviews.review import review
from rollwise.rules import Rules, parse_rules
from rollwise.solving.solver import solve
from rollwise.strategies import Greedy
from small_games import plain_rules


def stopped_at(rules: Rules, roll: int) -> Rules:
    """Return rules in which every roll of a turn scores the points for roll number ``roll``."""
    categories = tuple(
        category.model_copy(update={"points": category.points[roll - 1]})
        if isinstance(category.points, tuple)
        else category
        for category in rules.categories
    )
    return rules.model_copy(update={"categories": categories})


class Waiting(Reference):
    """A reference solver for the game in which players can keep all dice."""

    def __init__(self, rules: Rules, chance: Chance = mean) -> None:
        super().__init__(rules, chance)
        self.with_left = [stopped_at(rules, rules.rolls - left) for left in range(rules.rolls)]

    def options(self, state: State, dice: Dice, rolls_left: int) -> dict[Action, Fraction]:
        moves = legal_moves(self.with_left[rolls_left], state, dice)
        values: dict[Action, Fraction] = {
            Score(self.rules.keys[move.category]): self.scored(state, move, rolls_left)
            for move in moves
        }
        for keep in [dice, *legal_keeps(dice)] if rolls_left else []:
            values[Keep(keep)] = self.chance(
                self.distribution(keep), lambda roll: self.roll_value(state, roll, rolls_left - 1)
            )
        return values


@st.composite
def by_the_roll(draw: st.DrawFn) -> Rules:
    """Draw a small game with two or three rolls; some points depend on the roll number."""
    data = draw(plain_rules()).model_dump()
    data["rolls"] = rolls = draw(st.integers(2, 3))
    for category in data["categories"]:
        if category["pattern"]["kind"] != "any" and draw(st.booleans()):
            points = draw(st.lists(st.integers(0, 30), min_size=rolls, max_size=rolls))
            category.update(points=points, worth=None)
    return Rules.model_validate(data)


@pytest.mark.parametrize("chance", [mean, worst, best])
@settings(max_examples=15)
@given(by_the_roll())
def test_keeping_all_dice_as_an_action_has_the_same_value(chance: Chance, rules: Rules) -> None:
    waiting, reference = Waiting(rules, chance), Reference(rules, chance)
    for state in reference.states():
        assert waiting.value(state) == reference.value(state)


def one_die(faces: int, rolls: int, points: str) -> Rules:
    """Return a game with one die, and one category for its highest face."""
    return parse_rules(
        f'name = "one-die"\ntitle = "One die"\ndice = 1\nfaces = {faces}\nrolls = {rolls}\n'
        f'[[categories]]\nkey = "a"\ntitle = "A"\n'
        f'pattern = {{ kind = "face", face = {faces} }}\npoints = {points}\n'
    )


@pytest.mark.parametrize(
    ("faces", "rolls", "points", "value"),
    [(2, 2, "[0, 10]", 7.5), (2, 3, "[4, 0, 8]", 7.0), (6, 2, "[6, 36]", 11.0)],
)
def test_by_hand(faces: int, rolls: int, points: str, value: float) -> None:
    rules = one_die(faces, rolls, points)
    assert Waiting(rules).value() == Reference(rules).value() == value
    assert solve(rules, cache=False).value() == value


class TestAllInterfaces:
    """Tests of a game with two rolls of a two-faced die, and 10 points for a 2 on roll 2."""

    rules = one_die(2, 2, "[0, 10]")

    def test_advice(self) -> None:
        options = solve(self.rules, cache=False).options(Position(self.rules, "2 | rolls-left 1"))
        assert [(option.action, option.value) for option in options] == [
            (Score("a"), 10.0), (Keep(()), 5.0)
        ]  # fmt: skip

    def test_the_greedy_player(self) -> None:
        options = Greedy().options(Position(self.rules, "2 | rolls-left 1"))
        assert options == [(Score("a"), 10.0), (Keep(()), 5.0)]
        assert evaluate(Greedy(), self.rules).distribution.mean == 7.5

    def test_a_record_and_its_review(self) -> None:
        record = Game.parse("rules: one-die\n2 a = 10", self.rules)
        assert record.cards[0].points == 10
        (reviewed,) = review(record, solve(self.rules, cache=False))
        assert [decision.loss for decision in reviewed.decisions] == [0.0]
        with pytest.raises(
            RecordError, match="cannot keep all dice; keep fewer, or score a category"
        ):
            Game.parse("rules: one-die\n2 keep 2; 2 a", self.rules)
