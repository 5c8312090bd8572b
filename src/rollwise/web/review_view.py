"""A game judged, to step through: by buttons, arrow keys, swipes, and the dots of its course."""

from collections.abc import Callable, Sequence
from functools import partial

from nicegui import ui
from nicegui.events import GenericEventArguments, KeyEventArguments

from rollwise.game.actions import Keep, Score
from rollwise.game.notation import format_action, format_position
from rollwise.game.records.record import Record
from rollwise.game.scorecard import card_rows
from rollwise.reviews.decisions import DecisionReview
from rollwise.reviews.grades import MARKS, format_points
from rollwise.reviews.page import (
    chart_of,
    decided_at,
    decisions_html,
    legend_html,
    line_html,
    players_html,
    worst_html,
)
from rollwise.reviews.review import DecisionStep, Review, steps_through
from rollwise.solving.option import Option, format_loss
from rollwise.web.elements import Button, Link, Tag, address, draw_die, name_die

SHOWN = 4
"""Options of a decision, and the one that was played if it is none of them."""

BAD = ("mistake", "blunder")

KEYS = {"ArrowLeft": -1, "ArrowRight": 1}

FOLLOW = """(event) => {
    const link = event.target.closest('a[href^="?step="]');
    const course = event.target.closest('.course');
    if (!link && !course) return;
    event.preventDefault();
    if (course && event.detail) {
        const {left, top, width, height} = course.getBoundingClientRect();
        emit([event.clientX - left, event.clientY - top, width, height]);
    } else if (link) emit(Number(link.getAttribute('href').slice(6)));
}"""
"""A link to a step shows it without the page coming again; a press on the graph leads to a step."""

BEGIN_SWIPE = """(event) => {
    const {clientX, clientY} = event.changedTouches[0];
    Object.assign(event.currentTarget.dataset, {x: clientX, y: clientY});
}"""
END_SWIPE = """(event) => {
    const {x, y} = event.currentTarget.dataset, {clientX, clientY} = event.changedTouches[0];
    const across = clientX - x, down = clientY - y;
    if (Math.abs(across) > 40 && Math.abs(across) > 2 * Math.abs(down)) emit(across < 0 ? 1 : -1);
}"""


class ReviewView:
    """The page of a game that was judged.

    Parameters
    ----------
    number : int
        Of the step that is shown first, from 1.
    """

    def __init__(self, record: Record, reviews: Sequence[Review], number: int) -> None:
        self.record, self.reviews = record, reviews
        self.steps = steps_through(record, reviews)
        self.at = min(max(number, 1), len(self.steps)) - 1
        self.chart = chart_of(reviews)
        self._numbers = {(step.player, step.decision.name): step.number for step in self.steps}

        def step_of(player: int, decision: DecisionReview) -> str:
            return f"?step={self._number(player, decision)}"

        wheres = [partial(step_of, player) for player in range(len(reviews))]
        with Tag("div", classes="reviewed").on("click", self._follow, js_handler=FOLLOW):
            if self.steps:
                self._stepper(wheres)
            self._html(players_html(reviews))
            for one, where in zip(reviews, wheres, strict=True):
                self._html(worst_html(one, where, _all_options))
            for one, where in zip(reviews, wheres, strict=True):
                self._html(decisions_html(one, where))
            self._html(legend_html(reviews))
        if self.steps:
            ui.keyboard(self._press, ignore=["input", "select", "textarea"])
            self.show()

    def show(self) -> None:
        """Show the step at hand, and put it into the address."""
        step = self.steps[self.at]
        self.step.clear()
        with self.step:
            _step(step, self.record, len(self.steps))
        self.cards.clear()
        with self.cards:
            _cards(step, self.record)
        turns = decided_at(self.reviews[step.player], step.decision)
        left = 100 * turns / len(self.record.rules.categories)
        self.cursor.style(f"left: {left:.2f}%")
        for button, there in zip(self.buttons, self._ways(), strict=True):
            button.set(aria_disabled=str(there is None).lower())
        ui.navigate.history.replace(f"?step={step.number}")

    def _stepper(self, wheres: Sequence[Callable[[DecisionReview], str]]) -> None:
        with Tag("section", classes="stepper", aria_label="Step through the game") as stepper:
            with Tag("div", classes="judged"):
                self.step = Tag("div", classes="step", aria_live="polite")
                with Tag("div", classes="steps", role="group", aria_label="Steps"):
                    names = ("First", "Back", "Forward", "Last", "Next mistake")
                    signs = ("«", "‹", "›", "»", "Next mistake")
                    self.buttons = [
                        Button(sign, partial(self._go, way), aria_label=name)
                        for way, (sign, name) in enumerate(zip(signs, names, strict=True))
                    ]
                Tag(
                    "p",
                    "By keys: ← and → step, m goes to the next mistake.",
                    "soft by-keys",
                )
            self.cards = Tag("div", classes="played-card", tabindex="0", role="region")
            self.cards.set(aria_label="Cards")
            with Tag("div", classes="through"):
                Tag("h2", "Expected final score")
                with Tag("div", classes="course-room"):
                    self._html(line_html(self.reviews, wheres))
                    with Tag("div", classes="course-cursor", aria_hidden="true"):
                        self.cursor = Tag("i")
        stepper.on("touchstart", js_handler=BEGIN_SWIPE)
        stepper.on("touchend", lambda event: self._by(event.args), js_handler=END_SWIPE)

    def _ways(self) -> tuple[int | None, ...]:
        """Return where each button leads; None where it leads nowhere."""
        last = len(self.steps) - 1
        after = (*range(self.at + 1, last + 1), *range(self.at))
        mistake = next((i for i in after if self.steps[i].decision.verdict in BAD), None)
        back = self.at - 1 if self.at else None
        forward = self.at + 1 if self.at < last else None
        return (0 if self.at else None, back, forward, last if self.at < last else None, mistake)

    def _go(self, way: int) -> None:
        there = self._ways()[way]
        if there is not None:
            self.at = there
            self.show()

    def _by(self, steps: int) -> None:
        self._go(2 if steps > 0 else 1)

    def _number(self, player: int, decision: DecisionReview) -> int:
        return self._numbers[player, decision.name]

    def _follow(self, event: GenericEventArguments) -> None:
        match event.args:
            case int(told):
                number = min(max(told, 1), len(self.steps))
                ui.run_javascript("document.querySelector('.stepper').scrollIntoView()")
            case [int() | float() as x, int() | float() as y, width, height]:
                number = self._number(*self.chart.nearest((x, y), (width, height)))
            case _:
                return
        self.at = number - 1
        self.show()

    def _press(self, event: KeyEventArguments) -> None:
        modifiers = event.modifiers
        if event.action.keydown and not (modifiers.ctrl or modifiers.alt or modifiers.meta):
            name = str(event.key.name)
            if name in KEYS:
                self._by(KEYS[name])
            elif name in ("Home", "End"):
                self._go(0 if name == "Home" else 3)
            elif name == "m":
                self._go(4)

    @staticmethod
    def _html(text: str) -> None:
        """Show HTML in which all that was given is escaped."""
        ui.html(text, sanitize=False)


def _step(step: DecisionStep, record: Record, number: int) -> None:
    """Show a roll and what was done with it."""
    rules, one, roll = record.rules, step.decision, step.decision.roll
    who = f", {record.players[step.player]}" if len(record.players) > 1 else ""
    with Tag("p", classes="stage"):
        Tag("span", f"Turn {one.turn}{who}: roll {one.number}")
        Tag("span", f"{step.number} of {number}", "soft")
    with Tag("div", classes="dice", role="group", aria_label="Dice"):
        for die, kept in zip(roll.dice, step.kept, strict=True):
            is_kept = kept and isinstance(one.chosen.action, Keep)
            words = f"{name_die(die, rules)}{', kept' if is_kept else ''}"
            with (
                Tag("div", classes="place"),
                Tag("span", classes="die kept" if is_kept else "die", role="img", aria_label=words),
            ):
                draw_die(die, rules)
    luck = f"Luck of this roll {format_points(roll.luck)}"
    Tag("p", f"{luck}: {roll.words}" if roll.words else luck, "soft")
    with Tag("p", classes="judged-as"):
        Tag("b", f"{format_action(rules, one.chosen.action)} ")
        Tag("span", _verdict(one), f"chip is-{one.verdict if one.counted else 'forced'}")
    with Tag("table", classes="hints"):
        for option in _shown(one):
            played = option.action == one.chosen.action
            with Tag("tr", classes="played" if played else ""):
                Tag("td", f"{format_action(rules, option.action)}{' – played' if played else ''}")
                Tag("td", f"{option.value:.2f}", "n")
                Tag("td", format_loss(option), "n")
    best = one.best_was()
    Tag("p", "" if one.chosen.best else f"{best[0].upper()}{best[1:]}.", "why")
    Link("All options", _all_options(one))


def _shown(one: DecisionReview) -> list[Option]:
    first = list(one.options[:SHOWN])
    return first if one.chosen in first else [*first[:-1], one.chosen]


def _verdict(one: DecisionReview) -> str:
    if not one.counted:
        return "forced"
    return (
        f"{one.verdict} {MARKS[one.verdict]} {format_points(-one.loss) if one.loss else ''}".strip()
    )


def _cards(step: DecisionStep, record: Record) -> None:
    """Show the cards of all players, and mark the box that was scored."""
    action = step.decision.chosen.action
    scored = action.category if isinstance(action, Score) else None
    with Tag("table", classes="judged-card"):
        with Tag("thead"), Tag("tr"):
            Tag("th", "Card", scope="col")
            for player, name in enumerate(record.players):
                Tag("th", name, "n turn" if player == step.player else "n", scope="col")
        with Tag("tbody"):
            for row, (title, *cells) in enumerate(card_rows(step.cards)):
                with Tag("tr"):
                    Tag("th", title, scope="row")
                    for player, cell in enumerate(cells):
                        here = row == scored and player == step.player
                        Tag("td", cell, "n scored" if here else "n")


def _all_options(decision: DecisionReview) -> str:
    position = decision.position
    return address("/advise", rules=position.rules.name, position=format_position(position))
