"""Test the output and errors of the option ``--objective`` and of ``rollwise frontier``."""

import json
import re
from pathlib import Path

import pytest

from commands import run

SIX_FILLED = "ones=3,twos=6,sixes=18,full-house=25,large-straight=40,yahtzee=0"
SMALL = ("--rules", "micro-yahtzee")


class TestAdvice:
    def test_a_target_with_the_expected_score_beside_it(self) -> None:
        code, out, _ = run("advise", "33345", "--card", SIX_FILLED, "--objective", "target:250")
        assert code == 0
        assert "Best: keep 333, probability of 250 or more 37.3363%" in out
        assert re.search(r"^option +probability +EV +loss$", out, re.MULTILINE)

    def test_json(self) -> None:
        command = ("advise", "33345", "--card", SIX_FILLED, "--objective", "target:250", "--json")
        code, out, _ = run(*command)
        options = json.loads(out)["options"]
        assert code == 0
        assert options[0]["action"] == "keep 333"
        assert options[0]["value"] == pytest.approx(0.373363, abs=5e-7)
        assert all(0 <= option["value"] <= 1 for option in options)
        assert all(92 <= option["expected"] <= 1575 for option in options)

    @pytest.mark.parametrize(
        ("goal", "meaning"),
        [
            ("worst-case", "guaranteed score 117.00"),
            ("beat:250", "probability of winning 36.6915%"),
            ("beat:2*optimal+250", "probability of winning"),
            ("exponential:-0.02", "certainty equivalent 226.86"),
            ("least-variance", " squared points"),
            ("mean-variance:0.005", "mean minus 0.005 times the variance 230.929"),
        ],
    )
    def test_other_objectives(self, goal: str, meaning: str) -> None:
        code, out, _ = run(
            "advise", "33345", "--card", SIX_FILLED, "--objective", goal, "--top", "3"
        )
        assert code == 0
        assert meaning in out

    def test_the_expected_score_decides_after_a_target_is_reached(self) -> None:
        card = "sixes=30,fives=25,fours=20,full-house=25,large-straight=40,yahtzee=50"
        position = ("66661", "--card", card)
        _, reached, _ = run("advise", *position, "--objective", "target:150", "--json")
        _, points, _ = run("advise", *position, "--json")
        target_option, points_option = (
            json.loads(reached)["options"][0],
            json.loads(points)["options"][0],
        )
        assert target_option["value"] == pytest.approx(1)
        assert target_option["action"] == points_option["action"]
        assert target_option["expected"] == pytest.approx(points_option["value"], abs=1e-6)


class TestUtilityFiles:
    def test_a_step_is_a_target(self, tmp_path: Path) -> None:
        step = tmp_path / "step.csv"
        step.write_text("score,value\n19,0\n20,1\n")
        _, out, _ = run("solve", *SMALL, "--objective", f"utility:{step}", "--json")
        _, target, _ = run("solve", *SMALL, "--objective", "target:20", "--json")
        assert json.loads(out)["value"] == json.loads(target)["value"]

    @pytest.mark.parametrize(
        ("content", "complaint"),
        [
            ("", "is empty; write a score and its value"),
            ("0,0\n2,1\n", "line 2: the scores must be consecutive; expected 1, got 2"),
            ("0,0\n1,nan\n", "line 2: expected a value between -1e15 and 1e15, got nan"),
            ("0,0\n1,much\n", "line 2: expected a score and its value"),
            ("0,0\n1\n", "line 2: expected a score and its value"),
            ("0,0\n0.5,1\n", "line 2: expected a whole number from 0 to 1000000, got 0.5"),
            ("-1,0\n", "line 1: expected a whole number from 0 to 1000000, got -1"),
        ],
    )
    def test_invalid_content(self, tmp_path: Path, content: str, complaint: str) -> None:
        file = tmp_path / "utility.csv"
        file.write_text(content)
        code, out, err = run("solve", *SMALL, "--objective", f"utility:{file}")
        assert (code, out) == (2, "")
        assert complaint in err

    def test_binary_and_missing_files(self, tmp_path: Path) -> None:
        file = tmp_path / "utility.csv"
        code, _, err = run("solve", *SMALL, "--objective", f"utility:{file}")
        assert code == 2
        assert "no such file or folder. Check the path." in err
        file.write_bytes(b"\xff\xfe\x00")
        code, _, err = run("solve", *SMALL, "--objective", f"utility:{file}")
        assert code == 2
        assert "is not a CSV file" in err


@pytest.mark.parametrize(
    ("goal", "complaint"),
    [
        ("target:1576", "target:1576 is impossible, because the highest score of yahtzee is 1575"),
        ("target:0", "expected a score from 1 to 999999999, got '0'"),
        ("target:many", "expected a score from 1 to 999999999, got 'many'"),
        ("exponential:1", "use a risk between -0.381 and 0.381"),
        ("exponential:0", "must be a finite number other than 0"),
        ("exponential:nan", "expected a risk as a number, got 'nan'"),
        ("exponential:1e-320", "to ignore risk, use the objective expected"),
        ("mean-variance:-1", "the aversion to variance must be from 1e-15 to 1e+15, not -1"),
        ("mean-variance:1e-20", "if only the mean or only the variance counts, use expected"),
        ("mean-variance:1e308", "if only the mean or only the variance counts, use expected"),
        ("beat:", "expected opponents such as 250"),
        ("beat:0*optimal", "expected a number of opponents from 1"),
        ("beat:nobody", "no strategy 'nobody'"),
        ("fame", "unknown objective 'fame'. Use one of expected"),
    ],
)
def test_invalid_objectives(goal: str, complaint: str) -> None:
    code, out, err = run("solve", "--objective", goal)
    assert (code, out) == (2, "")
    assert complaint in err


class TestFrontier:
    def test_targets_json(self) -> None:
        code, out, _ = run("frontier", "targets", *SMALL, "--json")
        rows = json.loads(out)["targets"]
        assert code == 0
        assert [row["target"] for row in rows] == list(range(1, 49))
        assert list(rows[0]) == ["target", "best", "expected_play"]
        assert rows[5]["best"] == pytest.approx(35 / 36)
        assert rows[5]["expected_play"] == pytest.approx(34 / 36)

    def test_chosen_targets(self) -> None:
        _, out, _ = run("frontier", "targets", *SMALL, "--at", "6,48,50", "--json")
        rows = json.loads(out)["targets"]
        assert [row["target"] for row in rows] == [6, 48, 50]
        assert rows[2]["best"] == 0

    def test_pictures(self, tmp_path: Path) -> None:
        for part in ("targets", "variance"):
            assert run("frontier", part, *SMALL, "--plot", str(tmp_path))[0] == 0
            assert (tmp_path / f"micro-yahtzee-{part}.svg").stat().st_size > 1000

    def test_variance_grows_with_the_mean(self) -> None:
        _, out, _ = run("frontier", "variance", *SMALL, "--json")
        points = json.loads(out)["frontier"]
        means, sds = ([point[part] for point in points] for part in ("mean", "sd"))
        assert means == pytest.approx(sorted(means), abs=1e-12)
        assert sds == pytest.approx(sorted(sds), abs=1e-12)
        assert 25.9 < means[-1] <= 25.944444445

    def test_restart(self) -> None:
        code, out, _ = run("frontier", "restart", "48", *SMALL, "--json")
        result = json.loads(out)
        assert code == 0
        assert result["giving_up"]["turns"] == pytest.approx(42)
        assert result["never"]["turns"] == pytest.approx(72)

    def test_the_size_is_printed_before_restarting_is_solved(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("ROLLWISE_CACHE", str(tmp_path))
        _, out, err = run("frontier", "restart", "48", *SMALL)
        # Only the empty scorecard and two with one open category can still lead to 48 points.
        assert err == "about 6 rounds with at most 3 states and scores each\n"
        assert "turns" in out
        assert run("frontier", "restart", "48", *SMALL)[1:] == (out, "")  # from the cache

    def test_a_score_out_of_reach(self) -> None:
        code, _, err = run("frontier", "restart", "49", *SMALL)
        assert code == 2
        assert "the score must be from 1 to 48, not 49" in err


def test_report_of_optimal_play_for_a_target() -> None:
    code, out, _ = run("report", *SMALL, "--objective", "target:20", "--json")
    report = json.loads(out)
    assert code == 0
    reached = sum(p for score, p in report["distribution"] if score >= 20)
    assert reached == pytest.approx(25 / 36)
    assert report["alike"] is None
