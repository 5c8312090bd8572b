"""Fixed policies for keeping dice, vectorized over many rolls.

The dice that a fixed policy keeps depend on the roll, but not on the number of rolls left. The
policies have these names:

============== =============================================================
``all``        keep all dice: the first roll is final
``none``       keep no dice: only the last roll counts
``commonest``  keep the most frequent face; if faces are tied, the highest
``pairs``      keep all dice of faces that show at least twice
``different``  keep one die of each face that shows
``6``          keep the dice that show a six
``4+``, ``3-`` keep the dice that show at least four, or at most three
============== =============================================================
"""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import InputError, quoted

Array = NDArray[Any]

Policy = Callable[[Array], Array]
"""A function that returns whether each die is kept, given the sorted faces of rolls.

Both arrays have shape [games, dice].
"""

MAX_FACES = 20
"""The maximum number of faces for which `policy_names` lists policies that name a face."""


def keep_all(rolls: Array) -> Array:
    """Keep all dice."""
    return np.ones(rolls.shape, dtype=bool)


def keep_none(rolls: Array) -> Array:
    """Keep no dice."""
    return np.zeros(rolls.shape, dtype=bool)


def keep_commonest(rolls: Array) -> Array:
    """Keep the dice of the most frequent face. If several faces are tied, keep the highest."""
    counts = _counts(rolls)
    faces = counts.shape[1]
    commonest = faces - 1 - np.argmax(counts[:, ::-1], axis=1)
    keep: Array = rolls == commonest[:, np.newaxis]
    return keep


def keep_pairs(rolls: Array) -> Array:
    """Keep all dice of faces that show at least twice."""
    keep: Array = np.take_along_axis(_counts(rolls), rolls, axis=1) >= 2
    return keep


def keep_different(rolls: Array) -> Array:
    """Keep one die of each face that shows."""
    keep: Array = np.diff(rolls, axis=1, prepend=0) > 0
    return keep


_WORDS: dict[str, Policy] = {
    "all": keep_all,
    "none": keep_none,
    "commonest": keep_commonest,
    "pairs": keep_pairs,
    "different": keep_different,
}


def parse_policy(text: str, faces: int = 6) -> Policy:
    """Return the policy with the given name.

    Raises
    ------
    ValueError
        If no policy has this name, or the dice do not have the face in the name.
    """
    if text in _WORDS:
        return _WORDS[text]
    match = re.fullmatch(r"([0-9]{1,4})([+-]?)", text)
    if match is None or not 1 <= int(match[1]) <= faces:
        raise InputError(
            f"unknown policy {quoted(text)}; use {', '.join(_WORDS)}, a face from 1 to {faces}, "
            "or a face with + (or more) or - (or less)"
        )
    face = int(match[1])
    compare = {"": np.equal, "+": np.greater_equal, "-": np.less_equal}[match[2]]
    return lambda rolls: np.asarray(compare(rolls, face))


def policy_names(faces: int) -> list[str]:
    """Return the names of all policies for dice with ``faces`` faces.

    Policies with a face in their name are omitted if dice have more than `MAX_FACES` faces.
    """
    if faces > MAX_FACES:
        return list(_WORDS)
    single = [str(face) for face in range(1, faces + 1)]
    bounds = range(2, faces)  # "1+" would equal "all", and "6+" would equal "6"
    return [*_WORDS, *single, *(f"{face}+" for face in bounds), *(f"{face}-" for face in bounds)]


def _counts(rolls: Array) -> Array:
    """Return the number of dice that show each face, shape [games, faces + 1].

    Column 0 is unused.
    """
    games, faces = len(rolls), int(rolls.max(initial=0)) + 1
    cells = rolls + faces * np.arange(games)[:, np.newaxis]
    counts: Array = np.bincount(cells.ravel(), minlength=games * faces).reshape(games, faces)
    return counts
