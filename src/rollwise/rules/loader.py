"""Rule files: TOML text to Rules, with every mistake in one reading."""

import tomllib
from collections.abc import Iterator, Mapping
from importlib import resources
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from rollwise.errors import InputError
from rollwise.rules.schema import Category, ExtraBonus, Joker, Rules, UpperBonus, disagreements

Part = TypeVar("Part", bound=BaseModel)

MAX_FILE_BYTES = 1_000_000


class RulesError(InputError):
    """Rules that make no game; ``mistakes`` has one sentence for each."""

    def __init__(self, where: str, mistakes: list[str]) -> None:
        self.where = where
        self.mistakes = mistakes
        count = f"{len(mistakes)} mistakes" if len(mistakes) > 1 else "1 mistake"
        super().__init__("\n  ".join([f"{where}: {count} in the rules", *mistakes]))


def preset_names() -> tuple[str, ...]:
    """Return the names of the rules that come with the package, sorted."""
    return tuple(
        sorted(
            entry.name.removesuffix(".toml")
            for entry in resources.files("rollwise.rules").joinpath("presets").iterdir()
            if entry.name.endswith(".toml")
        )
    )


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
    """
    if isinstance(source, str) and not source.endswith(".toml"):
        if source not in preset_names():
            known = ", ".join(preset_names())
            raise RulesError(
                repr(source), [f"no such rules: expected a file.toml, or one of {known}"]
            )
        preset = resources.files("rollwise.rules").joinpath("presets", f"{source}.toml")
        return parse_rules(preset.read_text(encoding="utf-8"), where=source)
    path = Path(source)
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise RulesError(str(path), [f"larger than {MAX_FILE_BYTES} bytes"])
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
        raise RulesError(str(path), [f"cannot be read: {reason}"]) from error
    return parse_rules(text, where=str(path))


def parse_rules(text: str, where: str = "rules") -> Rules:
    """Return the rules that a TOML text states.

    Raises
    ------
    RulesError
        With every mistake of the text and its place, such as ``categories.3.points``.
    """
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise RulesError(where, [f"not TOML: {error}"]) from error
    try:
        return Rules.model_validate(data)
    except ValidationError as error:
        mistakes = [
            f"{place}: {what}" for place, what in (*_broken_fields(error), *_broken_pairs(data))
        ]
        raise RulesError(where, mistakes) from error


def _broken_fields(error: ValidationError) -> Iterator[tuple[str, str]]:
    # A union adds its branch to the place ("points.int"), which means nothing to the author of the
    # file, and reports once a branch: the branches of one place become one sentence.
    by_place: dict[str, list[str]] = {}
    for part in error.errors(include_url=False, include_context=False):
        if not part["loc"]:
            continue  # disagreements between parts: _broken_pairs finds them for broken files too
        if part["type"] == "too_short" and part["input"]:
            continue  # only because its items are broken, each of which has its own line
        steps = ("", *part["loc"])
        place = ".".join(
            str(step) for before, step in pairwise(steps) if before not in ("pattern", "points")
        )
        what = part["msg"]
        if part["type"] not in ("missing", "extra_forbidden"):
            what += f", got {part['input']!r:.60}"
        by_place.setdefault(place, []).append(what)
    for place, whats in by_place.items():
        yield place, " or ".join(dict.fromkeys(whats))


def _broken_pairs(data: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    listed = data.get("categories")
    categories = {
        index: category
        for index, raw in enumerate(listed if isinstance(listed, list) else [])
        if (category := _valid(Category, raw)) is not None
    }
    return disagreements(
        categories,
        dice=_count(data.get("dice")),
        faces=_count(data.get("faces")),
        upper_bonus=_valid(UpperBonus, data.get("upper_bonus")),
        extra_bonus=_valid(ExtraBonus, data.get("extra_bonus")),
        joker=_valid(Joker, data.get("joker")),
    )


def _count(raw: object) -> int | None:
    return raw if isinstance(raw, int) and not isinstance(raw, bool) and raw > 0 else None


def _valid(kind: type[Part], raw: object) -> Part | None:
    try:
        return kind.model_validate(raw)
    except ValidationError:
        return None
