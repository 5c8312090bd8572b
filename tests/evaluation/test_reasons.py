"""Test the reasons for the best option: its gains in each category."""

import json
import re
from pathlib import Path

import pytest

from commands import run
from games_with_layers import small_maxi
from rollwise import Position, load_rules, solve
from rollwise.evaluation.breakdown import breakdown_of
from rollwise.game.game import Game
from rollwise.model.arrays import build
from rollwise.reviews.reasons import Reasons
from rollwise.reviews.review import review
from rollwise.solving import values
from rollwise.solving.solver import Solver
from rollwise.solving.storage.layers import bytes_of
from rollwise.solving.values import layers_of

CRAG = load_rules("crag")


@pytest.fixture(scope="module")
def reasons() -> Reasons:
    reasons = Reasons(solve(CRAG))
    options = reasons.solution.options("336")
    assert not any(reasons.of(options.position, options))  # not prepared yet
    reasons.prepare()
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
    other.prepare()
    assert not any(other.of(options.position, options))


def test_games_that_do_not_fit_in_memory_have_no_reasons(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    game = small_maxi(4)
    whole = sum(map(bytes_of, layers_of(build(game)).shapes))
    monkeypatch.setattr(values, "SMALL", whole - 1)
    monkeypatch.setenv("ROLLWISE_CACHE", str(tmp_path))
    solution = Solver(game).solve_by_card(on_disk=True)
    assert not solution.is_whole
    assert breakdown_of(solution) is None
    (player_review,) = review(Game.parse("112346 sixes", game), solution)
    assert player_review.decisions[0].reasons == ()


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
