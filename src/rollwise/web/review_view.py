"""The view of a reviewed game: step through it with buttons, arrow keys, swipes, or the chart."""

from collections.abc import Callable, Sequence
from functools import partial

from nicegui import ui
from nicegui.events import GenericEventArguments, KeyEventArguments

from rollwise.game.actions import Keep, Score
from rollwise.game.notation import format_action, format_position
from rollwise.game.records.record import Record
from rollwise.game.scorecard import card_rows
from rollwise.reviews.decision_review import DecisionReview
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
"""The number of options shown for a decision, including the chosen option."""

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
"""Shows a step without a reload after a click on its link or on the chart."""

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
    """The view of a game review.

    Parameters
    ----------
    number : int
        The number of the first step to show, from 1.
    """

    def __init__(self, record: Record, reviews: Sequence[Review], number: int) -> None:
        self.record, self.reviews = record, reviews
        self.steps = steps_through(record, reviews)
        self.at = min(max(number, 1), len(self.steps)) - 1
        self.chart = chart_of(reviews)
        self._numbers = {(step.player, step.decision.name): step.number for step in self.steps}

        def step_of(player: int, decision: DecisionReview) -> str:
            return f"?step={self._number(player, decision)}"

        links = [partial(step_of, player) for player in range(len(reviews))]
        with Tag("div", classes="reviewed").on("click", self._follow, js_handler=FOLLOW):
            if self.steps:
                self._stepper(links)
            self._html(players_html(reviews))
            for review, link in zip(reviews, links, strict=True):
                self._html(worst_html(review, link, _all_options))
            for review, link in zip(reviews, links, strict=True):
                self._html(decisions_html(review, link))
            self._html(legend_html(reviews))
        if self.steps:
            ui.keyboard(self._press, ignore=["input", "select", "textarea"])
            self.show()

    def show(self) -> None:
        """Show the current step, and write its number into the URL."""
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
        for button, target in zip(self.buttons, self._targets(), strict=True):
            button.set(aria_disabled=str(target is None).lower())
        ui.navigate.history.replace(f"?step={step.number}")

    def _stepper(self, links: Sequence[Callable[[DecisionReview], str]]) -> None:
        with Tag("section", classes="stepper", aria_label="Step through the game") as stepper:
            with Tag("div", classes="judged"):
                self.step = Tag("div", classes="step", aria_live="polite")
                with Tag("div", classes="steps", role="group", aria_label="Steps"):
                    names = ("First", "Back", "Forward", "Last", "Next mistake")
                    signs = ("«", "‹", "›", "»", "Next mistake")
                    self.buttons = [
                        Button(sign, partial(self._go, number), aria_label=name)
                        for number, (sign, name) in enumerate(zip(signs, names, strict=True))
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
                    self._html(line_html(self.reviews, links))
                    with Tag("div", classes="course-cursor", aria_hidden="true"):
                        self.cursor = Tag("i")
        stepper.on("touchstart", js_handler=BEGIN_SWIPE)
        stepper.on("touchend", lambda event: self._by(event.args), js_handler=END_SWIPE)

    def _targets(self) -> tuple[int | None, ...]:
        """Return the target step of each button; None for a disabled button."""
        last = len(self.steps) - 1
        after = (*range(self.at + 1, last + 1), *range(self.at))
        mistake = next((i for i in after if self.steps[i].decision.verdict in BAD), None)
        back = self.at - 1 if self.at else None
        forward = self.at + 1 if self.at < last else None
        return (0 if self.at else None, back, forward, last if self.at < last else None, mistake)

    def _go(self, button: int) -> None:
        target = self._targets()[button]
        if target is not None:
            self.at = target
            self.show()

    def _by(self, steps: int) -> None:
        self._go(2 if steps > 0 else 1)

    def _number(self, player: int, decision: DecisionReview) -> int:
        return self._numbers[player, decision.name]

    def _follow(self, event: GenericEventArguments) -> None:
        match event.args:
            case int(step):
                number = min(max(step, 1), len(self.steps))
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
        """Show HTML whose text is already escaped."""
        ui.html(text, sanitize=False)


def _step(step: DecisionStep, record: Record, number: int) -> None:
    """Show a roll and the decision that followed it."""
    rules, decision, roll = record.rules, step.decision, step.decision.roll
    player = f", {record.players[step.player]}" if len(record.players) > 1 else ""
    with Tag("p", classes="stage"):
        Tag("span", f"Turn {decision.turn}{player}: roll {decision.number}")
        Tag("span", f"{step.number} of {number}", "soft")
    with Tag("div", classes="dice", role="group", aria_label="Dice"):
        for die, kept in zip(roll.dice, step.kept, strict=True):
            is_kept = kept and isinstance(decision.chosen.action, Keep)
            words = f"{name_die(die, rules)}{', kept' if is_kept else ''}"
            with (
                Tag("div", classes="place"),
                Tag("span", classes="die kept" if is_kept else "die", role="img", aria_label=words),
            ):
                draw_die(die, rules)
    luck = f"Luck of this roll {format_points(roll.luck)}"
    Tag("p", f"{luck}: {roll.words}" if roll.words else luck, "soft")
    with Tag("p", classes="judged-as"):
        Tag("b", f"{format_action(rules, decision.chosen.action)} ")
        Tag(
            "span",
            _verdict(decision),
            f"chip is-{decision.verdict if decision.counted else 'forced'}",
        )
    with Tag("table", classes="hints"):
        for option in _shown(decision):
            played = option.action == decision.chosen.action
            with Tag("tr", classes="played" if played else ""):
                Tag("td", f"{format_action(rules, option.action)}{' – played' if played else ''}")
                Tag("td", f"{option.value:.2f}", "n")
                Tag("td", format_loss(option), "n")
    best = decision.best_was()
    Tag("p", "" if decision.chosen.best else f"{best[0].upper()}{best[1:]}.", "why")
    Link("All options", _all_options(decision))


def _shown(decision: DecisionReview) -> list[Option]:
    first = list(decision.options[:SHOWN])
    return first if decision.chosen in first else [*first[:-1], decision.chosen]


def _verdict(decision: DecisionReview) -> str:
    if not decision.counted:
        return "forced"
    loss = format_points(-decision.loss) if decision.loss else ""
    return f"{decision.verdict} {MARKS[decision.verdict]} {loss}".strip()


def _cards(step: DecisionStep, record: Record) -> None:
    """Show the scorecards of all players, with a mark on the category that was scored."""
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
                        is_scored = row == scored and player == step.player
                        Tag("td", cell, "n scored" if is_scored else "n")


def _all_options(decision: DecisionReview) -> str:
    position = decision.position
    return address("/advise", rules=position.rules.name, position=format_position(position))
