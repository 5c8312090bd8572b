"""The loader of game rules from presets and TOML files.

It reports all errors of a file together, each with its line and the key of its category.
"""

import re
import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from rollwise.errors import InputError, quoted
from rollwise.files import read_file
from rollwise.rules.columns import column_errors, expand_categories, written_place
from rollwise.rules.diagnostics import mistakes
from rollwise.rules.schema import Rules, preset, preset_names
from rollwise.rules.slots import slot_errors, without_slots
from rollwise.rules.variants import Dispute

MAX_FILE_BYTES = 1_000_000

HEADER = re.compile(r"\s*\[(\[?)\s*([\w-]+(?:\.[\w-]+)*)\s*\]\]?\s*(?:#.*)?")
FIELD = re.compile(r"\s*([\w-]+(?:\.[\w-]+)*)\s*=")

PositionIndex = tuple[str, ...]
"""The path to a value in the file, such as ``("categories", "0", "points")``."""

RulesLike = Rules | str | Path
"""Rules, or an argument of :func:`load_rules`: the name of a preset or the path of a file."""


class RulesError(InputError):
    """An exception for invalid rules; ``mistakes`` contains a sentence for each error.

    If ``unread`` is true, the rules could not be parsed at all, which is then the only error.
    """

    def __init__(self, where: str, mistakes: list[str], *, unread: bool = False) -> None:
        self.where = where
        self.mistakes = mistakes
        count = f"{len(mistakes)} mistakes" if len(mistakes) > 1 else "1 mistake"
        listed = "\n  ".join([f"{where}: {count} in the rules", *mistakes])
        super().__init__(f"{where}: {mistakes[0]}" if unread else listed)


def load_rules(source: str | Path) -> Rules:
    """Load the rules of a preset or of a TOML file.

    Parameters
    ----------
    source : str or Path
        A preset's name (:func:`preset_names`), or a path that ends in ``.toml``.

    Raises
    ------
    RulesError
        If no preset has this name, the file cannot be read, or its rules are invalid.

    Examples
    --------
    >>> load_rules("crag").title
    'Crag'
    """
    if isinstance(source, str) and not source.endswith(".toml"):
        rules = preset(source)
        if rules is None:
            similar = get_close_matches(source[:60], preset_names(), n=3, cutoff=0.5)
            hint = f", perhaps {' or '.join(similar)}" if similar else ""
            names = f"a name out of rollwise rules list{hint}"
            mistake = f"no such rules: expected a file.toml, or {names}"
            raise RulesError(quoted(source), [mistake], unread=True)
        return rules
    path = Path(source)
    try:
        text = read_file(path, MAX_FILE_BYTES).decode()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
        mistake = f"cannot be read: {reason}; expected a rule file"
        raise RulesError(str(path), [mistake], unread=True) from error
    return parse_rules(text, where=str(path))


def as_rules(rules: RulesLike) -> Rules:
    """Return rules; load them if the argument is the name of a preset or the path of a file."""
    return rules if isinstance(rules, Rules) else load_rules(rules)


def parse_rules(text: str, where: str = "rules") -> Rules:
    """Parse the rules of a game in TOML format.

    Parameters
    ----------
    text : str
        The rules in the format of docs/rules.md.
    where : str
        The name of the rules in error messages.

    Raises
    ------
    RulesError
        If the rules are invalid. The message lists every error and its location, such as
        ``line 12, ones.points``.

    Examples
    --------
    >>> parse_rules("name = 7")
    Traceback (most recent call last):
    rollwise.rules.loader.RulesError: rules: 6 mistakes in the rules
      title: missing
      dice: missing
      faces: missing
      rolls: missing
      categories: missing
      line 1, name: expected text, got 7
    """
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # also raised for numbers of thousands of digits
        raise RulesError(where, [f"not TOML: {error}"], unread=True) from error
    early = dict(slot_errors(data)) | dict(column_errors(data))
    errors = list(early.items())
    written, expanded = without_slots(data), expand_categories(data)
    try:
        Rules.model_validate(written)
    except ValidationError as error:
        errors += [
            (place, sentence) for place, sentence in mistakes(written, error) if place not in early
        ]
    if not errors:
        try:
            rules = Rules.model_validate(expanded)
        except ValidationError as error:
            later = mistakes(expanded, error)
            errors += dict.fromkeys(
                (written_place(data, place), sentence) for place, sentence in later
            )
    if errors:
        places = SourcePlaces(text, data)
        errors.sort(key=lambda mistake: places.line(mistake[0]))
        raise RulesError(
            where, [f"{places.describe(place)}: {sentence}" for place, sentence in errors]
        )
    for dispute in rules.disputed:
        apply_variant(rules, dispute)
    return rules


def apply_variant(rules: Rules, dispute: Dispute) -> Rules | None:
    """Return the game under a rule variant, or None if the variant changes no field of the rules.

    Raises
    ------
    RulesError
        If the variant's rules are invalid.
    """
    if dispute.rules is not None:
        return preset(dispute.rules)
    changes = dispute.changes(rules.categories)
    if not changes:
        return None
    data = rules.model_copy(update={"disputed": (), **changes}).model_dump(
        mode="json", exclude_none=True
    )
    try:
        return Rules.model_validate(data)
    except ValidationError as error:
        sentences = [f"{place}: {sentence}" for place, sentence in mistakes(data, error)]
        raise RulesError(f"{rules.name}, if {dispute.says}", sentences) from error


class SourcePlaces:
    """The line numbers and names of the locations in a rule file.

    Parameters
    ----------
    text : str
        The content of the file.
    data : mapping
        The parsed content.
    """

    def __init__(self, text: str, data: Mapping[str, Any]) -> None:
        self._data = data
        self._lines = dict[PositionIndex, int]()
        table: PositionIndex = ()
        tables = dict[str, int]()
        for number, line in enumerate(text.splitlines(), start=1):
            header, field = HEADER.fullmatch(line), FIELD.match(line)
            if header is not None and header[2].split(".")[0] in data:
                first, *rest = header[2].split(".")
                if header[1] and not rest:
                    tables[first] = tables.get(first, -1) + 1
                item = [str(tables[first])] if first in tables else []
                table = (first, *item, *rest)
                self._lines.setdefault(table, number)
            elif field is not None:
                self._lines.setdefault((*table, *field[1].split(".")), number)

    def line(self, place: str) -> int:
        """Return the line number of a location such as ``categories.0.points``.

        For a missing key, return the line of its table, or 0 at the top level of the file.
        """
        steps = tuple(place.split("."))
        lines = (self._lines.get(steps[:length]) for length in range(len(steps), 0, -1))
        return next(filter(None, lines), 0)

    def describe(self, place: str) -> str:
        """Return a location in words for an error message, such as ``line 12, ones.points``."""
        line, named = self.line(place), ".".join(self._named(tuple(place.split("."))))
        return f"line {line}, {named}" if line else named

    def _named(self, steps: PositionIndex) -> PositionIndex:
        """Return the path with the key of the category, and with indexes counted from 1."""
        counted = tuple(str(int(step) + 1) if step.isdigit() else step for step in steps)
        if counted[0] != "categories" or len(counted) == 1:
            return counted
        category = self._data["categories"][int(steps[1])]
        key = category.get("key") if isinstance(category, dict) else None
        name = key if isinstance(key, str) and re.fullmatch(r"\S{1,40}", key) else ""
        return (name if name.isprintable() and name else f"box {counted[1]}", *counted[2:])
