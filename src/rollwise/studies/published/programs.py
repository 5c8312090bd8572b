"""Numbers that other programs print, computed by one function per table."""

from collections.abc import Mapping

from rollwise.model.size import counts
from rollwise.rules import load_rules
from rollwise.solving.objectives import BEST_CASE
from rollwise.solving.solver import solve
from rollwise.studies.published.figures import ComputedValue, optimal_evaluation, solution
from rollwise.studies.published.toml_tables import Compute, Rows, SourceTable, register


def expected_scores(table: SourceTable) -> Rows:
    """Return the expected score of optimal play in each game."""
    return {rules: [solution(rules).value()] for rules in table.rows}


def sizes(table: SourceTable) -> Rows:
    """Return the numbers of rolls, sets of dice to keep, and states of each game."""
    sizes = {rules: counts(load_rules(rules)) for rules in table.rows}
    return {rules: [size[name] for name in table.columns] for rules, size in sizes.items()}


def best_cases(table: SourceTable) -> Rows:
    """Return the highest possible score of each game."""
    totals = {rules: solve(load_rules(rules), BEST_CASE).value() for rules in table.rows}
    return {rules: [int(total)] for rules, total in totals.items()}


def spread(table: SourceTable) -> Rows:
    """Return the standard deviation of the final score of optimal play in each game."""
    return {rules: [optimal_evaluation(rules).distribution.sd] for rules in table.rows}


def tails(table: SourceTable) -> Rows:
    """Return the probability that optimal play reaches each score."""
    distribution = optimal_evaluation(table.rules).distribution
    return {score: [distribution.at_least(int(score))] for score in table.rows}


def categories(table: SourceTable) -> Rows:
    """Return the mean points of each category, and the percentage of games with the upper bonus."""
    evaluation = optimal_evaluation(table.rules)
    assert evaluation.upper_bonus is not None
    rows: dict[str, list[ComputedValue]] = {
        key: [category.mean] for key, category in evaluation.categories.items()
    }
    bonus = 100 * (1 - evaluation.upper_bonus.probability(0))
    return rows | {"upper bonus in percent": [bonus]}


TABLES: Mapping[str, Compute] = {
    "yatzy_solver": expected_scores,
    "holderied": expected_scores,
    "merrell": expected_scores,
    "larsson_sjoberg": expected_scores,
    "yacht_dice": expected_scores,
    "counts": sizes,
    "best_case": best_cases,
    "dlangk_tails": tails,
    "dlangk_categories": categories,
    "spread": spread,
}
"""The function for each table of ``programs.toml``."""

register("programs", TABLES)
