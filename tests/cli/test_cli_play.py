"""Test the commands for finished games: review, history, and practice."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from commands import data_of, printed, run
from console import block
from rollwise.game.game import Game
from rollwise.history import History
from rollwise.reviews.review import review


class TestReview:
    def test_the_complete_record_of_the_documentation(self) -> None:
        printed("review", "-", typed=block("reference/records.md", "rollwise game", "text"))

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


class TestTypedGames:
    """Test games that are typed in files, and saved by ``review`` or ``history import``."""

    TURNS = ("5 double", "4 square", "1 square", "3 double")
    RATING = ("history", "rating", "--rules", "micro-yahtzee")

    @pytest.fixture(autouse=True)
    def _folder(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        monkeypatch.setenv("ROLLWISE_DATABASE", "games.sqlite")

    def write(self, name: str, turns: int = 4, players: str = "Ada, Ben") -> str:
        """Write the first turns of a game to a file, with a comment, and return its name."""
        lines = ["rules: micro-yahtzee", f"players: {players}  # friends", *self.TURNS[:turns]]
        Path(name).write_text("\n".join(lines))
        return name

    def saved(self) -> list[dict[str, Any]]:
        return list(data_of("history", "list"))

    def test_a_reviewed_game_counts_once(self) -> None:
        name = self.write("game.txt")
        reviews = data_of("review", name, "--save")
        _, _, error = run("review", name, "--save")
        (game,) = self.saved()
        assert [one["saved_as"] for one in reviews] == [game["id"]] * 2
        assert error == f"The game is already in the history as {game['id']}\n"
        assert data_of(*self.RATING)["games"] == 2
        assert data_of(*self.RATING, "--name", "Ben")["score"]["mean"] == 22
        assert "then" in data_of("practice", "--rules", "micro-yahtzee")["questions"][0]

    def test_a_computer_opponent_is_not_rated(self) -> None:
        name = self.write("game.txt", players="Ada, Ben\nbots: Ben: greedy")
        printed("review", name, "--save")
        assert data_of(*self.RATING)["games"] == 1

    def test_a_game_that_is_written_down_turn_by_turn(self) -> None:
        """Check that a longer file replaces the unfinished game, and a shorter one is not added."""
        for turns in (1, 2, 1, 3):
            code, _, error = run("review", self.write("game.txt", turns), "--save")
            (game,) = self.saved()
            assert code == 0
            assert f"To resume it, run: rollwise play --resume {game['id']}\n" in error
            assert data_of(*self.RATING) is None
        self.write("game.txt")
        assert run("history", "import", "game.txt")[0] == 0
        printed("review", self.write("game.txt", 2), "--save")
        assert [(one["id"], one["is_over"]) for one in self.saved()] == [(game["id"], True)]

    @pytest.mark.parametrize("other", ["players: Ada, Ben\n5 square", "players: Ada, Cy\n5 double"])
    def test_another_game_is_saved_too(self, other: str) -> None:
        printed("review", self.write("game.txt", 1), "--save")
        printed("review", "-", "--save", typed=f"rules: micro-yahtzee\n{other}\n4 square\n")
        assert len(self.saved()) == 2

    def test_import_of_files(self) -> None:
        """Import records as text and as JSON, with an export and with rules of a file."""
        printed("history", "import", self.write("old.txt", players="Cy, Di"))
        printed("history", "export", "mine.jsonl")
        printed("history", "delete", "--all")
        Path("half.json").write_text(
            Game.parse(Path(self.write("half.txt", 3)).read_text()).as_json()
        )
        files = (self.write("game.txt", players="Ada, Eve"), "half.json", "mine.jsonl")
        others = ("--database", "my others.sqlite")
        option = " --database 'my others.sqlite'\n"
        assert run("history", "import", *files, *others) == (
            0,
            "",
            "imported 3 games\n"
            f"To review them for your rating, run: rollwise history check{option}"
            f"To resume the last unfinished game, run: rollwise play --resume{option}",
        )
        assert run("history", "import", *files, *others)[2] == (
            "imported 0 games; already saved: 3 games\n"
        )
        assert data_of("history", "check", *others)["games"] == 3
        assert data_of(*self.RATING, *others)["games"] == 4
        Path("ours.toml").write_text('base = "micro-yahtzee"\nname = "ours"\ntitle = "Ours"\n')
        Path("ours.txt").write_text("rules: ours\n5 double\n4 square\n")
        printed("history", "import", "ours.txt", "--rules", "ours.toml")
        assert self.saved()[0]["rules"] == "ours"

    @pytest.mark.parametrize(
        "command", ["review bad.txt --save", "history import game.txt bad.txt"]
    )
    def test_a_mistake_creates_no_history(self, command: str) -> None:
        self.write("game.txt")
        Path("bad.txt").write_text("rules: micro-yahtzee\n57 double\n")
        code, _, error = run(*command.split())
        assert code == 2
        assert "line 2: expected 1 die with faces 1 to 6, got '57'" in error
        assert {path.name for path in Path().iterdir()} == {"game.txt", "bad.txt"}


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
