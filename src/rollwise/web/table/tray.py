"""The dice and what is done with them, where the thumb is."""

from collections.abc import Awaitable, Callable
from functools import partial

from rollwise.game.actions import Keep
from rollwise.game.events import Roll
from rollwise.playing.category_codes import DIE_KEYS
from rollwise.playing.controls import Controls
from rollwise.solving.option import Option
from rollwise.web.elements import Button, Tag, TextLine, draw_die, name_die
from rollwise.web.table.score_card import Press

Act = Callable[[Callable[[], None]], Awaitable[None]]
"""Does something at the table, and shows it to everybody."""

ActIfShown = Callable[[str, Callable[[], None]], Awaitable[None]]
"""The same, if the game is still where somebody saw it."""


class DiceTray:
    """The dice as they lie: kept ones are set apart, rolled ones move, hinted ones are marked."""

    def __init__(self, controls: Controls, act: Act) -> None:
        self.controls, rules = controls, controls.session.game.rules
        self._shown: list[int | None] = [None] * rules.dice
        self._dice: list[tuple[Button, Tag]] = []
        with Tag("div", classes="dice", role="group", aria_label="Dice"):
            for place in range(rules.dice):
                with Tag("div", classes="place"):
                    die = Button("", partial(act, partial(controls.toggle, place)), "die")
                    self._dice.append((die, Tag("span", classes="mark", aria_hidden="true")))

    def show(self, best: Option | None) -> None:
        """Show the dice, and which of them the best option keeps."""
        session, rules = self.controls.session, self.controls.session.game.rules
        tray, rolls = session.tray, [e for e in session.game.events if isinstance(e, Roll)]
        wanted = [False] * rules.dice
        if best is not None and isinstance(best.action, Keep):
            wanted = list(tray.hold(best.action.dice).held)
        for place, (die, mark) in enumerate(self._dice):
            face = tray.faces[place] if tray.faces else None
            held = bool(tray.held) and tray.held[place]
            if face != self._shown[place]:
                self._shown[place] = face
                die.clear()
                with die:
                    draw_die(face, rules)
            if face and not held and session.roll_number:
                die.set(data_roll=str(len(rolls) % 2))
            words = name_die(face, rules) if face else "not rolled"
            advised = ", to be kept" if wanted[place] else ""
            die.set(
                aria_label=f"die {place + 1}: {words}{', kept' if held else ''}{advised}",
                aria_pressed="true" if held else "false",
                aria_disabled=str(not face).lower(),
                data_face=str(face) if face else None,
                data_best="true" if wanted[place] else None,
            )
            mark.text = "keep" if held else DIE_KEYS[place]


class TurnButtons:
    """Hint, roll, undo; where dice are real, a line for what they show."""

    def __init__(self, controls: Controls, act: Act, act_if_shown: ActIfShown) -> None:
        self.controls, self._act = controls, act
        session = controls.session
        with Tag("div", classes="actions"):
            self._hint = Button("Hint", partial(act, controls.toggle_hint), "flank")
            if session.seed is None:
                self._line = TextLine(
                    "All dice on the table", "", self._type, maxlength=40,
                    placeholder=f"{session.game.rules.dice} numbers, as they lie",
                    inputmode="numeric",
                )  # fmt: skip
            else:
                with Press(
                    lambda shown: act_if_shown(shown, controls.roll), "primary roll"
                ) as roll:
                    self._words, self._left = Tag("span"), Tag("span", classes="left")
                self._left.set(aria_hidden="true")
                self._roll = roll
            Button("Undo", partial(act, controls.undo), "flank")

    def show(self) -> None:
        """Show what can be done."""
        session = self.controls.session
        self._hint.set(aria_pressed="true" if self.controls.hint else "false")
        if session.seed is None:
            return
        able = session.may_roll and not session.is_bots_turn
        self._roll.set(aria_disabled=str(not able).lower())
        self._words.text = self._text(able)
        left = session.game.stage.rolls_left if able else 0
        self._left.text = "●" * left

    def _text(self, able: bool) -> str:
        session = self.controls.session
        if able and not session.to_roll:
            return "Roll the dice"
        if able:
            return f"Roll {session.to_roll} {'die' if session.to_roll == 1 else 'dice'}"
        if session.game.is_over:
            return "The game is over"
        if session.is_bots_turn:
            return f"{session.game.players[session.game.stage.player]} plays"
        if session.awaits_announcement:
            return "Announce a box"
        return "Let a die go, or score" if session.game.stage.rolls_left else "Choose a box"

    async def _type(self, text: str) -> None:
        """Take a roll of real dice; what was refused stays there to be mended."""
        if text.strip():
            before = self.controls.session.game.events
            await self._act(lambda: self.controls.roll_typed(text))
            if self.controls.session.game.events != before:
                self._line.show("")
