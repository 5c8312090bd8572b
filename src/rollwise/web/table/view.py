"""What one window shows of a game; elements are changed in place, so that nothing jumps.

What is switched on or off at the table: the tutor, sound; and what the keys do.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from nicegui import ui
from nicegui.events import KeyEventArguments

from rollwise.game.actions import Score
from rollwise.game.game import Game
from rollwise.playing.category_codes import DIE_KEYS
from rollwise.playing.controls import Controls
from rollwise.playing.session import Session
from rollwise.solving.option import Option
from rollwise.web.access_token import READ_ONLY
from rollwise.web.elements import Button, Tag
from rollwise.web.live_games import LiveGame
from rollwise.web.table.advice import OptionList, StatusLine, Warning
from rollwise.web.table.ending import Ending
from rollwise.web.table.players import Players
from rollwise.web.table.score_card import ScoreCard, ScorecardState
from rollwise.web.table.tray import Act, DiceTray, TurnButtons

BUTTON_KEYS = (" ", "enter")
"""A button that has the focus knows them itself."""


class GameView:
    """A game on one screen: card, dice, advice, ending.

    Parameters
    ----------
    live : LiveGame
    may_play : bool
        Whether who looks at it may do more than that.
    """

    def __init__(self, live: LiveGame, *, may_play: bool) -> None:
        self.live, self.may_play = live, may_play
        self.controls = Controls(live.session)
        game = self.session.game
        with Tag("div", classes="game", id="content", tabindex="-1") as self._game:
            with Tag("div", classes="bar"):
                Tag("h1", game.rules.title)
                self._stage = Tag("p", classes="stage")
                self._switches = Switches(self.controls, self._do)
            with Tag("div", classes="sheet"):
                self._players = Players(game.players)
                self._card = ScoreCard(game.rules, game.players, self._score)
            with Tag("div", classes="tray"):
                self._line = StatusLine(self.controls)
                self._dice = DiceTray(self.controls, self._do)
                self._actions = TurnButtons(self.controls, self._do, self._do_if_shown)
                self._warning = Warning(self.controls, self._do)
            with Tag("div", classes="beside"):
                self._options = self._line.sheet = OptionList()
                self._keys = Keys(self.controls)
            self._ending = Ending(live.id, self._play_again)
        self.show()

    @property
    def session(self) -> Session:
        """The game that is shown."""
        return self.live.session

    def show(self) -> None:
        """Show how the game stands."""
        session, controls, live = self.session, self.controls, self.live
        game, options = session.game, controls.options()
        best = options[0] if options else None
        self._game.set(data_shown=self._shown)
        self._stage.text = session.words()
        values = live.insight.expected_scores()
        turn = None if game.is_over else game.stage.player
        totals = [card.points for card in game.stage.cards]
        self._players.show(totals, turn, values, live.insight.outlook)
        self._card.show(self._standing(best))
        self._line.show(options, live.trouble, live.insight.reason, self._coming(options))
        self._dice.show(best)
        self._actions.show()
        self._warning.show()
        self._options.show(game.rules, options, controls.doubted)
        self._switches.show()
        self._keys.show()
        people = set(range(len(game.players))) - set(live.names)
        self._ending.show(game, people, live.insight)

    async def press(self, event: KeyEventArguments) -> None:
        """Do what a key means; those that press a button are left to :meth:`press_space`."""
        key = key_of(event)
        if key and key not in BUTTON_KEYS:
            await self._do(lambda: self.controls.press(key))

    async def press_space(self, event: KeyEventArguments) -> None:
        """Do what space and Enter mean, where no button has the focus."""
        key = key_of(event)
        if key in BUTTON_KEYS:
            await self._do(lambda: self.controls.press(key))

    @property
    def _shown(self) -> str:
        """How far the game is."""
        return str(len(self.session.game.events))

    def _coming(self, options: list[Option]) -> str:
        """Return what waits for the solution of the game, or for options, and how far that is."""
        live, session = self.live, self.session
        if live.unsolved:
            return f"No advice: {live.unsolved}."
        waits = "Advice to come"
        if live.solving is None:
            wanted = self.controls.hint and session.position is not None
            return f"{waits}…" if wanted and not (options or session.is_bots_turn) else ""
        if session.bot_may_play and session.position is not None:
            waits = f"{session.game.players[session.game.stage.player]} waits"
        words = live.solving.words()
        return f"{waits}: {words[0].lower()}{words[1:]}"

    def _standing(self, best: Option | None) -> ScorecardState:
        session, game = self.session, self.session.game
        category = getattr(best.action, "category", None) if best else None
        possible = {} if session.is_bots_turn else session.possible()
        naming = "announce" if session.awaits_announcement else "score"
        cards, player, last = game.stage.cards, game.stage.player, _last_box(game)
        return ScorecardState(cards, player, possible, category, last, naming)

    async def _do(self, act: Callable[[], None]) -> None:
        """Do something, show it to everybody, and keep the game if it went on."""
        if not self.may_play:
            self.controls.note = READ_ONLY
            self.show()
            return
        before = self.session.game.events
        act()
        if self.session.game.events != before:
            await self.live.changed()
        else:
            self.live.notify()

    async def _do_if_shown(self, shown: str, act: Callable[[], None]) -> None:
        """Do something if the game is still where somebody saw it when he pressed."""
        if shown == self._shown:
            await self._do(act)

    async def _score(self, category: int, shown: str) -> None:
        await self._do_if_shown(shown, lambda: self.controls.choose(category))

    async def _play_again(self) -> None:
        if self.may_play:
            ui.navigate.to(f"/play/{await self.live.play_again()}")


def _last_box(game: Game) -> tuple[int, int] | None:
    """Return who scored last, and where; players score in turn."""
    scores = [event.category for event in game.events if isinstance(event, Score)]
    return ((len(scores) - 1) % len(game.players), scores[-1]) if scores else None


def key_of(event: KeyEventArguments) -> str:
    """Return the key that was pressed, as the controls call it; nothing for a shortcut."""
    modifiers = event.modifiers
    shortcut = modifiers.ctrl or modifiers.alt or modifiers.meta
    if shortcut or event.action.repeat or not event.action.keydown:
        return ""
    name = str(event.key.name)
    return name if len(name) == 1 else name.lower()


SOUND = Path(__file__).with_name("sound.js")

KEYS = {
    "space, r": "roll the others",
    "a code": "score there, as the card shows it",
    "h, u, t": "hint, undo, tutor on or off",
    "?": "this list",
}


class Switches:
    """Tutor and sound."""

    def __init__(self, controls: Controls, act: Act) -> None:
        self.controls = controls
        self._tutor = Button("Tutor", partial(act, controls.toggle_tutor), "switch")
        Tag("button", "♪", "switch sound", type="button", aria_label="Sound", aria_pressed="false")
        ui.add_body_html(f"<script>{SOUND.read_text()}</script>")

    def show(self) -> None:
        """Show what is on."""
        on = self.controls.session.tutor
        self._tutor.text = f"Tutor {'on' if on else 'off'}"
        self._tutor.set(aria_pressed="true" if on else "false")


class Keys:
    """What the keys do."""

    def __init__(self, controls: Controls) -> None:
        self.controls = controls
        dice = f"1–{DIE_KEYS[controls.session.game.rules.dice - 1]}"
        with Tag("details", classes="keys") as self._list:
            Tag("summary", "Keys")
            with Tag("dl"):
                for key, what in {dice: "keep a die, or let it go", **KEYS}.items():
                    Tag("dt", key)
                    Tag("dd", what)

    def show(self) -> None:
        """Open the list, or close it."""
        self._list.set(open=True if self.controls.help else None)
