"""Numbers in the blog "Greedy AI", computed by one function per table."""

from collections.abc import Mapping

from rollwise.game.scoring import natural_points
from rollwise.model.arrays import build
from rollwise.rules import load_rules
from rollwise.studies.published.figures import Compute, ComputedValue, Rows, SourceTable

YAHTZEE = (6, 6, 6, 6, 6)
"""A roll of five sixes. Its points show how many dice count in a category."""


def combinations(table: SourceTable) -> Rows:
    """Return each category's fixed points, points per die, and number of dice that count."""
    rules = load_rules(table.rules)
    examples = {
        "full-house": (2, 2, 3, 3, 3),
        "small-straight": (1, 2, 3, 4, 6),
        "large-straight": (1, 2, 3, 4, 5),
    }
    rows: dict[str, list[ComputedValue]] = {}
    for key in table.rows:
        k = rules.category_index(key)
        five_alike = natural_points(rules, k, YAHTZEE)
        points = natural_points(rules, k, examples.get(key, YAHTZEE))
        single = max(natural_points(rules, k, dice) for dice in ((1, 2, 3, 4, 5), (2, 3, 4, 5, 6)))
        rows[key] = [points, single, five_alike // max(YAHTZEE)]
    return rows


def numbers(table: SourceTable) -> Rows:
    """Return the numbers of rolls, sets of dice to reroll, and categories."""
    rules = load_rules(table.rules)
    return {
        "ordered hands": [rules.faces**rules.dice],
        "hands": [len(build(rules).lattice.rolls)],
        "subsets to roll again": [2**rules.dice],
        "combinations in the table of scores": [len(rules.categories)],
    }


def outcomes(table: SourceTable) -> Rows:
    """Return the number of unordered rolls for each number of dice."""
    points = build(load_rules(table.rules)).lattice.points
    sizes = [len(dice) for dice in points]
    return {"outcomes": [sizes.count(int(n)) for n in table.columns]}


TABLES: Mapping[str, Compute] = {
    "combinations": combinations,
    "numbers": numbers,
    "outcomes": outcomes,
}
"""The function for each table of ``blog.toml``."""
