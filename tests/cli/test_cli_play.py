"""Test the commands for finished games: review, history, and practice."""

import json
import re
from pathlib import Path

import pytest

from commands import data_of, printed, run
from repository import DOCS
from rollwise.game.game import Game
from rollwise.history import History
from rollwise.reviews.review import review


class TestReview:
    def test_the_second_game_of_the_documentation(self) -> None:
        """Review the second game; tests/documentation/test_console.py reviews the first."""
        page = (DOCS / "playing.md").read_text(encoding="utf-8")
        _, second, *_ = re.findall(r"```text\n(.*?)```", page, flags=re.DOTALL)
        printed("review", "-", typed=second)

    GAME = "players: Ada, Ben\n11366 66 25666 666 46666 6\n11234 ss\n11111 y\n11123 ch\n"

    def test_text_and_page(self, tmp_path: Path) -> None:
        (path := tmp_path / "game.txt").write_text(self.GAME.replace("Ada", "<b>Ada</b>"))
        page = tmp_path / "game.html"
        out = printed("review", str(path), "--html", str(page))
        assert "score chance ??" in re.sub(" +", " ", out)
        assert re.search(r"best was keep 111 \(Chance \+13\.\d\d", out)
        assert "luck-adjusted score" in out
        html = page.read_text(encoding="utf-8")
        assert "&lt;b&gt;Ada&lt;/b&gt;" in html
        assert "<b>Ada" not in html
        assert "http" not in html
        assert "(Chance +13." in html

    def test_json(self) -> None:
        ada, ben = data_of("review", "-", typed=self.GAME)
        assert list(ada) == [
            "rules", "objective", "player", "is_over", "score", "start", "value", "luck", "loss",
            "luck_adjusted", "decisions_counted", "mean_loss", "share_best",
            "tally", "line", "decisions", "rolls",
        ]  # fmt: skip
        assert (ada["player"], ada["score"], ben["score"]) == ("Ada", 24 + 50, 30 + 8)
        assert ada["value"] == pytest.approx(ada["start"] + ada["luck"] - ada["loss"])
        last = ben["decisions"][-1]
        assert sum(last["reasons"].values()) == pytest.approx(last["loss"])

    @pytest.mark.parametrize(
        ("objective", "unit"), [("expected", "points"), ("target:20", "percentage points")]
    )
    def test_a_page_names_the_unit_of_losses(
        self, tmp_path: Path, objective: str, unit: str
    ) -> None:
        game, page = "rules: micro-yahtzee\n5 double\n1 square\n", tmp_path / "game.html"
        printed("review", "-", "--objective", objective, "--html", str(page), typed=game)
        assert f"blunder from 5 {unit}." in page.read_text(encoding="utf-8")

    def test_for_another_objective(self) -> None:
        ada, _ = data_of("review", "-", "--objective", "best-case", typed=self.GAME)
        assert ada["start"] == 1575


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
        words = r"two .*Ben 16 +unfinished\n.*one .*Ada 11"
        assert re.search(words, printed("history", "list"))
        data = data_of("history", "list")
        assert [game["id"] for game in data] == ["two", "one"]
        assert data[1]["scores"] == {"Ada": 11}

    def test_show(self) -> None:
        assert "5 score double = 10" in printed("history", "show", "one")
        assert data_of("history", "show", "one")["score"] == [11]
        assert "bots: Ben: greedy" in printed("history", "show", "two")

    def test_export_and_delete(self, tmp_path: Path) -> None:
        path = tmp_path / "all.jsonl"
        printed("history", "export", str(path))
        first, *games = map(json.loads, path.read_text().splitlines())
        assert first == {"format": "rollwise history 1"}
        assert {line["id"] for line in games} == {"one", "two"}
        assert "deleted 1 game" in run("history", "delete", "one")[2]
        assert run("history", "show", "one")[0] == 2
        assert "deleted 1 game" in run("history", "delete", "--all")[2]

    def test_rating(self) -> None:
        rating = ("history", "rating", "--rules", "micro-yahtzee")
        assert "1 game, 1 decision\n" in printed(*rating)
        data = data_of(*rating)
        assert data["mean_loss"] == pytest.approx(25 + 7 - 10 - 91 / 6)
        assert data["score"] == {"mean": 11, "error": None}
        assert "There is no finished game" in printed("history", "rating")

    def test_practice(self) -> None:
        command = ("practice", "--rules", "micro-yahtzee")
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
            assert words in printed(*command, typed=f"{answer}\n")
        out = printed(*command, "--all", typed="score square\n")
        assert f"Correct: score square. {then}1 of 1 right\n" in out
        (question,) = data_of(*command, "--all")["questions"]
        assert (question["then"], question["best"]) == ("score double", "score square")
        assert "There is nothing to practice" in printed("practice")
