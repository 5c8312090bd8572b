"""One who plays to win against one who plays for points: exactly, and in games of any size."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from commands import run
from rollwise import Game, Score, Scorecard, load_rules, solve
from rollwise.errors import TooLargeError
from rollwise.evaluation.forward_by_score import final_distribution
from rollwise.playing.bot import Bot
from rollwise.solving.place import CardPlace
from rollwise.strategies import Duel, Optimal
from rollwise.two_player import head_to_head, policy, simulation, size
from rollwise.two_player.head_to_head import AS_LONG, EndSolver, meet
from rollwise.two_player.policy import WinPolicy
from rollwise.two_player.simulation import against_points, long_against_points
from rollwise.two_player.solution import DuelSolution
from rollwise.two_player.solver import DuelSolver
from rollwise.two_player.win_probability import WinProbability

MICRO = load_rules("micro-yahtzee")
START = "Ada, Ben"


@pytest.fixture(scope="module")
def micro() -> DuelSolution:
    """Return the smallest game solved for two."""
    return DuelSolver(MICRO).solve(ties=False)


@pytest.fixture
def far(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the first turn of the smallest game be too far from the end to be played exactly."""
    for module in (policy, head_to_head):
        monkeypatch.setattr(module, "NEAR", 1)
    monkeypatch.setattr(WinProbability, "_is_small", False)


class OneAnswers:
    """The chance of one player of the smallest game, who plays to win, the other for points."""

    def __init__(self, answering: int) -> None:
        best = solve(MICRO)
        players = [Bot(Optimal(best), MICRO), Bot(Optimal(best), MICRO)]
        players[answering] = Bot(Duel(best), MICRO)
        self._players, self._answering = players, answering
        self._known = dict[object, float]()

    def chance(self, game: Game) -> float:
        """Return it before a turn."""
        cards, player = game.stage.cards, game.stage.player
        if game.is_over:
            mine, other = (cards[n].points for n in (self._answering, 1 - self._answering))
            return (mine > other) + (mine == other) / 2
        key = player, *(card.boxes for card in cards)
        if key not in self._known:
            self._known[key] = sum(self._after(game, die) for die in range(1, 7)) / 6
        return self._known[key]

    def _after(self, game: Game, die: int) -> float:
        after = Game(MICRO, game.players, game.events)
        after.push(f"roll {die}")
        player = game.stage.player
        left = [k for k, points in enumerate(game.stage.cards[player].boxes) if points is None]
        only = Score(left[0]) if len(left) == 1 else None  # there are no rerolls
        after.push(only or self._players[player].choose(after))
        return self.chance(after)


class TestAgainstPoints:
    def test_all_games_of_the_smallest(self, micro: DuelSolution) -> None:
        fares = against_points(micro, solve(MICRO), 4000, 3)
        first, second = (OneAnswers(number).chance(Game(MICRO, START)) for number in (0, 1))
        assert abs(fares.first - first) < 4 * fares.first_error
        assert fares.second == pytest.approx(second, abs=1e-12)  # he loses nothing who moves first
        assert fares.first_error < 2e-4
        assert fares.decisions == 2

    def test_only_of_a_whole_solution(self, micro: DuelSolution) -> None:
        half = replace(micro, values=[*micro.values[:2], None, *micro.values[3:]])
        with pytest.raises(TooLargeError, match="expected all of its layers"):
            against_points(half, solve(MICRO), 10)

    def test_command(self) -> None:
        told = json.loads(run("duel", "--rules", "micro-yahtzee", "--games", "9", "--json")[1])
        assert told["against_points"]["games"] == 9
        code, _, err = run("duel", "--rules", "micro-yahtzee", "--games", "9", "--ties-lose")
        assert code == 2
        assert "expected neither" in err


class TestLongGames:
    def test_near_the_end_it_is_exact(self, micro: DuelSolution) -> None:
        """Both play the same games: one knows from the start what the other learns on the way."""
        exact = against_points(micro, solve(MICRO), 500, 3)
        near = long_against_points(solve(MICRO, moments=True), 500, 3)
        assert (near.first, near.second) == pytest.approx((exact.first, exact.second), abs=1e-12)
        assert near.mistakes is None

    @pytest.mark.parametrize("first", [True, False])
    @pytest.mark.parametrize("second", [True, False])
    def test_who_answers_meets_another(
        self, micro: DuelSolution, first: bool, second: bool
    ) -> None:
        """The shares of wins and ties of both kinds of players are those of exact play."""
        best = solve(MICRO)
        players = [Duel(best) if answers else Optimal(best) for answers in (first, second)]
        win, tie, loss = meet(players[0], players[1], best.model, 3, 20_000)
        fares = against_points(micro, best, 4000, 3)
        value = {
            (True, True): micro.value(),
            (True, False): fares.first,
            (False, True): 1 - fares.second,
            (False, False): 0.5,
        }[first, second]
        assert win + tie + loss == pytest.approx(1)
        assert abs(win + tie / 2 - value) < 4 * 0.5 / 20_000**0.5

    @pytest.mark.usefixtures("far")
    def test_the_player_at_the_table_is_the_one_measured(self) -> None:
        """All games of the smallest are played through, with the robot's choices."""
        fares = long_against_points(solve(MICRO, moments=True), 4000, 3)
        first, second = (OneAnswers(number).chance(Game(MICRO, START)) for number in (0, 1))
        assert abs(fares.first - first) < 4 * fares.first_error
        assert abs(fares.second - second) < 4 * fares.second_error
        assert max(fares.first_error, fares.second_error) < 3e-3

    def test_stopped_games_go_on(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        points = solve(MICRO, moments=True)
        monkeypatch.setenv("ROLLWISE_CACHE", str(tmp_path))
        whole = long_against_points(points, 5000, 3)
        monkeypatch.setattr(simulation, "BLOCKS", 4096)
        solved = AS_LONG / (AS_LONG + 5000)
        last = solved + (1 - solved) * (1 + 4096 / 5000) / 2
        told = list[float]()

        def stop(share: float) -> None:
            told.append(share)
            if share > last:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            long_against_points(points, 5000, 3, stop)
        assert told == sorted(told)
        told.clear()
        assert long_against_points(points, 5000, 3, told.append) == whole
        assert all(last < share for share in told if share > solved)  # nothing is played again
        assert told[-1] == 1.0
        assert not list(tmp_path.glob("unfinished*"))

    def test_ends_of_all_games(self, micro: DuelSolution) -> None:
        """The last turns of the smallest game are all of it, but for its first."""
        ends = EndSolver(MICRO, 2).solve(ties=False)
        for t, (one, other) in enumerate(zip(ends.layers, micro.layers[1:], strict=True)):
            assert (one.moved.row_A == other.moved.row_A).all()
            a, b = np.indices((len(one.moved), len(one.movers)))
            moved = one.moved.class_A[a], one.moved.lane_A[a], one.moved.low_A[a]
            mover = one.movers.class_A[b], one.movers.lane_A[b], one.movers.low_A[b]
            values = ends.look_up(t, moved, mover), micro.look_up(t + 1, moved, mover)
            np.testing.assert_array_equal(*values)

    def test_distributions_of_as_many_cards_as_have_room(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        play = WinPolicy(solve(MICRO, moments=True))
        for most, few in ((4, 2), (3, 1), (2, 0)):
            monkeypatch.setattr(policy, "MOST_LAWS", most)
            play.know_distributions()
            assert play.distributions is not None
            every_C = np.arange(play.model.n_classes)
            lane_C = play.model.first_lane_C[every_C]
            has_C = [play.distributions.has(every_C[[c]], lane_C[[c]]) for c in every_C]
            assert play.open_C[has_C].max() == few

    def test_both_for_points_by_the_difference_of_two_exact_distributions(self) -> None:
        best = solve("crag", moments=True)
        play = WinPolicy(best)
        play.know_distributions()
        low = "ones=2,twos=2,threes=3,low-straight=20,thirteen=26"
        cards = [Scorecard("crag", text) for text in (low, f"{low},sixes=6,fives=10,crag=50")]
        a, b = (final_distribution(Optimal(best), card) for card in cards)
        behind, ahead = (np.searchsorted(b.scores, a.scores, side) for side in ("left", "right"))
        below = np.append(0, np.cumsum(b.probabilities))
        chance = a.probabilities @ (below[behind] + below[ahead]) / 2
        places = [CardPlace.of_card(play.model, card) for card in cards]
        moved, mover = (np.array([[p.c], [p.lane], [p.score]]) for p in places)
        found = play.chance((*moved,), (*mover,))
        assert found[0] == pytest.approx(chance, abs=5e-7)  # its laws are float32

    def test_a_game_too_large_for_one_table(self) -> None:
        with pytest.raises(TooLargeError, match="too many for one table"):
            WinPolicy(solve(MICRO, cache=False))

    @pytest.mark.usefixtures("far")
    def test_command(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(size, "MAX_BYTES", 3000)
        asked = ("duel", "--rules", "micro-yahtzee", "--games", "9")
        told = json.loads(run(*asked, "--json")[1])
        assert told["exact"] is False
        alone = json.loads(run(*asked[:3], "--json")[1])
        assert {key: told[key] for key in alone} == alone
        assert told["value"] == pytest.approx(0.5, abs=2e-7)  # laws are float32
        assert told["against_points"]["games"] == 9
        assert told["against_points"]["mistakes"] is None
        code, out, _ = run(*asked)
        assert code == 0
        assert "near-optimally, not exactly" in out
