"""The command ``decide``: its output, its files, and its messages."""

import json
import shutil
from fractions import Fraction
from pathlib import Path

import pytest

from commands import run
from repository import ROOT

EXAMPLES = ROOT / "examples" / "decisions"
OIL, PLANT, BET = (str(EXAMPLES / f"{name}.toml") for name in ("oil", "plant", "bet"))
VARY = ("--vary", "fee.payoffs.yes", "--from", "-30", "--to", "0")


def test_json_has_the_numbers_of_the_text() -> None:
    code, out, err = run("decide", OIL, "--json", "--exact", *VARY)
    assert (code, err) == (0, "")
    data = json.loads(out)
    assert data["expected_payoff"] == data["certainty_equivalent"] == "45/2"
    mean = sum(
        Fraction(row["payoff"]) * Fraction(row["probability"]) for row in data["risk_profile"]
    )
    assert mean == Fraction(45, 2)
    (first, *_) = data["choices"]
    assert first == {
        "decision": "test",
        "known": {},
        "probability": "1",
        "values": {"yes": "45/2", "no": "20"},
        "best": ["yes"],
    }
    assert data["information"][0] == {"names": ["oil"], "before": "test", "value": "65/2"}
    (threshold,) = data["sensitivity"]["thresholds"]
    assert (threshold["number"], threshold["is_exact"]) == ("-25/2", True)
    text = run("decide", OIL, *VARY)[1]
    for shown in ("22.5 thousand", "-40.4878", "0.41", "32.5", "-12.5"):
        assert shown in text


def test_best_options_that_are_tied() -> None:
    out = run("decide", PLANT)[1]
    assert "weak           0.25  delay, weak or drop     10  make, weak: -34" in out


def test_no_threshold() -> None:
    out = run("decide", BET, "--vary", "payoffs.lose", "--from", "-9", "--to", "-4")[1]
    assert out.endswith("The optimal policy stays the same.\n")


def test_a_utility_shows_certainty_equivalents() -> None:
    out = run("decide", str(EXAMPLES / "holiday.toml"))[1]
    assert "certainty equivalent  575.3141 euros" in out
    assert "certainty equivalent" not in run("decide", OIL)[1]


@pytest.mark.parametrize("suffix", [".svg", ".dot", ".png"])
def test_pictures(tmp_path: Path, suffix: str) -> None:
    diagram, plot = tmp_path / f"oil{suffix}", tmp_path / "fee.svg"
    code, _, err = run("decide", OIL, *VARY, "--diagram", str(diagram), "--plot", str(plot))
    assert (code, err) == (0, f"wrote {diagram}\nwrote {plot}\n")
    assert diagram.stat().st_size > 500
    assert "test: yes" not in plot.read_text("utf-8")  # the options of the only first decision
    assert run("decide", OIL, "--diagram", str(diagram), "-q")[2] == ""


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--vary", "oil"), "--vary, --from, and --to belong together."),
        (("--from", "1"), "--vary, --from, and --to belong together."),
        (("--plot", "x.svg"), "--plot needs a number to vary. Add --vary"),
        ((*VARY[:3], "low", *VARY[4:]), "'low' is not a number; use a number such as 2, 0.5, or"),
        (("--vary", "fees", "--from", "0", "--to", "1"), "the file has no number 'fees'."),
        (("--information", "gas"), "'gas' is not a chance node"),
        (("--information", "report"), "'report' depends on the decision 'test', so it cannot"),
        (("--diagram", "x.pdf"), "cannot draw to 'x.pdf'; use a name that ends in .svg, .png"),
        (("--diagram", "none/x.svg"), "The folder of none/x.svg does not exist."),
    ],
)
def test_messages(options: tuple[str, ...], message: str) -> None:
    code, out, err = run("decide", OIL, *options)
    assert (code, out) == (2, "")
    assert message in err


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.toml"):
        code, _, err = run("decide", str(path))
        assert code == 2
        assert str(path) in err
    (latin := tmp_path / "latin.toml").write_bytes("title = 'Öl'".encode("latin-1"))
    assert "not UTF-8 text; save the file as UTF-8" in run("decide", str(latin))[2]


def test_a_mistake_has_its_line(tmp_path: Path) -> None:
    shutil.copy(OIL, path := tmp_path / "oil.toml")
    path.write_text(path.read_text("utf-8").replace("dry = 0.5", "dry = 0.4"), "utf-8")
    code, _, err = run("decide", str(path))
    assert code == 2
    assert "line 7, nodes.oil.probabilities: the probabilities of this row must sum to 1" in err
