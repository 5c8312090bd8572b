"""Test the output of the option ``--objective`` and of ``rollwise frontier``."""

from pathlib import Path

import pytest

from commands import data_of, printed

SIX_FILLED = "ones=3,twos=6,sixes=18,full-house=25,large-straight=40,yahtzee=0"
SMALL = ("--rules", "micro-yahtzee")


TARGET = ("advise", "33345", "--card", SIX_FILLED, "--objective")


class TestAdvice:
    def test_a_target_with_the_expected_score_beside_it(self) -> None:
        out = printed(*TARGET, "target:250")
        assert "Best: keep 333, probability of 250 or more 37.3363%" in out
        options = data_of(*TARGET, "target:250")["options"]
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
        assert meaning in printed(*TARGET, goal, "--top", "3")

    def test_the_expected_score_decides_after_a_target_is_reached(self) -> None:
        card = "sixes=30,fives=25,fours=20,full-house=25,large-straight=40,yahtzee=50"
        position = ("advise", "66661", "--card", card)
        target = data_of(*position, "--objective", "target:150")["options"][0]
        points = data_of(*position)["options"][0]
        assert target["value"] == pytest.approx(1)
        assert target["action"] == points["action"]
        assert target["expected"] == pytest.approx(points["value"], abs=1e-6)

    def test_ties_of_an_objective_are_ordered_by_the_expected_score(self) -> None:
        options = data_of("advise", "11366", "--objective", "worst-case")["options"]
        best = [option["expected"] for option in options if option["best"]]
        assert len(best) > 1
        assert best == sorted(best, reverse=True)
        assert options[0]["action"] == "keep 66"


def test_a_utility_with_one_step_is_a_target(tmp_path: Path) -> None:
    (step := tmp_path / "step.csv").write_text("score,value\n19,0\n20,1\n")
    utility = data_of("solve", *SMALL, "--objective", f"utility:{step}")["value"]
    assert utility == data_of("solve", *SMALL, "--objective", "target:20")["value"]


class TestFrontier:
    def test_targets_json(self) -> None:
        rows = data_of("frontier", "targets", *SMALL)["targets"]
        assert [row["target"] for row in rows] == list(range(1, 49))
        assert list(rows[0]) == ["target", "best", "expected_play"]
        assert rows[5]["best"] == pytest.approx(35 / 36)
        assert rows[5]["expected_play"] == pytest.approx(34 / 36)

    def test_chosen_targets(self) -> None:
        rows = data_of("frontier", "targets", *SMALL, "--at", "6,48,50")["targets"]
        assert [row["target"] for row in rows] == [6, 48, 50]
        assert rows[2]["best"] == 0

    def test_pictures(self, tmp_path: Path) -> None:
        for part in ("targets", "variance"):
            printed("frontier", part, *SMALL, "--plot", str(tmp_path))
            assert (tmp_path / f"micro-yahtzee-{part}.svg").stat().st_size > 1000

    def test_variance_grows_with_the_mean(self) -> None:
        points = data_of("frontier", "variance", *SMALL)["frontier"]
        means, sds = ([point[part] for point in points] for part in ("mean", "sd"))
        assert means == pytest.approx(sorted(means), abs=1e-12)
        assert sds == pytest.approx(sorted(sds), abs=1e-12)
        assert 25.9 < means[-1] <= 25.944444445

    def test_restart(self) -> None:
        result = data_of("frontier", "restart", "48", *SMALL)
        assert result["giving_up"]["turns"] == pytest.approx(42)
        assert result["never"]["turns"] == pytest.approx(72)


def test_report_of_optimal_play_for_a_target() -> None:
    report = data_of("report", *SMALL, "--objective", "target:20")
    reached = sum(p for score, p in report["distribution"] if score >= 20)
    assert reached == pytest.approx(25 / 36)
    assert report["alike"] is None
