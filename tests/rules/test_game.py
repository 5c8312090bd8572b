"""Test games in progress: legal events, undo, and fair dice."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import at_random, play, records
from rollwise import Keep, Score, load_rules
from rollwise.errors import IllegalError, InputError, MalformedError
from rollwise.game.actions import Roll
from rollwise.game.game import Game, fair_roll

YAHTZEE = load_rules("yahtzee")


class TestPlaying:
    def test_a_turn(self) -> None:
        game = Game(YAHTZEE)
        assert game.awaits_roll
        assert game.legal_actions() == []
        game.push(Roll((6, 3, 1, 6, 1)))
        assert game.position is not None
        assert game.position.dice == (1, 1, 3, 6, 6)
        assert game.position.rolls_left == 2
        game.push(Keep((6, 6)))
        assert game.awaits_roll
        game.push(Roll((6, 6, 6, 1, 2)))
        game.push(Score("sixes"))
        assert game.card.points == 18
        assert game.turn == 2

    def test_players_take_turns(self) -> None:
        game = play(YAHTZEE, ["Ada", "Ben", "Cy"], 5, at_random(5))
        assert game.is_over
        assert all(card.is_full for card in game.stage.cards)
        assert len([event for event in game.events if isinstance(event, Score)]) == 39

    @pytest.mark.parametrize(
        ("events", "words"),
        [
            ([Keep((6,))], "cannot .* now; roll the dice next$"),
            ([Score("ones")], "cannot .* now; roll the dice next$"),
            ([Roll((1, 1, 1, 1))], "use 5 dice"),
            ([Roll((1, 1, 1, 1, 7))], "faces 1 to 6"),
            ([Roll((1,) * 5), Roll((1,) * 5)], "keep dice or score a category next"),
            ([Roll((1,) * 5), Keep((2,))], "keep only dice of the roll"),
            ([Roll((1,) * 5), Keep((1,) * 5)], "keep fewer"),
            ([Roll((1,) * 5), Keep((1,)), Roll((2,) * 5)], "does not contain the kept dice 1"),
            ([Roll((1,) * 5), Score("ones"), Roll((1,) * 5), Score("ones")], "ones is filled"),
            (
                [Roll((1,) * 5), Keep(()), Roll((1,) * 5), Keep(()), Roll((1,) * 5), Keep(())],
                "no rolls are left",
            ),
        ],
    )
    def test_illegal_events(self, events: list[Roll | Keep | Score], words: str) -> None:
        game = Game(YAHTZEE, events=events[:-1])
        stage = game.stage
        with pytest.raises(IllegalError, match=words):
            game.push(events[-1])
        assert game.stage == stage
        assert game.events == tuple(events[:-1])

    def test_no_event_after_the_game(self) -> None:
        game = play(YAHTZEE, ["Ada"], 1, at_random(1))
        with pytest.raises(IllegalError, match="the game is over"):
            game.push(Roll((1, 1, 1, 1, 1)))

    @pytest.mark.parametrize("names", [[], [""], ["a", "a"], ["a:b"], ["a,b"], ["x" * 41], [" a"]])
    def test_invalid_player_names(self, names: list[str]) -> None:
        with pytest.raises(MalformedError):
            Game(YAHTZEE, names)


@given(records())
def test_undo_restores_exactly(record: Game) -> None:
    game, stages = Game(record.rules, record.players), []
    for event in record.events:
        stages.append((game.stage, game.events, game.legal_actions()))
        game.push(event)
    for event in reversed(record.events):
        assert game.pop() == event
        assert (game.stage, game.events, game.legal_actions()) == stages.pop()
    with pytest.raises(IllegalError):
        game.pop()


@given(records())
def test_only_legal_actions_can_be_pushed(record: Game) -> None:
    game = record.copy()
    legal = set(game.legal_actions())
    dice = game.stage.dice or ()
    keeps = {Keep(keep) for keep in (dice, dice[:1], dice[1:], ())}
    moves = map(Score, record.rules.keys)
    for action in legal | keeps | {*moves}:
        try:
            game.push(action)
        except InputError:
            assert action not in legal
        else:
            assert action in legal
            game.pop()


class TestDice:
    @given(st.integers(0, 2**63 - 1))
    def test_same_dice_after_undo(self, seed: int) -> None:
        game = Game(YAHTZEE)
        game.push(first := fair_roll(game, seed))
        game.push(Keep(first.dice[:2]))
        second = fair_roll(game, seed)
        game.pop()
        game.push(Keep(first.dice[:2]))
        assert fair_roll(game, seed) == second

    def test_fair(self) -> None:
        # Each face appears about 2,000 times in 12,000 dice, within five standard deviations.
        faces = [0] * 6
        for seed in range(2_400):
            for die in fair_roll(Game(YAHTZEE), seed).dice:
                faces[die - 1] += 1
        assert sum(faces) == 12_000
        assert max(abs(count - 2_000) for count in faces) < 5 * (12_000 * 5 / 36) ** 0.5
