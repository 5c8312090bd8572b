"""Test win probabilities: before and after rolls, in computer opponents, matches, and reviews."""

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from commands import run
from games import at_random, play
from rollwise import Game, Roll, Score, Scorecard, load_rules, solve
from rollwise.errors import InconsistentError
from rollwise.evaluation.evaluate import evaluate
from rollwise.game.position import Position
from rollwise.game.records.files import save_game
from rollwise.playing.bot import Bot
from rollwise.playing.match import Match
from rollwise.playing.match import match as play_match
from rollwise.questions.review import Reviews
from rollwise.reviews.review import review
from rollwise.reviews.win_review import review_win_probability
from rollwise.strategies import STRATEGIES, Duel, Greedy, Optimal
from rollwise.two_player import near_optimal, solver
from rollwise.two_player.grid import LIGHT
from rollwise.two_player.solution import DuelSolution
from rollwise.two_player.solver import DuelSolver
from rollwise.two_player.win_probability import Assumption, Limit, WinEstimate, WinProbability

MICRO = load_rules("micro-yahtzee")
EMPTY = Scorecard.empty(MICRO)
FIRST = 613 / 1296 + 17 / 864
"""The value of the game to the first player."""


@pytest.fixture(scope="module")
def win_probability() -> WinProbability:
    """Return the win probabilities of the smallest game."""
    return WinProbability(MICRO)


@pytest.fixture(scope="module")
def micro() -> DuelSolution:
    """Return the two-player solution of the smallest game."""
    return DuelSolver(MICRO).solve(ties=False)


@pytest.fixture(scope="module")
def match() -> Match:
    """Return a match of ``duel`` against a player who maximizes points."""
    best = solve(MICRO)
    return play_match(Duel(best), Optimal(best), MICRO, 40, 7)


@cache
def bot(player: type[Optimal]) -> Bot:
    """Return a computer opponent for the smallest game."""
    return Bot(player(solve(MICRO)), MICRO)


def value(win_probability: WinProbability, game: Game) -> float:
    """Return the win probability of the first player."""
    outlook = win_probability.outlook(game)
    assert outlook is not None
    return outlook.value


class TestOutlook:
    def test_the_start(self, win_probability: WinProbability) -> None:
        outlook = win_probability.outlook(Game(MICRO, "Ada, Ben"))
        assert outlook is not None
        assert outlook.assumes == "win"
        assert outlook.value == pytest.approx(FIRST, abs=1e-14)

    @pytest.mark.parametrize("begun", ["", "roll 4; score double"])
    def test_rolls_do_not_change_the_mean(
        self, win_probability: WinProbability, begun: str
    ) -> None:
        before = value(win_probability, Game(MICRO, "Ada, Ben", begun))
        rolled = [
            value(win_probability, Game(MICRO, "Ada, Ben", f"{begun}; roll {die}".strip("; ")))
            for die in range(1, 7)
        ]
        assert sum(rolled) / 6 == pytest.approx(before, abs=1e-14)

    def test_the_value_of_dice_to_keep_is_the_mean_over_rolls(self) -> None:
        crag = load_rules("crag")
        game = play(crag, ["Ada", "Ben"], 3, at_random(3))
        late = Game(crag, game.players, game.events[:-4])
        while late.position is None or not late.position.rolls_left:
            late.pop()
        late.push("keep -")
        win_probability = WinProbability(crag)
        after_keep = value(win_probability, late)
        rolls, total = 0, 0.0
        for die_1 in range(1, 7):
            for die_2 in range(1, 7):
                for die_3 in range(1, 7):
                    late.push(f"roll {die_1}{die_2}{die_3}")
                    total, rolls = total + value(win_probability, late), rolls + 1
                    late.pop()
        assert after_keep == pytest.approx(total / rolls, abs=1e-12)

    @pytest.mark.parametrize(
        ("end", "expected"), [("6; score square", 1.0), ("2; score square", 0.0)]
    )
    def test_the_end(self, win_probability: WinProbability, end: str, expected: float) -> None:
        events = f"roll 5; score double; roll 5; score double; roll {end}; roll 4; score square"
        assert value(win_probability, Game(MICRO, "Ada, Ben", events)) == expected

    def test_near_exact_until_an_exact_solution_is_small(self) -> None:
        """Check that two turns share a near-exact solution, and that the last one is exact."""
        win_probability, solver = WinProbability(MICRO, Limit(40, 1e6)), DuelSolver(MICRO)
        halves = Scorecard(MICRO, "double=6"), Scorecard(MICRO, "square=16")
        exact = []
        for cards in ((EMPTY, EMPTY), (EMPTY, halves[0]), halves):
            position = Position.of(cards[0], (4,), 0)
            answers = win_probability.answers(position, cards[1])
            assert answers is not None
            expected = solver.solve(*cards, ties=False).options(position)[0].value
            assert answers.options[0].value == pytest.approx(expected, abs=1e-6)
            exact.append(answers.exact)
        assert exact == [False, False, True]

    def test_a_saved_game(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Check the first turn and a later one, which would otherwise be estimated."""
        monkeypatch.setenv("ROLLWISE_CACHE", str(tmp_path))
        DuelSolver(MICRO).solve(grid=LIGHT, save=True)
        saved = WinProbability(MICRO, Limit(-1, -1))
        for events in ("", "roll 4; score double; roll 5"):
            game = Game(MICRO, "Ada, Ben", events)
            outlook, expected = (each.outlook(game) for each in (saved, WinProbability(MICRO)))
            assert outlook is not None
            assert expected is not None
            assert outlook.assumes == "win"
            assert outlook.value == pytest.approx(expected.value, abs=1e-6)

    def test_near_optimal(self) -> None:
        outlook = WinProbability(MICRO, Limit(-1, -1)).outlook(Game(MICRO, "Ada, Ben"))
        assert outlook is not None
        assert outlook.assumes == "points"
        assert outlook.value == pytest.approx(0.5, abs=2e-7)  # distributions are float32

    @pytest.mark.parametrize("name", ["crag", "yahtzee"])
    def test_the_start_against_an_opponent_who_does_not_respond(self, name: str) -> None:
        rules = load_rules(name)
        greedy = STRATEGIES["greedy"]()
        optimal, other = (
            evaluate(strategy, rules, cache=True).distribution
            for strategy in (Optimal(solve(rules)), greedy)
        )
        win, tie, _ = optimal.against(other)
        outlook = WinProbability(rules).outlook(Game(rules, "Ada, Ben"), {"Ben": greedy})
        assert outlook == WinEstimate(win + tie / 2, "strategy")
        if name == "yahtzee":
            assert f"{win:.1%}" == "72.4%"

    def test_a_turn_does_not_change_the_mean(self, win_probability: WinProbability) -> None:
        points, greedy = bot(Optimal), Bot(STRATEGIES["greedy"](), MICRO)
        bots = {"Ben": greedy.strategy}
        game, values = Game(MICRO, "Ada, Ben"), [0.0]
        for player in (points, greedy, points, greedy):
            before, after = win_probability.outlook(game, bots), []
            for die in range(1, 7):
                game.push(Roll((die,)))
                assert win_probability.outlook(game, bots) == before
                game.push(player.choose(game))
                after.append(win_probability.outlook(game, bots))
                game.pop(), game.pop()
            values = [outlook.value for outlook in after if outlook is not None]
            assert before is not None
            assert sum(values) / 6 == pytest.approx(before.value, abs=1e-12)
            game.push(Roll((4,)))
            game.push(player.choose(game))
        assert game.is_over
        assert set(values) <= {0.0, 0.5, 1.0}

    def test_a_strategy_that_depends_on_the_score(self, win_probability: WinProbability) -> None:
        class Hasty(Greedy):
            sees = ("score",)  # type: ignore[assignment]

        outlook = win_probability.outlook(Game(MICRO, "Ada, Ben"), {"Ben": Hasty()})
        assert outlook == win_probability.outlook(Game(MICRO, "Ada, Ben"))

    @pytest.mark.parametrize("players", ["Ada", "Ada, Ben, Eve"])
    def test_none_unless_there_are_two(self, win_probability: WinProbability, players: str) -> None:
        assert win_probability.outlook(Game(MICRO, players)) is None

    def test_none_for_large_games(self, monkeypatch: pytest.MonkeyPatch) -> None:
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

    def test_near_optimal(self) -> None:
        position = Position.of(EMPTY, (4,), 0)
        answers = WinProbability(MICRO, Limit(-1, -1)).answers(position, EMPTY)
        assert answers is not None
        assert not answers.exact
        assert answers.options == near_optimal.near_optimal(position, EMPTY).options(position)

    def test_too_large(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(near_optimal, "MAX_CARDS", 1)
        assert WinProbability(MICRO).policy(Position.of(EMPTY, (4,), 0), EMPTY) is None


def test_the_duel_bot_responds() -> None:
    """Check that the duel bot scores a four in ``square`` when only ``square`` can win.

    A four scores the most in ``double``, but the opponent has already scored a four in ``double``.
    """
    duel, points = bot(Duel), bot(Optimal)
    two = Game(MICRO, "Ada, Ben", "roll 4; score double; roll 4")
    alone = Game(MICRO, "Ada", "roll 4")
    assert duel.choose(two) == Score("square")
    assert points.choose(two) == points.choose(alone) == duel.choose(alone) == Score("double")


class TestMatch:
    def test_records_add_up(self, match: Match) -> None:
        for number in range(40):
            cards = match.game(number).cards
            assert [card.points for card in cards] == match.scores_P_N[:, number].tolist()
        assert sum(match.tally()) == 40

    def test_the_same_seed_gives_the_same_games(self, match: Match) -> None:
        again = play_match(*match.players, MICRO, 40, 7)
        assert (again.scores_P_N == match.scores_P_N).all()

    def test_command(self) -> None:
        code, out, _ = run(
            "simulate", "duel", "--versus", "optimal", "--rules", "micro-yahtzee", "--games", "9"
        )
        assert code == 0
        assert out.startswith("9 games: duel won ")


def errs_once(record: Game) -> bool:
    """Return whether exactly one decision of the second player has an EV loss."""
    theirs = review_win_probability(record, review(record, solve(MICRO)))[1]
    return [decision.loss > 0 for decision in theirs].count(True) == 1


class TestReview:
    def test_the_duel_bot_loses_nothing(self, match: Match) -> None:
        win_probability, parted = WinProbability(MICRO), 0
        for number in range(40):
            record = match.game(number)
            mine, theirs = review_win_probability(
                record, review(record, solve(MICRO)), win_probability
            )
            assert max(decision.loss for decision in mine) == 0
            assert all((decision.loss > 0) == decision.parted for decision in theirs)
            parted += sum(decision.parted for decision in theirs)
        assert parted > 0

    def test_long_endgames(
        self, match: Match, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Check that a review solves every turn of a long endgame, or loads a saved turn."""
        record = match.game(0)
        reviewed = record, review(record, solve(MICRO))
        expected = review_win_probability(*reviewed, WinProbability(MICRO))
        monkeypatch.setenv("ROLLWISE_CACHE", str(tmp_path))
        monkeypatch.setattr(solver, "SAVED_STATES", 0)
        assert review_win_probability(*reviewed, WinProbability(MICRO)) == expected
        DuelSolver(MICRO).solve(ties=False)
        assert [*tmp_path.rglob("*.duel.*")]
        assert review_win_probability(*reviewed, WinProbability(MICRO)) == expected

    def test_command(self, match: Match, tmp_path: Path) -> None:
        path = tmp_path / "game.txt"
        save_game(match.game(0), path)
        players = json.loads(run("review", str(path), "--chances", "--json", "--quiet")[1])
        assert [len(player["chances"]) for player in players] == [2, 2]
        assert all(decision["exact"] for player in players for decision in player["chances"])
        code, out, _ = run("review", str(path), "--chances", "--quiet")
        assert code == 0
        assert "duel: 0.00% win probability lost from turn 1 on" in out

    def test_near_optimal_values_are_marked(self, match: Match) -> None:
        record = next(game for game in map(match.game, range(40)) if errs_once(game))
        reviews = review(record, solve(MICRO))
        decisions = review_win_probability(record, reviews)[1]
        (row,) = [number for number, decision in enumerate(decisions) if decision.loss]

        def marks() -> tuple[bool, int]:
            """Return whether the total loss is marked, and the number of marks in the row."""
            shown = str(Reviews(game=record, reviews=reviews, chances=[[], decisions]))
            head, _, line = shown.splitlines()[-3:]
            return head.startswith("optimal: ~"), line.count("~")

        assert marks() == (False, 0)
        decisions[1 - row] = replace(decisions[1 - row], exact=False)
        assert marks() == (True, 0)
        decisions[row] = replace(decisions[row], exact=False)
        assert marks() == (True, 2)

    def test_one_player_has_no_win_probability(self) -> None:
        record = play(MICRO, ["Ada"], 1, at_random(1))
        with pytest.raises(InconsistentError, match="win probabilities need a game of two players"):
            review_win_probability(record, review(record, solve(MICRO)))


@pytest.mark.parametrize(
    ("value", "assumes", "shares"),
    [
        (0.25, "win", ("25%", "75%")),
        (0.25, "strategy", ("25%", "75%")),
        (0.25, "points", ("~25%", "~75%")),
        (0.004, "win", ("<1%", ">99%")),
        (0.996, "points", (">99%", "<1%")),
        (1e-9, "win", ("<1%", ">99%")),
        (0.0, "win", ("0%", "100%")),
        (1 - 2**-53, "win", ("100%", "0%")),
    ],
)
def test_an_undecided_game_is_neither_0_nor_100_percent(
    value: float, assumes: Assumption, shares: tuple[str, str]
) -> None:
    assert WinEstimate(value, assumes).shares() == shares
