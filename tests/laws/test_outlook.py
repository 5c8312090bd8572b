"""What two players can expect of each other: chances, answers, robots, matches, reviews."""

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from commands import run
from games import at_random, play
from rollwise import Game, Score, Scorecard, Solver, load_rules, review, solve
from rollwise.cli.review import print_chances
from rollwise.errors import InconsistentError
from rollwise.evaluation.forward_by_score import final_distribution
from rollwise.game.position import Position
from rollwise.game.records.files import save_record
from rollwise.game.records.record import Record
from rollwise.playing.bot import Bot
from rollwise.playing.match import Match, play_match
from rollwise.reviews.win_chances import review_chances
from rollwise.strategies import Duel, Optimal
from rollwise.two_player import near_optimal
from rollwise.two_player import solver as duel
from rollwise.two_player import win_probability as win_probabilities
from rollwise.two_player.bounds import bracket
from rollwise.two_player.solution import DuelSolution
from rollwise.two_player.solver import DuelSolver
from rollwise.two_player.win_probability import Outlook, WinProbability

MICRO = load_rules("micro-yahtzee")
EMPTY = Scorecard.empty(MICRO)
FIRST = 613 / 1296 + 17 / 864
"""The value of the game to who moves first."""


@pytest.fixture(scope="module")
def win_probability() -> WinProbability:
    """Return what is known of the smallest game."""
    return WinProbability(MICRO)


@pytest.fixture(scope="module")
def micro() -> DuelSolution:
    """Return the smallest game solved for two."""
    return DuelSolver(MICRO).solve(ties=False)


@pytest.fixture(scope="module")
def match() -> Match:
    """One who answers against one who plays for points."""
    best = solve(MICRO)
    return play_match(Duel(best), Optimal(best), MICRO, 40, 7)


@cache
def robot(player: type[Optimal]) -> Bot:
    """Return a robot that plays the smallest game."""
    return Bot(player(solve(MICRO)), MICRO)


def chance(win_probability: WinProbability, game: Game) -> float:
    """Return the chance of the first player."""
    found = win_probability.outlook(game)
    assert found is not None
    return found.value


class TestOutlook:
    def test_the_start(self, win_probability: WinProbability) -> None:
        found = win_probability.outlook(Game(MICRO, "Ada, Ben"))
        assert found is not None
        assert found.exact
        assert found.value == pytest.approx(FIRST, abs=1e-14)

    @pytest.mark.parametrize("begun", ["", "roll 4; score double"])
    def test_what_dice_bring_is_nothing_on_average(
        self, win_probability: WinProbability, begun: str
    ) -> None:
        before = chance(win_probability, Game(MICRO, "Ada, Ben", begun))
        rolled = [
            chance(win_probability, Game(MICRO, "Ada, Ben", f"{begun}; roll {die}".strip("; ")))
            for die in range(1, 7)
        ]
        assert sum(rolled) / 6 == pytest.approx(before, abs=1e-14)

    def test_a_keep_is_worth_what_its_rolls_are(self) -> None:
        crag = load_rules("crag")
        game = play(crag, ["Ada", "Ben"], 3, at_random(3))
        late = Game(crag, game.players, game.events[:-4])
        while late.position is None or not late.position.rolls_left:
            late.pop()
        late.push("keep -")
        win_probability = WinProbability(crag)
        kept = chance(win_probability, late)
        rolls, total = 0, 0.0
        for one in range(1, 7):
            for two in range(1, 7):
                for three in range(1, 7):
                    late.push(f"roll {one}{two}{three}")
                    total, rolls = total + chance(win_probability, late), rolls + 1
                    late.pop()
        assert kept == pytest.approx(total / rolls, abs=1e-12)

    @pytest.mark.parametrize(("end", "worth"), [("6; score square", 1.0), ("2; score square", 0.0)])
    def test_the_end(self, win_probability: WinProbability, end: str, worth: float) -> None:
        events = f"roll 5; score double; roll 5; score double; roll {end}; roll 4; score square"
        assert chance(win_probability, Game(MICRO, "Ada, Ben", events)) == worth

    def test_both_for_points(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(win_probabilities, "LEADS", -1)
        found = WinProbability(MICRO).outlook(Game(MICRO, "Ada, Ben"))
        assert found is not None
        assert not found.exact
        assert found.value == pytest.approx(0.5, abs=2e-7)  # laws are float32

    @pytest.mark.parametrize("players", ["Ada", "Ada, Ben, Eve"])
    def test_none_unless_there_are_two(self, win_probability: WinProbability, players: str) -> None:
        assert win_probability.outlook(Game(MICRO, players)) is None

    def test_none_of_large_games(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(near_optimal, "MAX_CARDS", 1)
        win_probability = WinProbability(MICRO)
        assert win_probability.outlook(Game(MICRO, "Ada, Ben")) is None
        assert win_probability.answers(Position.of(EMPTY, (4,), 0), EMPTY) is None


class TestAnswers:
    def test_exact(self, win_probability: WinProbability) -> None:
        position = Position.of(EMPTY, (4,), 0)
        answers = win_probability.answers(position, EMPTY)
        options = DuelSolver(MICRO).solve(ties=False).options(position)
        assert answers is not None
        assert answers.exact
        assert answers.options == options

    def test_about(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(win_probabilities, "LEADS", -1)
        position = Position.of(EMPTY, (4,), 0)
        answers = WinProbability(MICRO).answers(position, EMPTY)
        assert answers is not None
        assert not answers.exact
        assert answers.options == near_optimal.near_optimal(position, EMPTY).options(position)

    def test_out_of_reach(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(near_optimal, "MAX_CARDS", 1)
        assert WinProbability(MICRO).policy(Position.of(EMPTY, (4,), 0), EMPTY) is None


def test_a_robot_that_answers() -> None:
    """Of points a four is a double; against a double of fours it has to be a square."""
    duel, points = robot(Duel), robot(Optimal)
    two = Game(MICRO, "Ada, Ben", "roll 4; score double; roll 4")
    alone = Game(MICRO, "Ada", "roll 4")
    assert duel.choose(two) == Score(1)
    assert points.choose(two) == points.choose(alone) == duel.choose(alone) == Score(0)


class TestMatch:
    def test_records_add_up(self, match: Match) -> None:
        for number in range(40):
            cards = match.record(number).game().stage.cards
            assert [card.points for card in cards] == [
                int(games.scores_N[number]) for games in match.games
            ]
        assert sum(match.tally()) == 40

    def test_the_same_seed_makes_the_same_games(self, match: Match) -> None:
        again = play_match(*match.players, MICRO, 40, 7)
        assert again.as_dict() == match.as_dict()

    def test_command(self) -> None:
        code, out, _ = run("match", "duel", "optimal", "--rules", "micro-yahtzee", "--games", "9")
        assert code == 0
        assert out.startswith("9 games: duel won ")


class TestBracket:
    @pytest.mark.parametrize("name", ["micro-yahtzee", "yamb-down"])
    def test_it_holds_the_value(self, name: str) -> None:
        low, high = bracket(Solver(name))
        value = DuelSolver(name).solve(ties=False).value()
        assert low < value < high
        assert high == pytest.approx(1 - low, abs=1e-15)
        assert high - low < 0.05

    def test_by_hand(self) -> None:
        """Playing for points is half way to it: what it gets of one who knows its score."""
        reach_T = np.concatenate([[1], Solver(MICRO).targets(), [0, 0]])
        distribution = final_distribution("optimal", EMPTY)
        of_points = (
            1
            - (reach_T[distribution.scores] + reach_T[distribution.scores + 1])
            @ distribution.probabilities
            / 2
        )
        low, _ = bracket(Solver(MICRO))
        assert of_points <= low < 0.5

    def test_command(self) -> None:
        told = json.loads(run("duel", "--rules", "micro-yahtzee", "--bracket", "--json")[1])
        assert told["low"] == pytest.approx(1 - told["high"], abs=1e-15)
        code, out, _ = run("duel", "--rules", "micro-yahtzee", "--bracket")
        assert code == 0
        assert "value between 47.530864 % and 52.469136 %" in out

    def test_what_is_certain_bounds_what_games_say(self) -> None:
        """Three games alone would say as little as -10 %."""
        asked = ("duel", "--rules", "micro-yahtzee", "--bracket", "--games", "3")
        told = json.loads(run(*asked, "--json")[1])
        games = told["of_games"]
        assert games["low"] == told["low"]
        assert told["low"] < games["high"] < told["high"]
        out = run(*asked)[1]
        assert "With 99 % confidence between 47.531 % and 49.267 %.\n" in out
        assert "Who plays for points, and best from 2 open boxes on, is sure of 48.732" in out


def errs_once(record: Record) -> bool:
    """Return whether one of the second player's choices is not the best to win."""
    theirs = review_chances(record, review(record, solve(MICRO)))[1]
    return [one.loss > 0 for one in theirs].count(True) == 1


class TestReview:
    def test_who_answers_loses_nothing(self, match: Match) -> None:
        win_probability, parted = WinProbability(MICRO), 0
        for number in range(40):
            record = match.record(number)
            mine, theirs = review_chances(record, review(record, solve(MICRO)), win_probability)
            assert max(one.loss for one in mine) == 0
            assert all((one.loss > 0) == one.parted for one in theirs)
            parted += sum(one.parted for one in theirs)
        assert parted > 0

    def test_of_ends_that_take_long(
        self, match: Match, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Of such ends the first turn alone is on disk: every turn is told, solved or read."""
        record = match.record(0)
        judged = record, review(record, solve(MICRO))
        expected = review_chances(*judged, WinProbability(MICRO))
        monkeypatch.setenv("ROLLWISE_CACHE", str(tmp_path))
        monkeypatch.setattr(duel, "LONG", 0)
        assert review_chances(*judged, WinProbability(MICRO)) == expected
        DuelSolver(MICRO).solve(ties=False)
        assert [*tmp_path.glob("*.duel.*")]
        assert review_chances(*judged, WinProbability(MICRO)) == expected

    def test_command(self, match: Match, tmp_path: Path) -> None:
        path = tmp_path / "game.txt"
        save_record(match.record(0), path)
        told = json.loads(run("review", str(path), "--chances", "--json", "--quiet")[1])
        assert [len(one["chances"]) for one in told] == [2, 2]
        assert all(one["exact"] for player in told for one in player["chances"])
        code, out, _ = run("review", str(path), "--chances", "--quiet")
        assert code == 0
        assert "duel: 0.00 % of winning lost from turn 1 on" in out

    def test_what_is_not_exact_is_marked(
        self, match: Match, capsys: pytest.CaptureFixture[str]
    ) -> None:
        record = next(one for one in map(match.record, range(40)) if errs_once(one))
        decisions = review_chances(record, review(record, solve(MICRO)))[1]
        (row,) = [place for place, one in enumerate(decisions) if one.loss]

        def told() -> tuple[bool, int]:
            """Return whether the sum has a mark, and how many chances of the row have one."""
            print_chances(record, "Ada", decisions)
            _, head, _, line = capsys.readouterr().out.splitlines()
            return head.startswith("Ada: ~"), line.count("~")

        assert told() == (False, 0)
        decisions[1 - row] = replace(decisions[1 - row], exact=False)
        assert told() == (True, 0)
        decisions[row] = replace(decisions[row], exact=False)
        assert told() == (True, 2)

    def test_one_player_has_no_chances(self) -> None:
        record = Record.of(play(MICRO, ["Ada"], 1, at_random(1)))
        with pytest.raises(InconsistentError, match="expected a record of two players"):
            review_chances(record, review(record, solve(MICRO)))


@pytest.mark.parametrize(
    ("value", "exact", "shares"),
    [
        (0.25, True, ("25 %", "75 %")),
        (0.25, False, ("~25 %", "~75 %")),
        (0.004, True, ("<1 %", ">99 %")),
        (0.996, False, (">99 %", "<1 %")),
        (1e-9, True, ("<1 %", ">99 %")),
        (0.0, True, ("0 %", "100 %")),
        (1 - 2**-53, True, ("100 %", "0 %")),
    ],
)
def test_what_is_open_is_neither_none_nor_all(
    value: float, exact: bool, shares: tuple[str, str]
) -> None:
    assert Outlook(value, exact).shares() == shares
