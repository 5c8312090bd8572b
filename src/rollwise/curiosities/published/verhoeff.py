"""T. Verhoeff's figures from scratch: a function a page.

His strategy takes the keep with fewer dice where two are equally good, which decides the last digit
of five cells of his tables.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import factorial

from rollwise.curiosities.game_size import game_size
from rollwise.curiosities.published.figures import Compute, Ours, Rows, Table
from rollwise.curiosities.published.games import best_play, random_play, solution
from rollwise.curiosities.published.verhoeff_games import demonic_game, minimum_game
from rollwise.curiosities.trivia import as_good, last_turns, rated_rolls
from rollwise.evaluation.evaluate import CategoryStatistics
from rollwise.game.dice_text import format_dice
from rollwise.game.notation import format_action, parse_action
from rollwise.game.scoring import natural_points
from rollwise.law import Law
from rollwise.model.arrays import build
from rollwise.model.size import counts
from rollwise.rules import AnyRoll, FaceDice, load_rules


def micro_yahtzee_dilemma(table: Table) -> Rows:
    """Return points of a first 4."""
    rules = load_rules(table.rules)
    points = [natural_points(rules, rules.category_index(key), (4,)) for key in table.columns]
    return {"first roll 4": points}


def micro_yahtzee_analysis(table: Table) -> Rows:
    """Return how many games and strategies there are, and how likely one game is."""
    size = game_size(load_rules(table.rules))
    assert size.strategies is not None
    return {
        "games": [size.games],
        "deterministic strategies": [size.strategies],
        "probability of each game": [size.rarest],
    }


def equipment(table: Table) -> Rows:
    """Return dice and boxes."""
    rules = load_rules(table.rules)
    return {
        "dice": [rules.dice],
        "faces": [rules.faces],
        "primary categories": [len(rules.categories)],
    }


def scoring_rules(table: Table) -> Rows:
    """Return what the boxes of fixed points and the bonuses bring."""
    rules = load_rules(table.rules)
    assert rules.upper_bonus is not None
    assert rules.extra_bonus is not None
    examples = {
        "full-house": (2, 2, 3, 3, 3),
        "small-straight": (1, 2, 3, 4, 6),
        "large-straight": (1, 2, 3, 4, 5),
        "yahtzee": (6, 6, 6, 6, 6),
    }
    fixed = {
        key.replace("-", " "): [natural_points(rules, rules.category_index(key), dice)]
        for key, dice in examples.items()
    }
    return {
        "upper total for the bonus": [rules.upper_bonus.threshold],
        "upper bonus": [rules.upper_bonus.points],
        **fixed,
        "extra bonus": [rules.extra_bonus.points],
    }


def random_category(table: Table) -> Rows:
    """Return how often one roll fits a box, and mean scores when boxes are filled in any order."""
    rules, played = load_rules(table.rules), random_play(table.rules)
    lattice = build(rules).lattice
    rows: dict[str, list[Ours]] = {}
    for k, box in enumerate(rules.categories):
        fits = Fraction(1)
        if not isinstance(box.pattern, FaceDice | AnyRoll):
            ways = sum(
                int(weight)
                for dice, weight in zip(lattice.rolls, lattice.weight_R, strict=True)
                if natural_points(rules, k, dice)
            )
            fits = Fraction(ways, rules.faces**rules.dice)
        rows[box.key] = [fits, played.categories[box.key].mean]
    return rows | {"grand total": ["-", played.law.mean]}


def game_tree(table: Table) -> Rows:
    """Return how many games there are, and how likely one is."""
    size = game_size(load_rules(table.rules))
    return {
        "games": [size.games],
        "the product as written": [6**5 * 7**5 * 7**5 * factorial(13)],
        "least probability of a game": [size.rarest],
        "greatest probability of a game": [size.likeliest],
    }


def game_states(table: Table) -> Rows:
    """Return states between turns and within one."""
    rules = load_rules(table.rules)
    number = counts(rules)
    sets = 2 ** len(rules.categories)
    assert rules.upper_bonus is not None
    upper = rules.upper_bonus.threshold + 1
    return {
        "between turns": [number["states between turns"]],
        "sets of unscored categories": [sets],
        "points needed for the bonus": [upper],
        "extra bonus or not": [number["states between turns"] // (sets // 2 * upper) - 1],
        "within a turn": [number["states in a turn"]],
        "rolls of a turn": [rules.rolls],
        "rolled dice": [number["rolls"]],
        "kept dice": [number["keeps"]],
    }


def computation(table: Table) -> Rows:
    """Return the size of the table, and the states that are needed."""
    number = counts(load_rules(table.rules))
    size = number["states between turns"]
    return {
        "numbers in the table": [size],
        "megabytes": [size * 8 / 10**6],
        "states required": [number["reachable states between turns"]],
    }


def dilemmas(table: Table) -> Rows:
    """Return what options are worth, each row a position and an option."""
    best = solution(table.rules)
    rows: dict[str, list[Ours]] = {}
    for row in table.rows:
        position, _, action = row.partition(": ")
        wanted = parse_action(best.rules, action)
        (option,) = (o for o in best.options(position) if o.action == wanted)
        assert option.sd is not None
        rows[row] = [option.value, option.sd]
    return rows


def trivia(table: Table) -> Rows:
    """Return the best and the worst rolls of the first turn, and the whole law in short."""
    best, law = solution(table.rules), best_play(table.rules, fewer_dice=True).law
    rules = best.rules

    def row(rolls_left: int, place: int) -> list[Ours]:
        rolls = as_good(rated_rolls(best, rolls_left), place)
        names = [format_dice(rules, dice) for dice, _ in rolls]
        alike = [str(face) * rules.dice for face in range(1, rules.faces + 1)]
        option = rolls[0][1]
        assert option.sd is not None
        dice = "y" * rules.dice if sorted(names) == alike else tuple(names)
        return [dice, format_action(rules, option.action), option.value, option.sd]

    return {
        "expected final score": ["-", "-", law.mean, law.sd],
        "median final score": ["-", "-", law.median, "-"],
        "best first roll": row(2, 0),
        "worst first roll": row(2, -1),
        "worst third roll": row(0, -1),
        "minimum score": ["-", "-", law.minimum, "-"],
    }


def categories(table: Table) -> Rows:
    """Return mean, standard deviation and zeros of boxes, bonuses, totals and counts."""
    played = best_play(table.rules, fewer_dice=True)
    laws = {
        "upper bonus": played.upper_bonus,
        "extra bonus": played.extra_bonus,
        "grand total": played.law,
        "yahtzees rolled": played.alike,
        "jokers applied": played.jokers,
    }
    rows = {key: _moments(box) for key, box in played.categories.items()}
    return rows | {name: _moments(law) for name, law in laws.items() if law is not None}


def distribution(table: Table) -> Rows:
    """Return shares of bands of final scores, in percent."""
    law = best_play(table.rules, fewer_dice=True).law
    rows: dict[str, list[Ours]] = {}
    for row in table.rows:
        low, high = map(int, row.split(" – "))
        at_most = 100 * float(law.up_to(high))
        rows[row] = [at_most - 100 * float(law.below(low)), at_most]
    return rows


def quantiles(table: Table) -> Rows:
    """Return the score up to which a share of games lies, and the one after it: "% scoring < f"."""
    law = best_play(table.rules, fewer_dice=True).law
    found = {row: law.quantile(int(row.split()[0]) / 100) for row in table.rows}
    return {row: [(score, score + 1)] for row, score in found.items()}


def earliest_scoring(table: Table) -> Rows:
    """Return the first turn in which a box can be scored with points, and with nothing."""
    boxes = best_play(table.rules, fewer_dice=True).categories
    return {
        key: [turn or "never" for turn in (box.first_scored, box.first_zero)]
        for key, box in boxes.items()
    }


def last_turn_values(table: Table) -> Rows:
    """Return what a last turn for each box brings."""
    laws = last_turns(load_rules(table.rules), fewer_dice=True)
    return {key: _moments(law) for key, law in laws.items()}


def _moments(part: CategoryStatistics | Law) -> Sequence[Ours]:
    zero = part.zero if isinstance(part, CategoryStatistics) else part.probability(0)
    return [part.mean, part.sd, 100 * zero]


TABLES: Mapping[str, Compute] = {
    "micro_yahtzee_dilemma": micro_yahtzee_dilemma,
    "micro_yahtzee_analysis": micro_yahtzee_analysis,
    "equipment": equipment,
    "scoring_rules": scoring_rules,
    "random_play": random_category,
    "game_tree": game_tree,
    "game_states": game_states,
    "computation": computation,
    "dilemmas": dilemmas,
    "trivia": trivia,
    "categories": categories,
    "categories_plain": categories,
    "distribution": distribution,
    "distribution_plain": distribution,
    "quantiles": quantiles,
    "quantiles_plain": quantiles,
    "earliest_scoring": earliest_scoring,
    "last_turns": last_turn_values,
    "minimum_game": minimum_game,
    "demonic_game": demonic_game,
}
"""What computes each table of ``verhoeff.toml``."""
