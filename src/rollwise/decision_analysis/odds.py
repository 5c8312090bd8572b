"""The odds of a target within one turn: :func:`odds`, exact or simulated."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from rollwise.decision_analysis.keep_ranking import KeepOption, check_within, keeps_within, rank
from rollwise.decision_analysis.policies import parse_policy
from rollwise.decision_analysis.simulation import Estimate, compare_policies, simulate_turn
from rollwise.decision_analysis.targets import target_pattern, target_turn
from rollwise.decision_analysis.turn import Multisets, Number, Point, Turn
from rollwise.errors import InputError, check_count, check_type
from rollwise.notebook import data_frame, html_table

DiceText = str | int | Iterable[int]
"""Dice as text, as the digits of a number, or as faces."""


@dataclass(frozen=True, repr=False)
class Odds:
    """The value of one turn, and of dice to keep in it.

    Attributes
    ----------
    target : str
        The target or the payoff.
    turn : Turn
    is_probability : bool
        Whether values are probabilities of the target; otherwise they are expected payoffs.
    hand : str or None
        The current dice.
    rolls_left : int
        The number of rerolls left.
    keeps : tuple of KeepOption
        The exact value of each set of dice to keep, best first; empty if there are no current dice.
    estimates : mapping of str to Estimate
        Simulated values, best first: of each set of dice to keep, or of each policy. Empty for
        exact odds.
    policy : str or None
        The policy of the rerolls that follow simulated dice to keep.
    """

    target: str
    turn: Turn
    is_probability: bool
    hand: str | None
    rolls_left: int
    keeps: tuple[KeepOption, ...]
    estimates: Mapping[str, Estimate]
    policy: str | None = None

    @property
    def value(self) -> Number | float:
        """The value of the best dice to keep, or of the turn if there are no current dice.

        An exact value is a whole number or a fraction; a simulated value is a float.
        """
        if self.estimates:
            return next(iter(self.estimates.values())).mean
        return self.keeps[0].value if self.keeps else self.turn.value

    def __float__(self) -> float:
        return float(self.value)

    def __repr__(self) -> str:
        of = f" from {self.hand}" if self.hand else ""
        return f"<Odds of {self.target}{of}: {float(self.value):.7g}>"

    def _repr_html_(self) -> str:
        rows = [tuple(row.values()) for row in self._rows()]
        return html_table(repr(self).strip("<>"), rows, tuple(next(iter(self._rows()))))

    def frame(self, library: str | None = None) -> Any:
        """Return a data frame with a row for each set of dice to keep, policy, or first roll.

        Parameters
        ----------
        library : {"polars", "pandas"}, optional
            Default: polars if it is installed, otherwise pandas.
        """
        return data_frame(self._rows(), library)

    def _rows(self) -> list[dict[str, Any]]:
        if self.estimates:
            return [
                {"option": name, "value": estimate.mean, "error": estimate.standard_error}
                for name, estimate in self.estimates.items()
            ]
        if self.keeps:
            return [
                {
                    "keep": self.turn.text_of(option.keep),
                    "value": float(option.value),
                    "best": option.best,
                }
                for option in self.keeps
            ]
        first = self.turn.outcomes(self.turn.start)
        left = self.turn.rolls - 1
        values = self.turn.payoffs(left)
        return [
            {"roll": roll, "probability": float(p), "value": float(values[roll])}
            for roll, p in first.items()
        ]


def is_payoff(target: str) -> bool:
    """Return whether a target is the payoff ``sum``, the sum of the dice."""
    return target == "sum"


def odds_turn(
    target: str, *, faces: int = 6, dice: int = 5, rolls: int = 3, simulated: bool = False
) -> Turn:
    """Return the turn of :func:`odds`; a simulated turn can be too large to solve."""
    if is_payoff(target):
        return Turn(Multisets(faces), sum, dice, rolls)
    if not simulated:
        return target_turn(target, faces=faces, dice=dice, rolls=rolls)
    pattern = target_pattern(target, faces=faces, dice=dice)
    return Turn(Multisets(faces), pattern, dice, rolls)


def odds(
    target: str,
    faces: int = 6,
    dice: int = 5,
    rolls: int = 3,
    *,
    hand: DiceText | None = None,
    rolls_left: int | None = None,
    compare: Iterable[DiceText] = (),
    simulate: int | None = None,
    policy: str | None = None,
    seed: int = 0,
) -> Odds:
    """Return the odds of a target within one turn, if the player plays only for the target.

    Parameters
    ----------
    target : str
        A category (``full-house``), a pattern (``4x6``, ``straight-3``, ``sum>=25``), a profile
        (``00001``), or the payoff ``sum``.
    faces, dice, rolls : int
        The numbers of faces per die, of dice, and of rolls in the turn, including the first.
    hand : str, int, or sequence of int, optional
        The current dice; the result then values the dice to keep.
    rolls_left : int, optional
        The number of rerolls left (default: all).
    compare : sequence of dice
        The dice to keep to compare, such as ``["66", "366"]`` (default: all).
    simulate : int, optional
        The number of turns to simulate with a fixed policy, for turns too large to solve.
    policy : str, optional
        The policy of a simulated turn, such as ``commonest`` (default: the best policy).
    seed : int
        The seed of simulated dice.

    Raises
    ------
    InputError
        If the target, the dice, or a number cannot be used.

    Examples
    --------
    >>> odds("5-of-a-kind")
    <Odds of 5-of-a-kind: 0.04602864>
    >>> odds("large-straight", hand=12566, rolls_left=2, compare=["25", "256"]).keeps[0].best
    True
    """
    check_type(target, str, "a target as text, such as 'full-house'")
    for number, what in ((faces, "faces"), (dice, "dice"), (rolls, "rolls")):
        check_count(number, what)
    check_count(seed, "seed", least=0)
    if simulate is None and policy is not None:
        raise InputError("policy works only with simulate; add simulate=1000")
    left = rolls - 1 if rolls_left is None else rolls_left
    check_count(left, "rolls_left", least=0)
    notation = Multisets(faces)
    roll = None if hand is None else _text(hand)
    keeps = keeps_of(notation, dice, roll, map(_text, compare))
    turn = odds_turn(target, faces=faces, dice=dice, rolls=rolls, simulated=simulate is not None)
    is_probability = not is_payoff(target)
    if simulate is None:
        ranked = tuple(rank(turn, keeps, left)) if keeps else ()
        return Odds(target, turn, is_probability, roll, left, ranked, {})
    if not keeps:
        values = policy_estimates(turn, simulate, seed, policy, is_probability=is_probability)
        return Odds(target, turn, is_probability, roll, left, (), values)
    used, values = keep_estimates(
        turn, keeps, left, simulate, seed, policy, is_probability=is_probability
    )
    return Odds(target, turn, is_probability, roll, left, (), values, used)


def _text(dice: DiceText) -> str:
    """Return dice in the notation of the module."""
    if isinstance(dice, str | int):
        return str(dice)
    check_type(dice, Iterable, "dice such as '66', 66, or (6, 6)")
    return ",".join(map(str, dice)) or "-"


def keeps_of(notation: Multisets, dice: int, hand: str | None, keeps: Iterable[str]) -> list[Point]:
    """Return the sets of dice to keep to compare.

    By default, these are all sets within the current dice, or none if there are no current dice.

    Raises
    ------
    InputError
        If the number of dice is wrong, or the current dice do not contain the dice to keep.
    """
    points = []
    for keep in keeps:
        point = notation.parse(keep.removeprefix("keep ").strip())
        if len(point) > dice:
            raise InputError(
                f"{keep!r} shows {len(point)} dice, but a turn has {dice}. Use --dice N."
            )
        points.append(point)
    if hand is None:
        return points
    roll = notation.parse(hand)
    if len(roll) != dice:
        raise InputError(
            f"--hand {hand!r} shows {len(roll)} dice, but a turn has {dice}. Use --dice N."
        )
    for point in points:
        check_within(notation, point, roll)
    return points or keeps_within(roll)


def policy_estimates(
    turn: Turn, games: int, seed: int, policy: str | None, *, is_probability: bool
) -> Mapping[str, Estimate]:
    """Return the simulated value of a policy, or of the best policies, best first."""
    if policy is None:
        return compare_policies(turn, games, seed, is_probability=is_probability)
    follow = parse_policy(policy, turn.notation.faces)
    return {policy: simulate_turn(turn, follow, games, seed, is_probability=is_probability)}


def keep_estimates(
    turn: Turn,
    keeps: Iterable[Point],
    rolls_left: int,
    games: int,
    seed: int,
    policy: str | None,
    *,
    is_probability: bool,
) -> tuple[str, Mapping[str, Estimate]]:
    """Return the policy of later rerolls, and the simulated value of each set of dice to keep."""
    name = policy or next(
        iter(policy_estimates(turn, games, seed, None, is_probability=is_probability))
    )
    follow = parse_policy(name, turn.notation.faces)
    notation = Multisets(turn.notation.faces)
    estimates = {
        f"keep {notation.format(keep)}": simulate_turn(
            turn,
            follow,
            games,
            seed,
            keep=keep,
            rolls_left=rolls_left,
            is_probability=is_probability,
        )
        for keep in keeps
    }
    return name, dict(sorted(estimates.items(), key=lambda item: -item[1].mean))
