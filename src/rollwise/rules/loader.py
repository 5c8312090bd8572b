"""Functions that load the rules of a game from a preset or a TOML file.

All errors of a file are reported together, each with its line and the key of its category.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from os.path import realpath
from pathlib import Path
from typing import Any, TypeGuard

from pydantic import ValidationError

from rollwise.errors import InputError, MalformedError, check_type, quoted
from rollwise.rules.columns import column_errors, expand_categories, written_place
from rollwise.rules.diagnostics import mistakes
from rollwise.rules.inheritance import Merged, Mistake, merge
from rollwise.rules.schema import Rules, preset, preset_data, preset_names, preset_text
from rollwise.rules.slots import slot_errors, without_slots
from rollwise.rules.variants import Dispute
from rollwise.toml_errors import KeyPath, first_mistakes, key_lines
from rollwise.toml_files import parse_toml, read_toml

MAX_BASES = 10

MAX_ITEMS = 100
"""The largest number of items in a list or table, and of characters in a key. The schema allows
fewer; this limit bounds the time to find the mistakes."""

RulesLike = Rules | str | Path
"""Rules, or an argument of :func:`load_rules`: the name of a preset or the path of a file."""


class RulesError(InputError):
    """An exception for invalid rules; ``mistakes`` describes the first 20 errors.

    ``unread`` is true if the rules could not be found, read, or parsed. There is then no other
    error.
    """

    def __init__(self, where: str, mistakes: list[str], *, unread: bool = False) -> None:
        self.where = where
        self.mistakes = first_mistakes(mistakes)
        count = f"{len(mistakes)} mistakes" if len(mistakes) > 1 else "1 mistake"
        listed = "\n  ".join([f"{where}: {count} in the rules", *self.mistakes])
        super().__init__(f"{where}: {mistakes[0]}" if unread else listed)


@dataclass(frozen=True)
class RuleFile:
    """The content of a rule file whose rules are valid.

    Attributes
    ----------
    text : str
        The content of the file.
    stated : dict
        The data in the file itself, without the data of the base.
    base : str or None
        The base that the file names: a preset, or a path relative to the folder of the file.
    data : dict
        The complete data, including the data of the base.
    rules : Rules
        The rules of the game.
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
    check_type(source, (str, Path), "rules, the name of a game such as 'yahtzee', or a Path")
    if _is_name(source):
        return _preset(source)
    return _load_file(Path(source)).rules


def load_rule_file(source: str | Path) -> RuleFile:
    """Load a rule file, or the rule file of a preset; see :func:`load_rules`."""
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
    """Return the message for an unknown game, with suggestions of similar names."""
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
    """Load a rule file, and the files of its bases.

    ``files`` lists the files that lead to this file. Each of them names the next as its base.
    """
    where = f"{path}, the base of {files[-1]}" if files else str(path)
    try:
        text = read_toml(path)
    except (OSError, MalformedError) as error:
        reason = f"{error.strerror}. Check its path." if isinstance(error, OSError) else error
        mistake = f"cannot read the rule file: {reason}"
        if files:
            raise BaseError(f"{path}: {mistake}") from error
        raise RulesError(where, [mistake], unread=True) from error
    return _parse(text, where, (*files, path))


def as_rules(rules: RulesLike) -> Rules:
    """Return the rules unchanged, or load them if a preset's name or a file's path is given."""
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
        If the rules are invalid. The message lists the first 20 errors and their locations, such as
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
    """Parse rules and the base that they name.

    ``files`` ends with the file of the rules. If it is empty, the rules do not come from a file,
    and their base must be a preset.
    """
    try:
        stated = parse_toml(text)
    except MalformedError as error:
        raise RulesError(where, [str(error)], unread=True) from error
    merged = Merged(stated, {index: index for index in range(MAX_ITEMS)})
    if long := list(_long_parts(stated)):
        raise RulesError(where, SourcePlaces(text, stated, merged).describe_all(long))
    if "base" in stated:
        try:
            merged = merge(_base_data(stated["base"], files), stated, f"the base {stated['base']}")
        except BaseError as error:
            line = SourcePlaces(text, stated, merged).describe("base")
            raise RulesError(where, [f"{line}: {error}"]) from error
    errors = _errors(merged)
    if errors:
        raise RulesError(where, SourcePlaces(text, stated, merged).describe_all(errors))
    rules = Rules.model_validate(expand_categories(merged.data))
    for dispute in rules.disputed:
        apply_variant(rules, dispute)
    return RuleFile(text, stated, stated.get("base"), merged.data, rules)


class BaseError(InputError):
    """An exception for an invalid base of a rule file."""


def _base_data(base: object, files: tuple[Path, ...]) -> dict[str, Any]:
    """Return the complete data of the base that the last of ``files`` names.

    Raises
    ------
    BaseError
        If the base does not exist or cannot be read, if it is one of ``files``, or if there are
        too many ``files``.
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
        raise BaseError(
            f"these files use each other as bases ({circle}); base one of them on a preset instead"
        )
    if len(files) > MAX_BASES:
        raise BaseError(f"expected at most {MAX_BASES} files in a chain of bases")
    return _load_file(path, files).data


def _long_parts(part: object, place: str = "") -> Iterator[Mistake]:
    """Yield the location and the error of each list, table, and key that exceeds ``MAX_ITEMS``."""
    items = dict(enumerate(part)) if isinstance(part, list) else part
    if not isinstance(items, dict):
        return
    if len(items) > MAX_ITEMS:
        yield place, f"expected at most {MAX_ITEMS} items, got {len(items):,}"
        return
    for key, item in items.items():
        if len(str(key)) > MAX_ITEMS:
            yield place, f"expected keys of at most {MAX_ITEMS} characters, got {quoted(key)}"
        else:
            yield from _long_parts(item, f"{place}.{key}" if place else str(key))


def _errors(merged: Merged) -> list[Mistake]:
    """Return the location and the message of every error in the rules of a file."""
    data = merged.data
    early = dict(merged.mistakes) | dict(slot_errors(data)) | dict(column_errors(data))
    errors = list(early.items())
    written, expanded = without_slots(data), expand_categories(data)
    refused: ValidationError | None = None
    try:
        Rules.model_validate(written)
    except ValidationError as error:
        refused = error
        errors += [
            (place, sentence) for place, sentence in mistakes(written, error) if place not in early
        ]
    if not errors:
        try:
            Rules.model_validate(expanded)
        except ValidationError as error:
            refused = error
            later = mistakes(expanded, error)
            errors += dict.fromkeys(
                (written_place(data, place), sentence) for place, sentence in later
            )
    described = [
        (place, sentence)
        for place, sentence in errors
        if not (sentence == "missing" and _index(place) in merged.incomplete)
    ]
    if refused is None or described:
        return described
    # Invalid rules without a message of ours: the messages of pydantic.
    return [(".".join(map(str, part["loc"])), part["msg"]) for part in refused.errors()]


def _index(place: str) -> int | None:
    """Return the category index of a location, or None if it is not in a category."""
    found = re.match(r"categories\.([0-9]{1,9})(?:\.|$)", place)
    return int(found[1]) if found else None


def apply_variant(rules: Rules, dispute: Dispute) -> Rules | None:
    """Return the rules of a game under a rule variant, or None if the variant changes no field.

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

    A value that is not in the file has the line number of its table, or of the key ``base``.

    Parameters
    ----------
    text : str
        The content of the file.
    stated : mapping
        The data in the file itself, without the data of the base.
    merged : Merged
        The complete data, to which all locations refer.
    """

    def __init__(self, text: str, stated: Mapping[str, Any], merged: Merged) -> None:
        self._stated, self._merged = stated, merged
        self._lines = key_lines(text, stated)

    def line(self, place: str) -> int:
        """Return the line number of a location such as ``categories.0.points``.

        For a missing key, return the line of its table, or of the key ``base``. At the top level of
        a file without a base, return 0.
        """
        steps = self._in_file(place)
        lines = (self._lines.get(steps[:length]) for length in range(len(steps), 0, -1))
        return next(filter(None, lines), self._lines.get(("base",), 0))

    def describe(self, place: str) -> str:
        """Format a location for an error message, such as ``line 12, ones.points``."""
        line, named = self.line(place), ".".join(self._named(tuple(place.split("."))))
        inherited = f" (from the base {self._stated['base']})" if self._is_inherited(place) else ""
        return f"line {line}, {named}{inherited}" if line else named or "the file"

    def describe_all(self, errors: Iterable[Mistake]) -> list[str]:
        """Format errors for a message, in the order of their lines."""
        ordered = sorted(errors, key=lambda error: self.line(error[0]))
        return [f"{self.describe(place)}: {sentence}" for place, sentence in ordered]

    def _in_file(self, place: str) -> KeyPath:
        """Return the path in the file, or an empty path if the category is not in the file."""
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

    def _named(self, steps: KeyPath) -> KeyPath:
        """Return the path with the key of the category, and with indexes counted from 1."""
        named: list[str] = []
        complete = {**self._stated, **self._merged.data}  # remove is only in the file
        data: object = complete
        for step in steps:
            part = _part(data, step)
            is_index = isinstance(data, list) and part is not None
            named.append(str(int(step) + 1) if is_index else step)
            data = part
        category = _part(_part(complete, steps[0]), "".join(steps[1:2]))
        if steps[0] != "categories" or category is None:
            return tuple(named)
        key = category.get("key") if isinstance(category, dict) else None
        is_name = isinstance(key, str) and re.fullmatch(r"\S{1,40}", key) and key.isprintable()
        return (str(key) if is_name else f"category {named[1]}", *named[2:])


def _part(data: object, step: str) -> object:
    """Return the value of a key or at an index, or None if there is none."""
    if isinstance(data, dict):
        return data.get(step)
    if isinstance(data, list) and re.fullmatch("[0-9]{1,9}", step) and int(step) < len(data):
        return data[int(step)]
    return None


def _has(data: object, steps: KeyPath) -> bool:
    """Return whether a path leads to a value in the data."""
    for step in steps:
        data = _part(data, step)
    return bool(steps) and data is not None
