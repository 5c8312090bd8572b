"""Families of games, which are variants of each other, as lists of games show them."""

from collections.abc import Iterable

FAMILIES = (
    "yahtzee", "kniffel", "yatzy", "maxi-yatzy", "kismet", "yacht", "generala", "balut", "crag",
    "yamb", "yams", "micro-yahtzee",
)  # fmt: skip
"""The families in the order of lists. The name of a preset begins with the name of its family."""

MAIN = {*FAMILIES, "yamb-free"}
"""The main game of each family."""


def by_family(names: Iterable[str], first: str = "") -> dict[str, list[str]]:
    """Return the names of games by family, ``""`` for games that belong to no family.

    In its family, the game ``first`` precedes the main game, and the others follow.
    """
    families: dict[str, list[str]] = {family: [] for family in (*FAMILIES, "")}
    for name in names:
        families[next(filter(name.startswith, FAMILIES), "")].append(name)
    for games in families.values():
        games.sort(key=lambda name: (name != first, name not in MAIN))
    return {family: games for family, games in families.items() if games}


def title_of(family: str) -> str:
    """Return the title of a family."""
    return family.replace("-", " ").title() or "Other"
