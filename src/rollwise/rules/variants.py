"""Rule variants: other interpretations of a game's rules, each with a description."""

from importlib import resources
from typing import Annotated, Any

from pydantic import AfterValidator, Field, StringConstraints

from rollwise.rules.card import MAX_CATEGORIES, Category, Key, Text, UpperBonus
from rollwise.rules.patterns import Frozen


def _check_preset(name: str) -> str:
    if not resources.files("rollwise.rules").joinpath("presets", f"{name}.toml").is_file():
        raise ValueError("the name of a preset")
    return name


class Dispute(Frozen):
    """A rule variant: another interpretation of a game's rules.

    Attributes
    ----------
    says : str
        A description of the difference.
    rules : str or None
        The preset with the rules of the variant. Without this key, the other keys define the
        variant.
    upper_bonus : UpperBonus or None
        The new upper bonus.
    categories : tuple of Category
        The new categories, which replace categories with the same keys or are added.
    before : str or None
        The category before which new categories are inserted (default: at the end).
    """

    says: Annotated[Text, StringConstraints(min_length=1)]
    rules: Annotated[Key, AfterValidator(_check_preset)] | None = None
    upper_bonus: UpperBonus | None = None
    categories: Annotated[tuple[Category, ...], Field(max_length=MAX_CATEGORIES, strict=False)] = ()
    before: Key | None = None

    def changes(self, categories: tuple[Category, ...]) -> dict[str, Any]:
        """Return the fields that the variant changes in a game with these categories."""
        own = {category.key: category for category in self.categories}
        unchanged = [own.pop(category.key, category) for category in categories]
        keys = [category.key for category in unchanged]
        place = keys.index(self.before) if self.before in keys else len(unchanged)
        changed: dict[str, Any] = {}
        if self.categories:
            changed["categories"] = (*unchanged[:place], *own.values(), *unchanged[place:])
        if self.upper_bonus:
            changed["upper_bonus"] = self.upper_bonus
        return changed
