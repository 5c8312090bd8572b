"""Test the reasons for the best option: its gains in each category."""

import json
import re
from pathlib import Path

import pytest

from commands import run
from games_with_layers import small_maxi
from rollwise import Position, Score, load_rules, solve
from rollwise.evaluation import breakdown
from rollwise.evaluation.breakdown import TURN_IN, TurnGains, breakdown_of
from rollwise.game.records.as_text import parse_record
from rollwise.model.arrays import build
from rollwise.reviews.grades import because
from rollwise.reviews.reasons import Reasons
from rollwise.reviews.review import review
from rollwise.solving import values
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.solver import Solver
from rollwise.solving.storage.chunks import bytes_of
from rollwise.solving.values import shapes_of

CRAG = load_rules("crag")


@pytest.fixture(scope="module")
def reasons() -> Reasons:
    reasons = Reasons(solve(CRAG))
    options = reasons.solution.options("336")
    assert not any(reasons.of(options.position, options))  # not prepared yet
    reasons.prepare(options.position)
    return reasons


def test_reasons_add_up_to_the_losses(reasons: Reasons) -> None:
    options = reasons.solution.options(Position(CRAG, "336 | card sixes=12"))
    for option, gains in zip(options, reasons.of(options.position, options), strict=True):
        assert sum(gain for _, gain in gains) == pytest.approx(option.loss, abs=1e-9)


def test_sentences_about_the_next_options(reasons: Reasons) -> None:
    options = reasons.solution.options("336")
    first, second, *_ = reasons.sentences(options.position, options)
    for sentence, option in zip((first, second), options[1:], strict=False):
        assert sentence.startswith("keep 6 rather than keep ")
        numbers = re.findall(r"[+−]\d+\.\d\d", sentence.partition(": ")[2])
        total = sum(float(number.replace("−", "-")) for number in numbers)
        assert total == pytest.approx(option.loss, abs=0.02)  # numbers have two decimals


def test_other_objectives_have_no_reasons() -> None:
    other = Reasons(solve(CRAG, "worst-case"))
    options = other.solution.options("336")
    other.prepare(options.position)
    assert not any(other.of(options.position, options))


class TestLargeGames:
    """Tests of breakdowns of the turn or the rest of the game, without a table of all parts."""

    GAME = small_maxi(4)
    LATE = "666123 | card ones=2,three-of-a-kind=0,saved=3"

    @pytest.fixture
    def kept(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> CardSolution:
        """Return a solution that is stored in layers although its remaining games are small."""
        whole = sum(map(bytes_of, shapes_of(build(self.GAME))))
        monkeypatch.setattr(values, "SMALL", whole - 1)
        solution = Solver(self.GAME, store=tmp_path).solve()
        assert not solution.is_whole
        return solution

    @pytest.fixture
    def turn_alone(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(breakdown, "MAX_LEFT", 0)

    def test_parts_of_the_remaining_game_equal_the_whole_game(
        self, kept: CardSolution, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        reasons, whole = Reasons(kept), Reasons(solve(self.GAME, cache=False))
        options = kept.options(self.LATE)
        whole.prepare(options.position)
        assert not any(reasons.of(options.position, options))  # not prepared yet
        reasons.prepare(options.position)
        both = (source.of(options.position, options) for source in (reasons, whole))
        for gains, expected in zip(*both, strict=True):
            assert dict(gains) == pytest.approx(dict(expected), abs=1e-9)
        later = Position(self.GAME, "111123 | card ones=2,sixes=0,three-of-a-kind=0,saved=3")
        other = Position(self.GAME, "111123 | card ones=2,saved=2")
        assert reasons.are_prepared(later)  # it follows the prepared position
        assert not reasons.are_prepared(other)
        monkeypatch.setattr(breakdown, "KNOWN", 1)
        last = Position(self.GAME, "111123 | card sixes=0,small-straight=0,saved=3")
        reasons.prepare(last)
        assert reasons.are_prepared(last)
        assert not reasons.are_prepared(later)  # evicted, because memory is limited

    @pytest.mark.usefixtures("turn_alone")
    def test_a_turn_adds_up_to_the_losses(self, kept: CardSolution) -> None:
        reasons = Reasons(kept)
        for line in ("112346", self.LATE):
            options = kept.options(line)
            reasons.prepare(options.position)
            gains_of_options = reasons.of(options.position, options)
            for option, gains in zip(options, gains_of_options, strict=True):
                assert sum(gain for _, gain in gains) == pytest.approx(option.loss, abs=1e-9)

    def test_a_final_roll_gains_only_in_its_category(self, kept: CardSolution) -> None:
        position = Position(self.GAME, "dice 666666 | rolls-left 0 | card -")
        options = kept.options(position)
        gains_of_options = TurnGains(kept).at(position, [option.action for option in options])
        for option, gains in zip(options, gains_of_options, strict=True):
            assert isinstance(option.action, Score)
            in_category = TURN_IN + self.GAME.keys[option.action.category]
            assert gains.pop(in_category) == pytest.approx(option.value - kept.value(), abs=1e-9)
            assert not any(gains.values())

    @pytest.mark.usefixtures("turn_alone")
    def test_in_a_review(self, kept: CardSolution) -> None:
        (player_review,) = review(parse_record("112346 sixes", self.GAME), kept, breakdown_of(kept))
        (decision,) = player_review.decisions
        assert because(self.GAME, decision.reasons).startswith("a turn in ")


class TestAdvise:
    """Tests of the option ``--explain`` of ``advise``."""

    SMALL = ("advise", "4", "--rules", "micro-yahtzee")

    def test_as_text(self) -> None:
        code, out, _ = run(*self.SMALL, "--explain")
        assert code == 0
        assert "score double rather than score square: Double +" in out
        assert "rather than" not in run(*self.SMALL)[1]

    def test_as_data(self) -> None:
        best, other = json.loads(run(*self.SMALL, "--explain", "--json")[1])["options"]
        assert best["reasons"] == {}
        assert sum(other["reasons"].values()) == pytest.approx(other["loss"])

    @pytest.mark.parametrize("beside", [("--objective", "target:9"), ("--file", "x.txt")])
    def test_needs_one_position_and_the_expected_score(self, beside: tuple[str, str]) -> None:
        dice = () if "--file" in beside else ("4",)
        code, _, err = run("advise", *dice, "--rules", "micro-yahtzee", "--explain", *beside)
        assert code == 2
        assert "Leave out --explain" in err
