"""Payoff files, which define the payoff of a turn in TOML.

A file gives the payoffs of targets and of single rolls. The payoff ``"sum"`` is the sum of the
dice::

    otherwise = 0           # the payoff of all other rolls (default: 0)

    [targets]               # the first target that a roll meets counts
    yahtzee = 50
    full-house = 25
    "4x6+" = "sum"          # the sum of the dice
    "1001" = "1/3"          # a fraction; decimals are also exact

    [rolls]                 # single rolls, which take precedence over targets
    "12346" = 30

Targets are described in `rollwise.decision_analysis.targets`.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from rollwise.decision_analysis.arrows import Number
from rollwise.decision_analysis.dice_graph import Point
from rollwise.decision_analysis.dice_multisets import Multisets, multiset_turn
from rollwise.decision_analysis.dice_profiles import is_profile, profile_turn
from rollwise.decision_analysis.exact_numbers import MAX_DIGITS, exact_number, parse_decimal
from rollwise.decision_analysis.targets import target_pattern
from rollwise.decision_analysis.turn_problem import TurnProblem
from rollwise.errors import InputError, quoted
from rollwise.toml_files import parse_toml, read_toml

SUM = "sum"
Payoff = Callable[[Point], Number]


def payoff_turn(
    source: str | Path, *, faces: int = 6, dice: int = 5, rolls: int = 3
) -> TurnProblem:
    """Return a turn that pays the sum of its dice, or the payoffs in a file.

    Parameters
    ----------
    source
        ``"sum"``, or the path of a payoff file in the format of this module.
    faces, dice, rolls
        The number of faces of a die, of dice, and of rolls in the turn.

    Returns
    -------
    TurnProblem
        The turn. Its notation is profiles if all targets are profiles, all payoffs are numbers, and
        the file has no single rolls. Otherwise, its notation is multisets.

    Raises
    ------
    ValueError
        If the file is invalid, or a number is out of range.
    OSError
        If the file cannot be read.
    """
    if source == SUM:
        return multiset_turn(sum, faces=faces, dice=dice, rolls=rolls)
    try:
        return parse_payoffs(read_toml(source), faces=faces, dice=dice, rolls=rolls)
    except InputError as error:
        raise type(error)(f"{source}: {error}") from error


def parse_payoffs(text: str, *, faces: int = 6, dice: int = 5, rolls: int = 3) -> TurnProblem:
    r"""Parse the contents of a payoff file, and return the turn that it defines.

    Raises
    ------
    ValueError
        If the content does not have the format of this module, or a number is out of range.

    Examples
    --------
    >>> from rollwise.decision_analysis import analyze_turn
    >>> turn = parse_payoffs("[targets]\nyahtzee = 50\nsmall-straight = 30\n")
    >>> float(analyze_turn(turn).value)
    18.53248479012526
    """
    data = _tables(text)
    otherwise = _payoff("otherwise", data.get("otherwise", 0))
    targets = {target: _payoff(target, x) for target, x in data.get("targets", {}).items()}
    by_roll_text = {roll: _payoff(roll, x) for roll, x in data.get("rolls", {}).items()}
    sizes = {"faces": faces, "dice": dice, "rolls": rolls}
    fixed = {target: x for target, x in targets.items() if not callable(x)}
    if (
        not by_roll_text
        and fixed == targets
        and all(map(is_profile, targets))
        and not callable(otherwise)
    ):
        return profile_turn(fixed, otherwise=otherwise, **sizes)
    notation = Multisets(faces)
    by_roll = {_full_roll(notation, roll, dice): x for roll, x in by_roll_text.items()}
    by_target = [(target_pattern(t, faces=faces, dice=dice), x) for t, x in targets.items()]

    def payoff_of(point: Point) -> Number:
        x = by_roll.get(point)
        if x is None:
            x = next((x for pattern, x in by_target if pattern(point)), otherwise)
        return x(point) if callable(x) else x

    return multiset_turn(payoff_of, **sizes)


def _tables(text: str) -> Mapping[str, Any]:
    data = parse_toml(text, parse_decimal)
    for key, value in data.items():
        if key not in ("otherwise", "targets", "rolls"):
            raise InputError(
                f"unknown key {quoted(key)}; the keys are otherwise, [targets], and [rolls]"
            )
        if key != "otherwise" and not isinstance(value, dict):
            raise InputError(f"{key} must be a table: write [{key}] and put its lines below it")
    if not data.get("targets") and not data.get("rolls"):
        raise InputError("no payoff is given; add a line below [targets] or [rolls]")
    return data


def _payoff(name: str, value: object) -> Number | Payoff:
    """Return a payoff: a number, or the function that returns the sum of the dice."""
    if value == SUM:
        return sum
    number = exact_number(value)
    if number is not None:
        return number
    raise InputError(
        f"{quoted(name)} cannot have the payoff {quoted(value)}; "
        f'use a number of at most {MAX_DIGITS} digits, a fraction such as "1/3", or "sum"'
    )


def _full_roll(notation: Multisets, text: str, dice: int) -> Point:
    point = notation.parse(text)
    if len(point) != dice:
        raise InputError(f"the roll {quoted(text)} has {len(point)} dice; it must have {dice}")
    return point
