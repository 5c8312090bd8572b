"""Test the data of a reviewed game, from which the client builds the stage of each decision."""

from hypothesis import given, settings

from games import records
from rollwise.game.actions import Keep, Roll, Score
from rollwise.game.game import Game
from rollwise.reviews.review import review
from rollwise.solving.solver import solve
from rollwise.web.game_state import replay_data


@settings(max_examples=25)
@given(records())
def test_every_stage_and_choice(game: Game) -> None:
    data = replay_data(game, review(game, solve(game.rules, cache=False)), True)
    boxes: list[list[int | None]] = [[None] * len(game.rules.categories) for _ in game.players]
    extra = [0] * len(game.players)
    decisions = [step for step in game.steps if not isinstance(step.event, Roll)]
    for step, (before, event, _) in zip(data["steps"], decisions, strict=True):
        stage, player = step["stage"], before.player
        assert [tuple(card) for card in boxes] == [card.boxes for card in before.cards]
        assert extra == [card.extra_bonus for card in before.cards]
        assert stage["saved"] == [card.saved for card in before.cards]
        assert (stage["player"], stage["rollsLeft"]) == (player, before.rolls_left)
        assert tuple(sorted(stage["dice"])) == before.dice
        assert stage["rolls"] == game.rules.rolls_with(before.card.saved)
        chosen = step["options"][step["chosen"]]
        if isinstance(event, Keep):
            assert chosen["keep"] == event.dice
        elif isinstance(event, Score):
            assert game.rules.keys[chosen["category"]] == event.category
            box = dict(step["possible"])[chosen["category"]]
            boxes[player][chosen["category"]] = box["points"]
            extra[player] += box["extra"]


def test_a_held_die_stays_in_its_place() -> None:
    events = "roll 12666; keep 6; roll 11346; score chance"
    game = Game("yahtzee", "Ada, B", events, bots={"B": "greedy"})
    data = replay_data(game, review(game), True)
    assert [step["stage"]["dice"] for step in data["steps"]] == [(1, 2, 6, 6, 6), (1, 1, 6, 3, 4)]
    assert data["people"] == [0]
