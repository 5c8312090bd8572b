"""A reply to one who plays for points at first: the bound on it, over all games of small games."""

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings

from commands import run
from rollwise import Score, Scorecard, load_rules, solve
from rollwise.distribution import Distribution
from rollwise.evaluation.forward import follow
from rollwise.game.position import Position
from rollwise.game.scorecard import legal_moves
from rollwise.rules import Rules
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.kernels.penalty import Known, News, pay_for_news
from rollwise.solving.kernels.score import Rows
from rollwise.solving.place import START, CardPlace
from rollwise.solving.policy import OptimalPolicy
from rollwise.solving.progress import Progress
from rollwise.solving.solver import Solver
from rollwise.two_player.bounds import ForeseenReply
from rollwise.two_player.card_distributions import turn_distribution
from rollwise.two_player.head_to_head import EndSolver
from rollwise.two_player.sampled_bounds import Replies, end_of, student_quantile, sure_chances
from rollwise.two_player.solver import DuelSolver
from small_games import small_rules

MICRO = load_rules("micro-yahtzee")
ROUNDING = 1e-6
"""Of tables in float32."""

Told = tuple[tuple[CardPlace, Distribution], ...]
"""The card and the law of the final score before each turn, and at the end."""
Games = list[tuple[float, Told]]

few_boxes = small_rules(saves=True).filter(
    lambda rules: rules.dice < 3 and len(rules.categories) < 3
)


def games_from(play: OptimalPolicy, place: CardPlace, turns: int) -> Iterator[tuple[float, Told]]:
    """Yield all games of a play: how likely, and what is told of each."""
    model = play.sweep.model
    filled = int(model.mask_C[place.c]).bit_count()
    if filled == turns:
        yield 1.0, ((place, Distribution.certain(place.score + int(model.bonus_L[place.lane]))),)
        return
    distribution = follow(play, place).score
    chance, outcomes = turn_distribution(
        model, play.of_layer(filled), place.c, np.array([place.lane])
    )
    for o, p in zip(outcomes.tolist(), chance[0].tolist(), strict=True):
        if p > 0:
            c, lane = int(model.class_after(place.c, o)), int(model.lane_after(place.lane, o))
            after = CardPlace(c, lane, place.score + int(model.step_O[o]))
            for q, told in games_from(play, after, turns):
                yield p * q, ((place, distribution), *told)


def all_games(expected: CardSolution) -> Games:
    """Return all games of play for points."""
    return list(games_from(OptimalPolicy(expected), START, len(expected.rules.categories)))


def sure_of(expected: CardSolution, games: Games, *, first: bool, best: int = 0) -> float:
    """Return what play for points is sure of, moving first or second, by all of its games.

    ``best`` says with how many open boxes it begins to answer.
    """
    rules = expected.rules
    boxes = len(rules.categories)
    widest = 2 * int(games[0][1][0][1].scores.max() + 50)
    reply = ForeseenReply(expected, widest, threads=1)
    if not best:
        return 1 - sum(
            p * reply.value([distribution for _, distribution in g], second=first) for p, g in games
        )
    turns, got = boxes - best + first, 0.0
    for p, game in games:
        distributions = [distribution for _, distribution in game[: turns + 1]]
        end = end_of(rules, best, game[turns][0], second=first)
        got += p * reply.value(distributions, second=first, end=end)
    return 1 - got


class Reply:
    """The best reply to play for points in the smallest game, position by position."""

    def __init__(self) -> None:
        self._points, self._known = solve(MICRO), dict[object, float]()

    def chance(self, mover: Scorecard, other: Scorecard, *, replies: bool) -> float:
        """Return the chance of the player to move before his turn, who replies or is replied to."""
        if mover.is_full:
            return (mover.points > other.points) + (mover.points == other.points) / 2
        key = mover.boxes, other.boxes, replies
        if key not in self._known:
            rolled = (self._after(mover, other, die, replies) for die in range(1, 7))
            self._known[key] = sum(rolled) / 6
        return self._known[key]

    def _after(self, mover: Scorecard, other: Scorecard, die: int, replies: bool) -> float:
        best = self._points.options(Position.of(mover, (die,), 0))[0].action
        cards = [
            mover.fill(move, 0)
            for move in legal_moves(MICRO, mover.state, (die,), 0)
            if replies or Score(move.category) == best
        ]
        return max(1 - self.chance(other, card, replies=not replies) for card in cards)


@pytest.mark.parametrize("first", [True, False])
def test_the_smallest_game(first: bool) -> None:
    """No reply does better than the bound, and the best one nearly as well."""
    empty = Scorecard.empty(MICRO)
    exact = Reply().chance(empty, empty, replies=not first)
    worst = exact if first else 1 - exact
    sure = sure_of(solve(MICRO), all_games(solve(MICRO)), first=first)
    assert worst - 0.005 < sure < worst + ROUNDING


def test_the_best_from_the_first_turn_on() -> None:
    """Nothing is told of him who answers at once: he is sure of his value, and of no more."""
    solution = DuelSolver(MICRO).solve(ties=False)
    sure = [sure_of(solve(MICRO), all_games(solve(MICRO)), first=f, best=2) for f in (True, False)]
    assert 1 - sure[1] == pytest.approx(solution.value(), abs=ROUNDING)
    assert sure[0] < solution.value() + ROUNDING


@pytest.mark.slow
@settings(max_examples=20)
@given(few_boxes)
def test_it_holds_the_value(rules: Rules) -> None:
    """Of all games, not of some of them: no error of chance. Who answers late is sure of more."""
    expected = Solver(rules, cache=False).solve()
    games = all_games(expected)
    assume(len(games) < 50)
    value = DuelSolver(rules, threads=1, cache=False).solve(ties=False).value()
    for best in range(len(rules.categories) + 1):
        first, second = (sure_of(expected, games, first=f, best=best) for f in (True, False))
        assert first - ROUNDING < value < 1 - second + ROUNDING


@pytest.mark.slow
def test_of_a_game() -> None:
    """It holds the value; who answers late is sure of more, and of nearly all of it."""
    few, many = (sure_chances(solve("generala"), 8, boxes=boxes) for boxes in (1, 4))
    low, high = many.interval
    assert low < 0.49482397 < high
    assert few.first + 0.01 < many.first == pytest.approx(0.4948, abs=4 * many.first_error)
    assert few.second + 0.01 < many.second == pytest.approx(0.5052, abs=4 * many.second_error)
    assert max(many.first_error, many.second_error) < 0.006


@pytest.mark.parametrize("second", [True, False])
def test_the_end_of_one_card(second: bool) -> None:
    """It is a part of the ends of all cards, to the bit."""
    rules = load_rules("yatzy-forced-order")
    model, card = solve(rules).model, CardPlace(11, 21, 70)
    boxes = len(rules.categories) - int(model.mask_C[card.c]).bit_count() + second
    one = EndSolver(rules, boxes, **{"other" if second else "mover": card}).solve(ties=False)
    every = EndSolver(rules, boxes).solve(ties=False)
    layer = one.layers[0]
    b, a, lead = np.indices((len(layer.moved), len(layer.movers), 400))
    moved = layer.moved.class_A[b], layer.moved.lane_A[b], lead if not second else lead * 0 + 70
    mover = layer.movers.class_A[a], layer.movers.lane_A[a], lead if second else lead * 0 + 70
    known = one.look_up(0, moved, mover)
    assert not np.isnan(known).all()
    np.testing.assert_array_equal(known, every.look_up(0, moved, mover))


def test_what_is_paid() -> None:
    """A turn that may bring news is paid for by its news, and on average not at all."""
    rows = Rows(np.array([0, 2]), np.array([-3, 5]), np.array([20, 30]), np.array([16, 80]))
    known_rows = Rows(np.array([0, 2]), np.array([-9, -40]), np.array([9, 40]), np.array([5, 40]))
    rng = np.random.default_rng(3)
    worth = rng.random(140).astype(np.float32)
    mass_S = rng.random(37) - 0.5
    mass_S -= mass_S.mean()
    values, known = rng.random(140), Known(known_rows, worth)
    paid = values.copy()
    pay_for_news(0, 2, np.empty(200), rows, paid, known, News(30, mass_S))

    def worth_of(x: int, lead: int) -> float:
        low, high, start = (array[x] for array in known_rows[1:])
        return float(worth[start + lead - low]) if low <= lead < high else float(lead >= high)

    for x, (low, high, start) in enumerate(zip(*rows[1:], strict=True)):
        for points in range(low, high):
            mean = sum(p * worth_of(x, points - 30 + s) for s, p in enumerate(mass_S))
            place = start + points - low
            assert paid[place] == pytest.approx(values[place] - mean, abs=1e-12)
        assert (paid[start + high - low :][:16] == 1).all()


def test_a_stopped_run_goes_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Games that are over are not replied to again, and nothing is left at the end."""
    monkeypatch.setenv("ROLLWISE_CACHE", str(tmp_path))
    points, told = solve(MICRO), list[tuple[int, bool]]()
    to_game = Replies.to_game

    def count(self: Replies, game: int, *, second: bool, progress: Progress | None = None) -> float:
        if len(told) == 3:
            raise KeyboardInterrupt
        told.append((game, second))
        return to_game(self, game, second=second, progress=progress)

    monkeypatch.setattr(Replies, "to_game", count)
    with pytest.raises(KeyboardInterrupt):
        sure_chances(points, 6, boxes=1)
    told.insert(0, (-1, True))
    stopped = sure_chances(points, 6, boxes=1)
    assert len(set(told)) == len(told) == 13
    assert not list(tmp_path.glob("unfinished*"))
    assert sure_chances(points, 6, boxes=1) == stopped


def test_student() -> None:
    """As in published tables of Student's t."""
    assert [round(student_quantile(0.995, n), 3) for n in (1, 2, 3, 10)] == [
        63.657,
        9.925,
        5.841,
        3.169,
    ]
    assert student_quantile(0.975, 200) == pytest.approx(1.9719, abs=1e-4)


def test_command() -> None:
    asked = ("duel", "--rules", "micro-yahtzee", "--bracket", "--games")
    told = json.loads(run(*asked, "40", "--json")[1])
    assert told["low"] < told["of_games"]["low"] <= told["of_games"]["first"]
    assert told["of_games"]["boxes"] == 2
    assert told["of_games"]["games"] == 40
    code, out, _ = run(*asked, "2")
    assert code == 0
    assert "With 99 % confidence between" in out
    code, out, err = run(*asked, "1")
    assert (code, out) == (2, "")
    assert "expected at least 2" in err
