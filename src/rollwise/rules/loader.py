"""Rule files: TOML text to Rules, with every mistake in one reading."""

import tomllib
from difflib import get_close_matches
from pathlib import Path

from pydantic import ValidationError

from rollwise.errors import InputError, quoted
from rollwise.files import read_file
from rollwise.rules.column_boxes import box_written, column_mistakes, expand_boxes
from rollwise.rules.disputes import Dispute
from rollwise.rules.mistakes import mistakes
from rollwise.rules.places import Places
from rollwise.rules.schema import Rules, preset, preset_names
from rollwise.rules.slots import slot_mistakes, without_slots

MAX_FILE_BYTES = 1_000_000


RulesLike = Rules | str | Path
"""Rules, or what :func:`load_rules` reads: the name of a preset, the path of a file."""


class RulesError(InputError):
    """Rules that make no game; ``mistakes`` has one sentence for each.

    ``unread`` says that there is but one: nothing was there to be read.
    """

    def __init__(self, where: str, mistakes: list[str], *, unread: bool = False) -> None:
        self.where = where
        self.mistakes = mistakes
        count = f"{len(mistakes)} mistakes" if len(mistakes) > 1 else "1 mistake"
        told = "\n  ".join([f"{where}: {count} in the rules", *mistakes])
        super().__init__(f"{where}: {mistakes[0]}" if unread else told)


def load_rules(source: str | Path) -> Rules:
    """Return the rules of a preset, or those of a TOML file.

    Parameters
    ----------
    source : str or Path
        A preset's name (:func:`preset_names`), or a path that ends in ``.toml``.

    Raises
    ------
    RulesError
        When there are no such rules, the file cannot be read, or it makes no game.

    Examples
    --------
    >>> load_rules("crag").title
    'Crag'
    """
    if isinstance(source, str) and not source.endswith(".toml"):
        rules = preset(source)
        if rules is None:
            near = get_close_matches(source[:60], preset_names(), n=3, cutoff=0.5)
            meant = f", perhaps {' or '.join(near)}" if near else ""
            names = f"a name out of rollwise rules list{meant}"
            what = f"no such rules: expected a file.toml, or {names}"
            raise RulesError(quoted(source), [what], unread=True)
        return rules
    path = Path(source)
    try:
        text = read_file(path, MAX_FILE_BYTES).decode()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
        what = f"cannot be read: {reason}; expected a rule file"
        raise RulesError(str(path), [what], unread=True) from error
    return parse_rules(text, where=str(path))


def as_rules(rules: RulesLike) -> Rules:
    """Return rules as they are, or those that a name or a path stands for.

    Raises
    ------
    RulesError
        As :func:`load_rules` does.
    """
    return rules if isinstance(rules, Rules) else load_rules(rules)


def parse_rules(text: str, where: str = "rules") -> Rules:
    """Return the rules that a TOML text states.

    Parameters
    ----------
    text : str
        As docs/rules.md describes it.
    where : str
        What a message calls the text.

    Raises
    ------
    RulesError
        With every mistake of the text and its place, such as ``line 12, ones.points``.

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
    except (ValueError, RecursionError) as error:  # also numbers of thousands of digits
        raise RulesError(where, [f"not TOML: {error}"], unread=True) from error
    of_boxes = dict(slot_mistakes(data)) | dict(column_mistakes(data))
    found = list(of_boxes.items())
    written, expanded = without_slots(data), expand_boxes(data)
    try:
        Rules.model_validate(written)
    except ValidationError as error:
        found += [
            (place, what) for place, what in mistakes(written, error) if place not in of_boxes
        ]
    if not found:
        try:
            rules = Rules.model_validate(expanded)
        except ValidationError as error:
            more = mistakes(expanded, error)
            found += dict.fromkeys((box_written(data, place), what) for place, what in more)
    if found:
        places = Places(text, data)
        found.sort(key=lambda mistake: places.line(mistake[0]))
        raise RulesError(where, [f"{places.told(place)}: {what}" for place, what in found])
    for dispute in rules.disputed:
        as_disputed(rules, dispute)
    return rules


def as_disputed(rules: Rules, dispute: Dispute) -> Rules | None:
    """Return a game as others tell it, None where they differ in no rule that it could state.

    Raises
    ------
    RulesError
        When it would be no game.
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
        found = [f"{place}: {what}" for place, what in mistakes(data, error)]
        raise RulesError(f"{rules.name}, if {dispute.says}", found) from error
