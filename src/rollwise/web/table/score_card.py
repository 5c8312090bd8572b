"""The printed card: the boxes of all players side by side, with the sums and what is possible.

Buttons that let a game go on; a burst of clicks is one.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil

from rollwise.game.scorecard import Move, Scorecard
from rollwise.playing.category_codes import first_slot, typed_code
from rollwise.rules import Rules, UpperBonus
from rollwise.web.elements import Tag

TALL = 10
"""Rows of a section up to which the sections stand side by side; of more the columns are evened."""


@dataclass(frozen=True)
class ScorecardState:
    """What stands on the cards at a moment.

    Attributes
    ----------
    cards : sequence of Scorecard
        One a player.
    player : int
        Whose turn it is.
    possible : mapping of int to Move
        What may be scored, by box.
    best : int or None
        The box that a hint marks.
    last : tuple of int, optional
        The player who scored last, and the box.
    naming : str
        What a press on a box does there, in a word.
    """

    cards: Sequence[Scorecard]
    player: int
    possible: Mapping[int, Move] = field(default_factory=dict)
    best: int | None = None
    last: tuple[int, int] | None = None
    naming: str = "score"


class ScoreCard:
    """A card with a column for each player; a press on a box chooses it.

    Parameters
    ----------
    rules : Rules
    players : sequence of str
    score : callable
        Called with the box that was pressed, and what was shown then (:class:`Press`).
    """

    def __init__(
        self, rules: Rules, players: Sequence[str], score: Callable[[int, str], Awaitable[None]]
    ) -> None:
        self.rules, self.players, self._score = rules, players, score
        self._shows: list[Callable[[ScorecardState], None]] = []
        many = " many" if len(players) > 2 else ""
        with Tag("div", classes=f"scorecard{many}", data_players=str(len(players))) as card:
            rows = [
                self._part(f"Column {column.title}", boxes, column.title, upper=number)
                for number, (column, boxes) in enumerate(
                    zip(rules.columns, rules.column_categories, strict=False)
                )
            ] or [self._section("upper"), self._section("lower")]
        if max(rows) > TALL:
            each = ceil(sum(rows) / len(rows))
            card.set(data_tall="true", style=f"--rows: {each}; --columns: {len(rows)}")

    def show(self, standing: ScorecardState) -> None:
        """Show how the cards stand."""
        for show in self._shows:
            show(standing)

    def _section(self, section: str) -> int:
        """Show a section of a card of one column, and return how many rows it has."""
        boxes = [k for k, box in enumerate(self.rules.categories) if box.section == section]
        return self._part(
            f"{section.title()} section", boxes, "", upper=0 if section == "upper" else None
        )

    def _part(self, name: str, boxes: Sequence[int], head: str, upper: int | None) -> int:
        """Show boxes that stand together, with the sums of a column where it is ``upper``.

        Returns
        -------
        int
            How many rows it has.
        """
        rules, before = self.rules, len(self._shows)
        if not boxes:
            return 0
        slots: dict[int, list[int]] = {}
        for k in boxes:
            slots.setdefault(first_slot(rules, k), []).append(k)
        with Tag("section", classes="boxes", aria_label=name):
            if head or len(self.players) > 1:
                with Tag("div", classes="row names", aria_hidden="true"):
                    Tag("span", head, "title")
                    for player in self.players if len(self.players) > 1 else ():
                        Tag("span", player, "cell")
            for same in slots.values():
                self._row(same)
            if upper is not None and rules.upper_bonus:
                self._upper_sums(rules.upper_bonus, upper)
            if upper is None and rules.extra_bonus:
                self._sum("Extra bonus", lambda card: str(card.extra_bonus), lambda card: "")
        return len(self._shows) - before

    def _upper_sums(self, bonus: UpperBonus, column: int) -> None:
        """Show the upper total of a column and its bonus: how far it is to the next step."""

        def total(card: Scorecard) -> int:
            return card.upper_totals[column]

        def missing(card: Scorecard) -> str:
            lacking = bonus.next_step(total(card)) - total(card)
            return f"{lacking} to go" if lacking > 0 else ""

        def promised(card: Scorecard) -> str:
            step = bonus.next_step(total(card))
            return f"{bonus.at(step)} at {step}" if step > total(card) else ""

        self._sum("Upper sum", lambda card: str(total(card)), missing)
        self._sum("Bonus", lambda card: str(bonus.at(total(card))), promised)

    def _row(self, same: list[int]) -> None:
        """Show a box, or all that are of one category."""
        title, shown_title = self.rules.categories[same[0]].title, self.rules.row_titles[same[0]]
        next_open = same[0]

        async def press(shown: str) -> None:
            await self._score(next_open, shown)

        with Press(press, "row box") as row:
            Tag("span", typed_code(self.rules, same[0]), "code", aria_hidden="true")
            Tag("span", shown_title, "title")
            cells: list[list[Tag]] = []
            for _ in self.players:
                with Tag("span", classes="cell"):
                    cells.append([Tag("span", classes="slot") for _ in same])

        def show(standing: ScorecardState) -> None:
            nonlocal next_open
            mine = standing.cards[standing.player]
            due = next((k for k in same if k in standing.possible), None)
            next_open = next((k for k in same if mine.boxes[k] is None), same[-1])
            for number, (card, slots) in enumerate(zip(standing.cards, cells, strict=True)):
                for k, slot in zip(same, slots, strict=True):
                    points, move = card.boxes[k], None
                    if number == standing.player and k == due:
                        move = standing.possible[k]
                    slot.text = _text(points, move)
                    kind = "may" if move else "open" if points is None else "filled"
                    last = "true" if standing.last == (number, k) else None
                    slot.set(data_slot=kind, data_last=last)
            full = all(mine.boxes[k] is not None for k in same)
            state = "possible" if due is not None else "filled" if full else "open"
            row.set(
                data_state=state,
                data_best="true" if standing.best in same else None,
                aria_disabled=str(state != "possible").lower(),
                aria_label=self._heard(title, same, standing, due),
            )

        self._shows.append(show)

    def _heard(self, title: str, same: list[int], standing: ScorecardState, due: int | None) -> str:
        """Return what a reader hears of a box."""
        told: list[str] = []
        for name, card in zip(self.players, standing.cards, strict=True):
            points = [str(card.boxes[k]) for k in same if card.boxes[k] is not None]
            if card is standing.cards[standing.player]:
                if due is not None:
                    points.append(f"{_text(None, standing.possible[due])}, {standing.naming} it")
                told.insert(0, " ".join(points) or "open")
            elif points:
                told.append(f"{name} {' '.join(points)}")
        best = ", the best" if standing.best in same else ""
        return f"{title}: {'; '.join(told)}{best}"

    def _sum(
        self, title: str, points: Callable[[Scorecard], str], note: Callable[[Scorecard], str]
    ) -> None:
        """Show a sum of every card, with a note about that of the player whose turn it is."""
        with Tag("div", classes="row sum"):
            with Tag("span", classes="title"):
                Tag("span", title)
                small = Tag("small")
            cells = [Tag("span", classes="cell points") for _ in self.players]

        def show(standing: ScorecardState) -> None:
            small.text = note(standing.cards[standing.player])
            for card, cell in zip(standing.cards, cells, strict=True):
                cell.text = points(card)

        self._shows.append(show)


def _text(points: int | None, move: Move | None) -> str:
    if move is not None:
        return f"{move.points}+{move.extra}" if move.extra else str(move.points)
    return "" if points is None else str(points)


TELL_WHAT_WAS_SHOWN = """(event) => {
    if (event.detail < 2) emit(event.currentTarget.closest("[data-shown]")?.dataset.shown ?? "");
}"""
"""The browser counts the clicks of a burst: the second is none of its own. A key that presses a
button counts as no click."""


class Press(Tag):
    """A button that lets a game go on.

    Parameters
    ----------
    act : callable
        Called with what ``data-shown`` of an element around it said when it was pressed: how far
        the game was on the screen that somebody saw.
    """

    def __init__(self, act: Callable[[str], Awaitable[None]], classes: str) -> None:
        super().__init__("button", "", classes, type="button")
        self.on("mousedown", js_handler="(event) => event.preventDefault()")
        self.on("click", lambda event: act(str(event.args)), js_handler=TELL_WHAT_WAS_SHOWN)
