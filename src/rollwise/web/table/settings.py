"""What is switched on or off at the table: the tutor, sound; and what the keys do."""

from functools import partial
from pathlib import Path

from nicegui import ui

from rollwise.playing.codes import DIE_KEYS
from rollwise.playing.controls import Controls
from rollwise.web.elements import Button, Tag
from rollwise.web.table.tray import Act

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
