"""What one window shows of a game; elements are changed in place, so that nothing jumps."""

from collections.abc import Awaitable, Callable
from functools import partial

from nicegui.events import KeyEventArguments

from rollwise.game.notation import format_action
from rollwise.game.scorecard import Scorecard
from rollwise.playing.codes import DIE_KEYS, code_of
from rollwise.playing.controls import Controls
from rollwise.playing.session import Session
from rollwise.solving.option import Option, format_loss
from rollwise.web.elements import Button, Link, Tag, TextLine, card_halves, draw_die, name_die
from rollwise.web.live import LiveGame
from rollwise.web.token import READ_ONLY

KEYS = {
    "space, r": "roll the others",
    "a code": "score: fh, ss, y …; s before a number: s1, s3k",
    "h, u, t": "hint, undo, tutor on or off",
    "?": "this list",
}
HINTS = 8

BUTTON_KEYS = (" ", "enter")
"""A button that has the focus knows them itself."""


class GameView:
    """A game: stage, dice, buttons, messages, advice, card.

    Parameters
    ----------
    live : LiveGame
    may_play : bool
        Whether who looks at it may do more than that.
    """

    def __init__(self, live: LiveGame, *, may_play: bool) -> None:
        self.live, self.may_play = live, may_play
        self.controls = Controls(live.session)
        self.options: list[Option] = []
        self._updates: list[Callable[[], None]] = []
        with Tag("div", classes="table"):
            with Tag("div", classes="felt"):
                self._head()
                self._dice()
                self._buttons()
                self._message()
            with Tag("aside", classes="side", aria_label="Advice"):
                self._hints()
                self._keys()
            with Tag("div", classes="cards"):
                self._card()
        self.show()

    @property
    def session(self) -> Session:
        """The game that is shown."""
        return self.live.session

    def show(self) -> None:
        """Show how the game stands."""
        self.options = self.controls.options()
        for update in self._updates:
            update()

    async def press(self, event: KeyEventArguments) -> None:
        """Do what a key means; those that press a button are left to :meth:`press_space`."""
        key = _key(event)
        if key and key not in BUTTON_KEYS:
            await self._do(lambda: self.controls.press(key))

    async def press_space(self, event: KeyEventArguments) -> None:
        """Do what space and Enter mean, where no button has the focus."""
        key = _key(event)
        if key in BUTTON_KEYS:
            await self._do(lambda: self.controls.press(key))

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
            self.live.tell()

    def _act(self, act: Callable[[], None]) -> Callable[[], Awaitable[None]]:
        return lambda: self._do(act)

    def _head(self) -> None:
        with Tag("div", classes="players"):
            players = [Tag("span", classes="player") for _ in self.session.game.players]
        stage = Tag("p", classes="stage")

        def update() -> None:
            game = self.session.game
            for number, (tag, card) in enumerate(zip(players, game.stage.cards, strict=True)):
                tag.text = f"{game.players[number]} {card.points}"
                turn = number == game.stage.player and not game.is_over
                tag.set(data_turn="true" if turn else "false")
            stage.text = self.session.words()

        self._updates.append(update)

    def _dice(self) -> None:
        rules = self.session.game.rules
        shown: list[int | None] = [None] * rules.dice
        dice: list[tuple[Button, Tag]] = []
        with Tag("div", classes="dice", role="group", aria_label="Dice"):
            for place in range(rules.dice):
                with Tag("div", classes="place"):
                    die = Button("", self._act(partial(self.controls.toggle, place)), "die")
                    dice.append((die, Tag("span", classes="mark", aria_hidden="true")))

        def update() -> None:
            tray = self.session.tray
            for place, (die, mark) in enumerate(dice):
                face = tray.faces[place] if tray.faces else None
                held = bool(tray.held) and tray.held[place]
                words = name_die(face, rules) if face else "not rolled"
                if face != shown[place]:
                    shown[place] = face
                    die.clear()
                    with die:
                        draw_die(face, rules)
                die.set(
                    aria_label=f"die {place + 1}: {words}{', kept' if held else ''}",
                    aria_pressed="true" if held else "false",
                    aria_disabled=str(not face).lower(),
                )
                mark.text = "keep" if held else DIE_KEYS[place]

        self._updates.append(update)

    def _buttons(self) -> None:
        controls, manual = self.controls, self.session.seed is None
        with Tag("div", classes="buttons"):
            if manual:
                line = TextLine("All dice on the table", "", self._roll_typed, maxlength=40)
            else:
                roll = Button("Roll", self._act(controls.roll), "primary")
            Button("Hint", self._act(controls.toggle_hint))
            Button("Undo", self._act(controls.undo))
            tutor = Button("Tutor", self._act(controls.toggle_tutor))

        def update() -> None:
            session = self.session
            tutor.text = f"Tutor {'on' if session.tutor else 'off'}"
            tutor.set(aria_pressed="true" if session.tutor else "false")
            if manual:
                line.show("")
            else:
                roll.text = f"Roll {session.to_roll}" if session.to_roll else "Roll"
                able = session.may_roll and not session.is_robots_turn
                roll.set(aria_disabled=str(not able).lower())

        self._updates.append(update)

    async def _roll_typed(self, text: str) -> None:
        if text.strip():
            await self._do(lambda: self.controls.roll_typed(text))

    def _message(self) -> None:
        controls = self.controls
        with Tag("div", classes="message"):
            words = Tag("p", role="status", aria_live="polite")
            with Tag("div", classes="answers") as answers:
                Button("Play anyway (p)", self._act(controls.play_anyway))
                Button("Think again (t)", self._act(controls.think_again))
                Button("Show the best (b)", self._act(controls.show_best))
            review = Link("Review this game", f"/review/{self.live.id}", "button primary")

        def update() -> None:
            session, said = self.session, controls.words()
            if self.options and not said:
                best = self.options[0]
                action = format_action(session.game.rules, best.action)
                said = f"Best: {action}, expected final score {best.value:.2f}."
            words.text = said or self.live.trouble or session.news
            answers.visible = controls.caution is not None
            review.visible = session.game.is_over

        self._updates.append(update)

    def _hints(self) -> None:
        Tag("h2", "Best play")
        empty = Tag("p", "Press h, or Hint, to see it.", "soft")
        rows: list[tuple[Tag, Tag, Tag]] = []
        with Tag("table", classes="hints") as hints:
            with Tag("thead"), Tag("tr"):
                Tag("th", "option", scope="col")
                Tag("th", "value", "n", scope="col")
                Tag("th", "loss", "n", scope="col")
            with Tag("tbody"):
                for _ in range(HINTS):
                    with Tag("tr"):
                        rows.append((Tag("td"), Tag("td", classes="n"), Tag("td", classes="n")))

        def update() -> None:
            options = self.options
            hints.visible, empty.visible = bool(options), not options
            rules = self.session.game.rules
            for number, (action, value, loss) in enumerate(rows):
                option = options[number] if number < len(options) else None
                action.text = format_action(rules, option.action) if option else ""
                value.text = f"{option.value:.2f}" if option else ""
                loss.text = format_loss(option) if option else ""

        self._updates.append(update)

    def _keys(self) -> None:
        with Tag("details", classes="keys") as keys:
            Tag("summary", "Keys")
            with Tag("dl"):
                dice = f"1–{DIE_KEYS[self.session.game.rules.dice - 1]}"
                for key, what in {dice: "keep a die, or let it go", **KEYS}.items():
                    Tag("dt", key)
                    Tag("dd", what)
        self._updates.append(lambda: keys.set(open=True if self.controls.help else None))

    def _card(self) -> None:
        rules = self.session.game.rules
        for section, boxes in card_halves(rules):
            for k in boxes:
                self._box(k)
            if section == "upper" and rules.upper_bonus:
                self._sum("Upper bonus", _upper_words)
            if section == "lower" and rules.extra_bonus:
                self._sum("Extra bonus", lambda card: str(card.extra_bonus))
            if section == "lower":
                self._sum("Total", lambda card: str(card.points))

    def _box(self, k: int) -> None:
        rules = self.session.game.rules
        title = rules.categories[k].title
        with Button("", self._act(partial(self.controls.score, k)), "box") as box:
            Tag("span", code_of(rules, k), "code", aria_hidden="true")
            Tag("span", title, "title")
            points = Tag("span", classes="points")

        def update() -> None:
            session = self.session
            filled = session.game.card.boxes[k]
            move = session.possible().get(k)
            if filled is not None:
                points.text, state = str(filled), "filled"
            elif move is None or session.is_robots_turn:
                points.text, state = "", "open"
            else:
                points.text = f"{move.points} + {move.extra}" if move.extra else str(move.points)
                state = "possible"
            box.set(
                data_state=state,
                aria_disabled=str(state != "possible").lower(),
                aria_label=f"{title}: {points.text or 'open'}"
                + (", score it" if state == "possible" else ""),
            )

        self._updates.append(update)

    def _sum(self, title: str, words: Callable[[Scorecard], str]) -> None:
        with Tag("div", classes="sum"):
            Tag("span", title, "title")
            points = Tag("span", classes="points")

        def update() -> None:
            points.text = words(self.session.game.card)

        self._updates.append(update)


def _upper_words(card: Scorecard) -> str:
    bonus = card.rules.upper_bonus
    assert bonus is not None
    return f"{card.upper_bonus} ({card.upper} of {bonus.next_step(card.upper)})"


def _key(event: KeyEventArguments) -> str:
    """Return the key that was pressed, as the controls call it; nothing for a shortcut."""
    modifiers = event.modifiers
    shortcut = modifiers.ctrl or modifiers.alt or modifiers.meta
    if shortcut or event.action.repeat or not event.action.keydown:
        return ""
    name = str(event.key.name)
    return name if len(name) == 1 else name.lower()
