"""One turn of roll and keep as a decision problem."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from rollwise.decision_analysis.arrows import Number
from rollwise.decision_analysis.decision_problem import DecisionProblem
from rollwise.decision_analysis.dice_graph import DiceGraph, Notation, Point, check_whole, grow
from rollwise.errors import InputError

MAX_DICE, MAX_ROLLS = 100, 1_000


@dataclass(frozen=True)
class TurnProblem:
    """A turn: a number of dice, a number of rolls, and the payoff of each full roll.

    A state is a full roll. An option is a set of dice to keep while the other dice are rolled.
    States and options are strings in the notation of the turn, such as ``"201"`` or ``"12566"``.

    Attributes
    ----------
    notation
        The representation of dice: `Profiles` or `Multisets`.
    payoff
        A function from a full roll, given as a tuple of the notation, to its payoff. An exact
        analysis needs ints or Fractions.
    dice
        The number of dice, 1 to 100.
    rolls
        The number of rolls, including the first, 1 to 1,000.

    Raises
    ------
    ValueError
        If a number is out of range.
    """

    notation: Notation
    payoff: Callable[[Point], Number]
    dice: int = 5
    rolls: int = 3

    def __post_init__(self) -> None:
        check_whole("the number of dice", self.dice, MAX_DICE)
        check_whole("the number of rolls", self.rolls, MAX_ROLLS)

    @cached_property
    def graph(self) -> DiceGraph:
        """The graph of all rolls and dice to keep."""
        return grow(self.notation, self.dice)

    @cached_property
    def states(self) -> tuple[str, ...]:
        """All full rolls."""
        return tuple(map(self.notation.format, self.graph.layers[-1]))

    @cached_property
    def options(self) -> tuple[str, ...]:
        """All options, from no dice to all dice."""
        return tuple(self.notation.format(p) for layer in self.graph.layers for p in layer)

    @property
    def start(self) -> str:
        """The option of keeping no dice, which is the only option at the start of a turn."""
        return self.notation.format(self.notation.empty())

    def text_of(self, dice: Sequence[int]) -> str:
        """Return the state or option with these dice.

        Raises
        ------
        ValueError
            If a face is not on the dice of this turn.
        """
        return self.notation.format(self.notation.of_dice(dice))

    def place(self, text: str) -> tuple[int, int]:
        """Return the layer of a state or option in the graph, and its index in the layer.

        Raises
        ------
        ValueError
            If the string is neither a state nor an option of this turn.
        """
        point = self.notation.parse(text)
        if point not in self.graph.index:
            raise InputError(f"cannot keep {text!r}; this turn has {self.dice} dice")
        return self.graph.index[point]

    def outcomes(self, option: str) -> dict[str, Fraction]:
        """Return the distribution F(d) of the full roll after an option d.

        Raises
        ------
        ValueError
            If the string is not an option of this turn.
        """
        layer, _ = self.place(option)
        ways = Counter({self.notation.parse(option): 1})
        for _ in range(layer, self.dice):
            rolled: Counter[Point] = Counter()
            for point, before in ways.items():
                for point_after, faces in self.notation.roll_one(point):
                    rolled[point_after] += before * faces
            ways = rolled
        total = self.notation.faces ** (self.dice - layer)
        return {self.notation.format(point): Fraction(n, total) for point, n in ways.items()}

    def decision_problem(self, payoff: Mapping[str, Number] | None = None) -> DecisionProblem:
        """Return one decision of this turn as a decision problem, with all options and outcomes.

        Use this method only for small turns, because the result lists all outcomes of each option.
        `analyze_turn` solves larger turns.

        Parameters
        ----------
        payoff
            The payoff of each state after the decision (default: the payoff of the turn).
        """
        options = {option: self.outcomes(option) for option in self.options}
        available = {
            state: [option for option, outcomes in options.items() if state in outcomes]
            for state in self.states
        }
        if payoff is None:
            payoff = dict(zip(self.states, map(self.payoff, self.graph.layers[-1]), strict=True))
        return DecisionProblem(available, options, payoff)
