"""Numbers in the blog "Greedy AI", computed by one function per table."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from math import comb, factorial

from rollwise.game.scoring import natural_points
from rollwise.model.arrays import build
from rollwise.rules import Run, load_rules
from rollwise.studies.published.figures import Compute, ComputedValue, Rows, SourceTable, formula

YAHTZEE = (6, 6, 6, 6, 6)
"""A roll of five sixes. Its points in a category show how many dice count."""


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
    dice, faces = rules.dice, rules.faces
    ordered = faces**dice
    hands, most = len(build(rules).lattice.rolls), dice + faces - 1
    return {
        "ordered hands": [ordered],
        "ordered hands as a power": [f"{faces}^{dice}"],
        "hands": [hands],
        "hands as a binomial": [formula(f"C({most},{dice})", comb(most, dice), hands)],
        "hands as factorials": [
            formula(
                f"{most}!/({dice}!({most}-{dice})!)",
                factorial(most) // (factorial(dice) * factorial(most - dice)),
                hands,
            )
        ],
        "subsets to roll again": [2**dice],
        "subsets as a power": [f"2^{dice}"],
        "combinations in the table of scores": [len(rules.categories)],
        "size of the table of scores": [f"{ordered}×{len(rules.categories)}"],
    }


def straights(table: SourceTable) -> Rows:
    """Return all sets of consecutive faces that score in each straight."""
    rules = load_rules(table.rules)
    rows: dict[str, list[ComputedValue]] = {}
    for key in table.rows:
        pattern = rules.categories[rules.category_index(key)].pattern
        assert isinstance(pattern, Run)
        last = rules.faces - pattern.length + 1
        windows = [
            "".join(str(low + i) for i in range(pattern.length)) for low in range(1, last + 1)
        ]
        rows[key] = [*windows, *"-" * (len(table.columns) - len(windows))]
    return rows


def outcomes(table: SourceTable) -> Rows:
    """Return the number of unordered rolls for each number of dice."""
    points = build(load_rules(table.rules)).lattice.points
    sizes = [len(dice) for dice in points]
    return {"outcomes": [sizes.count(int(n)) for n in table.columns]}


def numbered_steps(table: SourceTable) -> Rows:
    """Return the sum of the weights that the steps give to the outcomes of rerolling all dice."""
    rules = load_rules(table.rules)
    games = list(product(range(1, rules.faces + 1), repeat=rules.dice))
    hand = games[0]
    credited = [
        game for game in games if all(old != new for old, new in zip(hand, game, strict=True))
    ]
    return {"sum": [Fraction(len(credited), len(games))]}


TABLES: Mapping[str, Compute] = {
    "combinations": combinations,
    "straights": straights,
    "numbers": numbers,
    "outcomes": outcomes,
    "numbered_steps": numbered_steps,
}
"""The function for each table of ``blog.toml``."""
