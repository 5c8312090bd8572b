"""Check that the games of learners follow the rules, and that their oracle agrees with reviews."""

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rollwise import Game, Keep, Roll, Rules, Score, Scorecard, load_rules, solve
from rollwise.learning.task import Task
from rollwise.reviews.review import review
from small_games import small_rules

EVERY = np.ones(1, dtype=np.bool_)


def begun(rules: Rules, seed: int, oracle: bool = False) -> Task:
    """Return a task with one new game."""
    task = Task(1, rules, oracle=oracle)
    task.games.seed([seed])
    task.games.deal(EVERY)
    return task


def events(task: Task, seed: int) -> Iterator[tuple[Roll, Keep | Score, float, float]]:
    """Play at random, and yield each roll with the move, its reward, and its regret."""
    rng, games = np.random.default_rng(seed), task.games
    while not games.states.over_N[0]:
        _, infos = task.look()
        roll, position = int(games.states.dice.roll_N[0]), games.position(0)
        allowed = np.flatnonzero(infos["action_mask"][0])
        moves = {games.actions.meaning(code, roll) for code in allowed.tolist()}
        assert moves == set(Game(position).legal_actions())
        action = int(rng.choice(allowed))
        move = games.actions.meaning(action, roll)
        assert move is not None
        dice = Roll(position.dice)
        rewards, step = task.step(np.array([action]))
        yield dice, move, float(rewards[0]), float(step.get("regret", [0.0])[0])


def goes_by_its_rules(rules: Rules, seed: int) -> None:
    """Play a game at random, and check it against the same events in a ``Game``."""
    task, game, total = begun(rules, seed), Game(rules), 0.0
    for roll, move, reward, _ in events(task, seed):
        game.push(roll)
        game.push(move)
        total += reward
        assert task.games.card(0) == game.card
    assert game.is_over
    assert total == game.card.points == task.games.points_N[0]


@settings(max_examples=8)
@given(small_rules(saves=True), st.integers(0, 10**6))
def test_random_games_follow_their_rules(rules: Rules, seed: int) -> None:
    goes_by_its_rules(rules, seed)


@pytest.mark.parametrize("name", ["yahtzee-forced-joker", "yamb-up", "generala"])
def test_presets_follow_their_rules(name: str) -> None:
    goes_by_its_rules(load_rules(name), 1)


def regrets_are_those_of_a_review(rules: Rules, games: int) -> None:
    """Play games at random, and check their regrets against the EV losses in their reviews."""
    solution = solve(rules)
    task = Task(1, rules, oracle=True)
    for seed in range(games):
        task.games.seed([seed])
        task.games.deal(EVERY)
        game, total = Game(rules), 0.0
        for roll, move, _, regret in events(task, seed):
            game.push(roll)
            game.push(move)
            total += regret
        (reviewed,) = review(game, solution)
        assert total == pytest.approx(reviewed.loss, abs=1e-9)
        assert reviewed.loss > 0 or rules.name == "micro-yahtzee"


@pytest.mark.parametrize(("name", "games"), [("micro-yahtzee", 40), ("crag", 10)])
def test_regret_is_the_ev_loss_of_a_review(name: str, games: int) -> None:
    regrets_are_those_of_a_review(load_rules(name), games)


@settings(max_examples=5)
@given(small_rules(saves=True))
def test_regret_under_random_rules_is_zero_for_optimal_play_or_the_ev_loss(rules: Rules) -> None:
    solution, task, game, total = solve(rules), begun(rules, 5, oracle=True), Game(rules), 0.0
    for roll, move, _, regret in events(task, 5):
        game.push(roll)
        game.push(move)
        total += regret
    (reviewed,) = review(game, solution)
    assert total == pytest.approx(reviewed.loss, abs=1e-9)
    task.games.deal(EVERY)
    while not task.games.states.over_N[0]:
        _, infos = task.look()
        best = solution.options(task.games.position(0))[0].action
        row = int(task.games.states.dice.roll_N[0])
        legal = np.flatnonzero(infos["action_mask"][0]).tolist()
        (number,) = (n for n in legal if task.games.actions.meaning(n, row) == best)
        _, infos = task.step(np.array([number]))
        assert infos["regret"][0] < 1e-8


def test_regret_for_a_target_is_the_ev_loss_of_a_review() -> None:
    rules, lost = load_rules("crag"), []
    solution = solve(rules, "target:120")
    task = Task(1, rules, oracle=True, reward="target:120")
    for seed in range(5):
        task.games.seed([seed])
        task.games.deal(EVERY)
        game, paid = Game(rules), []
        for roll, move, reward, regret in events(task, seed):
            lost.append(regret)
            game.push(roll)
            game.push(move)
            paid.append(reward)
        (reviewed,) = review(game, solution)
        assert sum(lost[-len(paid) :]) == pytest.approx(reviewed.loss, abs=1e-9)
        assert paid == [0.0] * (len(paid) - 1) + [float(game.card.points >= 120)]
        assert task.look()[1]["value"][0] == paid[-1]
    assert max(lost) > 0.01


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "games"), [("yahtzee", 100), ("crag", 300), ("micro-yahtzee", 600)]
)
def test_regret_is_the_ev_loss_of_a_review_in_many_games(name: str, games: int) -> None:
    regrets_are_those_of_a_review(load_rules(name), games)


def test_games_can_start_in_the_endgame() -> None:
    games, rules = 1000, load_rules("crag")
    closed = (key for key in rules.keys if key not in ("crag", "sixes"))
    card = Scorecard(rules, dict.fromkeys(closed, 0))
    task, every = Task(games, "crag", oracle=True), np.ones(games, dtype=np.bool_)
    task.start_from({"card": card}, every)
    task.games.seed(np.arange(games))
    task.games.deal(every)
    assert task.games.card(7) == card
    seen, infos = task.look()
    assert (seen["open"].sum(axis=1) == 2).all()
    exact, value_N = solve("crag").value(card), infos["value"]
    assert value_N.mean() == pytest.approx(exact, abs=4.5 * value_N.std() / games**0.5)
