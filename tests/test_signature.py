"""Check that results are bit-identical to recorded results, with any number of threads."""

import pytest

from rollwise.rules import load_rules
from signature import game_signature, recorded

QUICK = ("micro-yahtzee",)


@pytest.mark.parametrize(
    "name",
    [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in recorded()],
)
def test_as_recorded(name: str) -> None:
    assert game_signature(load_rules(name)) == recorded()[name]


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_any_number_of_threads(threads: int) -> None:
    assert game_signature(load_rules("micro-yahtzee"), threads) == recorded()["micro-yahtzee"]
