"""Checks of input that several notations share."""

from collections.abc import Sequence

from rollwise.errors import InputError

MAX_FACES = 1_000


def check_whole(what: str, number: int, most: int) -> None:
    """Raise ValueError unless a number is whole and from 1 to the most that is allowed."""
    if not isinstance(number, int) or not 1 <= number <= most:
        raise InputError(f"{what}: got {number!r}, expected a whole number from 1 to {most:,}")


def check_dice(dice: Sequence[int], faces: int) -> None:
    """Raise ValueError unless all dice show faces from 1 to the number of faces."""
    for face in dice:
        if not 1 <= face <= faces:
            raise InputError(f"a die shows {face}; expected a face from 1 to {faces}")
