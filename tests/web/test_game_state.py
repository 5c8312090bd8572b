"""Test the data about a game that a server sends to its client."""

from hypothesis import given, settings

from games import records
from rollwise.game.actions import Keep, Roll, Score
from rollwise.game.game import Game
from rollwise.reviews.review import review
from rollwise.solving.solver import solve
from rollwise.web.game_state import last_event_data, luckiest_roll_data, replay_data


@settings(max_examples=25)
@given(records())
def test_every_stage_and_choice_of_a_reviewed_game(game: Game) -> None:
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


@settings(max_examples=25)
@given(records())
def test_the_last_event_and_the_luckiest_roll(game: Game) -> None:
    for one in review(game, solve(game.rules, cache=False)):
        roll = max(one.rolls, key=lambda roll: roll.luck, default=None)
        data = roll and {"turn": roll.turn, "dice": roll.dice, "luck": roll.luck}
        assert luckiest_roll_data(one) == data
    last = last_event_data(game)
    if not game.events:
        assert last is None
        return
    before = Game(game.rules, game.players, game.events[:-1])
    gained = sum(card.points for card in game.cards) - sum(card.points for card in before.cards)
    event, player = game.lines[-1], before.stage.player
    assert last == {"event": event, "player": player, "gained": gained}
