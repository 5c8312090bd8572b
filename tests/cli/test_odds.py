"""Test the output of ``rollwise odds``."""

import json
import re
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import commands
from command_screens import shown as shown_on_screen
from rollwise.cli import show
from rollwise.decision_analysis import Profiles, Turn
from rollwise.questions.odds import odds

SIZES = "3 rolls of 5 dice with 6 faces"


def run(*words: str) -> str:
    code, out, err = commands.run("odds", *words)
    assert (code, err) == (0, "")
    return out


def read(*words: str) -> Any:
    return json.loads(run(*words, "--json"))


def test_profile() -> None:
    assert run("00001").startswith(
        "Probability of 00001 in 3 rolls of 5 dice with 6 faces: 0.04602864\n"
    )
    assert "347897/7558272" in run("00001", "--exact")
    assert "63/64" in run("11", "--faces", "2", "--dice", "3", "--rolls", "3", "--exact")


def test_best_dice_to_keep_depend_on_the_roll_number() -> None:
    rows = {line.split()[0]: line for line in run("011", "--rolls", "4").splitlines() if line}
    assert rows["31"].split()[-3:] == ["11", "01", "01"]
    assert rows["201"].split()[-3:] == ["11", "101", "101"]
    assert rows["12"].split()[-3:] == ["02", "02", "02"]


def test_a_probability_below_1_is_not_printed_as_1() -> None:
    assert ": >0.9999999\n" in run("4x6+", "--rolls", "200")
    assert ": 1\n" in run("1", "--dice", "1")


def test_json_has_the_complete_solution() -> None:
    data = read("00001", "--exact")
    turn = Turn(Profiles(), {"00001": 1})
    assert Fraction(data["chance"]) == turn.value
    assert {row["roll"] for row in data["states"]} == set(turn.states)
    for row in data["states"]:
        for left, payoff in zip((2, 1, 0), row["payoffs"], strict=True):
            assert Fraction(payoff) == turn.payoffs(left)[row["roll"]]
        assert row["best"] == [list(turn.moves(left)[row["roll"]]) for left in (2, 1)]
    assert sum(Fraction(row["first"]) for row in data["states"]) == 1


def test_json_without_fractions_is_numbers() -> None:
    data = read("large-straight", "--rolls", "2")
    assert isinstance(data["chance"], float)
    assert len(data["states"]) == 252


def test_current_dice() -> None:
    data = read("large-straight", "--hand", "6 6 5 2 1", "--rolls-left", "2")
    keeps = {row["keep"]: row for row in data["keeps"]}
    assert len(keeps) == 2 * 2 * 2 * 3, "all keeps of one 1, 2 and 5 and two 6"
    assert [row["keep"] for row in data["keeps"] if row["best"]] == ["keep 25"]
    assert f"{keeps['keep 256']['chance']:.5f}" == "0.16358"
    probabilities = [row["chance"] for row in data["keeps"]]
    assert probabilities == sorted(probabilities, reverse=True)
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
def test_comparison(words: list[str]) -> None:
    assert "equally good: keep -, keep 1" in run("00001", *words)
    data = read("00001", *words, "--exact")
    assert [row["best"] for row in data["keeps"]] == [True, True]
    assert {Fraction(row["chance"]) for row in data["keeps"]} == {Fraction(221, 17496)}


def test_the_sum_of_the_dice() -> None:
    assert run("sum", "--exact").startswith(f"Mean of sum in {SIZES}: 70/3\n")
    data = read("sum", "--exact")
    assert data["mean"] == "70/3"
    assert "chance" not in data
    keeps = read("sum", "--hand", "12345", "--rolls-left", "1", "--compare", "45", "345")
    means = {row["keep"]: row["mean"] for row in keeps["keeps"]}
    assert means == {"keep 45": 19.5, "keep 345": 19}
    words = run("sum", "--hand", "12345", "--rolls-left", "1", "--compare", "45")
    assert words.startswith("Mean of sum from 12345 with 1 roll left; best: keep 45\n")


def test_matrices_are_added_to_the_json_output() -> None:
    plain, more = read("00001"), read("00001", "--matrices")
    matrices = more.pop("matrices")
    assert more == plain
    problem = Turn(Profiles(), {"00001": 1}).decision_problem()
    for keep, probabilities, marks in zip(
        matrices["keeps"], matrices["options"], matrices["available"], strict=True
    ):
        row = {roll: p for roll, p in zip(matrices["rolls"], probabilities, strict=True) if p}
        assert row == {roll: float(p) for roll, p in problem.options[keep].items()}
        offered = [roll for roll, mark in zip(matrices["rolls"], marks, strict=True) if mark]
        assert offered == [s for s in matrices["rolls"] if keep in problem.available[s]]


class TestWidths:
    """Check that no number is cut on terminals of any width, for any number of rolls."""

    @pytest.mark.parametrize("width", [40, 80, 240])
    @pytest.mark.parametrize("rolls", [1, 12, 100])
    def test_every_number_is_printed(
        self, width: int, rolls: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(show, "console", lambda: Console(width=width))
        words = ("011", "--rolls", str(rolls), "--matrices")
        text = run(*words)
        assert max(map(len, text.splitlines())) <= width
        data, printed = read(*words), Counter(text.split())
        numbers = [x for state in data["states"] for x in (state["first"], *state["payoffs"])]
        matrices = (data["matrices"]["options"], data["matrices"]["available"])
        numbers += [x for matrix in matrices for row in matrix for x in row]
        assert Counter(map(shown, numbers)) <= printed

    @pytest.mark.parametrize("rolls", [1, 2, 4, 12])
    def test_every_number_is_in_its_cell(self, rolls: int) -> None:
        main, *matrices = re.split(
            r"\n(?:Options|Available): .*\n", run("011", "--rolls", str(rolls), "--matrices")
        )
        turn, cells = Turn(Profiles(), {"011": 1}, rolls=rolls), table(main.partition("\n\n")[2])
        for roll, p in turn.outcomes("0").items():
            assert cells.pop((roll, "first")) == shown(p)
            for i in range(1, rolls + 1):
                assert cells.pop((roll, f"after {i}")) == shown(turn.payoffs(rolls - i)[roll])
            for i in range(1, rolls):
                keeps = " or ".join(turn.moves(rolls - i)[roll])
                assert cells.pop((roll, f"best after {i}")) == keeps
        assert cells == {}
        data = read("011", "--rolls", str(rolls), "--matrices")["matrices"]
        for part, name in zip(matrices, ("options", "available"), strict=True):
            numbers = zip(data["keeps"], data[name], strict=True)
            assert table(part) == {
                (keep, roll): shown(x)
                for keep, row in numbers
                for roll, x in zip(data["rolls"], row, strict=True)
            }

    def test_a_long_fraction_is_folded(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(show, "console", lambda: Console(width=40))
        # It is the last cell of its row, and continues on the next line.
        lines = run("00001", "--rolls", "9", "--exact").splitlines()
        text = "".join(line.split()[-1] for line in lines if line)
        for row in read("00001", "--rolls", "9", "--exact")["states"]:
            assert row["payoffs"][0] in text

    def test_words_stay_whole(self, monkeypatch: pytest.MonkeyPatch) -> None:
        whole = {*commands.printed("rules", "list").split()}
        for width in range(37, 90):
            monkeypatch.setattr(show, "console", lambda width=width: Console(width=width))
            assert {*commands.printed("rules", "list").split()} == whole

    def test_in_a_terminal(self) -> None:
        words = ("odds", "011", "--rolls", "4")
        text = shown_on_screen(60, 200, *words)
        assert "…" not in text
        assert {word for word in run(*words[1:]).split() if "0." in word} <= {*text.split()}


def table(text: str) -> dict[tuple[str, str], str]:
    """Return the cells of the first table by row name and column heading."""
    heading, *rows = text.strip("\n").partition("\n\n")[0].splitlines()
    names, found = re.split(r" {2,}", heading.strip())[1:], dict[tuple[str, str], str]()
    for row in rows:
        key, *cells = re.split(r" {2,}", row.strip())
        found |= {(key, name): cell for name, cell in zip(names, cells, strict=True)}
    return found


def shown(x: float | Fraction) -> str:
    text = f"{float(x):.7g}"
    return ">0.9999999" if text == "1" and x < 1 else text


class TestSimulation:
    def test_json(self) -> None:
        data = read("00001", "--simulate", "5000", "--seed", "3")
        estimate = odds("00001", simulate=5000, seed=3)
        assert data == {
            "target": "00001", "faces": 6, "dice": 5, "rolls": 3, "games": 5000, "seed": 3,
            "chance": float(estimate), "standard_error": estimate.standard_error,
            "policy": "the best dice",
        }  # fmt: skip

    def test_text(self) -> None:
        text = run("4-of-a-kind", "--dice", "10", "--faces", "20", "--simulate", "2000")
        pattern = (
            r"Probability of 4-of-a-kind in 3 rolls of 10 dice with 20 faces: "
            r"0\.\d+ with a standard error of 0\.01\n"
            r"In 2,000 simulated turns \(seed 0\), the player keeps the most frequent face until "
            r"the target is reached\.\nOptimal play is at least as good\.\n"
        )
        assert re.fullmatch(pattern, text)
        assert "until" not in run("sum", "--simulate", "50")


def test_diagram(tmp_path: Path) -> None:
    path = tmp_path / "coins.dot"
    for left, chance, options in (
        ("1 roll", "3/4", []),
        ("2 rolls", "15/16", ["--rolls-left", "2"]),
    ):
        run("11", "--faces", "2", "--dice", "3", "--diagram", str(path), "-q", *options)
        text = path.read_text(encoding="utf-8")
        assert rf'"state 001" [label="001\n{chance}"]' in text
        assert f'label="Probability of 11 with {left} left"' in text


@pytest.mark.parametrize(
    ("program", "modules"),
    [
        ("import rollwise.cli", "('numpy', 'rollwise.decision_analysis')"),
        ("import rollwise.questions.odds", "('numpy', 'numba')"),
        ("import rollwise; rollwise.odds('full-house')", "('numpy', 'numba')"),
    ],
)
def test_no_heavy_import(program: str, modules: str) -> None:
    program += f"; import sys; sys.exit(any(m in sys.modules for m in {modules}))"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
