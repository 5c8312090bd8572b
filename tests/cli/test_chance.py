"""The command ``chance``, run as a part of some application."""

import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from rollwise.cli import app
from rollwise.prospects import analyse_turn, profile_turn


def run(*words: str) -> str:
    result = CliRunner().invoke(app, ["chance", *words])
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    return result.stdout


def read(*words: str) -> dict[str, Any]:
    answer = json.loads(run(*words, "--json"))
    assert isinstance(answer, dict)
    return answer


def test_profile() -> None:
    assert run("00001").startswith(
        "Chance of 00001 in 3 rolls of 5 dice with 6 faces: 0.04602864\n"
    )
    assert "347897/7558272" in run("00001", "--exact")
    assert "63/64" in run("11", "--faces", "2", "--dice", "3", "--rolls", "3", "--exact")


def test_full_house_prints_where_best_keeps_differ() -> None:
    rows = {line.split()[0]: line for line in run("011", "--rolls", "4").splitlines() if line}
    assert rows["31"].split()[-3:] == ["11", "01", "01"]
    assert rows["201"].split()[-3:] == ["11", "101", "101"]
    assert rows["12"].split()[-3:] == ["02", "02", "02"]


def test_what_is_not_certain_does_not_look_certain() -> None:
    assert ": >0.9999999\n" in run("4x6+", "--rolls", "200")
    assert ": 1\n" in run("1", "--dice", "1")


def test_json_has_all_of_the_solution() -> None:
    answer = read("00001", "--exact")
    analysis = analyse_turn(profile_turn("00001"))
    assert Fraction(answer["chance"]) == analysis.value
    assert {row["roll"] for row in answer["states"]} == set(analysis.turn.states)
    for row in answer["states"]:
        for left, payoff in zip((2, 1, 0), row["payoffs"], strict=True):
            assert Fraction(payoff) == analysis.payoffs(left)[row["roll"]]
        assert row["best"] == [list(analysis.moves(left)[row["roll"]]) for left in (2, 1)]
    assert sum(Fraction(row["first"]) for row in answer["states"]) == 1


def test_json_without_fractions_is_numbers() -> None:
    answer = read("large-straight", "--rolls", "2")
    assert isinstance(answer["chance"], float)
    assert len(answer["states"]) == 252


def test_hand() -> None:
    answer = read("large-straight", "--hand", "6 6 5 2 1", "--rolls-left", "2")
    keeps = {row["keep"]: row for row in answer["keeps"]}
    assert len(keeps) == 2 * 2 * 2 * 3, "all keeps of one 1, 2 and 5 and two 6"
    assert [row["keep"] for row in answer["keeps"] if row["best"]] == ["keep 25"]
    assert f"{keeps['keep 256']['chance']:.5f}" == "0.16358"
    chances = [row["chance"] for row in answer["keeps"]]
    assert chances == sorted(chances, reverse=True)
    assert "with 2 rolls left; best: keep 25" in run("large-straight", "--hand", "12566")
    assert "with 1 roll left; best: keep 256\n" in run(
        "large-straight", "--hand", "12566", "--rolls-left", "1", "--compare", "256", "-"
    )


@pytest.mark.parametrize(
    "words",
    [
        ["--compare", "keep -", "keep 1"],
        ["--compare", "keep -", "--compare", "keep 1"],
        ["--compare", "-", "1", "--hand", "12345"],
    ],
)
def test_the_question(words: list[str]) -> None:
    assert "equally good: keep -, keep 1" in run("00001", *words)
    answer = read("00001", *words, "--exact")
    assert [row["best"] for row in answer["keeps"]] == [True, True]
    assert {Fraction(row["chance"]) for row in answer["keeps"]} == {Fraction(221, 17496)}


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["0001"], "the profile '0001' shows 4 dice; expected 5"),
        (["5", "--faces", "4"], "the profile '5' shows 5 different faces; expected at most 4"),
        (["00001", "--faces", "0"], "faces: got 0, expected a whole number from 1 to 1,000"),
        (["foo"], "'foo' is no target; expected a profile such as 201"),
        (["large-straight", "--faces", "4"], "never show 'large-straight'; expected a target"),
        (["00001", "--hand", "1122"], "the hand '1122' shows 4 dice; expected 5"),
        (["00001", "--hand", "11227"], "a die shows 7; expected a face from 1 to 6"),
        (
            ["00001", "--hand", "11223", "--compare", "44"],
            "the keep '44' is not in the hand '11223'; expected some of its dice",
        ),
        (["00001", "--compare", "keep 123456"], "'keep 123456' shows 6 dice; expected at most 5"),
        (["00001", "keep 1"], "unexpected 'keep 1'; expected --compare before keeps"),
        (["00001", "--rolls-left", "1"], "--rolls-left alone; expected --hand"),
        (["00001", "--hand", "11223", "--rolls-left", "4"], "rolls left: got 4, expected a whole"),
        (["00001", "--diagram", "x.pdf"], "'x.pdf' is no picture file; expected an ending"),
        (["large-straight", "--diagram", "x.dot"], "nodes; expected at most 200"),
    ],
)
def test_bad_input_is_one_sentence(words: list[str], sentence: str) -> None:
    result = CliRunner().invoke(app, ["chance", *words])
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1
    assert sentence in result.stderr


def test_diagram(tmp_path: Path) -> None:
    path = tmp_path / "coins.dot"
    run("11", "--faces", "2", "--dice", "3", "--diagram", str(path))
    assert r'"state 001" [label="001\n3/4"]' in path.read_text(encoding="utf-8")
    run("11", "--faces", "2", "--dice", "3", "--diagram", str(path), "--rolls-left", "2")
    assert r'"state 001" [label="001\n15/16"]' in path.read_text(encoding="utf-8")
    nowhere = str(path / "b.dot")
    missing = CliRunner().invoke(app, ["chance", "00001", "--diagram", nowhere])
    assert missing.exit_code == 2
    assert missing.stderr == f"error: {nowhere}: File exists\n"


def test_help_needs_no_heavy_import() -> None:
    program = (
        "import sys, rollwise.cli.chance; "
        "sys.exit(any(m in sys.modules for m in ('numpy', 'rollwise.prospects')))"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_help_opens_with_examples() -> None:
    text = run("--help")
    assert "Examples" in text
    assert text.index("rollwise chance 00001") < text.index("--faces")
