"""The payoff-line strategy: its Markov chains, its regression line, and its action for a roll.

Matrices are indexed by the next state and then by the previous state, as in the paper, and lists of
probabilities by state; the states are the numbers of dice to keep.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import nullcontext, suppress
from fractions import Fraction
from typing import Annotated, Literal

from cyclopts import Parameter
from pydantic import PlainSerializer, WithJsonSchema
from rich.text import Text

from rollwise.errors import InputError
from rollwise.game.dice_notation import format_dice, format_keep
from rollwise.game.notation import format_action
from rollwise.game.position import PositionLike, as_position, format_position
from rollwise.questions import checks_arguments
from rollwise.questions.answer import Answer, Block, Data, Hidden, table, title, with_minus
from rollwise.questions.parameters import Card, Game, Picture, RollsLeft
from rollwise.questions.progress import note_written
from rollwise.questions.solving import prepare_plot
from rollwise.rules import Rules, game_of
from rollwise.strategies import payoff_line as model_of

MOST_ROLLS = 100
"""The maximum number of rolls after the state that ``--state`` names."""

Variant = Literal["published", "corrected", "exact"]
ChainName = Literal["of-a-kind", "one-face", "small-straight", "large-straight"]
CHAINS: dict[ChainName, model_of.Kind] = {
    "of-a-kind": "of-a-kind",
    "one-face": "one-face",
    "small-straight": 4,
    "large-straight": 5,
}
Rounded = Annotated[Fraction, PlainSerializer(float), WithJsonSchema({"type": "number"})]
"""A fraction that is a decimal number in JSON."""


class Line(Data):
    """The regression line: probability = slope · payoff + intercept."""

    slope: float
    intercept: float


class Point(Data):
    """The payoff and the probability of a category in a whole turn."""

    category: str
    payoff: float
    probability: float
    exact: float
    raw_value: float
    raw_payoff: float
    weight: float


class Aim(Point):
    """The payoff and the probability of a category with a roll."""

    state: int | None
    distance: float
    keep: str


class ExpectedRolls(Data):
    """The expected number of rolls until a state."""

    state: int
    """The target: this or a higher state."""
    from_states: list[Rounded]
    """The expected number of further rolls from each state."""
    from_start: Rounded
    """The expected number of rolls from the beginning, including the first."""
    exactly: str
    """The same number as a fraction."""


class PaperChain(Data):
    """A chain with the errors of the paper."""

    matrix: list[list[float]]
    is_inferred: bool
    """Whether entry (1, 1) of the matrix is not printed, but inferred from the printed distribution
    after all rolls."""
    first_roll: list[float]
    after_all_rolls: list[float]


class FromState(Data):
    """The probability of each state some rolls after another state."""

    state: int
    rolls: int
    probabilities: list[Rounded]


class Chain(Data):
    """A Markov chain of the number of dice to keep."""

    chain: ChainName
    states: list[int]
    matrix: list[list[Rounded]]
    first_roll: list[Rounded]
    after_all_rolls: list[Rounded]
    expected_rolls: list[ExpectedRolls]
    paper: PaperChain | None
    """The chain with the errors of the paper, where it prints them."""
    from_state: FromState | None
    """The probabilities from the state of --state."""

    @property
    def _title(self) -> str:
        name = self.chain.replace("-", " ").capitalize()
        return "N of a kind" if self.chain == "of-a-kind" else name

    def show(self, rolls: int) -> Iterator[Block]:
        """Yield the matrix, and the distributions after the first and the last roll of a turn."""
        entries = [[str(entry) for entry in row] for row in self.matrix]
        columns = {
            "first roll": _decimals(self.first_roll),
            f"after {rolls} rolls": _decimals(self.after_all_rolls),
        }
        yield title(self._title, ": from the column's state to the row's state")
        if (paper := self.paper) is not None:
            mark = "*" if paper.is_inferred else ""
            for i, row in enumerate(paper.matrix):
                for j, entry in enumerate(row):
                    if entry != float(self.matrix[i][j]):
                        entries[i][j] += f" ({round(entry * 1296)}/1296{mark})"
            printed = map(_decimals, (paper.first_roll, paper.after_all_rolls))
            for heading, numbers in zip(tuple(columns), printed, strict=True):
                pairs = zip(columns[heading], numbers, strict=True)
                columns[heading] = [x if x == y else f"{x} ({y})" for x, y in pairs]
        if (after := self.from_state) is not None:
            columns[f"from {after.state} after {after.rolls}"] = _decimals(after.probabilities)
        rows = table("", *(f">{name}" for name in (*self.states, *columns)))
        for state, entry_row, *cells in zip(self.states, entries, *columns.values(), strict=True):
            rows.add_row(str(state), *entry_row, *cells)
        yield rows
        if paper is not None:
            yield "In parentheses: the number with the errors of the paper, where it differs."
            if paper.is_inferred:
                yield "* inferred from the printed T²s; the paper prints the correct 120/1296."
        yield ""

    def show_expected_rolls(self) -> Iterator[Block]:
        """Yield the expected number of rolls until each state."""
        yield title(self._title, ": expected further rolls until the row's state or a higher one")
        columns = [f">from {state}" for state in self.states]
        rows = table("", *columns, ">from the start", ">exactly")
        for row in self.expected_rolls:
            numbers = (*row.from_states, row.from_start)
            rows.add_row(str(row.state), *(f"{float(n):.4f}" for n in numbers), row.exactly)
        yield rows


class Payoffs(Answer):
    """The regression line with the points of the categories, and the Markov chains."""

    rules: str
    variant: Variant
    line: Line | None
    """Null if all payoffs are equal, because then no line is needed."""
    position: str | None
    action: str | None
    points: list[Aim] | list[Point]
    """The points of the categories; with a roll, best first."""
    chains: list[Chain]
    game: Hidden[Rules]
    rolls_left: Hidden[int]

    def __repr__(self) -> str:
        return f"<Payoffs of {self.rules}, {self.variant}: {self._equation}>"

    @property
    def _equation(self) -> str:
        if self.line is None:
            return "no line"
        slope, intercept = self.line.slope, self.line.intercept
        sign = "+" if intercept >= 0 else "−"
        factor = with_minus(f"{slope:.4f}")
        return f"probability = {factor} × payoff {sign} {abs(intercept):.4f}"

    def show(self) -> Iterator[Block]:
        """Yield the choice for a roll, or the chains and the data of whole turns."""
        if self.action is not None:
            yield from self._show_turn(self.action)
            return
        for chain in self.chains:
            yield from chain.show(self.game.rolls)
        if len(self.chains) == 1:
            yield from self.chains[0].show_expected_rolls()
        else:
            yield from self._show_whole_turns()

    def _show_whole_turns(self) -> Iterator[Block]:
        yield title("Whole turns", f", {self.variant}: {self._equation}")
        rows = table(
            "category", ">payoff", ">probability", ">exact", ">raw value", ">raw payoff", ">weight"
        )
        for point in self.points:
            raw = f"{point.raw_value:g}", f"{point.raw_payoff:.5f}", f"{point.weight:.7f}"
            rows.add_row(*self._coordinates(point), *raw)
        yield rows

    def _show_turn(self, action: str) -> Iterator[Block]:
        yield title(self.game.title, f": {self.position}")
        aims = [point for point in self.points if isinstance(point, Aim)]
        if not aims:
            fits = "any roll fits the open categories"
            reason = fits if self.rolls_left else "the most points now"
            yield Text.assemble((f"{action[0].upper()}{action[1:]}", "bold green"), f": {reason}.")
            return
        category, keep = ((text, "bold green") for text in (aims[0].category, aims[0].keep))
        yield Text.assemble("Go for ", category, ", keep ", keep)
        yield f"{self.variant}: {self._equation}"
        yield ""
        rows = table(
            "category", ">kept so far", ">payoff", ">probability", ">exact", ">distance", ">keep"
        )
        for aim in aims:
            name, *numbers = self._coordinates(aim)
            state = "" if aim.state is None else str(aim.state)
            distance = with_minus(f"{aim.distance:.4f}")
            style = "green" if aim is aims[0] else None
            rows.add_row(name, state, *numbers, distance, aim.keep, style=style)
        yield rows

    def _coordinates(self, point: Point) -> list[str]:
        """Return the title of a category, its payoff, and its probabilities."""
        category = self.game.categories[self.game.category_index(point.category)]
        return [category.title, *_decimals((point.payoff, point.probability, point.exact))]


def _decimals(numbers: Iterable[float | Fraction]) -> list[str]:
    return [f"{float(number):.7f}" for number in numbers]


@checks_arguments
def payoff_line(
    dice: PositionLike | None = None,
    *,
    rolls_left: RollsLeft = None,
    card: Card = None,
    variant: Variant = "corrected",
    chain: ChainName | None = None,
    state: Annotated[int | None, Parameter(metavar="N")] = None,
    rules: Game = None,
    plot: Picture = None,
) -> Payoffs:
    """Show the payoff-line strategy, or its action for a roll.

    The strategy plays for the category whose probability is farthest above the regression line.
    A Markov chain estimates each probability; the table shows the exact probability beside it.
    The variant published keeps the errors of the paper, corrected fixes them, and exact uses exact
    probabilities.

    Parameters
    ----------
    dice
        Explain the action for these dice.
    rolls_left
        Rerolls left.
    card
        Filled categories with their points, such as ones=3; - for none.
    variant
        How to treat the errors in the paper.
    chain
        Show only this chain, with the expected rolls to each state.
    state
        Also print the probability of reaching each state from this state.
    rules
        A game from rollwise rules list, or a rule file.
    plot
        Also save a plot as .png or .svg.

    Examples
    --------
    >>> payoff_line(16226, rules="yahtzee").points[0].category
    'sixes'
    >>> payoff_line(chain="of-a-kind", rules="yahtzee").chains[0].expected_rolls[-1].from_start
    Fraction(191283, 17248)

    rollwise payoff-line
    rollwise payoff-line 16226 --variant published --plot turn.svg
    rollwise payoff-line 66453 --rolls-left 1 --card "ones=3,full-house=25" --json
    rollwise payoff-line --chain of-a-kind --state 2 --rolls-left 2
    """
    prepare_plot(plot)
    game = game_of(rules, dice, card)
    strategy = model_of.PayoffLine(variant)
    model, position, action = strategy.model(game), None, None
    if dice is None:
        shown = model.whole_turns()
        left = game.rolls - 1 if rolls_left is None else rolls_left
    elif state is not None or chain is not None:
        option = "--chain" if state is None else "--state"
        raise InputError(f"{option} cannot be combined with dice. Leave out one of them.")
    else:
        position = as_position(game, dice, rolls_left, card)
        left, filled = position.rolls_left, position.state.filled
        shown = strategy.aims(game, filled, position.dice, left) if left else []
        action = strategy.action(position)
    chains = {
        name: model_of.payoff_chain(kind, game.dice, game.faces)
        for name, kind in CHAINS.items()
        if chain in (None, name)
    }
    if state is not None:
        if not 0 <= left <= MOST_ROLLS:
            raise InputError(
                f"With --state, --rolls-left must be from 0 to {MOST_ROLLS}, not {left}."
            )
        if not any(str(state) in shown_chain.states for shown_chain in chains.values()):
            only = "No chain has" if chain is None else f"The chain {chain} does not have"
            raise InputError(
                f"{only} the state {state}. Run 'rollwise payoff-line' to see all states."
            )
    line = None
    with suppress(InputError) if position is not None and not shown else nullcontext():
        line = Line(slope=model.line.slope, intercept=model.line.intercept)
    answer = Payoffs(
        rules=game.name,
        variant=variant,
        line=line,
        position=None if position is None else format_position(position),
        action=None if action is None else format_action(game, action),
        points=[_point(model, point, is_aim=position is not None) for point in shown],
        chains=[_chain(model, *item, state, left) for item in chains.items()],
        game=game,
        rolls_left=left,
    )
    if plot is not None:
        from rollwise.experiments import plots

        turns = "whole turns" if position is None else format_dice(game, position.dice)
        plots.save_points(model, shown, plot, turns)
        note_written(plot)
    return answer


def _point(model: model_of.PayoffModel, point: model_of.Point, *, is_aim: bool) -> Point:
    kind = Aim if is_aim else Point
    fields = vars(point) | {
        "category": model.rules.keys[point.category],
        "raw_value": point.points,
        "raw_payoff": (raw := point.points / model.best_total),
        "weight": point.payoff - raw,
        "keep": format_keep(model.rules, point.keep),
    }
    return kind(**{name: fields[name] for name in kind.model_fields})


def _chain(
    model: model_of.PayoffModel,
    name: ChainName,
    chain: model_of.PayoffChain,
    state: int | None,
    rolls: int,
) -> Chain:
    """Return a chain, with the probabilities some rolls after a state."""
    steps, kind, paper, after = model.rules.rolls - 1, CHAINS[name], None, None
    if model.has_errors and kind in model_of.PAPER:
        matrix, start = model_of.paper_chain(kind)
        states = slice(int(chain.states[0]), None)
        paper = PaperChain(
            matrix=matrix.T[states, states].tolist(),
            is_inferred=name == "of-a-kind",
            first_roll=start[states].tolist(),
            after_all_rolls=model_of.paper_after(kind, steps)[states].tolist(),
        )
    if state is not None and str(state) in chain.states:
        probabilities = chain.after(str(state), rolls)
        after = FromState(state=state, rolls=rolls, probabilities=probabilities)
    return Chain(
        chain=name,
        states=[int(target) for target in chain.states],
        matrix=chain.matrix(),
        first_roll=chain.after(chain.start, 0),
        after_all_rolls=chain.after(chain.start, steps),
        expected_rolls=[
            ExpectedRolls(
                state=int(target), from_states=further, from_start=first, exactly=str(first)
            )
            for target in chain.states
            for further, first in [chain.expected_rolls(target)]
        ],
        paper=paper,
        from_state=after,
    )
