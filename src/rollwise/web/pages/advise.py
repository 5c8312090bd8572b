"""``/advise``: what to do with a roll, typed or clicked; every position has its own address.

The page has a position that is edited die by die and category by category, and the options at that
position. With opponents, and in large games, a worker process computes each position, on a page of
its own.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

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
from rollwise.web import computations
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
    print_tie_rules,
    table,
)
from rollwise.web.opponent_advice import BEAT, WAYS, OpponentAdvice, parse_opponents, reply
from rollwise.web.pages.missing import no_such_rules
from rollwise.web.progress_view import show_progress
from rollwise.web.size_limits import OBJECTIVES, PLAYERS
from rollwise.web.solved_games import SolvedGames

OPEN = "open"

PLAYED_FOR = {name: one.meaning for name, one in OBJECTIVES.items()} | {
    BEAT: "chance of the highest score, against cards that you see"
}


def add(games: SolvedGames) -> None:
    """Add the page."""

    @ui.page("/advise", response_timeout=60)
    async def advise(
        rules: str = "yahtzee",
        position: str = "",
        objective: str = EXPECTED.name,
        opponents: str = "",
        plays: str = PLAYERS[0],
    ) -> Response | None:
        large = games.large.get(rules)
        prepared = await games.prepared.find(large) if large else None
        if rules not in games.rules and prepared is None:
            return no_such_rules(games, rules, "/advise")
        game = games.rules[rules] if prepared is None else prepared.rules
        asked, problem = _Asked(objective, opponents, plays), ""
        if prepared is not None and objective != EXPECTED.name:
            problem = f"{game.title} is too large for another objective: expected {EXPECTED.name}"
            asked = replace(asked, objective=EXPECTED.name)
        elif objective not in PLAYED_FOR:
            problem = f"no objective {objective[:60]!r}: expected one of {', '.join(PLAYED_FOR)}"
            asked = replace(asked, objective=EXPECTED.name)
        here = first_position(game)
        try:
            here = parse_position(game, position) if position else here
            if asked.objective == BEAT:
                parse_opponents(game, opponents, plays)
        except InputError as error:
            problem = str(error)
        with page("Advice", "/advise", wide=True):
            if asked.objective == BEAT or (prepared is not None and not prepared.is_whole):
                advice = _Advice(games, asked, here, position, problem)
                if not problem:
                    await advice.reply()
            else:
                solution = prepared or await show_progress(games.solution, game, asked.objective)
                _Advice(games, asked, here, position, problem, solution)
        return None


@dataclass(frozen=True)
class _Asked:
    """What is played for, and against whom: cards with semicolons between them."""

    objective: str
    opponents: str
    plays: str

    def address(self, rules: str, position: str) -> str:
        """Return the address of the page for a position."""
        told = {} if self.objective == EXPECTED.name else {"objective": self.objective}
        if self.objective == BEAT:
            told |= {"opponents": self.opponents, "plays": self.plays}
        return address("/advise", rules=rules, position=position, **told)


class _Advice:
    """The page of one position; it follows what is clicked and typed.

    Parameters
    ----------
    line : str
        As it was typed; empty if nothing was.
    problem : str
        What is wrong with what was asked.
    solution : Solution, optional
        That answers at once; None where a process has to be asked.
    """

    def __init__(
        self,
        games: SolvedGames,
        asked: _Asked,
        position: Position,
        line: str,
        problem: str,
        solution: Solution | None = None,
    ) -> None:
        self.games, self.asked, self.solution = games, asked, solution
        self.wish, rules = Desired.of(position), position.rules
        with Tag("div", classes="fields"):
            choose_page("Rules", games.all_titles(), "/advise", "rules", rules=rules.name)
            ChoiceList("Play for", PLAYED_FOR, asked.objective, self._play_for)
            self.line = TextLine(
                "Position, as one line",
                line or format_position(position),
                self._type,
                maxlength=2000,
            )
            self.line.classes("long")
            if asked.objective == BEAT:
                cards = "Opponents' cards, with ; between them"
                TextLine(cards, asked.opponents, self._oppose, maxlength=2000).classes("long")
                ChoiceList("They play on", WAYS, asked.plays, self._play_on)
        with Tag("div", classes="table"):
            with Tag("div", classes="felt"):
                self._dice()
                self.problem = Tag("p", problem, "problem", role="alert")
            with Tag("div", classes="side first"):
                self.answer = Tag("div", classes="answer", aria_live="polite")
            with Tag("div", classes="cards"):
                self._card()
        if solution and not problem:
            self.show()

    def show(self) -> None:
        """Show what is best here, and put the position into the address."""
        try:
            position = self.wish.position()
            options = self.solution.options(position) if self.solution else None
        except InputError as error:
            self._refuse(str(error))
            return
        line = format_position(position)
        if self.solution is None or options is None:
            self._go(self.asked, line)
            return
        self.problem.text = ""
        self.line.show(line)
        ui.navigate.history.replace(self.asked.address(self.wish.rules.name, line))
        self.answer.clear()
        with self.answer:
            show_options(position, options, self.solution.objective)

    async def reply(self) -> None:
        """Ask a process what is best, and show it."""
        position, asked = self.wish.position(), self.asked
        rules, line = position.rules, format_position(position)
        with self.answer:
            try:
                if asked.objective == BEAT:
                    best = await show_progress(
                        self.games.ask, reply, rules, line, asked.opponents, asked.plays
                    )
                    show_reply(position, best)
                else:
                    (options,) = await show_progress(
                        self.games.ask, computations.advice, (position,)
                    )
                    show_options(position, options, EXPECTED)
            except InputError as error:
                self._refuse(str(error))

    def _refuse(self, sentence: str) -> None:
        self.problem.text = sentence
        self.answer.clear()  # it was for another position

    def _go(self, asked: _Asked, line: str) -> None:
        ui.navigate.to(asked.address(self.wish.rules.name, line))

    def _play_for(self, objective: str) -> None:
        self._go(replace(self.asked, objective=objective), self.line.shown)

    def _oppose(self, cards: str) -> None:
        self._go(replace(self.asked, opponents=cards), self.line.shown)

    def _play_on(self, way: str) -> None:
        self._go(replace(self.asked, plays=way), self.line.shown)

    def _type(self, text: str) -> None:
        try:
            position = parse_position(self.wish.rules, text)
        except InputError as error:
            self._refuse(str(error))
        else:
            self._go(self.asked, format_position(position))

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
        if rules.announced:
            titles = {str(k): box.title for k, box in enumerate(rules.categories)}
            told = OPEN if self.wish.announced is None else str(self.wish.announced)
            ChoiceList("Announced", {OPEN: "nothing yet", **titles}, told, self._announce)

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

    def _announce(self, text: str) -> None:
        self.wish.announced = None if text == OPEN else int(text)
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


SHOWN = 12
"""Options that are shown at once."""


def show_options(position: Position, options: list[Option], objective: Objective) -> None:
    """Show the options at a position, the best ones first, and the others folded."""
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
    _table(headings, rows)
    if options[0].sd is not None and sum(option.best for option in options) > 1:
        print_tie_rules([rule_for_ties()])
    _show_card(position)


def show_reply(position: Position, reply: OpponentAdvice) -> None:
    """Show the options against opponents with known scorecards."""
    headings, *rows = reply.table
    Tag("h2", f"Best: {rows[0][0]}")
    chance, digits = 100 * reply.told["options"][0]["value"], 2 if reply.known else 4
    Tag("p", f"Chance of the highest score, a tie shared: {chance:.{digits}f} %", "soft")
    for opponent in reply.opponents:
        Tag("p", f"{opponent[:1].upper()}{opponent[1:]}.", "soft line")
    _table(headings, rows)
    if reply.known:
        Tag("p", reply.known, "soft")
    _show_card(position)


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Show the best options, and the others folded."""
    numbers = range(1, len(headings))
    table(headings, rows[:SHOWN], numbers=numbers, label="The best options")
    if rows[SHOWN:]:
        with Tag("details"):
            Tag("summary", f"{len(rows) - SHOWN} more")
            table(headings, rows[SHOWN:], numbers=numbers, label="Other options")


def _show_card(position: Position) -> None:
    if position.card is not None:
        Tag("p", _so_far(position.card), "soft")
        Tag("p", f"Card: {format_card(position.card)}", "soft line")


def _so_far(card: Scorecard) -> str:
    """Return the points of a scorecard, and its progress to the upper bonus."""
    bonus = card.rules.upper_bonus
    totals = " and ".join(map(str, card.upper_totals))
    upper = f"; upper total {totals} of {bonus.threshold}" if bonus else ""
    return f"{card.points} points so far{upper}"


@dataclass
class Desired:
    """A position as edited so far, which may be impossible."""

    rules: Rules
    dice: list[int]
    rolls_left: int
    boxes: list[int | None] = field(default_factory=list)
    extra: int = 0
    saved: int = 0
    announced: int | None = None

    @classmethod
    def of(cls, position: Position) -> "Desired":
        """Return a position for editing."""
        card = position.card or Scorecard.empty(position.rules)
        return cls(
            position.rules,
            list(position.dice),
            position.rolls_left,
            list(card.boxes),
            card.extra_bonus,
            card.saved,
            position.state.announced,
        )

    def position(self) -> Position:
        """Return the position; raises an InputError if it is impossible."""
        card = Scorecard(self.rules, tuple(self.boxes), self.extra, self.saved)
        return Position.of(card, self.dice, self.rolls_left, self.announced)


def first_position(rules: Rules) -> Position:
    """Return the first position of the page: the dice of the README, or similar ones."""
    faces = (1, 1, 3, 6, 6, 6, 6, 6, 6, 6, 6, 6)
    dice = [
        symbols[min(face, len(symbols)) - 1]
        for symbols, (number, _) in zip(rules.symbols, rules.kinds, strict=True)
        for face in faces[:number]
    ]
    return Position.of(Scorecard.empty(rules), dice, rules.most_rolls(0) - 1)
