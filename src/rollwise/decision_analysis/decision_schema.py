"""The schema of decision files: their tables and keys, before names are compared.

`rollwise.decision_analysis.decision_file` describes the format.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Annotated, Any

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    PlainValidator,
    StringConstraints,
    ValidationError,
)

from rollwise.decision_analysis.exact_numbers import exact_number
from rollwise.errors import quoted
from rollwise.toml_errors import WORDS, KeyPath, expected

MAX_STAGES = 200

A_NUMBER = 'a number such as 2, 0.5, or "1/3"'

Mistake = tuple[KeyPath, str]
"""The place of a mistake in the file, and a sentence that describes the mistake."""


def _number(value: object) -> Fraction:
    number = exact_number(value)
    if number is None:
        raise ValueError(A_NUMBER)
    return number


Name = Annotated[str, StringConstraints(min_length=1, max_length=200)]
Exact = Annotated[Fraction, PlainValidator(_number)]
Positive = Annotated[Exact, Field(gt=0)]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class StageData(_Part):
    """A table ``[stages.NAME]``."""

    repeat: int = Field(default=1, ge=1, le=MAX_STAGES)
    states: dict[Name, list[Name]] = Field(min_length=1)
    options: dict[Name, dict[Name, Exact]]
    costs: dict[Name, Exact] = {}


class NodeData(_Part):
    """A table ``[nodes.NAME]``."""

    parents: list[Name] = []
    probabilities: dict[Name, Any] | None = None
    options: list[Name] | None = Field(default=None, min_length=1)
    payoffs: Any = None


class UtilityData(_Part):
    """The table ``[utility]``."""

    risk_tolerance: Exact | None = None
    loss_factor: Exact | None = None
    points: list[list[Exact]] | None = None


class FileData(_Part):
    """A decision file."""

    title: str = ""
    unit: str = ""
    utility: UtilityData = UtilityData()
    stages: dict[Name, StageData] = {}
    start: dict[Name, Exact] = {}
    payoffs: dict[Name, Exact] = {}
    nodes: dict[Name, NodeData] = {}


def invalid_fields(error: ValidationError) -> Iterator[Mistake]:
    """Yield the place of each field that the schema rejected, and an error message."""
    for part in error.errors(include_url=False):
        kind, place = part["type"], tuple(map(str, part["loc"]))
        if kind in WORDS:
            yield place, WORDS[kind]
        else:
            wanted = expected(kind, part.get("ctx", {}))
            yield place, f"expected {wanted}, got {quoted(part['input'])}"
