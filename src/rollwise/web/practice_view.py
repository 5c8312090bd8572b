"""The view of a practice session: the scorecard, the question and its answer, and the dice."""

from collections.abc import Awaitable, Callable
from functools import partial

from nicegui.events import KeyEventArguments

from rollwise.game.position import Position
from rollwise.playing.category_codes import DIE_KEYS
from rollwise.playing.game_summary import describe_action
from rollwise.playing.practice import Answer, Practice, QuizInput
from rollwise.web.elements import Button, Tag, draw_die, name_die
from rollwise.web.table.advice import OptionList
from rollwise.web.table.score_card import Press, ScoreCard, ScorecardState
from rollwise.web.table.view import BUTTON_KEYS, key_of

KEYS = "Keys: 1–{last} keep a die, space rolls the others, a code scores, space goes on."


class PracticeView:
    """The view of a session, one question at a time.

    It changes elements in place, so that the layout is stable.

    Parameters
    ----------
    practice : Practice
        A session with at least one question.
    title : str
        The heading of the page.
    because : callable
        Returns the reason why an answer loses points.
    keep : callable
        Called with every first answer.
    finish : callable
        Called after the last answer, once the session is removed from the page.
    """

    def __init__(
        self,
        practice: Practice,
        title: str,
        because: Callable[[Answer], Awaitable[str]],
        keep: Callable[[Answer], Awaitable[None]],
        finish: Callable[[], Awaitable[None]],
    ) -> None:
        self.answering, self.practice = QuizInput(practice), practice
        self._because, self._keep, self._finish = because, keep, finish
        self._reason = ""
        self._shown: tuple[int, ...] = ()
        rules = practice.solution.rules
        with Tag("div", classes="game practice", id="content", tabindex="-1") as self._game:
            with Tag("div", classes="bar"):
                Tag("h1", title)
                self._stage = Tag("p", classes="stage")
            with Tag("div", classes="sheet"):
                self._progress()
                self._card = ScoreCard(rules, ["You"], self._score)
            with Tag("div", classes="tray"):
                self._say()
                self._dice(rules.dice)
                with (
                    Tag("div", classes="actions only"),
                    Press(lambda _: self._act(self._roll_or_go_on), "primary roll") as self._roll,
                ):
                    self._words = Tag("span")
            with Tag("div", classes="beside"):
                self._options = OptionList()
                Tag("p", KEYS.format(last=DIE_KEYS[rules.dice - 1]), "soft keys")
        self.show()

    async def press(self, event: KeyEventArguments) -> None:
        """Handle a key, except space and Enter: see :meth:`press_space`."""
        key = key_of(event)
        if key and key not in BUTTON_KEYS:
            await self._act(lambda: self.answering.press(key.removeprefix("arrow")))

    async def press_space(self, event: KeyEventArguments) -> None:
        """Handle space and Enter; called only if no button has the focus."""
        key = key_of(event)
        if key in BUTTON_KEYS:
            await self._act(lambda: self.answering.press(key))

    async def _act(self, act: Callable[[], None]) -> None:
        """Call ``act`` and show the result; save a first answer, and explain an EV loss."""
        practice, before, number = self.practice, self.practice.answer, len(self.practice.firsts)
        act()
        if practice.question is None:
            self._game.delete()
            await self._finish()
            return
        self._reason = self._reason if practice.answer is before else ""
        self.show()
        answer = practice.answer
        if answer is None or answer is before:
            return
        if len(practice.firsts) > number:
            await self._keep(answer)
        if not answer.chosen.best:
            reason = await self._because(answer)
            if practice.answer is answer:
                self._reason = reason
                self.show()

    async def _score(self, category: int, _: str) -> None:
        await self._act(lambda: self.answering.choose(category))

    def _roll_or_go_on(self) -> None:
        if self.practice.answer is None:
            self.answering.roll()
        else:
            self.answering.go_on()

    def _progress(self) -> None:
        with Tag("div", classes="progress", role="img") as self._row:
            self._signs = [Tag("i") for _ in range(self.practice.number)]
        with Tag("p", classes="so-far"):
            self._so_far, self._points = Tag("span"), Tag("span")

    def _say(self) -> None:
        with (
            Tag("div", classes="say") as self._box,
            Tag("div", role="status", aria_live="polite"),
        ):
            self._said, self._more = Tag("p", classes="words"), Tag("p", classes="more")
        with self._box:
            self._all = Button("All options", self._options_open, "options")

    def _options_open(self) -> None:
        self._options.open()

    def _dice(self, number: int) -> None:
        self._places: list[tuple[Button, Tag]] = []
        with Tag("div", classes="dice", role="group", aria_label="Dice"):
            for index in range(number):
                toggle = partial(self.answering.toggle, index)
                with Tag("div", classes="place"):
                    die = Button("", partial(self._act, toggle), "die")
                    self._places.append((die, Tag("span", classes="mark", aria_hidden="true")))

    def show(self) -> None:
        """Show the question, and the review of the answer."""
        position, answer = self.answering.position, self.practice.answer
        if position is None or position.card is None:
            return
        self._stage.text = self.answering.words()
        best = answer.options[0].action if answer else None
        possible = {} if answer else self.answering.possible()
        category, naming = getattr(best, "category", None), position.legal_kinds[-1]
        self._card.show(ScorecardState([position.card], 0, possible, category, naming=naming))
        self._show_progress(position.card.points)
        self._show_dice(position)
        self._show_answer(position, answer)

    def _show_progress(self, points: int) -> None:
        practice = self.practice
        for sign, verdict in zip(self._signs, practice.marks(), strict=True):
            sign.set(data_verdict=verdict or "open")
        lost = f", {practice.loss:.2f} points lost" if practice.loss else ""
        result = f"{practice.right} of {len(practice.firsts)} best{lost}"
        self._row.set(aria_label=f"{len(practice.firsts)} of {practice.number} answered, {result}")
        self._so_far.text = f"{result}, once more" if practice.is_repeated else result
        self._points.text = f"Total {points}"

    def _show_dice(self, position: Position) -> None:
        dice, rules = self.answering.tray, position.rules
        changed = dice.faces != self._shown
        self._shown = dice.faces
        for (die, mark), face, held in zip(self._places, dice.faces, dice.held, strict=True):
            if changed:
                die.clear()
                with die:
                    draw_die(face, rules)
            index = self._places.index((die, mark))
            die.set(
                aria_label=f"die {index + 1}: {name_die(face, rules)}{', kept' if held else ''}",
                aria_pressed="true" if held else "false",
                data_face=str(face),
            )
            mark.text = "keep" if held else DIE_KEYS[index]

    def _show_answer(self, position: Position, answer: Answer | None) -> None:
        rolling = self.answering.to_roll
        self._words.text = (
            "Next"
            if answer
            else f"Roll {rolling} {'die' if rolling == 1 else 'dice'}"
            if rolling
            else "Announce a box"
            if position.awaits_announcement
            else "Choose a box"
        )
        self._roll.set(aria_disabled=str(not (answer or rolling)).lower())
        self._box.set(data_verdict=answer.verdict if answer else "open")
        self._said.text = self.answering.said() or "What is best?"
        self._more.text = ""
        if answer:
            self._said.text = answer.words(describe_action)
            self._more.text = " ".join(filter(None, [self._reason, answer.then(describe_action)]))
        self._all.visible = answer is not None
        options, chosen = (answer.options, answer.chosen) if answer else ([], None)
        self._options.show(position.rules, options, None if chosen and chosen.best else chosen)
