"""Why an option is the best: what it has more, box by box."""

import json
import re
from pathlib import Path

import pytest

from commands import run
from games_with_layers import small_maxi
from rollwise import Position, Score, load_rules, solve
from rollwise.evaluation import breakdown
from rollwise.evaluation.breakdown import TURN_IN, TurnGains, parts_of
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
    assert not any(reasons.of(options.position, options))  # they were not prepared
    reasons.prepare(options.position)
    return reasons


def test_they_add_up_to_the_losses(reasons: Reasons) -> None:
    options = reasons.solution.options(Position(CRAG, "336 | card sixes=12"))
    for option, gains in zip(options, reasons.of(options.position, options), strict=True):
        assert sum(gain for _, gain in gains) == pytest.approx(option.loss, abs=1e-9)


def test_they_are_told_of_the_next_options(reasons: Reasons) -> None:
    options = reasons.solution.options("336")
    first, second, *_ = reasons.sentences(options.position, options)
    for told, option in zip((first, second), options[1:], strict=False):
        assert told.startswith("keep 6, not keep ")
        numbers = re.findall(r"[+−]\d+\.\d\d", told.partition(" because of ")[2])
        total = sum(float(number.replace("−", "-")) for number in numbers)
        assert total == pytest.approx(option.loss, abs=0.02)  # as far as two decimals tell


def test_another_objective_has_none() -> None:
    other = Reasons(solve(CRAG, "worst-case"))
    options = other.solution.options("336")
    other.prepare(options.position)
    assert not any(other.of(options.position, options))


class TestLargeGames:
    """Cards too many for a table of all parts: the turn alone, then what is left of the game."""

    GAME = small_maxi(4)
    LATE = "666123 | card ones=2,three-of-a-kind=0,saved=3"

    @pytest.fixture
    def kept(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> CardSolution:
        """Return the game in layers, as large ones are; what a card leaves of it is small."""
        whole = sum(map(bytes_of, shapes_of(build(self.GAME))))
        monkeypatch.setattr(values, "SMALL", whole - 1)
        solution = Solver(self.GAME, store=tmp_path).solve()
        assert not solution.is_whole
        return solution

    @pytest.fixture
    def turn_alone(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(breakdown, "MAX_LEFT", 0)

    def test_what_is_left_has_the_parts_of_the_whole(
        self, kept: CardSolution, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        reasons, whole = Reasons(kept), Reasons(solve(self.GAME, cache=False))
        options = kept.options(self.LATE)
        whole.prepare(options.position)
        assert not any(reasons.of(options.position, options))  # they were not prepared
        reasons.prepare(options.position)
        both = (one.of(options.position, options) for one in (reasons, whole))
        for gains, known in zip(*both, strict=True):
            assert dict(gains) == pytest.approx(dict(known), abs=1e-9)
        later = Position(self.GAME, "111123 | card ones=2,sixes=0,three-of-a-kind=0,saved=3")
        other = Position(self.GAME, "111123 | card ones=2,saved=2")
        assert reasons.are_prepared(later)  # it comes of what is known
        assert not reasons.are_prepared(other)
        monkeypatch.setattr(breakdown, "KNOWN", 1)
        last = Position(self.GAME, "111123 | card sixes=0,small-straight=0,saved=3")
        reasons.prepare(last)
        assert reasons.are_prepared(last)
        assert not reasons.are_prepared(later)  # memory does not grow with each card asked about

    @pytest.mark.usefixtures("turn_alone")
    def test_a_turn_adds_up_to_the_losses(self, kept: CardSolution) -> None:
        reasons = Reasons(kept)
        for line in ("112346", self.LATE):
            options = kept.options(line)
            reasons.prepare(options.position)
            told = reasons.of(options.position, options)
            for option, gains in zip(options, told, strict=True):
                assert sum(gain for _, gain in gains) == pytest.approx(option.loss, abs=1e-9)

    def test_a_final_roll_gains_in_its_box_alone(self, kept: CardSolution) -> None:
        position = Position(self.GAME, "dice 666666 | rolls-left 0 | card -")
        options = kept.options(position)
        told = TurnGains(kept).at(position, [option.action for option in options])
        for option, gains in zip(options, told, strict=True):
            assert isinstance(option.action, Score)
            in_box = TURN_IN + self.GAME.keys[option.action.category]
            assert gains.pop(in_box) == pytest.approx(option.value - kept.value(), abs=1e-9)
            assert not any(gains.values())

    @pytest.mark.usefixtures("turn_alone")
    def test_in_a_review(self, kept: CardSolution) -> None:
        (one,) = review(parse_record("112346 sixes", self.GAME), kept, parts_of(kept))
        (decision,) = one.decisions
        assert because(self.GAME, decision.reasons).startswith("a turn in ")


class TestAdvise:
    """D20: `advise` says why, not the review alone."""

    SMALL = ("advise", "4", "--rules", "micro-yahtzee")

    def test_in_words(self) -> None:
        code, out, _ = run(*self.SMALL, "--why")
        assert code == 0
        assert "score double, not score square, because of Double +" in out
        assert "because" not in run(*self.SMALL)[1]  # nobody looks on

    def test_as_data(self) -> None:
        best, other = json.loads(run(*self.SMALL, "--why", "--json")[1])["options"]
        assert best["reasons"] == {}
        assert sum(other["reasons"].values()) == pytest.approx(other["loss"])

    @pytest.mark.parametrize("beside", [("--objective", "target:9"), ("--file", "x.txt")])
    def test_of_one_position_for_the_expected_score(self, beside: tuple[str, str]) -> None:
        dice = () if "--file" in beside else ("4",)
        code, _, err = run("advise", *dice, "--rules", "micro-yahtzee", "--why", *beside)
        assert code == 2
        assert err.startswith(f"error: --why with {beside[0]}")
