"""``/advise``: what to do with a roll, typed or clicked; every position has its own address."""

from dataclasses import dataclass, field
from functools import partial

from fastapi import Response
from nicegui import ui

from rollwise.errors import InputError
from rollwise.game.consistency import possible_scores
from rollwise.game.notation import format_action, format_card, format_position, parse_position
from rollwise.game.position import Position
from rollwise.game.scorecard import Scorecard
from rollwise.rules import Rules
from rollwise.solving.objectives import EXPECTED, Objective
from rollwise.solving.option import Option, format_loss
from rollwise.solving.solution import Solution, rule_for_ties
from rollwise.web.computing import OBJECTIVES
from rollwise.web.elements import (
    Button,
    ChoiceList,
    Tag,
    TextLine,
    address,
    card_halves,
    choose_page,
    draw_die,
    name_die,
    page,
    table,
)
from rollwise.web.jobs import made
from rollwise.web.pages.missing import no_such_rules
from rollwise.web.solved import SolvedGames
from rollwise.web.ties import tell_ties

SHOWN = 12
OPEN = "open"


@dataclass
class _Desired:
    """The position as it is being put together; it may be none yet."""

    rules: Rules
    dice: list[int]
    rolls_left: int
    boxes: list[int | None] = field(default_factory=list)
    extra: int = 0
    saved: int = 0

    @classmethod
    def of(cls, position: Position) -> "_Desired":
        card = position.card or Scorecard.empty(position.rules)
        return cls(
            position.rules,
            list(position.dice),
            position.rolls_left,
            list(card.boxes),
            card.extra_bonus,
            card.saved,
        )

    def position(self) -> Position:
        card = Scorecard(self.rules, tuple(self.boxes), self.extra, self.saved)
        return Position.of(card, self.dice, self.rolls_left)


def first_position(rules: Rules) -> Position:
    """Return the position that the page begins with: the dice of the README, or the like."""
    faces = (1, 1, 3, 6, 6, 6, 6, 6, 6, 6, 6, 6)
    dice = [
        symbols[min(face, len(symbols)) - 1]
        for symbols, (number, _) in zip(rules.symbols, rules.kinds, strict=True)
        for face in faces[:number]
    ]
    return Position.of(Scorecard.empty(rules), dice, rules.most_rolls(0) - 1)


def add(games: SolvedGames) -> None:
    """Add the page."""

    @ui.page("/advise")
    async def advise(
        rules: str = "yahtzee", position: str = "", objective: str = EXPECTED.name
    ) -> Response | None:
        if rules not in games.rules:
            return no_such_rules(games, rules, "/advise")
        game, problem = games.rules[rules], ""
        if objective not in OBJECTIVES:
            problem = f"no objective {objective[:60]!r}: expected one of {', '.join(OBJECTIVES)}"
            objective = EXPECTED.name
        try:
            here = parse_position(game, position) if position else first_position(game)
        except InputError as error:
            here, problem = first_position(game), str(error)
        with page("Advice", "/advise", wide=True):
            _Advice(games, await made(partial(games.solution, game, objective)), here, problem)
        return None


class _Advice:
    """The page of one position; it follows what is clicked and typed."""

    def __init__(
        self, games: SolvedGames, solution: Solution, position: Position, problem: str
    ) -> None:
        self.solution, self.wish = solution, _Desired.of(position)
        rules = position.rules
        with Tag("div", classes="fields"):
            choose_page("Rules", games.all_titles(), "/advise", "rules", rules=rules.name)
            wanted = {name: one.meaning for name, one in OBJECTIVES.items()}
            ChoiceList("Play for", wanted, solution.objective.name, self._play_for)
            self.line = TextLine("Position, as one line", "", self._type, maxlength=2000)
            self.line.classes("long")
        with Tag("div", classes="table"):
            with Tag("div", classes="felt"):
                self._dice()
                self.problem = Tag("p", problem, "problem", role="alert")
            with Tag("div", classes="side first"):
                self.answer = Tag("div", classes="answer", aria_live="polite")
            with Tag("div", classes="cards"):
                self._card()
        self.show(problem)

    def show(self, problem: str = "") -> None:
        """Show what is best here, and put the position into the address."""
        try:
            position = self.wish.position()
            options = self.solution.options(position)
        except InputError as error:
            self.problem.text = str(error)
            self.answer.clear()  # it was for another position
            return
        self.problem.text = problem
        line = format_position(position)
        self.line.show(line)
        ui.navigate.history.replace(self._address(line, self.solution.objective.name))
        self.answer.clear()
        with self.answer:
            _options(position, options, self.solution.objective)

    def _address(self, line: str, objective: str) -> str:
        wanted = {} if objective == EXPECTED.name else {"objective": objective}
        return address("/advise", rules=self.wish.rules.name, position=line, **wanted)

    def _play_for(self, objective: str) -> None:
        ui.navigate.to(self._address(self.line.shown, objective))

    def _type(self, text: str) -> None:
        try:
            position = parse_position(self.wish.rules, text)
        except InputError as error:
            self.problem.text = str(error)
            self.answer.clear()  # it was for another position
            return
        ui.navigate.to(self._address(format_position(position), self.solution.objective.name))

    def _dice(self) -> None:
        rules = self.wish.rules
        Tag("p", "Click a die to change it.", "soft")
        with Tag("div", classes="dice", role="group", aria_label="Dice"):
            for place in range(rules.dice):
                with Tag("div", classes="place"):
                    self._die(place)
        most = max(map(rules.most_rolls, range(len(rules.categories)))) - 1
        lefts = {str(left): str(left) for left in range(most + 1)}
        ChoiceList("Rolls left", lefts, str(self.wish.rolls_left), self._set_left)

    def _die(self, place: int) -> None:
        rules = self.wish.rules

        def turn() -> None:
            symbols = next(one for one in rules.symbols if self.wish.dice[place] in one)
            following = self.wish.dice[place] - symbols[0] + 1
            self.wish.dice[place] = symbols[following % len(symbols)]
            draw()
            self.show()

        def draw() -> None:
            face = self.wish.dice[place]
            die.clear()
            with die:
                draw_die(face, rules)
            die.set(aria_label=f"die {place + 1}: {name_die(face, rules)}")

        die = Button("", turn, "die")
        draw()

    def _set_left(self, text: str) -> None:
        self.wish.rolls_left = int(text)
        self.show()

    def _card(self) -> None:
        rules = self.wish.rules
        for section, boxes in card_halves(rules):
            for k in boxes:
                self._box(k)
            if section == "lower" and rules.extra_bonus:
                most = rules.extra_bonus.points * (len(rules.categories) - 1)
                steps = range(0, most + 1, rules.extra_bonus.points)
                amounts = {str(points): str(points) for points in steps}
                ChoiceList("Extra bonus", amounts, str(self.wish.extra), self._set_extra)

    def _box(self, k: int) -> None:
        filled = self.wish.boxes[k]
        scores = {
            str(points): str(points) for points in sorted(possible_scores(self.wish.rules, k))
        }

        def fill(text: str) -> None:
            self.wish.boxes[k] = None if text == OPEN else int(text)
            self.show()

        ChoiceList(
            self.wish.rules.categories[k].title,
            {OPEN: OPEN, **scores},
            OPEN if filled is None else str(filled),
            fill,
        )

    def _set_extra(self, text: str) -> None:
        self.wish.extra = int(text)
        self.show()


def _options(position: Position, options: list[Option], objective: Objective) -> None:
    rules = position.rules
    Tag("h2", f"Best: {format_action(rules, options[0].action)}")
    words = objective.meaning
    Tag("p", f"{words[:1].upper()}{words[1:]} {options[0].value:.2f}", "soft")
    rows = [
        (
            format_action(rules, option.action),
            f"{option.value:.2f}",
            "" if option.sd is None else f"± {option.sd:.0f}",
            format_loss(option),
        )
        for option in options
    ]
    headings = ("option", "value", "sd", "loss")
    table(headings, rows[:SHOWN], numbers=(1, 2, 3), label="The best options")
    if options[0].sd is not None and sum(option.best for option in options) > 1:
        tell_ties([rule_for_ties()])
    if rows[SHOWN:]:
        with Tag("details"):
            Tag("summary", f"{len(rows) - SHOWN} more")
            table(headings, rows[SHOWN:], numbers=(1, 2, 3), label="Other options")
    if position.card is not None:
        Tag("p", _so_far(position.card), "soft")
        Tag("p", f"Card: {format_card(position.card)}", "soft line")


def _so_far(card: Scorecard) -> str:
    """Return the points of a card, and how far it is on the way to the upper bonus."""
    bonus = card.rules.upper_bonus
    upper = f"; upper total {card.upper} of {bonus.threshold}" if bonus else ""
    return f"{card.points} points so far{upper}"
