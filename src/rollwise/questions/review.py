"""The EV losses and the luck in a game, decision by decision."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Annotated, Any, ClassVar

from cyclopts import Parameter

from rollwise.errors import counted
from rollwise.files import check_folder, write_atomically
from rollwise.game.dice_notation import format_dice, format_keep
from rollwise.game.game import Game
from rollwise.game.notation import format_action
from rollwise.game.position import format_position
from rollwise.game.records.files import as_game
from rollwise.questions import checks_arguments
from rollwise.questions.answer import Answer, Block, Data, Hidden, table, title
from rollwise.questions.parameters import GameOfRecord, Objective, output
from rollwise.questions.progress import note_written, working
from rollwise.questions.solving import breakdown, objective_of, solved
from rollwise.reviews import grades
from rollwise.reviews import review as reviewing
from rollwise.reviews.decision_review import DecisionReview, RollReview
from rollwise.reviews.grades import Verdict
from rollwise.reviews.page import review_html
from rollwise.reviews.review import Review
from rollwise.reviews.win_review import WinReview, check_two_players, review_win_probability
from rollwise.rules import Rules, as_rules

STYLES = {"best": "green", "inaccuracy": "yellow", "mistake": "red", "blunder": "bold red"}

NOTABLE = 3
"""The number of decisions with the largest loss in win probability that are shown.

Decisions in which the best option for points is not the best option to win are always shown.
"""


class Choice(Data):
    """A legal action with its value and EV loss."""

    action: str
    value: float
    loss: float


class Decision(Data):
    """A decision, with all options, best first."""

    turn: int
    roll: int
    position: str
    chosen: str
    best: str
    value: float
    loss: float
    verdict: Verdict
    counted: bool
    """Whether some options were worse than others, so that the decision mattered."""
    reasons: dict[str, float]
    """The points that the best option gains over the chosen option, by category and bonus."""
    options: list[Choice]


class Roll(Data):
    """A roll, and the value of the game before and after it."""

    turn: int
    roll: int
    kept: str
    dice: str
    before: float
    after: float
    luck: float
    words: str


class WinDecision(Data):
    """A decision with its win probability; a tie counts as half a win."""

    turn: int
    roll: int
    dice: str
    best: str
    chosen: str
    for_points: str
    value: float
    loss: float
    parted: bool
    """Whether the best action for points is not the best action to win."""
    exact: bool


class PlayerReview(Data):
    """The review of one player's game."""

    rules: str
    objective: str
    player: str
    is_over: bool
    score: int
    start: float
    value: float
    luck: float
    loss: float
    luck_adjusted: float
    decisions_counted: int
    mean_loss: float
    share_best: float
    tally: dict[Verdict, int]
    line: list[float]
    decisions: list[Decision]
    rolls: list[Roll]
    chances: list[WinDecision] | None = None
    """The decisions by win probability, with --chances."""
    saved_as: str | None = None
    """The id of the saved game, with --save."""


class Reviews(Answer):
    """A sequence with the review of each player, in the order of play."""

    json_type: ClassVar[Any] = list[PlayerReview]

    game: Hidden[Game]
    reviews: Hidden[Sequence[Review]]
    chances: Hidden[Sequence[Sequence[WinReview]]] = ()
    """The reviews by win probability, if there are any."""
    saved_as: Hidden[str | None] = None
    """The id of the game in the history, if it was saved."""

    def __iter__(self) -> Iterator[Review]:  # type: ignore[override]  # not the fields
        return iter(self.reviews)

    def __getitem__(self, number: int) -> Review:
        return self.reviews[number]

    def __len__(self) -> int:
        return len(self.reviews)

    def __repr__(self) -> str:
        return repr(list(self.reviews))

    def data(self) -> list[dict[str, Any]]:
        """Return the data of each player."""
        rules = self.game.rules
        chances = [[_win_decision(rules, one) for one in decisions] for decisions in self.chances]
        each = zip_longest(self.reviews, chances)
        players = [_player(one, decisions, self.saved_as) for one, decisions in each]
        return [player.model_dump(mode="json") for player in players]

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each decision."""
        return [
            {
                "player": one.player,
                **_decision(decision).model_dump(exclude={"reasons", "options"}),
                "luck": decision.roll.luck,
            }
            for one in self.reviews
            for decision in one.decisions
        ]

    def show(self) -> Iterator[Block]:
        """Yield every decision, the headline numbers, and the worst decisions."""
        for one in self.reviews:
            yield title(one.player)
            rows = table("", "dice", ">luck", "played", "", ">loss", "best", ">value")
            for decision, cells in zip(one.decisions, one.table(), strict=True):
                style = STYLES.get(decision.verdict) if decision.counted else None
                rows.add_row(*cells, style=style)
            yield rows
            yield ""
        yield from self._show_headline()
        for one in self.reviews:
            yield from _show_worst(one)
        for player, decisions in zip(self.game.players, self.chances, strict=False):
            yield from self._show_chances(player, decisions)

    def _show_headline(self) -> Iterator[Block]:
        game, reviews = self.game, self.reviews
        when = f", {game.headers.date.isoformat()}" if game.headers.date else ""
        yield title(f"{game.rules.title}{when}")
        score = "score" if game.is_over else "points so far"
        facts = [{score: str(one.score), **one.facts()} for one in reviews]
        names = max(facts, key=len)  # a finished player has no row for the value now
        cells = {name: [fact.get(name, "") for fact in facts] for name in names}
        plurals = ("inaccuracies", "mistakes", "blunders")
        for verdict, plural in zip(grades.VERDICTS[2:], plurals, strict=True):
            cells[plural] = [str(one.tally()[verdict]) for one in reviews]
        rows = table("", *(f">{one.player}" for one in reviews))
        for name, numbers in cells.items():
            rows.add_row(name, *numbers, style="bold" if name == score else None)
        yield rows
        yield "\nexpected score by turn"
        for one in reviews:
            turns = one.line_by_turn()
            ends = f"{turns[0]:.0f} {grades.sparkline(turns)} {turns[-1]:.0f}"
            yield f"  {ends}{f'  {one.player}' if len(reviews) > 1 else ''}"

    def _show_chances(self, player: str, decisions: Sequence[WinReview]) -> Iterator[Block]:
        """Yield the total loss in win probability and the notable decisions.

        A decision is notable if its loss is one of the largest, or if the best option for points is
        not the best option to win.
        """
        lost = sum(decision.loss for decision in decisions)
        all_exact = all(decision.exact for decision in decisions)
        parted = [decision for decision in decisions if decision.parted]
        since = f" from turn {decisions[0].turn} on" if decisions else ""
        yield (
            f"\n{player}: {_share(lost, all_exact)} win probability lost{since}; the best option "
            f"for points differs in {counted(len(parted), 'decision')}"
        )
        dearest = sorted(decisions, key=lambda decision: -decision.loss)[:NOTABLE]
        rows = table("turn", "dice", "played", ">win", ">lost", "best to win", "best for points")
        for decision in decisions:
            if decision.parted or (decision in dearest and decision.loss > 0):
                told = _win_decision(self.game.rules, decision)
                shares = (_share(share, told.exact) for share in (told.value, told.loss))
                points = told.for_points if told.parted else ""
                rows.add_row(str(told.turn), told.dice, told.chosen, *shares, told.best, points)
        if rows.row_count:
            yield rows


def _show_worst(one: Review) -> Iterator[Block]:
    worst = one.worst()
    yield f"\n{one.player}: {'largest EV losses' if worst else 'no EV loss'}"
    for decision in worst:
        dice = format_dice(one.rules, decision.position.dice)
        yield (
            f"  turn {decision.turn}, roll {decision.number}, {dice}: "
            f"{format_action(one.rules, decision.chosen.action)} {grades.MARKS[decision.verdict]} "
            f"{grades.format_points(-decision.loss)}"
        )
        yield f"    {decision.best_was()}"


def _share(share: float, exact: bool) -> str:
    """Return a probability in percent, with ``~`` if it is not exact."""
    return f"{'' if exact else '~'}{100 * share:.2f}%"


def _player(one: Review, chances: list[WinDecision] | None, saved_as: str | None) -> PlayerReview:
    return PlayerReview.of(
        one,
        rules=one.rules.name,
        decisions_counted=len(one.counted),
        tally=one.tally(),
        line=one.line(),
        decisions=list(map(_decision, one.decisions)),
        rolls=[_roll(one.rules, roll) for roll in one.rolls],
        chances=chances,
        saved_as=saved_as,
    )


def _decision(decision: DecisionReview) -> Decision:
    rules = decision.position.rules
    return Decision.of(
        decision,
        roll=decision.number,
        position=format_position(decision.position),
        chosen=format_action(rules, decision.chosen.action),
        best=format_action(rules, decision.best.action),
        value=decision.after,
        reasons=dict(decision.reasons),
        options=[
            Choice.of(option, action=format_action(rules, option.action))
            for option in decision.options
        ],
    )


def _roll(rules: Rules, roll: RollReview) -> Roll:
    kept, dice = format_keep(rules, roll.kept), format_dice(rules, roll.dice)
    return Roll.of(roll, roll=roll.number, kept=kept, dice=dice)


def _win_decision(rules: Rules, decision: WinReview) -> WinDecision:
    return WinDecision.of(
        decision,
        roll=decision.number,
        dice=format_dice(rules, decision.dice),
        best=format_action(rules, decision.best.action),
        chosen=format_action(rules, decision.chosen.action),
        for_points=format_action(rules, decision.for_points.action),
        value=decision.chosen.value,
    )


@checks_arguments
def review(
    game: Annotated[Path | Game | str, Parameter(allow_leading_hyphen=True)],
    *,
    rules: GameOfRecord = None,
    objective: Objective = "expected",
    html: Annotated[Path | None, output("a printable page", "--html")] = None,
    chances: bool = False,
) -> Reviews:
    """Find the mistakes and the luck in a game.

    The EV loss of a decision is the value of the best option minus the value of the chosen option.
    Luck is what a roll adds to the value: score = start value + luck − EV loss. You can type a game
    record by hand: one turn per line, with the rolls, the dice to keep, and the category. With
    --chances, ~ marks an approximate win probability.

    Parameters
    ----------
    game
        A game record as text or JSON; - for standard input.
    rules
        A game from rollwise rules list, or a rule file.
    objective
        The objective.
    html
        Write a printable page to this file.
    chances
        For two players: also print the lost win probability.

    Raises
    ------
    InputError
        If the record is invalid, or the game begins at a position.

    Examples
    --------
    >>> (ada,) = review(Game("micro-yahtzee", "Ada", "roll 6; score square"))
    >>> ada
    <Review of Ada in micro-yahtzee: score 36, luck +17.06, lost through choices 0.00>

    rollwise review game.txt
    rollwise review game.txt --step
    rollwise review game.txt --save
    echo "11366 66 25666 666 46666 4k" | rollwise review -
    """
    check_folder(html)
    played = as_game(game, None if rules is None else as_rules(rules))
    if chances:
        check_two_players(played)  # before the game is solved
    solution = solved(played.rules, objective_of(objective, played.rules))
    reviews = reviewing.review(played, solution, breakdown(solution))
    if html is not None:
        write_atomically(html, review_html(played, reviews).encode())
        note_written(html)
    if not chances:
        return Reviews(game=played, reviews=reviews)
    with working(f"computing win probabilities in {played.rules.name}") as advance:
        by_chance = review_win_probability(played, reviews, progress=advance)
    return Reviews(game=played, reviews=reviews, chances=by_chance)
