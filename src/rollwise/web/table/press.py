"""Buttons that let a game go on; a burst of clicks is one."""

from collections.abc import Awaitable, Callable

from rollwise.web.elements import Tag

TELL_WHAT_WAS_SHOWN = """(event) => {
    if (event.detail < 2) emit(event.currentTarget.closest("[data-shown]")?.dataset.shown ?? "");
}"""
"""The browser counts the clicks of a burst: the second is none of its own. A key that presses a
button counts as no click."""


class Press(Tag):
    """A button that lets a game go on.

    Parameters
    ----------
    act : callable
        Called with what ``data-shown`` of an element around it said when it was pressed: how far
        the game was on the screen that somebody saw.
    """

    def __init__(self, act: Callable[[str], Awaitable[None]], classes: str) -> None:
        super().__init__("button", "", classes, type="button")
        self.on("mousedown", js_handler="(event) => event.preventDefault()")
        self.on("click", lambda event: act(str(event.args)), js_handler=TELL_WHAT_WAS_SHOWN)
