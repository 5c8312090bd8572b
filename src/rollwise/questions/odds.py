"""The odds of a target within one turn, and the best dice to keep for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, ClassVar

from annotated_types import Ge
from cyclopts import Parameter

from rollwise.decision_analysis.odds import compared_keeps, rank, simulated_value
from rollwise.decision_analysis.picture import turn_picture
from rollwise.decision_analysis.targets import target_pattern, target_turn
from rollwise.decision_analysis.turn import Multisets, Turn
from rollwise.errors import InputError, check_count, check_type, counted
from rollwise.questions import checks_arguments
from rollwise.questions.answer import (
    Answer,
    Block,
    Data,
    Hidden,
    Number,
    format_number,
    table,
    writes_fractions,
)
from rollwise.questions.parameters import Count, RollsLeft, Seed
from rollwise.questions.progress import note_written, working

SHOWN, LISTED = 40, 1_000
"""The maximum numbers of distinct rolls, for people and in the data, for which all values and best
dice to keep are given."""

DiceText = str | int | Iterable[int]
"""Dice as text, as the digits of a number, or as faces."""


class Keep(Data):
    """Dice to keep; the value is a probability, or the mean of the payoff ``sum``."""

    keep: str
    chance: Number | None = None
    mean: Number | None = None
    best: bool


class Roll(Data):
    """A roll, its value after each roll of the turn, and the best dice to keep."""

    roll: str
    first: Number
    """The probability of this first roll."""
    payoffs: list[Number]
    """The payoffs after each roll, from the first to the last."""
    best: list[list[str]]
    """The best dice to keep after each roll but the last."""


class Matrices(Data):
    """The option matrices, indexed by dice to keep and by roll."""

    keeps: list[str]
    rolls: list[str]
    options: list[list[Number]]
    """The probability of each roll after keeping each set of dice."""
    available: list[list[int]]
    """1 if the roll contains the dice to keep, and otherwise 0."""


class Odds(Answer):
    """The value of one turn, or of dice to keep in it: a probability or, for ``sum``, a mean."""

    has_fractions: ClassVar[bool] = True

    target: str
    faces: int
    dice: int
    rolls: int
    hand: str | None = None
    rolls_left: int | None = None
    """The number of rerolls left, if there are dice to keep."""
    games: int | None = None
    """The number of simulated turns."""
    seed: int | None = None
    chance: Number | None = None
    mean: Number | None = None
    standard_error: float | None = None
    policy: str | None = None
    """The dice that the simulated player keeps; optimal play is at least as good."""
    keeps: list[Keep] | None = None
    """The options, best first."""
    states: list[Roll] | None = None
    """All rolls of the turn; empty if there are more than 1,000."""
    matrices: Matrices | None = None
    turn: Hidden[Turn]
    """The turn, which has the exact values of all rolls unless it is too large to solve."""

    @property
    def value(self) -> Fraction | float:
        """The value of the best dice to keep, or of the turn if there are no current dice."""
        return _value(self.keeps[0] if self.keeps else self)

    def __float__(self) -> float:
        return float(self.value)

    def __repr__(self) -> str:
        of = f" from {self.hand}" if self.hand else ""
        return f"<Odds of {self.target}{of}: {float(self.value):.7g}>"

    @property
    def _measure(self) -> str:
        return "mean" if self.target == "sum" else "probability"

    def show(self) -> Iterator[Block]:
        """Yield the value, and the values of all rolls if there are few, or of dice to keep."""
        title = f"{self._measure.capitalize()} of {self.target}"
        sizes = f"{self.dice} dice with {self.faces} faces"
        whole = f"{title} in {counted(self.rolls, 'roll')} of {sizes}"
        if self.keeps:
            best = [row.keep for row in self.keeps if row.best]
            summary = f"equally good: {', '.join(best)}" if len(best) > 1 else f"best: {best[0]}"
            start = f" from {self.hand}" if self.hand else ""
            left = counted(self.rolls_left or 0, "roll")
            yield f"{title}{start} with {left} left; {summary}"
            yield ""
            rows = table("keep", f">{self._measure}", "")
            for row in self.keeps:
                rows.add_row(row.keep, _text(_value(row)), "best" if row.best else "")
            yield rows
        elif self.games is not None:
            until = "" if self.target == "sum" else " until the target is reached"
            error = f"with a standard error of {self.standard_error:.2g}"
            yield f"{whole}: {float(self.value):.4g} {error}"
            yield (
                f"In {self.games:,} simulated turns (seed {self.seed}), the player keeps "
                f"{self.policy}{until}.\nOptimal play is at least as good."
            )
        else:
            if self.matrices is not None:
                _check_matrices(len(self.matrices.rolls), SHOWN)
            yield f"{whole}: {_text(self.value)}"
            if self.states and len(self.states) <= SHOWN:
                yield from self._show_rolls(self.states)

    def _show_rolls(self, states: list[Roll]) -> Iterator[Block]:
        after = range(1, self.rolls + 1)
        values = [f">after {i}" for i in after]
        rows = table("roll", ">first", *values, *(f"best after {i}" for i in after[:-1]))
        for state in states:
            numbers = map(_text, (state.first, *state.payoffs))
            rows.add_row(state.roll, *numbers, *map(" or ".join, state.best))
        yield ""
        yield rows
        if self.matrices is not None:
            headings: dict[str, Sequence[Sequence[Fraction | float]]] = {
                "Options: probability of each roll, by the dice that were kept": (
                    self.matrices.options
                ),
                "Available: 1 if the roll contains the dice to keep": self.matrices.available,
            }
            for heading, matrix in headings.items():
                rows = table("keep", *(f">{roll}" for roll in self.matrices.rolls))
                for keep, row in zip(self.matrices.keeps, matrix, strict=True):
                    rows.add_row(keep, *map(_text, row))
                yield f"\n{heading}\n"
                yield rows


def _value(of: Keep | Odds) -> Fraction | float:
    """Return the probability, or the mean if the payoff is the sum."""
    value = of.mean if of.chance is None else of.chance
    assert value is not None
    return value


def _text(value: Fraction | float) -> str:
    """Return a value for a table; a probability below 1 is never printed as 1."""
    text = format_number(value)
    return ">0.9999999" if text == "1" and value < 1 else text


@checks_arguments
def odds(
    target: str,
    *,
    faces: Count = 6,
    dice: Count = 5,
    rolls: Count = 3,
    hand: DiceText | None = None,
    rolls_left: RollsLeft = None,
    compare: Annotated[
        Iterable[DiceText] | None,
        Parameter(
            metavar="KEEP [KEEP]...",
            consume_multiple=1,
            allow_repeating=True,
        ),
    ] = None,
    matrices: bool = False,
    plot: Annotated[Path | None, Parameter(name=("--plot", "--diagram"), metavar="FILE")] = None,
    simulate: Annotated[int | None, Ge(2), Parameter(metavar="N")] = None,
    seed: Seed = 0,
) -> Odds:
    """Compute the odds of a target within one turn.

    The probability is exact and assumes that you play only for the target. A target can be a
    category, a pattern such as 4x6 (four sixes) or straight-3, a roll such as 23456, or a profile:
    00001 counts singles, pairs, triples, and so on. If digits describe as many dice as the turn
    has, they are a profile; otherwise, they are the faces of a roll. For the target sum, the result
    is the expected sum. For turns too large to solve, --simulate gives a lower bound.

    Parameters
    ----------
    target
        The target: full-house, 3-of-a-kind, 4x6+, 'sum>=25', 23456, 00001, or sum.
    faces
        Faces of each die.
    dice
        Dice of the turn.
    rolls
        Rolls of the turn, including the first.
    hand
        The current dice; the command compares what you can keep of them.
    rolls_left
        Rerolls left.
    compare
        Compare only these dice to keep: 66, or - for none.
    matrices
        Also print the option matrices.
    plot
        Also draw a decision as .svg, .png, or .dot.
    simulate
        Estimate the value from N turns, for large turns.
    seed
        Seed of the dice; the same seed gives the same games.

    Examples
    --------
    >>> odds("5-of-a-kind")
    <Odds of 5-of-a-kind: 0.04602864>
    >>> odds("large-straight", hand=12566, rolls_left=2, compare=["25", "256"]).keeps[0].best
    True

    rollwise odds large-straight --rolls 4
    rollwise odds large-straight --hand 12566 --rolls-left 2 --compare 25 256
    rollwise odds sum --rolls 2 --exact
    rollwise odds 4-of-a-kind --dice 10 --faces 20 --simulate 5000
    """
    check_type(target, str, "a target as text, such as 'full-house'")
    left = rolls - 1 if rolls_left is None else rolls_left
    check_count(left, "the number of rolls left", least=0)
    roll = None if hand is None else _dice_text(hand)
    keeps = compared_keeps(Multisets(faces), dice, roll, map(_dice_text, compare or ()))
    if rolls_left is not None and not keeps and plot is None:
        raise InputError("--rolls-left needs --hand, --compare, or --plot. Add one of them.")
    if matrices and keeps:
        raise InputError("--matrices describes a whole turn. Leave out --hand and --compare.")
    if simulate is not None and (keeps or matrices or plot is not None or writes_fractions()):
        raise InputError(
            "--simulate cannot be combined with --hand, --compare, --exact, --matrices, or "
            "--plot. Choose one of them."
        )
    measure, word = ("mean", "Mean") if target == "sum" else ("chance", "Probability")
    with working("solving the turn" if simulate is None else "playing"):
        if simulate is None and target != "sum":
            turn = target_turn(target, faces=faces, dice=dice, rolls=rolls)
        else:
            pays = sum if target == "sum" else target_pattern(target, faces=faces, dice=dice)
            turn = Turn(Multisets(faces), pays, dice, rolls)
        if plot is not None:
            picture_left = 1 if rolls_left is None else rolls_left
            title = f"{word} of {target} with {counted(picture_left, 'roll')} left"
            turn_picture(turn, picture_left, title).save(plot)
            note_written(plot)
        found: dict[str, Any]
        if simulate is not None:
            estimate = simulated_value(turn, simulate, seed)
            found = {
                "games": simulate,
                "seed": seed,
                measure: estimate.mean,
                "standard_error": estimate.standard_error,
                "policy": estimate.policy,
            }
        elif keeps:
            text, options = Multisets(faces).format, rank(turn, keeps, left)
            rows = [
                Keep(keep=f"keep {text(option.keep)}", best=option.best, **{measure: option.value})
                for option in options
            ]
            found = {"hand": roll, "rolls_left": left, "keeps": rows}
        else:
            found = {
                measure: turn.value,
                "states": _states(turn),
                "matrices": _matrices(turn) if matrices else None,
            }
    return Odds(target=target, faces=faces, dice=dice, rolls=rolls, turn=turn, **found)


def _dice_text(dice: DiceText) -> str:
    if isinstance(dice, str | int):
        return str(dice)
    check_type(dice, Iterable, "dice such as '66', 66, or (6, 6)")
    return ",".join(map(str, dice)) or "-"


def _states(turn: Turn) -> list[Roll]:
    """Return all rolls of a turn with their values, if there are at most ``LISTED``."""
    if len(turn.states) > LISTED:
        return []
    payoffs = [turn.payoffs(left) for left in range(turn.rolls - 1, -1, -1)]
    moves = [turn.moves(left) for left in range(turn.rolls - 1, 0, -1)]
    return [
        Roll(
            roll=roll,
            first=first,
            payoffs=[values[roll] for values in payoffs],
            best=[list(best[roll]) for best in moves],
        )
        for roll, first in turn.outcomes(turn.start).items()
    ]


def _check_matrices(rolls: int, most: int) -> None:
    if rolls > most:
        raise InputError(
            f"--matrices would list {rolls:,} rolls; the limit is {most:,}. Use fewer dice or "
            "faces."
        )


def _matrices(turn: Turn) -> Matrices:
    _check_matrices(len(turn.states), LISTED)
    outcomes = [turn.outcomes(option) for option in turn.options]
    return Matrices(
        keeps=list(turn.options),
        rolls=list(turn.states),
        options=[[ends.get(roll, 0) for roll in turn.states] for ends in outcomes],
        available=[[int(roll in ends) for roll in turn.states] for ends in outcomes],
    )
