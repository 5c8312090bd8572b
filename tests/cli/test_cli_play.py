"""Test the commands for finished games: review, history, and practice."""

import json
import re
from pathlib import Path

import pytest

from commands import run
from repository import DOCS
from rollwise.game.game import Game
from rollwise.history import History
from rollwise.reviews.review import review

PLAYING = (DOCS / "playing.md").read_text(encoding="utf-8")


class TestReview:
    def test_the_second_game_of_the_documentation(self, tmp_path: Path) -> None:
        """Review the second game; tests/documentation/test_console.py reviews the first."""
        _, second, *_ = re.findall(r"```text\n(.*?)```", PLAYING, flags=re.DOTALL)
        (path := tmp_path / "game.txt").write_text(second, encoding="utf-8")
        assert run("review", str(path))[0] == 0

    GAME = "players: Ada, Ben\n11366 66 25666 666 46666 6\n11234 ss\n11111 y\n11123 ch\n"

    def test_text_and_page(self, tmp_path: Path) -> None:
        (path := tmp_path / "game.txt").write_text(self.GAME.replace("Ada", "<b>Ada</b>"))
        page = tmp_path / "game.html"
        code, out, _ = run("review", str(path), "--html", str(page))
        assert code == 0
        assert "score chance ??" in re.sub(" +", " ", out)
        assert re.search(r"best was keep 111 \(Chance \+13\.\d\d", out)
        assert "luck-adjusted score" in out
        html = page.read_text(encoding="utf-8")
        assert "&lt;b&gt;Ada&lt;/b&gt;" in html
        assert "<b>Ada" not in html
        assert "http" not in html
        assert "(Chance +13." in html

    def test_json_schema(self, tmp_path: Path) -> None:
        (path := tmp_path / "game.txt").write_text(self.GAME)
        code, out, _ = run("review", str(path), "--json")
        ada, ben = json.loads(out)
        assert code == 0
        assert list(ada) == [
            "rules", "objective", "player", "is_over", "score", "start", "value", "luck", "loss",
            "luck_adjusted", "best_with_same_dice", "decisions_counted", "mean_loss", "share_best",
            "tally", "line", "decisions", "rolls",
        ]  # fmt: skip
        assert (ada["player"], ada["score"], ben["score"]) == ("Ada", 24 + 50, 30 + 8)
        assert ada["value"] == pytest.approx(ada["start"] + ada["luck"] - ada["loss"])
        assert sum(ben["decisions"][-1]["reasons"].values()) == pytest.approx(
            ben["decisions"][-1]["loss"]
        )

    @pytest.mark.parametrize(
        ("objective", "unit"), [("expected", "points"), ("target:20", "percentage points")]
    )
    def test_a_page_names_the_unit_of_losses(
        self, tmp_path: Path, objective: str, unit: str
    ) -> None:
        (path := tmp_path / "game.txt").write_text("rules: micro-yahtzee\n5 double\n1 square\n")
        page = tmp_path / "game.html"
        assert run("review", str(path), "--objective", objective, "--html", str(page))[0] == 0
        assert f"blunder from 5 {unit}." in page.read_text(encoding="utf-8")

    def test_for_another_objective(self, tmp_path: Path) -> None:
        (path := tmp_path / "game.txt").write_text(self.GAME)
        code, out, _ = run("review", str(path), "--objective", "best-case", "--json")
        assert code == 0
        assert json.loads(out)[0]["start"] == 1575

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("11366 7", "line 1: unknown category '7'"),
            ('{"turns": 1}', "turns: "),
            ('{"events": ["roll 11366", "keep 7"]}', "events.1: "),
            ("\xff", "line 1"),
        ],
    )
    def test_bad_input(self, tmp_path: Path, text: str, words: str) -> None:
        (path := tmp_path / "game.txt").write_text(text, encoding="utf-8")
        code, out, err = run("review", str(path))
        assert (code, out) == (2, "")
        assert words in err

    def test_no_such_file(self, tmp_path: Path) -> None:
        code, _, err = run("review", str(tmp_path / "none.txt"))
        assert code == 2
        assert "no such file or folder. Check the path." in err


class TestHistory:
    @pytest.fixture(autouse=True)
    def _games(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("ROLLWISE_DATABASE", f"sqlite:///{tmp_path}/games.sqlite")
        game = Game.parse("rules: micro-yahtzee\nplayers: Ada\n5 double\n1 square")
        with History() as history:
            saved_at = history.save("one", game)
            history.keep_reviews("one", review(game), saved_at)
            history.save("two", Game("micro-yahtzee", "Ben", "4; square", bots={"Ben": "greedy"}))

    def test_list(self) -> None:
        code, out, _ = run("history", "list")
        assert code == 0
        assert re.search(r"two .*Ben 16 +unfinished\n.*one .*Ada 11", out)
        data = json.loads(run("history", "list", "--json")[1])
        assert [game["id"] for game in data] == ["two", "one"]
        assert data[1]["scores"] == {"Ada": 11}

    def test_show(self) -> None:
        assert "5 score double = 10" in run("history", "show", "one")[1]
        assert json.loads(run("history", "show", "one", "--json")[1])["score"] == [11]
        assert "bots: Ben: greedy" in run("history", "show", "two")[1]

    def test_export_and_delete(self, tmp_path: Path) -> None:
        path = tmp_path / "all.jsonl"
        assert run("history", "export", str(path))[0] == 0
        first, *games = map(json.loads, path.read_text().splitlines())
        assert first == {"format": "rollwise history 1"}
        assert {line["id"] for line in games} == {"one", "two"}
        assert "deleted 1 game" in run("history", "delete", "one")[2]
        assert run("history", "show", "one")[0] == 2
        assert "deleted 1 game" in run("history", "delete", "--all")[2]
        assert run("history", "delete")[0] == 2

    def test_rating(self) -> None:
        code, out, _ = run("history", "rating", "--rules", "micro-yahtzee")
        assert code == 0
        assert "1 game, 1 decision\n" in out
        data = json.loads(run("history", "rating", "--rules", "micro-yahtzee", "--json")[1])
        assert data["mean_loss"] == pytest.approx(25 + 7 - 10 - 91 / 6)
        assert data["score"] == {"mean": 11, "error": None}
        assert "There is no finished game" in run("history", "rating")[1]

    def test_practice(self) -> None:
        command = ["practice", "--rules", "micro-yahtzee"]
        then = "In the game you chose: score double.\n"
        reason = "The best option gains: Square +9.83, but Double −3.00. "
        for answer, words in (
            ("fly\nkeep -", "expected 'keep DICE'"),
            ("keep -\n", "not legal here"),
            (
                "score double\nscore square",
                f"score double loses 6.83 (blunder). Best: score square. {reason}{then}\n"
                f"dice 5 | rolls-left 0 | card -\n? Correct: score square. {then}"
                "0 of 1 right, 6.83 points lost\n",
            ),
            ("score square", "No mistake is due before 20"),
        ):
            code, out, _ = run(*command, typed=f"{answer}\n")
            assert code == 0
            assert words in out
        out = run(*command, "--all", typed="score square\n")[1]
        assert f"Correct: score square. {then}1 of 1 right\n" in out
        (question,) = json.loads(run(*command, "--all", "--json")[1])["questions"]
        assert (question["then"], question["best"]) == ("score double", "score square")
        assert "There is nothing to practice" in run("practice")[1]
