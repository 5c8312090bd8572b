"""Test commands: text output, JSON output, and help."""

import os
import re
import subprocess
import sys
from bisect import bisect_left
from itertools import accumulate
from pathlib import Path

import pytest

from commands import data_of, error_of, printed, run
from repository import ROOT
from rollwise.cli import front
from rollwise.cli.app import ENTRIES
from rollwise.questions.verify import Verification, verify
from rollwise.rules import preset_names
from test_cli_output import ODD_GAME

COINS = ROOT / "examples" / "decisions" / "coins.toml"


class TestAdvise:
    def test_json(self) -> None:
        data = data_of("advise", "11366", "--card", "ones=3,full-house=25")
        assert list(data) == ["rules", "objective", "position", "options"]
        assert data["rules"] == "yahtzee"
        assert data["objective"] == "expected"
        assert data["position"] == "dice 11366 | rolls-left 2 | card ones=3,full-house=25"
        for option in data["options"]:
            assert list(option) == ["action", "kind", "value", "loss", "best", "expected", "sd"]
            assert re.fullmatch(r"keep (-|[1-6]+)|score [a-z-]+", option["action"])
            assert option["kind"] == option["action"].split()[0]
            assert option["loss"] == pytest.approx(data["options"][0]["value"] - option["value"])
        losses = [option["loss"] for option in data["options"]]
        assert data["options"][0]["best"]
        assert min(losses) == 0
        assert len(losses) == len({option["action"] for option in data["options"]}) == 17 + 11

    def test_points_so_far_count(self) -> None:
        values = [
            data_of("advise", "11366", "--card", card, "--top", "1")["options"][0]["value"]
            for card in ("chance=5", "chance=30")
        ]
        assert values[1] - values[0] == pytest.approx(25)

    def test_upper_bonus_counts_once(self) -> None:
        # One category is open, and the upper section already has its bonus.
        card = "1=3,2=6,3=9,4=12,5=15,6=18,3k=20,4k=0,fh=25,ss=30,ls=40,yahtzee=0"
        best = data_of("advise", "44444", "--card", card, "--rolls-left", "0")["options"][0]
        assert best["action"] == "score chance"
        assert best["value"] == pytest.approx(63 + 35 + 115 + 20)

    def test_position_as_one_line(self) -> None:
        line = data_of("advise", "dice 11366 | rolls-left 1 | card ones=3")
        assert line == data_of("advise", "11366", "--rolls-left", "1", "--card", "ones=3")

    def test_ties_are_all_marked(self) -> None:
        # Only Yahtzee is open and all dice differ, so keeping one die is as good as keeping none.
        card = "1=3,2=6,3=9,4=12,5=15,6=18,3k=20,4k=0,fh=25,ss=30,ls=40,chance=20"
        data = data_of("advise", "12346", "--card", card)
        best = {option["action"] for option in data["options"] if option["best"]}
        assert best == {"keep -", "keep 1", "keep 2", "keep 3", "keep 4", "keep 6"}
        words = printed("advise", "12346", "--card", card, "--top", "1").splitlines()[1]
        assert all(action in words for action in best)
        # Equally good options are in a fixed order: more dice first, then by face.
        pairs = [o["action"] for o in data["options"] if re.fullmatch("keep ..", o["action"])]
        assert pairs == sorted(pairs)


class TestReport:
    def test_json(self) -> None:
        data = data_of("report", "--rules", "yahtzee-plain")
        assert data.keys() >= {"sd", "median", "mode", "quantiles"}
        assert data["mean"] == pytest.approx(245.8707745141, abs=1e-9)
        assert sum(p for _, p in data["distribution"]) == pytest.approx(1, abs=1e-12)
        of_category = {"mean", "sd", "zero", "first_scored", "first_zero"}
        assert set(data["categories"]["ones"]) == of_category
        assert set(data["upper_bonus"]) == {"mean", "sd", "none"}
        assert data["extra_bonus"] is None

    def test_the_printed_quantiles_are_those_of_the_distribution(self) -> None:
        out = printed("report", "--rules", "crag", "-q")
        shares, scores = re.findall(r"^(?:quantile|score) (.*\d.*)$", out, re.MULTILINE)[:2]
        quantiles = dict(zip(shares.split(), map(int, scores.split()), strict=True))
        values, probabilities = zip(
            *data_of("report", "--rules", "crag")["distribution"], strict=True
        )
        cumulative = list(accumulate(probabilities))
        assert len(quantiles) == 9
        for share, quantile in quantiles.items():
            assert quantile == values[bisect_left(cumulative, float(share[:-1]) / 100)], share

    @pytest.mark.parametrize("options", ["", "--at 20", "--openings"])
    def test_statistics_state_the_rule_for_ties(self, options: str) -> None:
        out = " ".join(printed("report", "--rules", "micro-yahtzee", *options.split()).split())
        assert "another choice can change the distribution" in out
        assert "optimal play takes the one that keeps more dice" in out

    @pytest.mark.parametrize(
        "command",
        [
            "compare optimal --games 2",
            "simulate optimal --versus optimal --games 2",
            "simulate --games 2",
            "sweep --rolls 1",
        ],
    )
    def test_other_commands_do_not_state_it(self, command: str) -> None:
        out = printed(*command.split(), "--rules", "micro-yahtzee")
        assert "another choice" not in out

    @pytest.mark.slow
    def test_text_and_pictures(self, tmp_path: Path) -> None:
        out = printed("report", "--strategy", "random-category", "--plot", str(tmp_path))
        assert "GRAND TOTAL" in out
        endings = sorted(path.suffix for path in tmp_path.iterdir())
        assert endings == [".png"] * 3 + [".svg"] * 3

    @pytest.mark.parametrize(
        ("name", "widths"), [("yahtzee", {20}), ("micro-yahtzee", {2}), ("crag", {10})]
    )
    def test_bands_fit_the_game(self, name: str, widths: set[int]) -> None:
        out = printed("report", "--rules", name)
        bands = re.findall(r"^ *(\d+) – (\d+) ", out, flags=re.MULTILINE)
        assert {int(high) - int(low) + 1 for low, high in bands} <= widths
        assert 5 <= len(bands) <= 27

    @pytest.mark.slow
    def test_probabilities_of_scores(self) -> None:
        data = data_of("report", "--rules", "yatzy", "--at", "200,300")["at"]
        assert [row["score"] for row in data] == [200, 300]
        assert data[0]["at_least"] == pytest.approx(0.91209, abs=5e-6)

    def test_titles_are_not_formulas(self, tmp_path: Path) -> None:
        path = tmp_path / "dollar.toml"
        path.write_text(ODD_GAME.replace("[/any]", r"$^\\frac$").replace("[bold]", "$x^$"))
        code, _, err = run("report", "--rules", str(path), "--plot", str(tmp_path / "pictures"))
        assert code == 0
        assert err.count("wrote") == 6

    def test_an_impossible_folder_is_reported_immediately(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.setattr("rollwise.questions.report.evaluated", pytest.fail)
        (tmp_path / "file").touch()
        error = error_of("report", "--plot", str(tmp_path / "file"))
        assert error.endswith("file is a file. Give the name of a folder.")


@pytest.mark.parametrize(
    ("command", "extra", "libraries"),
    [
        ("play", "play", "textual"),
        ("practice", "play", "textual fsrs"),
        ("review game.txt --step", "play", "textual"),
        ("web", "web", "fastapi fsrs segno uvicorn websockets"),
        ("mcp", "mcp", "mcp"),
        ("report --plot pictures", "plot", "matplotlib.figure"),
        ("frontier targets --plot pictures", "plot", "matplotlib.figure"),
        ("frontier variance --plot pictures", "plot", "matplotlib.figure"),
        ("compare optimal --plot means.svg", "plot", "matplotlib.figure"),
        ("payoff-line --plot line.svg", "plot", "matplotlib.figure"),
        ("odds 2-of-a-kind --dice 2 --plot turn.svg", "plot", "pygraphviz"),
        (f"decide {COINS} --diagram coins.png", "plot", "pygraphviz"),
        ("tree --output tree.png", "plot", "pygraphviz"),
        ("sweep --output games.parquet", "parquet", "polars"),
        ("simulate --cluster tcp://localhost:1", "cluster", "distributed"),
    ],
)
def test_a_missing_extra_is_named(
    command: str, extra: str, libraries: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    for library in libraries.split():
        with monkeypatch.context() as context:
            context.setitem(sys.modules, library, None)
            error = error_of(*command.split())
        needed = f"needs {library.partition('.')[0]}, which is not installed"
        assert re.search(f'{needed}.* run: pip install "\\.\\[{extra}\\]"$', error)
    assert not any(tmp_path.iterdir())


class TestOtherCommands:
    def test_solve(self) -> None:
        data = data_of("solve", "--rules", "yahtzee")
        assert data["value"] == pytest.approx(254.5896094820, abs=1e-9)
        assert data["states"] == 536_448

    def test_verify(self) -> None:
        out = printed("verify", "huber", "mince")
        assert "payoffs after each roll" in out
        assert "error: the number is 155: one of the 156 rolls shows none of the five faces" in out
        assert "unexplained: none of the three variants" in out
        assert "MISMATCH" not in out
        data = data_of("verify", "huber", "mince")
        numbers = data.pop("numbers")
        assert data.keys() == {"matches", "source_errors", "unexplained", "mismatches"}
        assert data["mismatches"] == 0
        assert sum(data.values()) == len(numbers)
        assert "source_error" in {number["status"] for number in numbers}
        assert (
            f"{data['matches']} of {len(numbers)} numbers match, {data['source_errors']} are "
            f"proved errors in the sources, {data['unexplained']} differ for an unknown reason"
        ) in out.splitlines()

    def test_verify_counts_in_the_singular(self) -> None:
        totals = {"matches": 1, "source_errors": 1, "unexplained": 1, "mismatches": 1}
        (blog, *_) = verify(["blog"]).numbers
        answer = Verification(**totals, numbers=[blog] * 4, each=False)
        assert list(answer.show())[-1] == (
            "1 of 4 numbers match, 1 is a proved error in the sources, 1 differs for an unknown "
            "reason, 1 does not match"
        )

    def test_verify_all_figures(self) -> None:
        out = printed("verify", "blog", "--all")
        numbers = data_of("verify", "blog")["numbers"]
        assert len(numbers) == out.count(" ok") == 18

    def test_verify_names_its_sources(self) -> None:
        from rollwise.studies.published import SOURCES

        assert all(name in printed("verify", "--help") for name in SOURCES)

    def test_verify_fails_on_a_miss(self, monkeypatch: pytest.MonkeyPatch) -> None:
        from rollwise.studies import published

        monkeypatch.setattr(published.Check, "matches", False)
        code, out, _ = run("verify", "blog")
        assert code == 1
        assert "MISMATCH" in out
        assert "do not match" in out

    def test_rules(self, tmp_path: Path) -> None:
        assert {"name": "micro-yahtzee", "title": "Micro Yahtzee"} in data_of("rules", "list")
        for name in preset_names():
            assert name in printed("rules", "show", name)
        path = tmp_path / "mine.toml"
        written = printed("rules", "show", "yatzy", "--toml")
        assert written == (ROOT / "src/rollwise/rules/presets/yatzy.toml").read_text("utf-8")
        path.write_text(written, encoding="utf-8")
        assert data_of("rules", "show", "yatzy")["name"] == "yatzy"
        assert "no mistakes" in printed("rules", "check", str(path))
        assert printed("rules", "show", str(path), "--toml") == written

    def test_cache(self) -> None:
        assert printed("cache", "path").strip() == f"{os.environ['ROLLWISE_CACHE']}/rollwise"

    def test_no_heavy_imports_for_help(self) -> None:
        assert heavy("main(['--help'])", "numpy", "pydantic") == "[]"

    @pytest.mark.parametrize("command", ["history list", "rules list", "rules show yahtzee"])
    def test_no_heavy_imports_without_solving(self, command: str) -> None:
        assert heavy(f"main({command.split()})", "numpy") == "[]"

    def test_no_command_imports_heavy_packages_for_its_help(self) -> None:
        # NumPy is not among them, because most answers contain arrays.
        assert heavy("print([*map(make_app().__getitem__, ENTRIES)])") == "[]"

    def test_the_command_list_shows_the_first_paragraph_of_help(self) -> None:
        program = front.make_app()  # type: ignore[attr-defined]
        for name, listed in ENTRIES.items():
            assert program[name].help.partition("\n\n")[0] == listed.summary


HEAVY = (
    "numba", "rollwise.solving.backward_induction",
    "distributed", "fastapi", "fsrs", "gymnasium", "matplotlib", "mcp", "polars", "pygraphviz",
    "segno", "textual", "uvicorn", "websockets",
)  # fmt: skip
"""The compiler, the engine, and the libraries of extras."""


def heavy(statement: str, *more: str) -> str:
    """Return the list of heavy and more modules that a statement imports in a new process."""
    modules = HEAVY + more
    program = (
        "import sys\nfrom rollwise.cli.app import ENTRIES, make_app\n"
        f"from rollwise.cli import main\n{statement}\n"
        f"print([module for module in {modules} if module in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    return done.stdout.splitlines()[-1]
