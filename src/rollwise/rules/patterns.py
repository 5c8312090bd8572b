"""Dice patterns: the rolls that a category accepts, and the dice that make up the pattern.

A pattern is data, not code. It is read by the exact scoring in :mod:`rollwise.game.scoring`, by the
vectorized tables of :mod:`rollwise.model.arrays`, and by :mod:`rollwise.rules.describe`.
"""

from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

MAX_LISTED, MAX_EITHER = 80, 16
"""The maximum number of faces that a pattern can list, and of alternatives in ``Either``."""

Face = Annotated[int, Field(ge=0)]


class Frozen(BaseModel):
    """The base class of the parts of a rule file: immutable data without unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class AnyRoll(Frozen):
    """Any roll; all dice make up the pattern."""

    kind: Literal["any"]


class FaceDice(Frozen):
    """The dice that show one face. A roll without that face scores 0."""

    kind: Literal["face"]
    face: Face


class Groups(Frozen):
    """Groups of equal dice: ``[3]`` is three of a kind, and ``[3, 2]`` is a full house.

    If ``distinct`` is true (the default), each group shows a different face. Otherwise, several
    groups can show the same face, so five of a kind is a full house.
    """

    kind: Literal["groups"]
    sizes: Annotated[
        tuple[Annotated[int, Field(ge=1)], ...], Field(min_length=1, max_length=4, strict=False)
    ]
    distinct: bool = True


class Run(Frozen):
    """A run of ``length`` consecutive faces, starting at any face."""

    kind: Literal["run"]
    length: Annotated[int, Field(ge=1)]


class Faces(Frozen):
    """Dice that show the listed faces; a face that is listed several times needs as many dice."""

    kind: Literal["faces"]
    faces: Annotated[tuple[Face, ...], Field(min_length=1, max_length=MAX_LISTED, strict=False)]


class Among(Frozen):
    """A roll that shows only the listed faces, such as a flush if faces have colors."""

    kind: Literal["among"]
    faces: Annotated[tuple[Face, ...], Field(min_length=1, max_length=MAX_LISTED, strict=False)]


class Total(Frozen):
    """A roll whose sum is from ``at_least`` to ``at_most``; either bound can be omitted."""

    kind: Literal["sum"]
    at_least: Annotated[int, Field(ge=1)] | None = None
    at_most: Annotated[int, Field(ge=0)] | None = None

    @model_validator(mode="after")
    def _has_a_bound(self) -> Self:
        if self.at_least is None and self.at_most is None:
            raise ValueError("at_least or at_most")
        if self.at_most is not None and (self.at_least or 0) > self.at_most:
            raise ValueError("at_most as high as at_least")
        return self


class Either(Frozen):
    """Any of several patterns; if a roll fits several, the pattern with the most points counts."""

    kind: Literal["either"]
    of: Annotated[
        tuple[
            Annotated[FaceDice | Groups | Run | Faces | Among | Total, Field(discriminator="kind")],
            ...,
        ],
        Field(min_length=2, max_length=MAX_EITHER, strict=False),
    ]


Pattern = Annotated[
    AnyRoll | FaceDice | Groups | Run | Faces | Among | Total | Either, Field(discriminator="kind")
]


def needs(pattern: Pattern) -> tuple[int, int]:
    """Return the minimum numbers of dice and faces that a pattern without alternatives needs."""
    match pattern:
        case FaceDice():
            return 1, pattern.face
        case Groups():
            return sum(pattern.sizes), len(pattern.sizes) if pattern.distinct else 1
        case Run():
            return pattern.length, pattern.length
        case Faces():
            return len(pattern.faces), max(pattern.faces)
        case Among():
            return 1, min(pattern.faces)
    return 1, 1
