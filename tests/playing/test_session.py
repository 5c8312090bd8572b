"""Test sessions: held dice, computer opponents, undo, and the tutor."""

import random
import re

import pytest
from hypothesis import given, settings

from games import at_random, play, records
from rollwise import Position, Score, load_rules, solve
from rollwise.errors import IllegalError, InputError
from rollwise.game.game import Game
from rollwise.playing.bot import Bot, new_game
from rollwise.playing.session import HeldDice, Session
from rollwise.questions.solving import objective_of, player
from rollwise.reviews.review import review
from rollwise.rules import Rules
from rollwise.solving.solution import Solution
from rollwise.strategies import RandomStrategy, parse_strategy

YAHTZEE = load_rules("yahtzee")


@pytest.fixture(scope="module")
def solution() -> Solution:
    return solve(YAHTZEE)


class TestHeldDice:
    def test_dice_keep_their_places(self) -> None:
        tray = HeldDice((3, 1, 6, 1, 2)).hold(())
        tray = tray.toggle(1).toggle(2)
        assert tray.kept == (1, 6)
        assert tray.rolled((1, 4, 4, 5, 6)) == HeldDice((4, 1, 6, 4, 5), tray.held)

    def test_holding_takes_the_first_of_equal_dice(self) -> None:
        tray = HeldDice((6, 6, 1, 6, 2)).hold((1, 6, 6))
        assert tray.held == (True, True, True, False, False)


class TestPlaying:
    def test_a_session_without_a_solution_until_it_is_set(self, solution: Solution) -> None:
        game = Game(YAHTZEE, "Ada, it", seed=7, bots={"it": "greedy"}, tutor=True)
        session = Session(game, None)
        session.roll()
        session.toggle(0)
        session.roll()
        assert (session.roll_number, session.options()) == (2, [])
        assert session.caution(Score("chance")) is None
        session.solution = solution
        assert session.options() == solution.options(session.position)  # type: ignore[arg-type]
        assert session.caution(Score("yahtzee")) is not None
        session.do(Score("yahtzee"))
        session.bot_step()
        session.bot_step(Score("chance"))
        assert session.game.stage.player == 0

    def test_toggle_roll_score(self, solution: Solution) -> None:
        session = Session(Game(YAHTZEE, seed=7), solution)
        with pytest.raises(IllegalError, match="roll the dice before you keep any"):
            session.toggle(0)
        session.roll()
        first = session.tray.faces
        session.toggle(3)
        session.roll()
        assert session.tray.faces[3] == first[3]
        assert session.tray.held == (False, False, False, True, False)
        assert session.roll_number == 2
        session.do(Score("chance"))
        assert session.tray == HeldDice()
        assert session.roll_number == 0
        assert session.game.card.points == sum(session.game.events[2].dice)  # type: ignore[union-attr]

    def test_a_turn_with_saved_rolls(self, solution: Solution) -> None:
        saving = YAHTZEE.model_copy(update={"name": "saving", "saves_rolls": True})
        session = Session(Game(saving, seed=7), solution)  # another game's solution, not used here
        assert session.words() == "Turn 1 of 13: roll the dice"
        session.roll()
        session.do(Score("chance"))
        assert session.words() == "Turn 2 of 13: roll the dice (rolls saved: 2)"
        for number in range(1, 6):
            session.roll()
            assert session.roll_number == number
        assert session.words() == "Turn 2 of 13: last roll, choose a category"
        with pytest.raises(IllegalError, match="no rolls are left; score a category next"):
            session.roll()
        session.undo()
        assert session.words() == "Turn 2 of 13: roll 4 of 5"

    def test_points_that_depend_on_the_roll(self, solution: Solution) -> None:
        k = YAHTZEE.category_index("chance")
        any_roll = {"pattern": {"kind": "run", "length": 1}, "points": (30, 20, 10)}
        categories = [
            c.model_dump() | (any_roll if i == k else {}) for i, c in enumerate(YAHTZEE.categories)
        ]
        rules = Rules.model_validate(YAHTZEE.model_dump() | {"categories": categories})
        session = Session(Game(rules, seed=7), solution)
        for points in (30, 20, 10):
            session.roll()
            assert session.possible()[k].points == points

    def test_all_dice_held_cannot_be_rolled(self, solution: Solution) -> None:
        session = Session(Game(YAHTZEE, seed=7), solution)
        session.roll()
        for place in range(5):
            session.toggle(place)
        assert not session.may_roll
        before = session.game.copy()
        with pytest.raises(IllegalError, match="cannot keep all dice; keep fewer, or score"):
            session.roll()
        assert session.game == before

    def test_dice_rolled_by_hand(self, solution: Solution) -> None:
        session = Session(Game(YAHTZEE), solution)
        with pytest.raises(IllegalError, match="enter their faces"):
            session.roll()
        session.roll((6, 3, 1, 6, 1))
        session.hold((6, 6))
        before = session.game.copy()
        with pytest.raises(IllegalError, match="does not contain the kept dice 66; include them"):
            session.roll((1, 2, 3, 4, 5))
        assert session.game == before
        session.roll((6, 6, 2, 2, 2))
        assert session.game.stage.dice == (2, 2, 2, 6, 6)

    def test_the_tutor(self, solution: Solution) -> None:
        session = Session(Game(YAHTZEE, tutor=True), solution)
        session.roll((6, 6, 6, 6, 6))
        caution = session.caution(Score("chance"))
        assert caution is not None
        assert caution.verdict == "blunder"
        assert caution.best.action == Score("yahtzee")
        assert session.caution(caution.best.action) is None
        session.tutor = False
        assert session.caution(caution.chosen.action) is None


@settings(max_examples=50)
@given(records())
def test_undo_reverts_exactly_one_choice(record: Game) -> None:
    solution = solve(record.rules, cache=False)
    rng = random.Random(1)
    session = Session(Game(record.rules, record.players, seed=5), solution)
    before: list[tuple[Game, HeldDice]] = []
    while not session.game.is_over and len(before) < 12:
        if session.game.awaits_roll:
            session.roll()
        before.append((session.game.copy(), session.tray))
        session.do(rng.choice(session.game.legal_actions()))
    for state in reversed(before):
        session.undo()
        assert (session.game, session.tray.faces) == (state[0], state[1].faces)
    with pytest.raises(IllegalError):
        session.undo()


@settings(max_examples=30)
@given(records())
def test_a_session_continues_from_any_record(record: Game) -> None:
    session = Session(record, solve(record.rules, cache=False))
    stage = record.stage
    if stage.dice is None:
        assert session.tray.kept == stage.kept
    else:
        assert tuple(sorted(session.tray.faces)) == stage.dice


def whole_game(bot: Bot, rules: Rules = YAHTZEE) -> Game:
    """Return a finished game of one computer opponent."""
    game = Game(rules, "it", seed=3, bots={"it": bot.strategy.name})
    session = Session(game, None, {"it": bot})
    while session.is_bots_turn:
        session.bot_step()
    assert session.game.is_over
    assert re.fullmatch(r"it: score [a-z-]+ for \d+\.", session.news)
    return game


def test_a_session_from_a_position() -> None:
    game = Game(Position("yahtzee", dice=11366, card={"ones": 3}), "Ada", seed=7, tutor=True)
    session = Session(game, None)
    session.toggle(3)
    session.roll()
    session.undo()
    assert (session.tray.faces, game.events) == ((1, 1, 3, 6, 6), ())


class TestBots:
    @pytest.mark.parametrize(
        "name", ["random", "random-category", "greedy", "payoff-line", "commonest-face"]
    )
    def test_a_bot_is_reproducible(self, name: str) -> None:
        bots = (Bot(parse_strategy(name, YAHTZEE), YAHTZEE, seed=1) for _ in range(2))
        first, second = map(whole_game, bots)
        assert first == second

    @pytest.mark.parametrize("goal", ["expected", "target:20", "beat:greedy"])
    def test_an_optimal_bot_has_no_loss(self, goal: str) -> None:
        rules = load_rules("micro-yahtzee")
        bot = Bot(player(f"optimal:{goal}", rules), rules)
        (player_review,) = review(whole_game(bot, rules), solve(rules, objective_of(goal, rules)))
        assert player_review.decisions
        assert player_review.loss == pytest.approx(0, abs=1e-12)

    def test_undo_skips_the_turns_of_bots(self, solution: Solution) -> None:
        bot = Bot(RandomStrategy(), YAHTZEE, seed=2)
        game = Game(YAHTZEE, "Ada, it", seed=3, bots={"it": "random"})
        session = Session(game, solution, {"it": bot})
        with pytest.raises(IllegalError, match="the turn of a computer opponent"):
            session.bot_step()
        session.roll()
        before = session.game.copy()
        session.do(Score("ones"))
        while session.is_bots_turn:
            session.bot_step()
        session.undo()
        assert session.game == before

    def test_names(self) -> None:
        game = new_game(YAHTZEE, ["Ada"], ["optimal", "optimal", "optimal:target:250"], 7)
        assert game.players == ("Ada", "Perfect 1", "Perfect 2", "optimal target 250")
        assert [*game.headers.bots.values()] == ["optimal", "optimal", "optimal:target:250"]
        with pytest.raises(InputError):
            new_game(YAHTZEE, ["a,b"], [], None)


def test_possible_points_equal_the_points_scored(solution: Solution) -> None:
    rng = random.Random(3)
    for seed in range(20):
        events = play(YAHTZEE, ["Ada"], seed, at_random(seed), rng.randrange(60)).events
        session = Session(Game(YAHTZEE, "Ada", events, seed=seed), solution)
        if session.position is None:
            assert session.possible() == {}
        for category, move in session.possible().items():
            points = session.game.card.points
            session.do(Score(YAHTZEE.keys[category]))
            card = session.game.stage.cards[0]
            gained = move.points + move.extra
            assert card.points - points in (gained, gained + 35)
            session.undo()
