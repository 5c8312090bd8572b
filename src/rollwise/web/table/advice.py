"""Advice where the eye is: a line above the dice, all options, the tutor over the dice."""

from collections.abc import Callable
from functools import partial
from html import escape

from nicegui import ui

from rollwise.playing.controls import Controls
from rollwise.playing.game_summary import describe_action, describe_last_event
from rollwise.playing.session import TAKEN_BACK
from rollwise.reviews.grades import format_points
from rollwise.rules import Rules
from rollwise.solving.option import Option, format_loss
from rollwise.web.elements import Button, Tag
from rollwise.web.table.tray import Act

INVITATION = "Roll, {first}touch the dice to keep, then a box to score."


class StatusLine:
    """One line: what a hint says, what is typed, what happened."""

    def __init__(self, controls: Controls) -> None:
        self.controls = controls
        with Tag("div", classes="say"):
            with Tag("div", classes="said"):
                with Tag("div", role="status", aria_live="polite"):
                    self._words, self._more = Tag("p", classes="words"), Tag("p", classes="more")
                self._coming = Tag("p", classes="coming")
            self._all = Button("All options", self._open, "options")
        self.sheet: OptionList | None = None

    @property
    def _invitation(self) -> str:
        announced = self.controls.session.game.rules.announced
        return INVITATION.format(first="announce a box, " * announced)

    def _open(self) -> None:
        if self.sheet is not None:
            self.sheet.open()

    def show(
        self,
        options: list[Option],
        trouble: str,
        because: Callable[[Option], str],
        coming: str,
    ) -> None:
        """Show what there is to say; of a hint value, spread and what the second best costs.

        Parameters
        ----------
        because : callable
            What makes the best option better than another one.
        coming : str
            What is said of hints that are not there yet.
        """
        session, said, more = self.controls.session, self.controls.words(), ""
        if self.controls.caution is not None:
            said = ""  # the tutor says it himself
        if options and not said:
            rules, best = session.game.rules, options[0]
            spread = "" if best.sd is None else f" ± {best.sd:.0f}"
            said = f"{describe_action(rules, best.action)}: {best.value:.1f}{spread}"
            other = self.controls.doubted or next((one for one in options if not one.best), None)
            if other is not None:
                reason = because(other)
                more = f"{describe_action(rules, other.action)} costs {format_loss(other)}"
                more += f", because of {reason}" if reason else ""
        happened = session.news if session.news == TAKEN_BACK else describe_last_event(session.game)
        self._words.text = _sentence(said or trouble) or happened or self._invitation
        self._more.text, self._coming.text = more, coming
        self._all.visible = bool(options)


class OptionList:
    """All options, best first: beside the table, or as a sheet where there is no room."""

    def __init__(self) -> None:
        with Tag("aside", classes="advice", aria_label="Advice", data_open="false") as self._side:
            with Tag("div", classes="head"):
                Tag("h2", "Best play")
                Button("Close", self.close, "close")
            self._empty = Tag("p", "A hint shows here what every choice is worth.", "soft")
            with Tag("div", classes="hints scroll", tabindex="0", role="region") as self._region:
                self._rows = ui.html(sanitize=False)
            self._region.set(aria_label="All options")

    def open(self) -> None:
        """Show the sheet."""
        self._side.set(data_open="true")

    def close(self) -> None:
        """Put the sheet away."""
        self._side.set(data_open="false")

    def show(self, rules: Rules, options: list[Option], doubted: Option | None) -> None:
        """Show options, and which one the tutor warned of."""
        self._region.visible, self._empty.visible = bool(options), not options
        if not options:
            self.close()
        rows = "".join(
            f"<tr{' class=doubted' if option == doubted else ''}>"
            f"<td>{escape(describe_action(rules, option.action))}</td>"
            f"<td class=n>{option.value:.2f}</td>"
            f"<td class=n>{'' if option.sd is None else f'± {option.sd:.0f}'}</td>"
            f"<td class=n>{format_loss(option)}</td></tr>"
            for option in options
        )
        head = "".join(
            f'<th scope="col"{" class=n" if number else ""}>{word}</th>'
            for number, word in enumerate(("choice", "value", "±", "loss"))
        )
        self._rows.content = f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


class Warning:
    """What the tutor says of a choice, over the dice, until that is another one or answered."""

    def __init__(self, controls: Controls, act: Act) -> None:
        self.controls = controls
        with Tag(
            "div", classes="warning", role="alertdialog", aria_label="The tutor"
        ) as self._sheet:
            with Tag("div", role="alert"):
                self._head, self._words = Tag("p", classes="head"), Tag("p")
            with Tag("div", classes="answers"):
                for words, key, do in (
                    ("Think again", "t", controls.think_again),
                    ("Show the best", "b", controls.show_best),
                    ("Play anyway", "p", controls.play_anyway),
                ):
                    with Button("", partial(act, do), "primary" if key == "t" else ""):
                        Tag("span", words)
                        Tag("kbd", key, aria_hidden="true")

    def show(self) -> None:
        """Show the warning that stands, if any."""
        caution = self.controls.caution
        self._sheet.visible = caution is not None
        if caution is not None:
            chosen = caution.chosen
            lost = format_points(chosen.loss).removeprefix("+")
            self._head.text = f"{describe_action(self.controls.session.game.rules, chosen.action)}?"
            article = "an" if caution.verdict[0] in "aei" else "a"
            self._words.text = f"It loses {lost} points: {article} {caution.verdict}."


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
