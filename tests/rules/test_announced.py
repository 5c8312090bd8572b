"""Test games with announcements (najava).

The player announces a category after the first roll and must score it in that turn. Tests in
tests/reference compare the values of random games with exact fractions.
"""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands import run
from games import play
from rollwise import Announce, Score, evaluate, load_rules, simulate, solve
from rollwise.errors import IllegalError, InconsistentError, InputError, MalformedError
from rollwise.game.actions import Action
from rollwise.game.events import Roll
from rollwise.game.game import Game
from rollwise.game.position import Position
from rollwise.game.records.as_text import parse_record
from rollwise.game.records.record import Record, format_record
from rollwise.game.reference_solver import Reference
from rollwise.playing.bot import Bot
from rollwise.playing.match import match as play_match
from rollwise.reviews.hindsight import with_same_dice
from rollwise.reviews.page import steps_of
from rollwise.reviews.reasons import Reasons
from rollwise.reviews.review import review
from rollwise.reviews.win_review import review_win_probability
from rollwise.rules import Rules
from rollwise.rules.loader import load_rule_file
from rollwise.rules.writer import written_out
from rollwise.solving.solution import TIE, Solution
from rollwise.solving.solver import Solver
from rollwise.strategies import Duel, Greedy, Optimal
from rollwise.studies.adversarial_dice import adversarial_game
from rollwise.two_player.win_probability import WinProbability
from small_games import announced
from test_mechanisms import ANY, PAIR, SIXES, UPPER, game
from test_rule_files import mistakes_in

ANNOUNCED = "announced = true\n"
BONUS = "[upper_bonus]\nthreshold = 6\npoints = 10\n"
BOXES = (SIXES + UPPER, PAIR, ANY)
RULES = game(ANNOUNCED + BONUS, *BOXES, dice=2)
YAMB = written_out(load_rule_file("yamb-announced").data)


class TestValue:
    def test_of_one_turn(self) -> None:
        # The player announces the only category, and rerolls one die if the dice are not a pair.
        rules = game(ANNOUNCED, PAIR, dice=2, faces=2)
        free = rules.model_copy(update={"announced": False})
        assert solve(rules, cache=False).value() == solve(free, cache=False).value()

    def test_equals_the_free_game_if_there_is_no_choice(self) -> None:
        for update in ({"order": "card"}, {"rolls": 1}):
            rules = RULES.model_copy(update=update)
            free = rules.model_copy(update={"announced": False})
            assert solve(rules, cache=False).value() == pytest.approx(
                solve(free, cache=False).value(), abs=1e-12
            )

    def test_announcing_lowers_the_value(self) -> None:
        free = RULES.model_copy(update={"announced": False})
        assert solve(RULES, cache=False).value() < solve(free, cache=False).value() - 0.1


class TestOptions:
    @settings(max_examples=15)
    @given(announced())
    def test_equal_the_reference(self, rules: Rules) -> None:
        solution, reference = solve(rules, cache=False, threads=1), Reference(rules)
        full = (1 << len(rules.categories)) - 1
        states = [state for state in reference.states() if state.filled != full]
        for start in states[:2]:
            for dice in rules.every_roll():
                decisions = [(start, rules.rolls - 1)]
                for action in reference.options(start, dice, rules.rolls - 1):
                    assert isinstance(action, Announce)
                    announced_state = replace(start, announced=action.category)
                    decisions += [(announced_state, left) for left in range(rules.rolls)]
                for state, left in decisions:
                    position = Position.of_state(rules, state, 0, dice, left)
                    ours = {o.action: o.value for o in solution.options(position)}
                    theirs = reference.options(state, dice, left)
                    assert ours.keys() == theirs.keys()
                    for action, value in theirs.items():
                        assert abs(ours[action] - float(value)) < 1e-11

    def test_gains_add_up_to_the_ev_loss(self) -> None:
        solution = solve(RULES, cache=False, moments=True)
        reasons = Reasons(solution)
        reasons.prepare()
        for line in ("26", "26 | announced b"):
            options = solution.options(line)
            for option, gains in zip(options, reasons.of(options.position, options), strict=True):
                assert sum(gain for _, gain in gains) == pytest.approx(option.loss, abs=1e-9)

    def test_of_many_positions(self) -> None:
        solution = solve(RULES, cache=False)
        positions = [Position(RULES, line) for line in ("26", "66 | rolls-left 0 | announced c")]
        first, last = solution.options_each(positions)
        assert first == solution.options("26")
        assert [option.action for option in last] == [Score(2)]


class TestPositions:
    @pytest.mark.parametrize(
        "line",
        [
            "dice 26 | rolls-left 1 | card a=6",
            "dice 26 | rolls-left 0 | announced b | card a=6",
            "dice 2 6 | rolls 0 | announced b | upper 6 | filled a",
        ],
    )
    def test_round_trip(self, line: str) -> None:
        assert str(Position(RULES, line)) == line

    def test_unreachable_positions(self) -> None:
        with pytest.raises(InconsistentError, match="a category must already be announced"):
            Position(RULES, "26 | rolls-left 0")
        with pytest.raises(InconsistentError, match="a cannot be announced"):
            Position(RULES, "26 | announced a | card a=6")
        with pytest.raises(MalformedError, match="unknown category"):
            Position(RULES, "26 | announced z")
        with pytest.raises(MalformedError, match="expected a position such as"):
            Position(load_rules("crag"), "336 | announced ones")


def test_the_distribution_and_simulated_games_agree() -> None:
    exact = evaluate("optimal", RULES).distribution
    solution = Solver(RULES, cache=False).solve(moments=True)
    assert exact.mean == pytest.approx(solution.value(), abs=1e-12)
    assert exact.sd == pytest.approx(solution.sd(), abs=1e-9)
    played = simulate("optimal", RULES, 5000, seed=1).distribution
    assert abs(played.mean - exact.mean) < 4 * exact.sd / 5000**0.5


@pytest.mark.parametrize(
    ("head", "mistake"),
    [
        ('announced = "yes"\n', "announced: expected true or false, got 'yes'"),
        (ANNOUNCED + "saves_rolls = true\n", "saves_rolls: cannot be combined with announced"),
        (ANNOUNCED + "extra_rolls = 1\n", "extra_rolls: cannot be combined with announced"),
        (ANNOUNCED + '[joker]\nbox = "a"\npolicy = "free"\n', "joker: cannot be combined with"),
        (
            ANNOUNCED + '[[columns]]\nkey = "x"\ncode = "x"\ntitle = "X"\n',
            "announced: cannot be combined with columns",
        ),
    ],
)
def test_errors(head: str, mistake: str) -> None:
    file = f'name = "a"\ntitle = "A"\ndice = 2\nfaces = 6\nrolls = 2\n{head}'
    text = f'{file}[[categories]]\nkey = "a"\ntitle = "A"\n{PAIR}\n'
    assert [line for line in mistakes_in(text) if line.startswith(mistake)], mistakes_in(text)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the path of a rule file with two categories of the announced column of Yamb."""
    head, *categories = YAMB.split("[[categories]]")
    path = tmp_path_factory.mktemp("rules") / "rules.toml"
    text = "[[categories]]".join([head, *categories[:1], *categories[-1:]])
    path.write_text(text.replace("threshold = 60", "threshold = 3"), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    "line",
    [
        "advise 11366 --explain",
        "advise 11366|announced=ones",
        "advise",
        "report --openings",
        "worst-game --dice adversarial",
        "report --at 20",
        "solve --sd",
        "simulate --games 10",
        "sweep --rolls 2",
        "sweep --vary announced=on,off --find distribution",
        "solve --estimate",
    ],
)
def test_commands_that_support_announcements(line: str, file: str) -> None:
    words = [word.replace("|announced=", " | announced ") for word in line.split()]
    code, out, err = run(*words, "--rules", file)
    assert (code, out != "") == (0, True), err


@pytest.mark.parametrize(
    "line",
    [
        "advise 11366 --objective target:40",
        "duel",
        "duel --estimate",
        "frontier targets",
        "greedy 11366",
        "simulate duel --versus optimal",
        "simulate optimal --versus duel --games 5",
        "compare optimal --games 5",
        "payoff-line",
        "pocket -o game.html",
        "report --strategy greedy",
        "simulate greedy --games 10",
        "solve --objective least-variance",
        "sweep --rolls 2 --find mean",
        "tree",
        "worst-game",
    ],
)
def test_commands_that_reject_announcements(
    line: str, file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = run(*line.split(), "--rules", file)
    assert (code, out) == (2, "")
    assert re.search(
        "announce.*; use optimal|; choose a game without announcements|without announced", err
    )
    assert err.count("\n") == 1


class TestPlayedMoveByMove:
    def test_a_turn_ends_in_the_announced_category(self) -> None:
        game = Game(RULES, events="roll 26; announce b; keep 6")
        assert str(game).endswith(
            "Player, turn 1: ready to roll, keeping 6, b announced, 1 roll left"
        )
        game.push("roll 66")
        assert game.legal_actions() == [Score(1)]
        assert str(game.position) == "dice 66 | rolls-left 0 | announced b | card -"
        game.push("score b")
        assert game.stage.announced is None

    def test_next_kinds_of_events(self) -> None:
        game, kinds = Game(RULES), []
        for event in ("roll 26", "announce b", "keep 6", "roll 66", "score b"):
            kinds.append(game.next_kinds)
            game.push(event)
        assert kinds == [("roll",), ("announce",), ("keep", "score"), ("roll",), ("score",)]

    @pytest.mark.parametrize(
        ("events", "words"),
        [
            ("roll 26; keep 6", "cannot keep now; announce a category next"),
            ("roll 26; score a", "cannot score now; announce a category next"),
            ("roll 26; roll 26", "cannot roll now; announce a category next"),
            ("announce a", "cannot announce now; roll the dice next"),
            (
                "roll 26; announce a; announce b",
                "cannot announce now; keep dice or score a category next",
            ),
            ("roll 26; announce a; score b", "cannot score b now; choose a"),
            ("roll 66; announce b; score b; roll 26; announce b", "cannot announce b now"),
        ],
    )
    def test_illegal_events(self, events: str, words: str) -> None:
        with pytest.raises(IllegalError, match=words):
            Game(RULES, events=events)
        with pytest.raises(
            IllegalError, match="cannot announce now; keep dice or score a category next"
        ):
            Game("crag", events=["roll 336"]).push(Announce(0))

    def test_typed_by_hand(self) -> None:
        written = " 1. 26 announce b; keep 6; 66 score b = "
        for line in ("26 b 6 66 b", "26 announce b keep 6 66 score b", "26 announce b 6 66 b"):
            assert written in format_record(parse_record(f"rules: {RULES.name}\n{line}", RULES))
        unfinished = parse_record(f"rules: {RULES.name}\n26 b", RULES)
        assert unfinished.events[-1] == Announce(1)

    def test_review_has_both_decisions_on_a_roll(self) -> None:
        solution = solve(RULES, cache=False)
        (turn_review,) = review(
            Game(RULES, events="roll 11; announce a; keep 1; roll 12"), solution
        )
        first, second = turn_review.decisions
        assert (first.position.awaits_announcement, second.position.is_just_announced) == (1, 1)
        assert first.after == second.best.value
        assert (first.loss > 0, second.loss > 0) == (True, True)
        assert turn_review.luck == pytest.approx(
            first.luck + second.luck + turn_review.rolls[1].luck
        )
        assert [row[2] != "" for row in turn_review.table()] == [True, False]
        assert len({first.name, second.name}) == 2
        times = [time for time, _ in steps_of(turn_review)]
        assert times == sorted(set(times))


@settings(max_examples=15)
@given(announced(), st.integers(0, 2**31))
def test_optimal_play_has_no_ev_loss(rules: Rules, seed: int) -> None:
    solution = solve(rules, cache=False)
    robot = Bot(Optimal(solution), rules)
    for turn_review in review(play(rules, ["Ada", "Ben"], seed, robot.choose), solution):
        assert (turn_review.is_over, turn_review.loss) == (True, 0.0)
    played = play(rules, ["Ada"], seed, lambda game: best_action(game, solution))
    (turn_review,) = with_same_dice(review(played, solution), Record.of(played), solution)
    assert (turn_review.loss, turn_review.best_with_same_dice) == (0.0, turn_review.score)


@settings(max_examples=15)
@given(announced())
def test_adversarial_dice_minimize_the_value(rules: Rules) -> None:
    reference, game = Reference(rules), Game(rules)
    record = adversarial_game(solve(rules, cache=False))
    for event in record.events:
        if game.awaits_roll:
            state = replace(game.card.state, announced=game.stage.announced)
            left, possible = game.stage.rolls_left - 1, reference.distribution(game.stage.kept)
            worst = min(reference.roll_value(state, dice, left) for dice in possible)
            assert isinstance(event, Roll)
            assert reference.roll_value(state, event.dice, left) - worst <= 2 * TIE
        game.push(event)
    assert game.is_over


def best_action(game: Game, solution: Solution) -> Action:
    assert game.position is not None
    return solution.options(game.position)[0].action


def test_no_win_probabilities_of_two_players() -> None:
    record = Record(RULES, "Ada, Ben", "roll 26; announce b; score b")
    with pytest.raises(InputError, match="announcements for win probabilities"):
        review_win_probability(record, review(record, solve(RULES, cache=False)))
    assert WinProbability(RULES).outlook(record.game()) is None


def test_a_bot_needs_a_strategy_that_announces() -> None:
    with pytest.raises(InputError, match="the strategy greedy cannot announce a category"):
        Bot(Greedy(), RULES)


def test_a_match_needs_strategies_that_announce() -> None:
    solution = solve(RULES, cache=False)
    with pytest.raises(InputError, match="the strategy duel cannot announce a category"):
        play_match(Duel(solution), Optimal(solution), RULES, 1, 0)
