"""The command ``decide``: its output, its files, and its messages."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from commands import run
from repository import ROOT

EXAMPLES = ROOT / "examples" / "decisions"
PLANT, BET = (str(EXAMPLES / f"{name}.toml") for name in ("plant", "bet"))


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
    out = run("decide", PLANT)[1]
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


@pytest.mark.parametrize(
    ("diagram", "message"),
    [
        ("x.pdf", "cannot draw to 'x.pdf'; use a name that ends in .svg, .png"),
        ("none/x.svg", "The folder of none/x.svg does not exist."),
    ],
)
def test_messages(diagram: str, message: str) -> None:
    code, out, err = run("decide", BET, "--diagram", diagram)
    assert (code, out) == (2, "")
    assert message in err


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (latin := tmp_path / "latin.toml").write_bytes("title = 'Öl'".encode("latin-1"))
    for path in (tmp_path, tmp_path / "none.toml", latin):
        code, _, err = run("decide", str(path))
        assert code == 2
        assert str(path) in err
