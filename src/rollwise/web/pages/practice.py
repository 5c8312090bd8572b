"""``/practice``: one's own mistakes, the worst first, asked again."""

from functools import partial

from nicegui import ui

from rollwise.game.notation import format_action, parse_position
from rollwise.game.position import Position
from rollwise.game.scorecard import Action, Keep, Score, legal_moves
from rollwise.history import mistakes
from rollwise.history.schema import DecisionRow
from rollwise.playing.tray import Tray
from rollwise.reviews.verdicts import format_points
from rollwise.solving.solution import Solution
from rollwise.web.elements import (
    Button,
    Link,
    Tag,
    address,
    card_halves,
    draw_die,
    name_die,
    page,
)
from rollwise.web.jobs import made
from rollwise.web.owners import owner_of
from rollwise.web.solved import SolvedGames


def add(games: SolvedGames) -> None:
    """Add the page."""

    @ui.page("/practice", response_timeout=60)
    async def practice(rules: str = "yahtzee", name: str = "", number: int = 1) -> None:
        game = games.rules.get(rules) or games.rules["yahtzee"]
        history = games.history.of(owner_of(ui.context.client.request))
        found = await games.read(mistakes, history, game.name, name or None)
        with page("Practice", "/practice"):
            solution = await made(partial(games.solution, game))
            if not 1 <= number <= len(found):
                Tag("p", "Nothing left to practise: no further choice lost 0.2 points or more.")
                with Tag("p"):
                    Link("Proficiency", address("/proficiency", rules=game.name, name=name))
                return
            Tag("p", f"Mistake {number} of {len(found)}", "soft")
            following = address("/practice", rules=game.name, name=name, number=str(number + 1))
            _Question(
                solution,
                parse_position(game, found[number - 1].position),
                found[number - 1],
                following,
            )


class _Question:
    """A position, and the answer of the person."""

    def __init__(
        self, solution: Solution, position: Position, decision: DecisionRow, following: str
    ) -> None:
        self.solution, self.position, self.decision = solution, position, decision
        self.tray = Tray(position.dice, (False,) * len(position.dice))
        left = position.rolls_left
        words = f"{left} {'roll' if left == 1 else 'rolls'} left" if left else "no roll left"
        Tag("p", f"Turn {decision.turn}, {words}: what would you do here?", "stage")
        self._dice()
        with Tag("div", classes="buttons"):
            if left:
                self.roll = Button(f"Roll {len(position.dice)}", self._roll, "primary")
        self.answer = Tag("p", classes="message", role="status", aria_live="polite")
        with Tag("p"):
            Link("Next", following, "button")
        self._card()

    def _dice(self) -> None:
        dice: list[Button] = []

        def toggle(place: int) -> None:
            self.tray = self.tray.toggle(place)
            for die, held in zip(dice, self.tray.held, strict=True):
                die.set(aria_pressed="true" if held else "false")
            if self.position.rolls_left:
                self.roll.text = f"Roll {self.tray.held.count(False) or ''}".strip()

        with Tag("div", classes="dice", role="group", aria_label="Dice"):
            for place, face in enumerate(self.position.dice):
                with Tag("div", classes="place"):
                    die = Button("", partial(toggle, place), "die")
                    die.set(
                        aria_label=f"die {place + 1}: {name_die(face, self.position.rules)}",
                        aria_pressed="false",
                    )
                    with die:
                        draw_die(face, self.position.rules)
                    dice.append(die)

    def _card(self) -> None:
        position, rules, card = self.position, self.position.rules, self.position.card
        moves = legal_moves(rules, position.state, position.dice, position.rolls_left)
        scores = {move.category: move.points + move.extra for move in moves}
        with Tag("div", classes="cards"):
            for _, boxes in card_halves(rules):
                for k in boxes:
                    filled = card.boxes[k] if card else None
                    state = "possible" if k in scores else "filled"
                    box = Button("", partial(self._choose, Score(k)), "box", data_state=state)
                    box.set(aria_disabled=str(k not in scores).lower())
                    with box:
                        Tag("span", rules.categories[k].title, "title")
                        points = scores.get(k, filled)
                        Tag("span", "" if points is None else str(points), "points")

    def _roll(self) -> None:
        if all(self.tray.held):
            self.answer.text = "All dice kept: let one go, or score."
        else:
            self._choose(Keep(self.tray.kept))

    def _choose(self, action: Action) -> None:
        rules = self.position.rules
        options = self.solution.options(self.position)
        chosen = next((option for option in options if option.action == action), None)
        if chosen is None:
            return  # a box that is filled
        then = f"In the game it was {self.decision.chosen}."
        if chosen.best:
            self.answer.text = f"Right: {format_action(rules, action)}. {then}"
        else:
            loss = format_points(chosen.loss).removeprefix("+")
            best = format_action(rules, options[0].action)
            self.answer.text = (
                f"{format_action(rules, action)} loses {loss} points; best is {best}. {then}"
            )
