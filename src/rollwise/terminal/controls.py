"""Keyboard and mouse input of one person in a game session."""

from collections.abc import Callable

from rollwise.errors import InputError
from rollwise.game.actions import Action, Keep, Score
from rollwise.game.dice_notation import format_dice, parse_dice
from rollwise.game.notation import format_action
from rollwise.playing.category_codes import DIE_KEYS, edit_text, type_code
from rollwise.playing.session import Session, TutorWarning
from rollwise.reviews.grades import format_points
from rollwise.solving.option import Option

COMMANDS_WHILE_TYPING = "huto?"
"""The keys that are commands even while someone types dice, which have no letters."""

TUTOR_TO_COME = "The tutor is not ready yet. Choose again in a moment, or switch the tutor off."


class Controls:
    """The input of one person in a session: typed characters, hints, and warnings.

    The app calls :meth:`press` for every key, or another method for a click. If the events of the
    game have changed, it saves the game and lets computer opponents play.

    Attributes
    ----------
    doubted : Option or None
        The option that the tutor last warned about on this roll, shown with the best options.
    code, dice : str or None
        The input typed so far: ``code`` for a category, or ``dice`` for the faces of real dice.
    hint, help : bool
        Whether to show the best options, and whether to show the keys.
    viewed : int or None
        The index of the player whose scorecard is shown; None for the current player.
    note : str
        A message about the last key. While the tutor's warning awaits a response, the message says
        that the last key was not a response.
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        self._warning: tuple[TutorWarning, object] | None = None
        self.code: str | None = None
        self.dice: str | None = None
        self.doubted: Option | None = None
        self.hint = self.help = False
        self.viewed: int | None = None
        self.note = ""

    @property
    def caution(self) -> TutorWarning | None:
        """The current warning of the tutor, which awaits a response.

        It expires when other dice are held, or when the game continues in another window.
        """
        if self._warning is None or self._warning[1] != self._situation:
            return None
        return self._warning[0]

    @property
    def current(self) -> int:
        """The index of the current player, or 0 after the game."""
        game = self.session.game
        return 0 if game.is_over else game.stage.player

    @property
    def _situation(self) -> object:
        return self.session.game.events, self.session.tray

    def options(self) -> list[Option]:
        """Return the options that a hint shows, best first, or an empty list without a hint."""
        shown = self.hint and not self.session.is_bots_turn
        return self.session.options() if shown else []

    def reason(self) -> str:
        """Return a sentence that says why the best option is better than a worse option.

        The worse option is the doubted option, or otherwise the next best option. The sentence is
        empty if no hint is shown, or if the reasons are not prepared yet.
        """
        options, position = self.options(), self.session.position
        if position is None:
            return ""
        shown = [options[0], self.doubted] if self.doubted in options else options
        return next(self.session.reasons.sentences(position, shown, most=3), "")

    def words(self) -> str:
        """Return the message to show: a warning, the input typed so far, or a note."""
        rules = self.session.game.rules
        if self.caution is not None:
            chosen = self.caution.chosen
            loss = format_points(chosen.loss).removeprefix("+")
            action = format_action(rules, chosen.action)
            return f"Tutor: {action} loses {loss} points on average ({self.caution.verdict})."
        if self.dice is not None:
            held = format_dice(rules, self.session.tray.kept)
            wanted = (
                f"Type all dice{f', including {held}' if held else ''}, then Enter: {self.dice}_"
            )
            return f"{self.note}\n{wanted}" if self.note else wanted
        if self.code is not None:
            return f"Score in: {self.code}_   (Enter to confirm, Esc to cancel)"
        return self.note or self._viewed_words()

    def _viewed_words(self) -> str:
        """Return whose scorecard is shown, unless it is the current player's."""
        game = self.session.game
        if self.viewed is None or self.viewed == self.current:
            return ""
        is_last = (self.viewed + 1) % len(game.players) == self.current
        action = "to go back" if is_last else "for the next one"
        return f"This is {game.players[self.viewed]}'s scorecard. Press o {action}."

    def press(self, key: str) -> None:
        """Handle a typed character or ``enter``, ``escape``, ``backspace``; ignore other keys."""
        if self.caution is not None:
            self._answer(key)
        elif self.dice is not None and key not in COMMANDS_WHILE_TYPING:
            self._type_dice(self.dice, key)
        elif self.code is not None:
            self._type_code(self.code, key)
        else:
            self._command(key)

    def toggle(self, place: int) -> None:
        """Hold or release the die at the index ``place``."""
        if not self.session.bot_may_play:
            self._try(lambda: self.session.toggle(place))

    def roll(self) -> None:
        """Roll the dice that are not held, unless the tutor warns."""
        session = self.session
        if session.bot_may_play or not session.may_roll:
            self.note = "No dice to roll: release a die, or score."
        elif (keep := session.intended()) is None or not self._held_back(keep):
            self._roll()

    def choose(self, category: int) -> None:
        """Score in a category, unless the tutor warns."""
        position = self.session.position
        if self.session.bot_may_play:
            return
        if position is None or category not in position.legal_categories:
            title = self.session.game.rules.categories[category].title
            self.note = f"You cannot score {title} now."
        elif not self._held_back(action := Score(self.session.game.rules.keys[category])):
            self._play(lambda: self.session.do(action))

    def roll_typed(self, text: str) -> None:
        """Parse the faces of all real dice, and add the roll to the game.

        If the faces are wrong, they stay in the input.
        """
        rules, before = self.session.game.rules, self.session.game.events
        if not self.session.bot_may_play:
            self._play(lambda: self.session.roll(parse_dice(rules, text)))
            self.dice = text if self.session.game.events == before else None

    def undo(self) -> None:
        """Undo the last action."""
        self._play(self.session.undo)

    def toggle_hint(self) -> None:
        """Show the best options, or hide them."""
        if self.session.position is None:
            self.note = "Roll first to get a hint."
        else:
            self.hint, self.note = not self.hint, ""

    def view_next(self) -> None:
        """Show the scorecard of the next player."""
        game, self.note = self.session.game, ""
        shown = self.current if self.viewed is None else self.viewed
        self.viewed = (shown + 1) % len(game.players)

    def toggle_help(self) -> None:
        """Show the help for the keys, or hide it."""
        self.help = not self.help

    def toggle_tutor(self) -> None:
        """Switch the tutor on or off for all players."""
        self.session.tutor = not self.session.tutor
        self.note = f"Tutor {'on' if self.session.tutor else 'off'}."

    def play_anyway(self) -> None:
        """Take the action despite the warning."""
        caution, self._warning = self.caution, None
        if caution is None:
            return
        action = caution.chosen.action
        if isinstance(action, Keep):  # the same dice are still held
            self._roll()
        else:
            self._play(lambda: self.session.do(action))

    def think_again(self) -> None:
        """Withdraw the action that caused the warning, and go back to the current scorecard."""
        self._warning, self.viewed, self.note = None, None, ""

    def show_best(self) -> None:
        """Withdraw the action, and show it with the best options."""
        if self.caution is not None:
            self.doubted = self.caution.chosen
        self._warning, self.hint, self.note = None, True, ""

    def _answer(self, key: str) -> None:
        """Respond to a warning; any other key only says what the warning awaits.

        Enter is no response, because people press it after a code that is already complete.
        """
        answers = {
            "p": self.play_anyway,
            "t": self.think_again,
            "u": self.think_again,
            "escape": self.think_again,
            "b": self.show_best,
            "h": self.show_best,
            "?": self.toggle_help,
        }
        if key in answers:
            answers[key]()
        elif key in DIE_KEYS[: len(self.session.tray.faces)] and self.session.game.stage.rolls_left:
            self.toggle(DIE_KEYS.index(key))
        elif self.caution is not None and (len(key) == 1 or key == "enter"):
            act = "rolled" if isinstance(self.caution.chosen.action, Keep) else "scored"
            self.note = f"Nothing is {act} yet."

    def _command(self, key: str) -> None:
        commands = {
            " ": self.roll,
            "r": self.roll,
            "h": self.toggle_hint,
            "u": self.undo,
            "t": self.toggle_tutor,
            "o": self.view_next,
            "?": self.toggle_help,
            "escape": self.think_again,
        }
        if key in commands:
            commands[key]()
        elif key.isdigit() and self.session.awaits_typed_dice and not self.session.tray.faces:
            self.dice = key
        elif key in DIE_KEYS[: self.session.game.rules.dice]:
            self.toggle(DIE_KEYS.index(key))
        elif len(key) == 1 and key.isalpha():
            self._type_code("", key)

    def _type_code(self, typed: str, key: str) -> None:
        """Add a key to the code; choose the category as soon as it is unambiguous."""
        game = self.session.game
        self.code, self.note, category = type_code(game.rules, typed, key, game.card.filled)
        if category is not None:
            self.choose(category)

    def _type_dice(self, typed: str, key: str) -> None:
        """Add a key to the typed faces of real dice, or roll them on Enter."""
        if key == "enter":
            self.roll_typed(typed)
        else:
            self.dice, self.note = edit_text(typed, key), ""

    def _roll(self) -> None:
        if self.session.game.headers.seed is None:
            self.dice = ""
        else:
            self._play(self.session.roll)

    def _held_back(self, action: Action) -> bool:
        """Return whether an action must wait for the tutor, or for a response to a warning."""
        session = self.session
        caution, self.note = session.caution(action), ""
        self._warning = None if caution is None else (caution, self._situation)
        if session.tutor and session.is_advice_pending and not session.options():
            self.note = TUTOR_TO_COME
        return bool(caution or self.note)

    def _play(self, step: Callable[[], None]) -> None:
        """Discard all unfinished input, and change the game."""
        self._warning = self.code = self.dice = self.doubted = None
        self.hint, self.viewed = False, None
        self._try(step)

    def _try(self, step: Callable[[], None]) -> None:
        self.note = ""
        try:
            step()
        except InputError as error:
            self.note = str(error)
