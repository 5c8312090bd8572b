"""Functions that load the rules of a game from a preset or a TOML file.

All mistakes of a file are reported with their lines and the keys of their categories.
"""

import re
from collections.abc import Iterable, Iterator
from operator import itemgetter
from os.path import realpath
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from rollwise.errors import InputError, MalformedError, check_type, did_you_mean, quoted
from rollwise.rules.diagnostics import mistakes
from rollwise.rules.inheritance import Merged, RuleTable, merge
from rollwise.rules.schema import RuleFile, Rules, preset, preset_file, preset_names, rules_of
from rollwise.rules.validation import Mistake, MistakesError, Place, in_words
from rollwise.rules.variants import Dispute
from rollwise.toml_errors import first_mistakes, key_lines, line_of
from rollwise.toml_files import parse_toml, read_toml

MAX_BASES = 10

MAX_ITEMS = 100
"""The largest number of items in a list or table, and of characters in a key. The schema allows
fewer; this limit bounds the time to find the mistakes."""

DEFAULT = "yahtzee"
"""The default game, unless a user of the command line has chosen another."""

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
    return load_rule_file(source).rules


def load_rule_file(source: str | Path) -> RuleFile:
    """Load a rule file, or the rule file of a preset; see :func:`load_rules`."""
    check_type(source, (str, Path), "rules, the name of a game such as 'yahtzee', or a Path")
    if isinstance(source, Path) or source.endswith(".toml"):
        return _load_file(Path(source))
    if source not in preset_names():
        raise RulesError(quoted(source), [_unknown(source)], unread=True)
    return preset_file(source)


def _unknown(name: str) -> str:
    """Return the message for an unknown game, with suggestions of similar names."""
    fix = did_you_mean(name, {preset: preset for preset in preset_names()})
    hint = f"{fix} " if fix else ""
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


def game_of(rules: RulesLike | None, *values: object) -> Rules:
    """Return the rules; if there are none, the game of the first value that has one, or Yahtzee.

    A solution, some strategies, a position, and a scorecard have a game.
    """
    if rules is not None:
        return as_rules(rules)
    games = (getattr(value, "rules", None) for value in values)
    return next((game for game in games if isinstance(game, Rules)), None) or load_rules(DEFAULT)


def parse_rules(text: str, where: str = "rules") -> Rules:
    """Parse the rules of a game in TOML format.

    Parameters
    ----------
    text : str
        The rules in the format of docs/reference/rules.md.
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
    base = None
    merged = Merged(stated, {index: index for index in range(MAX_ITEMS)}, [])
    if long := list(_long_parts(stated)):
        raise RulesError(where, _described(text, stated, merged, long))
    if "base" in stated:
        try:
            base = _base_file(stated["base"], files)
            merged = merge(base.data, stated, f"the base {stated['base']}")
        except BaseError as error:
            mistake = (("base",), str(error))
            raise RulesError(where, _described(text, stated, merged, [mistake])) from error
    found, rules = merged.mistakes, None
    try:
        rules = rules_of(merged.data)
    except MistakesError as error:
        found = [*found, *_unexplained(error.mistakes, found)]
    else:
        found = [*found, *_taken_name(rules)]
    if rules is None or found:
        raise RulesError(where, _described(text, stated, merged, found))
    for dispute in rules.disputed:
        apply_variant(rules, dispute)
    return RuleFile(text, stated, base, merged.data, rules)


class BaseError(InputError):
    """An exception for an invalid base of a rule file."""


def _base_file(base: object, files: tuple[Path, ...]) -> RuleFile:
    """Return the rule file of the base that the last of ``files`` names.

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
        return preset_file(base)
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
    return _load_file(path, files)


def _long_parts(part: object, place: Place = ()) -> Iterator[Mistake]:
    """Yield a mistake for each list, table, and key that exceeds ``MAX_ITEMS``."""
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
            yield from _long_parts(item, (*place, key))


def _taken_name(rules: Rules) -> Iterator[Mistake]:
    """Yield a mistake if a record that names the rules would mean a preset with other rules."""
    if rules.name in preset_names() and rules.named is rules:
        taken = f"{rules.name!r} is the name of a game that comes with rollwise"
        yield ("name",), f"{taken}; choose another name, such as 'my-{rules.name}'"


def _unexplained(found: Iterable[Mistake], explained: Iterable[Mistake]) -> Iterator[Mistake]:
    """Yield the mistakes that no mistake in ``explained`` explains.

    A mistake in the key of a category explains why the category has no title.
    """
    places = {place for place, _ in explained}
    for place, sentence in found:
        of_category = (*place[:2], "key")
        if place not in places and not (sentence == "missing" and of_category in places):
            yield place, sentence


def _described(text: str, stated: RuleTable, merged: Merged, found: Iterable[Mistake]) -> list[str]:
    """Return mistakes as text with line numbers, in the order of the lines.

    A value that is not in the file has the line of its table, or of the key ``base``.
    """
    lines = key_lines(text, stated)
    described = []
    for place, sentence in found:
        in_file = merged.in_file(place)
        line = line_of(lines, in_file) or lines.get(("base",), 0)
        where = ".".join(_named(place, merged.data)) or "the file"
        if "base" in stated and _has(merged.data, place) and not _has(stated, in_file):
            where += f" (from the base {stated['base']})"
        described.append(
            (line, f"line {line}, {where}: {sentence}" if line else f"{where}: {sentence}")
        )
    return [message for _, message in sorted(described, key=itemgetter(0))]


def _named(place: Place, data: RuleTable) -> list[str]:
    """Return the steps of a place with the key of the category, and with indexes from 1."""
    names = [str(step + 1) if isinstance(step, int) else step for step in place]
    match place:
        case ("categories", int(index), *_):
            category = data["categories"][index]
            key = category.get("key") if isinstance(category, dict) else None
            is_name = isinstance(key, str) and re.fullmatch(r"\S{1,40}", key) and key.isprintable()
            names[:2] = [str(key) if is_name else f"category {index + 1}"]
    return names


def _has(data: Any, place: Place) -> bool:
    """Return whether a place leads to a value in the data."""
    for step in place:
        try:
            data = data[step]
        except (KeyError, IndexError, TypeError):
            return False
    return bool(place)


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
        sentences = list(map(in_words, mistakes(error)))
        raise RulesError(f"{rules.name}, if {dispute.says}", sentences) from error
