"""Decision files, which describe consecutive decisions or an influence diagram in TOML.

A file with stages names the states of each stage and their options, and gives the probabilities of
the outcomes of each option::

    title = "A bet"

    [stages.bet.states]
    "at the table" = ["play", "leave"]

    [stages.bet.options]
    play = { win = "1/2", lose = "1/2" }
    leave = { even = 1 }

    [payoffs]
    win = 5
    lose = -4
    even = 0

A file with nodes describes an influence diagram, with each node after its parents. Tables of
probabilities and payoffs have one level for each parent; ``"*"`` means every other state, and a
single payoff is the payoff for all states of the other parents::

    [nodes.weather]
    probabilities = { sun = 0.7, rain = 0.3 }

    [nodes.umbrella]
    options = ["take", "leave"]

    [nodes.pleasure]
    parents = ["umbrella", "weather"]
    payoffs.take = { sun = 20, rain = 70 }
    payoffs.leave = { sun = 100, rain = 0 }

All numbers are exact: whole numbers, decimals, or fractions such as ``"1/3"``.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from rollwise.decision_analysis.decision_builder import ModelBuilder
from rollwise.decision_analysis.decision_model import DecisionModel
from rollwise.decision_analysis.decision_schema import FileData, Mistake, invalid_fields
from rollwise.decision_analysis.exact_numbers import exact_number, parse_decimal
from rollwise.errors import InputError, MalformedError, quoted, visible
from rollwise.toml_errors import KeyPath, first_mistakes, key_lines, line_of
from rollwise.toml_files import parse_toml, read_toml


class DecisionFileError(InputError):
    """An exception for an invalid decision file; ``mistakes`` describes the first 20 errors."""

    def __init__(self, where: str, mistakes: Sequence[str]) -> None:
        self.mistakes = first_mistakes(mistakes)
        count = f"{len(mistakes)} mistakes" if len(mistakes) > 1 else "1 mistake"
        super().__init__("\n  ".join([f"{where}: {count} in the file", *self.mistakes]))


@dataclass(frozen=True)
class DecisionFile:
    """A decision file whose content is valid.

    Attributes
    ----------
    data
        The parsed TOML, with exact numbers.
    model
        The model that it describes.
    """

    data: Mapping[str, Any]
    model: DecisionModel

    def numbers(self) -> dict[str, KeyPath]:
        """Return a mapping from names, such as ``payoffs.win``, to the paths of all numbers."""
        return {".".join(path): path for path in _number_paths(self.data)}

    def with_numbers(self, numbers: Mapping[KeyPath, Fraction]) -> "DecisionFile":
        """Return a copy of the file in which some numbers are replaced.

        If a probability changes, the other probabilities of its distribution keep their ratios.

        Raises
        ------
        ValueError
            If a new probability is impossible, or the new numbers contradict each other.
        """
        data = deepcopy(dict(self.data))
        for path, number in numbers.items():
            row = data
            for key in path[:-1]:
                row = row[key]
            if is_probability(path):
                _rescale(row, path, number)
            row[path[-1]] = number
        return _parsed(data, " and ".join(map(".".join, numbers)), {})


def load_decision(path: str | Path) -> DecisionModel:
    """Load a decision from a TOML file.

    Parameters
    ----------
    path
        The path of a decision file.

    Returns
    -------
    DecisionModel
        A `StagedDecision` or a `DiagramDecision`.

    Raises
    ------
    DecisionFileError
        If the content is invalid. The message lists the first 20 errors with their lines.
    OSError
        If the file cannot be read.
    """
    return load_decision_file(path).model


def load_decision_file(path: str | Path) -> DecisionFile:
    """Load a decision file so that its numbers can be varied; see `load_decision`."""
    try:
        text = read_toml(path)
    except MalformedError as error:
        raise DecisionFileError(str(path), [str(error)]) from error
    return parse_decision(text, str(path))


def parse_decision(text: str, where: str = "decision") -> DecisionFile:
    r"""Parse a decision in TOML; ``where`` is the name of the file in messages.

    Raises
    ------
    DecisionFileError
        If the content is invalid.

    Examples
    --------
    >>> parse_decision("[nodes.die]\nprobabilities = { six = '1/6', other = 0.5 }\n", "die.toml")
    Traceback (most recent call last):
    rollwise.decision_analysis.decision_file.DecisionFileError: die.toml: 1 mistake in the file
      line 2, nodes.die.probabilities: the probabilities of this row must sum to 1, not 2/3
    """
    try:
        data = parse_toml(text, parse_decimal)
    except MalformedError as error:
        raise DecisionFileError(where, [str(error)]) from error
    lines = key_lines(text, data)
    if mistakes := list(_control_characters(data)):
        raise _error(where, mistakes, lines)
    return _parsed(data, where, lines)


def _control_characters(part: object, place: KeyPath = ()) -> Iterator[Mistake]:
    """Yield the place of each text that a terminal would execute and no picture can show."""
    if isinstance(part, str) and visible(part) != part:
        yield place, f"expected text without control characters, got {quoted(part)}"
    elif isinstance(part, dict):
        for key, item in part.items():
            yield from _control_characters(key, place)
            yield from _control_characters(item, (*place, key))
    elif isinstance(part, list):
        for item in part:
            yield from _control_characters(item, place)


def _parsed(data: dict[str, Any], where: str, lines: Mapping[KeyPath, int]) -> DecisionFile:
    """Check the data of a file, and build the model."""
    mistakes: list[Mistake] = []
    model = None
    try:
        content = FileData.model_validate(data)
    except ValidationError as error:
        mistakes = list(invalid_fields(error))
    else:
        builder = ModelBuilder(content)
        model = builder.model()
        mistakes = builder.mistakes
    if model is None or mistakes:
        raise _error(where, mistakes, lines)
    return DecisionFile(data, model)


def _error(
    where: str, mistakes: Iterable[Mistake], lines: Mapping[KeyPath, int]
) -> DecisionFileError:
    """Return the error for the mistakes in a file, in the order of their lines."""
    described = [_describe(place, sentence, lines) for place, sentence in mistakes]
    described.sort(key=lambda item: item[0])
    return DecisionFileError(where, list(dict.fromkeys(text for _, text in described)))


def _describe(place: KeyPath, sentence: str, lines: Mapping[KeyPath, int]) -> tuple[int, str]:
    """Return the line of a place, or 0, and the message."""
    line = line_of(lines, place)
    message = f"{'.'.join(place)}: {sentence}" if place else sentence
    return line, f"line {line}, {message}" if line else message


def _number_paths(data: object, path: KeyPath = ()) -> Iterator[KeyPath]:
    if isinstance(data, dict):
        for key, value in data.items():
            if (*path, key)[-1] != "repeat" or len(path) != 2:
                yield from _number_paths(value, (*path, key))
    elif path and exact_number(data) is not None:
        yield path


def is_probability(path: KeyPath) -> bool:
    """Return whether the number at a path is a probability."""
    section, *rest = path
    return section == "start" or (len(rest) > 1 and rest[1] in ("options", "probabilities"))


def _rescale(row: dict[str, Any], path: KeyPath, new: Fraction) -> None:
    """Scale all probabilities of a row except one, so that the sum is 1 with its new value."""
    if not 0 <= new <= 1:
        raise InputError(f"{'.'.join(path)} is a probability; use numbers from 0 to 1")
    others = {key: exact_number(p) or Fraction(0) for key, p in row.items() if key != path[-1]}
    total = sum(others.values())
    if total == 0 and len(others) != 1 and new != 1:
        raise InputError(
            f"{'.'.join(path)} cannot change, because the other probabilities of its row are all 0"
        )
    for key, p in others.items():
        row[key] = p * (1 - new) / total if total else 1 - new
