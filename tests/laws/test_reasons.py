"""Why an option is the best: what it has more, box by box."""

import json
import re

import pytest

from commands import run
from rollwise import Position, load_rules, solve
from rollwise.reviews.reasons import Reasons

CRAG = load_rules("crag")


@pytest.fixture(scope="module")
def reasons() -> Reasons:
    reasons = Reasons(solve(CRAG))
    options = reasons.solution.options("336")
    assert not any(reasons.of(options.position, options))  # they were not prepared
    reasons.prepare()
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
    other.prepare()
    options = other.solution.options("336")
    assert not any(other.of(options.position, options))


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
