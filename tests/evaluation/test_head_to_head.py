"""Test simulated games of ``duel`` against a player who maximizes points, and its policy."""

import numpy as np
import pytest

from rollwise import Game, Score, Scorecard, Solver, load_rules, solve
from rollwise.errors import TooLargeError
from rollwise.evaluation.evaluate import final_distribution
from rollwise.playing.bot import Bot
from rollwise.solving.position_index import CardIndex
from rollwise.strategies import Duel, Optimal
from rollwise.two_player import head_to_head, policy
from rollwise.two_player.head_to_head import simulate_head_to_head
from rollwise.two_player.policy import WinPolicy
from rollwise.two_player.solution import DuelSolution
from rollwise.two_player.solver import DuelSolver
from rollwise.two_player.win_probability import WinProbability

MICRO = load_rules("micro-yahtzee")
START = "Ada, Ben"
GAMES = 40_000
SE = 0.5 / GAMES**0.5
"""The maximum standard error of a win rate over ``GAMES`` games."""


@pytest.fixture(scope="module")
def micro() -> DuelSolution:
    """Return the two-player solution of the smallest game."""
    return DuelSolver(MICRO).solve(ties=False)


@pytest.fixture
def far(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the first turn of the smallest game near-optimal instead of exact."""
    for module in (policy, head_to_head):
        monkeypatch.setattr(module, "EXACT_CATEGORIES", 1)
    monkeypatch.setattr(WinProbability, "_is_small", False)


def win_rate(first: bool, second: bool) -> float:
    """Return the first player's win rate in simulated games; a tie counts as half a win.

    The parameters state whether each player plays to win; otherwise the player maximizes points.
    """
    best = solve(MICRO)
    players = [Duel(best) if to_win else Optimal(best) for to_win in (first, second)]
    win, tie, loss = simulate_head_to_head(players[0], players[1], best.model, 3, GAMES)
    assert win + tie + loss == pytest.approx(1)
    return win + tie / 2


class OnePlaysToWin:
    """The smallest game between a player who plays to win and a player who maximizes points."""

    def __init__(self, to_win: int) -> None:
        best = solve(MICRO)
        players = [Bot(Optimal(best), MICRO), Bot(Optimal(best), MICRO)]
        players[to_win] = Bot(Duel(best), MICRO, quick=True)
        self._players, self._to_win = players, to_win
        self._values = dict[object, float]()

    def value(self, game: Game) -> float:
        """Return the win probability of the player who plays to win, before a turn."""
        cards, player = game.stage.cards, game.stage.player
        if game.is_over:
            mine, other = (cards[n].points for n in (self._to_win, 1 - self._to_win))
            return (mine > other) + (mine == other) / 2
        key = player, *(card.boxes for card in cards)
        if key not in self._values:
            self._values[key] = sum(self._after(game, die) for die in range(1, 7)) / 6
        return self._values[key]

    def _after(self, game: Game, die: int) -> float:
        after = game.copy()
        after.push(f"roll {die}")
        player = game.stage.player
        open_boxes = zip(MICRO.keys, game.stage.card.boxes, strict=True)
        is_open = [key for key, points in open_boxes if points is None]
        only = Score(is_open[0]) if len(is_open) == 1 else None  # the game has no rerolls
        after.push(only or self._players[player].choose(after))
        return self.value(after)


class TestHeadToHead:
    @pytest.mark.parametrize("first", [True, False])
    @pytest.mark.parametrize("second", [True, False])
    def test_agrees_with_exact_values(self, micro: DuelSolution, first: bool, second: bool) -> None:
        """Check that the win rate between two strategies agrees with the exact win probability."""
        start = Game(MICRO, START)
        value = {
            (True, True): micro.value(),
            (True, False): OnePlaysToWin(0).value(start),
            (False, True): 1 - OnePlaysToWin(1).value(start),
            (False, False): 0.5,
        }[first, second]
        assert abs(win_rate(first, second) - value) < 4 * SE

    @pytest.mark.usefixtures("far")
    @pytest.mark.parametrize("seat", [0, 1])
    def test_the_bot_is_the_simulated_player(self, seat: int) -> None:
        """Check that the win rate agrees with the bot's choices in all games of Micro Yahtzee."""
        value = OnePlaysToWin(seat).value(Game(MICRO, START))
        assert abs(win_rate(seat == 0, seat == 1) - (1 - value if seat else value)) < 4 * SE


class TestPolicy:
    def test_endgames_are_part_of_the_game(self, micro: DuelSolution) -> None:
        """Check that the endgames of the smallest game equal its solution after the first turn."""
        endgames = DuelSolver(MICRO).solve_endgames(2)
        for t, (layer, other) in enumerate(
            zip(endgames.layers, list(micro.layers)[1:], strict=True)
        ):
            assert (layer.moved.row_A == other.moved.row_A).all()
            a, b = np.indices((len(layer.moved), len(layer.movers)))
            moved = layer.moved.class_A[a], layer.moved.lane_A[a], layer.moved.low_A[a]
            mover = layer.movers.class_A[b], layer.movers.lane_A[b], layer.movers.low_A[b]
            values = endgames.look_up(t, moved, mover), micro.look_up(t + 1, moved, mover)
            np.testing.assert_array_equal(*values)

    def test_the_number_of_distributions_is_limited(self, monkeypatch: pytest.MonkeyPatch) -> None:
        win_policy = WinPolicy(Solver(MICRO).solve_by_card(moments=True))
        for most, few in ((4, 2), (3, 1), (2, 0)):
            monkeypatch.setattr(policy, "MAX_DISTRIBUTIONS", most)
            win_policy.compute_distributions()
            assert win_policy.distributions is not None
            every_C = np.arange(win_policy.model.n_classes)
            lane_C = win_policy.model.first_lane_C[every_C]
            has_C = [win_policy.distributions.has(every_C[[c]], lane_C[[c]]) for c in every_C]
            assert win_policy.open_C[has_C].max() == few

    def test_the_difference_of_two_exact_distributions(self) -> None:
        best = Solver("crag").solve_by_card(moments=True)
        win_policy = WinPolicy(best)
        win_policy.compute_distributions()
        low = "ones=2,twos=2,threes=3,low-straight=20,thirteen=26"
        cards = [Scorecard("crag", text) for text in (low, f"{low},sixes=6,fives=10,crag=50")]
        a, b = (final_distribution(Optimal(best), card) for card in cards)
        behind, ahead = (np.searchsorted(b.scores, a.scores, side) for side in ("left", "right"))
        below = np.append(0, np.cumsum(b.probabilities))
        probability = a.probabilities @ (below[behind] + below[ahead]) / 2
        places = [CardIndex.of_card(win_policy.model, card) for card in cards]
        moved, mover = (np.array([[p.c], [p.lane], [p.score]]) for p in places)
        value = win_policy.win_probability((*moved,), (*mover,))
        assert value[0] == pytest.approx(probability, abs=5e-7)  # distributions are float32

    def test_a_game_too_large_for_one_table(self) -> None:
        with pytest.raises(TooLargeError, match="too large to estimate win probabilities"):
            WinPolicy(Solver(MICRO, cache=False).solve_by_card())
