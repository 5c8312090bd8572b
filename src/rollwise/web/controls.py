"""What a person does at a table, by mouse or keys; the same for every window."""

from collections.abc import Awaitable, Callable

from nicegui.events import KeyEventArguments

from rollwise.errors import InputError
from rollwise.game.notation import parse_dice
from rollwise.game.scorecard import Action, Score
from rollwise.playing.codes import DIE_KEYS, match_code
from rollwise.playing.session import Caution, Session
from rollwise.solving.solution import Option
from rollwise.web.live import Room


class Controls:
    """One person's hands, and what only this person sees: hint, warning, notes.

    Parameters
    ----------
    show : callable
        Shows this window again.
    """

    def __init__(self, room: Room, show: Callable[[], None]) -> None:
        self.room, self.show = room, show
        self.caution: Caution | None = None
        self.hint = False
        self.options: list[Option] = []
        self.help = False
        self.typed = ""
        self.note = ""

    @property
    def session(self) -> Session:
        """The game at this table."""
        return self.room.session

    def read_options(self) -> None:
        """Read the options that a hint shows; none where no hint is wanted."""
        show = self.hint and not self.session.is_robots_turn
        self.options = self.session.options() if show else []

    async def toggle(self, place: int) -> None:
        """Keep a die, or let it go."""
        if not self.session.is_robots_turn and self._try(lambda: self.session.toggle(place)):
            self.room.tell()

    async def roll(self) -> None:
        """Roll the dice that are not kept, if the tutor has nothing to say."""
        session = self.session
        if session.is_robots_turn or not session.may_roll:
            self._say("Nothing to roll: let a die go, or score.")
        elif session.seed is None:
            self._say("Type in what the dice show.")
        elif (keep := session.intended()) is None or not self._warned(keep):
            await self._do(session.roll)

    async def score(self, category: int) -> None:
        """Score the roll, if the tutor has nothing to say."""
        if self.session.is_robots_turn:
            return
        if category not in self.session.possible():
            title = self.session.game.rules.categories[category].title
            self._say(f"{title} cannot be scored here.")
        elif not self._warned(Score(category)):
            await self._do(lambda: self.session.score(category))

    async def type_dice(self, text: str) -> None:
        """Take dice that were rolled by hand."""
        if text.strip():
            rules = self.session.game.rules
            await self._do(lambda: self.session.roll(parse_dice(rules, text)))

    async def undo(self) -> None:
        """Take back the last choice."""
        self.caution = None
        await self._do(self.session.undo)

    async def toggle_hint(self) -> None:
        """Show the best options, or hide them."""
        self.hint = not self.hint
        self._say("")

    async def toggle_help(self) -> None:
        """Show the keys, or hide them."""
        self.help = not self.help
        self.show()

    async def toggle_tutor(self) -> None:
        """Switch the tutor on or off, for everybody at the table."""
        self.session.tutor = not self.session.tutor
        self.note = f"Tutor {'on' if self.session.tutor else 'off'}."
        self.room.tell()

    async def play_anyway(self) -> None:
        """Do what the tutor warned of."""
        caution, self.caution = self.caution, None
        if caution is not None:
            action = caution.chosen.action
            await self._do(lambda: self._carry_out(action))

    async def think_again(self) -> None:
        """Put the choice off."""
        self.caution, self.typed = None, ""
        self._say("")

    async def show_best(self) -> None:
        """Put the choice off, and show the best options."""
        self.caution, self.hint = None, True
        self.show()

    async def press(self, event: KeyEventArguments) -> None:
        """Do what a key means; space and Enter are left to :meth:`press_space`."""
        key = str(event.key.name)
        if not _pressed(event) or key in (" ", "Enter"):
            return
        if self.caution is not None:
            answers = {"p": self.play_anyway, "t": self.think_again, "b": self.show_best}
            if key in answers or event.key.escape:
                await answers.get(key, self.think_again)()
        elif event.key.escape:
            await self.think_again()
        elif self.typed:
            if len(key) == 1:
                await self._type(key)
        else:
            await self._command(key)

    async def press_space(self, event: KeyEventArguments) -> None:
        """Roll on space, complete a code on Enter; not where a button has the focus."""
        if not _pressed(event):
            return
        if event.key.name == " " and self.caution is None:
            await self.roll()
        elif event.key.enter and self.typed:
            await self._type("", complete=True)

    async def _command(self, key: str) -> None:
        commands: dict[str, Callable[[], Awaitable[None]]] = {
            "r": self.roll,
            "h": self.toggle_hint,
            "u": self.undo,
            "t": self.toggle_tutor,
            "?": self.toggle_help,
        }
        if key in commands:
            await commands[key]()
        elif key in DIE_KEYS[: self.session.game.rules.dice]:
            await self.toggle(DIE_KEYS.index(key))
        elif len(key) == 1 and key.isalpha():
            await self._type(key)

    async def _type(self, key: str, *, complete: bool = False) -> None:
        self.typed += key
        game = self.session.game
        match = match_code(game.rules, self.typed, filled=game.card.filled, complete=complete)
        if match.category is not None:
            self.typed = ""
            await self.score(match.category)
        elif match.goes_on:
            self._say(f"Score in: {self.typed}…")
        else:
            wrong, self.typed = self.typed, ""
            self._say(f"No box has the code {wrong!r}.")

    def _carry_out(self, action: Action) -> None:
        if isinstance(action, Score):
            self.session.score(action.category)
        else:
            self.session.roll()

    def _warned(self, action: Action) -> bool:
        self.caution = self.session.caution(action)
        if self.caution is not None:
            self.show()
        return self.caution is not None

    def _say(self, note: str) -> None:
        self.note = note
        self.show()

    def _try(self, step: Callable[[], None]) -> bool:
        try:
            step()
        except InputError as error:
            self._say(str(error))
            return False
        self.note = ""
        return True

    async def _do(self, step: Callable[[], None]) -> None:
        self.hint = False
        if self._try(step):
            await self.room.changed()


def _pressed(event: KeyEventArguments) -> bool:
    modifiers = event.modifiers
    shortcut = modifiers.ctrl or modifiers.alt or modifiers.meta
    return event.action.keydown and not event.action.repeat and not shortcut
