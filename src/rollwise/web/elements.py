"""HTML elements with text, which is never markup, and what all pages have around them.

The colours of faces, in games whose dice have them.

Which of several laws a page shows, where play that is equally good has more than one.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from nicegui import ui
from nicegui.element import Element
from nicegui.elements.mixins.text_element import TextElement

from rollwise.errors import InputError
from rollwise.rules import Rules

FAILED = "something went wrong here; nothing that was kept is lost: expected to be loaded again"

EMIT_VALUE = "(event) => emit(event.target.value)"

IN_ORDER = """<script>
    Object.defineProperty(window, "did_handshake", {get: () => true, set() {}});
</script>"""
"""What is done before a page is connected waits in its socket, in the order in which it was done:
NiceGUI would wait with a timer for each event, so that later ones may overtake earlier ones."""

STYLE = "\n".join(
    path.read_text() for path in sorted((Path(__file__).parent / "style").glob("*.css"))
)

SECTIONS = {
    "/": "Play",
    "/advise": "Advice",
    "/practice": "Practice",
    "/review": "Review",
    "/proficiency": "Proficiency",
    "/statistics": "Statistics",
    "/compare": "Compare",
    "/targets": "Targets",
}

PIPS = {
    1: ["22"],
    2: ["11", "33"],
    3: ["11", "22", "33"],
    4: ["11", "13", "31", "33"],
    5: ["11", "13", "22", "31", "33"],
    6: ["11", "13", "21", "23", "31", "33"],
}
"""Where the pips of a face are: row and column of a 3 by 3 grid."""


class Tag(TextElement):
    """An element of any name; its text is shown as it is."""

    def __init__(self, name: str, text: str = "", classes: str = "", **attributes: Any) -> None:
        super().__init__(tag=name, text=text)
        if classes:
            self.classes(classes)
        self.set(**attributes)

    def set(self, **attributes: Any) -> None:
        """Set attributes; a trailing _ is dropped, other _ become -; None takes one away.

        What is as it was is not sent to the browser again.
        """
        before = dict(self.props)
        for name, value in attributes.items():
            key = name.rstrip("_").replace("_", "-")
            if value is None:
                self.props.pop(key, None)
            else:
                self.props[key] = value
        if self.props != before:
            self.update()


class Button(Tag):
    """A button; ``keyboard`` ones do not take the focus when they are clicked."""

    def __init__(
        self, text: str, act: Callable[[], Any], classes: str = "", **attributes: Any
    ) -> None:
        super().__init__("button", text, classes, type="button", **attributes)
        self.on("click", lambda: act())
        self.on("mousedown", js_handler="(event) => event.preventDefault()")


class ChoiceList(Element):
    """A list to choose from, with its label; what was chosen stays whatever else is shown anew."""

    def __init__(
        self, label: str, options: Mapping[str, str], value: str, act: Callable[[str], Any]
    ) -> None:
        super().__init__("label")
        self.classes("field")
        with self:
            Tag("span", label)
            self.list = Element("select")
            self.list.props["aria-label"] = label
            with self.list:
                for key, text in options.items():
                    Tag("option", text, value=key, selected=True if key == value else None)
        self.list.on(
            "change",
            lambda event: act(event.args),
            js_handler=EMIT_VALUE,
        )


def choose_page(
    label: str, options: Mapping[str, str], path: str, key: str, **query: str
) -> ChoiceList:
    """Show a list of other addresses of a page: the one at hand with another value of ``key``."""

    def go(value: str) -> None:
        ui.navigate.to(address(path, **{**query, key: value}))

    return ChoiceList(label, options, query[key], go)


class TextLine(Element):
    """A line of text to type, with its label; what is typed stays whatever else is shown anew.

    Parameters
    ----------
    act : callable
        Called with the text on Enter and on leaving the line.
    at_once : bool
        Whether it is called on every letter instead.

    Attributes
    ----------
    shown : str
        What it was made to show last; what was typed since is told by ``act``.
    """

    def __init__(
        self,
        label: str,
        value: str,
        act: Callable[[str], Any],
        *,
        at_once: bool = False,
        **attributes: Any,
    ) -> None:
        super().__init__("label")
        self.classes("field")
        self.shown = self._heard = value
        self._act = act
        with self:
            Tag("span", label)
            # As an attribute: the property would be set again with every change of the page.
            initial = {"^value": value}
            self.input = Tag("input", type="text", autocomplete="off", **attributes, **initial)
        self.input.on(
            "input" if at_once else "change",
            lambda event: self._hear(event.args),
            js_handler=EMIT_VALUE,
        )

    def show(self, value: str) -> None:
        """Show another value, unless somebody is typing since."""
        before, self.shown, self._heard = self._heard, value, value
        ui.run_javascript(
            f"const line = getElement({self.input.id});"
            f"if (line.value === {json.dumps(before)}) line.value = {json.dumps(value)};"
        )

    def _hear(self, text: str) -> Any:
        self._heard = text
        return self._act(text)


class Tick(Element):
    """A box to tick, with its label."""

    def __init__(self, label: str, value: bool, act: Callable[[bool], Any]) -> None:
        super().__init__("label")
        self.classes("tick")
        with self:
            box = Tag("input", type="checkbox", checked=True if value else None)
            Tag("span", label)
        box.on(
            "change",
            lambda event: act(event.args),
            js_handler="(event) => emit(event.target.checked)",
        )


class Link(Tag):
    """A link within the site."""

    def __init__(self, text: str, path: str, classes: str = "", **query: str) -> None:
        super().__init__("a", text, classes, href=address(path, **query))


def address(path: str, **query: str) -> str:
    """Return the address of a page."""
    return f"{path}?{urlencode(query)}" if query else path


def card_halves(rules: Rules) -> Iterator[tuple[str, list[int]]]:
    """Yield each section of a card with its boxes; what the caller draws stands within it."""
    for section in ("upper", "lower"):
        with Tag("section", classes="half", aria_label=f"{section.title()} section"):
            yield section, [k for k, c in enumerate(rules.categories) if c.section == section]


def draw_die(die: int | None, rules: Rules) -> None:
    """Draw a die within the element at hand: pips up to six, else a number; hidden from readers.

    Pips have the colour that the game gives their face; dice of another kind show numbers in a
    diamond.
    """
    if die is not None and die in PIPS and die <= rules.faces <= 6:
        colour = f" colour-{colours_of(rules)[die]}" if die in colours_of(rules) else ""
        for place in PIPS[die]:
            Tag("span", classes=f"pip r{place[0]} c{place[1]}{colour}", aria_hidden="true")
    elif die is not None:
        kind = "number" if die <= rules.faces else "number other"
        Tag("span", str(*rules.shown((die,))), classes=kind, aria_hidden="true")


def name_die(die: int, rules: Rules) -> str:
    """Return what a reader hears of a die."""
    numbers = next(rules.shown(symbols) for symbols in rules.symbols if die in symbols)
    number = str(*rules.shown((die,)))
    return number if die <= rules.faces else f"{number} of {numbers[0]} to {numbers[-1]}"


def show_facts(facts: Mapping[str, str]) -> None:
    """Show numbers with their names."""
    with Tag("dl", classes="facts"):
        for name, value in facts.items():
            with Tag("div"):
                Tag("dt", name)
                Tag("dd", value)


def table(
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    label: str,
    numbers: Sequence[int] = (),
) -> None:
    """Show a table; the columns in ``numbers`` are set to the right."""
    with (
        Tag("div", classes="scroll", tabindex="0", role="region", aria_label=label),
        Tag("table"),
    ):
        with Tag("thead"), Tag("tr"):
            for column, heading in enumerate(headings):
                Tag("th", heading, "n" if column in numbers else "", scope="col")
        with Tag("tbody"):
            for row in rows:
                with Tag("tr"):
                    for column, cell in enumerate(row):
                        Tag("td", cell, "n" if column in numbers else "")


@contextmanager
def page(title: str, section: str = "", *, wide: bool = False) -> Iterator[None]:
    """Lay a page out: the sections of the site, a title, and room for the rest."""
    head(title, section)
    with Tag("div", classes="page wide" if wide else "page", id="content", tabindex="-1"):
        Tag("h1", title)
        yield


def head(title: str, section: str) -> None:
    """Begin a page: its title in the window, and the sections of the site; a menu on a phone."""
    ui.add_head_html(IN_ORDER)
    ui.add_css(STYLE)
    ui.on_exception(_say_why)
    ui.page_title(f"{title} – rollwise")
    Tag("a", "Skip to the content", "skip", href="#content")
    with Tag("header", classes="site"), Tag("div", classes="strip"):
        Tag("a", "rollwise", "home", href="/")
        Tag("button", "Menu", "menu", type="button", popovertarget="sections")
        with Tag("nav", aria_label="Sections", id="sections", popover="auto"):
            for path, text in SECTIONS.items():
                Tag("a", text, href=path, aria_current="page" if path == section else None)


def _say_why(error: Exception) -> None:
    """Say why a page that is shown already will not be finished."""
    words = str(error) if isinstance(error, InputError) else FAILED
    Tag("p", f"{words[:1].upper()}{words[1:]}.", "problem failed", role="alert")


@cache
def colours_of(rules: Rules) -> dict[int, int]:
    """Return the number of the colour of each face, from 0; nothing where dice have one colour.

    A game has colours if it has a flush: a box whose dice are all among some faces, or all among
    some others.
    """
    for category in rules.categories:
        pattern = category.pattern
        if pattern.kind == "either":
            among = [one.faces for one in pattern.of if one.kind == "among"]
            if len(among) == len(pattern.of):
                return {face: number for number, faces in enumerate(among) for face in faces}
    return {}


TIES = {"more-dice": "keep more dice", "fewer-dice": "keep fewer dice"}
"""What the best play does where two keeps are equally good."""

TIES_OR_ALL = {**TIES, "all": "keep more dice, and what all come to"}
"""Also asked for: between which SDs all that is equally good lies."""


def known_ties(asked: str, offered: Mapping[str, str] = TIES) -> str:
    """Return the rule for ties that an address asks for, or the usual one."""
    return asked if asked in offered else "more-dice"


def print_tie_rules(rules: Iterable[str | None]) -> None:
    """Say which rules for ties the laws of a page are of."""
    for rule in dict.fromkeys(filter(None, rules)):
        Tag("p", f"Play equally good may have another law; here {rule}.", "soft")
