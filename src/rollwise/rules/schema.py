"""The rules of a game as one frozen record, and what must hold between its parts."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from rollwise.errors import quoted
from rollwise.rules.patterns import AnyRoll, FaceDice, Groups, Pattern, Record

KEY, CODE = r"^[a-z][a-z0-9-]*$", r"^[a-z0-9]{1,4}$"
PRINTS = r"^[^\x00-\x08\x0b-\x1f\x7f-\x9f]*$"  # nothing that could steer a terminal

Key = Annotated[str, StringConstraints(pattern=KEY, max_length=40)]
Code = Annotated[str, StringConstraints(pattern=CODE)]
Text = Annotated[str, StringConstraints(pattern=PRINTS)]
Amount = Annotated[int, Field(ge=0, le=10_000)]
Positive = Annotated[int, Field(ge=1, le=10_000)]

RESERVED_KEYS = frozenset({"extra-bonus", "upper-bonus"})
"""Words of the card notation that no category may take."""

MAX_DICE, MAX_FACES, MAX_ROLLS, MAX_CATEGORIES = 12, 20, 20, 24


class Category(Record):
    """One box of the card: the pattern it asks for and the points that a fitting roll earns.

    ``points`` is a fixed number, ``"matched"`` (the dice that make up the pattern, chosen for the
    most points) or ``"total"`` (all dice). A die is worth its face, or ``worth[face - 1]``. A roll
    that does not fit scores 0.
    """

    key: Key
    code: Code | None = None
    title: Annotated[Text, StringConstraints(min_length=1, max_length=60)]
    section: Literal["upper", "lower"] = "lower"
    pattern: Pattern
    points: Amount | Literal["matched", "total"]
    worth: Annotated[tuple[Amount, ...], Field(strict=False)] | None = None


class UpperBonus(Record):
    """``points`` once the upper section totals ``threshold`` or more."""

    threshold: Annotated[int, Field(ge=1, le=1_000)]
    points: Positive


class ExtraBonus(Record):
    """``points`` for every further roll of all dice alike once ``box`` holds points."""

    box: Key
    points: Positive


class Joker(Record):
    """All dice alike fit any lower box, once ``box`` and the upper box of their face are filled.

    ``free``: the player scores it wherever he likes. ``forced``: while ``box`` is filled, such a
    roll goes to the matching upper box if that is open, else to an open lower box, else to any.
    ``lower``: while ``box`` is filled, it goes to an open lower box, also if the upper box of its
    face is open; else to any box, and scores nothing in the upper section.
    """

    box: Key
    policy: Literal["free", "forced", "lower"]


class Rules(Record):
    """A roll-and-keep dice game.

    A turn: roll ``dice`` dice of ``faces`` faces, keep any and reroll the rest, up to ``rolls``
    rolls in all, then score one open category. With ``order = "card"`` categories are filled from
    top to bottom. A game is one turn per category.

    Raises
    ------
    pydantic.ValidationError
        When a field or the parts together make no game; :func:`rollwise.rules.parse_rules` turns
        it into a :class:`rollwise.rules.RulesError` that lists every mistake.
    """

    name: Key
    title: Annotated[Text, StringConstraints(min_length=1, max_length=120)]
    about: Text = ""
    sources: Annotated[tuple[Text, ...], Field(strict=False)] = ()
    dice: Annotated[int, Field(ge=1, le=MAX_DICE)]
    faces: Annotated[int, Field(ge=2, le=MAX_FACES)]
    rolls: Annotated[int, Field(ge=1, le=MAX_ROLLS)]
    order: Literal["free", "card"] = "free"
    upper_bonus: UpperBonus | None = None
    extra_bonus: ExtraBonus | None = None
    joker: Joker | None = None
    categories: Annotated[
        tuple[Category, ...], Field(min_length=1, max_length=MAX_CATEGORIES, strict=False)
    ]

    @model_validator(mode="after")
    def _parts_agree(self) -> Self:
        mistakes = [
            f"{place}: {what}"
            for place, what in disagreements(
                dict(enumerate(self.categories)),
                dice=self.dice,
                faces=self.faces,
                upper_bonus=self.upper_bonus is not None,
                boxes={
                    place: part.box
                    for place, part in (("extra_bonus", self.extra_bonus), ("joker", self.joker))
                    if part is not None
                },
            )
        ]
        if mistakes:
            raise ValueError("; ".join(mistakes))
        return self

    @property
    def keys(self) -> tuple[str, ...]:
        """The category keys in card order."""
        return tuple(category.key for category in self.categories)

    def category_index(self, word: str) -> int:
        """Return the index of the category with this key or code.

        Raises
        ------
        ValueError
            When no category is called that.
        """
        for index, category in enumerate(self.categories):
            if word in (category.key, category.code):
                return index
        raise ValueError(
            f"no category {quoted(word)} in {self.name}: expected one of {', '.join(self.keys)}"
        )

    def upper_box(self, face: int) -> int | None:
        """Return the index of the upper category for ``face``, or None where the card has none."""
        for index, category in enumerate(self.categories):
            pattern = category.pattern
            if (
                category.section == "upper"
                and isinstance(pattern, FaceDice)
                and pattern.face == face
            ):
                return index
        return None


def disagreements(
    categories: Mapping[int, Category],
    *,
    dice: int | None,
    faces: int | None,
    upper_bonus: bool,
    boxes: Mapping[str, str],
    unread: Sequence[Mapping[str, Any]] = (),
) -> Iterator[tuple[str, str]]:
    """Yield (place, what is wrong) for each mistake that shows only between parts.

    A file with many mistakes gets all of them in one reading, and none that is not one: categories
    that are themselves broken stand, as they are, in ``unread``; dice and faces that are, are None.

    Parameters
    ----------
    categories : mapping of int to Category
        By place.
    upper_bonus : bool
        Whether there is one.
    boxes : mapping of str to str
        The box that the extra bonus and the joker name, by place.
    """
    seen: dict[str, int] = {}
    for index, category in categories.items():
        for part, word in (("key", category.key), ("code", category.code)):
            if word is None:
                continue
            if word in RESERVED_KEYS:
                yield f"categories.{index}.{part}", f"{word!r} is a word of the card notation"
            if seen.get(word, index) != index:
                yield (
                    f"categories.{index}.{part}",
                    f"{word!r} is taken by category {seen[word]}: keys and codes must be unique",
                )
            seen[word] = index
        need_dice, need_faces = category.pattern.needs()
        if dice is not None and need_dice > dice:
            yield (
                f"categories.{index}.pattern",
                f"no roll fits: it needs {need_dice} dice, the game has {dice}",
            )
        if faces is not None and need_faces > faces:
            yield (
                f"categories.{index}.pattern",
                f"no roll fits: it needs {need_faces} faces, a die has {faces}",
            )
        if category.worth is not None and faces is not None and len(category.worth) != faces:
            yield (
                f"categories.{index}.worth",
                f"expected {faces} numbers, one a face, got {len(category.worth)}",
            )
        if category.worth is not None and isinstance(category.points, int):
            yield f"categories.{index}.worth", "means nothing beside fixed points"
        if isinstance(category.pattern, AnyRoll) and isinstance(category.points, int):
            yield (
                f"categories.{index}.points",
                "expected 'total' or 'matched' for the pattern that every roll fits",
            )
    by_key = {category.key: category for category in categories.values()}
    upper = any(category.section == "upper" for category in categories.values())
    if upper_bonus and not upper and all(raw.get("section") in (None, "lower") for raw in unread):
        yield "upper_bonus", "no category stands in the upper section"
    for place, key in boxes.items():
        box = by_key.get(key)
        if box is None:
            if all(raw.get("key", key) != key for raw in unread):
                yield f"{place}.box", f"no category {quoted(key)} on the card"
        elif dice is not None and not (
            isinstance(box.pattern, Groups) and box.pattern.sizes == (dice,)
        ):
            yield f"{place}.box", f"{key!r} must ask for all {dice} dice alike"
