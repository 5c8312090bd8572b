"""The loader of game rules from presets and TOML files.

It reports all errors of a file together, each with its line and the key of its category.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from os.path import realpath
from pathlib import Path
from typing import Any, TypeGuard

from pydantic import ValidationError

from rollwise.errors import InputError, quoted
from rollwise.files import read_file
from rollwise.rules.columns import column_errors, expand_categories, written_place
from rollwise.rules.diagnostics import mistakes
from rollwise.rules.inheritance import Merged, Mistake, merge
from rollwise.rules.schema import Rules, preset, preset_data, preset_names, preset_text
from rollwise.rules.slots import slot_errors, without_slots
from rollwise.rules.variants import Dispute

MAX_FILE_BYTES = 1_000_000
MAX_BASES = 10

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


@dataclass(frozen=True)
class RuleFile:
    """The content of a rule file whose rules are valid.

    Attributes
    ----------
    text : str
        The file itself.
    stated : dict
        The data that the file states.
    base : str or None
        The base that the file names: a preset, or a path relative to the folder of the file.
    data : dict
        The complete data, with the data of the base.
    rules : Rules
    """

    text: str
    stated: dict[str, Any]
    base: str | None
    data: dict[str, Any]
    rules: Rules


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
    if _is_name(source):
        return _preset(source)
    return _load_file(Path(source)).rules


def load_rule_file(source: str | Path) -> RuleFile:
    """Load a rule file, or the file of a preset; see :func:`load_rules`."""
    if not _is_name(source):
        return _load_file(Path(source))
    rules, text = _preset(source), preset_text(source)
    stated = tomllib.loads(text)
    return RuleFile(text, stated, stated.get("base"), preset_data(source), rules)


def _is_name(source: str | Path) -> TypeGuard[str]:
    return isinstance(source, str) and not source.endswith(".toml")


def _preset(name: str) -> Rules:
    rules = preset(name)
    if rules is None:
        raise RulesError(quoted(name), [_unknown(name)], unread=True)
    return rules


def _unknown(name: str) -> str:
    """Return what to do about an unknown name of a game."""
    similar = get_close_matches(name[:60], preset_names(), n=3, cutoff=0.5)
    hint = ""
    if similar:
        *others, last = similar
        hint = f"Did you mean {', '.join(others)}{' or ' * bool(others)}{last}? "
    return (
        f"unknown game. {hint}`rollwise rules list` shows all names; the name of a rule file ends "
        "in .toml."
    )


def _load_file(path: Path, files: tuple[Path, ...] = ()) -> RuleFile:
    """Load a rule file; ``files`` are the files that lead to it, each with the next as its base."""
    where = f"{path}, the base of {files[-1]}" if files else str(path)
    try:
        text = read_file(path, MAX_FILE_BYTES).decode()
    except (OSError, UnicodeDecodeError) as error:
        reason = "not UTF-8 text."
        if isinstance(error, OSError):
            reason = f"{error.strerror}. Check its path."
        mistake = f"cannot read the rule file: {reason}"
        if files:
            raise BaseError(f"{path}: {mistake}") from error
        raise RulesError(where, [mistake], unread=True) from error
    return _parse(text, where, (*files, path))


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
    return _parse(text, where).rules


def _parse(text: str, where: str, files: tuple[Path, ...] = ()) -> RuleFile:
    """Parse rules and the base that they name; ``files`` ends with the file of the rules.

    Only a file can have a file as its base: other rules, without ``files``, read no files.
    """
    try:
        stated = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # also raised for numbers of thousands of digits
        raise RulesError(where, [f"not TOML: {error}"], unread=True) from error
    merged = Merged(stated)
    if "base" in stated:
        try:
            merged = merge(_base_data(stated["base"], files), stated, f"the base {stated['base']}")
        except BaseError as error:
            line = SourcePlaces(text, stated, merged).describe("base")
            raise RulesError(where, [f"{line}: {error}"]) from error
    errors = _errors(merged)
    if errors:
        places = SourcePlaces(text, stated, merged)
        errors.sort(key=lambda mistake: places.line(mistake[0]))
        raise RulesError(
            where, [f"{places.describe(place)}: {sentence}" for place, sentence in errors]
        )
    rules = Rules.model_validate(expand_categories(merged.data))
    for dispute in rules.disputed:
        apply_variant(rules, dispute)
    return RuleFile(text, stated, stated.get("base"), merged.data, rules)


class BaseError(InputError):
    """An exception for a base that a rule file cannot have."""


def _base_data(base: object, files: tuple[Path, ...]) -> dict[str, Any]:
    """Return the complete data of the base that the last of ``files`` names.

    Raises
    ------
    BaseError
        If there is no such preset or file, if it is one of ``files``, or if these are too many.
    RulesError
        If the base is a file whose rules are invalid.
    """
    if not isinstance(base, str) or not base.isprintable():
        raise BaseError(f"expected the name of a preset or of a file, got {quoted(base)}")
    if not base.endswith(".toml"):
        if base not in preset_names():
            raise BaseError(f"{quoted(base)}: {_unknown(base)}")
        return preset_data(base)
    if not files:
        raise BaseError(f"expected a preset, got {quoted(base)}: only a file can name a file")
    path = files[-1].parent / base
    if realpath(path) in map(realpath, files):
        circle = " → ".join(file.name for file in (*files, path))
        raise BaseError(f"the bases form a circle ({circle}): expected a preset as the last base")
    if len(files) > MAX_BASES:
        raise BaseError(f"expected at most {MAX_BASES} files, each the base of the one before it")
    return _load_file(path, files).data


def _errors(merged: Merged) -> list[Mistake]:
    """Return (location, sentence) for every error in the rules of a file."""
    data = merged.data
    early = dict(merged.mistakes) | dict(slot_errors(data)) | dict(column_errors(data))
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
            Rules.model_validate(expanded)
        except ValidationError as error:
            later = mistakes(expanded, error)
            errors += dict.fromkeys(
                (written_place(data, place), sentence) for place, sentence in later
            )
    return [
        (place, sentence)
        for place, sentence in errors
        if not (sentence == "missing" and _index(place) in merged.incomplete)
    ]


def _index(place: str) -> int | None:
    """Return the index of the category of a location, or None outside the categories."""
    part, *rest = place.split(".")
    return int(rest[0]) if part == "categories" and rest else None


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

    A value that the file does not state has the line of its table, or of the key ``base``.

    Parameters
    ----------
    text : str
        The content of the file.
    stated : mapping
        The data that the file states.
    merged : Merged
        The complete data, to which all locations refer.
    """

    def __init__(self, text: str, stated: Mapping[str, Any], merged: Merged) -> None:
        self._stated, self._merged = stated, merged
        self._lines = dict[PositionIndex, int]()
        table: PositionIndex = ()
        tables = dict[str, int]()
        for number, line in enumerate(text.splitlines(), start=1):
            header, field = HEADER.fullmatch(line), FIELD.match(line)
            if header is not None and header[2].split(".")[0] in stated:
                first, *rest = header[2].split(".")
                if header[1] and not rest:
                    self._lines.setdefault((first,), number)
                    tables[first] = tables.get(first, -1) + 1
                item = [str(tables[first])] if first in tables else []
                table = (first, *item, *rest)
                self._lines.setdefault(table, number)
            elif field is not None:
                self._lines.setdefault((*table, *field[1].split(".")), number)

    def line(self, place: str) -> int:
        """Return the line number of a location such as ``categories.0.points``.

        For a missing key, return the line of its table, or of the key ``base``. At the top level of
        a file without a base, return 0.
        """
        steps = self._in_file(place)
        lines = (self._lines.get(steps[:length]) for length in range(len(steps), 0, -1))
        return next(filter(None, lines), self._lines.get(("base",), 0))

    def describe(self, place: str) -> str:
        """Return a location in words for an error message, such as ``line 12, ones.points``."""
        line, named = self.line(place), ".".join(self._named(tuple(place.split("."))))
        inherited = f" (from the base {self._stated['base']})" if self._is_inherited(place) else ""
        return f"line {line}, {named}{inherited}" if line else named

    def _in_file(self, place: str) -> PositionIndex:
        """Return the path in the file; empty if the file does not state the category."""
        steps = tuple(place.split("."))
        index = _index(place)
        if "base" not in self._stated or index is None:
            return steps
        own = self._merged.own.get(index)
        return () if own is None else ("categories", str(own), *steps[2:])

    def _is_inherited(self, place: str) -> bool:
        """Return whether the value at a location comes from the base."""
        steps = tuple(place.split("."))
        return (
            "base" in self._stated
            and _has(self._merged.data, steps)
            and not _has(self._stated, self._in_file(place))
        )

    def _named(self, steps: PositionIndex) -> PositionIndex:
        """Return the path with the key of the category, and with indexes counted from 1."""
        counted = tuple(str(int(step) + 1) if step.isdigit() else step for step in steps)
        if counted[0] != "categories" or len(counted) == 1:
            return counted
        category = self._merged.data["categories"][int(steps[1])]
        key = category.get("key") if isinstance(category, dict) else None
        name = key if isinstance(key, str) and re.fullmatch(r"\S{1,40}", key) else ""
        return (name if name.isprintable() and name else f"category {counted[1]}", *counted[2:])


def _has(data: object, steps: PositionIndex) -> bool:
    """Return whether a path leads to a value in the data."""
    for step in steps:
        if isinstance(data, dict) and step in data:
            data = data[step]
        elif isinstance(data, list) and step.isdigit() and int(step) < len(data):
            data = data[int(step)]
        else:
            return False
    return bool(steps)
