"""The command ``decide``: its output and its files."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from commands import printed, run
from repository import ROOT

PLANT = str(ROOT / "examples" / "decisions" / "plant.toml")


def test_json_has_the_numbers_of_the_text() -> None:
    code, out, err = run("decide", PLANT, "--json", "--exact")
    assert (code, err) == (0, "")
    data = json.loads(out)
    assert data["expected_payoff"] == data["certainty_equivalent"] == "46"
    mean = sum(
        Fraction(row["payoff"]) * Fraction(row["probability"]) for row in data["risk_profile"]
    )
    assert mean == 46
    assert data["choices"][0] == {
        "stage": "year 1",
        "state": "weak",
        "probability": "1/4",
        "values": {"make, weak": "-34", "delay, weak": "10", "drop": "10"},
        "best": ["delay, weak", "drop"],
    }
    out = printed("decide", PLANT)
    assert "expected payoff       46 million" in out
    assert "weak           0.25  delay, weak or drop     10  make, weak: -34" in out
    assert "certainty equivalent" not in out


@pytest.mark.parametrize("suffix", [".svg", ".dot", ".png"])
def test_pictures(tmp_path: Path, suffix: str) -> None:
    diagram = tmp_path / f"plant{suffix}"
    code, _, err = run("decide", PLANT, "--diagram", str(diagram))
    assert (code, err) == (0, f"wrote {diagram}\n")
    assert diagram.stat().st_size > 500
    assert run("decide", PLANT, "--diagram", str(diagram), "-q")[2] == ""
