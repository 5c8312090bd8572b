"""What a person does at a table, by keys or by mouse; the same in a terminal and in a browser."""

from collections.abc import Callable

from rollwise.errors import InputError
from rollwise.game.actions import Action, Keep
from rollwise.game.notation import format_action, format_dice, parse_dice
from rollwise.playing.codes import DIE_KEYS, match_code
from rollwise.playing.session import Caution, Session
from rollwise.reviews.grades import MARKS, format_points
from rollwise.solving.option import Option

TUTOR_TO_COME = "The tutor is looking the game up: choose again in a moment, or switch it off."


class Controls:
    """One person's way to play a session, and what only this person sees.

    A skin calls :meth:`press` for every key, or a method for what was clicked, and then shows the
    session again, with :meth:`words` and :meth:`options`. Nothing here waits or draws: where the
    events of the game are other ones afterwards, the skin saves it and lets robots go on.

    Parameters
    ----------
    session : Session

    Attributes
    ----------
    doubted : Option or None
        What the tutor warned of last on this roll, to be shown beside the best.
    code, dice : str or None
        What is typed so far: of the code of a box, or of what real dice show.
    hint, help : bool
        Whether the best options, and what the keys do, are to be shown.
    note : str
        What came of the last key, where it has to be said.
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        self._warning: tuple[Caution, object] | None = None
        self.code: str | None = None
        self.dice: str | None = None
        self.doubted: Option | None = None
        self.hint = self.help = False
        self.note = ""

    @property
    def caution(self) -> Caution | None:
        """What the tutor warns of; the next key answers.

        It is over as soon as other dice are held, or the game goes on, here or in another window.
        """
        if self._warning is None or self._warning[1] != self._joker_state:
            return None
        return self._warning[0]

    @property
    def _joker_state(self) -> object:
        return self.session.game.events, self.session.tray

    @property
    def expects_more(self) -> bool:
        """Whether the next key answers the tutor, or goes on with what is being typed."""
        return not (self.caution is None and self.code is None and self.dice is None)

    def options(self) -> list[Option]:
        """Return the options that a hint shows, best first; none where no hint is wanted."""
        shown = self.hint and not self.session.is_robots_turn
        return self.session.options() if shown else []

    def reason(self) -> str:
        """Return why the best option is better than that which was doubted, or than the next.

        Nothing where no hint is shown, and as long as nobody has prepared the reasons.
        """
        options, position = self.options(), self.session.position
        if position is None:
            return ""
        shown = [options[0], self.doubted] if self.doubted in options else options
        return next(self.session.reasons.sentences(position, shown, most=3), "")

    def words(self) -> str:
        """Return what the person has to be told: a warning, what is typed, or a note."""
        rules = self.session.game.rules
        if self.caution is not None:
            chosen, mark = self.caution.chosen, MARKS[self.caution.verdict]
            action = " ".join(filter(None, [format_action(rules, chosen.action), mark]))
            return f"Tutor: {action} loses {format_points(chosen.loss).removeprefix('+')} points."
        if self.dice is not None:
            kept = format_dice(rules, self.session.tray.kept)
            return f"All dice on the table{f' ({kept} kept)' if kept else ''}: {self.dice}_"
        if self.code is not None:
            naming = "Announce" if self.session.awaits_announcement else "Score in"
            return f"{naming}: {self.code}_   (Enter when complete, Esc to stop)"
        return self.note

    def press(self, key: str) -> None:
        """Do what a key means.

        Parameters
        ----------
        key : str
            What it types, or ``enter``, ``escape``, ``backspace``; names of other keys do nothing.
        """
        if self.caution is not None:
            self._answer(key)
        elif self.dice is not None:
            self._type_dice(self.dice, key)
        elif self.code is not None:
            self._type_code(self.code, key)
        else:
            self._command(key)

    def toggle(self, place: int) -> None:
        """Keep a die, or let it go."""
        if not self.session.robot_may_play:
            self._try(lambda: self.session.toggle(place))

    def roll(self) -> None:
        """Roll the dice that are not kept, if the tutor has nothing to say."""
        session = self.session
        if session.robot_may_play or not session.may_roll:
            due = self.session.awaits_announcement
            self.note = f"Nothing to roll: {'announce a box' if due else 'let a die go, or score'}."
        elif (keep := session.intended()) is None or not self._held_back(keep):
            self._roll()

    def choose(self, category: int) -> None:
        """Announce a box where that is due, else score; if the tutor has nothing to say."""
        position = self.session.position
        if self.session.robot_may_play:
            return
        if position is None or category not in position.boxes:
            title = self.session.game.rules.categories[category].title
            named = "announced" if self.session.awaits_announcement else "scored"
            self.note = f"{title} cannot be {named} here."
        elif not self._held_back(action := position.naming(category)):
            self._play(lambda: self.session.do(action))

    def roll_typed(self, text: str) -> None:
        """Take the roll of real dice: what all dice on the table show."""
        rules = self.session.game.rules
        if not self.session.robot_may_play:
            self._play(lambda: self.session.roll(parse_dice(rules, text)))

    def undo(self) -> None:
        """Take back the last choice."""
        self._play(self.session.undo)

    def toggle_hint(self) -> None:
        """Show the best options, or hide them."""
        if self.session.position is None:
            self.note = "No hint yet: roll first."
        else:
            self.hint, self.note = not self.hint, ""

    def toggle_help(self) -> None:
        """Show what the keys do, or hide it."""
        self.help = not self.help

    def toggle_tutor(self) -> None:
        """Switch the tutor on or off, for everybody at the table."""
        self.session.tutor = not self.session.tutor
        self.note = f"Tutor {'on' if self.session.tutor else 'off'}."

    def play_anyway(self) -> None:
        """Do what the tutor warned of."""
        caution, self._warning = self.caution, None
        if caution is None:
            return
        action = caution.chosen.action
        if isinstance(action, Keep):  # the dice held are still those that it warned of
            self._roll()
        else:
            self._play(lambda: self.session.do(action))

    def think_again(self) -> None:
        """Put the choice off."""
        self._warning, self.note = None, ""

    def show_best(self) -> None:
        """Put the choice off, and show the best options beside it."""
        if self.caution is not None:
            self.doubted = self.caution.chosen
        self._warning, self.hint = None, True

    def _answer(self, key: str) -> None:
        answers = {
            "p": self.play_anyway,
            "t": self.think_again,
            "enter": self.think_again,
            "escape": self.think_again,
            "b": self.show_best,
        }
        if key in answers:
            answers[key]()

    def _command(self, key: str) -> None:
        commands = {
            " ": self.roll,
            "r": self.roll,
            "h": self.toggle_hint,
            "u": self.undo,
            "t": self.toggle_tutor,
            "?": self.toggle_help,
            "escape": self.think_again,
        }
        if key in commands:
            commands[key]()
        elif key in DIE_KEYS[: self.session.game.rules.dice]:
            self.toggle(DIE_KEYS.index(key))
        elif len(key) == 1 and key.isalpha():
            self._type_code("", key)

    def _type_code(self, typed: str, key: str) -> None:
        """Go on with the code of a box, and choose it as soon as it is clear which one is meant."""
        self.code, self.note = _edited(typed, key) or None, ""
        if self.code is None:
            return
        game = self.session.game
        complete = key == "enter"
        match = match_code(game.rules, self.code, filled=game.card.filled, complete=complete)
        if match.category is not None:
            self.code = None
            self.choose(match.category)
        elif not match.goes_on:
            self.note, self.code = f"No box has the code {self.code!r}.", None

    def _type_dice(self, typed: str, key: str) -> None:
        """Go on with what real dice show."""
        if key == "enter":
            self.roll_typed(typed)
        else:
            self.dice = _edited(typed, key)

    def _roll(self) -> None:
        if self.session.seed is None:
            self.dice = ""
        else:
            self._play(self.session.roll)

    def _held_back(self, action: Action) -> bool:
        """Return whether a choice has to wait: for an answer to the tutor, or for the tutor."""
        session = self.session
        found, self.note = session.caution(action), ""
        self._warning = None if found is None else (found, self._joker_state)
        if session.tutor and session.advice_to_come and not session.options():
            self.note = TUTOR_TO_COME
        return bool(found or self.note)

    def _play(self, step: Callable[[], None]) -> None:
        """Let the game go on, or back: what was open before is over."""
        self._warning = self.code = self.dice = self.doubted = None
        self.hint = False
        self._try(step)

    def _try(self, step: Callable[[], None]) -> None:
        self.note = ""
        try:
            step()
        except InputError as error:
            self.note = str(error)


def _edited(typed: str, key: str) -> str | None:
    """Return a typed line after one more key; None where Escape gives it up."""
    if key == "escape":
        return None
    if key == "backspace":
        return typed[:-1]
    return typed + key if len(key) == 1 and key.isprintable() else typed
