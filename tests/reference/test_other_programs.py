"""Check the values of whole games against programs that were written for a single game."""

import pytest

from rollwise.rules import load_rules
from rollwise.solving.solver import solve


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "value", "within"),
    [
        ("generala", 155.123414936067, 1e-11),
        ("balut", 433.347123663729, 1e-11),
        ("yams", 219.449076477372, 1e-11),
        ("yamb-free", 219.000736500379, 1e-11),
        ("kniffel", 245.870774514111, 1e-11),
        ("kniffel-booklet", 248.3213844125956, 1e-11),
        ("yahtzee-1956", 253.991041412477, 1e-11),
        ("kismet", 314.044757741175, 1e-11),
        ("kismet-alike", 315.179996, 1e-6),
    ],
)
def test_value(name: str, value: float, within: float) -> None:
    assert solve(load_rules(name)).value() == pytest.approx(value, abs=within)
