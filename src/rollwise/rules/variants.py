"""What others say of the rules of a game: a sentence, and the game as it would be then."""

from importlib import resources
from typing import Annotated, Any

from pydantic import AfterValidator, Field, StringConstraints

from rollwise.rules.card import MAX_CATEGORIES, Category, Key, Text, UpperBonus
from rollwise.rules.patterns import Frozen


def _of_a_preset(name: str) -> str:
    if not resources.files("rollwise.rules").joinpath("presets", f"{name}.toml").is_file():
        raise ValueError("a name out of rollwise rules list")
    return name


class Dispute(Frozen):
    """Another reading of the rules.

    Attributes
    ----------
    says : str
        What is read differently.
    rules : str or None
        The preset that plays by it.
    upper_bonus : UpperBonus or None
        That of the other reading, else.
    categories : tuple of Category
        Its boxes: in place of those with their keys, or more of them.
    before : str or None
        The box that further ones stand before; at the end unless told.
    """

    says: Annotated[Text, StringConstraints(min_length=1)]
    rules: Annotated[Key, AfterValidator(_of_a_preset)] | None = None
    upper_bonus: UpperBonus | None = None
    categories: Annotated[tuple[Category, ...], Field(max_length=MAX_CATEGORIES, strict=False)] = ()
    before: Key | None = None

    def changes(self, categories: tuple[Category, ...]) -> dict[str, Any]:
        """Return what is other in a game with these boxes; nothing where only words are."""
        own = {category.key: category for category in self.categories}
        kept = [own.pop(category.key, category) for category in categories]
        keys = [category.key for category in kept]
        place = keys.index(self.before) if self.before in keys else len(kept)
        changed: dict[str, Any] = {}
        if self.categories:
            changed["categories"] = (*kept[:place], *own.values(), *kept[place:])
        if self.upper_bonus:
            changed["upper_bonus"] = self.upper_bonus
        return changed
