"""Test the terminal app: keys, the mouse, screen sizes, saved games, and win probabilities."""

import asyncio
import errno
import os
import re
import signal
import termios
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from textwrap import wrap
from threading import Event

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from commands import run as run_command
from games import KINDS, QUICK
from rollwise import load_rules, solve
from rollwise.game.game import Game
from rollwise.game.records.files import load_game, save_game
from rollwise.history import History, SavedGame
from rollwise.playing.bot import Bot
from rollwise.playing.category_codes import code_of
from rollwise.playing.game_summary import explain_result
from rollwise.playing.session import Session
from rollwise.reviews.review import review
from rollwise.rules import Rules
from rollwise.solving.progress import Progress
from rollwise.strategies import STRATEGIES
from rollwise.terminal.app import Judgment, PlayApp
from rollwise.terminal.screen import ScreenApp
from rollwise.terminal.views import stage
from rollwise.two_player.win_probability import Assumption, WinEstimate, WinProbability
from terminals import Terminal
from waiting import PATIENCE

YAHTZEE = load_rules("yahtzee")
MICRO = load_rules("micro-yahtzee")
MAXI = load_rules("maxi-yatzy-no-saving")
CROWDED = MAXI.model_copy(
    update={
        "categories": tuple(
            MAXI.categories[-2].model_copy(
                update={"key": f"box-{n}", "code": f"b{n}", "title": f"Box {n}"}
            )
            for n in range(10, 42)
        )
    }
)
"""Rules with the maximum number of categories."""

Script = Callable[[PlayApp, Pilot[str]], Awaitable[None]]


def drive(script: Script, game: Game, bots: dict[str, Bot] | None = None) -> None:
    """Run a script in a game with the solution of its rules."""
    run(Session(game, solve(game.rules), bots), script)


def run(session: Session, script: Script) -> None:
    """Run a script in the app on a screen of 80 by 24 characters."""
    session.reasons.are_prepared = True  # slow to prepare; TestCommand tests them

    async def main() -> None:
        app = PlayApp(session, pause=0.001)
        async with app.run_test(size=(80, 24)) as pilot:
            await script(app, pilot)

    asyncio.run(main())


def text(app: PlayApp, part: str) -> str:
    """Return the text of a part of the screen."""
    return str(app.query_one(f"#{part}", Static).render())


async def until(app: PlayApp, pilot: Pilot[str], words: str) -> None:
    """Wait until words appear above the dice."""
    async with asyncio.timeout(PATIENCE):
        while words not in text(app, "stage"):
            await pilot.pause()


def test_a_turn_by_keys() -> None:
    async def script(app: PlayApp, pilot: Pilot[str]) -> None:
        assert "Turn 1 of 13: roll the dice" in text(app, "stage")
        await pilot.press("space")
        assert "roll 1 of 3" in text(app, "stage")
        await pilot.press("2", "4", "4")
        assert text(app, "dice").count("keep") == 1
        await pilot.press("h")
        assert "keep 5 " in text(app, "advice")
        await pilot.press("r")
        assert "roll 2 of 3" in text(app, "stage")
        assert text(app, "advice") == ""
        await pilot.press("u")
        assert "roll 1 of 3" in text(app, "stage")
        await pilot.press("c", "h")
        assert "Turn 2 of 13" in text(app, "stage")

    drive(script, game := Game(YAHTZEE, seed=7))
    assert game.card.points == 17


def test_a_bot_plays_with_real_dice() -> None:
    async def script(app: PlayApp, pilot: Pilot[str]) -> None:
        await pilot.press(*"63161", "enter", "c", "h")
        assert text(app, "message") == "Type all dice, then Enter: _"  # it is the bot's turn
        await pilot.press(*"666?", "?", "6", "backspace", *"66", "enter")  # the help opens, too
        await until(app, pilot, "Ada's turn (2 of 13)")
        assert text(app, "message") == "greedy: score yahtzee for 50."

    bot = Bot(STRATEGIES["greedy"](), YAHTZEE)
    game = Game(YAHTZEE, "Ada, greedy", bots={"greedy": "greedy"})
    drive(script, game, {"greedy": bot})
    assert [card.points for card in game.cards] == [17, 50]


def test_the_mouse() -> None:
    async def script(app: PlayApp, pilot: Pilot[str]) -> None:
        await pilot.press("space")
        await pilot.click("#dice", offset=(8, 2))
        assert app.session.tray.held == (False, True, False, False, False)
        await pilot.click("#card", offset=(46, 6))
        assert "Turn 2" in text(app, "stage")

    drive(script, game := Game(YAHTZEE, seed=7))
    assert game.card.boxes[YAHTZEE.category_index("chance")] == 17


@pytest.mark.parametrize(
    "name",
    [name if name in KINDS else pytest.param(name, marks=pytest.mark.slow) for name in QUICK],
)
def test_everything_fits_in_80_by_24(name: str) -> None:
    async def script(app: PlayApp, pilot: Pilot[str]) -> None:
        await pilot.press("space", "h")
        for part in ("headline", "stage", "dice", "advice", "card", "message", "keys"):
            widget = app.query_one(f"#{part}", Static)
            assert widget.region.bottom <= 24
            lines = text(app, part).splitlines()
            if part == "message":  # it wraps
                lines = [piece for line in lines for piece in wrap(line, 78)]
            assert max(map(len, lines), default=0) <= 78
            assert len(lines) <= widget.region.height
        await pilot.press("question_mark")
        assert "keep or release a die" in text(app, "card")
        assert max(map(len, text(app, "card").splitlines())) <= 78

    drive(script, Game(load_rules(name), ("Ada", "Ben", "Cy"), seed=7))


@pytest.mark.parametrize(
    "rules", [MAXI, pytest.param(CROWDED, marks=pytest.mark.slow)], ids=["20", "32"]
)
def test_a_large_scorecard_fits_in_80_by_24(rules: Rules) -> None:
    async def script(app: PlayApp, pilot: Pilot[str]) -> None:
        await pilot.press("space", "question_mark")
        assert f"1–{rules.dice} " in text(app, "card")
        await pilot.press("escape", "4", str(rules.dice))
        assert text(app, "dice").count("keep") == 2
        for part in ("dice", "card", "message", "keys"):
            widget = app.query_one(f"#{part}", Static)
            lines = text(app, part).splitlines()
            assert max(map(len, lines), default=0) <= 78
            assert len(lines) <= widget.region.height
            assert widget.region.bottom <= 24
        message = app.query_one("#message", Static).region
        assert app.query_one("#card", Static).region.bottom < message.y
        assert message.bottom < 24  # the keys are below
        for category in rules.categories:
            assert category.title[:6] in text(app, "card")
        assert "Total" in text(app, "card")
        for k in reversed(range(len(rules.categories))):  # click every category
            await pilot.press("space")
            rows = text(app, "card").splitlines()
            code = f"{code_of(rules, k):>4} {rules.categories[k].title[:6]}"
            (y,) = [y for y, row in enumerate(rows) if code in row]
            await pilot.click("#card", offset=(rows[y].index(code) + 6, y))
            assert app.session.game.is_over or "turn" in text(app, "stage").lower()
        assert app.session.game.is_over

    # The script uses neither hint nor tutor, so the solution of another game is sufficient.
    session = Session(Game(rules, ("Ada",), seed=7), solve(YAHTZEE))
    run(session, script)


Steps = Sequence[tuple[str, ...]]
"""For each step: words to wait for on the screen, and then the keys to press."""


class TestCommand:
    """Tests of ``rollwise play`` and its apps in this process, driven by key presses."""

    OPPONENT = ("--rules", "micro-yahtzee", "--against", "greedy", "--seed", "7")
    FIRST_TURN = (
        ("roll the dice", "space"),
        ("last roll", "d"),
        ("Your turn (2 of 2)", "q"),
    )

    @pytest.fixture(autouse=True)
    def _own_history(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("ROLLWISE_DATABASE", f"sqlite:///{tmp_path}/games.sqlite")

    @pytest.fixture(autouse=True)
    def _in_a_terminal(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Let the commands believe that they run in a terminal, and press the keys of the test."""
        self.apps = list[Steps]()

        def run_app(app: ScreenApp) -> str | None:
            asyncio.run(press(app, self.apps.pop(0)))
            return app.return_value

        async def press(app: ScreenApp, steps: Steps) -> None:
            app.pause = 0.001  # type: ignore[attr-defined]
            async with app.run_test(size=(80, 24)) as pilot:
                for words, *keys in steps:
                    async with asyncio.timeout(PATIENCE):
                        while words not in everything_on(app):
                            await pilot.pause()
                    await pilot.press(*keys)
                async with asyncio.timeout(PATIENCE):
                    while app.is_running:
                        await pilot.pause()

        monkeypatch.setattr(ScreenApp, "run", run_app)
        monkeypatch.setattr("rollwise.cli.streams.is_interactive", lambda: True)

    def play(self, *arguments: str, apps: Sequence[Steps]) -> str:
        """Run a command that starts apps one after another; return its output and messages."""
        self.apps = [*apps]
        code, out, err = run_command("play", *arguments)
        assert code == 0
        assert self.apps == []
        return out + err

    def test_an_opponent_with_the_objective_to_beat_another_strategy(self, tmp_path: Path) -> None:
        path = tmp_path / "game.txt"
        arguments = ("--rules", "micro-yahtzee", "--against", "optimal:beat:greedy")
        steps = (*self.FIRST_TURN[:2], ("Your turn (2 of 2)", "space"), ("last roll", "s"))
        end = ("Game over", "q")
        self.play(*arguments, "--seed", "7", "-o", str(path), apps=[(*steps, end)])
        game = load_game(path)
        assert game.headers.bots == {"optimal beat greedy": "optimal:beat:greedy"}
        assert game.is_over

    def test_a_session_of_three_players(self, tmp_path: Path) -> None:
        """Check a hint, the tutor, undo, resuming, the result, practice, and the history."""
        path = tmp_path / "game.txt"
        people = ("--name", "Ada", "--name", "Ben", "--against", "greedy")
        options = ("--rules", "micro-yahtzee", "--seed", "10", "--tutor", "-o", str(path))
        began = self.play(
            *people,
            *options,
            apps=[
                [
                    ("Ada's turn (1 of 2): roll the dice", "space"),
                    ("last roll", "h"),
                    ("rather than", "d"),
                    ("score double loses 15.83", "enter"),
                    ("Nothing is scored yet. p play anyway", "b"),
                    ("yours", "d", "p"),
                    ("Ben's turn (1 of 2): roll the dice", "u"),
                    ("Ada's turn (1 of 2): last roll", "d", "p"),
                    ("Ben's turn (1 of 2): roll the dice", "q"),
                ]
            ],
        )
        assert "To resume it, run: rollwise play --resume " in began
        # Resuming needs no options, because the record contains the opponent and the tutor.
        ended = self.play(
            "--resume",
            apps=[
                [
                    ("Ben's turn (1 of 2): roll the dice", "space"),
                    ("last roll", "d"),
                    ("Ada's turn (2 of 2): roll the dice", "space"),
                    ("last roll", "s"),
                    ("Ben's turn (2 of 2): roll the dice", "space"),
                    ("last roll", "s"),
                    ("Ben: perfect", "p"),
                ],
                [
                    ("no rolls left. What would you do?", "s"),
                    ("Correct: score square. In the game you chose: score double.", "space"),
                ],
            ],
        )
        assert "1 of 1 right" in ended
        assert run_command("play", "--resume")[0] == 2  # the game is over
        (saved,) = self.games()
        assert saved.id in run_command("history", "list")[1]

    @pytest.mark.parametrize("resumed", ["nothing", "its file", "its id", "a copy of its file"])
    def test_a_resumed_game_has_the_same_opponent(self, resumed: str, tmp_path: Path) -> None:
        path = tmp_path / "session.txt"
        self.play(*self.OPPONENT, "-o", str(path), apps=[self.FIRST_TURN])
        (saved,) = self.games()
        (copy := tmp_path / "copy.txt").write_bytes(path.read_bytes())
        arguments = {"nothing": [], "its file": [str(path)], "its id": [saved.id]}
        if resumed not in arguments:
            (tmp_path / "games.sqlite").unlink()
        rest = [
            ("Your turn (2 of 2)", "space"),
            ("last roll", "s"),
            ("lost through choices", "r"),
            ("q back", "q"),
            ("Game over", "q"),
        ]
        shown = self.play(
            "--resume",
            *arguments.get(resumed, [str(copy)]),
            apps=[rest],
        )
        assert "luck-adjusted score" in shown
        (ended,) = self.games()
        assert ended.game.is_over
        assert ended.game.headers == saved.game.headers
        assert resumed not in arguments or ended.id == saved.id

    def test_a_resumed_game_keeps_its_rules(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Check that the default game applies only to new games."""
        path = str(tmp_path / "game.txt")
        monkeypatch.setenv("ROLLWISE_RULES", "micro-yahtzee")
        self.play("--against", "greedy", "--seed", "7", "-o", path, apps=[self.FIRST_TURN])
        monkeypatch.setenv("ROLLWISE_RULES", "yatzy")
        (tmp_path / "games.sqlite").unlink()
        self.play("--resume", path, apps=[[("Your turn (2 of 2)", "q")]])

    def test_a_new_game_has_the_same_players_and_settings(self) -> None:
        rest = (("Your turn (2 of 2)", "space"), ("last roll", "s"), ("Game over", "n"))
        apps = [(*self.FIRST_TURN[:2], *rest), self.FIRST_TURN]
        self.play(*self.OPPONENT, "--objective", "target:30", apps=apps)
        new, old = (saved.game.headers for saved in self.games())
        assert replace(new, seed=old.seed) == old
        assert (old.objective, new.seed is None) == ("target:30", False)

    def test_leaving_prints_a_command_that_resumes_the_game(self, tmp_path: Path) -> None:
        file = str(tmp_path / "other.sqlite")
        left = self.play(*self.OPPONENT, "--database", file, apps=[self.FIRST_TURN])
        command = re.search(r"To resume it, run: rollwise play (.*)", left)
        assert command is not None
        self.play(*command[1].split(), apps=[[("Your turn (2 of 2)", "q")]])

    def test_a_resumed_file_stays_as_it_is(self, tmp_path: Path) -> None:
        """Check that a game goes on in the history, and in a file only if the command names it."""
        typed = "rules: micro-yahtzee\nplayers: Ada\nseed: 7\n5 d  # a pity\n"
        (path := tmp_path / "game.txt").write_text(typed)
        resume = ("--resume", str(path))
        self.play(*resume, apps=[[("Turn 2 of 2", "q")]])
        (begun,) = self.games()
        left = self.play(*resume, apps=[[("Turn 2 of 2", "space"), ("last roll", "q")]])
        (saved,) = self.games()
        assert (saved.id, saved.game.lines[:-1]) == (begun.id, begun.game.lines)
        assert f"saved the game in the history as {saved.id}\n" in left
        assert path.read_text() == typed
        # The file is older than the saved game, which goes on.
        ended = self.play(*resume, "-o", str(path), apps=[[("last roll", "s"), ("Game over", "q")]])
        assert f"saved the game in {path}\nsaved the game in the history as {saved.id}\n" in ended
        assert load_game(path) == self.games()[0].game
        assert load_game(path).is_over

    def test_an_existing_file_is_not_replaced(self, tmp_path: Path) -> None:
        (path := tmp_path / "my game.txt").write_text("rules: micro-yahtzee\n5 double\n")
        for arguments in ((), ("--resume",)):
            code, _, error = run_command("play", *arguments, "-o", str(path))
            assert code == 2
            assert (
                f"already exists. Choose another name, or continue its game with --resume '{path}'."
                in error
            )
        assert "5 double" in path.read_text()

    def test_a_file_has_the_first_of_several_games(self, tmp_path: Path) -> None:
        path = tmp_path / "game.txt"
        rest = (("Your turn (2 of 2)", "space"), ("last roll", "s"), ("Game over", "n"))
        apps = [(*self.FIRST_TURN[:2], *rest), self.FIRST_TURN]
        self.play(*self.OPPONENT, "-o", str(path), apps=apps)
        assert load_game(path).is_over

    def test_a_game_without_a_choice_is_not_saved(self) -> None:
        steps = [("roll the dice", "space"), ("last roll", "q")]
        left = self.play(*self.OPPONENT, apps=[steps])
        assert "not in the history, because you made no choice" in left
        assert self.games() == []

    def test_a_resumed_game_without_a_choice_stays_saved(self) -> None:
        """Check that a new game of the server stays in the history, with its owner."""
        with History() as history:
            history.of("ada").save("a", Game(MICRO, seed=7))
        self.play("--resume", "a", apps=[[("roll the dice", "space"), ("last roll", "q")]])
        (saved,) = self.games()
        assert (len(saved.game.events), saved.owner) == (1, "ada")

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [((), "There is no unfinished game."), (("none",), "named 'none'")],
    )
    def test_missing_games(self, arguments: tuple[str, ...], words: str) -> None:
        code, _, error = run_command("play", "--resume", *arguments)
        assert code == 2
        assert words in error

    def games(self) -> list[SavedGame]:
        """Return the games in the history."""
        with History() as history:
            return history.games()


def everything_on(app: ScreenApp) -> str:
    """Return the text on the screen of an app."""
    return "\n".join(str(widget.render()) for widget in app.query(Static))


class TestTerminal:
    """Tests of ``rollwise play`` in a pseudo-terminal."""

    pytestmark = pytest.mark.pty
    GAME = ("play", "--quiet", "--rules", "micro-yahtzee", "--seed", "7")

    def test_a_game_without_color(self, tmp_path: Path) -> None:
        path = tmp_path / "game.txt"
        terminal = Terminal(*self.GAME, "-o", str(path))
        for words, key in (
            ("roll the dice", " "),
            ("last roll", "d"),
            ("2 of 2", " "),
            ("last roll", "s"),
        ):
            terminal.wait_for(words)
            terminal.type(key)
        terminal.wait_for("Game over")
        terminal.type("q")
        terminal.wait_for("luck-adjusted score")
        assert terminal.ended() == 0
        assert load_game(path).is_over
        assert not re.search(
            r"\x1b\[[0-9;]*\b(3[0-7]|38|9[0-7]);?[0-9;]*m", terminal.output.decode()
        )

    def test_ctrl_c_restores_the_terminal(self, tmp_path: Path) -> None:
        path = tmp_path / "game.txt"
        terminal = Terminal(*self.GAME, "-o", str(path))
        before = terminal.modes
        terminal.wait_for("roll the dice")
        assert termios.tcgetattr(terminal.main) != before
        terminal.type(" ")
        terminal.wait_for("last roll")
        terminal.type("\x03")
        assert terminal.ended() == 0
        assert terminal.modes == before
        for mode in (b"1049", b"1000"):  # the alternate screen, and the mouse
            on, off = (terminal.output.rfind(b"\x1b[?%b%b" % (mode, end)) for end in (b"h", b"l"))
            assert 0 <= on < off
        assert len(load_game(path).events) == 1

    @pytest.mark.parametrize(
        ("deleted", "words"),
        [
            (False, "gone on in another window, so .* resume it, run: rollwise play --resume {id}"),
            (True, "There is no saved game '{id}' anymore, because someone deleted it"),
        ],
    )
    def test_a_game_that_has_changed_elsewhere(
        self, deleted: bool, words: str, tmp_path: Path
    ) -> None:
        database, path = tmp_path / "games.sqlite", tmp_path / "game.txt"
        terminal = Terminal(*self.GAME, "-o", str(path), ROLLWISE_DATABASE=str(database))
        before = terminal.modes
        for shown, key in (("roll the dice", " "), ("last roll", "d")):
            terminal.wait_for(shown)
            terminal.type(key)
        terminal.wait_for("2 of 2")
        with History(database) as history:
            (saved,) = history.games()
            if deleted:
                history.delete(saved.id)
            else:
                history.save(saved.id, Game(MICRO, seed=8), last=saved.saved_at)
            expected, file = history.games(), path.read_bytes()
            terminal.type(" ")
            assert terminal.ended() == 2
            assert history.games() == expected
        assert path.read_bytes() == file
        assert terminal.modes == before
        error = " ".join(terminal.text.partition("error: ")[2].split())
        assert re.search(words.format(id=saved.id), error)

    def test_the_screen_follows_a_new_size(self) -> None:
        terminal = Terminal(*self.GAME, columns=40)
        terminal.wait_for("roll the dice")
        assert "u undo" not in terminal.text
        terminal.resize(columns=100, rows=30)
        terminal.wait_for("u undo")
        terminal.type("q")
        assert terminal.ended() == 0

    @pytest.mark.slow
    def test_the_game_is_saved_when_the_terminal_closes_under_nohup(self, tmp_path: Path) -> None:
        path = tmp_path / "game.txt"
        before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
        try:
            terminal = Terminal(*self.GAME, "-o", str(path))
        finally:
            signal.signal(signal.SIGHUP, before)
        terminal.wait_for("roll the dice")
        terminal.type(" ")
        terminal.wait_for("last roll")
        os.close(terminal.main)
        terminal.process.wait(PATIENCE)
        assert len(load_game(path).events) == 1


def test_undo_is_saved_immediately(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"

    async def main() -> None:
        game = Game(YAHTZEE, seed=7)
        app = PlayApp(Session(game, solve(YAHTZEE)), lambda: save_game(game, path))
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press("space", "1", "space")
            assert len(load_game(path).events) == 3
            await pilot.press("u")
            assert len(load_game(path).events) == 1

    asyncio.run(main())


def test_the_app_ends_if_a_change_cannot_be_saved() -> None:
    async def script(app: PlayApp, pilot: Pilot[str]) -> None:
        def fail() -> None:
            raise full

        app.save, full = fail, OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "game.txt")
        await pilot.press("space")
        assert (app.failure, app.is_running) == (full, False)

    drive(script, Game(YAHTZEE, seed=7))


def test_the_end_shows_the_result_and_its_causes() -> None:
    is_ready = Event()

    def judge(game: Game) -> Iterator[Judgment]:
        assert is_ready.wait(PATIENCE)
        reviews = review(game)
        yield Judgment(reviews, ["…"])
        yield Judgment(reviews, explain_result(reviews))

    async def script(app: PlayApp, pilot: Pilot[str]) -> None:
        app.judge = judge
        await pilot.press("h")
        assert "Roll first to get a hint." in text(app, "message")
        await pilot.press("space", "d", "space", "d", "space", "s", "space", "s")
        end = text(app, "stage")
        assert re.fullmatch(r"Game over: (You win|Ben wins), \d+ to \d+", end)
        assert text(app, "message") == "Press r for the review."
        await pilot.press("r")
        assert text(app, "message") == "The game is being reviewed …"
        is_ready.set()
        await until(app, pilot, "Turn 1, You: roll 1")
        await app.workers.wait_for_complete()
        await pilot.press("right", "d", "n", "1")
        assert "2 of 4" in text(app, "stage")
        await pilot.click("#dice", offset=(2, 2))
        assert "q back" in text(app, "keys")
        await pilot.press("q")
        assert text(app, "stage") == end
        assert text(app, "card").count("lost through choices") == 2
        assert "n new" in text(app, "keys")
        await pilot.press("n")
        assert app.return_value == "new"

    drive(script, Game(MICRO, ("You", "Ben"), seed=7))


def greedy_game(rules: Rules, seed: int | None = 7) -> tuple[Game, dict[str, Bot]]:
    """Return a game of a person against the strategy ``greedy``."""
    bots = {"Medium": Bot(STRATEGIES["greedy"](), rules)}
    return Game(rules, "You, Medium", seed=seed, bots={"Medium": "greedy"}), bots


def test_the_opponents_points_are_beside_yours() -> None:
    async def script(app: PlayApp, pilot: Pilot[str]) -> None:
        await pilot.press("space", "c", "h")
        await until(app, pilot, "Your turn (2 of 13)")
        await pilot.press("space")
        for width, height in ((80, 24), (40, 40), (100, 35)):
            await pilot.resize_terminal(width, height)
            await pilot.pause()
            card = text(app, "card")
            assert "You  Medium" in card
            assert re.search(r" ch Chance +17 +·", card)
            assert re.search(r" Total +17 +[1-9]", card)

    drive(script, *greedy_game(YAHTZEE))


@pytest.mark.parametrize("names", [("Ada", "Ben"), ("Ada", "Ben", "Cy")])
def test_a_key_shows_the_scorecards_of_other_players(names: tuple[str, ...]) -> None:
    async def script(app: PlayApp, pilot: Pilot[str]) -> None:
        await pilot.resize_terminal(40, 24)
        await pilot.press("space")
        game = app.session.game
        current = game.stage.player
        own = text(app, "card")
        for player in (*range(current + 1, len(names)), *range(current)):
            await pilot.press("o")
            message = text(app, "message").replace("\n", " ")
            assert message.startswith(f"This is {names[player]}'s scorecard. Press o ")
            assert re.search(rf" Total +{game.cards[player].points} ", text(app, "card"))
        assert message.endswith("to go back.")
        await pilot.press("o")
        assert text(app, "card") == own
        assert "[" in own
        assert text(app, "message") == ""
        await pilot.press("o", "y")
        assert game.stage.player != current
        assert text(app, "message") == ""  # the next player sees their own scorecard

    events = "roll 11345; score chance; roll 33356; score threes"
    drive(script, Game(YAHTZEE, names, events, seed=7))


@pytest.mark.parametrize("rules", [YAHTZEE, MAXI], ids=["5", "6"])
def test_no_size_is_too_small(rules: Rules) -> None:
    async def script(app: PlayApp, pilot: Pilot[str]) -> None:
        await pilot.press("space", "2", "5")
        for width, height in ((30, 24), (22, 24), (21, 24), (20, 10), (10, 5), (3, 3), (20, 10)):
            await pilot.resize_terminal(width, height)
            await pilot.pause()
            await pilot.press("s", "3")
            assert "s3_" in text(app, "message")
            if width >= 20:
                assert app.query_one("#message", Static).region.bottom <= height - 1
                (dice,) = text(app, "dice").splitlines()
                assert len(dice) <= width - 2
                held = [f"[{face}]" for face in app.session.tray.kept]
                assert sorted(re.findall(r"\[.\]", dice)) == held
                assert len(re.findall(r"\d", dice)) == rules.dice
            await pilot.press("escape")

    run(Session(Game(rules, "Ada, Ben", seed=7), solve(YAHTZEE)), script)


def test_the_tutor_shows_the_choice_beside_the_best_option() -> None:
    async def script(app: PlayApp, pilot: Pilot[str]) -> None:
        await pilot.press("space", "c", "h", "enter")
        assert text(app, "message").splitlines()[1].startswith("Nothing is scored yet. p play")
        await pilot.press("b")
        (own,) = [line for line in text(app, "advice").splitlines() if "yours" in line]
        assert re.fullmatch(r"score chance +\d+\.\d\d +12\.98 yours", own)

    drive(script, Game(YAHTZEE, seed=7, tutor=True))


@pytest.mark.parametrize("width", [40, 56, 80, 120, 250])
def test_every_category_is_visible_at_any_width(width: int) -> None:
    async def main() -> None:
        session = Session(Game(YAHTZEE, seed=7), solve(YAHTZEE))
        session.reasons.are_prepared = True
        app = PlayApp(session)
        async with app.run_test(size=(width, 40)) as pilot:
            await pilot.press("space")
            lines = text(app, "card").splitlines()
            assert max(map(len, lines)) <= width - 2
            for k, category in enumerate(YAHTZEE.categories):
                row = f" {code_of(YAHTZEE, k)} {category.title} "
                (line,) = [line for line in lines if row in line]
                assert line.count("[") == (1 if width < 60 else line.count("]"))
            await pilot.press("h")
            assert "keep 5 " in text(app, "advice")
            message = app.query_one("#message", Static).region
            assert app.query_one("#card", Static).region.bottom < message.y < message.bottom <= 40

    asyncio.run(main())


def test_q_leaves_at_a_warning() -> None:
    async def script(app: PlayApp, pilot: Pilot[str]) -> None:
        await pilot.press("space", "c", "h")
        assert app.controls.caution is not None
        await pilot.press("q")
        assert not app.is_running

    drive(script, Game(YAHTZEE, seed=7, tutor=True))


def test_q_does_not_leave_while_letters_are_typed() -> None:
    async def script(app: PlayApp, pilot: Pilot[str]) -> None:
        await pilot.press("space", "question_mark", "q")
        assert "Total" in text(app, "card")
        await pilot.press("s", "q")
        assert app.is_running
        await pilot.press("q")
        assert not app.is_running

    drive(script, Game(YAHTZEE, seed=7))


def test_the_screen_follows_a_new_size_in_mid_turn() -> None:
    async def script(app: PlayApp, pilot: Pilot[str]) -> None:
        await pilot.press("space", "1", "c")
        for width, height in ((40, 24), (100, 35), (80, 24)):
            await pilot.resize_terminal(width, height)
            await pilot.pause()
            lines = text(app, "card").splitlines()
            assert max(map(len, lines)) <= width - 2
            assert ("Four of a Kind" in lines[1]) == (width > 40)  # or shortened
            assert ("hint" in text(app, "keys")) == (width > 40)
            assert "Score in: c_" in text(app, "message")

    drive(script, Game(YAHTZEE, seed=7))


@pytest.mark.parametrize("name", ["yahtzee", "crag", "kismet", "yatzy"])
def test_everything_fits_in_40_by_24(name: str) -> None:
    async def script(app: PlayApp, pilot: Pilot[str]) -> None:
        await pilot.resize_terminal(40, 24)
        for keys in (["space"], ["h"], ["h"]):
            await pilot.press(*keys)
            await pilot.pause()
            card, message = (app.query_one(part, Static) for part in ("#card", "#message"))
            assert max(map(len, text(app, "card").splitlines())) <= 38
            assert len(text(app, "card").splitlines()) == card.region.height
            assert card.region.bottom <= message.region.y < message.region.bottom <= 23
            assert "Total" in text(app, "card")

    drive(script, Game(load_rules(name), ("Ada", "Ben"), seed=7))


def test_no_terminal() -> None:
    code, _, error = run_command("play")
    assert code == 2
    assert "rollwise play needs a terminal. Run it without a pipe" in error


class TestWinProbability:
    @pytest.mark.parametrize(
        ("width", "assumes", "line"),
        [
            (80, "win", "Ada 25% ████░░░░░░░░░░░░ 75% Ben"),
            (80, "points", "Ada ~25% ████░░░░░░░░░░░░ ~75% Ben"),
            (60, "win", "Ada 25% ██░░░░░ 75% Ben"),
            (50, "win", ""),
        ],
    )
    def test_a_bar_if_it_fits(self, width: int, assumes: Assumption, line: str) -> None:
        session = Session(Game(MICRO, ("Ada", "Ben"), seed=1), solve(MICRO))
        shown = str(stage(session, WinEstimate(0.25, assumes), width))
        words = session.words()
        assert shown == (f"{words:<{width - len(line)}}{line}" if line else words)

    def test_the_time_until_they_are_known(self) -> None:
        """Check that the time left replaces an earlier bar."""
        session = Session(Game(MICRO, ("Ada", "Ben"), seed=1), solve(MICRO))
        shown = str(stage(session, WinEstimate(0.25, "win"), 80, 12.3))
        assert shown == f"{session.words():<49}win probabilities in 12 seconds"

    def test_the_help_says_what_the_bar_assumes(self) -> None:
        game, bots = greedy_game(MICRO)
        probability = WinProbability(MICRO)
        strategies = {name: bot.strategy for name, bot in bots.items()}

        async def script(app: PlayApp, pilot: Pilot[str]) -> None:
            app.outlook = lambda game, progress: probability.outlook(game, strategies, progress)
            await pilot.press("space")
            await until(app, pilot, "% Medium")
            await pilot.press("question_mark")
            assert "win probabilities if you play for points from now on." in text(app, "card")

        drive(script, game, bots)

    def test_the_bar_appears_during_a_game(self) -> None:
        session = Session(Game(MICRO, ("Ada", "Ben"), seed=1), solve(MICRO))

        async def main() -> None:
            app = PlayApp(session, outlook=lambda game, _: WinProbability(MICRO).outlook(game))
            async with app.run_test(size=(80, 24)) as pilot:
                await until(app, pilot, "Ada 49%")
                await pilot.press("space", "s")
                await until(app, pilot, "Ben's turn (1 of 2): roll the dice")
                await until(app, pilot, "% Ben")

        asyncio.run(main())

    def test_leaving_ends_the_computation(self) -> None:
        session, done = Session(Game(MICRO, ("Ada", "Ben"), seed=1), solve(MICRO)), list[float]()

        def outlook(game: Game, progress: Progress) -> None:
            for n in range(10_000):
                done.append(n / 10_000)
                progress(done[-1])
                time.sleep(0.01)

        async def main() -> None:
            app = PlayApp(session, outlook=outlook)
            async with app.run_test(size=(80, 24)) as pilot:
                await until(app, pilot, "win probabilities in")

        asyncio.run(main())
        assert done[-1] < 0.5
